package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
)

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
