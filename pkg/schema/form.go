package schema

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/llmcall/llmcall/pkg/object"
)

// maxDepth is how deep schemas may nest. The library reads each level several times.
const maxDepth = 200

// form checks that the keywords of a schema and of those within it have values that they can have, and notes what the
// schema uses. The library checks less and names no place.
func (c *compiler) form(raw []byte, path string, depth int) error {
	switch {
	case depth > maxDepth:
		return c.broken(raw, path, fmt.Sprintf("nested more than %d schemas deep", maxDepth))
	case raw[0] == 't', raw[0] == 'f':
		return nil
	case raw[0] != '{':
		return c.broken(raw, path, "a schema is an object, true or false, not "+show(raw))
	}
	o, err := object.Parse(raw)
	if err != nil {
		return c.broken(raw, path, err.Error())
	}
	for name, value := range o.All() {
		if err := c.keyword(name, value, path+"/"+escape(name), depth); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) keyword(name string, value []byte, path string, depth int) error {
	switch name {
	case "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "not", "propertyNames", "then":
		return c.form(value, path, depth+1)
	case "unevaluatedItems", "unevaluatedProperties":
		c.beyond = true
		return c.form(value, path, depth+1)
	case "items":
		if value[0] != '[' {
			return c.form(value, path, depth+1)
		}
		c.old = true
		return c.forms(value, path, depth)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return c.forms(value, path, depth)
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies", "dependentRequired":
		return c.members(name, value, path, depth)
	case "type":
		return c.types(value, path)
	case "enum", "const":
		return c.values(name, value, path)
	case "required":
		return c.names(value, path)
	case "pattern":
		if err := c.kind(value, path, '"', "a string"); err != nil {
			return err
		}
		return c.expression(object.AppendUnquoted(nil, value), value, path)
	case "$id", "$schema", "$ref", "$dynamicRef", "$recursiveRef":
		c.raw[path] = value
		c.beyond = c.beyond || name == "$dynamicRef"
		c.recursive = c.recursive || name == "$recursiveRef"
		return c.kind(value, path, '"', "a string")
	case "$anchor", "$dynamicAnchor", "$comment", "title", "description", "format",
		"contentEncoding", "contentMediaType":
		return c.kind(value, path, '"', "a string")
	case "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return c.number(name, value, path)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		if n, err := strconv.ParseFloat(string(value), 64); err != nil || n < 0 || n > 1<<31-1 || n != float64(int(n)) {
			return c.broken(value, path, "want a whole number from 0 up, not "+show(value))
		}
	case "uniqueItems", "deprecated", "readOnly", "writeOnly":
		if value[0] != 't' && value[0] != 'f' {
			return c.broken(value, path, "want true or false, not "+show(value))
		}
	case "examples":
		return c.kind(value, path, '[', "an array")
	case "$vocabulary":
		return c.unsupported(value, path, "a schema with vocabularies of its own")
	}
	return nil
}

// forms checks an array of schemas.
func (c *compiler) forms(raw []byte, path string, depth int) error {
	all := object.NewCursor(raw)
	n := 0
	if !all.Begin('[') {
		return c.broken(raw, path, "want an array of schemas, not "+show(raw))
	}
	for ; all.Next(); n++ {
		if err := c.form(all.Value(), fmt.Sprintf("%s/%d", path, n), depth+1); err != nil {
			return err
		}
	}
	if n == 0 {
		return c.broken(raw, path, "an empty array where at least one schema is wanted")
	}
	return nil
}

