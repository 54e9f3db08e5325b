package output

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/llmcall/llmcall/pkg/object"
)

// calls are the tool calls of a choice, merged from deltas.
type calls struct {
	list  []call
	slots []slot
}

// slot says which call the deltas of an index belong to.
type slot struct{ index, call int }

type call struct {
	id, name  []byte
	kind      []byte // the raw type
	arguments []byte // as spelled inside a JSON string
	function  members
	others    members
}

// callDelta is one element of tool_calls.
type callDelta struct {
	index     int // -1: none
	id, name  []byte
	kind      []byte
	arguments []byte // raw
	function  []byte // raw
}

// toolCalls takes the tool_calls of a delta, or of a message, where each element is a call of its own.
func (w *Writer) toolCalls(c *choice, array []byte, chunk bool) {
	cur := object.NewCursor(array)
	for cur.Begin('['); cur.Next(); {
		value := cur.Value()
		if len(value) == 0 || value[0] != '{' {
			continue
		}
		w.started, c.called = true, true
		if c.dropped || !w.keepCalls {
			continue
		}
		d := parseCall(value)
		at := 0
		if chunk {
			at = c.calls.find(&d)
		} else {
			at = c.calls.add()
		}
		c.calls.list[at].merge(&d, value)
	}
}

func parseCall(value []byte) callDelta {
	d := callDelta{index: -1}
	cur := object.NewCursor(value)
	for cur.Begin('{'); cur.Next(); {
		key := cur.Key()
		v := cur.Value()
		switch string(key) {
		case "index":
			if i, ok := natural(v); ok {
				d.index = i
			}
		case "id":
			if isText(v) {
				d.id = object.AppendUnquoted(nil, v)
			}
		case "type":
			d.kind = v
		case "function":
			d.function = v
		}
	}
	if name := member(d.function, "name"); isText(name) {
		d.name = object.AppendUnquoted(nil, name)
	}
	d.arguments = member(d.function, "arguments")
	return d
}

// merge adds what a delta says of a call.
func (c *call) merge(d *callDelta, raw []byte) {
	if len(c.id) == 0 {
		c.id = d.id
	}
	switch {
	case len(d.name) == 0 || bytes.Equal(d.name, c.name):
	case len(c.name) == 0:
		c.name = d.name
	case len(c.arguments) == 0:
		c.name = append(c.name, d.name...)
	}
	switch {
	case len(d.arguments) == 0 || d.arguments[0] == 'n':
	case d.arguments[0] == '"':
		c.arguments = append(c.arguments, d.arguments[1:len(d.arguments)-1]...)
	default:
		quoted := object.AppendString(nil, appendCompact(nil, d.arguments))
		c.arguments = quoted[1 : len(quoted)-1]
	}
	if isString(d.kind) {
		c.kind = append(c.kind[:0], d.kind...)
	}
	c.others.merge(raw, "index", "id", "type", "function")
	c.function.merge(d.function, "name", "arguments")
}

// find returns the place of the call that a delta belongs to, which may be a new one: the rule of providers.md C3. An id that is
// known names its call whatever the index says.
func (s *calls) find(d *callDelta) int {
	last := len(s.list) - 1
	if d.index >= 0 {
		i := slices.IndexFunc(s.slots, func(t slot) bool { return t.index == d.index })
		if i < 0 {
			at := s.known(d.id)
			if at < 0 && last >= 0 && len(d.id) == 0 && len(d.name) == 0 {
				at = last
			}
			if at < 0 {
				at = s.add()
			}
			s.slots = append(s.slots, slot{d.index, at})
			return at
		}
		at := s.slots[i].call
		if id := s.list[at].id; len(d.id) > 0 && len(id) > 0 && !bytes.Equal(id, d.id) {
			if at = s.known(d.id); at < 0 {
				at = s.add()
			}
			s.slots[i].call = at
		}
		return at
	}
	if len(d.id) > 0 {
		if at := s.known(d.id); at >= 0 {
			return at
		}
		return s.add()
	}
	if last < 0 || len(d.name) > 0 && !bytes.Equal(d.name, s.list[last].name) && len(s.list[last].arguments) > 0 {
		return s.add()
	}
	return last
}

