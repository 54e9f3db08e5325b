package output

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/llmcall/llmcall/pkg/object"
)

// fuzzOptions makes options of a number, so that the fuzzer finds its way to all of them.
func fuzzOptions(n uint32) Options {
	formats := []string{Content, JSON, NDJSON, Message, ToolCalls, Reasoning}
	o := Options{Format: formats[n%6], Choices: int(n >> 3 & 3), NoNewline: n>>5&1 == 1, Null: n>>6&1 == 1, StripThink: n>>7&1 == 1, KeepText: n>>8&1 == 1}
	if n>>9&1 == 1 {
		o.ReasoningInput = "reasoning"
	}
	switch n >> 10 & 3 {
	case 1:
		o.Reasoning = ReasoningStderr
	case 2:
		if o.Format == Content {
			o.Reasoning = ReasoningStdout
		}
	case 3:
		o.Extract = o.Format == Content
	}
	o.NoFinishReason, o.NoDone = n>>12&1 == 1, n>>13&1 == 1
	return o
}

// spaced puts white space before each document, other than before the last, so that no chunk repeats the one before it to the
// byte and each is walked in full.
func spaced(docs [][]byte) [][]byte {
	d := make([][]byte, len(docs))
	for i, doc := range docs {
		d[i] = append(bytes.Repeat([]byte{' '}, 1+i%2), doc...)
	}
	return d
}

// FuzzWriter feeds documents, a line each, to a writer. However they come, the same must come out: flushed after each or at the
// end, live or not, with or without the short way for chunks that are alike; and what claims to be JSON must be.
func FuzzWriter(f *testing.F) {
	for n, name := range []string{"infercom", "exascale", "infercom-tools", "tools-odd", "parts", "surrogates", "inline-think", "two-choices", "logprobs", "odd-chunks", "usage-in-each-chunk"} {
		wire, err := os.ReadFile(filepath.Join(golden, name, "wire.sse"))
		if err != nil {
			f.Fatal(err)
		}
		docs, done := events(wire)
		for format := range uint32(6) {
			f.Add(bytes.Join(docs, []byte("\n")), format+uint32(n)*64*6, false, done)
		}
	}
	f.Add([]byte(`{"choices":[{"message":{"content":"a","tool_calls":[{"id":"b","function":{"name":"c","arguments":"{}"}}]},"finish_reason":"stop"}]}`), uint32(4), true, false)
	f.Fuzz(func(t *testing.T, input []byte, n uint32, body, done bool) {
		docs := bytes.Split(input, []byte("\n"))
		if body {
			docs = docs[:1]
		}
		o := fuzzOptions(n)
		late := play(t, o, docs, body, done, true)
		o.Live = true
		once := play(t, o, docs, body, done, false)
		often := play(t, o, docs, body, done, true)
		if often.out != once.out || often.err != once.err || !sameFault(often.fault, once.fault) {
			t.Fatalf("flushed after each: %q, %q, %v\nat the end: %q, %q, %v", often.out, often.err, often.fault, once.out, once.err, once.fault)
		}
		if !sameFault(late.fault, once.fault) {
			t.Fatalf("live: %v, not live: %v", once.fault, late.fault)
		}
		switch printed(once.fault) {
		case true:
			if late.out != once.out || late.err != once.err {
				t.Fatalf("live: %q, %q\nnot live: %q, %q", once.out, once.err, late.out, late.err)
			}
		case false:
			if late.out != "" {
				t.Fatalf("failed with %v and printed %q", late.fault, late.out)
			}
		}
		slow := play(t, o, spaced(docs), body, done, true)
		if slow.result.Text != once.result.Text || slow.err != once.err || !sameFault(unplaced(slow.fault), unplaced(once.fault)) {
			t.Fatalf("walked in full: %q, %q, %v\nelse %q, %q, %v", slow.result.Text, slow.err, slow.fault, once.result.Text, once.err, once.fault)
		}
		if verbatim := o.Format == NDJSON || o.Format == JSON && body; !verbatim && slow.out != once.out {
			t.Fatalf("walked in full: %q\nelse %q", slow.out, once.out)
		}
		checkLines(t, o, once)
		for _, r := range once.err {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
				t.Fatalf("control character on stderr: %q", once.err)
			}
		}
	})
}

// checkLines checks that each record of a format made of JSON is JSON.
func checkLines(t *testing.T, o Options, got played) {
	if o.Format == Content || o.Format == Reasoning || !printed(got.fault) || got.out == "" {
		return
	}
	end := "\n"
	if o.Null && o.Format != JSON && o.Format != NDJSON {
		end = "\x00"
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(got.out, end), end) {
		if err := object.Valid([]byte(line)); err != nil && utf8.ValidString(line) {
			t.Fatalf("%v in %q", err, line)
		}
	}
}

// printed reports whether a reply of this fault is printed.
func printed(fault error) bool {
	var cut *CutError
	return fault == nil || errors.As(fault, &cut) && cut.Err == nil
}

// unplaced is a fault without the place in the document, which white space moves.
func unplaced(fault error) error {
	var malformed *FormatError
	if errors.As(fault, &malformed) {
		return &FormatError{}
	}
	return fault
}

func sameFault(a, b error) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error())
}

// FuzzStripThink cuts a text anywhere: content and reasoning must not depend on it.
func FuzzStripThink(f *testing.F) {
	for _, text := range []string{"<think>a</think>b", " \n<think>a</th</think> \nb", "a</think>b", "<thin", "no", "<think>a"} {
		f.Add(text, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, cut uint8) {
		run := func(pieces []string) (said, mused string, unclosed bool) {
			w, err := New(Options{StripThink: true, Format: Message, ReasoningInput: "reasoning"})
			if err != nil {
				t.Fatal(err)
			}
			c := w.at(0)
			for _, piece := range pieces {
				w.strip(c, []byte(piece))
			}
			w.endStrip(c)
			return string(c.kept), string(c.thought), c.think.unclosed
		}
		said, mused, unclosed := run([]string{text})
		if len(said)+len(mused) > len(text) {
			t.Fatalf("%q became %q and %q", text, said, mused)
		}
		for _, n := range []int{1, int(cut)%8 + 1} {
			var pieces []string
			for rest := text; rest != ""; {
				pieces = append(pieces, rest[:min(n, len(rest))])
				rest = rest[min(n, len(rest)):]
			}
			if s, m, u := run(pieces); s != said || m != mused || u != unclosed {
				t.Fatalf("in pieces of %d: %q, %q, %v; whole: %q, %q, %v", n, s, m, u, said, mused, unclosed)
			}
		}
	})
}
