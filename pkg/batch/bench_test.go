package batch

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"
)

// generated reads as n lines without holding them.
type generated struct {
	n, next int
	format  string
	rest    []byte
}

func (g *generated) Read(p []byte) (int, error) {
	for len(g.rest) < len(p) && g.next < g.n {
		g.next++
		g.rest = fmt.Appendf(g.rest, g.format, g.next)
	}
	if len(g.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, g.rest)
	g.rest = append(g.rest[:0], g.rest[n:]...)
	return n, nil
}

const (
	promptLines = "\"prompt number %d\"\n"
	idLines     = `{"id":"item-%d","prompt":"p"}` + "\n"
)

// scaled makes a number of lines smaller for a binary that the race detector slows down.
func scaled(n int) int {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return n / 10
	}
	return n
}

// heldAfter gives the memory that is in use shortly before the last of n lines is answered.
func heldAfter(t *testing.T, o Options, n int, format string) int64 {
	t.Helper()
	var held int64
	var measuring sync.RWMutex
	o.Input.Reader = &generated{n: n, format: format}
	o.Concurrency = 16
	if o.Out == nil {
		o.Out = io.Discard
	}
	o.Do = func(ctx context.Context, item *Item, turn *Turn) Outcome {
		// All others wait for the one that measures, so that the reading does not end meanwhile.
		if item.Line == int64(n)-100 {
			measuring.Lock()
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			held = int64(m.HeapAlloc)
			measuring.Unlock()
		}
		measuring.RLock()
		defer measuring.RUnlock()
		return answer(ctx, item, turn)
	}
	s, err := Run(t.Context(), o)
	if err != nil || s.Done+s.Answered != int64(n) || held == 0 {
		t.Fatalf("%v, %+v", err, s)
	}
	return held
}

// TestMemory answers a million lines, and some ordered, with ids, and resumed: what is held does not grow with the lines, and
// by at most 30 bytes for an id, so that a garbage collector with its usual goal, which lets a heap double, keeps to 64.
func TestMemory(t *testing.T) {
	const few = 10_000
	for _, ordered := range []bool{false, true} {
		many := scaled(1_000_000)
		if ordered {
			many = scaled(500_000)
		}
		base := heldAfter(t, Options{Ordered: ordered}, few, promptLines)
		more := heldAfter(t, Options{Ordered: ordered}, many, promptLines) - base
		t.Logf("ordered %v: %d lines hold %d KiB more than %d", ordered, many, more>>10, few)
		if more > 1<<20 {
			t.Errorf("ordered %v: %d bytes more", ordered, more)
		}
	}

	many := scaled(500_000)
	base := heldAfter(t, Options{}, few, idLines)
	perID := float64(heldAfter(t, Options{}, many, idLines)-base) / float64(many-few)
	t.Logf("with ids: %.1f bytes each", perID)
	if perID < 16 || perID > 30 {
		t.Errorf("%.1f bytes an id", perID)
	}

	path := filepath.Join(t.TempDir(), "out.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const answeredLines = `{"id":"batch_req_1","custom_id":"item-%d","response":{"status_code":200,"request_id":"r","body":{}},"error":null}` + "\n"
	if _, err := io.Copy(file, &generated{n: many - 1000, format: answeredLines}); err != nil {
		t.Fatal(err)
	}
	file.Close()
	f, err := Open(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	perID = float64(heldAfter(t, Options{Input: Input{Answered: f.Answered}, Out: f}, many, idLines)-base) / float64(many-few)
	t.Logf("resumed: %.1f bytes each", perID)
	if perID < 16 || perID > 30 {
		t.Errorf("resumed: %.1f bytes an id", perID)
	}
}

func BenchmarkRun(b *testing.B) {
	for _, bb := range []struct {
		name    string
		format  string
		ordered bool
	}{{"strings", promptLines, false}, {"ordered", promptLines, true}, {"ids", idLines, false}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(fmt.Sprintf(bb.format, b.N))))
			in := &generated{n: b.N, format: bb.format}
			if _, err := Run(b.Context(), Options{Input: Input{Reader: in}, Out: io.Discard, Concurrency: 64, Ordered: bb.ordered, Do: answer}); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkWait has items of 50 ms at 64 at a time, and reports the wall time over the ideal.
func BenchmarkWait(b *testing.B) {
	b.ReportAllocs()
	const n = 10_000
	for b.Loop() {
		start := time.Now()
		_, err := Run(b.Context(), Options{Input: Input{Reader: prompts(n)}, Out: io.Discard, Concurrency: 64,
			Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
				time.Sleep(50 * time.Millisecond)
				return answer(ctx, item, turn)
			}})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds()/(n*0.05/64), "x-ideal")
	}
}

func BenchmarkItems(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(fmt.Sprintf(idLines, b.N))))
	n := 0
	for _, err := range (&Input{Reader: &generated{n: b.N, format: idLines}}).Items() {
		if n++; err != nil {
			b.Fatal(err)
		}
	}
	if n != b.N {
		b.Fatal(n)
	}
}

func BenchmarkResume(b *testing.B) {
	const n = 100_000
	path := filepath.Join(b.TempDir(), "out.jsonl")
	var data []byte
	for i := range n {
		out := Outcome{Status: 200, Body: fmt.Appendf(nil, `{"text":"%0500d"}`, i)}
		data = appendLine(data, &Item{ID: fmt.Sprint(i), Line: int64(i)}, &out)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := Open(path, true)
		if err != nil || f.Answered.Len() != n {
			b.Fatal(err)
		}
		f.Close()
	}
}
