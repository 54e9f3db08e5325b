package providers

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/llmcall/llmcall/pkg/object"
)

// sample makes values that fit JSON schemas, as far as type, const, enum, properties, required, items, bounds of sizes and numbers, common
// formats, the first of anyOf, oneOf and allOf, and references within the schema tell. Strings hold text.
type sample struct {
	root []byte // the whole schema, which references start from
	text []byte
	left int // so many values may still be made, for a schema may have no end
}

func newSample(schema, text []byte) *sample { return &sample{schema, text, sampleLimit} }

const (
	sampleLimit = 10000
	sampleDepth = 6 // from here on only what is required
	sampleItems = 100
)

// value makes one for schema, which stands depth levels deep.
func (s *sample) value(schema []byte, depth int) []byte {
	o, err := object.Parse(schema)
	if s.left--; err != nil || s.left < 0 || depth > 10*sampleDepth {
		return object.AppendString(nil, s.text)
	}
	if v, ok := o.Get("const"); ok {
		return v
	}
	if v := firstElement(o, "enum"); v != nil {
		return v
	}
	if v, ok := given(o, "$ref"); ok {
		if target := s.find(string(object.AppendUnquoted(nil, v))); target != nil {
			return s.value(target, depth+1)
		}
	}
	kind := schemaType(o)
	if kind == "" {
		for _, name := range [...]string{"anyOf", "oneOf", "allOf"} {
			if v := firstElement(o, name); v != nil {
				return s.value(v, depth+1)
			}
		}
	}
	switch kind {
	case "object":
		return s.object(o, depth)
	case "array":
		return s.array(o, depth)
	case "integer", "number":
		return sampleNumber(o, kind == "integer")
	case "boolean":
		return []byte("true")
	case "null":
		return []byte("null")
	}
	return object.AppendString(nil, s.string(o))
}

// schemaType is the type that a schema asks for, the first where it gives several; "" if it says nothing.
func schemaType(o *object.Object) string {
	v, _ := given(o, "type")
	if len(v) > 0 && v[0] == '[' {
		v = firstElement(o, "type")
	}
	if len(v) > 0 && v[0] == '"' {
		return string(object.AppendUnquoted(nil, v))
	}
	if _, ok := o.Get("properties"); ok {
		return "object"
	}
	if _, ok := o.Get("items"); ok {
		return "array"
	}
	return ""
}

// firstElement gives the first element of a member that is an array; nil if there is none.
func firstElement(o *object.Object, name string) []byte {
	v, ok := o.Get(name)
	if !ok {
		return nil
	}
	c := object.NewCursor(v)
	if !c.Begin('[') || !c.Next() {
		return nil
	}
	return c.Value()
}

// find follows a reference such as #/$defs/name, RFC 6901.
func (s *sample) find(ref string) []byte {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	at := s.root
	for i, name := range strings.Split(path, "/") {
		if i == 0 {
			continue
		}
		o, err := object.Parse(at)
		if err != nil {
			return nil
		}
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		if at, ok = o.Get(name); !ok {
			return nil
		}
	}
	return at
}

func (s *sample) object(o *object.Object, depth int) []byte {
	var required []string
	v, _ := o.Get("required")
	c := object.NewCursor(v)
	if c.Begin('[') {
		for c.Next() {
			if name := c.Value(); len(name) > 0 && name[0] == '"' {
				required = append(required, string(object.AppendUnquoted(nil, name)))
			}
		}
	}
	made := &object.Object{}
	v, _ = o.Get("properties")
	properties, err := object.Parse(v)
	if err == nil {
		for name, schema := range properties.All() {
			if depth < sampleDepth || slices.Contains(required, name) {
				made.Set(name, s.value(schema, depth+1))
			}
		}
	}
	for _, name := range required {
		if _, ok := made.Get(name); !ok {
			made.Set(name, object.AppendString(nil, s.text))
		}
	}
	return made.Append(nil)
}

func (s *sample) array(o *object.Object, depth int) []byte {
	least, _ := schemaNumber(o, "minItems")
	n := int(min(least, sampleItems))
	if most, ok := schemaNumber(o, "maxItems"); n == 0 && depth < sampleDepth && (!ok || most > 0) {
		n = 1
	}
	items, ok := o.Get("items")
	if !ok {
		items = []byte("{}")
	}
	b := []byte{'['}
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, s.value(items, depth+1)...)
	}
	return append(b, ']')
}

func schemaNumber(o *object.Object, name string) (x float64, ok bool) {
	v, ok := o.Get(name)
	if !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(v), 64)
	return x, err == nil
}

// sampleNumber is 1, or another number that the bounds allow.
func sampleNumber(o *object.Object, whole bool) []byte {
	low, high, step := math.Inf(-1), math.Inf(1), 0.0
	if whole {
		step = 1
	}
	if x, ok := schemaNumber(o, "multipleOf"); ok && x > 0 {
		step = x
	}
	// A bound that is excluded is moved by the smallest step there is.
	if x, ok := schemaNumber(o, "minimum"); ok {
		low = x
	}
	if x, ok := schemaNumber(o, "exclusiveMinimum"); ok && x >= low {
		low = math.Nextafter(x, math.Inf(1))
	}
	if x, ok := schemaNumber(o, "maximum"); ok {
		high = x
	}
	if x, ok := schemaNumber(o, "exclusiveMaximum"); ok && x <= high {
		high = math.Nextafter(x, math.Inf(-1))
	}
	x := max(min(1, high), low)
	if step > 0 {
		if x = math.Ceil(x/step) * step; x > high {
			x = math.Floor(high/step) * step
		}
	}
	return strconv.AppendFloat(nil, x, 'f', -1, 64)
}

// string is the text, of a length that is allowed, or an example of a format.
func (s *sample) string(o *object.Object) []byte {
	v, _ := o.Get("format")
	switch string(v) {
	case `"date-time"`:
		return []byte("2026-01-01T00:00:00Z")
	case `"date"`:
		return []byte("2026-01-01")
	case `"time"`:
		return []byte("00:00:00Z")
	case `"duration"`:
		return []byte("PT1S")
	case `"email"`:
		return []byte("mock@example.com")
	case `"hostname"`:
		return []byte("example.com")
	case `"ipv4"`:
		return []byte("192.0.2.1")
	case `"ipv6"`:
		return []byte("2001:db8::1")
	case `"uri"`:
		return []byte("https://example.com/")
	case `"uuid"`:
		return []byte("00000000-0000-8000-8000-000000000000")
	}
	text := s.text
	if most, ok := schemaNumber(o, "maxLength"); ok && most < float64(len(text)) {
		at := 0
		for range int(most) {
			_, size := utf8.DecodeRune(text[at:])
			at += size
		}
		text = text[:at]
	}
	if least, ok := schemaNumber(o, "minLength"); ok {
		if missing := int(min(least, 1<<16)) - utf8.RuneCount(text); missing > 0 {
			text = append(bytes.Clone(text), strings.Repeat("x", missing)...)
		}
	}
	return text
}
