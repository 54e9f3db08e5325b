package object

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseKeepsOrderAndSpelling(t *testing.T) {
	o, err := Parse([]byte(" {\n\"zeta\": 1.0, \"al\\u0070ha\" : {\"b\" : 1e-7,\"a\":12345678901234567890} , \"mid\":\"<&>\"}\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"zeta":1.0,"al\u0070ha":{"b" : 1e-7,"a":12345678901234567890},"mid":"<&>"}`
	if got := string(o.Append(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if v, ok := o.Get("alpha"); !ok || v[0] != '{' {
		t.Errorf("alpha is %s, %v", v, ok)
	}
}

func TestSetAndDelete(t *testing.T) {
	o, err := Parse([]byte(`{"a":1,"b":2,"a":3,"c":4}`))
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := o.Get("a"); string(v) != "3" {
		t.Errorf("of two members the last counts, got %s", v)
	}
	o.Set("a", []byte("9"))
	o.Set("new \"one\"", []byte("[]"))
	o.Delete("b")
	if got, want := string(o.Append(nil)), `{"a":9,"c":4,"new \"one\"":[]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPaths(t *testing.T) {
	for _, tt := range []struct{ name, json, path, value, want string }{
		{"new member", `{}`, "a", "1", `{"a":1}`},
		{"in place", `{"a":1,"b":2}`, "a", "[]", `{"a":[],"b":2}`},
		{"missing objects are made", `{}`, "a.b.c", "1", `{"a":{"b":{"c":1}}}`},
		{"null becomes an object", `{"a":null}`, "a.b", "1", `{"a":{"b":1}}`},
		{"element", `{"a":[1,2]}`, "a.0", "9", `{"a":[9,2]}`},
		{"last element", `{"a":[1,{"x":2}]}`, "a.-1.x", "9", `{"a":[1,{"x":9}]}`},
		{"append", `{"a":[1]}`, "a.1", "2", `{"a":[1,2]}`},
		{"number as a name", `{}`, "a.0", "1", `{"a":{"0":1}}`},
		{"dot in a name", `{}`, `a\.b`, "1", `{"a.b":1}`},
		{"backslash in a name", `{}`, `a\\.b`, "1", `{"a\\":{"b":1}}`},
		{"the rest keeps its bytes", `{"a": {"x" : 1.50, "y":[ 1 ]}}`, "a.z", "0", `{"a":{"x":1.50,"y":[ 1 ],"z":0}}`},
		{"beyond the end", `{"a":[1]}`, "a.3", "1", "error: index 3 is beyond the 1 elements"},
		{"no index", `{"a":[1]}`, "a.b", "1", `error: "b" is no index`},
		{"through a string", `{"a":"s"}`, "a.b", "1", `error: a string has no member "b"`},
		{"empty path", `{}`, "", "1", "error: empty part"},
		{"empty part", `{}`, "a..b", "1", "error: empty part"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, err := Parse([]byte(tt.json))
			if err != nil {
				t.Fatal(err)
			}
			err = o.SetPath(tt.path, []byte(tt.value))
			if part, ok := strings.CutPrefix(tt.want, "error: "); ok {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Fatalf("error %v, want one with %q", err, part)
				}
				if got := string(o.Append(nil)); got != tt.json {
					t.Errorf("a failed SetPath left %s", got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := o.Append(nil)
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if v, ok := GetPath(got, tt.path); tt.name != "append" && (!ok || string(v) != tt.value) {
				t.Errorf("GetPath gives %s, %v", v, ok)
			}
		})
	}
}

func TestDeletePath(t *testing.T) {
	for _, tt := range []struct{ json, path, want string }{
		{`{"a":1,"b":2}`, "a", `{"b":2}`},
		{`{"a":{"x":1,"y":2}}`, "a.x", `{"a":{"y":2}}`},
		{`{"a":[1,2,3]}`, "a.-1", `{"a":[1,2]}`},
		{`{"a": 1}`, "b.c", `{"a":1}`},
		{`{"a":"s"}`, "a.b", `{"a":"s"}`},
		{`{"a":[1]}`, "a.5", `{"a":[1]}`},
	} {
		o, err := Parse([]byte(tt.json))
		if err != nil {
			t.Fatal(err)
		}
		if err := o.DeletePath(tt.path); err != nil {
			t.Fatal(err)
		}
		if got := string(o.Append(nil)); got != tt.want {
			t.Errorf("%s without %s: got %s, want %s", tt.json, tt.path, got, tt.want)
		}
	}
}

func TestSyntaxErrorsSayWhereAndWhat(t *testing.T) {
	for _, tt := range []struct{ json, want string }{
		{"", "line 1, column 1: empty, want JSON"},
		{" \n ", "line 2, column 2: empty, want JSON"},
		{"{\n  \"a\": 1,\n}", `line 3, column 1: after a comma stands "}"`},
		{`{"a" 1}`, `line 1, column 6: want a colon, found "1"`},
		{`{"é":tru}`, `line 1, column 9: want true, found "}"`},
		{`{"a":1} x`, `line 1, column 9: unexpected text after the JSON value: "x"`},
		{`[1 2]`, `line 1, column 4: want a comma or ], found "2"`},
		{`[1,2`, "line 1, column 5: the JSON ends too early"},
		{`"a`, "line 1, column 3: the JSON ends too early"},
		{"\"a\nb\"", `line 1, column 3: a string cannot hold the control character "\n"`},
		{`"\x"`, `line 1, column 3: no such escape: \ "x"`},
		{`01`, `line 1, column 2: a number has no leading zeros: found "1"`},
		{`1.`, "line 1, column 3: the JSON ends too early"},
		{`-`, "line 1, column 2: the JSON ends too early"},
		{`NaN`, `line 1, column 1: want a value, found "N"`},
		{"\"\xff\"", "line 1, column 2: not valid UTF-8: the byte 0xFF"},
	} {
		err := Valid([]byte(tt.json))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%q:\ngot  %v\nwant %s", tt.json, err, tt.want)
		}
	}
	if _, err := Parse([]byte(` [1]`)); err == nil || err.Error() != "line 1, column 2: want a JSON object, found an array" {
		t.Errorf("got %v", err)
	}
}

func TestDepthIsLimited(t *testing.T) {
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	if err := Valid([]byte(deep)); err != nil {
		t.Errorf("%d deep: %v", maxDepth, err)
	}
	if err := Valid([]byte("[" + deep + "]")); err == nil {
		t.Errorf("%d deep is taken", maxDepth+1)
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"\ufeff{}":             "{}",
		"{}":                   "{}",
		"\xff\xfe{\x00}\x00":   "error: UTF-16",
		"\xfe\xff\x00{\x00}":   "error: UTF-16",
		"{\x00}\x00":           "error: UTF-16",
		"\x00\x00\xfe\xff\x00": "error: UTF-32",
		"{\"a\":\"\x00\"}":     "error: line 1, column 7",
	} {
		got, err := Text([]byte(in))
		if part, ok := strings.CutPrefix(want, "error: "); ok {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%q: error %v, want one with %q", in, err, part)
			}
		} else if err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v", in, got, err)
		}
	}
}

