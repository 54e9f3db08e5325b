// Package object reads and changes JSON as bytes: member order, the spelling of numbers and strings, and members that
// nobody knows survive.
package object

import (
	"encoding/binary"
	"math/bits"
)

// maxDepth is how deep values may nest, as in encoding/json.
const maxDepth = 10000

// maxBegin is how deep the Begins of a Cursor may nest.
const maxBegin = 64

// Cursor walks one JSON text once and checks its syntax as it goes, without allocating. It takes any byte from 0x80 up
// within strings, so that a reply whose UTF-8 is broken can still be read.
//
//	if c.Begin('{') {
//		for c.Next() {
//			switch string(c.Key()) {
//			case "name":
//				name = c.Value()
//			default:
//				c.Value()
//			}
//		}
//	}
//
// What was not consumed of a member or element when Next is called is an error of the program, which shows as an error of
// syntax.
type Cursor struct {
	data  []byte
	pos   int
	fresh bool   // Begin was just called
	depth int    // of Begins
	array uint64 // bit n: the nth Begin was of an array
	bad   *SyntaxError
}

// NewCursor returns a Cursor before the value of data.
func NewCursor(data []byte) Cursor { return Cursor{data: data} }

// Kind tells what the next value is: '{', '[', '"', 't', 'f', 'n', or '0' for any number. It is 0 at the end and where no
// value begins.
func (c *Cursor) Kind() byte {
	c.pos = space(c.data, c.pos)
	if c.bad != nil || c.pos == len(c.data) {
		return 0
	}
	switch b := c.data[c.pos]; b {
	case '{', '[', '"', 't', 'f', 'n':
		return b
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return '0'
	}
	return 0
}

// Begin consumes the opening bracket, '{' or '[', if it is next; else it consumes nothing and gives false.
func (c *Cursor) Begin(open byte) bool {
	if c.Kind() != open {
		return false
	}
	if c.depth == maxBegin {
		c.fail(c.pos, "nested too deeply")
		return false
	}
	c.array = c.array &^ (1 << c.depth)
	if open == '[' {
		c.array |= 1 << c.depth
	}
	c.depth++
	c.pos++
	c.fresh = true
	return true
}

// Next moves to the next member or element of the innermost Begin. At the closing bracket it consumes it and gives false.
func (c *Cursor) Next() bool {
	if c.bad != nil || c.depth == 0 {
		return false
	}
	end := byte('}')
	if c.array&(1<<(c.depth-1)) != 0 {
		end = ']'
	}
	c.pos = space(c.data, c.pos)
	switch {
	case c.pos == len(c.data):
		c.fail(c.pos, "")
		return false
	case c.data[c.pos] == end:
		c.pos++
		c.depth--
		c.fresh = false
		return false
	case c.fresh:
		c.fresh = false
		return true
	case c.data[c.pos] != ',':
		c.fail(c.pos, "want a comma or "+string(end)+", found")
		return false
	}
	c.pos = space(c.data, c.pos+1)
	if c.pos < len(c.data) && c.data[c.pos] == end {
		c.fail(c.pos, "after a comma stands")
		return false
	}
	return true
}

// Key consumes the name of a member and the colon, and gives the name as it is written, without its quotes.
func (c *Cursor) Key() []byte {
	raw := c.text()
	if raw == nil {
		return nil
	}
	c.pos = space(c.data, c.pos)
	if c.pos == len(c.data) || c.data[c.pos] != ':' {
		c.fail(c.pos, "want a colon, found")
		return nil
	}
	c.pos++
	return raw[1 : len(raw)-1]
}

func (c *Cursor) text() []byte {
	if c.Kind() != '"' {
		c.fail(c.pos, "want a member's name in quotes, found")
		return nil
	}
	return c.Value()
}

// Value consumes one value and gives its bytes; nil after an error.
func (c *Cursor) Value() []byte {
	if c.bad != nil {
		return nil
	}
	from := space(c.data, c.pos)
	to, why := value(c.data, from, c.depth)
	if why != "" {
		c.fail(to, why[1:])
		return nil
	}
	c.pos = to
	return c.data[from:to]
}

// Err gives the first error, a *SyntaxError, or nil.
func (c *Cursor) Err() error {
	if c.bad == nil {
		return nil
	}
	return c.bad
}

// End gives the first error, or one if more than white space is left.
func (c *Cursor) End() error {
	if c.bad == nil {
		if c.pos = space(c.data, c.pos); c.pos < len(c.data) {
			c.fail(c.pos, "unexpected text after the JSON value:")
		}
	}
	return c.Err()
}

