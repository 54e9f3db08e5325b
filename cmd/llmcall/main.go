// Command llmcall sends one chat completion request, built from flags, stdin and JSON files, and writes the reply to stdout.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"github.com/mattn/go-isatty"
)

func main() {
	os.Exit(run(context.Background(), stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv}, os.Args[1:]))
}

// stdio is the world that a run can see.
type stdio struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
}

// isTerminal tells whether x, a reader or writer of stdio, is a terminal. What is no file is none.
func isTerminal(x any) bool {
	f, ok := x.(interface{ Fd() uintptr })
	return ok && isatty.IsTerminal(f.Fd())
}

// run does what the command line says and gives the exit code.
func run(ctx context.Context, std stdio, args []string) int {
	o, err := parse(args)
	if err != nil {
		return (&reporter{err: std.err, json: wantsJSONErrors(args)}).fail(err)
	}
	say := &reporter{err: std.err, quiet: o.quiet, verbose: o.verbose, json: o.errorFormat == "json"}
	ctx, stop := withSignals(ctx)
	defer stop()
	if err := dispatch(ctx, std, o, say); err != nil {
		return say.fail(err)
	}
	return 0
}

// wantsJSONErrors looks for --error-format json on a command line that could not be read.
func wantsJSONErrors(args []string) bool {
	for i, a := range args {
		if a == "--error-format=json" || a == "--error-format" && i+1 < len(args) && args[i+1] == "json" {
			return true
		}
	}
	return false
}

// dispatch chooses the mode.
func dispatch(ctx context.Context, std stdio, o *options, say *reporter) error {
	switch {
	case o.help:
		return write(std.out, help())
	case o.version:
		return write(std.out, versionText())
	case o.completion != "":
		return write(std.out, completion(o.completion))
	}
	if err := o.check(); err != nil {
		return err
	}
	s, err := newSession(ctx, std, o, say)
	if err != nil {
		return err
	}
	switch {
	case o.providers:
		return s.listProviders()
	case o.models:
		return s.listModels(ctx)
	case o.batch != "":
		return s.runBatch(ctx)
	}
	return s.runCall(ctx)
}

// signalError is the signal that ended the run.
type signalError struct{ os.Signal }

func (e signalError) Error() string { return "stopped by " + e.Signal.String() }

// withSignals gives a context that SIGINT and SIGTERM cancel, with a signalError as the cause; the second such signal ends
// the process at once. SIGPIPE is caught so that a closed reader is an error like any other, seen at the write.
func withSignals(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	go func() {
		n := 0
		for s := range c {
			if s == syscall.SIGPIPE {
				continue
			}
			if n++; n > 1 {
				os.Exit(exitCode(signalError{s}))
			}
			cancel(signalError{s})
		}
	}()
	return ctx, func() {
		signal.Stop(c)
		close(c)
		cancel(nil)
	}
}

// write writes a text that is the whole result.
func write(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	if err != nil {
		return writeError{err}
	}
	return nil
}

// writeError is a failure to write the result.
type writeError struct{ err error }

func (e writeError) Error() string {
	var p *fs.PathError
	if errors.As(e.err, &p) {
		return fmt.Sprintf("cannot write %s: %v", p.Path, p.Err)
	}
	return fmt.Sprintf("cannot write the result: %v", e.err)
}
func (e writeError) Unwrap() error { return e.err }

// isClosedReader tells whether a write failed since nobody reads any more.
func isClosedReader(err error) bool { return errors.Is(err, syscall.EPIPE) }