func TestUnquotedJoinsSurrogates(t *testing.T) {
	for in, want := range map[string]string{
		`"plain"`: "plain", `""`: "", `"a\n\t\"\\\/\u00e9"`: "a\n\t\"\\/é", `"\ud83d\ude00!"`: "😀!",
		`"\ud83d"`: "\ufffd", `"\ude00x"`: "\ufffdx", `"\ud83dx"`: "\ufffdx", `"\ud83d\n"`: "\ufffd\n", `"\ud83d\ud83d\ude00"`: "\ufffd😀",
	} {
		if got := string(AppendUnquoted(nil, []byte(in))); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}

func TestCursorTakesBrokenUTF8(t *testing.T) {
	c := NewCursor([]byte("{\"a\":\"\xff\"}"))
	if !c.Begin('{') || !c.Next() || string(c.Key()) != "a" || string(c.Value()) != "\"\xff\"" || c.Next() || c.End() != nil {
		t.Errorf("cursor stopped: %v", c.Err())
	}
}

func TestCursorDoesNotAllocate(t *testing.T) {
	doc := []byte(`{"id":"x","choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":null}]}`)
	if n := testing.AllocsPerRun(100, func() { walk(t, doc) }); n != 0 {
		t.Errorf("%v allocations for a walk", n)
	}
}

func walk(t testing.TB, doc []byte) (content []byte) {
	c := NewCursor(doc)
	if c.Begin('{') {
		for c.Next() {
			if string(c.Key()) != "choices" || !c.Begin('[') {
				c.Value()
				continue
			}
			for c.Next() {
				if c.Begin('{') {
					for c.Next() {
						c.Key()
						content = c.Value()
					}
				}
			}
		}
	}
	if c.End() != nil {
		t.Fatal(c.Err())
	}
	return content
}

// FuzzObject holds Valid and Parse to encoding/json, and every change to what a JSON text may be.
func FuzzObject(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `{"a":{"b":[1,2,{"c":null}]}}`, `[`, `{"a":"\ud83d"}`, "{\"a\":\"\xff\"}", `{"a":1,"a":2}`, `{"a":[]}`, `-0.1e+5`} {
		f.Add([]byte(s), "a.b.-1", []byte(`"v"`))
	}
	f.Fuzz(func(t *testing.T, data []byte, path string, value []byte) {
		err := Valid(data)
		if want := json.Valid(data) && utf8.Valid(data); want != (err == nil) {
			t.Fatalf("Valid says %v, encoding/json %v", err, want)
		}
		o, err := Parse(data)
		if err != nil {
			return
		}
		if out := o.Append(nil); !equalJSON(data, out) {
			t.Fatalf("%s became %s", data, out)
		}
		if Valid(value) != nil || !utf8.ValidString(path) {
			return
		}
		if o.SetPath(path, value) == nil {
			out := o.Append(nil)
			if Valid(out) != nil {
				t.Fatalf("SetPath(%q, %s) on %s gave %s", path, value, data, out)
			}
		}
		if o.DeletePath(path) == nil {
			if out := o.Append(nil); Valid(out) != nil {
				t.Fatalf("DeletePath(%q) on %s gave %s", path, data, out)
			}
		}
	})
}

func equalJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// FuzzString holds both directions to encoding/json.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "a\x00\"\\\n<&>\u2028", "😀 long enough for eight bytes at a time \x7f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		quoted := AppendString(nil, []byte(s))
		var back string
		if err := json.Unmarshal(quoted, &back); err != nil || back != s {
			t.Fatalf("%q became %s, read as %q, %v", s, quoted, back, err)
		}
		if got := string(AppendUnquoted(nil, quoted)); got != s {
			t.Fatalf("%s is read as %q", quoted, got)
		}
		escaped, _ := json.Marshal(s)
		if got := string(AppendUnquoted(nil, escaped)); got != s {
			t.Fatalf("%s is read as %q", escaped, got)
		}
	})
}

// FuzzCursor checks that no text makes a walk panic, loop or accept what is no JSON.
func FuzzCursor(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"c"}],"d":null}`))
	f.Add([]byte(`{"a":[1,]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := NewCursor(data)
		var descend func(depth int)
		descend = func(depth int) {
			switch kind := c.Kind(); {
			case depth < maxBegin && (kind == '{' || kind == '['):
				if !c.Begin(kind) {
					t.Fatalf("no Begin of a %c", kind)
				}
				for c.Next() {
					if kind == '{' {
						c.Key()
					}
					descend(depth + 1)
				}
			default:
				c.Value()
			}
		}
		descend(0)
		if err := c.End(); (err == nil) != json.Valid(data) {
			t.Fatalf("the walk says %v, encoding/json %v", err, json.Valid(data))
		}
	})
}

func BenchmarkCursor(b *testing.B) {
	doc := []byte(`{"id":"chatcmpl-0123456789","object":"chat.completion.chunk","created":1780000000,"model":"m","choices":[{"index":0,"delta":{"content":" some words"},"finish_reason":null}],"usage":null}`)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		walk(b, doc)
	}
}

func BenchmarkAppendString(b *testing.B) {
	s := []byte(strings.Repeat("line of text\n", 1000))
	dst := make([]byte, 0, 2*len(s))
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		AppendString(dst[:0], s)
	}
}
