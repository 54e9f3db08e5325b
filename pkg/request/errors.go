package request

import (
	"errors"
	"fmt"
)

// ErrNoInput says that there is no text and no message to send; a system or developer message alone is none.
var ErrNoInput = errors.New("no input: no prompt, no messages and nothing on stdin")

// InputError is a fault in what the user gave, found before anything was sent.
type InputError struct {
	Source       string // a file's path, "stdin", a flag, or "parameter" and a name
	Line, Column int    // from 1, Column in characters; 0 if the fault has no such place
	Offset       int    // in bytes from 0
	Msg          string
}

func (e *InputError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s: line %d, column %d: %s", e.Source, e.Line, e.Column, e.Msg)
	}
	return e.Source + ": " + e.Msg
}

// clip gives the beginning of a text, for errors.
func clip[T []byte | string](text T) string {
	const most = 60
	if len(text) <= most {
		return string(text)
	}
	end := most
	for end > 0 && text[end]&0xC0 == 0x80 {
		end--
	}
	return string(text[:end]) + "…"
}
