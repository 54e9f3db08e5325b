package output

import "github.com/llmcall/llmcall/pkg/object"

// field is a member of a delta whose values, string by string, make one text.
type field byte

const (
	fieldContent field = iota
	fieldRefusal
	fieldReasoningContent
	fieldReasoning
	fieldDetails // text of reasoning_details, and thinking parts of the content
	fields       = iota
)

// delta is what one element of choices says, as slices of the document. Absent is nil, null is "null".
type delta struct {
	index     int
	strings   [fieldDetails][]byte // content may be an array of parts
	role      []byte
	details   []byte
	toolCalls []byte
	finish    []byte
	logprobs  []byte
	from, to  int // its unknown members in Writer.extras
}

// extra is a member that only JSON keeps: of the message, or of the choice round it.
type extra struct {
	inMessage  bool
	key, value []byte
}

// document walks one document and takes what it says once it has proved to be a JSON object.
func (w *Writer) document(doc []byte, chunk bool) error {
	w.template.ok = false
	w.deltas, w.extras, w.values = w.deltas[:0], w.extras[:0], w.values[:0]
	doc = doc[:len(doc):len(doc)]
	cur := object.NewCursor(doc)
	if !cur.Begin('{') {
		return malformed(cur.Err(), chunk)
	}
	for cur.Next() {
		key := cur.Key()
		switch string(key) {
		case "choices":
			if !cur.Begin('[') {
				w.keep(key, cur.Value())
				continue
			}
			w.keep(key, emptyArray)
			for n := 0; cur.Next(); n++ {
				w.element(&cur, n, chunk)
			}
		case "model":
			w.name(&w.model, key, cur.Value())
		case "id":
			w.name(&w.id, key, cur.Value())
		default:
			value := cur.Value()
			if value == nil {
				continue // an error ends the loop
			}
			w.around(key, value)
			name, at := offset(doc, key), offset(doc, value)
			w.values = append(w.values, span{name, name + len(key), at, at + len(value)})
		}
	}
	if err := cur.End(); err != nil {
		return malformed(err, chunk)
	}
	for i := range w.deltas {
		w.take(&w.deltas[i], chunk)
	}
	if chunk && len(w.deltas) == 1 {
		w.template.learn(doc, &w.deltas[0], w.at(w.deltas[0].index), w.values)
	}
	return nil
}

var emptyArray = []byte("[]")

// malformed is the error for a document that is no JSON object; err is the syntax error if there is one.
func malformed(err error, chunk bool) error {
	what := "the reply"
	if chunk {
		what = "a chunk of the stream"
	}
	if err != nil {
		return &FormatError{Msg: what + " is not JSON: " + err.Error()}
	}
	return &FormatError{Msg: what + " is not a JSON object"}
}

// around takes a member of the document that is neither its choices nor its names.
func (w *Writer) around(key, value []byte) {
	w.keep(key, value)
	if string(key) == "usage" {
		w.account(value)
	}
}

// keep notes a member of the document for JSON.
func (w *Writer) keep(key, value []byte) {
	if w.assemble {
		w.top.set(key, value)
	}
}

// name keeps the first value of a member that names the reply, and notes it for JSON.
func (w *Writer) name(have *[]byte, key, value []byte) {
	w.keep(key, value)
	if len(*have) == 0 && isText(value) {
		*have = object.AppendUnquoted(*have, value)
	}
}

// element walks the element of choices at position n. A stream's chunks have a delta, a body has a message; the other one is
// read where that is missing.
func (w *Writer) element(cur *object.Cursor, n int, chunk bool) {
	if !cur.Begin('{') {
		cur.Value()
		return
	}
	main, other := "message", "delta"
	if chunk {
		main, other = other, main
	}
	d := delta{index: n, from: len(w.extras)}
	var instead []byte
	found := false
	for cur.Next() {
		switch key := cur.Key(); string(key) {
		case main:
			if cur.Kind() != '{' {
				cur.Value()
				continue
			}
			found = true
			w.message(cur, &d)
		case other:
			if value := cur.Value(); len(value) > 0 && value[0] == '{' {
				instead = value
			}
		case "index":
			if i, ok := natural(cur.Value()); ok {
				d.index = i
			}
		case "finish_reason":
			if value := cur.Value(); d.finish == nil || isText(value) {
				d.finish = value
			}
		case "finishReason":
			if value := cur.Value(); !isText(d.finish) {
				d.finish = value
			}
		case "logprobs":
			d.logprobs = cur.Value()
		default:
			w.extra(false, key, cur.Value())
		}
	}
	if !found && instead != nil {
		sub := object.NewCursor(instead)
		w.message(&sub, &d)
	}
	d.to = len(w.extras)
	w.deltas = append(w.deltas, d)
}

// message walks a delta or a message.
func (w *Writer) message(cur *object.Cursor, d *delta) {
	if !cur.Begin('{') {
		return
	}
	for cur.Next() {
		switch key := cur.Key(); string(key) {
		case "content":
			d.strings[fieldContent] = cur.Value()
		case "role":
			d.role = cur.Value()
		case "refusal":
			d.strings[fieldRefusal] = cur.Value()
		case "reasoning_content":
			d.strings[fieldReasoningContent] = cur.Value()
		case "reasoning":
			d.strings[fieldReasoning] = cur.Value()
		case "reasoning_details":
			d.details = cur.Value()
		case "tool_calls":
			d.toolCalls = cur.Value()
		default:
			w.extra(true, key, cur.Value())
		}
	}
}

func (w *Writer) extra(inMessage bool, key, value []byte) {
	if w.assemble {
		w.extras = append(w.extras, extra{inMessage, key, value})
	}
}

// isString reports whether a raw value is a string, isText whether it is one that is not empty.
func isString(raw []byte) bool { return len(raw) > 0 && raw[0] == '"' }
func isText(raw []byte) bool   { return len(raw) > 2 && raw[0] == '"' }

// natural reads a number without sign, point and exponent.
func natural(raw []byte) (int, bool) {
	if len(raw) == 0 || len(raw) > 9 {
		return 0, false
	}
	n := 0
	for _, b := range raw {
		if b < '0' || b > '9' {
			return 0, false
		}
		n = n*10 + int(b-'0')
	}
	return n, true
}
