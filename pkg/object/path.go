package object

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SetPath sets what a dotted path leads to; value is JSON. In a name "\." is a dot and "\\" a backslash. Where the path meets
// an array a part is an index: 0 is the first element, -1 the last, and the length appends one. Everywhere else it is a name,
// a number too. What is missing on the way, or null, becomes an object. An empty path or part, an index that is none or beyond
// the end, and a way through a string, a number, true or false are errors, which quote the path; the object is unchanged then.
func (o *Object) SetPath(path string, value []byte) error {
	parts, err := split(path)
	if err != nil {
		return err
	}
	old, _ := o.Get(parts[0])
	if value, err = setIn(old, parts[1:], value); err != nil {
		return fmt.Errorf("path %s: %w", path, err)
	}
	o.Set(parts[0], value)
	return nil
}

// DeletePath removes what a dotted path, as SetPath takes it, leads to. That there is nothing is no error; a path with an empty
// part is.
func (o *Object) DeletePath(path string) error {
	parts, err := split(path)
	if err != nil {
		return err
	}
	if len(parts) == 1 {
		o.Delete(parts[0])
		return nil
	}
	if old, ok := o.Get(parts[0]); ok {
		if value, ok := deleteIn(old, parts[1:]); ok {
			o.Set(parts[0], value)
		}
	}
	return nil
}

// GetPath gives the value that a dotted path, as SetPath takes it, leads to in a JSON text; a slice of data.
func GetPath(data []byte, path string) (value []byte, ok bool) {
	parts, err := split(path)
	if err != nil {
		return nil, false
	}
	for _, part := range parts {
		if data, ok = child(data, part); !ok {
			return nil, false
		}
	}
	return data, true
}

// child is the member or element of a JSON text that one part of a path leads to.
func child(data []byte, part string) (value []byte, ok bool) {
	c := NewCursor(data)
	switch {
	case c.Begin('{'):
		for c.Next() {
			key := c.key()
			v := c.Value()
			if c.bad == nil && (string(key[1:len(key)-1]) == part || bytes.IndexByte(key, '\\') >= 0 && unquoted(key) == part) {
				value, ok = v, true
			}
		}
		return value, ok && c.bad == nil
	case c.Kind() == '[':
		all := elements(data)
		if i, err := index(part, len(all)); err == nil && i < len(all) {
			return all[i], true
		}
	}
	return nil, false
}

// split takes a path apart.
func split(path string) ([]string, error) {
	if path == "" {
		return nil, errors.New("empty path")
	}
	if strings.IndexByte(path, '\\') < 0 && strings.IndexByte(path, '.') < 0 {
		return []string{path}, nil
	}
	var parts []string
	var part strings.Builder
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '.':
			parts = append(parts, part.String())
			part.Reset()
		case c == '\\' && i+1 < len(path) && (path[i+1] == '.' || path[i+1] == '\\'):
			i++
			part.WriteByte(path[i])
		default:
			part.WriteByte(c)
		}
	}
	parts = append(parts, part.String())
	if slices.Contains(parts, "") {
		return nil, fmt.Errorf(`path %s: empty name; write \. for a dot in a name`, path)
	}
	if len(parts) > maxDepth {
		return nil, fmt.Errorf("path of more than %d names", maxDepth)
	}
	return parts, nil
}

// setIn gives old with value where the parts lead to; old is nil where there is nothing.
func setIn(old []byte, parts []string, value []byte) ([]byte, error) {
	if len(parts) == 0 {
		return value, nil
	}
	o := &Object{}
	c := NewCursor(old)
	switch kind := c.Kind(); kind {
	case '[':
		all := elements(old)
		i, err := index(parts[0], len(all))
		if err != nil {
			return nil, err
		}
		if i == len(all) {
			all = append(all, nil)
		}
		if all[i], err = setIn(all[i], parts[1:], value); err != nil {
			return nil, err
		}
		return join(all), nil
	case '{':
		var err error
		if o, err = Parse(old); err != nil {
			return nil, err
		}
	case '"', '0', 't', 'f':
		return nil, fmt.Errorf("%s has no member %q", kindName(kind), parts[0])
	}
	inner, _ := o.Get(parts[0])
	inner, err := setIn(inner, parts[1:], value)
	if err != nil {
		return nil, err
	}
	o.Set(parts[0], inner)
	return o.Append(nil), nil
}

// deleteIn gives old without what the parts lead to; not ok if that is nothing.
func deleteIn(old []byte, parts []string) (value []byte, ok bool) {
	c := NewCursor(old)
	switch c.Kind() {
	case '[':
		all := elements(old)
		i, err := index(parts[0], len(all))
		if err != nil || i == len(all) {
			return nil, false
		}
		if len(parts) == 1 {
			return join(slices.Delete(all, i, i+1)), true
		}
		if all[i], ok = deleteIn(all[i], parts[1:]); ok {
			return join(all), true
		}
	case '{':
		o, err := Parse(old)
		if err != nil {
			return nil, false
		}
		inner, ok := o.Get(parts[0])
		if !ok {
			return nil, false
		}
		if len(parts) == 1 {
			o.Delete(parts[0])
			return o.Append(nil), true
		}
		if inner, ok = deleteIn(inner, parts[1:]); ok {
			o.Set(parts[0], inner)
			return o.Append(nil), true
		}
	}
	return nil, false
}

// index reads a part of a path as an index of an array of n elements, from -n to n, and gives it as 0 to n.
func index(part string, n int) (int, error) {
	i, err := strconv.Atoi(part)
	if err != nil && !errors.Is(err, strconv.ErrRange) || strconv.Itoa(i) != part && err == nil {
		return 0, fmt.Errorf("%q is no index of an array", part)
	}
	if err != nil || i > n || i < -n {
		return 0, fmt.Errorf("index %s is beyond the end of an array of length %d", part, n)
	}
	if i < 0 {
		i += n
	}
	return i, nil
}

// elements are the values of an array.
func elements(data []byte) (all [][]byte) {
	c := NewCursor(data)
	if c.Begin('[') {
		for c.Next() {
			all = append(all, c.Value())
		}
	}
	if c.bad != nil {
		return nil
	}
	return all
}

// join is the array of the elements.
func join(all [][]byte) []byte {
	size := 2
	for _, v := range all {
		size += len(v) + 1
	}
	out := append(make([]byte, 0, size), '[')
	for i, v := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}
