package providers

import (
	"bytes"
	"strings"

	"github.com/llmcall/llmcall/pkg/object"
)

// query is a request taken apart once, so that many rules can be held against it. Values are slices of the body.
type query struct {
	model    string
	members  []queryMember
	messages survey
}

type queryMember struct {
	name  string
	value []byte
}

// survey is what the rules want to know of the messages, collected in one pass.
type survey struct {
	withoutContent   bool // a message has neither content nor tool calls
	reasoningDetails bool
	image            bool
	imageByAddress   bool
	imageNoData      bool // an image's data cannot be decoded or is of no known format
	audioContent     bool
	inputAudio       bool
	otherPart        bool // a file or a video
}

// newQuery takes a body apart; ok is false if it is not one JSON object.
func newQuery(body []byte) (q *query, ok bool) {
	q = &query{}
	c := object.NewCursor(body)
	if !c.Begin('{') {
		return nil, false
	}
	for c.Next() {
		name := plainText(c.Key())
		if value := c.Value(); value != nil {
			q.members = append(q.members, queryMember{string(name), value})
		}
	}
	if c.End() != nil {
		return nil, false
	}
	if model, ok := q.get("model"); ok && model[0] == '"' {
		q.model = text(model)
	}
	if messages, ok := q.get("messages"); ok {
		q.messages.read(messages)
	}
	return q, true
}

// get gives what a dotted path leads to; ok is false where there is nothing, or null.
func (q *query) get(path string) (value []byte, ok bool) {
	name, rest, nested := strings.Cut(path, ".")
	for i := range q.members { // of members of one name the last counts
		if q.members[i].name == name {
			value, ok = q.members[i].value, true
		}
	}
	if ok && nested {
		value, ok = object.GetPath(value, rest)
	}
	return value, ok && value[0] != 'n'
}

// has says whether a path is there, or has the value of PATH=VALUE.
func (q *query) has(need string) bool {
	path, want, exact := strings.Cut(need, "=")
	v, ok := q.get(path)
	return ok && (!exact || isScalar(typeOf(v)) && scalar(v) == want)
}

// eachMessage yields the messages that are objects.
func (q *query) eachMessage(yield func(m []byte) bool) {
	messages, ok := q.get("messages")
	if !ok {
		return
	}
	c := object.NewCursor(messages)
	for c.Begin('['); c.Next(); {
		if m := c.Value(); m[0] == '{' && !yield(m) {
			return
		}
	}
}

// read walks the messages, each byte once.
func (s *survey) read(messages []byte) {
	c := object.NewCursor(messages)
	for c.Begin('['); c.Next(); {
		if c.Begin('{') {
			s.readMessage(&c)
		} else {
			c.Value()
		}
	}
}

// readMessage walks the members of a message that c has begun.
func (s *survey) readMessage(c *object.Cursor) {
	answers := false
	for c.Next() {
		switch key := plainText(c.Key()); string(key) {
		case "content":
			answers = answers || c.Kind() != 'n'
			if c.Begin('[') {
				for c.Next() {
					s.readPart(c)
				}
				continue
			}
		case "tool_calls":
			answers = answers || c.Kind() != 'n'
		case "reasoning_details":
			s.reasoningDetails = s.reasoningDetails || c.Kind() != 'n'
		}
		c.Value()
	}
	s.withoutContent = s.withoutContent || !answers
}

// readPart walks a part of a message's content.
func (s *survey) readPart(c *object.Cursor) {
	if !c.Begin('{') {
		c.Value()
		return
	}
	var kind string
	var url []byte
	for c.Next() {
		switch key := plainText(c.Key()); string(key) {
		case "type":
			kind = scalar(c.Value())
		case "image_url":
			url = readURL(c)
		default:
			c.Value()
		}
	}
	switch kind {
	case "image_url":
		s.image = true
		switch {
		case len(url) == 0 || url[0] != '"':
		case isWeb(plainText(url[1 : len(url)-1])):
			s.imageByAddress = true
		case !isImage(plainText(url[1 : len(url)-1])):
			s.imageNoData = true
		}
	case "audio_content":
		s.audioContent = true
	case "input_audio":
		s.inputAudio = true
	case "file", "video_url":
		s.otherPart = true
	}
}

// readURL gives the url of an image_url, which stands in an object or by itself.
func readURL(c *object.Cursor) (url []byte) {
	if !c.Begin('{') {
		return c.Value()
	}
	for c.Next() {
		key := plainText(c.Key())
		if value := c.Value(); string(key) == "url" {
			url = value
		}
	}
	return url
}

// plainText gives the text of what stands between the quotes of a JSON string; a copy is made only if there are escapes.
func plainText(inside []byte) []byte {
	if bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	return object.AppendUnquoted(nil, append(append([]byte{'"'}, inside...), '"'))
}

// countElements counts the elements of an array.
func countElements(array []byte) (n int) {
	c := object.NewCursor(array)
	for c.Begin('['); c.Next(); n++ {
		c.Value()
	}
	return n
}
