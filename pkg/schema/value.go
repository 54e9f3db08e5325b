package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// decode reads a JSON text, which is valid, with its numbers as they are written.
func decode(raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// rational gives the exact value of a JSON number. One whose exponent has more than three digits would take too much memory:
// it counts as the nearest number that has not.
func rational(text string) *big.Rat {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		sign, digits := "", strings.TrimLeft(text[i+1:], "+")
		if rest, ok := strings.CutPrefix(digits, "-"); ok {
			sign, digits = "-", rest
		}
		if len(strings.TrimLeft(digits, "0")) > 3 {
			text = text[:i] + "e" + sign + "999"
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// appendKey writes a value so that two are the same JSON if their keys are equal; numbers are by their value, members in any
// order.
func appendKey(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case string:
		return strconv.AppendQuote(b, v)
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return strconv.AppendInt(b, n, 10)
		}
		return append(b, rational(string(v)).RatString()...)
	case []any:
		b = append(b, '[')
		for _, item := range v {
			b = append(appendKey(b, item), ',')
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b = append(strconv.AppendQuote(b, name), ':')
			b = append(appendKey(b, v[name]), ',')
		}
		return append(b, '}')
	}
	return b
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
	case json.Number:
		if _, err := strconv.ParseInt(string(v), 10, 64); err == nil || rational(string(v)).IsInt() {
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

// show gives a JSON text for an error, shortened.
func show(raw []byte) string {
	const most = 60
	if len(raw) <= most {
		return string(raw)
	}
	end := most
	for end > 0 && !utf8.RuneStart(raw[end]) {
		end--
	}
	return string(raw[:end]) + "…"
}
