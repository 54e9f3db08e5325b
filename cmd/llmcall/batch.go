package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/llmcall/llmcall/pkg/batch"
	"github.com/llmcall/llmcall/pkg/object"
	"github.com/llmcall/llmcall/pkg/output"
	"github.com/llmcall/llmcall/pkg/providers"
	"github.com/llmcall/llmcall/pkg/request"
)

// errSomeFailed is a batch that was done, some of whose items failed.
var errSomeFailed = errors.New("some items failed")

// lines is a batch at work: what is the same for all its items.
type lines struct {
	s        *session
	template request.Options
	content  bool
}

// runBatch answers each line of --batch.
func (s *session) runBatch(ctx context.Context) error {
	o := s.o
	switch {
	case len(o.words) > 0 || len(o.files) > 0:
		return usageError{msg: "with --batch the prompts are the lines of its file", hint: "give what is the same for all of them by --system or --messages"}
	case o.output != output.Content && o.output != output.JSON:
		return usageError{msg: "--batch writes output lines, or with -o content the texts"}
	}
	b := &lines{s: s, content: o.given["output"] && o.output == output.Content}
	if b.content && o.resume {
		return usageError{msg: "-o content cannot be resumed: its lines do not say whose they are"}
	}
	var err error
	if b.template, err = s.requestOptions(); err != nil {
		return err
	}
	opts := batch.Options{
		Ordered: o.ordered, Content: b.content, Concurrency: o.concurrency, RPM: o.rpm, Do: b.do, Stop: ctx.Done(),
		Progress: new(batch.Progress), StopAtFailures: int64(o.maxFailures) + 1,
	}
	size, closeInput, err := s.batchInput(&opts.Input)
	if err != nil {
		return err
	}
	defer closeInput()
	if o.dryRun {
		return b.dryRun(opts.Input)
	}
	if err := s.connect(); err != nil {
		return err
	}
	opts.Out = s.std.out
	if o.outputFile != "" {
		f, err := batch.Open(o.outputFile, o.resume)
		if errors.Is(err, batch.ErrExists) {
			return usageError{msg: "--output-file: " + err.Error(), hint: "--resume goes on where it ends"}
		}
		if err != nil {
			return usageError{msg: "--output-file: " + err.Error()}
		}
		defer f.Close()
		if f.Unlocked {
			s.say.warn(o.outputFile + " cannot be locked here; let no other process write it")
		}
		opts.Out, opts.Input.Answered = f, f.Answered
	}
	if o.failed != "" {
		f, err := os.Create(o.failed)
		if err != nil {
			return usageError{msg: "--failed: " + fileError(o.failed, err)}
		}
		defer f.Close()
		opts.Failed = f
	}
	if s.std.getenv("GOGC") == "" {
		// The peak stays the same however long the batch, for a sixth more of what little CPU time an item takes.
		defer debug.SetGCPercent(debug.SetGCPercent(50))
	}
	stop := s.showProgress(opts.Progress, size)
	summary, err := batch.Run(context.WithoutCancel(ctx), opts)
	stop()
	s.say.notice(summaryLine(summary))
	if e := s.end(); e != nil {
		return writeError{e}
	}
	return b.end(ctx, summary, err)
}

// batchInput opens the file of --batch; size is 0 where it is not known.
func (s *session) batchInput(in *batch.Input) (size int64, closeInput func() error, err error) {
	in.Reader, in.Text = s.std.in, s.o.batchFormat == "lines"
	closeInput = func() error { return nil }
	if s.o.batch != "-" {
		f, err := os.Open(s.o.batch)
		if err != nil {
			return 0, nil, usageError{msg: "--batch: " + fileError(s.o.batch, err)}
		}
		if st, err := f.Stat(); err == nil && st.IsDir() {
			f.Close()
			return 0, nil, usageError{msg: "--batch: " + s.o.batch + ": is a directory"}
		}
		in.Reader, closeInput = f, f.Close
	}
	if f, ok := in.Reader.(*os.File); ok {
		if st, err := f.Stat(); err == nil && st.Mode().IsRegular() {
			size = st.Size()
		}
	}
	if s.o.shard != "" {
		k, n, ok := strings.Cut(s.o.shard, "/")
		var e1, e2 error
		in.Shard, e1 = strconv.ParseInt(k, 10, 64)
		in.Shards, e2 = strconv.ParseInt(n, 10, 64)
		if !ok || e1 != nil || e2 != nil || in.Shard < 1 || in.Shard > in.Shards {
			return 0, nil, usageError{msg: "--shard: want K/N with K from 1 to N: " + s.o.shard}
		}
	}
	return size, closeInput, nil
}

// end gives the error that a batch ends with.
func (b *lines) end(ctx context.Context, summary batch.Summary, err error) error {
	var sig signalError
	switch {
	case errors.Is(err, batch.ErrWrite):
		return writeError{err}
	case errors.Is(err, batch.ErrStopped) && errors.As(context.Cause(ctx), &sig):
		return sig
	case errors.Is(err, batch.ErrDayLimit):
		f := &failure{err: fmt.Errorf("%s: %w", b.s.row.Name, err), provider: b.s.row.Name, hint: "with --output-file it could go on tomorrow by --resume"}
		if b.s.o.outputFile != "" {
			f.hint = "go on tomorrow: the same command with --resume"
		}
		return f
	case err != nil && !errors.Is(err, batch.ErrTooManyFailures):
		return err
	case summary.Failed > 0:
		return fmt.Errorf("batch: %w: %d", errSomeFailed, summary.Failed)
	}
	return nil
}

