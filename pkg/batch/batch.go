// Package batch answers the lines of a file: many at a time, each once, in the order of the lines or as the answers come, and
// able to go on where an earlier run was killed. What an answer is, the caller's function knows; the lines are those of
// OpenAI's Batch files (https://platform.openai.com/docs/guides/batch) or shorter ones.
package batch

import (
	"context"
	"errors"
	"io"
	"time"
)

var (
	// ErrStopped is the end of a batch whose Options.Stop was closed before all was answered.
	ErrStopped = errors.New("stopped before all lines were answered")
	// ErrDayLimit is the end of a batch whose provider allows no more requests today.
	ErrDayLimit = errors.New("the provider's limit of requests for today is used up")
	// ErrTooManyFailures is the end of a batch in which Options.StopAtFailures items failed.
	ErrTooManyFailures = errors.New("too many items failed")
	// ErrNotUTF8 is an input in UTF-16, of which no line was read.
	ErrNotUTF8 = errors.New("the text is UTF-16; save it as UTF-8")
	// ErrWrite is wrapped by an error of Options.Out or Options.Failed.
	ErrWrite = errors.New("write")
)

// Options is a batch. Input, Out and Do are needed.
type Options struct {
	Input Input
	// Out gets whole lines, one or more a Write, and at once when no more are ready.
	Out io.Writer
	// Ordered writes in the order of the lines. An item that --resume asks again comes after what Out has already.
	Ordered bool
	// Content writes the text of each answer as a JSON string, and null for an item that failed, instead of output lines. The
	// place of a line says whose it is, so that it implies Ordered.
	Content bool
	// Failed, if set, gets the input lines of the items that failed; those longer than MaxLine are left out.
	Failed io.Writer

	// Do answers an item. It is called in a goroutine of its own, at most Concurrency at a time, with the turn that it may take
	// now. It should return soon after ctx is done.
	Do func(ctx context.Context, item *Item, turn *Turn) Outcome
	// Concurrency is the most items at a time; 0 is 8. Turn.Report lowers it and raises it again.
	Concurrency int
	// RPM is the most attempts a minute, evenly spread; 0 is no limit.
	RPM int
	// Window is how many items may be begun and not yet written, so how far ahead of a slow one an ordered batch runs; 0 is
	// eight for each of Concurrency, but at least 256. Answers of 64 MiB that wait to be written close it earlier.
	Window int
	// StopAtFailures begins no more items once so many have failed; 0 is no limit.
	StopAtFailures int64
	// Stop, when closed, begins no more items and lets those in flight finish.
	Stop <-chan struct{}
	// Progress, if set, can be asked while the batch runs.
	Progress *Progress
}

// Summary is how a batch went.
type Summary struct {
	Stats
	// Failures counts the failed items by their code.
	Failures map[string]int64
	Elapsed  time.Duration
}

// check validates options and fills in what they leave open.
func (o *Options) check() error {
	switch {
	case o.Input.Reader == nil || o.Out == nil || o.Do == nil:
		return errors.New("batch: Input.Reader, Out and Do are needed")
	case o.Concurrency < 0 || o.RPM < 0 || o.Window < 0:
		return errors.New("batch: a negative limit")
	}
	if err := o.Input.check(); err != nil {
		return err
	}
	if o.Concurrency == 0 {
		o.Concurrency = 8
	}
	if o.Window == 0 {
		o.Window = max(256, 8*o.Concurrency)
	}
	o.Ordered = o.Ordered || o.Content
	if o.Progress == nil {
		o.Progress = new(Progress)
	}
	return nil
}

// Run answers the lines of the input. The summary is right also with an error, of which these are the batch's own:
//
//   - ErrStopped, ErrDayLimit and ErrTooManyFailures: no more items were begun, those in flight have finished, some are left
//     for a later run. When none is left, there is no error.
//   - ErrWrite: what Out or Failed did not take; all in flight was cancelled.
//   - the cause of ctx: all in flight was cancelled. What was whole by then is written.
//   - an error of Input.Reader: as for ErrStopped. A Read that blocks is not waited for when another cause ends the batch.
//
// An item that fails since its batch has ended, because its context was cancelled, Turn.Again turned it away, or the day's limit
// did, counts as never begun: no line is written for it, unless Content wants one.
func Run(ctx context.Context, o Options) (Summary, error) {
	if err := o.check(); err != nil {
		return Summary{}, err
	}
	start := time.Now()
	r := newRunner(ctx, &o)
	err := r.run()
	return Summary{Stats: o.Progress.Stats(), Failures: r.failures, Elapsed: time.Since(start)}, err
}
