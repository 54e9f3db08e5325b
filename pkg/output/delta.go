package output

import "github.com/llmcall/llmcall/pkg/object"

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
