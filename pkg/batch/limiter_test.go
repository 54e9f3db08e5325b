package batch

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// inBubble runs a test with a limiter and a clock of its own.
func inBubble(t *testing.T, concurrency, rpm int, test func(t *testing.T, l *limiter)) {
	synctest.Test(t, func(t *testing.T) {
		soft, stop := context.WithCancelCause(t.Context())
		defer stop(nil)
		test(t, newLimiter(soft, stop, concurrency, rpm))
	})
}

// take takes n turns and returns them.
func take(t *testing.T, l *limiter, n int) []*Turn {
	t.Helper()
	turns := make([]*Turn, n)
	for i := range turns {
		var err error
		if turns[i], err = l.acquire(); err != nil {
			t.Fatal(err)
		}
	}
	return turns
}

// blocks checks that no turn is to be had at this moment, and gives the one that comes.
func blocks(t *testing.T, l *limiter) <-chan *Turn {
	t.Helper()
	got := make(chan *Turn, 1)
	go func() {
		if turn, err := l.acquire(); err == nil {
			got <- turn
		}
	}()
	synctest.Wait()
	if len(got) > 0 {
		t.Error("a turn too many")
	}
	return got
}

func TestHalvedOnceForAllInFlight(t *testing.T) {
	inBubble(t, 64, 0, func(t *testing.T, l *limiter) {
		turns := take(t, l, 64)
		for _, turn := range turns {
			turn.Report(Feedback{Throttled: true})
		}
		if n, _ := l.state(); n != 32 {
			t.Errorf("limit %d, want 32", n)
		}
		for _, turn := range turns {
			turn.release()
		}
		for want := 16; want >= 1; want /= 2 {
			turn := take(t, l, 1)[0]
			turn.Report(Feedback{Throttled: true})
			turn.release()
			if n, _ := l.state(); n != want {
				t.Errorf("limit %d, want %d", n, want)
			}
		}
		turn := take(t, l, 1)[0]
		turn.Report(Feedback{Throttled: true})
		turn.release()
		if n, _ := l.state(); n != 1 {
			t.Errorf("limit %d, want 1", n)
		}
	})
}

func TestRaisedStepByStep(t *testing.T) {
	inBubble(t, 4, 0, func(t *testing.T, l *limiter) {
		for _, turn := range take(t, l, 1) {
			turn.Report(Feedback{Throttled: true})
			turn.release()
		}
		var limits []int
		for range 8 {
			for _, turn := range take(t, l, 1) {
				turn.Report(Feedback{Answered: true})
				turn.release()
			}
			n, _ := l.state()
			limits = append(limits, n)
		}
		want := []int{2, 3, 3, 3, 4, 4, 4, 4}
		for i := range want {
			if limits[i] != want[i] {
				t.Fatalf("limits %v, want %v", limits, want)
			}
		}
		take(t, l, 4)
		blocks(t, l)
	})
}

func TestRetriesComeBeforeNewItems(t *testing.T) {
	inBubble(t, 2, 0, func(t *testing.T, l *limiter) {
		turns := take(t, l, 2)
		turns[0].Report(Feedback{Throttled: true})
		start := time.Now()
		again := make(chan time.Duration)
		go func() {
			if err := turns[0].Again(t.Context(), time.Second); err != nil {
				t.Error(err)
			}
			again <- time.Since(start)
		}()
		// One is waiting, one is in flight, one may be: there is no room for a third.
		first := blocks(t, l)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		select {
		case <-again:
			t.Fatal("two in flight where one may be")
		default:
		}
		turns[1].release()
		if got := <-again; got != 3*time.Second {
			t.Errorf("again after %s, want 3s", got)
		}
		synctest.Wait()
		if len(first) > 0 {
			t.Error("a new item came in before the retry has ended")
		}
		turns[0].release()
		<-first
	})
}

func TestSharedWait(t *testing.T) {
	inBubble(t, 8, 0, func(t *testing.T, l *limiter) {
		start := time.Now()
		for _, turn := range take(t, l, 1) {
			turn.Report(Feedback{NotBefore: start.Add(20 * time.Second)})
			turn.Report(Feedback{NotBefore: start.Add(10 * time.Second)})
			turn.release()
		}
		var waits []<-chan *Turn
		for range 8 {
			waits = append(waits, blocks(t, l))
		}
		if _, until := l.state(); !until.Equal(start.Add(20 * time.Second)) {
			t.Errorf("waiting until %s", until)
		}
		for _, w := range waits {
			<-w
			if d := time.Since(start); d != 20*time.Second {
				t.Errorf("waited %s, want 20s", d)
			}
		}
		if _, until := l.state(); !until.IsZero() {
			t.Errorf("still waiting until %s", until)
		}
	})
}

func TestRPM(t *testing.T) {
	inBubble(t, 8, 120, func(t *testing.T, l *limiter) {
		start := time.Now()
		for i := range 200 {
			take(t, l, 1)[0].release()
			want := time.Duration(i) * time.Second / 2
			if d := time.Since(start) - want; d < 0 || d > time.Millisecond {
				t.Fatalf("request %d after %s, want %s", i, time.Since(start), want)
			}
		}
	})
}

