// Package sse reads server-sent events as the WHATWG HTML standard defines them, and as servers send them in fact. It knows
// nothing of what the events hold.
package sse

import (
	"bytes"
	"errors"
	"io"
)

// MaxEvent is the longest event that is read, in bytes.
const MaxEvent = 128 << 20

// ErrTooLong says that an event is longer than MaxEvent.
var ErrTooLong = errors.New("server-sent event longer than 128 MiB")

// Event is one event that has data.
type Event struct {
	// Type is the event field, nil if there is none. A field called "error", as llama.cpp sends it, gives the type "error" and
	// its value as the data.
	Type []byte
	// Data is the value of the data field, several of them joined by line feeds. It is never empty.
	Data []byte
	// Cut says that the input ended before the blank line that ends an event. The data may be whole all the same.
	Cut bool
}

// Reader reads events from a stream. It reads no further than it must: when an event is in the buffer whole, the source is
// not asked for more.
type Reader struct {
	src        io.Reader
	err        error  // of the source, once it ended
	buf        []byte // buf[start:end] is unread
	start, end int
	noLF, noCR int  // no line feed, no carriage return stands in buf[start:noLF], buf[start:noCR]
	skipLF     bool // the last line ended in CR: an LF that follows belongs to it
	begun      bool // the first line was read, so that a BOM is no longer one

	dataFrom, dataTo int    // the one data line of the event, in buf; dataFrom < 0: none, or several
	joined           []byte // several data lines
	lines            int    // how many there were
	kind             []byte
}

const (
	bufferSize = 128 << 10
	leastRead  = 16 << 10
)

// NewReader returns a Reader of the events of src.
func NewReader(src io.Reader) *Reader { return &Reader{src: src, dataFrom: -1} }

// Next returns the next event that has data; its slices are valid until the next call. At the end of the input the error is
// io.EOF, after an event that the end cut. Any other error of the source is returned as it is, and the event it broke is
// dropped.
func (r *Reader) Next() (Event, error) {
	r.dataFrom, r.lines, r.kind = -1, 0, r.kind[:0]
	for {
		from, to, err := r.line()
		switch {
		case err == io.EOF && r.hasData():
			return r.event(true), nil
		case err != nil:
			return Event{}, err
		case from < to:
			if err := r.field(from, to); err != nil {
				return Event{}, err
			}
		case r.hasData():
			return r.event(false), nil
		default:
			r.dataFrom, r.lines, r.kind = -1, 0, r.kind[:0]
		}
	}
}

func (r *Reader) hasData() bool {
	return r.lines == 1 && r.dataFrom < r.dataTo || r.lines > 1 && len(r.joined) > 0
}

func (r *Reader) event(cut bool) Event {
	e := Event{Cut: cut}
	if len(r.kind) > 0 {
		e.Type = r.kind
	}
	if r.lines == 1 {
		e.Data = r.buf[r.dataFrom:r.dataTo]
	} else {
		e.Data = r.joined
	}
	return e
}

// field takes the line buf[from:to].
func (r *Reader) field(from, to int) error {
	line := r.buf[from:to]
	colon := bytes.IndexByte(line, ':')
	if colon == 0 {
		return nil
	}
	name, value := line, to
	if colon > 0 {
		name, value = line[:colon], from+colon+1
		if value < to && r.buf[value] == ' ' {
			value++
		}
	}
	switch string(name) {
	case "data":
		return r.data(value, to)
	case "event":
		r.kind = append(r.kind[:0], r.buf[value:to]...)
	case "error":
		r.kind = append(r.kind[:0], "error"...)
		return r.data(value, to)
	}
	return nil
}

// data adds the data line buf[from:to] to the event.
func (r *Reader) data(from, to int) error {
	if r.lines++; r.lines == 1 {
		r.dataFrom, r.dataTo = from, to
		return nil
	}
	if r.lines == 2 {
		r.joined = append(r.joined[:0], r.buf[r.dataFrom:r.dataTo]...)
		r.dataFrom = -1
	}
	if len(r.joined)+to-from > MaxEvent {
		return ErrTooLong
	}
	r.joined = append(r.joined, '\n')
	r.joined = append(r.joined, r.buf[from:to]...)
	return nil
}

// line reads a line, which is buf[from:to] until the next call of fill. The last line needs no line end.
func (r *Reader) line() (from, to int, err error) {
	for {
		if r.skipLF && r.start < r.end {
			r.skipLF = false
			if r.buf[r.start] == '\n' {
				r.start++
			}
		}
		if i := r.lineEnd(); i >= 0 {
			from, to = r.start, i
			r.skipLF = r.buf[i] == '\r'
			r.start = i + 1
			return r.withoutBOM(from, to), to, nil
		}
		if r.err != nil {
			if r.err != io.EOF || r.start == r.end {
				return 0, 0, r.err
			}
			from, to = r.start, r.end
			r.start = r.end
			return r.withoutBOM(from, to), to, nil
		}
		if err := r.fill(); err != nil {
			return 0, 0, err
		}
	}
}

// withoutBOM gives where the line buf[from:to] begins behind the byte order mark that the first may have.
func (r *Reader) withoutBOM(from, to int) int {
	if !r.begun && bytes.HasPrefix(r.buf[from:to], []byte("\ufeff")) {
		from += len("\ufeff")
	}
	r.begun = true
	return from
}

// lineEnd finds the first line feed or carriage return of buf[start:end], or -1. Each byte is looked at once for each.
func (r *Reader) lineEnd() int {
	end := r.end
	r.noLF = max(r.noLF, r.start)
	if r.noLF < end {
		if i := bytes.IndexByte(r.buf[r.noLF:end], '\n'); i >= 0 {
			r.noLF += i
			end = r.noLF
		} else {
			r.noLF = end
		}
	}
	r.noCR = max(r.noCR, r.start)
	if r.noCR < end {
		if i := bytes.IndexByte(r.buf[r.noCR:end], '\r'); i >= 0 {
			r.noCR += i
			return r.noCR
		}
		r.noCR = end
	}
	if end < r.end {
		return end
	}
	return -1
}

// fill reads once from the source, behind what is unread and what the event at hand holds.
func (r *Reader) fill() error {
	from := r.start
	if r.dataFrom >= 0 {
		from = min(from, r.dataFrom)
	}
	if r.end-from > MaxEvent {
		return ErrTooLong
	}
	if len(r.buf)-r.end < leastRead || from == r.end {
		buf := r.buf
		if len(buf)-(r.end-from) < leastRead {
			buf = make([]byte, max(bufferSize, 2*len(buf)))
		}
		copy(buf, r.buf[from:r.end])
		r.buf = buf
		r.start, r.end, r.noLF, r.noCR = r.start-from, r.end-from, r.noLF-from, r.noCR-from
		if r.dataFrom >= 0 {
			r.dataFrom, r.dataTo = r.dataFrom-from, r.dataTo-from
		}
	}
	for range 100 {
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		if err != nil {
			r.err = err
			return nil
		}
		if n > 0 {
			return nil
		}
	}
	r.err = io.ErrNoProgress
	return nil
}