func (c *Cursor) fail(at int, why string) {
	if c.bad == nil {
		c.bad = syntaxError(c.data, at, why)
	}
}

func space(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r') {
		i++
	}
	return i
}

// value finds the end of the value that begins at i. If there is none, why is a mark and what to say, and the index is
// where.
func value(data []byte, i, depth int) (end int, why string) {
	if i == len(data) {
		return i, "!"
	}
	switch c := data[i]; c {
	case '"':
		return text(data, i)
	case '{', '[':
		return nested(data, i, depth)
	case 't':
		return literal(data, i, "true")
	case 'f':
		return literal(data, i, "false")
	case 'n':
		return literal(data, i, "null")
	}
	return number(data, i)
}

func nested(data []byte, i, depth int) (end int, why string) {
	if depth >= maxDepth {
		return i, "!nested too deeply"
	}
	object := data[i] == '{'
	last := data[i] + 2 // '}' and ']' follow their opening brackets by two
	if i = space(data, i+1); i < len(data) && data[i] == last {
		return i + 1, ""
	}
	for {
		if object {
			if i == len(data) || data[i] != '"' {
				return i, "!want a member's name in quotes, found"
			}
			if i, why = text(data, i); why != "" {
				return i, why
			}
			if i = space(data, i); i == len(data) || data[i] != ':' {
				return i, "!want a colon, found"
			}
			i = space(data, i+1)
		}
		if i, why = value(data, i, depth+1); why != "" {
			return i, why
		}
		i = space(data, i)
		if i == len(data) {
			return i, "!"
		}
		if data[i] == last {
			return i + 1, ""
		}
		if data[i] != ',' {
			if object {
				return i, "!want a comma or }, found"
			}
			return i, "!want a comma or ], found"
		}
		if i = space(data, i+1); i < len(data) && data[i] == last {
			return i, "!after a comma stands"
		}
	}
}

func literal(data []byte, i int, word string) (end int, why string) {
	for k := range len(word) {
		if i+k == len(data) || data[i+k] != word[k] {
			return i + k, "!want " + word + ", found"
		}
	}
	return i + len(word), ""
}

func number(data []byte, i int) (end int, why string) {
	from := i
	if data[i] == '-' {
		i++
	}
	switch {
	case i < len(data) && data[i] == '0':
		i++
	case i < len(data) && data[i] >= '1' && data[i] <= '9':
		i = digits(data, i)
	case i > from:
		return i, "!want a digit, found"
	default:
		return i, "!want a value, found"
	}
	if i < len(data) && data[i] == '.' {
		if from = i + 1; digits(data, from) == from {
			return from, "!want a digit, found"
		}
		i = digits(data, from)
	}
	if i < len(data) && (data[i] == 'e' || data[i] == 'E') {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		if from = i; digits(data, from) == from {
			return from, "!want a digit, found"
		}
		i = digits(data, from)
	}
	if i < len(data) && data[i] >= '0' && data[i] <= '9' {
		return i, "!a number has no leading zeros: found"
	}
	return i, ""
}

func digits(data []byte, i int) int {
	for i < len(data) && data[i] >= '0' && data[i] <= '9' {
		i++
	}
	return i
}

// text finds the end of the string that begins at i.
func text(data []byte, i int) (end int, why string) {
	for i++; ; {
		i = plain(data, i)
		if i >= len(data) {
			return len(data), "!"
		}
		switch c := data[i]; {
		case c == '"':
			return i + 1, ""
		case c != '\\':
			return i, "!a string cannot hold the control character"
		case i+1 == len(data):
			return i + 1, "!"
		}
		switch data[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			for k := i + 2; k < i+6; k++ {
				if k == len(data) || !isHex(data[k]) {
					return min(k, len(data)), "!want four hexadecimal digits after \\u, found"
				}
			}
			i += 6
		default:
			return i + 1, "!no such escape: \\"
		}
	}
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// plain gives the index of the first byte from i on that has a meaning in a string: a quote, a backslash or a control
// character; len(data) if there is none. It looks at eight bytes at a time.
func plain(data []byte, i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	for ; i+8 <= len(data); i += 8 {
		x := binary.LittleEndian.Uint64(data[i:])
		quote, slash := x^ones*'"', x^ones*'\\'
		found := ((x-ones*' ')&^x | (quote-ones)&^quote | (slash-ones)&^slash) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c == '"' || c == '\\' || c < ' ' {
			break
		}
	}
	return i
}
