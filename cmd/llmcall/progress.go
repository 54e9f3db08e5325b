package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/llmcall/llmcall/pkg/batch"
)

// progressEvery is how often a batch that nobody watches says how far it is.
const progressEvery = 10 * time.Second

// showProgress tells how far a batch is until the function it gives is called: by a bar on a terminal, else by a line now
// and then. size is that of the input in bytes, 0 where it is not known.
func (s *session) showProgress(p *batch.Progress, size int64) (stop func()) {
	if s.say.quiet || s.say.json {
		return func() {}
	}
	if isTerminal(s.std.err) {
		return showBar(s.std.err, p, size)
	}
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				s.say.notice(progressLine(p.Stats(), size))
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

func showBar(w io.Writer, p *batch.Progress, size int64) (stop func()) {
	bars := mpb.New(mpb.WithOutput(w), mpb.WithWidth(40))
	bar := bars.AddBar(size,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return counts(p.Stats()) + " " })),
		mpb.AppendDecorators(decor.Percentage(decor.WCSyncSpace)),
	)
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				bar.SetCurrent(min(p.Stats().Offset, max(size-1, 0)))
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		bar.Abort(true)
		bars.Wait()
	}
}

func counts(s batch.Stats) string {
	text := fmt.Sprintf("%d answered, %d failed, %d in flight", s.Done, s.Failed, s.InFlight)
	if wait := time.Until(s.WaitUntil); wait > time.Second {
		text += fmt.Sprintf(", waiting %s", wait.Round(time.Second))
	}
	return text
}

func progressLine(s batch.Stats, size int64) string {
	text := "batch: " + counts(s)
	if size > 0 {
		text += fmt.Sprintf(", %d%% of the input", 100*s.Offset/size)
	}
	return text
}

// summaryLine says how a batch went.
func summaryLine(sum batch.Summary) string {
	s := fmt.Sprintf("batch: %d answered, %d failed", sum.Done, sum.Failed)
	if len(sum.Failures) > 0 {
		s += " (" + failureClasses(sum.Failures) + ")"
	}
	if sum.Answered > 0 {
		s += fmt.Sprintf(", %d answered before", sum.Answered)
	}
	if sum.InputTokens+sum.OutputTokens > 0 {
		s += fmt.Sprintf("; %d prompt and %d completion tokens", sum.InputTokens, sum.OutputTokens)
	}
	if sum.Retries > 0 {
		s += fmt.Sprintf("; %d retries", sum.Retries)
	}
	return s + "; " + round(sum.Elapsed).String()
}

// failureClasses lists how many items failed in which way, the most frequent first.
func failureClasses(failures map[string]int64) string {
	codes := make([]string, 0, len(failures))
	for code := range failures {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b string) int {
		if failures[a] != failures[b] {
			return int(failures[b] - failures[a])
		}
		return strings.Compare(a, b)
	})
	for i, code := range codes {
		codes[i] = fmt.Sprintf("%d %s", failures[code], oneLine(code))
	}
	return strings.Join(codes, ", ")
}
