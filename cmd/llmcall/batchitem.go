package main

import (
	"bytes"
	"context"
	"errors"
	"io"
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
