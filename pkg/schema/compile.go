package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/llmcall/llmcall/pkg/object"
)

type node = jsonschema.Schema

// compiler is the state of one Compile.
type compiler struct {
	name string
	text []byte

	// What form notes.
	old       bool              // keywords that only draft-07 has
	recursive bool              // $recursiveRef
	beyond    bool              // keywords that the walk does not follow
	raw       map[string][]byte // references, and enum and const with long numbers, by their pointer

	schemas   map[string]*node   // by their pointer from the root
	resources map[string]string  // pointers of schemas with an $id, by their URI
	anchors   map[string]*node   // by URI, #, and name
	dynamic   map[string][]*node // schemas with that $dynamicAnchor
	links     []link
	refs      map[*node]*node
	draft7    bool
}

// link is a schema with a $ref or a $dynamicRef.
type link struct {
	from *node
	path string
	base *url.URL
	ref  string
}

func (c *compiler) compile() (*Schema, error) {
	value := bytes.Trim(c.text, " \t\r\n")
	c.raw = map[string][]byte{}
	if err := c.form(value, "", 0); err != nil {
		return nil, err
	}
	root := new(node)
	if err := json.Unmarshal(value, root); err != nil {
		return nil, c.broken(value, "", err.Error())
	}
	if err := c.draft(root); err != nil {
		return nil, err
	}
	c.schemas, c.resources, c.anchors = map[string]*node{}, map[string]string{"": ""}, map[string]*node{}
	c.dynamic, c.refs = map[string][]*node{}, map[*node]*node{}
	if err := c.index(root, "", &url.URL{}); err != nil {
		return nil, err
	}
	for _, l := range c.links {
		target, err := c.resolve(l)
		if err != nil {
			return nil, err
		}
		c.refs[l.from] = target
	}
	if err := c.endless(); err != nil {
		return nil, err
	}
	s := &Schema{root: root, refs: c.refs, draft7: c.draft7}
	if c.beyond {
		var err error
		if s.judge, err = root.Resolve(nil); err != nil {
			return nil, c.unsupported(value, "", oneLine(err))
		}
	}
	return s, nil
}

// draft sets the draft that the library is to use. A schema that names none is of 2020-12, unless it has what only draft-07
// has.
func (c *compiler) draft(root *node) error {
	const (
		draft7  = "http://json-schema.org/draft-07/schema#"
		current = "https://json-schema.org/draft/2020-12/schema"
	)
	name := strings.TrimSuffix(root.Schema, "#")
	_, name, _ = strings.Cut(name, "://")
	switch name {
	case "":
		c.draft7 = c.old
	case "json-schema.org/draft-04/schema", "json-schema.org/draft-06/schema", "json-schema.org/draft-07/schema":
		c.draft7 = true
	case "json-schema.org/draft/2020-12/schema", "json-schema.org/schema":
	case "json-schema.org/draft/2019-09/schema":
		if c.old || c.recursive {
			return c.unsupported(c.raw["/$schema"], "/$schema", "what only draft 2019-09 has")
		}
	default:
		return c.unsupported(c.raw["/$schema"], "/$schema", "the draft "+root.Schema+": want 2020-12 or draft-07")
	}
	root.Schema = current
	if c.draft7 {
		root.Schema = draft7
	}
	return nil
}

// index notes a schema and those within it, with the names by which references may find them.
func (c *compiler) index(s *node, path string, base *url.URL) error {
	c.schemas[path] = s
	if raw, ok := c.raw[path+"/enum"]; ok {
		s.Enum = numbers(raw).([]any)
	}
	if raw, ok := c.raw[path+"/const"]; ok {
		exact := numbers(raw)
		s.Const = &exact
	}
	if s.ID != "" && !(c.draft7 && s.Ref != "") {
		id, err := url.Parse(s.ID)
		if err != nil {
			return c.broken(c.raw[path+"/$id"], path+"/$id", err.Error())
		}
		if name, ok := strings.CutPrefix(s.ID, "#"); ok {
			c.anchors[base.String()+"#"+name] = s
		} else {
			base = base.ResolveReference(id)
			base.Fragment = ""
			c.resources[base.String()] = path
		}
	}
	for _, name := range []string{s.Anchor, s.DynamicAnchor} {
		if name != "" {
			c.anchors[base.String()+"#"+name] = s
		}
	}
	if s.DynamicAnchor != "" {
		c.dynamic[s.DynamicAnchor] = append(c.dynamic[s.DynamicAnchor], s)
	}
	if s.Ref != "" {
		c.links = append(c.links, link{s, path + "/$ref", base, s.Ref})
	} else if s.DynamicRef != "" {
		c.links = append(c.links, link{s, path + "/$dynamicRef", base, s.DynamicRef})
	}
	for segment, child := range children(s) {
		if err := c.index(child, path+segment, base); err != nil {
			return err
		}
	}
	return nil
}

