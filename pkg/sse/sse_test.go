package sse

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// read gives the events of a stream, each as its type and data, quoted, with "cut" behind a cut one, and the error that ended
// them.
func read(r *Reader) (events []string, err error) {
	for {
		e, err := r.Next()
		if err != nil {
			if _, again := r.Next(); again != err {
				return events, fmt.Errorf("%v, and then %v", err, again)
			}
			return events, err
		}
		text := fmt.Sprintf("%q %q", e.Type, e.Data)
		if e.Cut {
			text += " cut"
		}
		events = append(events, text)
	}
}

// ways are the ways in which the same bytes may come.
var ways = []struct {
	name string
	slow bool
	wrap func(io.Reader) io.Reader
}{
	{"whole", false, func(r io.Reader) io.Reader { return r }},
	{"a byte at a time", true, iotest.OneByteReader},
	{"three bytes at a time", true, func(r io.Reader) io.Reader { return &pieces{r, 3} }},
	{"a page at a time", false, func(r io.Reader) io.Reader { return &pieces{r, 4096} }},
	{"in halves", false, iotest.HalfReader},
	{"the end with the last bytes", false, iotest.DataErrReader},
	{"with empty reads", true, func(r io.Reader) io.Reader { return &stutter{r, false} }},
}

// pieces reads at most size bytes at a time.
type pieces struct {
	io.Reader
	size int
}

func (r *pieces) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), r.size)]) }

// stutter gives nothing at every other read.
type stutter struct {
	io.Reader
	read bool
}

func (r *stutter) Read(p []byte) (int, error) {
	if r.read = !r.read; !r.read {
		return r.Reader.Read(p[:1])
	}
	return 0, nil
}

// TestGolden reads the streams in testdata/*.sse in all ways: FILE.want has their events.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.sse")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sse"), func(t *testing.T) {
			in, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(file, ".sse") + ".want")
			if err != nil {
				t.Fatal(err)
			}
			for _, way := range ways {
				events, err := read(NewReader(way.wrap(strings.NewReader(string(in)))))
				got := ""
				for _, e := range events {
					got += e + "\n"
				}
				if err != io.EOF || got != string(want) {
					t.Errorf("%s: %v, got\n%swant\n%s", way.name, err, got, want)
				}
			}
		})
	}
}

func TestReadsSplitAnywhere(t *testing.T) {
	in := "\ufeffdata: a\r\n\r\nevent: e\rdata: b\rdata: c\r\r: x\n\nerror: d\n\r\ndata: e"
	want := []string{`"" "a"`, `"e" "b\nc"`, `"error" "d"`, `"" "e" cut`}
	for i := range len(in) {
		got, err := read(NewReader(io.MultiReader(strings.NewReader(in[:i]), strings.NewReader(in[i:]))))
		if err != io.EOF || !slices.Equal(got, want) {
			t.Errorf("split at %d: got %q, %v; want %q", i, got, err, want)
		}
	}
}

func TestLongEvents(t *testing.T) {
	for _, n := range []int{leastRead - 7, leastRead, bufferSize - 7, bufferSize, 1<<20 + 1} {
		long := strings.Repeat("x", n)
		in := "data: a\n\ndata: " + long + "\n\nevent: e\ndata: " + long + "\r\n: " + long + "\r\ndata: b\r\n\r\ndata: c\n: " + long + "\n\n"
		want := []string{`"" "a"`, `"" "` + long + `"`, `"e" "` + long + `\nb"`, `"" "c"`}
		for _, way := range ways {
			if n > bufferSize && way.slow {
				continue
			}
			if got, err := read(NewReader(way.wrap(strings.NewReader(in)))); err != io.EOF || !slices.Equal(got, want) {
				t.Fatalf("%d bytes, %s: %d events, %v", n, way.name, len(got), err)
			}
		}
	}
}

// endless repeats its text.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	for n := 0; n < len(p); {
		size := copy(p[n:], e.text[e.at:])
		n += size
		e.at = (e.at + size) % len(e.text)
	}
	return len(p), nil
}

