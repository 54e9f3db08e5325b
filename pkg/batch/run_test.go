package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// answer gives every item its prompt back.
func answer(_ context.Context, item *Item, turn *Turn) Outcome {
	turn.Report(Feedback{Answered: true})
	return Outcome{Status: 200, Body: append(append([]byte(`{"reply":"`), item.Prompt...), `"}`...), Text: item.Prompt}
}

// prompts is an input of n lines.
func prompts(n int) *strings.Reader {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\"p%d\"\n", i+1)
	}
	return strings.NewReader(b.String())
}

// ids gives the ids of output lines, with ! before those that failed.
func ids(t *testing.T, out string) []string {
	t.Helper()
	var all []string
	for line := range strings.Lines(out) {
		_, id, ok := strings.Cut(line, `"custom_id":"`)
		id, _, _ = strings.Cut(id, `"`)
		if !ok || !strings.HasPrefix(line, `{"id":"batch_req_`) || !strings.HasSuffix(line, "}\n") {
			t.Fatalf("not an output line: %q", line)
		}
		if !strings.HasSuffix(line, `"error":null}`+"\n") {
			id = "!" + id
		}
		all = append(all, id)
	}
	return all
}

// The lines, answers and expectation of case O35.
func TestMixedLines(t *testing.T) {
	in := `{"id":"a","prompt":"p1"}
not json

[1,2]
null
{"id":"b","prompt":"p2"}
{"id":"a","prompt":"p3"}
{"id":"c","prompt":"p4"}`
	var out, again bytes.Buffer
	asked := 0
	s, err := Run(t.Context(), Options{
		Input: Input{Reader: strings.NewReader(in)}, Out: &out, Failed: &again, Concurrency: 1, Ordered: true,
		Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
			asked++
			if item.ID == "b" {
				return Outcome{Status: 400, Body: []byte(`{"error":{"message":"too long"}}`), Code: "invalid_request_error", Message: "too long", Retries: 1}
			}
			out := answer(ctx, item, turn)
			out.InputTokens, out.OutputTokens = 3, 2
			return out
		},
	})
	if err != nil || asked != 3 {
		t.Errorf("error %v, %d asked", err, asked)
	}
	if got := fmt.Sprint(ids(t, out.String())); got != "[a !2 !4 !5 !b !a c]" {
		t.Errorf("got %s", got)
	}
	if want := "not json\n[1,2]\nnull\n{\"id\":\"b\",\"prompt\":\"p2\"}\n{\"id\":\"a\",\"prompt\":\"p3\"}\n"; again.String() != want {
		t.Errorf("failed lines:\n%s", again.String())
	}
	want := Stats{Offset: int64(len(in)), Done: 2, Failed: 5, Retries: 1, InputTokens: 6, OutputTokens: 4, Concurrency: 1}
	if s.Stats != want || !maps.Equal(s.Failures, map[string]int64{InvalidLine: 3, DuplicateID: 1, "invalid_request_error": 1}) {
		t.Errorf("summary %+v", s)
	}
}

func TestEmptyInput(t *testing.T) {
	var out bytes.Buffer
	if _, err := Run(t.Context(), Options{Input: Input{Reader: strings.NewReader("\n")}, Out: &out, Do: answer}); err != nil || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}

func TestOptionErrors(t *testing.T) {
	for name, o := range map[string]Options{
		"nothing": {},
		"shard":   {Input: Input{Reader: prompts(1), Shard: 3, Shards: 2}, Out: io.Discard, Do: answer},
		"limit":   {Input: Input{Reader: prompts(1)}, Out: io.Discard, Do: answer, Concurrency: -1},
	} {
		if _, err := Run(t.Context(), o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestContent(t *testing.T) {
	var out bytes.Buffer
	_, err := Run(t.Context(), Options{
		Input: Input{Reader: strings.NewReader("\"a\"\nbad\n\"b\\n\"\n\"c\"\n")}, Out: &out, Content: true,
		Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
			if item.ID == "4" {
				return Outcome{Status: 200, Text: []byte("cut"), Code: "length"}
			}
			return answer(ctx, item, turn)
		},
	})
	if want := "\"a\"\nnull\n\"b\\n\"\nnull\n"; err != nil || out.String() != want {
		t.Errorf("%v, got %q, want %q", err, out.String(), want)
	}
}

func TestOrder(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			_, err := Run(t.Context(), Options{
				Input: Input{Reader: prompts(5)}, Out: &out, Ordered: ordered,
				Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
					time.Sleep(time.Duration(10-item.Line) * time.Second)
					return answer(ctx, item, turn)
				},
			})
			want := "[5 4 3 2 1]"
			if ordered {
				want = "[1 2 3 4 5]"
			}
			if got := fmt.Sprint(ids(t, out.String())); err != nil || got != want {
				t.Errorf("ordered %v: %v, got %s", ordered, err, got)
			}
		})
	}
}

