// Package object reads and changes JSON (RFC 8259) as bytes: member order, the spelling of numbers and strings, and members
// that nobody knows survive.
package object

// maxDepth is how deep values may nest, as in encoding/json.
const maxDepth = 10000

// Cursor walks one JSON text once and checks its syntax as it goes, without allocating. It takes any byte from 0x80 up
// within strings, so that a reply whose UTF-8 is broken can still be read; Valid and Parse do not.
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
//	err := c.End()
//
// Each member's key and value, and each element, is to be consumed before Next is called again; what is not shows as an error
// of syntax. A copy of a Cursor goes on from the same place on its own.
type Cursor struct {
	data  []byte
	pos   int
	depth int    // how many Begins are open
	array uint64 // bit n: Begin n of these 64 was of an array
	outer *frame // what array was, when more are open
	fresh bool   // nothing was consumed since Begin
	bad   *SyntaxError
}

// frame keeps 64 Begins.
type frame struct {
	array uint64
	outer *frame
}

// NewCursor returns a Cursor before the value of data.
func NewCursor(data []byte) Cursor { return Cursor{data: data} }

// Kind tells what the next value is: '{', '[', '"', 't', 'f', 'n', or '0' for any number. It is 0 at the end, after an error,
// and where no value begins. It consumes nothing.
func (c *Cursor) Kind() byte {
	c.pos = skip(c.data, c.pos)
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
	c.pos = skip(c.data, c.pos)
	if c.bad != nil || c.pos == len(c.data) || c.data[c.pos] != open {
		return false
	}
	if c.depth == maxDepth {
		c.fail(c.pos, tooDeep)
		return false
	}
	if c.depth > 0 && c.depth%64 == 0 {
		c.outer = &frame{c.array, c.outer}
	}
	bit := uint64(1) << (c.depth % 64)
	c.array &^= bit
	if open == '[' {
		c.array |= bit
	}
	c.depth++
	c.pos++
	c.fresh = true
	return true
}

// Next moves to the next member or element of the innermost Begin that is open. At the closing bracket it consumes that and
// gives false; it also gives false after an error.
func (c *Cursor) Next() bool {
	if c.bad != nil || c.depth == 0 {
		return false
	}
	last, noComma := byte('}'), noCommaInObject
	if c.array>>((c.depth-1)%64)&1 != 0 {
		last, noComma = ']', noCommaInArray
	}
	i := skip(c.data, c.pos)
	switch {
	case i < len(c.data) && c.data[i] == last:
		c.pos = i + 1
		c.fresh = false
		c.depth--
		if c.depth > 0 && c.depth%64 == 0 {
			c.array, c.outer = c.outer.array, c.outer.outer
		}
		return false
	case c.fresh:
		c.fresh = false
		c.pos = i
		return true
	case i == len(c.data) || c.data[i] != ',':
		c.fail(i, noComma)
		return false
	}
	if c.pos = skip(c.data, i+1); c.pos < len(c.data) && c.data[c.pos] == last {
		c.fail(c.pos, afterComma)
		return false
	}
	return true
}

// Key consumes a member's name and the colon, and gives the name as it is written, without its quotes; nil after an error. A
// name may be written with escapes, which are left as they are.
func (c *Cursor) Key() []byte {
	key := c.key()
	if key == nil {
		return nil
	}
	return key[1 : len(key)-1]
}

// key is Key with the quotes.
func (c *Cursor) key() []byte {
	if c.bad != nil {
		return nil
	}
	from := skip(c.data, c.pos)
	if from == len(c.data) || c.data[from] != '"' {
		c.fail(from, noName)
		return nil
	}
	to, what := text(c.data, from)
	if what != none {
		c.fail(to, what)
		return nil
	}
	i := skip(c.data, to)
	if i == len(c.data) || c.data[i] != ':' {
		c.fail(i, noColon)
		return nil
	}
	c.pos = i + 1
	return c.data[from:to]
}

// Value consumes one value and gives its bytes, a slice of the text without the white space round it; nil after an error.
func (c *Cursor) Value() []byte {
	if c.bad != nil {
		return nil
	}
	from := skip(c.data, c.pos)
	to, what := value(c.data, from, c.depth)
	if what != none {
		c.fail(to, what)
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
		if c.pos = skip(c.data, c.pos); c.pos < len(c.data) {
			c.fail(c.pos, trailing)
		}
	}
	return c.Err()
}

func (c *Cursor) fail(at int, what fault) {
	if c.bad == nil {
		c.bad = syntaxError(c.data, at, what)
	}
}