func TestTooLongIsAnError(t *testing.T) {
	for _, tt := range []struct{ name, start, repeat string }{
		{"a line", "data: ", strings.Repeat("x", 1024)},
		{"a comment", ": ", strings.Repeat("x", 1024)},
		{"data lines", "", "data: some more text\n"},
		{"a line behind a data line", "data: a\n", strings.Repeat("x", 1024)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := NewReader(io.MultiReader(strings.NewReader("data: a\n\n"+tt.start), &endless{text: tt.repeat}))
			r.limit = 256 << 10
			if got, err := read(r); !errors.Is(err, ErrTooLong) || len(got) != 1 {
				t.Errorf("got %q, %v", got, err)
			}
			if len(r.buf) > 512<<10 || cap(r.joined) > 512<<10 {
				t.Errorf("buffers of %d and %d bytes for at most 256 KiB", len(r.buf), cap(r.joined))
			}
		})
	}
}

func TestTheLongestEventIsRead(t *testing.T) {
	const limit = 1 << 20
	long := strings.Repeat("x", limit-len("data: "))
	r := NewReader(strings.NewReader("data: " + long + "\n\n"))
	r.limit = limit
	if got, err := read(r); err != io.EOF || len(got) != 1 || got[0] != `"" "`+long+`"` {
		t.Errorf("%d events, %v", len(got), err)
	}
}

// Comments between the data line and the blank line must not be kept with the event.
func TestCommentsInAnEventAreNotKept(t *testing.T) {
	r := NewReader(io.MultiReader(strings.NewReader("data: a\n"), io.LimitReader(&endless{text: ": ping\n"}, 7<<17), strings.NewReader("\n")))
	if got, err := read(r); err != io.EOF || !slices.Equal(got, []string{`"" "a"`}) {
		t.Errorf("got %q, %v", got, err)
	}
	if len(r.buf) > bufferSize {
		t.Errorf("the buffer grew to %d bytes", len(r.buf))
	}
}

func TestReadErrorDropsTheHalfEvent(t *testing.T) {
	broken := errors.New("broken")
	for _, half := range []string{"", "data: b\n", "data: b", "data: b\ndata: c\n", ": x"} {
		got, err := read(NewReader(io.MultiReader(strings.NewReader("data: a\n\n"+half), iotest.ErrReader(broken))))
		if err != broken || !slices.Equal(got, []string{`"" "a"`}) {
			t.Errorf("%q: got %q, %v", half, got, err)
		}
	}
}

// never gives nothing, and no error either.
type never struct{}

func (never) Read([]byte) (int, error) { return 0, nil }

func TestAReaderThatGivesNothingIsAnError(t *testing.T) {
	if _, err := read(NewReader(never{})); err != io.ErrNoProgress {
		t.Errorf("got %v", err)
	}
}

// waiting fails the test when it is read before the events it gave were seen.
type waiting struct {
	t           *testing.T
	parts       []string
	given, seen int
}

func (w *waiting) Read(p []byte) (int, error) {
	if w.given > w.seen {
		w.t.Errorf("read ahead: %d events given, %d seen", w.given, w.seen)
	}
	if len(w.parts) == 0 {
		return 0, io.EOF
	}
	n := copy(p, w.parts[0])
	w.given += strings.Count(w.parts[0], "data")
	w.parts = w.parts[1:]
	return n, nil
}

func TestAWholeEventIsGivenBeforeTheNextRead(t *testing.T) {
	w := &waiting{t: t, parts: []string{"data: a\n\n", "data: b\r\n\r\n", "data: c\r\rdata: d\r\r", "\ndata: e\n\n: ping\n\n", "data: f\r\n\r", "\ndata: g\n\n"}}
	for r := NewReader(w); ; w.seen++ {
		if _, err := r.Next(); err != nil {
			break
		}
	}
	if w.seen != 7 {
		t.Errorf("%d events, want 7", w.seen)
	}
}

