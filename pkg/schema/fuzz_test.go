package schema

import (
	"regexp"
	"testing"

	"github.com/llmcall/llmcall/pkg/object"
)

// FuzzCheck holds the walk against the library. They must agree but on numbers that a float64 does not hold.
func FuzzCheck(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}`, `{"a":null,"b":1}`},
		{`{"$defs":{"t":{"anyOf":[{"type":"null"},{"items":{"$ref":"#/$defs/t"}}]}},"$ref":"#/$defs/t"}`, `[[null],[1.0]]`},
		{`{"enum":[1,1e2,"a",{"b":[]}],"not":{"const":100}}`, `100`},
		{`{"items":[{"multipleOf":0.01}],"additionalItems":{"pattern":"^a"},"uniqueItems":true,"contains":{"minimum":2}}`, `[19.99,"a"]`},
		{`{"if":{"minProperties":2},"then":{"propertyNames":{"maxLength":1}},"else":false,"dependentRequired":{"a":["b"]}}`, `{"a":1,"c":2}`},
		{`{"oneOf":[{"prefixItems":[{"const":1}]},{"maxItems":1}],"patternProperties":{"^x":true},"unevaluatedItems":false}`, `[1,2]`},
		{`true`, "```json\n{}\n```"},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	hard := regexp.MustCompile(`multipleOf|\d{15}|\d[eE]|\.\d{9}`)
	f.Fuzz(func(t *testing.T, schema, reply []byte) {
		s, err := Compile("fuzz", schema)
		if err != nil {
			return
		}
		found := s.Check(reply)
		if object.Valid(reply) != nil {
			if len(found) != 1 {
				t.Fatalf("what is not JSON: %v", found)
			}
			return
		}
		for _, m := range found {
			if m.Path == "" || m.Reason == "" {
				t.Fatalf("a mismatch without words: %+v", m)
			}
		}
		if hard.Match(schema) || hard.Match(reply) {
			return
		}
		judge, err := s.root.Resolve(nil)
		if err != nil {
			return
		}
		if verdict := judge.Validate(plain(numbers(reply))); (verdict == nil) != (len(found) == 0) {
			t.Fatalf("the library: %v\nthe walk: %v", verdict, found)
		}
	})
}
