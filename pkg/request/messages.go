package request

import (
	"bytes"

	"github.com/llmcall/llmcall/pkg/object"
)

// readMessages adds the messages of a file: a JSON array of them, an object that has them as messages, or one a line.
func readMessages(list []message, src Source) ([]message, error) {
	text, err := src.text()
	if err != nil {
		return nil, err
	}
	value := trimJSON(text)
	switch {
	case len(value) == 0:
		return nil, &InputError{Source: src.Name, Msg: "empty, want messages"}
	case value[0] != '[' && value[0] != '{':
		return nil, src.at(value, "want a JSON array, an object with messages, or one message a line: "+clip(value))
	case value[0] == '{' && isLines(value):
		return readLines(list, src, text)
	}
	if err := object.Valid(text); err != nil {
		return nil, src.within(text, err)
	}
	if value[0] == '[' {
		return readArray(list, src, value)
	}
	one, err := object.Parse(value)
	if err != nil {
		return nil, src.within(value, err)
	}
	if raw, ok := one.Get("messages"); ok && !has(one, "role") {
		return readArray(list, src, raw)
	}
	return readMessage(list, src, value)
}

// isLines tells whether a text that begins with { holds one message a line, and not one value over several.
func isLines(text []byte) bool {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	if len(trimJSON(rest)) == 0 {
		return false
	}
	first, err := object.Parse(line)
	return err == nil && (has(first, "role") || !has(first, "messages"))
}

func readLines(list []message, src Source, text []byte) ([]message, error) {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if line = trimJSON(line); len(line) == 0 {
			continue
		}
		var err error
		if list, err = readMessage(list, src, line); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func readArray(list []message, src Source, raw []byte) ([]message, error) {
	c := object.NewCursor(raw)
	if !c.Begin('[') {
		return nil, src.at(raw, "messages is not an array: "+clip(raw))
	}
	for c.Next() {
		var err error
		if list, err = readMessage(list, src, c.Value()); err != nil {
			return nil, err
		}
	}
	return list, c.Err()
}

// readMessage adds one message, which must be an object with a role.
func readMessage(list []message, src Source, raw []byte) ([]message, error) {
	if raw[0] != '{' {
		if err := object.Valid(raw); err != nil {
			return nil, src.within(raw, err)
		}
		return nil, src.at(raw, "a message is not an object: "+clip(raw))
	}
	o, err := object.Parse(raw)
	if err != nil {
		return nil, src.within(raw, err)
	}
	role, ok := o.Get("role")
	if !ok {
		return nil, src.at(raw, "a message has no role: "+clip(raw))
	}
	if role[0] != '"' {
		return nil, src.at(role, "a message's role is not a string: "+clip(role))
	}
	return append(list, message{role: string(object.AppendUnquoted(nil, role)), raw: raw}), nil
}

func has(o *object.Object, name string) bool {
	_, ok := o.Get(name)
	return ok
}
