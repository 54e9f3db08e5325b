package schema

import (
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// walk looks for the places where a value does not match, up to maxMismatches of them.
type walk struct {
	schema *Schema
	found  []Mismatch
	known  map[place][]Mismatch // shared by the walks of one Check
}

// place is a schema and the place of a value that it was applied to. Each is walked once: else alternatives that refer to each
// other, as those of a syntax tree do, would take time that grows with the power of the depth.
type place struct {
	schema *node
	path   string
}

func (w *walk) add(path, format string, args ...any) {
	if path == "" {
		path = "/"
	}
	w.take(Mismatch{Path: path, Reason: fmt.Sprintf(format, args...)})
}

func (w *walk) take(found ...Mismatch) {
	w.found = append(w.found, found[:min(len(found), maxMismatches-len(w.found))]...)
}

// of gives what is wrong with a value by a schema alone.
func (w *walk) of(s *node, v any, path string) []Mismatch {
	at := place{s, path}
	found, ok := w.known[at]
	if !ok {
		inner := &walk{schema: w.schema, known: w.known}
		inner.check(s, v, path)
		found = inner.found
		w.known[at] = found
	}
	return found
}

func (w *walk) matches(s *node, v any, path string) bool { return len(w.of(s, v, path)) == 0 }

func (w *walk) check(s *node, v any, path string) {
	if len(w.found) == maxMismatches {
		return
	}
	if isFalse(s) {
		w.add(path, "nothing is allowed here, found %s", text(v))
		return
	}
	if s.Ref != "" {
		w.take(w.of(w.schema.refs[s], v, path)...)
		if w.schema.draft7 {
			return // as draft-07 says of what stands beside a $ref
		}
	}
	if !w.checkType(s, v, path) {
		return
	}
	w.checkValue(s, v, path)
	switch v := v.(type) {
	case string:
		w.checkString(s, v, path)
	case []any:
		w.checkArray(s, v, path)
	case map[string]any:
		w.checkObject(s, v, path)
	}
	w.checkLogic(s, v, path)
}

// isFalse tells whether a schema is false, which the library keeps as the not of an empty schema.
func isFalse(s *node) bool { return s.Not != nil && isEmpty(s.Not) }

func (w *walk) checkType(s *node, v any, path string) bool {
	want := s.Types
	if s.Type != "" {
		want = []string{s.Type}
	}
	found := typeOf(v)
	if want == nil || slices.Contains(want, found) || found == "integer" && slices.Contains(want, "number") {
		return true
	}
	w.add(path, "want %s, found %s", types(want), text(v))
	return false
}

// types names types in words: "a string or null".
func types(want []string) string {
	var words []string
	for _, t := range want {
		switch t {
		case "null":
			words = append(words, t)
		case "array", "integer", "object":
			words = append(words, "an "+t)
		default:
			words = append(words, "a "+t)
		}
	}
	return list(words, "or")
}

func list(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}

// choose adds a value that is not the one, or one of those, that it must be.
func (w *walk) choose(path, want string, v any) {
	if path == "" {
		path = "/"
	}
	w.take(Mismatch{Path: path, Reason: fmt.Sprintf("want %s, found %s", want, text(v)), choice: true})
}

func (w *walk) checkValue(s *node, v any, path string) {
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return equal(e, v) }) {
		const most = 10
		var words []string
		for _, e := range s.Enum[:min(len(s.Enum), most)] {
			words = append(words, text(e))
		}
		want := list(words, "or")
		if more := len(s.Enum) - most; more > 0 {
			want = fmt.Sprintf("%s, … (%d more)", strings.Join(words, ", "), more)
		}
		w.choose(path, want, v)
	}
	if s.Const != nil && !equal(*s.Const, v) {
		w.choose(path, text(*s.Const), v)
	}
	n, ok := rational(v)
	if !ok {
		return
	}
	bound := func(limit *float64, wrong func(cmp int) bool, say string) {
		if limit == nil {
			return
		}
		if m, _ := rational(*limit); wrong(n.Cmp(m)) {
			w.add(path, "want "+say+" %s, found %s", decimal(*limit), text(v))
		}
	}
	bound(s.Minimum, func(cmp int) bool { return cmp < 0 }, "at least")
	bound(s.Maximum, func(cmp int) bool { return cmp > 0 }, "at most")
	bound(s.ExclusiveMinimum, func(cmp int) bool { return cmp <= 0 }, "more than")
	bound(s.ExclusiveMaximum, func(cmp int) bool { return cmp >= 0 }, "less than")
	if s.MultipleOf != nil {
		if m, _ := rational(*s.MultipleOf); !new(big.Rat).Quo(n, m).IsInt() {
			w.add(path, "want a multiple of %s, found %s", decimal(*s.MultipleOf), text(v))
		}
	}
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func (w *walk) checkString(s *node, v, path string) {
	if s.MinLength != nil || s.MaxLength != nil {
		w.size(utf8.RuneCountInString(v), s.MinLength, s.MaxLength, "character", path)
	}
	if s.Pattern != "" && !expression(s.Pattern).MatchString(v) {
		w.add(path, "want text that matches %s, found %s", s.Pattern, text(v))
	}
}

