package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// walk looks for the places where a value does not match, up to maxMismatches of them.
type walk struct {
	schema *Schema
	found  []Mismatch
	scope  []*resource       // the resources gone through, the outermost first
	known  map[place]outcome // shared by the walks of one Check
}

// marks are the members or items of a value that a schema or one beside it has looked at; nil where nobody asks.
type marks map[any]bool

// place is a schema and the place of a value that it was applied to. Each is walked once: else alternatives that refer to each
// other, as those of a syntax tree do, would take time that grows with the power of the depth.
type place struct {
	schema *node
	path   string
}

type outcome struct {
	found []Mismatch
	marks marks
}

func (w *walk) add(path, format string, args ...any) {
	w.take(Mismatch{Path: here(path), Reason: fmt.Sprintf(format, args...)})
}

// here gives a path as a Mismatch has it.
func here(path string) string {
	if path == "" {
		return "/"
	}
	return path
}

func (w *walk) take(found ...Mismatch) {
	w.found = append(w.found, found[:min(len(found), maxMismatches-len(w.found))]...)
}

// of gives what is wrong with a value by a schema alone, and what that looked at.
func (w *walk) of(n *node, v any, path string) outcome {
	at := place{n, path}
	o, ok := w.known[at]
	if ok && !w.schema.scoped {
		return o
	}
	inner := &walk{schema: w.schema, known: w.known, scope: slices.Clip(w.scope)}
	if w.schema.marks {
		o.marks = marks{}
	}
	inner.check(n, v, path, o.marks)
	o.found = inner.found
	w.known[at] = o
	return o
}

// apply checks a value by a schema that stands beside others. What it looked at counts if it matches.
func (w *walk) apply(n *node, v any, path string, m marks) (ok bool) {
	o := w.of(n, v, path)
	w.take(o.found...)
	return m.add(o)
}

// add takes over the marks of a schema that matches.
func (m marks) add(o outcome) (ok bool) {
	if len(o.found) > 0 {
		return false
	}
	if m != nil {
		for key := range o.marks {
			m[key] = true
		}
	}
	return true
}

func (w *walk) check(n *node, v any, path string, m marks) {
	if len(w.found) == maxMismatches {
		return
	}
	if n.never {
		w.add(path, "nothing is allowed here, found %s", text(v))
		return
	}
	if n.resource != nil && (len(w.scope) == 0 || w.scope[len(w.scope)-1] != n.resource) {
		w.scope = append(w.scope, n.resource)
		defer func() { w.scope = w.scope[:len(w.scope)-1] }()
	}
	if m == nil && (n.restItems != nil || n.restMembers != nil) {
		m = marks{}
	}
	if n.target != nil {
		w.apply(n.target, v, path, m)
		if w.schema.draft7 {
			return // as draft-07 says of what stands beside a $ref
		}
	}
	if n.dynamic != nil {
		w.apply(w.dynamic(n), v, path, m)
	}
	if !w.checkType(n, v, path) {
		return
	}
	w.checkValue(n, v, path)
	switch v := v.(type) {
	case json.Number:
		w.checkNumber(n, v, path)
	case string:
		w.checkString(n, v, path)
	case []any:
		w.checkArray(n, v, path, m)
	case map[string]any:
		w.checkObject(n, v, path, m)
	}
	w.checkLogic(n, v, path, m)
	w.checkRest(n, v, path, m)
}

// dynamic gives the schema that a $dynamicRef leads to here: if it names a $dynamicAnchor, the one of that name in the
// outermost resource that has it.
func (w *walk) dynamic(n *node) *node {
	if name := n.dynamic.dynamicAnchor; name != "" && strings.HasSuffix(n.dynamicRef, "#"+name) {
		for _, r := range w.scope {
			if outer := r.dynamic[name]; outer != nil {
				return outer
			}
		}
	}
	return n.dynamic
}

func (w *walk) checkType(n *node, v any, path string) bool {
	found := typeOf(v)
	if n.types == nil || slices.Contains(n.types, found) || found == "integer" && slices.Contains(n.types, "number") {
		return true
	}
	w.add(path, "want %s, found %s", typeWords(n.types), text(v))
	return false
}

// typeWords names types in words: "a string or null".
func typeWords(types []string) string {
	var words []string
	for _, t := range types {
		switch t {
		case "null":
			words = append(words, t)
		case "array", "integer", "object":
			words = append(words, "an "+t)
		default:
			words = append(words, "a "+t)
		}
	}
	return list(words)
}

// list joins words by commas, the last by "or".
func list(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func (w *walk) checkValue(n *node, v any, path string) {
	if n.enum == nil && n.constant == nil {
		return
	}
	key := string(appendKey(nil, v))
	if n.enum != nil && !slices.ContainsFunc(n.enum, func(c constant) bool { return c.key == key }) {
		const most = 10
		var words []string
		for _, c := range n.enum[:min(len(n.enum), most)] {
			words = append(words, c.text)
		}
		want := list(words)
		if more := len(n.enum) - most; more > 0 {
			want = fmt.Sprintf("%s, … (%d more)", strings.Join(words, ", "), more)
		}
		w.choose(path, want, v)
	}
	if n.constant != nil && n.constant.key != key {
		w.choose(path, n.constant.text, v)
	}
}

// choose adds a value that is not the one, or one of those, that it must be.
func (w *walk) choose(path, want string, v any) {
	w.take(Mismatch{Path: here(path), Reason: fmt.Sprintf("want %s, found %s", want, text(v)), choice: true})
}

func (w *walk) checkNumber(n *node, v json.Number, path string) {
	for _, b := range []struct {
		limit *bound
		wrong func(cmp int) bool
		words string
	}{
		{n.minimum, func(cmp int) bool { return cmp < 0 }, "at least"},
		{n.maximum, func(cmp int) bool { return cmp > 0 }, "at most"},
		{n.exclusiveMinimum, func(cmp int) bool { return cmp <= 0 }, "more than"},
		{n.exclusiveMaximum, func(cmp int) bool { return cmp >= 0 }, "less than"},
	} {
		if b.limit != nil && b.wrong(rational(string(v)).Cmp(b.limit.value)) {
			w.add(path, "want %s %s, found %s", b.words, b.limit.text, text(v))
		}
	}
	if m := n.multipleOf; m != nil && !new(big.Rat).Quo(rational(string(v)), m.value).IsInt() {
		w.add(path, "want a multiple of %s, found %s", m.text, text(v))
	}
}

func (w *walk) checkString(n *node, v, path string) {
	w.checkCount(utf8.RuneCountInString(v), n.length, "character", path)
	if n.pattern != nil && !n.pattern.MatchString(v) {
		w.add(path, "want text that matches %s, found %s", n.pattern.text, text(v))
	}
}

func (w *walk) checkCount(n int, b between, unit, path string) {
	switch {
	case n < b.least:
		w.add(path, "want at least %s, found %d", counted(b.least, unit), n)
	case b.most >= 0 && n > b.most:
		w.add(path, "want at most %s, found %d", counted(b.most, unit), n)
	}
}

func counted(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
