package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// numbers reads a JSON text, which is valid, with its numbers as they are written.
func numbers(raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// plain gives a value as the library wants it, which takes a json.Number for a string: integers of 64 bits are exact, other
// numbers the nearest float64.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return n
		}
		if n, err := strconv.ParseUint(string(v), 10, 64); err == nil {
			return n
		}
		return float(string(v))
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(v[i])
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name := range v {
			object[name] = plain(v[name])
		}
		return object
	}
	return v
}

// float is the nearest float64, of those that are numbers.
func float(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrRange) && math.IsInf(n, 0) {
		return math.Copysign(math.MaxFloat64, n)
	}
	return n
}

// rational gives the exact number that v is.
func rational(v any) (*big.Rat, bool) {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = string(v)
	case float64:
		text = strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return nil, false
	}
	// An exponent of many digits would take that many digits of memory.
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(strings.TrimLeft(text[i+1:], "+-0")) > 3 {
		text = strconv.FormatFloat(float(text), 'g', -1, 64)
	}
	return new(big.Rat).SetString(text)
}

// equal tells whether two values are the same JSON; numbers are by their value.
func equal(a, b any) bool {
	if x, ok := rational(a); ok {
		y, ok := rational(b)
		return ok && x.Cmp(y) == 0
	}
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name := range a {
			if v, ok := b[name]; !ok || !equal(a[name], v) {
				return false
			}
		}
		return true
	case json.Number, float64:
		return false
	}
	switch b.(type) {
	case []any, map[string]any:
		return false
	}
	return a == b
}

// typeOf names the type of a value as JSON Schema does. A number without a fraction is an integer, however written.
func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	default:
		if n, ok := rational(v); ok && n.IsInt() {
			return "integer"
		}
	}
	return "number"
}

// text gives a value for a reason: JSON, or what kind of thing it is if that would be long.
func text(v any) string {
	switch v := v.(type) {
	case []any:
		if len(v) > 0 {
			return "an array"
		}
	case map[string]any:
		if len(v) > 0 {
			return "an object"
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "a value"
	}
	return show(bytes.TrimSpace(b.Bytes()))
}
