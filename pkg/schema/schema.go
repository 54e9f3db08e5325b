// Package schema checks a reply against a JSON Schema, of draft 2020-12 or draft-07, and says in words where it does not
// match. Formats are not checked, as both drafts have it by default, and no reference leaves the schema.
//
// The libraries there are cost every start of the program, asked for a schema or not: google/jsonschema-go v0.4.3 0.3 ms,
// santhosh-tekuri/jsonschema/v6 7 ms. The first also stops at the first fault, does not say where in the value it is, counts
// in float64 (19.99 is no multiple of 0.01 to it) and does not come back from a schema that refers to itself. It is what the
// tests hold this package against.
package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/llmcall/llmcall/pkg/object"
)

// Schema is a compiled JSON Schema. It may be used by several goroutines at once.
type Schema struct {
	root   *node
	draft7 bool
	marks  bool // it asks what other keywords have looked at
	scoped bool // it has a $dynamicRef, whose target depends on the way to it
}

// ErrUnsupported marks an Error about a schema that may be right but that llmcall cannot check a reply against: another
// draft, a regular expression that Go does not know, a reference to elsewhere.
var ErrUnsupported = errors.New("unsupported")

// Error is a schema that cannot be used.
type Error struct {
	Source       string // the name given to Compile
	Line, Column int    // from 1; 0 if unknown
	Path         string // JSON Pointer into the schema; empty at its root
	Msg          string
	Err          error // ErrUnsupported or nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Source)
	if e.Line > 0 {
		fmt.Fprintf(&b, ": line %d, column %d", e.Line, e.Column)
	}
	if e.Path != "" {
		b.WriteString(": " + e.Path)
	}
	b.WriteString(": " + e.Msg)
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Compile reads a schema. Name is what an *Error calls it. A keyword with a value that it cannot have, a reference that leads
// nowhere and a schema that refers to itself without end are broken; see ErrUnsupported for the rest.
func Compile(name string, data []byte) (*Schema, error) {
	text, err := object.Text(data)
	if err == nil {
		err = object.Valid(text)
	}
	if err != nil {
		e := &Error{Source: name, Msg: err.Error()}
		var syntax *object.SyntaxError
		if errors.As(err, &syntax) {
			e.Line, e.Column, e.Msg = syntax.Line, syntax.Column, syntax.Msg
		}
		return nil, e
	}
	c := &compiler{name: name, text: text}
	return c.compile()
}

// FromResponseFormat gives the schema of a json_schema response format.
func FromResponseFormat(raw []byte) (schema []byte, ok bool) {
	kind, _ := object.GetPath(raw, "type")
	if string(kind) != `"json_schema"` {
		return nil, false
	}
	return object.GetPath(raw, "json_schema.schema")
}

// ToolParameters gives the parameters' schema of the function of that name in a list of tools.
func ToolParameters(tools []byte, name string) (schema []byte, ok bool) {
	quoted := object.AppendString(nil, []byte(name))
	c := object.NewCursor(tools)
	for c.Begin('['); c.Next(); {
		tool := c.Value()
		found, _ := object.GetPath(tool, "function.name")
		if string(found) == string(quoted) || len(found) > 0 && string(object.AppendUnquoted(nil, found)) == name {
			return object.GetPath(tool, "function.parameters")
		}
	}
	return nil, false
}
