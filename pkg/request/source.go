package request

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/llmcall/llmcall/pkg/object"
)

// Source is the bytes of a file, of stdin or of a flag's inline JSON, and what they are called in an error.
type Source struct {
	Name string
	Data []byte
}

// JSON gives the one JSON value that a source holds, verbatim, without a byte order mark and the white space round it. It
// must begin with one of the brackets in kinds. UTF-16, broken JSON and more than one value are an *InputError with the
// place.
func JSON(src Source, kinds string) ([]byte, error) {
	text, err := src.text()
	if err != nil {
		return nil, err
	}
	if err := object.Valid(text); err != nil {
		return nil, src.within(text, err)
	}
	value := trimJSON(text)
	if bytes.IndexByte([]byte(kinds), value[0]) < 0 {
		want := "a JSON object or array"
		switch kinds {
		case "{":
			want = "a JSON object"
		case "[":
			want = "a JSON array"
		}
		return nil, src.at(value, "want "+want+", not "+clip(value))
	}
	return value, nil
}

// text gives the JSON text of a source, which is a slice of its data.
func (s Source) text() ([]byte, error) {
	text, err := object.Text(s.Data)
	if err != nil {
		return nil, s.within(nil, err)
	}
	return text, nil
}

// trimJSON drops what JSON counts as white space.
func trimJSON(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }

// at is an error at the place of part, a slice of the source's data; without a place if it is none.
func (s Source) at(part []byte, msg string) *InputError {
	e := &InputError{Source: s.Name, Msg: msg}
	if at := cap(s.Data) - cap(part); len(part) > 0 && at >= 0 && at < len(s.Data) && &s.Data[at] == &part[0] {
		e.place(s.Data, at)
	}
	return e
}

// within is an error that pkg/object found in text, a slice of the source's data.
func (s Source) within(text []byte, err error) error {
	var syntax *object.SyntaxError
	if !errors.As(err, &syntax) {
		return &InputError{Source: s.Name, Msg: err.Error()}
	}
	e := s.at(text, syntax.Msg)
	if e.Line == 0 {
		e.Offset, e.Line, e.Column = syntax.Offset, syntax.Line, syntax.Column
	} else {
		e.place(s.Data, e.Offset+syntax.Offset)
	}
	return e
}

// place sets the place of an offset in a file. A byte order mark takes no column.
func (e *InputError) place(file []byte, at int) {
	before := file[:at]
	e.Offset = at
	e.Line = bytes.Count(before, []byte("\n")) + 1
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	e.Column = utf8.RuneCount(bytes.TrimPrefix(line, []byte("\uFEFF"))) + 1
}
