package output

import (
	"bytes"

	"github.com/llmcall/llmcall/pkg/object"
)

// merged puts values that come in parts together: arrays are joined, of an object the arrays in it.
type merged struct {
	state  byte
	array  []byte // elements
	object members
	joined []keyValue // arrays of the object: elements
}

func (m *merged) add(raw []byte) {
	switch raw[0] {
	case 'n':
		m.state = max(m.state, null)
	case '[':
		m.state = present
		m.array = appendElements(m.array, raw)
	case '{':
		m.state = present
		cur := object.NewCursor(raw)
		for cur.Begin('{'); cur.Next(); {
			key := cur.Key()
			value := cur.Value()
			if len(value) == 0 || value[0] != '[' {
				m.object.set(key, value)
				continue
			}
			m.join(key, value)
		}
	}
}

func (m *merged) join(key, array []byte) {
	for i := range m.joined {
		if bytes.Equal(m.joined[i].key, key) {
			m.joined[i].value = appendElements(m.joined[i].value, array)
			return
		}
	}
	m.joined = append(m.joined, keyValue{bytes.Clone(key), appendElements(nil, array)})
	m.object.set(key, []byte("null"))
}

func (m *merged) append(dst []byte) []byte {
	if m.state != present {
		return append(dst, "null"...)
	}
	if len(m.object.list) == 0 {
		return append(append(append(dst, '['), m.array...), ']')
	}
	open := len(dst)
	for _, kv := range m.object.list {
		for _, j := range m.joined {
			if bytes.Equal(j.key, kv.key) {
				kv.value = append(append([]byte{'['}, j.value...), ']')
			}
		}
		dst = appendMember(dst, kv.key, kv.value)
	}
	dst[open] = '{'
	return append(dst, '}')
}

// elements is the inside of an array.
func elements(array []byte) []byte { return bytes.Trim(array[1:len(array)-1], blank) }

// appendElements adds the elements of an array to others.
func appendElements(dst, array []byte) []byte {
	if inside := elements(array); len(inside) > 0 {
		return appendElement(dst, inside)
	}
	return dst
}

// appendElement adds an element to others.
func appendElement(dst, value []byte) []byte {
	if len(dst) > 0 {
		dst = append(dst, ',')
	}
	return appendLine(dst, value)
}
