package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/llmcall/llmcall/pkg/batch"
	"github.com/llmcall/llmcall/pkg/output"
	"github.com/llmcall/llmcall/pkg/providers"
	"github.com/llmcall/llmcall/pkg/request"
)

// call is one request, its attempts, and what became of it.
type call struct {
	s      *session
	body   []byte
	stream bool // the body asks for one
	form   output.Options
	w      *output.Writer // of the last attempt
	turn   *batch.Turn    // of a batch's item: its permission to send
	facts  facts
}

// facts is what is known of a call beside its text, for --meta and errors.
type facts struct {
	start                                 time.Time
	model                                 string
	status                                int
	requestID                             string
	limits                                providers.Limits
	connect, firstByte, firstToken, total time.Duration
	attempts                              int
	result                                output.Result
	retry                                 *providers.Delay
}

// newCall makes the call of a body, whose reply is written as form says.
func (s *session) newCall(body request.Result, form output.Options) *call {
	form.Choices = body.Choices
	form.NoDone, form.NoFinishReason, form.ReasoningInput = s.row.NoDone, s.row.NoFinishReason, s.row.ReasoningInput
	return &call{s: s, body: body.Body, stream: body.Stream, form: form, facts: facts{model: body.Model}}
}

// do makes attempts until one succeeds, or fails in a way that another would not mend, or has written something.
func (c *call) do(ctx context.Context) error {
	if c.facts.start.IsZero() {
		c.facts.start = time.Now()
	}
	defer func() { c.facts.total = time.Since(c.facts.start) }()
	for n := 0; ; n++ {
		err := c.attempt(ctx)
		c.facts.result = c.w.Result()
		var delay providers.Delay
		if err != nil {
			delay = providers.Wait(&c.s.row.Provider, n, err, time.Now(), rand.Float64)
		}
		if c.turn != nil {
			c.report(err, &delay)
		}
		if err == nil || ctx.Err() != nil || c.w.Written() || !c.retryable(err) {
			return err
		}
		if delay.Never || delay.After > c.s.o.retryMaxWait.Duration {
			c.facts.retry = &delay
			return err
		}
		if n >= c.s.o.retries {
			return err
		}
		if e := c.pause(ctx, n+1, delay); e != nil {
			return e
		}
	}
}

// pause waits before another attempt. An item of a batch gives its turn up meanwhile; when the batch ends it keeps the
// error of its last attempt.
func (c *call) pause(ctx context.Context, n int, delay providers.Delay) error {
	line := fmt.Sprintf("%s; trying again in %s (%d of %d)", delay.Why, round(delay.After), n, c.s.o.retries)
	if c.turn != nil {
		c.s.say.detail(line)
		return c.turn.Again(ctx, delay.After)
	}
	c.s.say.notice(line)
	return sleep(ctx, delay.After)
}

func (c *call) retryable(err error) bool {
	return errors.Is(err, output.ErrIncomplete) || providers.Retryable(&c.s.row.Provider, err)
}

// attempt sends the request once and writes what comes.
func (c *call) attempt(ctx context.Context) error {
	w, err := output.New(c.form)
	if err != nil {
		return usageError{msg: err.Error()}
	}
	c.w = w
	f := &c.facts
	f.attempts++
	// What is told of a call is told of its last attempt.
	f.status, f.requestID, f.limits = 0, "", providers.Limits{}
	f.connect, f.firstByte, f.firstToken = 0, 0, 0
	sent := time.Now()
	resp, err := c.s.client.Do(ctx, c.body, c.stream)
	if err != nil {
		c.failed(err)
		return err
	}
	defer resp.Close()
	f.status, f.requestID = resp.Status, resp.RequestID
	f.limits = providers.ParseLimits(resp.Header, time.Now())
	f.connect, f.firstByte = resp.Timings.Connect, resp.Timings.FirstByte
	put := w.Body
	if resp.Stream {
		put = w.Chunk
	}
	for doc, err := range resp.Documents(w.Flush) {
		if err == nil {
			err = put(doc)
		}
		if f.firstToken == 0 && w.Started() {
			f.firstToken = time.Since(sent)
		}
		if err != nil {
			c.failed(err)
			return errors.Join(err, w.Abort())
		}
	}
	return w.Close(resp.Done)
}

// failed keeps what an error reply tells of itself.
func (c *call) failed(err error) {
	var api *providers.APIError
	if errors.As(err, &api) {
		c.facts.status, c.facts.requestID = api.Status, api.RequestID
		c.facts.limits = providers.ParseLimits(api.Header, time.Now())
	}
}

// sleep waits, unless the context ends first; then it gives the cause.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// round makes a time short enough to read.
func round(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(10 * time.Millisecond)
}
