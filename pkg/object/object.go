package object

import (
	"iter"
	"slices"
)

// Object is a JSON object whose members keep their order, and whose names and values keep their bytes. Members of one name
// that a text has several times stay so until Set or Delete is called with it. The zero value is an object without members.
type Object struct{ members []member }

type member struct {
	name  string // decoded
	key   []byte // as written, with quotes
	value []byte
}

// Parse reads a JSON text that is one object, in valid UTF-8. The object's values are slices of data. Its error is a
// *SyntaxError.
func Parse(data []byte) (*Object, error) {
	c := NewCursor(data)
	if !c.Begin('{') {
		if err := Valid(data); err != nil {
			return nil, err
		}
		err := syntaxError(data, c.pos, none)
		err.Msg = "want a JSON object, found " + kindName(c.Kind())
		return nil, err
	}
	o := &Object{}
	for c.Next() {
		key := c.key()
		value := c.Value()
		if c.bad == nil {
			o.members = append(o.members, member{unquoted(key), key, value})
		}
	}
	if err := c.endUTF8(); err != nil {
		return nil, err
	}
	return o, nil
}

// kindName is what to call a value of a Cursor's Kind.
func kindName(kind byte) string {
	switch kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	case 't':
		return "true"
	}
	return "false"
}

// Get gives the value of the member of that name; of several the last, which is the one that counts to most readers.
func (o *Object) Get(name string) (value []byte, ok bool) {
	for i := len(o.members) - 1; i >= 0; i-- {
		if o.members[i].name == name {
			return o.members[i].value, true
		}
	}
	return nil, false
}

// Set gives the member of that name a value, which is JSON and kept as it is, not copied: in its place if it is there, else at
// the end. Of several members of that name the first stays.
func (o *Object) Set(name string, value []byte) {
	i := slices.IndexFunc(o.members, func(m member) bool { return m.name == name })
	if i < 0 {
		o.members = append(o.members, member{name, AppendString(nil, []byte(name)), value})
		return
	}
	o.members[i].value = value
	rest := slices.DeleteFunc(o.members[i+1:], func(m member) bool { return m.name == name })
	o.members = o.members[:i+1+len(rest)]
}

// Delete removes all members of that name.
func (o *Object) Delete(name string) {
	o.members = slices.DeleteFunc(o.members, func(m member) bool { return m.name == name })
}

// All yields names, with their escapes decoded, and values in order.
func (o *Object) All() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, m := range o.members {
			if !yield(m.name, m.value) {
				return
			}
		}
	}
}

// Len is the number of members.
func (o *Object) Len() int { return len(o.members) }

// Append appends the object's JSON: no space between members, names and values as they were written.
func (o *Object) Append(dst []byte) []byte {
	size := 2
	for _, m := range o.members {
		size += len(m.key) + len(m.value) + 2
	}
	dst = append(slices.Grow(dst, size), '{')
	for i, m := range o.members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, m.key...), ':'), m.value...)
	}
	return append(dst, '}')
}
