package output

import "github.com/llmcall/llmcall/pkg/object"

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
