package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// docs makes documents of lines.
func docs(lines ...string) [][]byte {
	var d [][]byte
	for _, line := range lines {
		d = append(d, []byte(line))
	}
	return d
}

// say is a chunk with a delta, and a finish reason unless it is empty.
func say(delta, finish string) string { return sayAt(0, delta, finish) }

func sayAt(index int, delta, finish string) string {
	reason := "null"
	if finish != "" {
		reason = `"` + finish + `"`
	}
	return fmt.Sprintf(`{"choices":[{"index":%d,"delta":%s,"finish_reason":%s}]}`, index, delta, reason)
}

func TestNewRefuses(t *testing.T) {
	for name, o := range map[string]Options{
		"format":                       {Format: "yaml"},
		"reasoning":                    {Reasoning: "loud"},
		"reasoning on stdout and json": {Format: JSON, Reasoning: ReasoningStdout},
		"query and content":            {Query: "id"},
		"query and tool-calls":         {Format: ToolCalls, Query: "id"},
		"query and reasoning":          {Format: Reasoning, Query: "id"},
		"extract and message":          {Format: Message, Extract: true},
		"extract and reasoning":        {Extract: true, Reasoning: ReasoningStdout},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, format := range []string{JSON, NDJSON, Message} {
		if _, err := New(Options{Format: format, Query: "id", Reasoning: ReasoningHide}); err != nil {
			t.Errorf("query and %s: %v", format, err)
		}
	}
}

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

func TestEnds(t *testing.T) {
	one := docs(say(`{"content":"x","reasoning":"r"}`, "stop"))
	ended := docs(say(`{"content":"x\n","reasoning":"r\n"}`, "stop"))
	none := docs(say(`{"content":""}`, "stop"))
	two := docs(sayAt(1, `{"content":"y"}`, "stop"), sayAt(0, `{"content":"x"}`, "stop"))
	calls := docs(say(`{"tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}}]}`, "stop"))
	for _, test := range []struct {
		name string
		o    Options
		docs [][]byte
		want string
	}{
		{"content", Options{}, one, "x\n"},
		{"content that has one", Options{}, ended, "x\n"},
		{"nothing", Options{}, none, ""},
		{"no newline", Options{NoNewline: true}, one, "x"},
		{"null", Options{Null: true}, one, "x\x00"},
		{"null after a line end", Options{Null: true}, ended, "x\n\x00"},
		{"null after nothing", Options{Null: true}, none, "\x00"},
		{"two", Options{Choices: 2}, two, "x\ny\n"},
		{"two, null", Options{Choices: 2, Null: true}, two, "x\x00y\x00"},
		{"two, no newline", Options{Choices: 2, NoNewline: true}, two, "xy"},
		{"one of two", Options{}, two, "x\n"},
		{"reasoning", Options{Format: Reasoning}, one, "r\n"},
		{"reasoning that has one", Options{Format: Reasoning}, ended, "r\n"},
		{"reasoning, no newline", Options{Format: Reasoning, NoNewline: true}, one, "r"},
		{"message, null", Options{Format: Message, Null: true, Choices: 2}, two, `{"role":"assistant","content":"x"}` + "\x00" + `{"role":"assistant","content":"y"}` + "\x00"},
		{"calls", Options{}, calls, `{"id":"a","name":"f","arguments":{}}` + "\n" + `{"id":"b","name":"g","arguments":{}}` + "\n"},
		{"calls, null", Options{Null: true}, calls, `{"id":"a","name":"f","arguments":{}}` + "\x00" + `{"id":"b","name":"g","arguments":{}}` + "\x00"},
		{"query, null", Options{Format: NDJSON, Query: "choices.0.index", Null: true, Live: true}, two, "1\x000\x00"},
		{"query, no newline", Options{Format: NDJSON, Query: "choices.0.delta.content", NoNewline: true, Live: true}, two, "yx"},
	} {
		got := play(t, test.o, test.docs, false, true, false)
		if got.fault != nil || got.out != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, got.out, got.fault, test.want)
		}
	}
}

func TestBodyIsUntouched(t *testing.T) {
	for _, test := range []struct {
		name, body string
		o          Options
		want       string
	}{
		{"a line end is added", `{"choices":[{"message":{"content":"<b>&\u0041"},"x":1.50e3}]}`, Options{}, `{"choices":[{"message":{"content":"<b>&\u0041"},"x":1.50e3}]}` + "\n"},
		{"or not", "{\r\n \"choices\": [{}]}\n", Options{}, "{\r\n \"choices\": [{}]}\n"},
		{"none at all", `{"choices":[{}]}`, Options{NoNewline: true}, `{"choices":[{}]}`},
	} {
		test.o.Format = JSON
		if got := play(t, test.o, docs(test.body), true, false, false); got.out != test.want || got.fault != nil {
			t.Errorf("%s: %q, %v", test.name, got.out, got.fault)
		}
	}
	got := play(t, Options{Format: NDJSON, Live: true}, docs("{\r\n \"choices\": [{}]}\n"), true, false, false)
	if want := "{   \"choices\": [{}]} \n"; got.out != want {
		t.Errorf("ndjson: %q, want %q", got.out, want)
	}
}

