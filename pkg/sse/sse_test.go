package sse

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// read gives the events of a stream, each as TYPE|DATA with ! behind a cut one, and the error that ended them.
func read(r io.Reader) (events []string, err error) {
	for s := NewReader(r); ; {
		e, err := s.Next()
		if err != nil {
			return events, err
		}
		text := string(e.Type) + "|" + string(e.Data)
		if e.Cut {
			text += "!"
		}
		events = append(events, text)
	}
}

func TestEvents(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"one", "data: a\n\n", []string{"|a"}},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"|a", "|b"}},
		{"CR", "data: a\r\rdata: b\r\r", []string{"|a", "|b"}},
		{"line ends of all kinds", "data: a\r\n\ndata: b\r\rdata: c\n\r\n", []string{"|a", "|b", "|c"}},
		{"no space", "data:{\"a\":1}\n\n", []string{`|{"a":1}`}},
		{"only one space is dropped", "data:  a \n\n", []string{"| a "}},
		{"BOM", "\ufeffdata: a\n\n", []string{"|a"}},
		{"BOM only at the start", "data: a\n\n\ufeffdata: b\n\n", []string{"|a"}},
		{"several lines", "data: a\ndata:\ndata: b\n\n", []string{"|a\n\nb"}},
		{"a line without a colon", "data\n\ndata: a\ndata\n\n", []string{"|a\n"}},
		{"empty data", "data:\n\ndata: \n\ndata: a\n\n", []string{"|a"}},
		{"comments", ": ping\n\n:\ndata: a\n: pong\n\n", []string{"|a"}},
		{"a comment wrapped as data", "data: : ping\n\n", []string{"|: ping"}},
		{"other fields", "id: 7\nretry: 100\nfoo: bar\ndata: a\n\n", []string{"|a"}},
		{"type", "event: ping\ndata: {}\n\ndata: a\n\n", []string{"ping|{}", "|a"}},
		{"type without data", "event: ping\n\ndata: a\n\n", []string{"|a"}},
		{"error field", "error: {\"code\":500}\n\n", []string{`error|{"code":500}`}},
		{"no blank line at the end", "data: a\n\ndata: [DONE]", []string{"|a", "|[DONE]!"}},
		{"no blank line but a line end", "data: b\n", []string{"|b!"}},
		{"only a type at the end", "event: ping\n", nil},
		{"NUL and broken UTF-8 pass", "data: \x00\xff\n\n", []string{"|\x00\xff"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"whole": strings.NewReader(tt.in), "bytewise": iotest.OneByteReader(strings.NewReader(tt.in)),
				"with EOF": iotest.DataErrReader(strings.NewReader(tt.in)),
			} {
				got, err := read(r)
				if err != io.EOF || fmt.Sprint(got) != fmt.Sprint(tt.want) {
					t.Errorf("%s: got %q, %v; want %q", how, got, err, tt.want)
				}
			}
		})
	}
}

func TestLongEvents(t *testing.T) {
	for _, n := range []int{64 << 10, 128<<10 - 7, 128 << 10, 1<<20 + 1, 5 << 20} {
		long := strings.Repeat("x", n)
		in := "data: a\n\ndata: " + long + "\n\ndata: " + long + "\r\ndata: b\r\n\r\n"
		for _, r := range []io.Reader{strings.NewReader(in), iotest.HalfReader(strings.NewReader(in))} {
			got, err := read(r)
			if err != io.EOF || len(got) != 3 || got[1] != "|"+long || got[2] != "|"+long+"\nb" {
				t.Fatalf("%d bytes: %d events, %v", n, len(got), err)
			}
		}
	}
}

// endless is a line that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestTooLongIsAnError(t *testing.T) {
	if _, err := read(io.MultiReader(strings.NewReader("data: "), endless{})); !errors.Is(err, ErrTooLong) {
		t.Errorf("got %v", err)
	}
}

func TestReadErrorDropsTheHalfEvent(t *testing.T) {
	broken := errors.New("broken")
	got, err := read(io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || len(got) != 1 {
		t.Errorf("got %q, %v", got, err)
	}
}

// waiting fails the test when it is read before what it gave was used.
type waiting struct {
	t     *testing.T
	parts []string
	seen  *int
	given int
}

func (w *waiting) Read(p []byte) (int, error) {
	if w.given > *w.seen {
		w.t.Errorf("read ahead: %d events given, %d seen", w.given, *w.seen)
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
	seen := 0
	r := NewReader(&waiting{t: t, seen: &seen, parts: []string{"data: a\n\n", "data: b\r\n\r\n", "data: c\r\rdata: d\r\r"}})
	for {
		if _, err := r.Next(); err != nil {
			break
		}
		seen++
	}
	if seen != 4 {
		t.Errorf("%d events, want 4", seen)
	}
}

func TestNextDoesNotAllocate(t *testing.T) {
	r := NewReader(strings.NewReader(strings.Repeat("event: e\ndata: {\"a\":1}\n\n", 20000)))
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(10000, func() {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations an event", n)
	}
}

// FuzzReader checks that events do not depend on how the bytes come.
func FuzzReader(f *testing.F) {
	for _, s := range []string{"data: a\n\n", "\ufeffdata: a\r\rdata: b\r\n\r\n", "event: x\ndata: a\ndata: b\n", ": c\n\ndata", "error: {}\n\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		whole, _ := read(strings.NewReader(string(in)))
		bytewise, err := read(iotest.OneByteReader(strings.NewReader(string(in))))
		if err != io.EOF || fmt.Sprint(whole) != fmt.Sprint(bytewise) {
			t.Fatalf("%q: whole %q, bytewise %q, %v", in, whole, bytewise, err)
		}
	})
}

func BenchmarkNext(b *testing.B) {
	chunk := `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":" some words"},"finish_reason":null}]}` + "\n\n"
	in := strings.Repeat(chunk, 10000)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		for r := NewReader(strings.NewReader(in)); ; {
			if _, err := r.Next(); err != nil {
				break
			}
		}
	}
}
