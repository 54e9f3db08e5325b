package schema

import (
	"bytes"
	"errors"
	"strings"

	"github.com/llmcall/llmcall/pkg/object"
)

// Mismatch is one place where a text does not match a schema.
type Mismatch struct {
	Path   string // JSON Pointer into the text; "/" for the whole of it
	Reason string // in words, with what was found

	choice bool // of an enum or const, by which alternatives are told apart
}

// maxMismatches is how many mismatches Check gives: the first ones tell what is wrong, the rest often follow from them.
const maxMismatches = 5

// Check tells where a text does not match; nothing if it matches. The text must be one JSON value and no more: a code fence
// or a sentence round it is a mismatch.
func (s *Schema) Check(reply []byte) []Mismatch {
	if err := object.Valid(reply); err != nil {
		return []Mismatch{{Path: "/", Reason: notJSON(reply, err)}}
	}
	w := &walk{schema: s, known: map[place]outcome{}}
	w.check(s.root, decode(reply), "", nil)
	return w.found
}

// notJSON says what a text is that is not JSON.
func notJSON(reply []byte, err error) string {
	start := bytes.TrimSpace(reply)
	switch {
	case len(start) == 0:
		return "no text where JSON is wanted"
	case bytes.HasPrefix(start, []byte("```")):
		return "not JSON alone: a code fence stands round it"
	}
	var syntax *object.SyntaxError
	if !errors.As(err, &syntax) {
		return "not JSON: " + err.Error()
	}
	if at := bytes.IndexAny(start, "{["); at > 0 && strings.IndexByte("{[\"-0123456789", start[0]) < 0 {
		return "not JSON alone: text stands before it: " + show(bytes.TrimSpace(start[:at]))
	}
	c := object.NewCursor(reply)
	if whole := c.Value(); whole != nil {
		after := bytes.TrimSpace(reply[cap(reply)-cap(whole)+len(whole):])
		if len(after) > 0 {
			return "not JSON alone: text stands after it: " + show(after)
		}
	}
	return "not JSON: " + err.Error()
}
