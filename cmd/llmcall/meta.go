package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/llmcall/llmcall/pkg/object"
	"github.com/llmcall/llmcall/pkg/providers"
)

// meta is the object of --meta: what is known of the call beside its text. What is absent is null.
func (c *call) meta(code int, err error, warnings []string) []byte {
	f := &c.facts
	m := member{}
	m.text("provider", c.s.row.Name)
	m.text("model", f.model)
	m.text("response_model", c.s.say.safe(f.result.Model))
	m.number("status", int64(f.status), f.status != 0)
	m.raw("exit_code", strconv.Itoa(code))
	m.text("request_id", c.s.say.safe(first(f.requestID, f.result.ID)))
	m.text("finish_reason", c.s.say.safe(f.result.FinishReason))
	usage := c.s.say.safe(string(f.result.Usage))
	if object.Valid([]byte(usage)) != nil {
		usage = "" // a secret stood where it was no string
	}
	m.raw("usage", usage)
	limits := member{}
	limits.raw("requests", window(f.limits.Requests))
	limits.raw("requests_day", window(f.limits.RequestsDay))
	m.raw("rate_limits", string(limits.object()))
	times := member{}
	times.raw("connect", milliseconds(f.connect))
	times.raw("first_byte", milliseconds(f.firstByte))
	times.raw("first_token", milliseconds(f.firstToken))
	times.raw("total", milliseconds(f.total))
	m.raw("timings_ms", string(times.object()))
	m.raw("attempts", strconv.Itoa(f.attempts))
	m.texts("warnings", warnings)
	message := ""
	if err != nil {
		message = c.s.say.safe(oneLine(err.Error()))
	}
	m.text("error", message)
	return m.line()
}

func window(w providers.Window) string {
	m := member{}
	for _, n := range []struct {
		name  string
		value *int64
	}{{"limit", w.Limit}, {"remaining", w.Remaining}} {
		if n.value == nil {
			m.raw(n.name, "null")
		} else {
			m.raw(n.name, strconv.FormatInt(*n.value, 10))
		}
	}
	if w.Reset.IsZero() {
		m.raw("reset", "null")
	} else {
		m.text("reset", w.Reset.UTC().Format(time.RFC3339))
	}
	return string(m.object())
}

// milliseconds is a time as a JSON number with a digit below the millisecond; zero is a time that was not measured.
func milliseconds(d time.Duration) string {
	if d == 0 {
		return "null"
	}
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 1, 64)
}

// usageLine is the line of --usage.
func usageLine(usage []byte) string {
	if len(usage) == 0 {
		return "usage: unknown, the provider sent none"
	}
	u := gjson.ParseBytes(usage)
	var parts []string
	for _, p := range []struct{ path, text string }{
		{"prompt_tokens", "%s prompt"}, {"completion_tokens", "%s completion"},
		{"completion_tokens_details.reasoning_tokens", "%s of it reasoning"}, {"total_tokens", "%s total"},
	} {
		if v := u.Get(p.path); v.Exists() && v.Type == gjson.Number {
			parts = append(parts, fmt.Sprintf(p.text, v.Raw))
		}
	}
	if len(parts) == 0 {
		return "usage: " + oneLine(string(usage))
	}
	return "usage: " + strings.Join(parts, ", ") + " tokens"
}

// addUsage adds the numbers of two usage objects, member by member, for a result that took more than one call. Integers
// stay exact.
func addUsage(a, b []byte) []byte {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	return []byte(addJSON(gjson.ParseBytes(a), gjson.ParseBytes(b)))
}

func addJSON(a, b gjson.Result) string {
	switch {
	case a.IsObject() && b.IsObject():
		m := member{}
		b.ForEach(func(name, value gjson.Result) bool {
			if old := a.Get(gjson.Escape(name.String())); old.Exists() {
				m.raw(name.String(), addJSON(old, value))
			} else {
				m.raw(name.String(), value.Raw)
			}
			return true
		})
		return string(m.object())
	case a.Type == gjson.Number && b.Type == gjson.Number:
		x, ex := strconv.ParseInt(a.Raw, 10, 64)
		y, ey := strconv.ParseInt(b.Raw, 10, 64)
		if ex == nil && ey == nil {
			return strconv.FormatInt(x+y, 10)
		}
		return strconv.FormatFloat(a.Num+b.Num, 'g', -1, 64)
	}
	return b.Raw
}