// TestWindow lets the first item take longer than all others: no more may be begun than the window holds, nor read than it
// holds and two.
func TestWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var begun atomic.Int64
		var out bytes.Buffer
		in := prompts(100)
		size := in.Len()
		release := make(chan struct{})
		progress := new(Progress)
		done := make(chan error)
		go func() {
			_, err := Run(t.Context(), Options{
				Input: Input{Reader: in}, Out: &out, Ordered: true, Window: 10, Concurrency: 4, Progress: progress,
				Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
					begun.Add(1)
					if item.Line == 1 {
						<-release
					}
					return answer(ctx, item, turn)
				},
			})
			done <- err
		}()
		synctest.Wait()
		s := progress.Stats()
		if begun.Load() != 10 || out.Len() > 0 || s.InFlight != 1 || s.Done != 9 || s.Offset >= int64(size)/5 {
			t.Errorf("%d begun, %d bytes written, %+v", begun.Load(), out.Len(), s)
		}
		close(release)
		if err := <-done; err != nil || len(ids(t, out.String())) != 100 {
			t.Errorf("%v, %d lines", err, len(ids(t, out.String())))
		}
	})
}

// TestHeldBytes holds back answers of 8 MiB: the window closes at 64 MiB, not at its number of items.
func TestHeldBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		big := append(append([]byte{'"'}, bytes.Repeat([]byte{'a'}, 8<<20)...), '"')
		var begun atomic.Int64
		release := make(chan struct{})
		done := make(chan error)
		go func() {
			_, err := Run(t.Context(), Options{
				Input: Input{Reader: prompts(20)}, Out: io.Discard, Ordered: true, Concurrency: 2,
				Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
					if begun.Add(1); item.Line == 1 {
						<-release
					}
					return Outcome{Status: 200, Body: big}
				},
			})
			done <- err
		}()
		synctest.Wait()
		if n := begun.Load(); n < 8 || n > 10 {
			t.Errorf("%d begun", n)
		}
		close(release)
		if err := <-done; err != nil || begun.Load() != 20 {
			t.Errorf("%v, %d begun", err, begun.Load())
		}
	})
}

// TestFlushedWhenIdle looks at what is written while items are in flight.
func TestFlushedWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out lockedBuffer
		done := make(chan struct{})
		go func() {
			Run(t.Context(), Options{
				Input: Input{Reader: prompts(3)}, Out: &out, Concurrency: 1,
				Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
					time.Sleep(time.Second)
					return answer(ctx, item, turn)
				},
			})
			close(done)
		}()
		for want := range 4 {
			synctest.Wait()
			if got := len(ids(t, out.String())); got != want {
				t.Errorf("%d lines are written, want %d", got, want)
			}
			time.Sleep(time.Second)
		}
		<-done
	})
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestStopAtFailures(t *testing.T) {
	var out bytes.Buffer
	s, err := Run(t.Context(), Options{
		Input: Input{Reader: prompts(100)}, Out: &out, Concurrency: 1, StopAtFailures: 3,
		Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
			if item.Line%2 == 0 {
				return Outcome{Status: 500}
			}
			return answer(ctx, item, turn)
		},
	})
	if !errors.Is(err, ErrTooManyFailures) || s.Failed != 3 || s.Failures["500"] != 3 || len(ids(t, out.String())) > 8 {
		t.Errorf("%v, %+v, %s", err, s, out.String())
	}
	s, err = Run(t.Context(), Options{Input: Input{Reader: strings.NewReader("bad\nbad\nbad")}, Out: &out, Do: answer, StopAtFailures: 3})
	if err != nil || s.Failed != 3 {
		t.Errorf("the last line as the last failure allowed: %v, %+v", err, s)
	}
}

// TestStop stops with one item in flight and one that waits for another attempt.
func TestStop(t *testing.T) {
	for _, content := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			stop := make(chan struct{})
			var out, again bytes.Buffer
			in, feed := io.Pipe()
			go io.Copy(feed, io.MultiReader(prompts(2), strings.NewReader("\n")))
			time.AfterFunc(time.Minute, func() { close(stop) })
			start := time.Now()
			s, err := Run(t.Context(), Options{
				Input: Input{Reader: in}, Out: &out, Failed: &again, Content: content, Stop: stop,
				Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
					if item.Line == 1 {
						if err := turn.Again(ctx, time.Hour); !errors.Is(err, ErrStopped) {
							t.Errorf("again: %v", err)
						}
						return Outcome{Status: 503}
					}
					time.Sleep(2 * time.Minute)
					return answer(ctx, item, turn)
				},
			})
			in.Close()
			if !errors.Is(err, ErrStopped) || time.Since(start) != 2*time.Minute || s.Done != 1 {
				t.Errorf("%v after %s, %+v", err, time.Since(start), s)
			}
			switch {
			case content && (out.String() != "null\n\"p2\"\n" || s.Failed != 1):
				t.Errorf("content %q, %+v", out.String(), s)
			case !content && (fmt.Sprint(ids(t, out.String())) != "[2]" || s.Failed != 0 || again.Len() > 0):
				t.Errorf("lines %q, %+v", out.String(), s)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		second := errors.New("second signal")
		ctx, cancel := context.WithCancelCause(t.Context())
		var out bytes.Buffer
		time.AfterFunc(time.Minute, func() { cancel(second) })
		start := time.Now()
		s, err := Run(ctx, Options{
			Input: Input{Reader: prompts(1000)}, Out: &out, Concurrency: 3,
			Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
				if item.Line == 1 {
					return answer(ctx, item, turn)
				}
				<-ctx.Done()
				if item.Line == 2 {
					return answer(ctx, item, turn)
				}
				return Outcome{Code: "canceled"}
			},
		})
		if !errors.Is(err, second) || time.Since(start) != time.Minute || s.Done != 2 || s.Failed != 0 {
			t.Errorf("%v after %s, %+v", err, time.Since(start), s)
		}
		if got := fmt.Sprint(ids(t, out.String())); got != "[1 2]" {
			t.Errorf("lines %s", got)
		}
	})
}

