package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"

	"github.com/llmcall/llmcall/pkg/object"
)

// keyword is a member of a schema while it is read.
type keyword struct {
	c             *compiler
	n             *node
	raw           []byte
	pointer, path string // from the schema and from the root
	depth         int
}

// add reads a schema within the keyword and notes where it is.
func (k *keyword) add(raw []byte, pointer string) (*node, error) {
	s, err := k.c.read(raw, k.path+pointer, k.depth+1)
	k.n.within = append(k.n.within, child{k.pointer + pointer, s})
	return s, err
}

func (k *keyword) schema(to **node) (err error) {
	*to, err = k.add(k.raw, "")
	return err
}

func (k *keyword) schemas(to *[]*node) error {
	c := object.NewCursor(k.raw)
	if !c.Begin('[') {
		return k.c.broken(k.raw, k.path, "want an array of schemas, not "+show(k.raw))
	}
	var list []*node
	for c.Next() {
		s, err := k.add(c.Value(), "/"+strconv.Itoa(len(list)))
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return k.c.broken(k.raw, k.path, "an empty array where at least one schema is wanted")
	}
	*to = list
	return nil
}

// members reads an object of schemas, of arrays of names, or of either; what is nil is not taken.
func (k *keyword) members(schemas *map[string]*node, names *map[string][]string) error {
	if err := k.kind('{', "an object"); err != nil {
		return err
	}
	o, err := object.Parse(k.raw)
	if err != nil {
		return k.c.broken(k.raw, k.path, err.Error())
	}
	if schemas != nil {
		*schemas = make(map[string]*node, o.Len())
	}
	if names != nil {
		*names = make(map[string][]string, o.Len())
	}
	for name, value := range o.All() {
		if names != nil && (schemas == nil || value[0] == '[') {
			var list []string
			if err := k.names(value, k.path+"/"+escape(name), &list); err != nil {
				return err
			}
			(*names)[name] = list
			continue
		}
		if (*schemas)[name], err = k.add(value, "/"+escape(name)); err != nil {
			return err
		}
	}
	return nil
}

func (k *keyword) patterns() error {
	var schemas map[string]*node
	if err := k.members(&schemas, nil); err != nil {
		return err
	}
	o, err := object.Parse(k.raw)
	if err != nil {
		return err
	}
	for text, value := range o.All() {
		e, err := k.c.expression(text, value, k.path+"/"+escape(text))
		if err != nil {
			return err
		}
		k.n.patterns = append(k.n.patterns, patternNode{e, schemas[text]})
	}
	return nil
}

func (k *keyword) types() error {
	list := [][]byte{k.raw}
	if k.raw[0] == '[' {
		list = nil
		c := object.NewCursor(k.raw)
		for c.Begin('['); c.Next(); {
			list = append(list, c.Value())
		}
	}
	return k.typeNames(list)
}

func (k *keyword) typeNames(list [][]byte) error {
	for _, raw := range list {
		name := string(object.AppendUnquoted(nil, raw))
		if raw[0] != '"' || !slices.Contains([]string{"null", "boolean", "object", "array", "number", "string", "integer"}, name) {
			return k.c.broken(raw, k.path, "no such type: "+show(raw))
		}
		k.n.types = append(k.n.types, name)
	}
	if len(list) == 0 {
		return k.c.broken(k.raw, k.path, "an empty array where at least one type is wanted")
	}
	return nil
}

func (k *keyword) names(raw []byte, path string, to *[]string) error {
	c := object.NewCursor(raw)
	if !c.Begin('[') {
		return k.c.broken(raw, path, "want an array of names, not "+show(raw))
	}
	for c.Next() {
		one := c.Value()
		if one[0] != '"' {
			return k.c.broken(one, path, "want a name, not "+show(one))
		}
		*to = append(*to, string(object.AppendUnquoted(nil, one)))
	}
	return nil
}

func (k *keyword) bound(to **bound) error {
	c := object.NewCursor(k.raw)
	switch c.Kind() {
	case '0':
		*to = &bound{string(k.raw), rational(string(k.raw))}
		return nil
	case 't', 'f':
		return k.c.unsupported(k.raw, k.path, "a boolean, as in draft-04: want a number")
	}
	return k.c.broken(k.raw, k.path, "want a number, not "+show(k.raw))
}

func (k *keyword) whole(to *int) error {
	f, err := strconv.ParseFloat(string(k.raw), 64)
	if err != nil || f < 0 || f > 1<<31-1 || f != float64(int(f)) {
		return k.c.broken(k.raw, k.path, "want a whole number from 0 up, not "+show(k.raw))
	}
	*to = int(f)
	return nil
}

func (k *keyword) boolean() error {
	if k.raw[0] != 't' && k.raw[0] != 'f' {
		return k.c.broken(k.raw, k.path, "want true or false, not "+show(k.raw))
	}
	return nil
}

// reference reads a keyword whose place may be needed once all is read.
func (k *keyword) reference(to *string) error {
	k.c.raw[k.path] = k.raw
	if err := k.kind('"', "a string"); err != nil {
		return err
	}
	*to = string(object.AppendUnquoted(nil, k.raw))
	return nil
}

func (k *keyword) kind(kind byte, want string) error {
	if k.raw[0] != kind {
		return k.c.broken(k.raw, k.path, "want "+want+", not "+show(k.raw))
	}
	return nil
}

// expression compiles a regular expression. What Go does not know of ECMA-262, such as (?!…), is no fault of the schema's.
func (c *compiler) expression(text string, at []byte, path string) (expression, error) {
	re, err := regexp.Compile(text)
	var bad *syntax.Error
	switch {
	case err == nil:
		return expression{text, re}, nil
	case !errors.As(err, &bad):
		return expression{}, c.unsupported(at, path, err.Error())
	}
	msg := fmt.Sprintf("regular expression %s: %s: %s", text, bad.Code, bad.Expr)
	switch bad.Code {
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidEscape, syntax.ErrInvalidRepeatSize, syntax.ErrInvalidCharRange, syntax.ErrLarge:
		return expression{}, c.unsupported(at, path, msg)
	}
	return expression{}, c.broken(at, path, msg)
}
func newConstant(raw []byte) constant {
	v := decode(raw)
	return constant{text(v), string(appendKey(nil, v))}
}
