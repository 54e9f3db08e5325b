package schema

import (
	"bytes"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/llmcall/llmcall/pkg/object"
)

// compiler is the state of one Compile.
type compiler struct {
	name string
	text []byte

	// What read notes.
	old       bool              // keywords that only draft-07 has
	list      string            // pointer of an items that is an array
	recursive bool              // $recursiveRef
	marks     bool              // unevaluatedItems or unevaluatedProperties
	raw       map[string][]byte // references and names, by their pointer

	draft7    bool
	schemas   map[string]*node     // by their pointer from the root
	resources map[string]*resource // by their URI
}

func (c *compiler) compile() (*Schema, error) {
	c.raw, c.schemas, c.resources = map[string][]byte{}, map[string]*node{}, map[string]*resource{}
	root, err := c.read(bytes.Trim(c.text, " \t\r\n"), "", 0)
	if err != nil {
		return nil, err
	}
	if err := c.draft(); err != nil {
		return nil, err
	}
	document := &resource{base: &url.URL{}, anchors: map[string]*node{}, dynamic: map[string]*node{}}
	c.resources[""] = document
	if err := c.index(root, "", document); err != nil {
		return nil, err
	}
	s := &Schema{root: root, draft7: c.draft7, marks: c.marks}
	for _, path := range slices.Sorted(maps.Keys(c.schemas)) {
		n := c.schemas[path]
		if n.target, err = c.resolve(n, n.ref, path+"/$ref"); err != nil {
			return nil, err
		}
		if n.dynamic, err = c.resolve(n, n.dynamicRef, path+"/$dynamicRef"); err != nil {
			return nil, err
		}
		s.scoped = s.scoped || n.dynamic != nil
	}
	return s, c.endless()
}

// draft finds the draft. A schema that names none is of 2020-12, unless it has what only draft-07 has.
func (c *compiler) draft() error {
	const key = "/$schema"
	name := string(object.AppendUnquoted(nil, c.raw[key]))
	_, plain, _ := strings.Cut(strings.TrimSuffix(name, "#"), "://")
	switch plain {
	case "":
		c.draft7 = c.old
		if name == "" {
			return nil
		}
	case "json-schema.org/draft-04/schema", "json-schema.org/draft-06/schema", "json-schema.org/draft-07/schema":
		c.draft7 = true
		return nil
	case "json-schema.org/draft/2020-12/schema", "json-schema.org/schema":
		if c.list != "" {
			return c.broken(c.raw[c.list], c.list, "an array, as in draft-07: draft 2020-12 has prefixItems for it")
		}
		return nil
	case "json-schema.org/draft/2019-09/schema":
		if c.old || c.recursive {
			return c.unsupported(c.raw[key], key, "what only draft 2019-09 has")
		}
		return nil
	}
	return c.unsupported(c.raw[key], key, "the draft "+name+": want 2020-12 or draft-07")
}

// index notes a schema and those within it, with the names by which references may find them.
func (c *compiler) index(n *node, path string, in *resource) error {
	c.schemas[path] = n
	if n.id != "" && !(c.draft7 && n.ref != "") {
		id, err := url.Parse(n.id)
		if err != nil {
			return c.broken(c.raw[path+"/$id"], path+"/$id", err.Error())
		}
		if name, ok := strings.CutPrefix(n.id, "#"); ok {
			in.anchors[name] = n
		} else {
			id = in.base.ResolveReference(id)
			id.Fragment, id.RawFragment = "", ""
			in = &resource{base: id, path: path, anchors: map[string]*node{}, dynamic: map[string]*node{}}
			c.resources[id.String()] = in
		}
	}
	n.resource = in
	if n.anchor != "" {
		in.anchors[n.anchor] = n
	}
	if n.dynamicAnchor != "" {
		in.anchors[n.dynamicAnchor], in.dynamic[n.dynamicAnchor] = n, n
	}
	for _, inner := range n.within {
		if err := c.index(inner.schema, path+inner.pointer, in); err != nil {
			return err
		}
	}
	return nil
}

// resolve finds what a reference leads to; nil if there is none. A reference to another document is refused: nothing here
// asks the network.
func (c *compiler) resolve(n *node, text, path string) (*node, error) {
	if text == "" {
		return nil, nil
	}
	ref, err := url.Parse(text)
	if err != nil {
		return nil, c.broken(c.raw[path], path, err.Error())
	}
	ref = n.resource.base.ResolveReference(ref)
	fragment := ref.Fragment
	ref.Fragment, ref.RawFragment = "", ""
	in := c.resources[ref.String()]
	if in == nil {
		return nil, c.unsupported(c.raw[path], path, "a reference to outside of the schema: "+text)
	}
	var target *node
	if fragment == "" || fragment[0] == '/' {
		target = c.schemas[in.path+fragment]
	} else {
		target = in.anchors[fragment]
	}
	if target != nil {
		return target, nil
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(fragment, "/"), "/")
	if o, err := object.Parse(c.text); err == nil && !strings.HasPrefix(first, "$") && first != "definitions" {
		if _, ok := o.Get(first); ok {
			return nil, c.unsupported(c.raw[path], path, "a reference to what is no schema: "+text)
		}
	}
	return nil, c.broken(c.raw[path], path, "the reference leads nowhere: "+text)
}

// endless refuses a schema that refers to itself without going into the value, which would never come to an end.
func (c *compiler) endless() error {
	const (
		open = iota + 1
		done
	)
	state := map[*node]int{}
	var visit func(n *node) bool
	visit = func(n *node) bool {
		if state[n] != 0 {
			return state[n] == done
		}
		state[n] = open
		for next := range n.inPlace() {
			if !visit(next) {
				return false
			}
		}
		if n.dynamic != nil {
			for _, r := range c.resources {
				if next := r.dynamic[n.dynamic.dynamicAnchor]; next != nil && !visit(next) {
					return false
				}
			}
		}
		state[n] = done
		return true
	}
	for _, path := range slices.Sorted(maps.Keys(c.schemas)) {
		if !visit(c.schemas[path]) {
			return c.broken(c.raw[path+"/$ref"], path, "the schema refers to itself without end")
		}
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
	e := c.broken(part, path, fmt.Sprintf("%s (llmcall cannot check this)", msg))
	e.Err = ErrUnsupported
	return e
}

// escape writes a name as a segment of a JSON Pointer (RFC 6901).
func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
