package batch

import (
	"fmt"
	"io"
)

// flushSize is how many bytes of lines are put into one write at most, but for a longer line.
const flushSize = 256 << 10

// result is what is to be written for an item: whole lines, none for an item that counts as never begun.
type result struct {
	seq    int64
	held   int // the bytes that the window counts for it
	line   []byte
	failed []byte // the input line
}

// write writes results until there are no more, those at hand in one write.
func (r *runner) write() {
	defer close(r.written)
	out, failed := lineWriter{to: r.o.Out}, lineWriter{to: r.o.Failed}
	check := func() {
		for _, err := range []error{out.err, failed.err} {
			if err != nil && r.writeErr == nil {
				r.writeErr = fmt.Errorf("%w: %w", ErrWrite, err)
				r.cancel(r.writeErr)
			}
		}
	}
	put := func(res *result) {
		out.put(res.line)
		failed.put(res.failed)
		r.window.leave(res.held)
		check()
	}
	flush := func() {
		out.flush()
		failed.flush()
		check()
	}
	defer flush()

	ahead := map[int64]result{} // those before which one is missing
	for next := int64(0); ; {
		var res result
		var more bool
		select {
		case res, more = <-r.results:
		default:
			flush()
			res, more = <-r.results
		}
		switch {
		case !more:
			return
		case !r.o.Ordered:
			put(&res)
			continue
		}
		ahead[res.seq] = res
		for res, ready := ahead[next]; ready; res, ready = ahead[next] {
			put(&res)
			delete(ahead, next)
			next++
		}
	}
}

// lineWriter gathers lines for a writer. After an error it drops them.
type lineWriter struct {
	to  io.Writer
	buf []byte
	err error
}

// put takes a line, or several whole ones. A long one is not copied.
func (w *lineWriter) put(line []byte) {
	if len(w.buf)+len(line) > flushSize {
		w.flush()
	}
	if len(line) > flushSize {
		w.write(line)
		return
	}
	w.buf = append(w.buf, line...)
}

// flush writes what was put.
func (w *lineWriter) flush() {
	w.write(w.buf)
	w.buf = w.buf[:0]
}

func (w *lineWriter) write(lines []byte) {
	if len(lines) > 0 && w.err == nil {
		_, w.err = w.to.Write(lines)
	}
}
