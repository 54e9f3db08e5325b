package main

import (
	"strconv"

	"github.com/llmcall/llmcall/pkg/object"
)

// member collects the members of a JSON object that is written on one line, in order. What is absent is null.
type member struct{ buf []byte }

func (m *member) raw(name, value string) {
	if m.buf == nil {
		m.buf = append(m.buf, '{')
	} else {
		m.buf = append(m.buf, ',')
	}
	m.buf = object.AppendString(m.buf, []byte(name))
	m.buf = append(m.buf, ':')
	if value == "" {
		value = "null"
	}
	m.buf = append(m.buf, value...)
}

func (m *member) text(name, value string) {
	if value == "" {
		m.raw(name, "null")
		return
	}
	m.raw(name, quote(value))
}

func (m *member) texts(name string, values []string) {
	list := []byte{'['}
	for i, v := range values {
		if i > 0 {
			list = append(list, ',')
		}
		list = object.AppendString(list, []byte(v))
	}
	m.raw(name, string(append(list, ']')))
}

func (m *member) number(name string, n int64, known bool) {
	if !known {
		m.raw(name, "null")
		return
	}
	m.raw(name, strconv.FormatInt(n, 10))
}

// line is the object and a line break.
func (m *member) line() []byte { return append(m.object(), '\n') }

func (m *member) object() []byte {
	if m.buf == nil {
		return []byte("{}")
	}
	return append(m.buf, '}')
}

func quote(s string) string { return string(object.AppendString(nil, []byte(s))) }
