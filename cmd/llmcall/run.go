package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/llmcall/llmcall/pkg/output"
	"github.com/llmcall/llmcall/pkg/request"
)

// runCall does what llmcall is for: one request, one reply.
func (s *session) runCall(ctx context.Context) error {
	c := &call{s: s, facts: facts{model: first(s.model, s.defaultModel)}}
	return s.account(ctx, c, s.send(ctx, c))
}

// send makes the request of c and does what the flags want done with it.
func (s *session) send(ctx context.Context, c *call) error {
	body, err := s.body()
	if errors.Is(err, request.ErrNoInput) {
		return s.noInput(err)
	}
	if err != nil {
		return err
	}
	if err := s.checkRules(body.Body); err != nil {
		return err
	}
	if s.o.dryRun {
		return write(s.std.out, string(body.Body)+"\n")
	}
	if s.o.curl {
		return s.printCurl(body)
	}
	if err := s.checkMeta(); err != nil {
		return err
	}
	check, err := s.checker(body.Body)
	if err != nil {
		return err
	}
	ctx, cancel := s.limit(ctx)
	defer cancel()
	s.in.ctx = ctx // a key command takes of the same time
	if err := s.connect(); err != nil {
		return err
	}
	to, err := newDelivery(s.std.out, s.o.outputFile, check != nil && s.o.validateRetries > 0)
	if err != nil {
		return err
	}
	form := s.form(body.Stream)
	if _, err := output.New(form); err != nil {
		return usageError{msg: err.Error()}
	}
	form.Out, form.KeepText = to.out, check != nil
	form.Live = form.Live && !to.holds()
	*c = *s.newCall(body, form)
	err = to.finish(c.doChecked(ctx, check, to))
	if e := s.end(); err == nil && e != nil {
		err = writeError{e}
	}
	return err
}

// limit gives a context that ends when --timeout is over; 0 is no limit.
func (s *session) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.o.timeout.Duration == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, s.o.timeout.Duration, callTimeout{s.o.timeout.text})
}

// checkMeta sees before anything is sent that the file of --meta can be made.
func (s *session) checkMeta() error {
	if s.o.meta == "" {
		return nil
	}
	_, err := writable("--meta", s.o.meta)
	return err
}

// noInput tells a user at a terminal how llmcall is used, and a script what it lacks.
func (s *session) noInput(err error) error {
	if isTerminal(s.std.in) && !s.o.quiet {
		return usageError{msg: err.Error(), hint: shortUsage}
	}
	return usageError{msg: err.Error(), hint: "give a PROMPT, --file, --messages or text on stdin"}
}

// form is how the reply is written, as the flags say and whether the request asks for a stream.
func (s *session) form(stream bool) output.Options {
	o := s.o
	terminal, errTerminal := isTerminal(s.std.out), isTerminal(s.std.err)
	color := s.std.getenv("NO_COLOR") == ""
	return output.Options{
		Format: o.output, Live: stream && !o.extract || o.output == output.NDJSON,
		NoNewline: o.noNewline, Null: o.null, Reasoning: o.reasoning, Query: o.query, StripThink: o.stripThink, Extract: o.extract,
		DimStdout: terminal && color && o.reasoning == output.ReasoningStdout, DimStderr: errTerminal && color,
		Err: s.std.err, Warn: s.say.warn,
	}
}

// account does what comes after the call, however it ended: warnings, --usage, --meta.
func (s *session) account(ctx context.Context, c *call, err error) error {
	if s.o.usage && err == nil || s.o.usage && len(c.facts.result.Usage) > 0 {
		s.say.line(usageLine(c.facts.result.Usage))
	}
	if err != nil {
		if code := exitCode(err); code == exitNoHost || code == exitNoConnect || code == exitTLS || code == exitTruncated {
			err = networkError{s.row.Name, err}
		}
		f := &failure{
			err: err, provider: s.row.Name, status: c.facts.status, requestID: first(c.facts.requestID, c.facts.result.ID),
			attempts: c.facts.attempts, retry: c.facts.retry,
		}
		f.retryable = c.retryable(err) && (c.facts.retry == nil || !c.facts.retry.Never)
		if !s.say.quiet || s.say.json {
			f.hint = c.hint(ctx, err)
		}
		err = f
	}
	if s.o.meta != "" {
		if e := writeAside(s.o.meta, c.meta(exitCode(err), err, s.say.safeWarnings())); e != nil && err == nil {
			err = fmt.Errorf("--meta: %w", e)
		}
	}
	return err
}
