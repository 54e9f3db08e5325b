package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/llmcall/llmcall/pkg/batch"
	"github.com/llmcall/llmcall/pkg/output"
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
	if errors.Is(err, batch.ErrNotUTF8) {
		return usageError{msg: "--batch: " + s.batchName() + ": " + err.Error()}
	}
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

// batchName is what the input of a batch is called in an error.
func (s *session) batchName() string {
	if s.o.batch == "-" {
		return "stdin"
	}
	return s.o.batch
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

// dryRun prints the body of each item.
func (b *lines) dryRun(in batch.Input) error {
	for item, err := range in.Items() {
		if err != nil {
			return usageError{msg: "--batch: " + b.s.batchName() + ": " + err.Error()}
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
			return usageError{msg: fmt.Sprintf("--batch: %s: line %d: %v", b.s.batchName(), item.Line, err)}
		}
		if err := write(b.s.std.out, unbroken(body.Body)+"\n"); err != nil {
			return err
		}
	}
	return nil
}
