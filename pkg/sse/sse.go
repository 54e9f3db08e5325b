// Package sse reads server-sent events as the WHATWG HTML standard (section 9.2) defines them, and as servers send them in
// fact. It knows nothing of what the events hold.
package sse

import (
	"bytes"
	"errors"
	"io"
)

// MaxEvent is about the longest event that is read, in bytes.
const MaxEvent = 128 << 20

// ErrTooLong says that an event, or a line that has no end, is longer than MaxEvent.
var ErrTooLong = errors.New("server-sent event longer than 128 MiB")

// Event is one event that has data. Its slices are valid until the next call of Next.
type Event struct {
	// Type is the event field, nil if there is none. A field called "error", as llama.cpp sends it (llama.cpp#16109), gives
	// the type "error" and its value as the data.
	Type []byte
	// Data is the value of the data field, several of them joined by line feeds. It is never empty.
	Data []byte
	// Joined says that the data are several lines.
	Joined bool
	// Cut says that the input ended before the blank line that ends an event. The data may be whole all the same.
	Cut bool
}

// Reader reads events from a stream. It reads no further than it must: as long as a whole event is in the buffer, the source
// is not asked for more.
type Reader struct {
	src        io.Reader
	err        error  // of the source, once it ended
	limit      int    // of an event: MaxEvent
	buf        []byte // buf[start:end] is unread
	start, end int
	lf, cr     int    // where the first line feed and carriage return of buf[start:end] are, or are to be looked for from
	skipLF     bool   // the last line ended in CR: a line feed that follows belongs to it
	begun      bool   // the first line was read, so that a BOM is no longer one
	last       string // of EndAt

	kind   []byte // the event at hand: its type
	lines  int    // how many data lines it has
	data   span   // the one data line, in buf
	joined []byte // more than one
}

// span is a piece of a Reader's buffer.
type span struct{ from, to int }

const (
	bufferSize = 128 << 10
	leastRead  = 64 << 10
)

// NewReader returns a Reader of the events of src.
func NewReader(src io.Reader) *Reader { return &Reader{src: src, limit: MaxEvent} }

// EndAt makes a data line of this text, blanks round it aside, end its event at once: some servers send the last event of a stream
// without the blank line and keep the connection open.
func (r *Reader) EndAt(text string) { r.last = text }

// isLast tells whether a line ends its event as EndAt says.
func (r *Reader) isLast(line span) bool {
	if r.last == "" || line.to-line.from > len(r.last)+16 {
		return false
	}
	value, found := bytes.CutPrefix(r.buf[line.from:line.to], []byte("data:"))
	return found && string(bytes.TrimSpace(value)) == r.last
}

// Next returns the next event that has data. At the end of the input the error is io.EOF, after an event that the end cut. Any
// other error of the source is returned as it is once the events before it are, and the event it broke is dropped. An error
// is for good.
func (r *Reader) Next() (Event, error) {
	r.clear()
	for {
		line, err := r.line()
		switch {
		case err == io.EOF && r.hasData():
			return r.event(true), nil
		case err != nil:
			return Event{}, err
		case line.from < line.to:
			last := r.isLast(line)
			if err := r.field(line); err != nil {
				return Event{}, err
			}
			if last {
				return r.event(false), nil
			}
		case r.hasData():
			return r.event(false), nil
		default:
			r.clear()
		}
	}
}

func (r *Reader) clear() { r.kind, r.lines = r.kind[:0], 0 }

func (r *Reader) hasData() bool { return r.lines == 1 && r.data.from < r.data.to || r.lines > 1 }

func (r *Reader) event(cut bool) Event {
	e := Event{Data: r.joined, Joined: r.lines > 1, Cut: cut}
	if r.lines == 1 {
		e.Data = r.buf[r.data.from:r.data.to:r.data.to]
	}
	if len(r.kind) > 0 {
		e.Type = r.kind
	}
	return e
}