// server counts requests in windows of a minute, as a provider does, and reports them when it replies.
type server struct {
	limit, counted int64
	reset          time.Time
	refused        int
	total          int
}

func (s *server) arrive() (Quota, bool) {
	if now := time.Now(); !now.Before(s.reset) {
		s.counted, s.reset = 0, s.reset.Add((now.Sub(s.reset)/time.Minute+1)*time.Minute)
	}
	s.counted++
	s.total++
	if s.counted > s.limit {
		s.refused++
	}
	return Quota{Limit: s.limit, Remaining: max(0, s.limit-s.counted), Reset: s.reset}, s.counted <= s.limit
}

func TestMinuteWindowIsNeverHit(t *testing.T) {
	for _, tt := range []struct {
		name        string
		concurrency int
		limit       int64
		reply       time.Duration
	}{
		{"quick replies", 8, 60, 10 * time.Millisecond},
		{"slow replies", 8, 20, 7 * time.Second},
		{"replies slower than the window", 8, 20, 90 * time.Second},
		{"one at a time", 1, 7, time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, tt.concurrency, 0, func(t *testing.T, l *limiter) {
				s := &server{limit: tt.limit, reset: time.Now().Add(40 * time.Second)}
				arrivals := make(chan chan Quota)
				go func() {
					for a := range arrivals {
						q, _ := s.arrive()
						a <- q
					}
				}()
				done := make(chan struct{}, 1000)
				const n = 200
				start := time.Now()
				for range n {
					turn := take(t, l, 1)[0]
					a := make(chan Quota)
					arrivals <- a
					q := <-a
					go func() {
						time.Sleep(tt.reply)
						turn.Report(Feedback{Answered: true, Minute: q})
						turn.release()
						done <- struct{}{}
					}()
				}
				for range n {
					<-done
				}
				close(arrivals)
				if s.refused > 0 || s.total != n {
					t.Errorf("%d of %d refused", s.refused, s.total)
				}
				// As fast as the windows and the replies allow: the first window is 40 s long.
				windows := time.Duration((n - 1) / tt.limit)
				ideal := max(40*time.Second+(windows-1)*time.Minute, tt.reply*time.Duration(n/tt.concurrency))
				if took := time.Since(start); took > ideal+time.Minute+tt.reply {
					t.Errorf("took %s, ideal %s", took, ideal)
				}
			})
		})
	}
}

func TestWindowOfReplies(t *testing.T) {
	inBubble(t, 8, 0, func(t *testing.T, l *limiter) {
		start := time.Now()
		turns := take(t, l, 3)
		// The reply to the second request overtakes that to the first. The third may be counted in it or not.
		turns[1].Report(Feedback{Minute: Quota{Limit: 10, Remaining: 2, Reset: start.Add(30 * time.Second)}})
		turns[0].Report(Feedback{Minute: Quota{Limit: 10, Remaining: 9, Reset: start.Add(30 * time.Second)}})
		take(t, l, 1)
		next := blocks(t, l)
		turns[2].Report(Feedback{Minute: Quota{Limit: 10, Remaining: 2, Reset: start.Add(30 * time.Second)}})
		<-next
		if d := time.Since(start); d != 0 {
			t.Errorf("a newer reply that knows of room gave it after %s", d)
		}
		<-blocks(t, l)
		if d := time.Since(start); d != 30*time.Second {
			t.Errorf("waited %s for the next window, want 30s", d)
		}
	})
}

func TestWindowWithoutLimit(t *testing.T) {
	inBubble(t, 8, 0, func(t *testing.T, l *limiter) {
		start := time.Now()
		turn := take(t, l, 1)[0]
		turn.Report(Feedback{Minute: Quota{Reset: start.Add(5 * time.Second)}})
		<-blocks(t, l)
		take(t, l, 6)
		if d := time.Since(start); d != 5*time.Second {
			t.Errorf("waited %s, want 5s", d)
		}
	})
}

func TestDayLimitEndsTurns(t *testing.T) {
	inBubble(t, 2, 0, func(t *testing.T, l *limiter) {
		turns := take(t, l, 2)
		again := make(chan error)
		go func() { again <- turns[1].Again(t.Context(), time.Hour) }()
		synctest.Wait()
		turns[0].Report(Feedback{Throttled: true, DayEmpty: true})
		if err := <-again; !errors.Is(err, ErrDayLimit) || !turns[1].refused || !turns[0].refused {
			t.Errorf("again: %v", err)
		}
		turns[0].release()
		turns[1].release()
		if _, err := l.acquire(); !errors.Is(err, ErrDayLimit) {
			t.Errorf("acquire: %v", err)
		}
	})
}

func TestAgainWithItsOwnContext(t *testing.T) {
	inBubble(t, 1, 0, func(t *testing.T, l *limiter) {
		turn := take(t, l, 1)[0]
		late := errors.New("late")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, late)
		defer cancel()
		start := time.Now()
		if err := turn.Again(ctx, time.Minute); !errors.Is(err, late) || time.Since(start) != time.Second || turn.refused {
			t.Errorf("again: %v after %s", err, time.Since(start))
		}
		turn.release()
		take(t, l, 1)
	})
}
