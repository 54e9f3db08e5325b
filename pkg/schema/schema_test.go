package schema

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func compile(t *testing.T, text string) *Schema {
	t.Helper()
	s, err := Compile("s.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func lines(found []Mismatch) string {
	var b strings.Builder
	for _, m := range found {
		fmt.Fprintf(&b, "%s: %s\n", m.Path, m.Reason)
	}
	return b.String()
}

// same compares a text; one that is wanted with … at its end may end as it likes, in words that are not this package's.
func same(got, want string) bool {
	start, open := strings.CutSuffix(want, "…")
	return got == want || open && strings.HasPrefix(got, start) && len(got) > len(start)
}

func TestCheck(t *testing.T) {
	const person = `{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0}},"required":["name","age"],"additionalProperties":false}`
	tests := []struct{ name, schema, text, want string }{
		{"matches", person, `{"name":"Ada","age":36}`, ""},
		{"white space round it", person, " {\"name\":\"Ada\",\"age\":36}\n", ""},
		{"a member is missing", person, `{"name":"Ada"}`, "/: the member \"age\" is missing\n"},
		{"several at once", person, `{"age":-1,"x":1}`,
			"/: the member \"name\" is missing\n/age: want at least 0, found -1\n/x: no such member is allowed\n"},
		{"type", person, `{"name":5,"age":"36"}`, "/age: want an integer, found \"36\"\n/name: want a string, found 5\n"},
		{"type of the whole", person, `[{"name":"Ada"}]`, "/: want an object, found an array\n"},
		{"whole number with a fraction of 0", person, `{"name":"Ada","age":36.0}`, ""},
		{"fraction", person, `{"name":"Ada","age":36.5}`, "/age: want an integer, found 36.5\n"},
		{"null in a list of types", `{"properties":{"a":{"type":["string","null"]}}}`, `{"a":null}`, ""},
		{"list of types", `{"properties":{"a":{"type":["string","null"]}}}`, `{"a":true}`, "/a: want a string or null, found true\n"},
		{"deep place", `{"properties":{"a":{"type":"array","items":{"properties":{"b":{"type":"number"}}}}}}`,
			`{"a":[{"b":1},{"b":"two"}]}`, "/a/1/b: want a number, found \"two\"\n"},
		{"names that a pointer escapes", `{"additionalProperties":{"type":"null"}}`, `{"a/b~c":1}`, "/a~1b~0c: want null, found 1\n"},
		{"enum", `{"enum":["red","green",null]}`, `"blue"`, "/: want \"red\", \"green\" or null, found \"blue\"\n"},
		{"enum of many", `{"enum":[1,2,3,4,5,6,7,8,9,10,11,12]}`, `0`, "/: want 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … (2 more), found 0\n"},
		{"const", `{"properties":{"v":{"const":1}}}`, `{"v":1.0}`, ""},
		{"const other", `{"properties":{"v":{"const":{"a":[1]}}}}`, `{"v":{"a":[2]}}`, "/v: want an object, found an object\n"},
		{"minItems", `{"minItems":2}`, `[1]`, "/: want at least 2 items, found 1\n"},
		{"maxItems", `{"maxItems":1}`, `[1,2,3]`, "/: want at most 1 item, found 3\n"},
		{"uniqueItems", `{"uniqueItems":true}`, `[1,{"a":1},{"a":1.0}]`, "/: items 1 and 2 are the same: an object\n"},
		{"contains", `{"contains":{"const":1}}`, `[2,3]`, "/: 0 items as contains asks for, want at least 1\n"},
		{"maxContains", `{"contains":{"const":1},"maxContains":1}`, `[1,1]`, "/: 2 items as contains asks for, want from 1 to 1\n"},
		{"prefixItems", `{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}`, `["a",1,"b"]`, "/2: want a number, found \"b\"\n"},
		{"items as an array is draft-07", `{"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, "/1: nothing is allowed here, found 1\n"},
		{"length in characters", `{"minLength":3,"maxLength":3}`, `"äöü"`, ""},
		{"minLength", `{"minLength":3}`, `"äö"`, "/: want at least 3 characters, found 2\n"},
		{"pattern", `{"pattern":"^\\d{4}-\\d{2}$"}`, `"2026-1"`, "/: want text that matches ^\\d{4}-\\d{2}$, found \"2026-1\"\n"},
		{"patternProperties", `{"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`, `{"x-a":1,"b":2}`,
			"/b: no such member is allowed\n/x-a: want a string, found 1\n"},
		{"propertyNames", `{"propertyNames":{"maxLength":2}}`, `{"abc":1}`, "/abc: its name: want at most 2 characters, found 3\n"},
		{"dependentRequired", `{"dependentRequired":{"card":["address"]}}`, `{"card":1}`, "/: the member \"address\" is missing, which goes with \"card\"\n"},
		{"minProperties", `{"minProperties":1}`, `{}`, "/: want at least 1 member, found 0\n"},
		{"$defs and $ref", `{"$defs":{"n":{"type":"integer","exclusiveMaximum":10}},"items":{"$ref":"#/$defs/n"}}`, `[1,10]`, "/1: want less than 10, found 10\n"},
		{"recursion", `{"$defs":{"t":{"properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/t"}}}}},"$ref":"#/$defs/t"}`,
			`{"kids":[{"kids":[{"kids":1}]}]}`, "/kids/0/kids/0/kids: want an array, found 1\n"},
		{"$anchor", `{"$defs":{"n":{"$anchor":"num","type":"number"}},"$ref":"#num"}`, `"x"`, "/: want a number, found \"x\"\n"},
		{"anyOf of types", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `5`, "/: no alternative matches: want a string, found 5; want null, found 5\n"},
		{"anyOf: the one that was meant", `{"anyOf":[{"type":"null"},{"type":"object","properties":{"a":{"type":"string"}}}]}`, `{"a":1}`, "/a: want a string, found 1\n"},
		{"anyOf told apart by a member", `{"anyOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"string"}}},{"properties":{"kind":{"const":"b"},"x":{"type":"number"},"y":{"type":"number"}}}]}`,
			`{"kind":"b","x":"1","y":"2"}`, "/x: want a number, found \"1\"\n/y: want a number, found \"2\"\n"},
		{"oneOf twice", `{"oneOf":[{"type":"number"},{"type":"integer"},{"type":"null"}]}`, `5`, "/: 2 of the 3 alternatives match, want exactly one\n"},
		{"allOf", `{"allOf":[{"minimum":3},{"multipleOf":2}]}`, `1`, "/: want at least 3, found 1\n/: want a multiple of 2, found 1\n"},
		{"not", `{"not":{"type":"string"}}`, `"x"`, "/: matches what must not match, found \"x\"\n"},
		{"if then else", `{"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":1}`, "/: the member \"b\" is missing\n"},
		{"false", `{"properties":{"a":false}}`, `{"a":1}`, "/a: nothing is allowed here, found 1\n"},
		{"true", `true`, `{"a":1}`, ""},
		{"unevaluatedProperties", `{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, "/b: no such member is allowed\n"},
		{"unevaluatedItems", `{"anyOf":[{"prefixItems":[true]},{"prefixItems":[true,{"type":"null"}]}],"unevaluatedItems":{"type":"string"}}`, `[1,2]`,
			"/1: want a string, found 2\n"},
		{"decimals", `{"multipleOf":0.01}`, `19.99`, ""},
		{"no multiple", `{"multipleOf":0.01}`, `19.999`, "/: want a multiple of 0.01, found 19.999\n"},
		{"long numbers are exact", `{"enum":[9007199254740993]}`, `9007199254740993`, ""},
		{"long numbers are told apart", `{"const":9007199254740993}`, `9007199254740992`, "/: want 9007199254740993, found 9007199254740992\n"},
		{"longer than 64 bits", `{"type":"integer","maximum":10}`, `123456789012345678901234567890`, "/: want at most 10, found 123456789012345678901234567890\n"},
		{"exponent without end", `{"type":"number","maximum":10}`, `1e999999999`, "/: want at most 10, found 1e999999999\n"},
		{"format is not checked", `{"format":"email"}`, `"nobody"`, ""},
		{"at most five", `{"items":{"type":"null"}}`, `[1,2,3,4,5,6,7]`,
			"/0: want null, found 1\n/1: want null, found 2\n/2: want null, found 3\n/3: want null, found 4\n/4: want null, found 5\n"},
		{"a fence", person, "```json\n{\"name\":\"Ada\",\"age\":36}\n```", "/: not JSON alone: a code fence stands round it\n"},
		{"a sentence before", person, `Here you are: {"name":"Ada","age":36}`, "/: not JSON alone: text stands before it: Here you are:\n"},
		{"a sentence after", person, "{\"name\":\"Ada\",\"age\":36}\nAnything else?", "/: not JSON alone: text stands after it: Anything else?\n"},
		{"cut", person, `{"name":"Ada","age":`, "/: not JSON: line 1, column 21: …"},
		{"nothing", person, "\n", "/: no text where JSON is wanted\n"},
		{"text", person, "I cannot do that.", "/: not JSON: line 1, column 1: …"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := lines(compile(t, test.schema).Check([]byte(test.text))); !same(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestCompileErrors(t *testing.T) {
	tests := []struct {
		name, schema, want string
		unsupported        bool
	}{
		{"not JSON", "{\"type\":\"object\",\n \"properties\":{\"a\":{\"type\":\"string\"},}}", "s.json: line 2, column 38: …", false},
		{"empty", "", "s.json: line 1, column 1: …", false},
		{"UTF-16", "\xff\xfe{\x00}\x00", "s.json: …", false},
		{"an array", "[1,2]", "s.json: line 1, column 1: a schema is an object, true or false, not [1,2]", false},
		{"no such type", "{\n  \"properties\": {\"ä\": {\"type\": \"strnig\"}}}", "s.json: line 2, column 32: /properties/ä/type: no such type: \"strnig\"", false},
		{"no such type in a list", `{"type":["string","nul"]}`, `s.json: line 1, column 19: /type: no such type: "nul"`, false},
		{"required of draft-03", `{"properties":{"a":{"required":true}}}`, "s.json: line 1, column 32: /properties/a/required: want an array of names, not true", false},
		{"a bound that is text", `{"minimum":"0"}`, `s.json: line 1, column 12: /minimum: want a number, not "0"`, false},
		{"a negative length", `{"maxLength":-1}`, "s.json: line 1, column 14: /maxLength: want a whole number from 0 up, not -1", false},
		{"multipleOf 0", `{"multipleOf":0}`, "s.json: line 1, column 15: /multipleOf: want a number above 0, not 0", false},
		{"null for a schema", `{"properties":{"a":null}}`, "s.json: line 1, column 20: /properties/a: a schema is an object, true or false, not null", false},
		{"anyOf of nothing", `{"anyOf":[]}`, "s.json: line 1, column 10: /anyOf: an empty array where at least one schema is wanted", false},
		{"a broken expression", `{"pattern":"a("}`, "s.json: line 1, column 12: /pattern: regular expression a(: missing closing ): a(", false},
		{"a reference to nowhere", `{"items":{"$ref":"#/$defs/x"}}`, "s.json: line 1, column 18: /items/$ref: the reference leads nowhere: #/$defs/x", false},
		{"a schema that is itself", `{"$ref":"#"}`, "s.json: line 1, column 9: the schema refers to itself without end", false},
		{"a longer circle", `{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}`, "s.json: /$defs/a: the schema refers to itself without end", false},
		{"the network", `{"$ref":"https://example.com/s.json"}`, "s.json: line 1, column 9: /$ref: a reference to outside of the schema: https://example.com/s.json (llmcall cannot check this)", true},
		{"a file", `{"$ref":"other.json#/a"}`, "s.json: line 1, column 9: /$ref: a reference to outside of the schema: other.json#/a (llmcall cannot check this)", true},
		{"another place", `{"components":{"a":{}},"$ref":"#/components/a"}`, "s.json: line 1, column 31: /$ref: a reference to what is no schema: #/components/a (llmcall cannot check this)", true},
		{"another draft", `{"$schema":"https://example.com/mine"}`, "s.json: line 1, column 12: /$schema: the draft https://example.com/mine: want 2020-12 or draft-07 (llmcall cannot check this)", true},
		{"ECMA look-ahead", `{"pattern":"^(?!x)"}`, "s.json: line 1, column 12: /pattern: regular expression ^(?!x): invalid or unsupported Perl syntax: (?! (llmcall cannot check this)", true},
		{"items of draft-07 in 2020-12", `{"$schema":"https://json-schema.org/draft/2020-12/schema","items":[true]}`,
			"s.json: line 1, column 67: /items: an array, as in draft-07: draft 2020-12 has prefixItems for it", false},
		{"draft-04", `{"minimum":1,"exclusiveMinimum":true}`, "s.json: line 1, column 33: /exclusiveMinimum: a boolean, as in draft-04: want a number (llmcall cannot check this)", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Compile("s.json", []byte(test.schema))
			if err == nil || !same(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			if errors.Is(err, ErrUnsupported) != test.unsupported {
				t.Errorf("unsupported: want %v", test.unsupported)
			}
		})
	}
}

func TestCompileAccepts(t *testing.T) {
	for name, schema := range map[string]string{
		"BOM":                "\ufeff{\"type\":\"object\"}\r\n",
		"draft-04 by name":   `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`,
		"2019-09":            `{"$schema":"https://json-schema.org/draft/2019-09/schema","$defs":{"a":{}},"$ref":"#/$defs/a"}`,
		"2020-12 with #":     `{"$schema":"https://json-schema.org/draft/2020-12/schema#"}`,
		"keywords of others": `{"nullable":true,"x-order":["a"],"discriminator":{"propertyName":"a"}}`,
		"$id and its refs":   `{"$id":"https://example.com/a","$defs":{"n":{}},"items":{"$ref":"https://example.com/a#/$defs/n"}}`,
		"escapes in a ref":   `{"$defs":{"a/b c":{}},"items":{"$ref":"#/$defs/a~1b%20c"}}`,
	} {
		if _, err := Compile(name, []byte(schema)); err != nil {
			t.Error(err)
		}
	}
}

// TestDepth checks a reply nested as deep as JSON may be.
func TestDepth(t *testing.T) {
	s := compile(t, `{"type":"array","items":{"$ref":"#"}}`)
	deep := func(n int, in string) []byte { return []byte(strings.Repeat("[", n) + in + strings.Repeat("]", n)) }
	if got := s.Check(deep(9000, "")); got != nil {
		t.Errorf("got %v", got)
	}
	got := s.Check(deep(2000, "1"))
	if len(got) != 1 || got[0].Reason != "want an array, found 1" || len(got[0].Path) != 2*2000 {
		t.Errorf("got %.100v", got)
	}
	if got := s.Check(deep(20000, "")); len(got) != 1 {
		t.Errorf("got %.100v", got)
	}
}

// TestAlternativesThatNest checks that alternatives which refer to all of them take no time that grows by powers.
func TestAlternativesThatNest(t *testing.T) {
	var kinds, tree strings.Builder
	for i := range 12 {
		if i > 0 {
			kinds.WriteByte(',')
		}
		fmt.Fprintf(&kinds, `{"properties":{"children":{"items":{"$ref":"#"}},"kind":{"const":"k%d"}},"required":["kind"]}`, i)
	}
	const depth = 30
	for i := range depth {
		fmt.Fprintf(&tree, `{"kind":"k%d","children":[`, i%12)
	}
	s := compile(t, `{"anyOf":[`+kinds.String()+`]}`)
	deep := func(leaf string) []byte { return []byte(tree.String() + leaf + strings.Repeat("]}", depth)) }
	if got := s.Check(deep(`{"kind":"k3"}`)); got != nil {
		t.Errorf("got %v", got)
	}
	want := strings.Repeat("/children/0", depth) + "/kind"
	if got := s.Check(deep(`{"kind":"other"}`)); len(got) != 1 || got[0].Path != want {
		t.Errorf("got %v", got)
	}
}

func TestFromResponseFormat(t *testing.T) {
	for raw, want := range map[string]string{
		`{"type":"json_schema","json_schema":{"name":"a","schema":{"type":"object"}}}`: `{"type":"object"}`,
		`{"type":"json_object"}`:                            "",
		`{"type":"json_schema","json_schema":{"name":"a"}}`: "",
		`"text"`: "",
		``:       "",
	} {
		if got, ok := FromResponseFormat([]byte(raw)); string(got) != want || ok != (want != "") {
			t.Errorf("%s: got %s, %v", raw, got, ok)
		}
	}
}

func TestToolParameters(t *testing.T) {
	const tools = `[{"type":"function","function":{"name":"a"}},{"type":"other"},{"type":"function","function":{"name":"b\u0063","parameters":{"type":"object"}}}]`
	if got, ok := ToolParameters([]byte(tools), "bc"); !ok || string(got) != `{"type":"object"}` {
		t.Errorf("got %s, %v", got, ok)
	}
	for _, name := range []string{"a", "none"} {
		if got, ok := ToolParameters([]byte(tools), name); ok {
			t.Errorf("%s: got %s", name, got)
		}
	}
}
