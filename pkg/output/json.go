package output

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/llmcall/llmcall/pkg/object"
)

// assembly is the message of a choice put together from deltas, as the body of a plain reply would have it: strings keep their
// spelling, members that nothing is known of have their last value.
type assembly struct {
	role     []byte
	texts    [fieldDetails]spelled
	thinking []byte // of thinking parts of the content that are not in parts yet, as spelled
	parts    []byte // elements of an array content, commas between
	details  []byte // elements of reasoning_details, commas between
	logprobs merged
	message  members
	choice   members
}

// spelled is a string of a message: the insides of its literals.
type spelled struct {
	state byte // absent, null or present
	body  []byte
}

const (
	absent = iota
	null
	present
)

// string adds a string literal to a text.
func (a *assembly) string(f field, lit []byte) {
	t := &a.texts[f]
	t.state = present
	if f == fieldContent && len(a.thinking) > 0 {
		a.endPart()
	}
	t.body = append(t.body, lit[1:len(lit)-1]...)
}

// take adds what a delta says beside its strings.
func (a *assembly) take(d *delta, extras []extra) {
	if isString(d.role) && len(a.role) == 0 {
		a.role = append(a.role, d.role...)
	}
	for i, raw := range d.strings {
		switch f := field(i); {
		case len(raw) == 0 || raw[0] == '"':
		case raw[0] == 'n':
			a.texts[f].state = max(a.texts[f].state, null)
		case f == fieldContent && raw[0] == '[':
			a.array(raw)
		default:
			a.message.set([]byte(f.member()), raw)
		}
	}
	switch {
	case len(d.details) == 0:
	case d.details[0] == '[':
		a.details = appendElements(a.details, d.details)
	default:
		a.message.set([]byte("reasoning_details"), d.details)
	}
	if len(d.toolCalls) > 0 && (d.toolCalls[0] != '[' || len(elements(d.toolCalls)) == 0) {
		a.message.set([]byte("tool_calls"), d.toolCalls)
	}
	if len(d.logprobs) > 0 {
		a.logprobs.add(d.logprobs)
	}
	for _, e := range extras {
		if e.inMessage {
			a.message.set(e.key, e.value)
		} else {
			a.choice.set(e.key, e.value)
		}
	}
}

// member is the name under which a message holds the text.
func (f field) member() string {
	switch f {
	case fieldContent:
		return "content"
	case fieldRefusal:
		return "refusal"
	case fieldReasoningContent:
		return "reasoning_content"
	default:
		return "reasoning"
	}
}

// array adds content that is an array of parts. Parts that hold only text, or only a text of thinking, run on from delta to
// delta; all others stand as they came.
func (a *assembly) array(raw []byte) {
	cur := object.NewCursor(raw)
	for cur.Begin('['); cur.Next(); {
		part := cur.Value()
		if text, ok := plainPart(part, "text"); ok && isString(text) {
			a.string(fieldContent, text)
			continue
		}
		if thoughts, ok := plainPart(part, "thinking"); ok {
			if text, ok := onlyText(thoughts); ok {
				if len(a.texts[fieldContent].body) > 0 {
					a.endPart()
				}
				a.thinking = append(a.thinking, text[1:len(text)-1]...)
				continue
			}
		}
		a.endPart()
		a.parts = appendElement(a.parts, part)
	}
}

// plainPart returns the value of a part of a kind that has no member but its type and that value.
func plainPart(part []byte, kind string) (value []byte, ok bool) {
	if isString(part) && kind == "text" {
		return part, true
	}
	typed, n := false, 0
	if len(part) == 0 || part[0] != '{' {
		return nil, false
	}
	cur := object.NewCursor(part)
	for cur.Begin('{'); cur.Next(); n++ {
		key := string(cur.Key())
		switch v := cur.Value(); key {
		case "type":
			typed = string(v) == `"`+kind+`"`
		case kind:
			value = v
		}
	}
	return value, typed && value != nil && n == 2
}

// onlyText returns the literal of a string, or of an array of one plain text part.
func onlyText(thoughts []byte) ([]byte, bool) {
	if isString(thoughts) {
		return nil, false
	}
	var text []byte
	n := 0
	if len(thoughts) > 0 && thoughts[0] == '[' {
		cur := object.NewCursor(thoughts)
		for cur.Begin('['); cur.Next(); n++ {
			text, _ = plainPart(cur.Value(), "text")
		}
	}
	return text, n == 1 && isString(text)
}

// endPart puts a running part with the parts before it.
func (a *assembly) endPart() {
	if t := &a.texts[fieldContent]; len(t.body) > 0 {
		a.parts = appendElement(a.parts, nil)
		a.parts = append(a.parts, `{"type":"text","text":"`...)
		a.parts = append(append(a.parts, t.body...), `"}`...)
		t.body = t.body[:0]
	}
	if len(a.thinking) > 0 {
		a.parts = appendElement(a.parts, nil)
		a.parts = append(a.parts, `{"type":"thinking","thinking":[{"type":"text","text":"`...)
		a.parts = append(append(a.parts, a.thinking...), `"}]}`...)
		a.thinking = a.thinking[:0]
	}
}

// merged puts values that come in parts together: arrays are joined, of an object the arrays in it.
type merged struct {
	state  byte
	array  []byte // elements
	object members
	joined []keyValue // arrays of the object: elements
}

func (m *merged) add(raw []byte) {
	switch raw[0] {
	case 'n':
		m.state = max(m.state, null)
	case '[':
		m.state = present
		m.array = appendElements(m.array, raw)
	case '{':
		m.state = present
		cur := object.NewCursor(raw)
		for cur.Begin('{'); cur.Next(); {
			key := cur.Key()
			value := cur.Value()
			if len(value) == 0 || value[0] != '[' {
				m.object.set(key, value)
				continue
			}
			m.join(key, value)
		}
	}
}

