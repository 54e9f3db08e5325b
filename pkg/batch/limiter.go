package batch

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Quota is a window of requests as a provider reports it. The zero value reports nothing.
type Quota struct {
	Limit     int64 // per window, 0 when unknown
	Remaining int64
	Reset     time.Time // when the window ends; zero: Remaining is not known
}

// Feedback is what an attempt has told about the provider.
type Feedback struct {
	// Answered says that there was a reply; Throttled that there were too many requests: 429, queue_full.
	Answered, Throttled bool
	// NotBefore, if set, is the time before which no request of any item should be sent.
	NotBefore time.Time
	// Minute is the window of requests per minute.
	Minute Quota
	// DayEmpty says that no more requests are allowed today; it ends the batch. An attempt that was Throttled by that leaves its
	// item for a later run.
	DayEmpty bool
}

// Turn is an item's permission to send a request. Its methods are for one goroutine at a time.
type Turn struct {
	l       *limiter
	seq     int64 // the number of the attempt
	epoch   int   // the limiter's, when the attempt was sent
	sending bool
	refused bool // no further attempt will come
}

// Report tells what an attempt has shown, as soon as it has: the headers of a reply come before its body.
func (t *Turn) Report(f Feedback) {
	l := t.l
	l.mu.Lock()
	if f.NotBefore.After(l.until) {
		l.until = f.NotBefore
	}
	// Only a newer attempt knows better: replies overtake each other.
	if !f.Minute.Reset.IsZero() && t.seq > l.countedAt {
		l.minute, l.countedAt = f.Minute, t.seq
	}
	switch {
	case f.Throttled:
		// Those sent before the last cut say nothing about the limit after it.
		if t.epoch == l.epoch {
			l.epoch++
			l.limit = max(1, l.limit/2)
			l.answered = 0
		}
	case f.Answered && l.limit < l.ceiling:
		if l.answered++; l.answered >= l.limit {
			l.limit++
			l.answered = 0
		}
	}
	l.wake()
	l.mu.Unlock()
	if f.DayEmpty {
		t.refused = t.refused || f.Throttled
		l.stop(ErrDayLimit)
	}
}

// Again gives the turn up, and takes another one for a further attempt: not before the time after has passed, and when the
// limits allow it. Retries come before new items. Its error is the cause of ctx or of the batch's end; the item should then
// return what its last attempt came to.
func (t *Turn) Again(ctx context.Context, after time.Duration) error {
	t.pause()
	timer := time.NewTimer(after)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-t.l.soft.Done():
	}
	err := t.l.admit(ctx, t, false)
	if t.l.soft.Err() != nil && err != nil {
		t.refused = true
	}
	return err
}

// pause ends an attempt.
func (t *Turn) pause() {
	l := t.l
	l.mu.Lock()
	if t.sending {
		t.sending = false
		l.sending--
		l.wake()
	}
	l.mu.Unlock()
}

// release ends an item.
func (t *Turn) release() {
	t.pause()
	t.l.mu.Lock()
	t.l.begun--
	t.l.wake()
	t.l.mu.Unlock()
}

// limiter decides when a request may be sent. The number in flight is halved when the provider is throttling, once for all that
// were in flight then, and raised by one after as many replies as it allows (AIMD, as TCP). A wait is everyone's.
type limiter struct {
	soft context.Context
	stop context.CancelCauseFunc
	rate *rate.Limiter // nil: none

	mu       sync.Mutex
	ceiling  int
	limit    int // at most ceiling, at least 1
	begun    int // items with a turn, or waiting for another one
	sending  int // items with a turn
	answered int // replies since limit changed
	epoch    int // how often limit was halved
	sent     int64
	until    time.Time
	// minute is the window as it was when countedAt requests had been sent.
	minute    Quota
	countedAt int64
	waiting   time.Time     // the end of the wait that holds back an attempt now
	changed   chan struct{} // closed at the next change; nil while nobody waits
}

func newLimiter(soft context.Context, stop context.CancelCauseFunc, concurrency, rpm int) *limiter {
	l := &limiter{soft: soft, stop: stop, ceiling: concurrency, limit: concurrency}
	if rpm > 0 {
		l.rate = rate.NewLimiter(rate.Limit(float64(rpm)/60), 1)
	}
	return l
}

// acquire waits for the first turn of an item.
func (l *limiter) acquire() (*Turn, error) {
	t := &Turn{l: l}
	return t, l.admit(l.soft, t, true)
}

// admit waits until an attempt may be sent, or ctx or the batch is done.
func (l *limiter) admit(ctx context.Context, t *Turn, first bool) error {
	for {
		if l.soft.Err() != nil {
			return context.Cause(l.soft)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l.mu.Lock()
		now := time.Now()
		until, ok := l.ready(now, first)
		if ok {
			l.sent++
			l.sending++
			if first {
				l.begun++
			}
			t.seq, t.epoch, t.sending = l.sent, l.epoch, true
			l.mu.Unlock()
			return nil
		}
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		changed := l.changed
		l.mu.Unlock()

		var due <-chan time.Time
		if !until.IsZero() {
			due = time.After(until.Sub(now))
		}
		select {
		case <-due:
		case <-changed:
		case <-ctx.Done():
		case <-l.soft.Done():
		}
	}
}

// ready tells whether an attempt may be sent now, and if not, when to ask again: zero is after a change. A new item also has
// to leave room for those that wait for another attempt.
func (l *limiter) ready(now time.Time, first bool) (time.Time, bool) {
	if l.sending >= l.limit || first && l.begun >= l.limit {
		return time.Time{}, false
	}
	l.waiting = time.Time{}
	if now.Before(l.until) {
		l.waiting = l.until
		return l.until, false
	}
	if until := l.spent(now); !until.IsZero() {
		l.waiting = until
		return until, false
	}
	if l.rate != nil {
		r := l.rate.ReserveN(now, 1)
		if d := r.DelayFrom(now); d > 0 {
			r.CancelAt(now)
			return now.Add(d), false
		}
	}
	return time.Time{}, true
}

// spent gives the time when the minute's window ends if all that it allows is sent, else zero. An attempt that was sent after
// the one whose reply reported the window may be counted in it already; it is not trusted to be, so that the limit is never
// hit, and later replies correct that. A window that has ended is taken to be followed by equal ones.
func (l *limiter) spent(now time.Time) time.Time {
	m := &l.minute
	if m.Reset.IsZero() {
		return time.Time{}
	}
	if over := now.Sub(m.Reset); over >= 0 {
		if m.Limit <= 0 {
			l.minute = Quota{}
			return time.Time{}
		}
		m.Reset = m.Reset.Add((over/time.Minute + 1) * time.Minute)
		m.Remaining = m.Limit
		l.countedAt = l.sent
	}
	if m.Remaining > l.sent-l.countedAt {
		return time.Time{}
	}
	return m.Reset
}

// wake lets those that wait look again.
func (l *limiter) wake() {
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// state gives the number of items that may be in flight, and the end of the shared wait or zero.
func (l *limiter) state() (int, time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !time.Now().Before(l.waiting) {
		return l.limit, time.Time{}
	}
	return l.limit, l.waiting
}
