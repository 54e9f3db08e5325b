package providers

import (
	"context"
	"sync"
	"time"
)

// idleTimer ends a call that brings no payload for a time. It runs while the network is awaited and stands still while what
// came is being worked on, so that a slow reader of our output is not taken for a silent server. nil is no limit.
type idleTimer struct {
	mu      sync.Mutex
	timer   *time.Timer
	limit   time.Duration
	left    time.Duration
	since   time.Time // when it was started; zero while it stands still
	sending bool      // until the headers of the reply are here
	closed  bool
}

// newIdleTimer starts a timer that calls cancel after limit.
func newIdleTimer(limit time.Duration, cancel context.CancelCauseFunc) *idleTimer {
	if limit <= 0 {
		return nil
	}
	t := &idleTimer{limit: limit, left: limit, since: time.Now(), sending: true}
	t.timer = time.AfterFunc(limit, func() { cancel(&TimeoutError{Which: "idle", After: limit}) })
	return t
}

// start lets it run on, from the whole limit after payload.
func (t *idleTimer) start(payload bool) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.run(payload)
}

func (t *idleTimer) run(payload bool) {
	if t.closed {
		return
	}
	if payload {
		t.left = t.limit
	}
	t.since = time.Now()
	t.timer.Reset(max(t.left, time.Nanosecond))
}

// stop lets it stand still.
func (t *idleTimer) stop() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.since.IsZero() && t.timer.Stop() {
		t.left -= time.Since(t.since)
	}
	t.since = time.Time{}
}

// sent starts it anew, for the request is on its way, unless the reply is here already.
func (t *idleTimer) sent() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sending {
		t.run(true)
	}
}

// received ends the time of sending.
func (t *idleTimer) received() {
	if t == nil {
		return
	}
	t.stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sending = false
}

// close stops it for good.
func (t *idleTimer) close() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed, t.sending = true, false
	t.timer.Stop()
}
