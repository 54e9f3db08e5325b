package output

import "github.com/llmcall/llmcall/pkg/object"

// template is a chunk that differs from the next ones only in one string. The chunks of a stream repeat all but the text, so
// that most are read by two comparisons and a scan of that string: equal bytes before it bring a parser to the same place, equal
// bytes after it to the same end. All else that the chunk says was said by the chunk before, and saying it again changes nothing.
type template struct {
	ok             bool
	prefix, suffix []byte // with the quotes of the string
	choice         *choice
	field          field
}

// match returns the string literal of a chunk that fits, else nil.
func (t *template) match(doc []byte) []byte {
	p, s := len(t.prefix), len(t.suffix)
	if !t.ok || len(doc) < p+s || string(doc[:p]) != string(t.prefix) || string(doc[len(doc)-s:]) != string(t.suffix) {
		return nil
	}
	lit := doc[p-1 : len(doc)-s+1]
	cur := object.NewCursor(lit)
	if len(cur.Value()) != len(lit) || cur.Err() != nil {
		return nil
	}
	return lit
}

// learn makes a template of a chunk whose only choice adds a string to one text, and nothing else that adds up.
func (t *template) learn(doc []byte, d *delta, c *choice) {
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
	at := cap(doc) - cap(lit)
	if at < 0 || at >= len(doc) || &doc[at] != &lit[0] {
		return
	}
	t.prefix = append(t.prefix[:0], doc[:at+1]...)
	t.suffix = append(t.suffix[:0], doc[at+len(lit)-1:]...)
	t.choice, t.field, t.ok = c, f, true
}

// adds reports whether a raw value is there and not null.
func adds(raw []byte) bool { return len(raw) > 0 && raw[0] != 'n' }