// body makes the request of an item: the flags give defaults to what its line says.
func (b *lines) body(item *batch.Item) (request.Result, error) {
	opts := b.template
	if item.Prompt != nil {
		opts.Prompt = [][]byte{item.Prompt}
	}
	if len(item.Body) == 0 {
		return b.s.build(opts)
	}
	own, err := object.Parse(item.Body)
	if err != nil {
		return request.Result{}, err
	}
	if _, ok := own.Get("messages"); ok {
		opts.Messages = append(opts.Messages[:len(opts.Messages):len(opts.Messages)], request.Source{Name: "line " + strconv.FormatInt(item.Line, 10), Data: item.Body})
		own.Delete("messages")
	}
	opts.Params = append([]request.Param(nil), opts.Params...)
	for name, value := range own.All() {
		switch name {
		case "model":
			if len(value) > 0 && value[0] == '"' {
				opts.Model = string(object.AppendUnquoted(nil, value))
			}
		case "stream":
			on := string(value) == "true"
			opts.Stream = &on
		default:
			opts.Params = append(opts.Params, request.Param{Name: name, Value: value})
		}
	}
	return b.s.build(opts)
}

// dryRun prints the body of each item.
func (b *lines) dryRun(in batch.Input) error {
	for item, err := range in.Items() {
		if err != nil {
			return usageError{msg: "--batch: " + err.Error()}
		}
		var (
			body request.Result
			err  error
		)
		if item.Code != "" {
			err = errors.New(item.Message)
		} else if body, err = b.body(item); err == nil {
			err = b.s.checkRules(body.Body)
		}
		if err != nil {
			return usageError{msg: fmt.Sprintf("line %d: %v", item.Line, err)}
		}
		if err := write(b.s.std.out, unbroken(body.Body)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// do answers an item.
func (b *lines) do(ctx context.Context, item *batch.Item, turn *batch.Turn) batch.Outcome {
	body, err := b.body(item)
	if err == nil {
		err = b.s.checkRules(body.Body)
	}
	if err != nil {
		return batch.Outcome{Code: "invalid_request", Message: oneLine(err.Error())}
	}
	check, err := b.s.checker(body.Body)
	if err != nil {
		return batch.Outcome{Code: "invalid_request", Message: oneLine(err.Error())}
	}
	ctx, cancel := b.s.limit(ctx)
	defer cancel()
	to := &delivery{stdout: io.Discard}
	to.out = &to.held
	c := b.s.newCall(body, output.Options{
		Format: output.JSON, KeepText: true, StripThink: b.s.o.stripThink, NoNewline: true, Out: to.out, Warn: b.s.say.warn,
	})
	c.turn = turn
	err = c.doChecked(ctx, check, to)
	return outcome(c, to.held.Bytes(), err)
}

// outcome is what became of an item's call.
func outcome(c *call, body []byte, err error) batch.Outcome {
	f := &c.facts
	usage := gjson.ParseBytes(f.result.Usage)
	out := batch.Outcome{
		Status: f.status, RequestID: first(f.requestID, f.result.ID), Text: []byte(f.result.Text), Retries: int64(max(f.attempts-1, 0)),
		InputTokens: usage.Get("prompt_tokens").Int(), OutputTokens: usage.Get("completion_tokens").Int(),
	}
	var (
		api      *providers.APIError
		cut      *output.CutError
		mismatch mismatchError
	)
	if err != nil {
		out.Code, out.Message = className(exitCode(err)), oneLine(err.Error())
	}
	switch {
	case errors.As(err, &api):
		out.Code, out.Message, out.Body = first(api.Code, api.Type, strconv.Itoa(api.Status)), api.Message, bytes.TrimSpace(api.Body)
	case errors.As(err, &cut):
		out.Code, out.Body = cut.Reason, body
	case errors.As(err, &mismatch):
		out.Body, out.Message = body, oneLine(err.Error()+": "+strings.Join(mismatch.lines, "; "))
	case err == nil:
		out.Body = body
	default:
		out.Status = 0
	}
	return out
}

// report tells the batch what an attempt has shown of the provider's limits.
func (c *call) report(err error, delay *providers.Delay) {
	f := batch.Feedback{Answered: err == nil}
	if l := c.facts.limits.Requests; l.Remaining != nil && !l.Reset.IsZero() {
		f.Minute = batch.Quota{Remaining: *l.Remaining, Reset: l.Reset}
		if l.Limit != nil {
			f.Minute.Limit = *l.Limit
		}
	}
	// The day's last request may have been this one: the next is not tried.
	if l := c.facts.limits.RequestsDay; l.Remaining != nil && *l.Remaining <= 0 && l.Reset.After(time.Now()) {
		f.DayEmpty = true
	}
	var api *providers.APIError
	if errors.As(err, &api) {
		f.Throttled = api.Status == 429 || api.Code == "queue_full"
		f.DayEmpty = f.DayEmpty || api.Status == 429 && delay.Never
		if f.Throttled && delay.Source != "" && !delay.Never {
			f.NotBefore = time.Now().Add(delay.After)
		}
	}
	c.turn.Report(f)
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
