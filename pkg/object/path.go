package object

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SetPath sets what a dotted path leads to. "\." is a dot within a name and "\\" a backslash. In an array a segment is an
// index: -1 is the last element, the length appends one. Members that are missing on the way are made, as objects. A path
// that leads through a string, a number, true, false or beyond an array's end is an error.
func (o *Object) SetPath(path string, value []byte) error {
	segments, err := split(path)
	if err != nil {
		return err
	}
	old, _ := o.Get(segments[0])
	value, err = setIn(old, segments[1:], value)
	if err != nil {
		return fmt.Errorf("path %s: %w", path, err)
	}
	o.Set(segments[0], value)
	return nil
}

// DeletePath removes what a dotted path leads to. It is no error if there is nothing.
func (o *Object) DeletePath(path string) error {
	segments, err := split(path)
	if err != nil {
		return err
	}
	if len(segments) == 1 {
		o.Delete(segments[0])
		return nil
	}
	old, ok := o.Get(segments[0])
	if !ok {
		return nil
	}
	if value, changed := deleteIn(old, segments[1:]); changed {
		o.Set(segments[0], value)
	}
	return nil
}

// GetPath gives the value that a dotted path leads to in a JSON text.
func GetPath(data []byte, path string) (value []byte, ok bool) {
	segments, err := split(path)
	if err != nil {
		return nil, false
	}
	for _, s := range segments {
		c := NewCursor(data)
		switch c.Kind() {
		case '{':
			o, err := Parse(data)
			if err != nil {
				return nil, false
			}
			if data, ok = o.Get(s); !ok {
				return nil, false
			}
		case '[':
			all := elements(data)
			i, err := index(s, len(all))
			if err != nil || i == len(all) {
				return nil, false
			}
			data = all[i]
		default:
			return nil, false
		}
	}
	return data, true
}

// split takes a path apart.
func split(path string) ([]string, error) {
	var segments []string
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '.':
			segments = append(segments, b.String())
			b.Reset()
		case c == '\\' && i+1 < len(path) && (path[i+1] == '.' || path[i+1] == '\\'):
			i++
			b.WriteByte(path[i])
		default:
			b.WriteByte(c)
		}
	}
	segments = append(segments, b.String())
	if slices.Contains(segments, "") {
		return nil, fmt.Errorf("path %q has an empty part", path)
	}
	return segments, nil
}

// setIn gives old with value where the segments lead; old may be nil or null, which become an object.
func setIn(old []byte, segments []string, value []byte) ([]byte, error) {
	if len(segments) == 0 {
		return value, nil
	}
	c := NewCursor(old)
	switch kind := c.Kind(); kind {
	case '[':
		all := elements(old)
		i, err := index(segments[0], len(all))
		if err != nil {
			return nil, err
		}
		if i == len(all) {
			all = append(all, nil)
		}
		if all[i], err = setIn(all[i], segments[1:], value); err != nil {
			return nil, err
		}
		return join(all), nil
	case '{', 0, 'n':
		o := &Object{}
		if kind == '{' {
			var err error
			if o, err = Parse(old); err != nil {
				return nil, err
			}
		}
		inner, _ := o.Get(segments[0])
		inner, err := setIn(inner, segments[1:], value)
		if err != nil {
			return nil, err
		}
		o.Set(segments[0], inner)
		return o.Append(nil), nil
	default:
		return nil, fmt.Errorf("%s has no member %q", kindName(kind), segments[0])
	}
}

func deleteIn(old []byte, segments []string) (value []byte, changed bool) {
	c := NewCursor(old)
	switch c.Kind() {
	case '[':
		all := elements(old)
		i, err := index(segments[0], len(all))
		if err != nil || i == len(all) {
			return old, false
		}
		if len(segments) == 1 {
			return join(slices.Delete(all, i, i+1)), true
		}
		all[i], changed = deleteIn(all[i], segments[1:])
		return join(all), changed
	case '{':
		o, err := Parse(old)
		if err != nil {
			return old, false
		}
		inner, ok := o.Get(segments[0])
		if !ok {
			return old, false
		}
		if len(segments) == 1 {
			o.Delete(segments[0])
			return o.Append(nil), true
		}
		inner, changed = deleteIn(inner, segments[1:])
		o.Set(segments[0], inner)
		return o.Append(nil), changed
	}
	return old, false
}

// index reads an array's index: up to n, which is one beyond the last, or -1 for the last.
func index(segment string, n int) (int, error) {
	i, err := strconv.Atoi(segment)
	if err != nil {
		return 0, fmt.Errorf("%q is no index of an array", segment)
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i > n {
		return 0, fmt.Errorf("index %s is beyond the %d elements of the array", segment, n)
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
	return all
}

func join(all [][]byte) []byte {
	out := []byte{'['}
	for i, v := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}
