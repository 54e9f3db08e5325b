package schema

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

func (w *walk) checkArray(n *node, v []any, path string, m marks) {
	w.checkCount(len(v), n.count, "item", path)
	first, rest := n.prefix, n.items
	if w.schema.draft7 {
		first = n.list
		if first != nil {
			rest = n.additionalItems
		}
	}
	for i := range v {
		schema := rest
		if i < len(first) {
			schema = first[i]
		}
		if schema != nil {
			w.check(schema, v[i], path+"/"+strconv.Itoa(i), nil)
			m.note(i)
		}
	}
	if n.unique {
		w.checkUnique(v, path)
	}
	if n.contains != nil {
		w.checkContains(n, v, path, m)
	}
}

// note marks a member or an item as looked at.
func (m marks) note(key any) {
	if m != nil {
		m[key] = true
	}
}

func (w *walk) checkUnique(v []any, path string) {
	first := make(map[string]int, len(v))
	for i := range v {
		key := string(appendKey(nil, v[i]))
		if j, ok := first[key]; ok {
			w.add(path, "items %d and %d are the same: %s", j, i, text(v[i]))
			return
		}
		first[key] = i
	}
}

func (w *walk) checkContains(n *node, v []any, path string, m marks) {
	hits := 0
	for i := range v {
		if len(w.of(n.contains, v[i], path+"/"+strconv.Itoa(i)).found) == 0 {
			hits++
			m.note(i)
		}
	}
	least := n.hits.least
	if least < 0 {
		least = 1
	}
	if hits >= least && (n.hits.most < 0 || hits <= n.hits.most) {
		return
	}
	want := fmt.Sprintf("at least %d", least)
	if n.hits.most >= 0 {
		want = fmt.Sprintf("from %d to %d", least, n.hits.most)
	}
	w.add(path, "%s as contains asks for, want %s", counted(hits, "item"), want)
}

func (w *walk) checkObject(n *node, v map[string]any, path string, m marks) {
	w.checkCount(len(v), n.size, "member", path)
	w.checkPresent(n.required, v, path, "")
	for _, name := range n.order(v) {
		w.checkMember(n, v[name], name, path+"/"+escape(name), m)
	}
	names, schemas := n.dependentNames, n.dependent
	if w.schema.draft7 {
		names, schemas = n.dependencyNames, n.dependencies
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		w.checkPresent(names[name], v, path, fmt.Sprintf(", which goes with %q", name))
		if s := schemas[name]; s != nil {
			w.apply(s, v, path, m)
		}
	}
}

// order sorts the names of members: first those that tell alternatives apart, so that what is not meant ends soon.
func (n *node) order(v map[string]any) []string {
	late := func(name string) int {
		if p := n.properties[name]; p != nil && (p.enum != nil || p.constant != nil) {
			return 0
		}
		return 1
	}
	return slices.SortedFunc(maps.Keys(v), func(a, b string) int {
		return cmp.Or(cmp.Compare(late(a), late(b)), cmp.Compare(a, b))
	})
}

func (w *walk) checkMember(n *node, v any, name, path string, m marks) {
	known := false
	if p := n.properties[name]; p != nil {
		known = true
		w.check(p, v, path, nil)
	}
	for _, p := range n.patterns {
		if p.expression.MatchString(name) {
			known = true
			w.check(p.schema, v, path, nil)
		}
	}
	switch {
	case !known && n.additional == nil:
	case !known && n.additional.never:
		w.add(path, "no such member is allowed")
	default:
		if !known {
			w.check(n.additional, v, path, nil)
		}
		m.note(name)
	}
	if n.memberNames != nil {
		inner := &walk{schema: w.schema, known: map[place]outcome{}, scope: slices.Clip(w.scope)}
		if inner.check(n.memberNames, name, "", nil); len(inner.found) > 0 {
			w.add(path, "its name: %s", inner.found[0].Reason)
		}
	}
}

func (w *walk) checkPresent(names []string, v map[string]any, path, why string) {
	for _, name := range names {
		if _, ok := v[name]; !ok {
			w.add(path, "the member %q is missing%s", name, why)
		}
	}
}

// checkRest checks what no other keyword, here or in a schema applied here, has looked at.
func (w *walk) checkRest(n *node, v any, path string, m marks) {
	switch v := v.(type) {
	case []any:
		for i := range v {
			if n.restItems != nil && !m[i] {
				w.check(n.restItems, v[i], path+"/"+strconv.Itoa(i), nil)
				m.note(i)
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if n.restMembers == nil || m[name] {
				continue
			}
			if at := path + "/" + escape(name); n.restMembers.never {
				w.add(at, "no such member is allowed")
			} else {
				w.check(n.restMembers, v[name], at, nil)
			}
			m.note(name)
		}
	}
}