// members checks an object of schemas or, as dependentRequired and some dependencies are, of arrays of names.
func (c *compiler) members(name string, raw []byte, path string, depth int) error {
	if err := c.kind(raw, path, '{', "an object"); err != nil {
		return err
	}
	o, err := object.Parse(raw)
	if err != nil {
		return c.broken(raw, path, err.Error())
	}
	c.old = c.old || name == "dependencies"
	for member, value := range o.All() {
		at := path + "/" + escape(member)
		if name == "patternProperties" {
			if err := c.expression([]byte(member), value, at); err != nil {
				return err
			}
		}
		if name == "dependentRequired" || name == "dependencies" && value[0] == '[' {
			err = c.names(value, at)
		} else {
			err = c.form(value, at, depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) types(raw []byte, path string) error {
	known := func(value []byte) bool {
		return slices.Contains([]string{`"null"`, `"boolean"`, `"object"`, `"array"`, `"number"`, `"string"`, `"integer"`}, string(value))
	}
	if raw[0] != '[' {
		if !known(raw) {
			return c.broken(raw, path, "no such type: "+show(raw))
		}
		return nil
	}
	n := 0
	all := object.NewCursor(raw)
	for all.Begin('['); all.Next(); n++ {
		if one := all.Value(); !known(one) {
			return c.broken(one, path, "no such type: "+show(one))
		}
	}
	if n == 0 {
		return c.broken(raw, path, "an empty array where at least one type is wanted")
	}
	return nil
}

// values notes enum and const if they hold numbers that a float64 does not.
func (c *compiler) values(name string, raw []byte, path string) error {
	if name == "enum" {
		if err := c.kind(raw, path, '[', "an array"); err != nil {
			return err
		}
	}
	digits := 0
	for _, b := range raw {
		digits++
		if b < '0' || b > '9' {
			digits = 0
		}
		if digits > 15 {
			c.raw[path] = raw
			break
		}
	}
	return nil
}

func (c *compiler) names(raw []byte, path string) error {
	all := object.NewCursor(raw)
	if !all.Begin('[') {
		return c.broken(raw, path, "want an array of names, not "+show(raw))
	}
	for all.Next() {
		if one := all.Value(); one[0] != '"' {
			return c.broken(one, path, "want a name, not "+show(one))
		}
	}
	return nil
}

func (c *compiler) number(name string, raw []byte, path string) error {
	n, err := strconv.ParseFloat(string(raw), 64)
	switch {
	case err != nil && (raw[0] == 't' || raw[0] == 'f'):
		return c.unsupported(raw, path, "a boolean, as in draft-04: want a number")
	case err != nil:
		return c.broken(raw, path, "want a number, not "+show(raw))
	case name == "multipleOf" && n <= 0:
		return c.broken(raw, path, "want a number above 0, not "+show(raw))
	}
	return nil
}

// expression checks a regular expression. What Go does not know of ECMA-262, such as (?!…), is no fault of the schema's.
func (c *compiler) expression(text, at []byte, path string) error {
	_, err := regexp.Compile(string(text))
	if err == nil {
		return nil
	}
	var bad *syntax.Error
	if errors.As(err, &bad) {
		msg := fmt.Sprintf("regular expression %s: %s: %s", text, bad.Code, bad.Expr)
		switch bad.Code {
		case syntax.ErrInvalidPerlOp, syntax.ErrInvalidEscape, syntax.ErrInvalidRepeatSize, syntax.ErrInvalidCharRange, syntax.ErrLarge:
			return c.unsupported(at, path, msg)
		}
		return c.broken(at, path, msg)
	}
	return c.unsupported(at, path, err.Error())
}

func (c *compiler) kind(raw []byte, path string, kind byte, want string) error {
	if raw[0] != kind {
		return c.broken(raw, path, "want "+want+", not "+show(raw))
	}
	return nil
}

// broken is an error at the place of part, a slice of the schema's text.
func (c *compiler) broken(part []byte, path, msg string) *Error {
	e := &Error{Source: c.name, Path: path, Msg: msg}
	if at := cap(c.text) - cap(part); len(part) > 0 && at >= 0 && at < len(c.text) && &c.text[at] == &part[0] {
		before := c.text[:at]
		e.Line = bytes.Count(before, []byte("\n")) + 1
		e.Column = utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	}
	return e
}

func (c *compiler) unsupported(part []byte, path, msg string) *Error {
	e := c.broken(part, path, msg+" (llmcall cannot check this)")
	e.Err = ErrUnsupported
	return e
}

// escape writes a name as a segment of a JSON Pointer (RFC 6901).
func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// show gives a JSON text for an error, shortened.
func show(raw []byte) string {
	const most = 60
	if len(raw) <= most {
		return string(raw)
	}
	end := most
	for end > 0 && !utf8.RuneStart(raw[end]) {
		end--
	}
	return string(raw[:end]) + "…"
}