// size checks a count against its bounds.
func (w *walk) size(n int, least, most *int, unit, path string) {
	switch {
	case least != nil && n < *least:
		w.add(path, "want at least %s, found %d", count(*least, unit), n)
	case most != nil && n > *most:
		w.add(path, "want at most %s, found %d", count(*most, unit), n)
	}
}

func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// expression compiles a regular expression that Compile found to be right.
func expression(text string) *regexp.Regexp { return regexp.MustCompile(text) }

func (w *walk) checkArray(s *node, v []any, path string) {
	w.size(len(v), s.MinItems, s.MaxItems, "item", path)
	first, rest := s.PrefixItems, s.Items
	if w.schema.draft7 {
		first = s.ItemsArray
		if first != nil {
			rest = s.AdditionalItems
		}
	}
	for i := range v {
		at := path + "/" + strconv.Itoa(i)
		switch {
		case i < len(first):
			w.check(first[i], v[i], at)
		case rest != nil:
			w.check(rest, v[i], at)
		}
	}
	if s.UniqueItems {
		w.checkUnique(v, path)
	}
	if s.Contains != nil {
		n := 0
		for i := range v {
			if w.matches(s.Contains, v[i], path+"/"+strconv.Itoa(i)) {
				n++
			}
		}
		least := 1
		if s.MinContains != nil {
			least = *s.MinContains
		}
		if n < least || s.MaxContains != nil && n > *s.MaxContains {
			w.add(path, "%s as contains asks for, want %s", count(n, "item"), between(least, s.MaxContains))
		}
	}
}

func between(least int, most *int) string {
	if most == nil {
		return fmt.Sprintf("at least %d", least)
	}
	return fmt.Sprintf("from %d to %d", least, *most)
}

func (w *walk) checkUnique(v []any, path string) {
	for i := range v {
		for j := range v[:i] {
			if equal(v[i], v[j]) {
				w.add(path, "items %d and %d are the same: %s", j, i, text(v[i]))
				return
			}
		}
	}
}

func (w *walk) checkObject(s *node, v map[string]any, path string) {
	w.size(len(v), s.MinProperties, s.MaxProperties, "member", path)
	w.missing(s.Required, v, path, "")
	for _, name := range slices.Sorted(maps.Keys(v)) {
		at := path + "/" + escape(name)
		known := false
		if p, ok := s.Properties[name]; ok {
			known = true
			w.check(p, v[name], at)
		}
		for _, pattern := range slices.Sorted(maps.Keys(s.PatternProperties)) {
			if expression(pattern).MatchString(name) {
				known = true
				w.check(s.PatternProperties[pattern], v[name], at)
			}
		}
		switch {
		case known || s.AdditionalProperties == nil:
		case isFalse(s.AdditionalProperties):
			w.add(at, "no such member is allowed")
		default:
			w.check(s.AdditionalProperties, v[name], at)
		}
		if s.PropertyNames != nil {
			inner := &walk{schema: w.schema, known: map[place][]Mismatch{}}
			if inner.check(s.PropertyNames, name, ""); len(inner.found) > 0 {
				w.add(at, "its name: %s", inner.found[0].Reason)
			}
		}
	}
	w.checkDependent(s, v, path)
}

func (w *walk) missing(names []string, v map[string]any, path, why string) {
	for _, name := range names {
		if _, ok := v[name]; !ok {
			w.add(path, "the member %q is missing%s", name, why)
		}
	}
}

// checkDependent checks what the presence of a member asks for.
func (w *walk) checkDependent(s *node, v map[string]any, path string) {
	names, schemas := s.DependentRequired, s.DependentSchemas
	if w.schema.draft7 {
		names, schemas = s.DependencyStrings, s.DependencySchemas
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		w.missing(names[name], v, path, fmt.Sprintf(", which goes with %q", name))
		if dependent := schemas[name]; dependent != nil {
			w.check(dependent, v, path)
		}
	}
}