// resolve finds what a reference leads to. A reference to another document is refused: nothing here asks the network.
func (c *compiler) resolve(l link) (*node, error) {
	ref, err := url.Parse(l.ref)
	if err != nil {
		return nil, c.broken(c.raw[l.path], l.path, err.Error())
	}
	ref = l.base.ResolveReference(ref)
	fragment := ref.Fragment
	ref.Fragment, ref.RawFragment = "", ""
	at, known := c.resources[ref.String()]
	if !known {
		return nil, c.unsupported(c.raw[l.path], l.path, "a reference to outside of the schema: "+l.ref)
	}
	var target *node
	if fragment == "" || fragment[0] == '/' {
		target = c.schemas[at+fragment]
	} else {
		target = c.anchors[ref.String()+"#"+fragment]
	}
	if target == nil {
		first, _, _ := strings.Cut(strings.TrimPrefix(fragment, "/"), "/")
		if o, err := object.Parse(c.text); err == nil && !strings.HasPrefix(first, "$") && first != "definitions" {
			if _, ok := o.Get(first); ok {
				return nil, c.unsupported(c.raw[l.path], l.path, "a reference to what is no schema: "+l.ref)
			}
		}
		return nil, c.broken(c.raw[l.path], l.path, "the reference leads nowhere: "+l.ref)
	}
	return target, nil
}

// endless refuses a schema that refers to itself without going into the value, which would never come to an end.
func (c *compiler) endless() error {
	const (
		open = iota + 1
		done
	)
	state := map[*node]int{}
	var visit func(s *node) bool
	visit = func(s *node) bool {
		if state[s] != 0 {
			return state[s] == done
		}
		state[s] = open
		for next := range c.inPlace(s) {
			if !visit(next) {
				return false
			}
		}
		state[s] = done
		return true
	}
	for _, path := range slices.Sorted(maps.Keys(c.schemas)) {
		if !visit(c.schemas[path]) {
			return c.broken(c.raw[path+"/$ref"], path, "the schema refers to itself without end")
		}
	}
	return nil
}

// inPlace yields the schemas that a schema applies to the same value.
func (c *compiler) inPlace(s *node) iter.Seq[*node] {
	return func(yield func(*node) bool) {
		next := slices.Concat(s.AllOf, s.AnyOf, s.OneOf, []*node{c.refs[s], s.Not, s.If, s.Then, s.Else})
		if s.DynamicRef != "" {
			if _, name, ok := strings.Cut(s.DynamicRef, "#"); ok {
				next = append(next, c.dynamic[name]...)
			}
		}
		next = slices.AppendSeq(next, maps.Values(s.DependentSchemas))
		next = slices.AppendSeq(next, maps.Values(s.DependencySchemas))
		for _, n := range next {
			if n != nil && !yield(n) {
				return
			}
		}
	}
}

// children yields the schemas within a schema and their pointers from it.
func children(s *node) iter.Seq2[string, *node] {
	return func(yield func(string, *node) bool) {
		for _, one := range []struct {
			keyword string
			schema  *node
		}{
			{"additionalItems", s.AdditionalItems}, {"additionalProperties", s.AdditionalProperties}, {"contains", s.Contains},
			{"contentSchema", s.ContentSchema}, {"else", s.Else}, {"if", s.If}, {"items", s.Items}, {"not", s.Not},
			{"propertyNames", s.PropertyNames}, {"then", s.Then}, {"unevaluatedItems", s.UnevaluatedItems},
			{"unevaluatedProperties", s.UnevaluatedProperties},
		} {
			if one.schema != nil && !yield("/"+one.keyword, one.schema) {
				return
			}
		}
		for _, list := range []struct {
			keyword string
			schemas []*node
		}{
			{"allOf", s.AllOf}, {"anyOf", s.AnyOf}, {"items", s.ItemsArray}, {"oneOf", s.OneOf}, {"prefixItems", s.PrefixItems},
		} {
			for i, child := range list.schemas {
				if !yield(fmt.Sprintf("/%s/%d", list.keyword, i), child) {
					return
				}
			}
		}
		for _, object := range []struct {
			keyword string
			schemas map[string]*node
		}{
			{"$defs", s.Defs}, {"definitions", s.Definitions}, {"dependencies", s.DependencySchemas},
			{"dependentSchemas", s.DependentSchemas}, {"patternProperties", s.PatternProperties}, {"properties", s.Properties},
		} {
			for _, name := range slices.Sorted(maps.Keys(object.schemas)) {
				if !yield("/"+object.keyword+"/"+escape(name), object.schemas[name]) {
					return
				}
			}
		}
	}
}