func (m *merged) join(key, array []byte) {
	for i := range m.joined {
		if bytes.Equal(m.joined[i].key, key) {
			m.joined[i].value = appendElements(m.joined[i].value, array)
			return
		}
	}
	m.joined = append(m.joined, keyValue{bytes.Clone(key), appendElements(nil, array)})
	m.object.set(key, []byte("null"))
}

func (m *merged) append(dst []byte) []byte {
	if m.state != present {
		return append(dst, "null"...)
	}
	if len(m.object.list) == 0 {
		return append(append(append(dst, '['), m.array...), ']')
	}
	open := len(dst)
	for _, kv := range m.object.list {
		for _, j := range m.joined {
			if bytes.Equal(j.key, kv.key) {
				kv.value = append(append([]byte{'['}, j.value...), ']')
			}
		}
		dst = appendMember(dst, kv.key, kv.value)
	}
	dst[open] = '{'
	return append(dst, '}')
}

// elements is the inside of an array.
func elements(array []byte) []byte { return bytes.Trim(array[1:len(array)-1], blank) }

// appendElements adds the elements of an array to others.
func appendElements(dst, array []byte) []byte {
	if inside := elements(array); len(inside) > 0 {
		return appendElement(dst, inside)
	}
	return dst
}

// appendElement adds an element to others.
func appendElement(dst, value []byte) []byte {
	if len(dst) > 0 {
		dst = append(dst, ',')
	}
	return appendLine(dst, value)
}

// finishCompletion prints the chunks of a stream as the one chat.completion that they make.
func (w *Writer) finishCompletion() {
	size := 4096
	for _, c := range w.choices {
		size += 512 + len(c.full.parts) + len(c.full.details) + len(c.full.logprobs.array)
		for _, t := range c.full.texts {
			size += len(t.body)
		}
	}
	w.out = slices.Grow(w.out, size)
	open := len(w.out)
	if w.top.find([]byte("object")) < 0 {
		w.out = append(w.out, `,"object":"chat.completion"`...)
	}
	for _, kv := range w.top.list {
		switch string(kv.key) {
		case "object":
			w.out = append(w.out, `,"object":"chat.completion"`...)
		case "usage":
			if w.usage != nil {
				kv.value = w.usage
			}
			w.out = appendMember(w.out, kv.key, kv.value)
		case "choices":
			w.out = append(w.out, `,"choices":`...)
			mark := len(w.out)
			for _, c := range w.choices {
				w.out = append(w.out, ',')
				w.appendChoice(c)
			}
			w.out[mark] = '['
			w.out = append(w.out, ']')
		default:
			w.out = appendMember(w.out, kv.key, kv.value)
		}
	}
	w.out[open] = '{'
	w.out = append(w.out, '}')
	switch {
	case w.o.Query != "":
		doc := w.out
		w.out = nil
		w.query(doc)
	case !w.o.NoNewline:
		w.out = append(w.out, '\n')
	}
}

func (w *Writer) appendChoice(c *choice) {
	a := &c.full
	w.out = append(w.out, `{"index":`...)
	w.out = strconv.AppendInt(w.out, int64(c.index), 10)
	w.out = append(w.out, `,"message":{"role":`...)
	if len(a.role) > 0 {
		w.out = append(w.out, a.role...)
	} else {
		w.out = append(w.out, `"assistant"`...)
	}
	for f := range a.texts {
		w.appendText(a, field(f))
	}
	if len(a.details) > 0 {
		w.out = append(w.out, `,"reasoning_details":[`...)
		w.out = append(append(w.out, a.details...), ']')
	}
	if len(c.calls.list) > 0 {
		w.out = append(w.out, `,"tool_calls":`...)
		w.out = c.calls.appendFull(w.out)
	}
	for _, kv := range a.message.list {
		if !c.superseded(string(kv.key)) {
			w.out = appendMember(w.out, kv.key, kv.value)
		}
	}
	w.out = append(w.out, '}')
	if a.logprobs.state != absent {
		w.out = append(w.out, `,"logprobs":`...)
		w.out = a.logprobs.append(w.out)
	}
	w.out = append(w.out, `,"finish_reason":`...)
	if len(c.finish) > 0 {
		w.out = object.AppendString(w.out, c.finish)
	} else {
		w.out = append(w.out, "null"...)
	}
	w.out = a.choice.append(w.out)
	w.out = append(w.out, '}')
}

// appendText adds a text of the message under its name; content is always there.
func (w *Writer) appendText(a *assembly, f field) {
	t := &a.texts[f]
	if t.state == absent && f != fieldContent {
		return
	}
	if f == fieldContent && (len(a.parts) > 0 || len(a.thinking) > 0) {
		a.endPart()
		w.out = append(w.out, `,"content":[`...)
		w.out = append(append(w.out, a.parts...), ']')
		return
	}
	w.out = append(append(append(w.out, ',', '"'), f.member()...), '"', ':')
	if t.state != present {
		w.out = append(w.out, "null"...)
		return
	}
	w.out = append(append(append(w.out, '"'), t.body...), '"')
}

// superseded reports whether a member of the message that had an unusual form also came in its usual one.
func (c *choice) superseded(name string) bool {
	switch name {
	case "tool_calls":
		return len(c.calls.list) > 0
	case "reasoning_details":
		return len(c.full.details) > 0
	}
	for f, t := range c.full.texts {
		if field(f).member() == name {
			return t.state != absent || field(f) == fieldContent
		}
	}
	return false
}