// known returns the place of the call with an id, -1 if there is none.
func (s *calls) known(id []byte) int {
	if len(id) == 0 {
		return -1
	}
	return slices.IndexFunc(s.list, func(c call) bool { return bytes.Equal(c.id, id) })
}

func (s *calls) add() int {
	s.list = append(s.list, call{})
	return len(s.list) - 1
}

// identify gives the calls without an id one that no other has.
func (s *calls) identify() {
	for i := range s.list {
		for n := i + 1; len(s.list[i].id) == 0; n++ {
			if id := []byte("call_" + strconv.Itoa(n)); s.known(id) < 0 {
				s.list[i].id = id
			}
		}
	}
}

// text returns the arguments as the model wrote them.
func (c *call) text() []byte {
	return object.AppendUnquoted(nil, slices.Concat(quote, c.arguments, quote))
}

var quote = []byte{'"'}

// appendCalls adds the calls of a choice, one object a line.
func (w *Writer) appendCalls(dst []byte, c *choice) []byte {
	for i := range c.calls.list {
		call := &c.calls.list[i]
		dst = append(dst, `{"id":`...)
		dst = object.AppendString(dst, call.id)
		dst = append(dst, `,"name":`...)
		dst = object.AppendString(dst, call.name)
		dst = append(dst, `,"arguments":`...)
		text := call.text()
		switch trimmed := bytes.Trim(text, blank); {
		case len(trimmed) == 0:
			dst = append(dst, "{}"...)
		case object.Valid(trimmed) == nil:
			dst = appendLine(dst, trimmed)
		default:
			w.warn(fmt.Sprintf("tool call %q of %q: the arguments are not JSON and are shown as a string", call.id, call.name))
			dst = object.AppendString(dst, text)
		}
		dst = append(dst, '}', w.terminator())
	}
	return dst
}

// terminator ends a record that is a line of its own.
func (w *Writer) terminator() byte {
	if w.o.Null {
		return 0
	}
	return '\n'
}

// appendFull adds the calls of a choice as the member tool_calls of a message has them. No arguments are an empty object.
func (s *calls) appendFull(dst []byte) []byte {
	dst = append(dst, '[')
	for i := range s.list {
		c := &s.list[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"id":`...)
		dst = object.AppendString(dst, c.id)
		dst = append(dst, `,"type":`...)
		if len(c.kind) > 0 {
			dst = append(dst, c.kind...)
		} else {
			dst = append(dst, `"function"`...)
		}
		dst = append(dst, `,"function":{"name":`...)
		dst = object.AppendString(dst, c.name)
		dst = append(dst, `,"arguments":"`...)
		if len(c.arguments) > 0 {
			dst = append(dst, c.arguments...)
		} else {
			dst = append(dst, "{}"...)
		}
		dst = append(dst, '"')
		dst = c.function.append(dst)
		dst = append(dst, '}')
		dst = c.others.append(dst)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// finishCalls prints the calls of all choices; the text of a reply without any goes to Err.
func (w *Writer) finishCalls() {
	some := slices.ContainsFunc(w.shown(), func(c *choice) bool { return len(c.calls.list) > 0 })
	for _, c := range w.shown() {
		w.out = w.appendCalls(w.out, c)
		if !some {
			w.aside.endLine()
			w.aside.write(c.kept)
		}
	}
}

// appendCompact adds a JSON value without the white space between its tokens.
func appendCompact(dst, value []byte) []byte {
	inString := false
	for i := 0; i < len(value); i++ {
		b := value[i]
		switch {
		case inString && b == '\\':
			dst = append(dst, b)
			i++
			b = value[i]
		case b == '"':
			inString = !inString
		case !inString && (b == ' ' || b == '\t' || b == '\n' || b == '\r'):
			continue
		}
		dst = append(dst, b)
	}
	return dst
}
