package object

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// SyntaxError says where a text is no JSON, and why. Offset counts bytes from 0, Line and Column from 1; a column is a
// character.
type SyntaxError struct {
	Offset, Line, Column int
	Msg                  string
}

func (e *SyntaxError) Error() string {
	if e.Msg == emptyText {
		return e.Msg
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

const emptyText = "empty, want JSON"

// fault is what is wrong where a text is no JSON.
type fault byte

const (
	none fault = iota
	noValue
	noName
	noColon
	noCommaInObject
	noCommaInArray
	afterComma
	noTrue
	noFalse
	noNull
	noDigit
	leadingZero
	endInString
	controlInString
	noEscape
	noHex
	tooDeep
	trailing
	notUTF8
)

// say puts a fault in words; found is what stands there.
func (f fault) say(found string) string {
	switch f {
	case noName:
		return "unexpected " + found + ", want a member's name in double quotes"
	case noColon:
		return "unexpected " + found + ", want a colon"
	case noCommaInObject:
		return "unexpected " + found + `, want a comma or "}"`
	case noCommaInArray:
		return "unexpected " + found + `, want a comma or "]"`
	case afterComma:
		return "unexpected " + found + " after a comma"
	case noTrue:
		return "unexpected " + found + ", want true"
	case noFalse:
		return "unexpected " + found + ", want false"
	case noNull:
		return "unexpected " + found + ", want null"
	case noDigit:
		return "unexpected " + found + ", want a digit"
	case leadingZero:
		return "unexpected " + found + " after a leading zero"
	case endInString:
		return "unexpected end in a string"
	case controlInString:
		return "unexpected " + found + " in a string, want it escaped"
	case noEscape:
		return "unexpected " + found + " after a backslash"
	case noHex:
		return "unexpected " + found + `, want four hexadecimal digits after \u`
	case tooDeep:
		return "nested more than " + strconv.Itoa(maxDepth) + " deep"
	case trailing:
		return "unexpected text after the JSON value"
	case notUTF8:
		return found + " is not UTF-8"
	}
	return "unexpected " + found + ", want a value"
}

// syntaxError places a fault at an offset.
func syntaxError(data []byte, at int, what fault) *SyntaxError {
	before := data[:at]
	e := &SyntaxError{
		Offset: at,
		Line:   bytes.Count(before, []byte{'\n'}) + 1,
		Column: utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1,
	}
	if skipSpace(data, 0) == len(data) {
		e.Msg = emptyText
	} else {
		e.Msg = what.say(found(data[at:]))
	}
	return e
}

// found names what a text begins with.
func found(rest []byte) string {
	r, size := utf8.DecodeRune(rest)
	switch {
	case size == 0:
		return "end"
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("byte 0x%02X", rest[0])
	case r == '"':
		return "quote"
	case r < ' ' || r == 0x7f:
		return fmt.Sprintf("control character %U", r)
	}
	return strconv.QuoteToGraphic(string(r))
}

// Valid checks that data is one JSON value and nothing else, in valid UTF-8. Its error is a *SyntaxError, of the first place
// that is wrong.
func Valid(data []byte) error {
	c := NewCursor(data)
	c.Value()
	return c.endUTF8()
}

// endUTF8 is End for a text that is to be valid UTF-8 too.
func (c *Cursor) endUTF8() error {
	err := c.End()
	if utf8.Valid(c.data) {
		return err
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(c.data[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	if c.bad != nil && c.bad.Offset < at {
		return err
	}
	return syntaxError(c.data, at, notUTF8)
}

var (
	errUTF16 = errors.New("the text is UTF-16: save it as UTF-8")
	errUTF32 = errors.New("the text is UTF-32: save it as UTF-8")
)

// Text gives the JSON text that a file's bytes hold, which is a slice of them: without the UTF-8 byte order mark that some
// editors write. UTF-16 and UTF-32, with a byte order mark or without, are errors that say so; a NUL is a *SyntaxError. The
// text itself is not checked.
func Text(file []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(file, []byte("\x00\x00\xfe\xff")), bytes.HasPrefix(file, []byte("\xff\xfe\x00\x00")):
		return nil, errUTF32
	case bytes.HasPrefix(file, []byte("\xfe\xff")), bytes.HasPrefix(file, []byte("\xff\xfe")):
		return nil, errUTF16
	}
	data := bytes.TrimPrefix(file, []byte("\ufeff"))
	nul := bytes.IndexByte(data, 0)
	if nul < 0 {
		return data, nil
	}
	// JSON begins with ASCII, each character of which is NULs and one byte.
	if head := data[:min(len(data), 4)]; nul < 2 && len(head) > 1 {
		switch bytes.Count(head, []byte{0}) {
		case len(head):
		case 3:
			return nil, errUTF32
		default:
			return nil, errUTF16
		}
	}
	err := syntaxError(data, nul, controlInString)
	err.Offset += len(file) - len(data)
	err.Msg = "unexpected NUL byte"
	return nil, err
}
