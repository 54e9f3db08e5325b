package output

import (
	"slices"
	"strconv"

	"github.com/llmcall/llmcall/pkg/object"
)

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