// TestEndAt checks that the event which a line ends is given before the source is asked for more.
func TestEndAt(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"no blank line", "data: [DONE]\n", "[DONE]"},
		{"CRLF", "data: [DONE]\r\n", "[DONE]"},
		{"no space", "data:[DONE]\n", "[DONE]"},
		{"blanks", "data:  [DONE] \n", " [DONE] "},
		{"after another line", "data: a\ndata: [DONE]\n", "a\n[DONE]"},
		{"a part of the text", "data: [DONE].\n\n", "[DONE]."},
		{"another field", "id: [DONE]\ndata: a\n\n", "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := NewReader(io.MultiReader(strings.NewReader(test.in), iotest.ErrReader(errors.New("asked for more"))))
			r.EndAt("[DONE]")
			e, err := r.Next()
			if string(e.Data) != test.want || e.Cut || err != nil {
				t.Errorf("event %q, cut %v, error %v", e.Data, e.Cut, err)
			}
		})
	}
}

func TestNextDoesNotAllocate(t *testing.T) {
	r := NewReader(&endless{text: "event: e\ndata: {\"a\":1}\n\n: ping\n\ndata: a\r\ndata: b\r\n\r\n"})
	for range 2 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(20000, func() {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations an event", n)
	}
}

// FuzzReader checks that events do not depend on how the bytes come, and that nothing of them is made up.
func FuzzReader(f *testing.F) {
	files, err := filepath.Glob("testdata/*.sse")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		in, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		whole, err := read(NewReader(strings.NewReader(string(in))))
		if err != io.EOF {
			t.Fatalf("%q: %v", in, err)
		}
		for _, way := range ways[1:3] {
			got, err := read(NewReader(way.wrap(strings.NewReader(string(in)))))
			if err != io.EOF || !slices.Equal(whole, got) {
				t.Fatalf("%q: whole %q, %s %q, %v", in, whole, way.name, got, err)
			}
		}
		if want := simple(string(in)); !slices.Equal(whole, want) {
			t.Fatalf("%q: got %q, want %q", in, whole, want)
		}
	})
}

// simple reads events as the standard's text says it, with no thought of speed.
func simple(in string) (events []string) {
	in = strings.TrimPrefix(in, "\ufeff")
	in = strings.ReplaceAll(strings.ReplaceAll(in, "\r\n", "\n"), "\r", "\n")
	kind, data, cut := "", "", ""
	dispatch := func() {
		if data = strings.TrimSuffix(data, "\n"); data != "" {
			events = append(events, fmt.Sprintf("%q %q%s", kind, data, cut))
		}
		kind, data = "", ""
	}
	lines := strings.Split(in, "\n")
	for _, line := range lines[:len(lines)-1] {
		if line == "" {
			dispatch()
		}
		kind, data = simpleField(line, kind, data)
	}
	kind, data = simpleField(lines[len(lines)-1], kind, data)
	cut = " cut"
	dispatch()
	return events
}

func simpleField(line, kind, data string) (string, string) {
	name, value, _ := strings.Cut(line, ":")
	value = strings.TrimPrefix(value, " ")
	switch name {
	case "event":
		return value, data
	case "data":
		return kind, data + value + "\n"
	case "error":
		return "error", data + value + "\n"
	}
	return kind, data
}

func BenchmarkNext(b *testing.B) {
	chunk := `data: {"id":"chatcmpl-0123456789abcdef","object":"chat.completion.chunk","created":1780000000,"model":"some-model","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"role":"assistant","content":" some words"},"logprobs":null,"finish_reason":null}]}`
	for _, bb := range []struct{ name, end string }{{"LF", "\n\n"}, {"CRLF", "\r\n\r\n"}, {"CR", "\r\r"}} {
		b.Run(bb.name, func(b *testing.B) {
			in := strings.Repeat(chunk+bb.end, 10000)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				for r := NewReader(strings.NewReader(in)); ; {
					if _, err := r.Next(); err != nil {
						break
					}
				}
			}
		})
	}
}

// BenchmarkLongLine shows whether a line is scanned again for each read that it takes.
func BenchmarkLongLine(b *testing.B) {
	in := "data: " + strings.Repeat("x", 64<<20) + "\n\n"
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if e, err := NewReader(&pieces{strings.NewReader(in), 16 << 10}).Next(); err != nil || len(e.Data) != 64<<20 {
			b.Fatal(err)
		}
	}
}
