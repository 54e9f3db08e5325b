package schema

import (
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/llmcall/llmcall/pkg/object"
)

// FuzzCheck holds the package against google/jsonschema-go: they must agree on all that a float64 can hold.
func FuzzCheck(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}`, `{"a":null,"b":1}`},
		{`{"$defs":{"t":{"anyOf":[{"type":"null"},{"items":{"$ref":"#/$defs/t"}}]}},"$ref":"#/$defs/t"}`, `[[null],[1.0]]`},
		{`{"enum":[1,1e2,"a",{"b":[]}],"not":{"const":100}}`, `100`},
		{`{"items":[{"maximum":0.01}],"additionalItems":{"pattern":"^a"},"uniqueItems":true,"contains":{"minimum":2}}`, `[19.99,"a"]`},
		{`{"if":{"minProperties":2},"then":{"propertyNames":{"maxLength":1}},"else":false,"dependentRequired":{"a":["b"]}}`, `{"a":1,"c":2}`},
		{`{"oneOf":[{"prefixItems":[{"const":1}]},{"maxItems":1}],"patternProperties":{"^x":true},"unevaluatedItems":false}`, `[1,2]`},
		{`{"$id":"http://a/b","allOf":[{"$ref":"#n"}],"$defs":{"n":{"$anchor":"n","properties":{"a":{}}}},"unevaluatedProperties":{"type":"null"}}`, `{"a":1,"b":null}`},
		{`{"dependencies":{"a":["b"],"c":{"required":["d"]}},"$dynamicRef":"#x","$dynamicAnchor":"x"}`, `{"a":1}`},
		{`true`, "```json\n{}\n```"},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, schema, reply []byte) {
		s, err := Compile("fuzz", schema)
		var refused *Error
		if err != nil && (!errors.As(err, &refused) || refused.Msg == "") {
			t.Fatalf("an error without a reason: %v", err)
		}
		if err != nil {
			return
		}
		found := s.Check(reply)
		for _, m := range found {
			if m.Path == "" || m.Reason == "" {
				t.Fatalf("a mismatch without words: %+v", m)
			}
		}
		if object.Valid(reply) != nil {
			if len(found) != 1 {
				t.Fatalf("what is not JSON: %v", found)
			}
			return
		}
		judge := library(s, schema)
		if judge == nil || hard.Match(schema) || hard.Match(reply) {
			return
		}
		if verdict := judge.Validate(plain(decode(reply))); (verdict == nil) != (len(found) == 0) {
			t.Fatalf("the library: %v\nthis package: %v", verdict, found)
		}
	})
}

// hard are the texts on which the two may differ: numbers that a float64 does not hold, and division of floats.
var hard = regexp.MustCompile(`multipleOf|\d{15}|\d[eE]|\.\d{9}`)

// caseful are the keywords that are not all lower case. The library takes keywords for what they are in any case, and a
// text that escapes letters may hide one.
var caseful = regexp.MustCompile(`additionalItems|additionalProperties|dependentSchemas|dependentRequired|propertyNames|prefixItems|` +
	`unevaluatedItems|unevaluatedProperties|allOf|anyOf|oneOf|patternProperties|uniqueItems|readOnly|writeOnly|exclusiveM|min[LIPC]|` +
	`max[LIPC]|dynamicRef|dynamicAnchor|multipleOf|contentSchema|contentEncoding|contentMediaType`)

// library compiles a schema with the library, as being of the draft that this package takes it for; nil if it does not.
func library(s *Schema, text []byte) *jsonschema.Resolved {
	if regexp.MustCompile(`[A-Z\\]|[^\x00-\x7f]`).Match(caseful.ReplaceAll(text, nil)) {
		return nil
	}
	root := new(jsonschema.Schema)
	if object.Valid(text) != nil || json.Unmarshal(text, root) != nil {
		return nil
	}
	root.Schema = "https://json-schema.org/draft/2020-12/schema"
	if s.draft7 {
		root.Schema = "http://json-schema.org/draft-07/schema#"
	}
	resolved, err := root.Resolve(nil)
	if err != nil {
		return nil
	}
	return resolved
}

// plain gives a value as the library wants it, which takes a json.Number for a string.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return n
		}
		n, _ := strconv.ParseFloat(string(v), 64)
		return max(-math.MaxFloat64, min(n, math.MaxFloat64))
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
