package object

import (
	"strings"
	"testing"
)

func TestSetPath(t *testing.T) {
	for _, tt := range []struct{ name, in, path, value, want string }{
		{"new member", `{"a":1}`, "b", "2", `{"a":1,"b":2}`},
		{"in place", `{"a":1,"b":2}`, "a", "[]", `{"a":[],"b":2}`},
		{"value is kept as it is", `{}`, "a", `{ "x" : 1.0 }`, `{"a":{ "x" : 1.0 }}`},
		{"missing objects are made", `{}`, "a.b.c", "1", `{"a":{"b":{"c":1}}}`},
		{"null becomes an object", `{"a":null}`, "a.b", "1", `{"a":{"b":1}}`},
		{"element", `{"a":[1,2]}`, "a.0", "9", `{"a":[9,2]}`},
		{"last element", `{"a":[1,{"x":2}]}`, "a.-1.x", "9", `{"a":[1,{"x":9}]}`},
		{"last but one", `{"a":[1,2,3]}`, "a.-2", "9", `{"a":[1,9,3]}`},
		{"append", `{"a":[1]}`, "a.1", "2", `{"a":[1,2]}`},
		{"append to an empty array", `{"a":[ ]}`, "a.0", "1", `{"a":[1]}`},
		{"append an object", `{"a":[1]}`, "a.1.b", "2", `{"a":[1,{"b":2}]}`},
		{"array in an array", `{"a":[[1,2],[3]]}`, "a.0.1", "9", `{"a":[[1,9],[3]]}`},
		{"number as a name", `{}`, "a.0", "1", `{"a":{"0":1}}`},
		{"number as a name that is there", `{"a":{"0":1}}`, "a.0", "2", `{"a":{"0":2}}`},
		{"negative number as a name", `{"a":{}}`, "a.-1", "2", `{"a":{"-1":2}}`},
		{"number as the first name", `{}`, "0", "1", `{"0":1}`},
		{"dot in a name", `{}`, `a\.b`, "1", `{"a.b":1}`},
		{"dots at a name's ends", `{}`, `\.a\..b`, "1", `{".a.":{"b":1}}`},
		{"backslash in a name", `{}`, `a\\.b`, "1", `{"a\\":{"b":1}}`},
		{"backslash before another character", `{}`, `a\b\`, "1", `{"a\\b\\":1}`},
		{"name that is written with escapes", `{"\u0061":{"b":1}}`, "a.b", "2", `{"\u0061":{"b":2}}`},
		{"name to quote", `{}`, `a "b".é`, "1", `{"a \"b\"":{"é":1}}`},
		{"name in a JSON Schema", `{"s":{"$defs":{}}}`, "s.$defs.x", "1", `{"s":{"$defs":{"x":1}}}`},
		{"name several times", `{"a":1,"b":2,"a":{"x":3}}`, "a.y", "4", `{"a":{"x":3,"y":4},"b":2}`},
		{"the rest keeps its bytes", `{"a": {"x" : 1.50, "y":[ 1 ]}, "b":[ ]}`, "a.z", "0", `{"a":{"x":1.50,"y":[ 1 ],"z":0},"b":[ ]}`},
		{"beyond the end", `{"a":[1]}`, "a.3", "1", "error: path a.3: index 3 is beyond the end of an array of length 1"},
		{"before the start", `{"a":[1]}`, "a.-2", "1", "error: path a.-2: index -2 is beyond the end of an array of length 1"},
		{"last of none", `{"a":[]}`, "a.-1", "1", "error: path a.-1: index -1 is beyond the end of an array of length 0"},
		{"far beyond", `{"a":[]}`, "a.99999999999999999999", "1", "error: path a.99999999999999999999: index 99999999999999999999 is beyond the end of an array of length 0"},
		{"no index", `{"a":[1]}`, "a.b", "1", `error: path a.b: "b" is no index of an array`},
		{"leading zero", `{"a":[1]}`, "a.00", "1", `error: path a.00: "00" is no index of an array`},
		{"plus", `{"a":[1]}`, "a.+0", "1", `error: path a.+0: "+0" is no index of an array`},
		{"minus zero", `{"a":[1]}`, "a.-0", "1", `error: path a.-0: "-0" is no index of an array`},
		{"through a string", `{"a":"s"}`, "a.b", "1", `error: path a.b: a string has no member "b"`},
		{"through a number", `{"a":{"b":1}}`, "a.b.c.d", "1", `error: path a.b.c.d: a number has no member "c"`},
		{"through true", `{"a":true}`, "a.0", "1", `error: path a.0: true has no member "0"`},
		{"through false", `{"a":[false]}`, "a.0.b", "1", `error: path a.0.b: false has no member "b"`},
		{"empty path", `{}`, "", "1", "error: empty path"},
		{"empty part", `{}`, "a..b", "1", `error: path a..b: empty name; write \. for a dot in a name`},
		{"dot at the start", `{}`, ".a", "1", `error: path .a: empty name; write \. for a dot in a name`},
		{"dot at the end", `{}`, "a.", "1", `error: path a.: empty name; write \. for a dot in a name`},
		{"too long", `{}`, strings.Repeat("a.", maxDepth) + "a", "1", "error: path of more than 10000 names"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := parse(t, tt.in)
			before := string(o.Append(nil))
			err := o.SetPath(tt.path, []byte(tt.value))
			got := string(o.Append(nil))
			if err != nil {
				if got != before {
					t.Errorf("a failed SetPath left %s", got)
				}
				got = "error: " + err.Error()
			}
			if got != tt.want {
				t.Fatalf("got  %s\nwant %s", got, tt.want)
			}
			if v, ok := GetPath([]byte(got), tt.path); err == nil && (!ok || string(v) != tt.value) {
				t.Errorf("GetPath gives %s, %v", v, ok)
			}
		})
	}
}

func TestDeletePath(t *testing.T) {
	for _, tt := range []struct{ name, in, path, want string }{
		{"member", `{"a":1,"b":2}`, "a", `{"b":2}`},
		{"member of a member", `{"a":{"x":1,"y":2}}`, "a.x", `{"a":{"y":2}}`},
		{"the only member", `{"a":{"x":1}}`, "a.x", `{"a":{}}`},
		{"element", `{"a":[1,2,3]}`, "a.0", `{"a":[2,3]}`},
		{"last element", `{"a":[1,2,3]}`, "a.-1", `{"a":[1,2]}`},
		{"the only element", `{"a":[1]}`, "a.0", `{"a":[]}`},
		{"member of an element", `{"a":[{"x":1},{"x":2,"y":[ 3 ]}]}`, "a.1.x", `{"a":[{"x":1},{"y":[ 3 ]}]}`},
		{"dot in a name", `{"a.b":1,"a":{"b":2}}`, `a\.b`, `{"a":{"b":2}}`},
		{"all of a name", `{"a":{"x":1,"y":2,"x":3}}`, "a.x", `{"a":{"y":2}}`},
		{"not there", `{"a":{"x" : 1}}`, "b", `{"a":{"x" : 1}}`},
		{"not there below", `{"a":{"x" : 1}}`, "a.b.c", `{"a":{"x" : 1}}`},
		{"nothing on the way", `{"a":{"x" : 1}}`, "b.c", `{"a":{"x" : 1}}`},
		{"through a string", `{"a":"s"}`, "a.b", `{"a":"s"}`},
		{"beyond the end", `{"a":[ 1 ]}`, "a.1", `{"a":[ 1 ]}`},
		{"beyond the end, on the way", `{"a":[ 1 ]}`, "a.1.b", `{"a":[ 1 ]}`},
		{"no index", `{"a":[ 1 ]}`, "a.b", `{"a":[ 1 ]}`},
		{"not there in an element", `{"a":[ {} ]}`, "a.0.b", `{"a":[ {} ]}`},
		{"empty path", `{}`, "", "error: empty path"},
		{"empty part", `{}`, "a..b", `error: path a..b: empty name; write \. for a dot in a name`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := parse(t, tt.in)
			err := o.DeletePath(tt.path)
			got := string(o.Append(nil))
			if err != nil {
				got = "error: " + err.Error()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestGetPath(t *testing.T) {
	const text = ` { "a" : [ 1.0 , { "b.c" : "d" } ] , "e" : { "0" : null , "x" : 1 , "\u0078" : 2 } , "f" : "s" } `
	for _, tt := range []struct{ in, path, want string }{
		{text, "a", `[ 1.0 , { "b.c" : "d" } ]`},
		{text, "a.0", "1.0"},
		{text, `a.1.b\.c`, `"d"`},
		{text, `a.-1.b\.c`, `"d"`},
		{text, "e.0", "null"},
		{text, "e.x", "2"},
		{`[[1,2]]`, "0.1", "2"},
		{text, "", ""},
		{text, "a.", ""},
		{text, "b", ""},
		{text, "a.2", ""},
		{text, "a.-3", ""},
		{text, "a.x", ""},
		{text, "f.x", ""},
		{text, "e.0.x", ""},
		{`{"a":1,}`, "a", ""},
		{`{"a":1,"b"}`, "a", ""},
		{`[1,2`, "0", ""},
		{``, "a", ""},
	} {
		got, ok := GetPath([]byte(tt.in), tt.path)
		if string(got) != tt.want || ok != (tt.want != "") {
			t.Errorf("%s in %s: got %s, %v; want %s", tt.path, tt.in, got, ok, tt.want)
		}
	}
}
