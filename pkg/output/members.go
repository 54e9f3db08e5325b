package output

import (
	"bytes"
	"slices"

	"github.com/llmcall/llmcall/pkg/object"
)

// members are those of a JSON object in the order in which they first came, each with its last value: names without quotes,
// values as spelled.
type members struct {
	list []keyValue
	next int // where the next name is likely to be
}

type keyValue struct{ key, value []byte }

// set notes a value, nil being none. A null does not replace what is none. Nothing is allocated for a value no longer than the old.
func (m *members) set(key, value []byte) {
	if value == nil {
		return
	}
	i := m.find(key)
	if i < 0 {
		m.list = append(m.list, keyValue{bytes.Clone(key), bytes.Clone(value)})
		m.next = len(m.list)
		return
	}
	m.next = i + 1
	if old := m.list[i].value; (value[0] != 'n' || old[0] == 'n') && !bytes.Equal(old, value) {
		m.list[i].value = append(old[:0], value...)
	}
}

func (m *members) find(key []byte) int {
	if m.next < len(m.list) && bytes.Equal(m.list[m.next].key, key) {
		return m.next
	}
	return slices.IndexFunc(m.list, func(kv keyValue) bool { return bytes.Equal(kv.key, key) })
}

// merge sets the members of a raw object but for those named.
func (m *members) merge(raw []byte, but ...string) {
	if len(raw) == 0 || raw[0] != '{' {
		return
	}
	cur := object.NewCursor(raw)
	for cur.Begin('{'); cur.Next(); {
		key := cur.Key()
		value := cur.Value()
		if !slices.Contains(but, string(key)) {
			m.set(key, value)
		}
	}
}

// append adds the members, each after a comma.
func (m *members) append(dst []byte) []byte {
	for _, kv := range m.list {
		dst = appendMember(dst, kv.key, kv.value)
	}
	return dst
}

// appendMember adds a comma, a name and a raw value.
func appendMember(dst, key, value []byte) []byte {
	dst = append(dst, ',', '"')
	dst = append(dst, key...)
	dst = append(dst, '"', ':')
	return appendLine(dst, value)
}

// appendLine adds JSON with each line break made a blank: there is none within a token.
func appendLine(dst, value []byte) []byte {
	n := len(dst)
	dst = append(dst, value...)
	if bytes.IndexByte(value, '\n') < 0 && bytes.IndexByte(value, '\r') < 0 {
		return dst
	}
	for i := n; i < len(dst); i++ {
		if dst[i] == '\n' || dst[i] == '\r' {
			dst[i] = ' '
		}
	}
	return dst
}
