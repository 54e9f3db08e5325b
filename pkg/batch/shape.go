package batch

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/llmcall/llmcall/pkg/object"
)

// readText takes a line of plain text as a prompt.
func (item *Item) readText(line []byte) error {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	if i := bytes.IndexByte(line, 0); i >= 0 {
		return fmt.Errorf("byte %d is NUL", i)
	}
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && n == 1 {
			return fmt.Errorf("byte %d is not valid UTF-8", i)
		}
		i += n
	}
	item.Prompt = line
	return nil
}

// readJSON takes a line of JSON in one of its shapes. The id is set, where it can be, also with an error.
func (item *Item) readJSON(line []byte) error {
	var err error
	c := object.NewCursor(line)
	if kind := c.Kind(); kind == '{' {
		err = item.readObject(bytes.Trim(line, " \t\r"))
	} else if err = object.Valid(line); err == nil && kind == '"' {
		item.Prompt = unquoted(c.Value())
	} else if err == nil {
		err = fmt.Errorf("want a JSON string or an object, found %s", kindName(kind))
	}
	var syntax *object.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("column %d: %s", syntax.Column, syntax.Msg)
	}
	return err
}

// readObject takes an object as a request with an id, or as a line of a Batch file.
func (item *Item) readObject(line []byte) error {
	o, err := object.Parse(line)
	if err != nil {
		return err
	}
	if err := item.readID(o); err != nil {
		return err
	}
	if body, ok := o.Get("body"); ok {
		item.Body = body
		return checkEnvelope(o, body)
	}
	prompt, hasPrompt := o.Get("prompt")
	hasPrompt = hasPrompt && prompt[0] != 'n'
	messages, hasMessages := o.Get("messages")
	switch {
	case hasPrompt && prompt[0] != '"':
		return fmt.Errorf("prompt: want a string, found %s", kindName(prompt[0]))
	case hasMessages && messages[0] != '[':
		return fmt.Errorf("messages: want an array, found %s", kindName(messages[0]))
	case !hasPrompt && !hasMessages:
		return errors.New("the object has none of messages, prompt and body")
	}
	if hasPrompt {
		item.Prompt = unquoted(prompt)
	}
	before := o.Len()
	for _, own := range []string{"custom_id", "id", "prompt"} {
		o.Delete(own)
	}
	switch o.Len() {
	case before:
		item.Body = line
	case 0:
	default:
		item.Body = o.Append(nil)
	}
	return nil
}

// readID finds the id that an object gives.
func (item *Item) readID(o *object.Object) error {
	for _, name := range []string{"custom_id", "id"} {
		raw, ok := o.Get(name)
		if !ok || raw[0] == 'n' {
			continue
		}
		switch kind := raw[0]; {
		case kind == '"':
			item.ID = string(unquoted(raw))
		case kind == '-' || kind >= '0' && kind <= '9':
			item.ID = string(raw)
		default:
			return fmt.Errorf("%s: want a string, found %s", name, kindName(kind))
		}
		item.given = true
		return nil
	}
	return nil
}

// checkEnvelope checks a line of a Batch file, https://platform.openai.com/docs/api-reference/batch/request-input.
func checkEnvelope(o *object.Object, body []byte) error {
	if method, _ := o.Get("method"); string(method) != `"POST"` {
		return fmt.Errorf("method: want \"POST\", found %s", shown(method))
	}
	url, _ := o.Get("url")
	if len(url) == 0 || url[0] != '"' || !strings.HasSuffix(string(unquoted(url)), "/chat/completions") {
		return fmt.Errorf("url: want one that ends in /chat/completions, found %s", shown(url))
	}
	if body[0] != '{' {
		return fmt.Errorf("body: want an object, found %s", kindName(body[0]))
	}
	messages, ok := object.GetPath(body, "messages")
	switch {
	case !ok:
		return errors.New("body: has no messages")
	case messages[0] != '[':
		return fmt.Errorf("body.messages: want an array, found %s", kindName(messages[0]))
	}
	return nil
}

// unquoted gives the text of a JSON string, as a slice of it where it has no escapes. It is never nil.
func unquoted(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	return object.AppendUnquoted(make([]byte, 0, len(raw)), raw)
}

// shown is a value as an error shows it.
func shown(raw []byte) string {
	switch {
	case len(raw) == 0:
		return "none"
	case len(raw) > 80:
		return kindName(raw[0])
	}
	return string(raw)
}

// kindName names the kind of a value by its first byte.
func kindName(first byte) string {
	switch first {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	}
	return "a number"
}
