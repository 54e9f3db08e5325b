package schema

import (
	"fmt"

	"github.com/llmcall/llmcall/pkg/object"
)

// maxDepth is how deep schemas may nest.
const maxDepth = 500

// read reads a schema and those within it. Path is its pointer from the root.
func (c *compiler) read(raw []byte, path string, depth int) (*node, error) {
	none := between{-1, -1}
	n := &node{length: none, count: none, size: none, hits: none}
	switch {
	case depth > maxDepth:
		return nil, c.broken(raw, path, fmt.Sprintf("nested more than %d schemas deep", maxDepth))
	case raw[0] == 't', raw[0] == 'f':
		n.never = raw[0] == 'f'
		return n, nil
	case raw[0] != '{':
		return nil, c.broken(raw, path, "a schema is an object, true or false, not "+show(raw))
	}
	o, err := object.Parse(raw)
	if err != nil {
		return nil, c.broken(raw, path, err.Error())
	}
	for name, value := range o.All() {
		k := keyword{c: c, n: n, raw: value, pointer: "/" + escape(name), path: path + "/" + escape(name), depth: depth}
		if err := k.read(name); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func (k *keyword) read(name string) error {
	n := k.n
	switch name {
	case "additionalItems":
		return k.schema(&n.additionalItems)
	case "additionalProperties":
		return k.schema(&n.additional)
	case "contains":
		return k.schema(&n.contains)
	case "contentSchema":
		return k.schema(new(*node))
	case "else":
		return k.schema(&n.otherwise)
	case "if":
		return k.schema(&n.when)
	case "not":
		return k.schema(&n.not)
	case "propertyNames":
		return k.schema(&n.memberNames)
	case "then":
		return k.schema(&n.then)
	case "unevaluatedItems":
		k.c.marks = true
		return k.schema(&n.restItems)
	case "unevaluatedProperties":
		k.c.marks = true
		return k.schema(&n.restMembers)
	case "items":
		if k.raw[0] != '[' {
			return k.schema(&n.items)
		}
		k.c.old = true
		k.c.list, k.c.raw[k.path] = k.path, k.raw
		return k.schemas(&n.list)
	case "prefixItems":
		return k.schemas(&n.prefix)
	case "allOf":
		return k.schemas(&n.allOf)
	case "anyOf":
		return k.schemas(&n.anyOf)
	case "oneOf":
		return k.schemas(&n.oneOf)
	case "properties":
		return k.members(&n.properties, nil)
	case "$defs", "definitions":
		return k.members(new(map[string]*node), nil)
	case "dependentSchemas":
		return k.members(&n.dependent, nil)
	case "dependencies":
		k.c.old = true
		return k.members(&n.dependencies, &n.dependencyNames)
	case "dependentRequired":
		return k.members(nil, &n.dependentNames)
	case "patternProperties":
		return k.patterns()
	}
	return k.readAssertion(name)
}

// readAssertion reads the keywords that hold no schema.
func (k *keyword) readAssertion(name string) error {
	n := k.n
	switch name {
	case "type":
		return k.types()
	case "enum":
		if err := k.kind('[', "an array"); err != nil {
			return err
		}
		n.enum = []constant{}
		c := object.NewCursor(k.raw)
		for c.Begin('['); c.Next(); {
			n.enum = append(n.enum, newConstant(c.Value()))
		}
	case "const":
		one := newConstant(k.raw)
		n.constant = &one
	case "required":
		return k.names(k.raw, k.path, &n.required)
	case "uniqueItems":
		n.unique = k.raw[0] == 't'
		return k.boolean()
	case "deprecated", "readOnly", "writeOnly":
		return k.boolean()
	case "pattern":
		if err := k.kind('"', "a string"); err != nil {
			return err
		}
		e, err := k.c.expression(string(object.AppendUnquoted(nil, k.raw)), k.raw, k.path)
		n.pattern = &e
		return err
	case "minimum":
		return k.bound(&n.minimum)
	case "maximum":
		return k.bound(&n.maximum)
	case "exclusiveMinimum":
		return k.bound(&n.exclusiveMinimum)
	case "exclusiveMaximum":
		return k.bound(&n.exclusiveMaximum)
	case "multipleOf":
		if err := k.bound(&n.multipleOf); err != nil || n.multipleOf.value.Sign() > 0 {
			return err
		}
		return k.c.broken(k.raw, k.path, "want a number above 0, not "+show(k.raw))
	case "minLength":
		return k.whole(&n.length.least)
	case "maxLength":
		return k.whole(&n.length.most)
	case "minItems":
		return k.whole(&n.count.least)
	case "maxItems":
		return k.whole(&n.count.most)
	case "minProperties":
		return k.whole(&n.size.least)
	case "maxProperties":
		return k.whole(&n.size.most)
	case "minContains":
		return k.whole(&n.hits.least)
	case "maxContains":
		return k.whole(&n.hits.most)
	case "$id":
		return k.reference(&n.id)
	case "$schema":
		return k.reference(new(string))
	case "$ref":
		return k.reference(&n.ref)
	case "$dynamicRef":
		return k.reference(&n.dynamicRef)
	case "$recursiveRef":
		k.c.recursive = true
		return k.reference(new(string))
	case "$anchor":
		return k.reference(&n.anchor)
	case "$dynamicAnchor":
		return k.reference(&n.dynamicAnchor)
	case "$comment", "title", "description", "format", "contentEncoding", "contentMediaType":
		return k.kind('"', "a string")
	case "examples":
		return k.kind('[', "an array")
	case "$vocabulary":
		return k.c.unsupported(k.raw, k.path, "a schema with vocabularies of its own")
	}
	return nil
}
