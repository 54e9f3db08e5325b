package batch

import (
	"context"
	"slices"
	"sync"
)

// maxHeld is how many bytes of answers may wait to be written before no more items are begun.
const maxHeld = 64 << 20

// runner is a batch at work: one goroutine reads lines, one begins items, each item has its own, and one writes.
type runner struct {
	o        *Options
	ctx      context.Context // ends all
	cancel   context.CancelCauseFunc
	soft     context.Context // ends the beginning of items
	stop     context.CancelCauseFunc
	limiter  *limiter
	window   *window
	items    chan *Item
	readErr  error // set before items is closed
	results  chan result
	written  chan struct{} // closed when the writer is done
	writeErr error         // set before written is closed

	mu       sync.Mutex
	failures map[string]int64
	failed   int64
	left     bool // an item that was begun is left for a later run
}

func newRunner(ctx context.Context, o *Options) *runner {
	r := &runner{o: o, failures: map[string]int64{}}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	r.soft, r.stop = context.WithCancelCause(r.ctx)
	r.limiter = newLimiter(r.soft, r.stop, o.Concurrency, o.RPM)
	r.window = &window{maxItems: o.Window, maxBytes: maxHeld, room: make(chan struct{}, 1)}
	r.items = make(chan *Item)
	r.results = make(chan result, o.Concurrency)
	r.written = make(chan struct{})
	o.Progress.limiter.Store(r.limiter)
	return r
}

// run does the batch and says why it ended early.
func (r *runner) run() error {
	defer r.cancel(nil)
	if r.o.Stop != nil {
		go func() {
			select {
			case <-r.o.Stop:
				r.stop(ErrStopped)
			case <-r.soft.Done():
			}
		}()
	}
	go r.read()
	go r.write()

	var flight sync.WaitGroup
	whole := r.begin(&flight)
	flight.Wait()
	close(r.results)
	<-r.written

	switch {
	case r.writeErr != nil:
		return r.writeErr
	case whole && !r.left:
		return r.readErr
	}
	return context.Cause(r.soft)
}

// read hands over the items that are still to be answered.
func (r *runner) read() {
	defer close(r.items)
	for item, err := range r.o.Input.Items() {
		if err != nil {
			r.readErr = err
			return
		}
		r.o.Progress.read(item)
		if item.Answered {
			continue
		}
		select {
		case r.items <- item:
		case <-r.ctx.Done():
			return
		}
	}
}

// begin begins items until no more may be begun, and reports whether it has begun all.
func (r *runner) begin(flight *sync.WaitGroup) bool {
	for seq := int64(0); ; seq++ {
		var item *Item
		select {
		case next, ok := <-r.items:
			if !ok {
				return true
			}
			item = next
		case <-r.soft.Done():
			return r.exhausted()
		}
		if r.window.enter(r.soft) != nil {
			return false
		}
		if item.Code != "" {
			r.window.hold(len(item.Raw))
			r.finish(result{seq: seq, held: len(item.Raw)}, item, &Outcome{Code: item.Code, Message: item.Message}, nil)
			continue
		}
		turn, err := r.limiter.acquire()
		if err != nil {
			return false
		}
		r.o.Progress.begin()
		flight.Go(func() {
			out := r.o.Do(r.ctx, item, turn)
			// Before the next one may begin, so that none begins while this one has no room.
			held := len(item.Raw) + len(out.Body) + len(out.Text)
			r.window.hold(held)
			r.o.Progress.end(&out)
			r.finish(result{seq: seq, held: held}, item, &out, turn)
		})
	}
}

// exhausted tells whether the input had no more items when the beginning of them ended. That the day's last request was that
// of the last line is worth waiting for the end of the input; after a signal nothing is.
func (r *runner) exhausted() bool {
	if context.Cause(r.soft) == ErrStopped {
		return false
	}
	select {
	case _, more := <-r.items:
		return !more
	case <-r.o.Stop:
	case <-r.ctx.Done():
	}
	return false
}

// finish counts an outcome, gives its turn back and its line to the writer. It is counted first, so that the failure that is
// one too many lets no other item begin. An item that was not asked has no turn.
func (r *runner) finish(res result, item *Item, out *Outcome, turn *Turn) {
	out.settle()
	ended := turn != nil && (r.ctx.Err() != nil || turn.refused) // a failure may be the batch's end and not the item's
	if out.Code != "" && ended {
		r.mu.Lock()
		r.left = true
		r.mu.Unlock()
		if !r.o.Content {
			turn.release()
			r.results <- res
			return
		}
	}
	if r.o.Content {
		res.line = appendContent(nil, out)
	} else {
		res.line = appendLine(nil, item, out)
	}
	if out.Code != "" && r.o.Failed != nil && item.Raw != nil {
		res.failed = slices.Concat(item.Raw, []byte{'\n'})
	}
	r.count(out)
	if turn != nil {
		turn.release()
	}
	r.results <- res
}

// count counts an outcome that is final.
func (r *runner) count(out *Outcome) {
	r.o.Progress.settle(out)
	if out.Code == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures[out.Code]++
	r.failed++
	if r.failed == r.o.StopAtFailures {
		r.stop(ErrTooManyFailures)
	}
}