// field takes a line, which is not empty, into the event at hand.
func (r *Reader) field(line span) error {
	text := r.buf[line.from:line.to]
	colon := 4
	if len(text) < 5 || string(text[:5]) != "data:" {
		if colon = bytes.IndexByte(text, ':'); colon < 0 {
			colon = len(text)
		}
	}
	value := span{min(line.from+colon+1, line.to), line.to}
	if value.from < value.to && r.buf[value.from] == ' ' {
		value.from++
	}
	switch string(text[:colon]) {
	case "data":
		return r.addData(value)
	case "event":
		r.kind = append(r.kind[:0], r.buf[value.from:value.to]...)
	case "error":
		r.kind = append(r.kind[:0], "error"...)
		return r.addData(value)
	}
	return nil
}

func (r *Reader) addData(value span) error {
	r.lines++
	if r.lines == 1 {
		r.data = value
		return nil
	}
	if r.lines == 2 {
		r.joined = append(r.joined[:0], r.buf[r.data.from:r.data.to]...)
	}
	if len(r.joined)+value.to-value.from > r.limit {
		return r.tooLong()
	}
	r.joined = append(r.joined, '\n')
	r.joined = append(r.joined, r.buf[value.from:value.to]...)
	return nil
}

// tooLong makes ErrTooLong what is left to read.
func (r *Reader) tooLong() error {
	r.start, r.err = r.end, ErrTooLong
	return ErrTooLong
}

// line reads a line. The last one of the input needs no line end.
func (r *Reader) line() (span, error) {
	for {
		if r.skipLF && r.start < r.end {
			r.skipLF = false
			if r.buf[r.start] == '\n' {
				r.start++
			}
		}
		r.lf = r.find('\n', r.lf)
		if r.cr < r.end {
			r.cr = r.find('\r', r.cr)
		}
		if i := min(r.lf, r.cr); i < r.end {
			line := span{r.start, i}
			r.skipLF = i == r.cr
			r.start = i + 1
			return r.withoutBOM(line), nil
		}
		if r.err != nil {
			if r.err != io.EOF || r.start == r.end {
				return span{}, r.err
			}
			line := span{r.start, r.end}
			r.start = r.end
			return r.withoutBOM(line), nil
		}
		if err := r.fill(); err != nil {
			return span{}, err
		}
	}
}

// find gives where the first c in buf[start:end] is, or end, when there is none before from. So that each byte is scanned
// once, however many reads a line takes, from is what find gave for c before.
func (r *Reader) find(c byte, from int) int {
	from = max(from, r.start)
	if from == r.end || r.buf[from] == c {
		return from
	}
	if i := bytes.IndexByte(r.buf[from:r.end], c); i >= 0 {
		return from + i
	}
	return r.end
}

// withoutBOM gives a line without the byte order mark that the first one may have.
func (r *Reader) withoutBOM(line span) span {
	if !r.begun {
		r.begun = true
		if bytes.HasPrefix(r.buf[line.from:line.to], []byte("\ufeff")) {
			line.from += len("\ufeff")
		}
	}
	return line
}

// fill reads once from the source, behind the part of a line that is unread.
func (r *Reader) fill() error {
	if err := r.makeRoom(); err != nil {
		return err
	}
	for range 100 {
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		r.err = err
		if n > 0 || err != nil {
			return nil
		}
	}
	r.err = io.ErrNoProgress
	return nil
}

// makeRoom sees to it that there is room for leastRead bytes behind end. It moves what is to be kept, which is the data line
// of the event at hand and the unread part of a line, to the front of the buffer, or of one twice the size.
func (r *Reader) makeRoom() error {
	held := span{}
	if r.lines == 1 {
		held = r.data
	}
	kept, unread := held.to-held.from, r.end-r.start
	if kept+unread > r.limit {
		return r.tooLong()
	}
	if kept+unread > 0 && len(r.buf)-r.end >= leastRead {
		return nil
	}
	buf := r.buf
	if len(buf)-kept-unread < leastRead {
		buf = make([]byte, max(bufferSize, min(2*len(buf), r.limit+leastRead)))
	}
	copy(buf, r.buf[held.from:held.to])
	copy(buf[kept:], r.buf[r.start:r.end])
	r.buf, r.data = buf, span{0, kept}
	r.lf, r.cr = r.lf-r.start+kept, r.cr-r.start+kept
	r.start, r.end = kept, kept+unread
	return nil
}
