package request

import (
	"bytes"
	"slices"

	"github.com/llmcall/llmcall/pkg/object"
)

// message is a message to be: raw as it stands in a file, or made of texts that are joined by a blank line.
type message struct {
	role  string
	id    string // of the tool call that a tool message answers
	raw   []byte
	text  [][]byte
	media []Media // parts added to it
}

// messages puts the messages in order: of the base body, of the files, the system and developer message at the front, the
// turns, and the prompt.
func (o *Options) messages(body *object.Object, from Source) ([]message, error) {
	var (
		list []message
		err  error
	)
	if raw, ok := body.Get("messages"); ok && string(raw) != "null" {
		if list, err = readArray(nil, from, raw); err != nil {
			return nil, err
		}
	}
	for _, src := range o.Messages {
		if list, err = readMessages(list, src); err != nil {
			return nil, err
		}
	}
	var pending []Media
	said := len(list) > 0 // whether there is more than a system message of a flag
	list = o.lead(list)
	for _, t := range o.Turns {
		switch t.Kind {
		case "image", "audio":
			pending = append(pending, t.Media)
		case "user":
			list = append(list, message{role: "user", text: [][]byte{t.Text}, media: pending})
			said = said || len(pending) > 0 || !isBlank(t.Text)
			pending = nil
		default:
			list = append(list, message{role: t.Kind, id: t.ID, text: [][]byte{t.Text}})
			said = true
		}
	}
	if text := promptPieces(o.Prompt); len(text) > 0 {
		list = append(list, message{role: "user", text: text, media: pending})
		said, pending = true, nil
	}
	if len(pending) > 0 {
		list, said = attach(list, pending), true
	}
	if !said && !o.editsMessages() {
		return nil, ErrNoInput
	}
	return list, nil
}

// lead puts the system and developer messages of the flags in place of those at the front, or before all others.
func (o *Options) lead(list []message) []message {
	front := 0
	for _, m := range []message{
		{role: "system", text: promptPieces([][]byte{o.System})},
		{role: "developer", text: promptPieces([][]byte{o.Developer})},
	} {
		if len(m.text) == 0 {
			continue
		}
		at := front
		for at < len(list) && list[at].role != m.role && (list[at].role == "system" || list[at].role == "developer") {
			at++
		}
		if at < len(list) && list[at].role == m.role {
			list = slices.Delete(list, at, at+1)
		} else {
			at = front
		}
		list = slices.Insert(list, at, m)
		if m.role == "system" && at == front {
			front++
		}
	}
	return list
}

// attach adds media that no user message follows to the last one there is.
func attach(list []message, media []Media) []message {
	for i, m := range slices.Backward(list) {
		if m.role == "user" {
			list[i].media = slices.Concat(m.media, media)
			return list
		}
	}
	return append(list, message{role: "user", media: media})
}

// messagesSize gives about as many bytes as the messages take.
func messagesSize(list []message) int {
	size := 2
	for _, m := range list {
		size += 64 + len(m.role) + len(m.id) + len(m.raw)
		for _, t := range m.text {
			size += len(t) + 4
			for _, escaped := range []string{"\n", "\"", "\\", "\t", "\r"} {
				size += bytes.Count(t, []byte(escaped))
			}
		}
		for _, md := range m.media {
			size += 128 + len(md.URL) + (len(md.Data)+2)/3*4
		}
	}
	return size
}

func appendMessages(dst []byte, list []message, shapes Shapes) ([]byte, error) {
	dst = append(dst, '[')
	var err error
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		if m.raw == nil {
			dst, err = m.append(dst, shapes)
		} else {
			dst, err = m.appendRaw(dst, shapes)
		}
		if err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

func (m *message) append(dst []byte, shapes Shapes) ([]byte, error) {
	dst = append(append(append(dst, `{"role":"`...), m.role...), '"')
	if m.id != "" {
		dst = object.AppendString(append(dst, `,"tool_call_id":`...), []byte(m.id))
	}
	dst = append(dst, `,"content":`...)
	if len(m.media) == 0 {
		return append(appendText(dst, m.text), '}'), nil
	}
	dst = append(dst, '[')
	if len(m.text) > 0 {
		dst = append(appendText(append(dst, `{"type":"text","text":`...), m.text), '}', ',')
	}
	dst, err := appendParts(dst, m.media, shapes)
	return append(dst, ']', '}'), err
}

// appendRaw writes a message as it stands in its file; media turn its content into parts.
func (m *message) appendRaw(dst []byte, shapes Shapes) ([]byte, error) {
	if len(m.media) == 0 {
		return append(dst, m.raw...), nil
	}
	o, err := object.Parse(m.raw)
	if err != nil {
		return nil, err
	}
	content, _ := o.Get("content")
	parts := []byte{'['}
	switch c := object.NewCursor(content); c.Kind() {
	case '"':
		if len(content) > len(`""`) {
			parts = append(append(append(parts, `{"type":"text","text":`...), content...), '}', ',')
		}
	case '[':
		for c.Begin('['); c.Next(); {
			parts = append(append(parts, c.Value()...), ',')
		}
	case 'n', 0:
	default:
		return nil, &InputError{Source: "the last user message", Msg: "its content is neither text nor parts: " + clip(content)}
	}
	if parts, err = appendParts(parts, m.media, shapes); err != nil {
		return nil, err
	}
	o.Set("content", append(parts, ']'))
	return o.Append(dst), nil
}

// appendText writes texts as one JSON string, a blank line between them.
func appendText(dst []byte, texts [][]byte) []byte {
	for i, t := range texts {
		if i == 0 {
			dst = object.AppendString(dst, t)
			continue
		}
		dst = append(dst[:len(dst)-1], `\n\n`...)
		at := len(dst) - 1
		dst = object.AppendString(dst[:at], t)
		dst[at] = 'n' // which the opening quote overwrote
	}
	return dst
}

// splice gives head with the messages in place of its messages member. They are written once, straight into the body, for
// a prompt may be large.
func splice(head []byte, list []message, shapes Shapes) ([]byte, error) {
	body := make([]byte, 0, len(head)+messagesSize(list))
	body = append(body, '{')
	c := object.NewCursor(head)
	c.Begin('{')
	var err error
	for c.Next() {
		if len(body) > 1 {
			body = append(body, ',')
		}
		key := c.Key()
		body = append(append(append(body, '"'), key...), '"', ':')
		value := c.Value()
		if isMessages(key) {
			if body, err = appendMessages(body, list, shapes); err != nil {
				return nil, err
			}
			continue
		}
		body = append(body, value...)
	}
	return append(body, '}'), c.Err()
}

func isMessages(key []byte) bool {
	return string(key) == "messages" || slices.Contains(key, '\\') && string(object.AppendUnquoted(nil, slices.Concat([]byte{'"'}, key, []byte{'"'}))) == "messages"
}
