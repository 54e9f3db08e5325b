package schema

import (
	"iter"
	"math/big"
	"net/url"
	"regexp"
)

// node is a schema, read. Keywords that are not there are nil, and size bounds -1.
type node struct {
	never bool // the schema false

	id, ref, dynamicRef, anchor, dynamicAnchor string

	types    []string
	enum     []constant
	constant *constant

	minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf *bound

	length, count, size, hits between // of characters, items, members, and what contains finds
	pattern                   *expression

	prefix, list               []*node // prefixItems; items as an array, as draft-07 has it
	items, additionalItems     *node
	contains, restItems        *node // restItems is unevaluatedItems
	unique                     bool
	required                   []string
	properties                 map[string]*node
	patterns                   []patternNode
	additional, restMembers    *node // restMembers is unevaluatedProperties
	memberNames                *node
	dependentNames             map[string][]string
	dependent                  map[string]*node
	dependencyNames            map[string][]string // of draft-07's dependencies
	dependencies               map[string]*node
	allOf, anyOf, oneOf        []*node
	not, when, then, otherwise *node

	// What is found once all is read.
	target   *node // of ref
	dynamic  *node // of dynamicRef, but for the scope it is met in
	resource *resource
	within   []child
}

// constant is a value that a schema names: its words for a reason, and its key by appendKey.
type constant struct{ text, key string }

// bound is a number that a schema gives.
type bound struct {
	text  string
	value *big.Rat
}

// between is a count's bounds; -1 is none.
type between struct{ least, most int }

type expression struct {
	text string
	*regexp.Regexp
}

type patternNode struct {
	expression expression
	schema     *node
}

// child is a schema within another, and its pointer from there.
type child struct {
	pointer string
	schema  *node
}

// resource is the root or a schema with an $id: what references are relative to, and where the names of anchors count.
type resource struct {
	base    *url.URL
	path    string // pointer from the root
	anchors map[string]*node
	dynamic map[string]*node // of those, the ones by $dynamicAnchor
}

// inPlace yields the schemas that a schema applies to the same value, as far as it can be told before there is one.
func (n *node) inPlace() iter.Seq[*node] {
	return func(yield func(*node) bool) {
		for _, list := range [][]*node{{n.target, n.dynamic, n.not, n.when, n.then, n.otherwise}, n.allOf, n.anyOf, n.oneOf} {
			for _, s := range list {
				if s != nil && !yield(s) {
					return
				}
			}
		}
		for _, m := range []map[string]*node{n.dependent, n.dependencies} {
			for _, s := range m {
				if !yield(s) {
					return
				}
			}
		}
	}
}
