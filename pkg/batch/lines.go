package batch

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// lines reads a file line by line. Each byte is looked at once, however long the line.
type lines struct {
	r      *bufio.Reader
	max    int   // the most bytes of a line; 0: no limit
	number int64 // of the last line, from 1
	offset int64 // where it ends
	ended  bool  // whether a line feed ended it
}

func newLines(r io.Reader, maxLine int) *lines {
	return &lines{r: bufio.NewReaderSize(r, 256<<10), max: maxLine}
}

// errTooLong is a line of more than max bytes. The next one can be read.
var errTooLong = errors.New("line too long")

// mark drops a UTF-8 byte order mark from the start of the file.
func (l *lines) mark() error {
	start, err := l.r.Peek(3)
	if err != nil && err != io.EOF {
		return err
	}
	switch {
	case string(start) == "\ufeff":
		l.r.Discard(3)
		l.offset = 3
	case len(start) >= 2 && (string(start[:2]) == "\xff\xfe" || string(start[:2]) == "\xfe\xff"):
		return ErrNotUTF8
	}
	return nil
}

// next appends the next line to buf, without the line feed that ends it. It is io.EOF after the last line, whether a line feed
// ends that or not, and the reader's error where a line could not be read to its end.
func (l *lines) next(buf []byte) ([]byte, error) {
	from, long := len(buf), false
	l.number++
	l.ended = false
	for {
		part, err := l.r.ReadSlice('\n')
		l.offset += int64(len(part))
		if err == nil {
			l.ended = true
			part = part[:len(part)-1]
		}
		// A carriage return may be part of the line's end, which is no part of its length.
		if long = long || l.max > 0 && len(buf)-from+len(part) > l.max+1; !long {
			buf = append(buf, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && err != io.EOF:
			return nil, err
		case err == io.EOF && len(part) == 0 && len(buf) == from && !long:
			l.number--
			return nil, io.EOF
		}
		line := bytes.TrimSuffix(buf[from:], []byte{'\r'})
		if long || l.max > 0 && len(line) > l.max {
			return nil, errTooLong
		}
		return buf, nil
	}
}

// blank tells whether a line is white space alone.
func blank(line []byte) bool { return len(bytes.Trim(line, " \t\r")) == 0 }