// What a caller sees between chunks: nothing before Flush, all that came after it, and nothing at all if not live.
func TestFlush(t *testing.T) {
	for _, test := range []struct {
		o    Options
		want string
	}{
		{Options{Live: true}, "one "},
		{Options{Live: true, Format: Reasoning}, "why "},
		{Options{Live: true, Format: NDJSON}, say(`{"content":"one ","reasoning":"why "}`, "") + "\n"},
		{Options{Live: true, Format: Message}, ""},
		{Options{Live: true, Format: JSON}, ""},
		{Options{Live: true, Extract: true}, ""},
		{Options{}, ""},
	} {
		var out bytes.Buffer
		test.o.Out = &out
		w, err := New(test.o)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Chunk([]byte(say(`{"role":"assistant","content":""}`, ""))); err != nil || w.Started() {
			t.Errorf("%s: a role is no token: %v", test.o.Format, err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if w.Written() && test.o.Format != NDJSON {
			t.Errorf("%s: written before text came", test.o.Format)
		}
		out.Reset()
		if err := w.Chunk([]byte(say(`{"content":"one ","reasoning":"why "}`, ""))); err != nil || !w.Started() {
			t.Errorf("%s: not started: %v", test.o.Format, err)
		}
		if out.Len() > 0 {
			t.Errorf("%s: %q before Flush", test.o.Format, out.String())
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if out.String() != test.want {
			t.Errorf("%s: %q after Flush, want %q", test.o.Format, out.String(), test.want)
		}
		if err := w.Abort(); err != nil || out.String() != test.want {
			t.Errorf("%s: %q after Abort: %v", test.o.Format, out.String(), err)
		}
	}
}

// The output of a stream that never waits is written in pieces, so that memory does not grow with it.
func TestMemoryIsBounded(t *testing.T) {
	for _, format := range []string{Content, NDJSON, Reasoning} {
		var most int
		w, err := New(Options{Format: format, Live: true, Out: writerFunc(func(p []byte) (int, error) {
			most = max(most, cap(p))
			return len(p), nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20000 {
			doc := fmt.Appendf(nil, `{"choices":[{"delta":{"content":"%040d","reasoning":"%040d"}}]}`, i, i)
			if err := w.Chunk(doc); err != nil {
				t.Fatal(err)
			}
		}
		if most == 0 || most > 4*flushSize {
			t.Errorf("%s: writes from a buffer of %d bytes", format, most)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestWriteError(t *testing.T) {
	full := errors.New("disk full")
	for _, test := range []struct {
		name string
		n    int // bytes that are taken
		step func(w *Writer) error
	}{
		{"flush", 0, func(w *Writer) error { return w.Flush() }},
		{"half a flush", 1, func(w *Writer) error { return w.Flush() }},
		{"close", 0, func(w *Writer) error { return w.Close(true) }},
		{"abort", 0, func(w *Writer) error { return w.Abort() }},
	} {
		w, err := New(Options{Live: true, Out: writerFunc(func([]byte) (int, error) { return test.n, full })})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Chunk([]byte(say(`{"content":"text"}`, "stop"))); err != nil {
			t.Fatal(err)
		}
		err = test.step(w)
		var failed *WriteError
		if !errors.As(err, &failed) || !errors.Is(err, full) {
			t.Errorf("%s: %v", test.name, err)
		}
		if w.Written() != (test.n > 0) {
			t.Errorf("%s: Written is %v", test.name, w.Written())
		}
		for _, again := range []error{w.Chunk([]byte(`{}`)), w.Body([]byte(`{}`)), w.Flush(), w.Close(true), w.Abort()} {
			if again != err {
				t.Errorf("%s: %v afterwards", test.name, again)
			}
		}
	}
}

// The paths of content, ndjson and reasoning allocate nothing per chunk, be the chunks alike or not.
func TestAllocations(t *testing.T) {
	for _, format := range []string{Content, NDJSON, Reasoning} {
		for name, docs := range map[string][][]byte{"alike": chunks(1000, "content"), "varied": varied(1000), "reasoning": chunks(1000, "reasoning")} {
			w, err := New(Options{Format: format, Live: true, Out: io.Discard})
			if err != nil {
				t.Fatal(err)
			}
			i := 0
			chunk := func() {
				if err := w.Chunk(docs[i%len(docs)]); err != nil {
					t.Fatal(err)
				}
				i++
			}
			for range 3000 {
				chunk()
			}
			if n := testing.AllocsPerRun(2000, chunk); n != 0 {
				t.Errorf("%s of %s chunks: %v allocations each", format, name, n)
			}
		}
	}
}
