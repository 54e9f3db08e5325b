package batch

import (
	"context"
	"sync"
)

// window bounds what is begun and not yet written: the number of items, and the bytes of the lines and answers of those that
// are done. The first item in it can always be written, so that a full one empties.
type window struct {
	maxItems, maxBytes int
	room               chan struct{} // of capacity 1: something has left

	mu           sync.Mutex
	items, bytes int
}

// enter lets one more item in, as soon as there is room or ctx is done. One goroutine may call it at a time.
func (w *window) enter(ctx context.Context) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		w.mu.Lock()
		ok := w.items < w.maxItems && w.bytes < w.maxBytes
		if ok {
			w.items++
		}
		w.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-w.room:
		case <-ctx.Done():
		}
	}
}

// hold adds the bytes of an item that is done.
func (w *window) hold(bytes int) {
	w.mu.Lock()
	w.bytes += bytes
	w.mu.Unlock()
}

// leave takes a written item and its bytes out.
func (w *window) leave(bytes int) {
	w.mu.Lock()
	w.items--
	w.bytes -= bytes
	w.mu.Unlock()
	select {
	case w.room <- struct{}{}:
	default:
	}
}
