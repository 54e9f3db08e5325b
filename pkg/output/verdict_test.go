package output

import (
	"errors"
	"strings"
	"testing"
)

func TestWhole(t *testing.T) {
	text, stop := say(`{"content":"x"}`, ""), say(`{}`, "stop")
	for _, test := range []struct {
		name   string
		o      Options
		docs   [][]byte
		done   bool
		fault  string // "" whole
		format bool   // a *FormatError, else ErrIncomplete
	}{
		{name: "finish and done", docs: docs(text, stop), done: true},
		{name: "finish and a clean end", docs: docs(text, stop)},
		{name: "finish on the text", docs: docs(say(`{"content":"x"}`, "stop"))},
		{name: "early finish", docs: docs(say(`{"reasoning":"x"}`, "stop"), text)},
		{name: "unknown finish", docs: docs(text, say(`{}`, "eos")), done: true},
		{name: "nothing", fault: "the stream had no data"},
		{name: "only done", done: true, fault: "the stream had no data"},
		{name: "only usage", docs: docs(`{"choices":[],"usage":{"total_tokens":1}}`), done: true, fault: "the stream ended before a choice began"},
		{name: "no finish", docs: docs(text), fault: "the stream ended without a finish reason"},
		{name: "done without finish", docs: docs(text), done: true, fault: "the stream ended without a finish reason"},
		{name: "empty finish", docs: docs(`{"choices":[{"delta":{"content":"x"},"finish_reason":""}]}`), done: true, fault: "the stream ended without a finish reason"},
		{name: "one choice without finish", docs: docs(text, sayAt(1, `{"content":"y"}`, ""), stop), done: true, fault: "the stream ended before choice 1 had a finish reason"},
		{name: "a dropped choice counts", docs: docs(text, stop, sayAt(4, `{}`, "")), done: true, fault: "the stream ended before choice 4 had a finish reason"},
		{name: "row without finish, done", o: Options{NoFinishReason: true}, docs: docs(text), done: true},
		{name: "row without finish, not done", o: Options{NoFinishReason: true}, docs: docs(text), fault: "the stream ended without [DONE]"},
		{name: "row without both", o: Options{NoFinishReason: true, NoDone: true}, docs: docs(text)},
		{name: "row without both, no choice", o: Options{NoFinishReason: true, NoDone: true}, fault: "the stream had no data"},
		{name: "error", docs: docs(text, say(`{}`, "error")), done: true, fault: `the server gave up: finish reason "error"`, format: true},
		{name: "error that is not the last word", docs: docs(say(`{}`, "error"), text, stop), done: true},
		{name: "not whole before error", docs: docs(say(`{}`, "error"), sayAt(1, `{}`, "")), done: true, fault: "the stream ended before choice 1 had a finish reason"},
	} {
		for _, format := range []string{Content, JSON, NDJSON, Message, ToolCalls, Reasoning} {
			test.o.Format = format
			got := play(t, test.o, test.docs, false, test.done, false).fault
			var malformed *FormatError
			switch {
			case test.fault == "" && got != nil, test.fault != "" && (got == nil || got.Error() != test.fault):
				t.Errorf("%s, %s: %v, want %q", test.name, format, got, test.fault)
			case got != nil && (errors.As(got, &malformed) != test.format || errors.Is(got, ErrIncomplete) == test.format):
				t.Errorf("%s, %s: %T", test.name, format, got)
			}
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, test := range []struct{ name, doc, chunk, body string }{
		{"cut", `{"choices":[{"delta":{"content":"x"`, "a chunk of the stream is not JSON", "the reply is not JSON"},
		{"not closed", `{"choices":[{"delta":{"content":"x"}}]`, "a chunk of the stream is not JSON", "the reply is not JSON"},
		{"more behind it", `{"choices":[{"delta":{"content":"x"}}]} {}`, "a chunk of the stream is not JSON", "the reply is not JSON"},
		{"text", `upstream died`, "a chunk of the stream is not", "the reply is not"},
		{"empty", ``, "a chunk of the stream is not", "the reply is not"},
		{"array", `[{"choices":[]}]`, "a chunk of the stream is not a JSON object", "the reply is not a JSON object"},
		{"string", `"choices"`, "a chunk of the stream is not a JSON object", "the reply is not a JSON object"},
		{"no choices", `{"id":"x"}`, "", "the reply has no choices"},
		{"null choices", `{"choices":null}`, "", "the reply has no choices"},
		{"empty choices", `{"choices":[]}`, "", "the reply has no choices"},
		{"null choice", `{"choices":[null]}`, "", "the reply has no choices"},
	} {
		for _, format := range []string{Content, JSON, NDJSON, Message, ToolCalls, Reasoning} {
			for _, body := range []bool{false, true} {
				want := test.chunk
				if body {
					want = test.body
				}
				if want == "" {
					continue
				}
				got := play(t, Options{Format: format, Live: true}, docs(test.doc), body, true, false)
				var malformed *FormatError
				if !errors.As(got.fault, &malformed) || !strings.HasPrefix(malformed.Error(), want) {
					t.Errorf("%s, %s: %v, want %q", test.name, format, got.fault, want)
				}
				if got.out != "" {
					t.Errorf("%s, %s: %q was written", test.name, format, got.out)
				}
			}
		}
	}
}

func TestCut(t *testing.T) {
	for _, test := range []struct {
		name      string
		o         Options
		docs      [][]byte
		reason    string // "" not cut
		noContent bool
		out       string
	}{
		{name: "length", docs: docs(say(`{"content":"x"}`, "length")), reason: "length", out: "x\n"},
		{name: "max_tokens", docs: docs(say(`{"content":"x"}`, "max_tokens")), reason: "max_tokens", out: "x\n"},
		{name: "content_filter", docs: docs(say(`{"content":"x"}`, "content_filter")), reason: "content_filter", out: "x\n"},
		{name: "safety in capitals", docs: docs(say(`{"content":"x"}`, "SAFETY")), reason: "SAFETY", out: "x\n"},
		{name: "recitation", docs: docs(say(`{"content":"x"}`, "recitation")), reason: "recitation", out: "x\n"},
		{name: "no content", docs: docs(say(`{"content":"","reasoning":"x"}`, "length")), reason: "length", noContent: true},
		{name: "calls alone", docs: docs(say(`{"tool_calls":[{"id":"a","function":{"name":"f"}}]}`, "length")), reason: "length", out: `{"id":"a","name":"f","arguments":{}}` + "\n"},
		{name: "not the last word", docs: docs(say(`{"content":"x"}`, "length"), say(`{}`, "stop")), out: "x\n"},
		{name: "other choice", docs: docs(say(`{"content":"x"}`, "stop"), sayAt(1, `{"content":"y"}`, "length")), reason: "length", out: "x\n"},
		{name: "think never closes", o: Options{StripThink: true}, docs: docs(say(`{"content":"<think>x"}`, "stop")), reason: UnclosedThink, noContent: true},
		{name: "length inside think", o: Options{StripThink: true}, docs: docs(say(`{"content":"<think>x"}`, "length")), reason: "length", noContent: true},
		{name: "with a block", o: Options{Extract: true}, docs: docs(say("{\"content\":\"```\\nx\"}", "length")), reason: "length", out: "x\n"},
	} {
		for _, live := range []bool{false, true} {
			test.o.Live = live
			got := play(t, test.o, test.docs, false, true, live)
			var cut *CutError
			if errors.As(got.fault, &cut); (cut == nil) != (test.reason == "") || cut == nil && got.fault != nil {
				t.Errorf("%s: %v", test.name, got.fault)
			} else if cut != nil && (cut.Reason != test.reason || cut.NoContent != test.noContent || cut.Err != nil) {
				t.Errorf("%s: %+v", test.name, cut)
			}
			if got.out != test.out {
				t.Errorf("%s: %q, want %q", test.name, got.out, test.out)
			}
		}
	}
}

// A cut reply of which a query finds nothing has both faults, the cut first.
func TestCutAndMore(t *testing.T) {
	got := play(t, Options{Format: JSON, Query: "nothing"}, docs(say(`{"content":"x"}`, "length")), false, true, false)
	var cut *CutError
	if !errors.As(got.fault, &cut) || !errors.Is(got.fault, ErrQueryNotFound) {
		t.Errorf("query: %v", got.fault)
	}
	got = play(t, Options{Extract: true}, docs(say(`{"content":"no block"}`, "length")), false, true, false)
	if !errors.As(got.fault, &cut) || cut.Err != ErrNoFence || got.out != "" || got.err != "no block\n" {
		t.Errorf("extract: %v, %q, %q", got.fault, got.out, got.err)
	}
}
