package object

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// SyntaxError is a text that is no JSON. Offset is in bytes from 0; Line and Column count from 1, Column in characters.
type SyntaxError struct {
	Offset, Line, Column int
	Msg                  string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// syntaxError says what stands at an offset, after the words of why.
func syntaxError(data []byte, at int, why string) *SyntaxError {
	at = min(at, len(data))
	line := bytes.Count(data[:at], []byte{'\n'}) + 1
	column := utf8.RuneCount(data[bytes.LastIndexByte(data[:at], '\n')+1:at]) + 1
	e := &SyntaxError{Offset: at, Line: line, Column: column}
	switch {
	case space(data, 0) == len(data):
		e.Msg = "empty, want JSON"
	case at == len(data):
		e.Msg = "the JSON ends too early"
	default:
		r, n := utf8.DecodeRune(data[at:])
		found := strconv.Quote(string(r))
		if r == utf8.RuneError && n < 2 {
			found = fmt.Sprintf("the byte 0x%02X", data[at])
		}
		if why == "" {
			why = "unexpected"
		}
		e.Msg = why + " " + found
	}
	return e
}

// Valid checks that data is one JSON value and nothing else, in valid UTF-8. Its error is a *SyntaxError.
func Valid(data []byte) error {
	if !utf8.Valid(data) {
		for at := 0; ; {
			r, n := utf8.DecodeRune(data[at:])
			if r == utf8.RuneError && n < 2 {
				return syntaxError(data, at, "not valid UTF-8:")
			}
			at += n
		}
	}
	c := NewCursor(data)
	c.Value()
	if err := c.End(); err != nil {
		return err
	}
	return nil
}

// Text gives the JSON text that the bytes of a file hold: without a UTF-8 byte order mark. UTF-16, UTF-32 and NUL bytes are
// an error that says so.
func Text(data []byte) ([]byte, error) {
	for _, mark := range []struct{ bom, name string }{
		{"\x00\x00\xfe\xff", "UTF-32"}, {"\xff\xfe\x00\x00", "UTF-32"}, {"\xfe\xff", "UTF-16"}, {"\xff\xfe", "UTF-16"},
	} {
		if bytes.HasPrefix(data, []byte(mark.bom)) {
			return nil, fmt.Errorf("the text is %s; save it as UTF-8", mark.name)
		}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if i := bytes.IndexByte(data, 0); i >= 0 {
		if i < 4 {
			return nil, fmt.Errorf("the text is UTF-16 or UTF-32; save it as UTF-8")
		}
		return nil, syntaxError(data, i, "unexpected")
	}
	return data, nil
}