func TestDayLimit(t *testing.T) {
	run := func(lines int) (Summary, []string, error) {
		var out bytes.Buffer
		s, err := Run(t.Context(), Options{
			Input: Input{Reader: prompts(lines)}, Out: &out, Concurrency: 1,
			Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
				turn.Report(Feedback{Answered: true, Throttled: item.Line > 3, DayEmpty: item.Line >= 3})
				if item.Line > 3 {
					return Outcome{Status: 429}
				}
				return answer(ctx, item, turn)
			},
		})
		return s, ids(t, out.String()), err
	}
	if s, lines, err := run(3); err != nil || len(lines) != 3 || s.Done != 3 {
		t.Errorf("the day's last request was for the last line: %v, %+v", err, s)
	}
	if s, lines, err := run(4); !errors.Is(err, ErrDayLimit) || len(lines) != 3 || s.Failed != 0 {
		t.Errorf("one line is left: %v, %v, %+v", err, lines, s)
	}
}

func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	var out bytes.Buffer
	in := io.MultiReader(prompts(3), readError{broken})
	if _, err := Run(t.Context(), Options{Input: Input{Reader: in}, Out: &out, Do: answer}); !errors.Is(err, broken) || len(ids(t, out.String())) != 3 {
		t.Errorf("%v, %s", err, out.String())
	}
}

type readError struct{ err error }

func (r readError) Read([]byte) (int, error) { return 0, r.err }

// failWriter takes a number of writes.
type failWriter struct {
	left int
	err  error
}

func (w *failWriter) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, w.err
	}
	return len(p), nil
}

func TestWriteError(t *testing.T) {
	full := errors.New("disk full")
	for _, name := range []string{"out", "failed"} {
		synctest.Test(t, func(t *testing.T) {
			o := Options{
				Input: Input{Reader: prompts(1000)}, Out: io.Discard, Failed: io.Discard, Concurrency: 2,
				Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
					select {
					case <-time.After(time.Duration(item.Line) * time.Minute):
					case <-ctx.Done():
					}
					return Outcome{Status: 500}
				},
			}
			if name == "out" {
				o.Out = &failWriter{2, full}
			} else {
				o.Failed = &failWriter{2, full}
			}
			start := time.Now()
			_, err := Run(t.Context(), o)
			if !errors.Is(err, ErrWrite) || !errors.Is(err, full) || time.Since(start) > 5*time.Minute {
				t.Errorf("%s: %v after %s", name, err, time.Since(start))
			}
		})
	}
}

// TestScale measures the wall time of 10,000 items of 50 ms at 64 at a time against the ideal.
func TestScale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, ordered := range []bool{false, true} {
			start := time.Now()
			s, err := Run(t.Context(), Options{
				Input: Input{Reader: prompts(10_000)}, Out: io.Discard, Concurrency: 64, Ordered: ordered,
				Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
					time.Sleep(50 * time.Millisecond)
					return answer(ctx, item, turn)
				},
			})
			ratio := time.Since(start).Seconds() / (10_000 * 0.05 / 64)
			t.Logf("ordered %v: %.4f of the ideal", ordered, ratio)
			if err != nil || s.Done != 10_000 || ratio > 1.01 {
				t.Errorf("%v, %d done, %.4f", err, s.Done, ratio)
			}
		}
	})
}

// TestThrottled has a server that takes five requests at a time: all items are answered, and few are refused.
func TestThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var flying, refused atomic.Int64
		s, err := Run(t.Context(), Options{
			Input: Input{Reader: prompts(1000)}, Out: io.Discard, Concurrency: 32,
			Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
				for {
					full := flying.Add(1) > 5
					if !full {
						time.Sleep(time.Second)
					}
					flying.Add(-1)
					if !full {
						return answer(ctx, item, turn)
					}
					refused.Add(1)
					turn.Report(Feedback{Throttled: true})
					if err := turn.Again(ctx, time.Second); err != nil {
						return Outcome{Status: 429}
					}
				}
			},
		})
		t.Logf("%d refused, at most %d in flight at the end", refused.Load(), s.Concurrency)
		if err != nil || s.Done != 1000 || s.Elapsed > 400*time.Second || refused.Load() > 200 {
			t.Errorf("%v, %d refused, %+v", err, refused.Load(), s)
		}
	})
}
