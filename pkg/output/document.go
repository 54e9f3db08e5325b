package output

import (
	"errors"

	"github.com/llmcall/llmcall/pkg/object"
)

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
			w.model = first(w.model, cur.Value(), w, key)
		case "id":
			w.id = first(w.id, cur.Value(), w, key)
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
		var syntax *object.SyntaxError
		if errors.As(err, &syntax) {
			return &FormatError{Msg: what + " is not JSON: " + syntax.Msg}
		}
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

// first keeps the first string that is not empty.
func first(have, value []byte, w *Writer, key []byte) []byte {
	w.keep(key, value)
	if len(have) == 0 && len(value) > 2 && value[0] == '"' {
		return object.AppendUnquoted(have, value)
	}
	return have
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

// take gives a delta to its choice.
func (w *Writer) take(d *delta, chunk bool) {
	c := w.at(d.index)
	if isText(d.finish) {
		c.finish = object.AppendUnquoted(c.finish[:0], d.finish)
	}
	if w.assemble {
		c.full.take(d, w.extras[d.from:d.to])
	}
	w.think(c, d)
	content := d.strings[fieldContent]
	switch {
	case len(content) == 0:
	case content[0] == '"':
		w.add(c, fieldContent, content)
	case content[0] == '[':
		c.null = false
		w.parts(c, content, d.thinks())
	}
	if refusal := d.strings[fieldRefusal]; isString(refusal) {
		w.add(c, fieldRefusal, refusal)
	}
	if len(d.toolCalls) > 2 && d.toolCalls[0] == '[' {
		w.toolCalls(c, d.toolCalls, chunk)
	}
}

// thinks reports whether one of the reasoning fields has text.
func (d *delta) thinks() bool {
	return isText(d.strings[fieldReasoningContent]) || isText(d.strings[fieldReasoning]) || len(d.details) > 2
}

// think takes the reasoning of a delta: one text, though several fields may repeat it (providers.md C2).
func (w *Writer) think(c *choice, d *delta) {
	content, plain := d.strings[fieldReasoningContent], d.strings[fieldReasoning]
	if w.assemble {
		for f := fieldReasoningContent; f <= fieldReasoning; f++ {
			if isString(d.strings[f]) {
				c.full.string(f, d.strings[f])
			}
		}
	}
	switch {
	case isText(content):
		w.reasoning(c, fieldReasoningContent, content)
	case isText(plain):
		w.reasoning(c, fieldReasoning, plain)
	case len(d.details) > 2 && d.details[0] == '[':
		cur := object.NewCursor(d.details)
		for cur.Begin('['); cur.Next(); {
			text := member(cur.Value(), "text")
			if isText(text) {
				w.reasoning(c, fieldDetails, text)
			}
		}
	}
}

// parts takes content that is an array: text parts are text, thinking parts reasoning, others nothing.
func (w *Writer) parts(c *choice, array []byte, thought bool) {
	cur := object.NewCursor(array)
	for cur.Begin('['); cur.Next(); {
		value := cur.Value()
		if isString(value) {
			w.content(c, fieldContent, value)
			continue
		}
		switch kind := member(value, "type"); string(kind) {
		case "", `"text"`, `"output_text"`:
			if text := member(value, "text"); isString(text) {
				w.content(c, fieldContent, text)
			}
		case `"refusal"`:
			if text := member(value, "refusal"); isString(text) {
				w.refuse(c, text)
			}
		case `"thinking"`, `"reasoning"`:
			if !thought {
				w.thinking(c, value)
			}
		}
	}
}

// thinking takes a part of reasoning, whose text is a string or an array of text parts under a member named as its type.
func (w *Writer) thinking(c *choice, part []byte) {
	for _, name := range [...]string{"thinking", "reasoning", "text"} {
		value := member(part, name)
		if isString(value) {
			w.reasoning(c, fieldDetails, value)
			return
		}
		if len(value) == 0 || value[0] != '[' {
			continue
		}
		cur := object.NewCursor(value)
		for cur.Begin('['); cur.Next(); {
			if text := member(cur.Value(), "text"); isString(text) {
				w.reasoning(c, fieldDetails, text)
			}
		}
		return
	}
}

// member returns the last value of a name in a JSON object, nil if value is none or has no such member.
func member(value []byte, name string) []byte {
	if len(value) == 0 || value[0] != '{' {
		return nil
	}
	var found []byte
	cur := object.NewCursor(value)
	for cur.Begin('{'); cur.Next(); {
		match := string(cur.Key()) == name
		if v := cur.Value(); match {
			found = v
		}
	}
	return found
}

// account takes a usage object: the last one counts unless its total went down, as where a server repeats zeros; null and
// absence erase nothing (providers.md C2).
func (w *Writer) account(usage []byte) {
	if len(usage) == 0 || usage[0] != '{' {
		return
	}
	total := number(member(usage, "total_tokens"))
	if w.usage != nil && total < w.total {
		return
	}
	w.total = max(total, w.total)
	w.usage = append(w.usage[:0], usage...)
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
