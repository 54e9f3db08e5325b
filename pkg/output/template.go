package output

import (
	"bytes"

	"github.com/llmcall/llmcall/pkg/object"
)

// template is a chunk that the next ones repeat but for a few values: the text, and members round the choices such as a time
// that were seen to differ. The chunks of a stream repeat nearly all, so that most are read by comparing what lies between those
// values and by a scan of the values: equal bytes bring a parser to the same place. All else that the chunk says was said by the
// chunk before, and saying it again changes nothing.
type template struct {
	ok     bool
	doc    []byte // the chunk that was learnt
	values []span // its members round the choices
	vary   uint64 // bit n: values[n] differed between chunks
	holes  []span // what may differ, in order of place
	found  []pair // what stood in the holes of the chunk that matched, but for the text
	choice *choice
	field  field
}

// span is where a value is in a document, and its name; the text has none.
type span struct{ name, nameEnd, from, to int }

// pair is a member of a document.
type pair struct{ name, value []byte }

// match returns the string literal of a chunk that fits, else nil.
func (t *template) match(doc []byte) []byte {
	if !t.ok {
		return nil
	}
	var lit []byte
	pos, at := 0, 0
	t.found = t.found[:0]
	for _, hole := range t.holes {
		n := hole.from - at
		if len(doc)-pos <= n || string(doc[pos:pos+n]) != string(t.doc[at:hole.from]) {
			return nil
		}
		pos += n
		if doc[pos] <= ' ' { // a cursor would skip it
			return nil
		}
		cur := object.NewCursor(doc[pos:])
		value := cur.Value()
		switch {
		case len(value) == 0:
			return nil
		case hole.nameEnd > 0:
			t.found = append(t.found, pair{t.doc[hole.name:hole.nameEnd], value})
		case value[0] != '"':
			return nil
		default:
			lit = value
		}
		pos += len(value)
		at = hole.to
	}
	if string(doc[pos:]) != string(t.doc[at:]) {
		return nil
	}
	return lit
}

// learn makes a template of a chunk whose only choice adds a string to one text, and nothing else that adds up. values are its
// members round the choices.
func (t *template) learn(doc []byte, d *delta, c *choice, values []span) {
	f, n := fieldContent, 0
	for i, raw := range d.strings {
		if len(raw) > 0 && raw[0] != '"' && raw[0] != 'n' {
			return
		}
		if isText(raw) {
			f, n = field(i), n+1
		}
	}
	if n != 1 || adds(d.details) || adds(d.toolCalls) || adds(d.logprobs) {
		return
	}
	lit := d.strings[f]
	text := span{from: offset(doc, lit), to: offset(doc, lit) + len(lit)}
	if len(values) != len(t.values) || len(values) > 64 {
		t.vary = 0
	} else {
		for i, v := range values {
			old := t.values[i]
			if !bytes.Equal(doc[v.from:v.to], t.doc[old.from:old.to]) {
				t.vary |= 1 << i
			}
		}
	}
	t.holes = t.holes[:0]
	for i, v := range values {
		if v.from > text.from && (len(t.holes) == 0 || t.holes[len(t.holes)-1].from < text.from) {
			t.holes = append(t.holes, text)
		}
		if t.vary&(1<<i) != 0 {
			t.holes = append(t.holes, v)
		}
	}
	if len(t.holes) == 0 || t.holes[len(t.holes)-1].from < text.from {
		t.holes = append(t.holes, text)
	}
	t.doc = append(t.doc[:0], doc...)
	t.values = append(t.values[:0], values...)
	t.choice, t.field, t.ok = c, f, true
}

// offset is where a part of a document that its cursor gave begins. The document's capacity is its length.
func offset(doc, part []byte) int { return len(doc) - cap(part) }

// adds reports whether a raw value is there and not null.
func adds(raw []byte) bool { return len(raw) > 0 && raw[0] != 'n' }
