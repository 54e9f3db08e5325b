package object

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func parse(t *testing.T, text string) *Object {
	t.Helper()
	o, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestParseKeepsOrderAndSpelling(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", " { } ", "{}"},
		{"order", `{"zeta":1,"alpha":2,"mid":3}`, `{"zeta":1,"alpha":2,"mid":3}`},
		{"numbers", `{"a":1.0,"b":1e-7,"c":12345678901234567890,"d":-0.0,"e":1E+2}`, `{"a":1.0,"b":1e-7,"c":12345678901234567890,"d":-0.0,"e":1E+2}`},
		{"names with escapes", `{"al\u0070ha":1,"\/":2,"é":3,"":4}`, `{"al\u0070ha":1,"\/":2,"é":3,"":4}`},
		{"strings", `{"a":"<&>\u003c\/é\ud83d"}`, `{"a":"<&>\u003c\/é\ud83d"}`},
		{"space within values", "{\r\n \"a\" : { \"b\" : [ 1 , 2 ] } ,\t\"c\": null }\n", `{"a":{ "b" : [ 1 , 2 ] },"c":null}`},
		{"a name several times", `{"a":1,"b":2,"a":3}`, `{"a":1,"b":2,"a":3}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(parse(t, tt.in).Append([]byte("> "))); got != "> "+tt.want {
				t.Errorf("got  %s\nwant > %s", got, tt.want)
			}
		})
	}
}

func TestParseTakesOnlyAnObject(t *testing.T) {
	for text, want := range map[string]string{
		" [1]":   "line 1, column 2: want a JSON object, found an array",
		"\n\"\"": "line 2, column 1: want a JSON object, found a string",
		"1":      "line 1, column 1: want a JSON object, found a number",
		"true":   "line 1, column 1: want a JSON object, found true",
		"false":  "line 1, column 1: want a JSON object, found false",
		"null":   "line 1, column 1: want a JSON object, found null",
		"[1":     `line 1, column 3: unexpected end, want a comma or "]"`,
	} {
		if o, err := Parse([]byte(text)); o != nil || err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestObject(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		change   func(o *Object)
		want     string
	}{
		{"set a new one", `{"a":1}`, func(o *Object) { o.Set("b", []byte("[]")) }, `{"a":1,"b":[]}`},
		{"set in place", `{"a":1,"b":2}`, func(o *Object) { o.Set("a", []byte("9")) }, `{"a":9,"b":2}`},
		{"set keeps a name's spelling", `{"\u0061":1}`, func(o *Object) { o.Set("a", []byte("9")) }, `{"\u0061":9}`},
		{"set one of several", `{"a":1,"b":2,"a":3,"c":4,"a":5}`, func(o *Object) { o.Set("a", []byte("9")) }, `{"a":9,"b":2,"c":4}`},
		{"set leaves others", `{"a":1,"b":2,"a":3}`, func(o *Object) { o.Set("b", []byte("9")) }, `{"a":1,"b":9,"a":3}`},
		{"set a name to quote", `{}`, func(o *Object) { o.Set("a \"b\"\n<é>", []byte("1")) }, `{"a \"b\"\n<é>":1}`},
		{"delete", `{"a":1,"b":2}`, func(o *Object) { o.Delete("a") }, `{"b":2}`},
		{"delete all of a name", `{"a":1,"b":2,"\u0061":3}`, func(o *Object) { o.Delete("a") }, `{"b":2}`},
		{"delete what is not there", `{"a":1}`, func(o *Object) { o.Delete("b") }, `{"a":1}`},
		{"delete and set again", `{"a":1,"b":2}`, func(o *Object) { o.Delete("a"); o.Set("a", []byte("3")) }, `{"b":2,"a":3}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := parse(t, tt.in)
			tt.change(o)
			if got := string(o.Append(nil)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	var zero Object
	zero.Set("a", []byte("1"))
	if got := string(zero.Append(nil)); got != `{"a":1}` {
		t.Errorf("the zero value became %s", got)
	}
}

func TestMembers(t *testing.T) {
	o := parse(t, `{"b":1,"\u0061":"x","b":3}`)
	var got []string
	for name, value := range o.All() {
		got = append(got, name+"="+string(value))
	}
	if want := []string{"b=1", `a="x"`, "b=3"}; !slices.Equal(got, want) || o.Len() != 3 {
		t.Errorf("got %q, length %d", got, o.Len())
	}
	for name := range o.All() {
		if name != "b" {
			t.Error("All goes on behind a break")
		}
		break
	}
	if v, ok := o.Get("b"); string(v) != "3" || !ok {
		t.Errorf("of members of one name the last counts, got %s", v)
	}
	if v, ok := o.Get("c"); v != nil || ok {
		t.Errorf("got %s for what is not there", v)
	}
}

// FuzzObject holds Parse to encoding/json, and every change to what it may do: the text stays JSON, the value set is found
// again byte for byte, and all else is as it was.
func FuzzObject(f *testing.F) {
	for _, text := range append(valid, invalid...) {
		f.Add([]byte(text), "a.b.-1", []byte(`"v"`))
	}
	for _, path := range []string{"a", "a.0", "a.1", `a\.b`, "", "a.", "-1", "a.b.c.d", `\\`, "a.-2.b"} {
		f.Add([]byte(`{"a":[{"b" : 1.0},2],"a.b":{"c":"d"},"e":null,"a":[1]}`), path, []byte(` {"x" : 1}`))
	}
	f.Fuzz(func(t *testing.T, data []byte, path string, value []byte) {
		o, err := Parse(data)
		if want := json.Valid(data) && utf8.Valid(data) && bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")); want != (err == nil) {
			t.Fatalf("%q: %v, want %v", data, err, want)
		}
		if err != nil {
			return
		}
		before := o.Append(nil)
		if !same(data, before) {
			t.Fatalf("%s became %s", data, before)
		}
		if Valid(value) != nil || !utf8.ValidString(path) {
			return
		}
		old, had := GetPath(before, path)
		err = o.SetPath(path, value)
		set := o.Append(nil)
		switch got, ok := GetPath(set, path); {
		case err != nil && !bytes.Equal(set, before):
			t.Fatalf("SetPath(%q) on %s: %v, but it is %s", path, before, err, set)
		case err != nil:
			if had {
				t.Fatalf("SetPath(%q) on %s: %v, but GetPath gives %s", path, before, err, old)
			}
		case Valid(set) != nil:
			t.Fatalf("SetPath(%q, %s) on %s gave %s", path, value, before, set)
		case had || !strings.Contains(path, "-"):
			if !ok || !bytes.Equal(got, bytes.Trim(value, " \t\r\n")) {
				t.Fatalf("SetPath(%q, %s) on %s gave %s, where it is %s", path, value, before, set, got)
			}
		}
		if had && o.SetPath(path, old) == nil && !strings.Contains(string(data), `\`) && !repeats(o) && !same(before, o.Append(nil)) {
			t.Fatalf("set %q back: %s became %s", path, before, o.Append(nil))
		}
		o, _ = Parse(before)
		if o.DeletePath(path) != nil {
			return
		}
		out := o.Append(nil)
		if Valid(out) != nil || !had && !bytes.Equal(out, before) || had && len(out) >= len(before) {
			t.Fatalf("DeletePath(%q) on %s gave %s", path, before, out)
		}
	})
}

// repeats tells whether any name may stand twice in an object, at any depth.
func repeats(o *Object) bool {
	seen := map[string]bool{}
	for name, value := range o.All() {
		if seen[name] || bytes.IndexByte(value, '{') >= 0 {
			return true
		}
		seen[name] = true
	}
	return false
}

// same tells whether two JSON texts differ in nothing but white space.
func same(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

func BenchmarkParseAppend(b *testing.B) {
	text := []byte(`{"model":"some-model","messages":[{"role":"user","content":"` + strings.Repeat("some words without an escape ", 1<<12) + `"}],"stream":true,"temperature":0.5}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		o, err := Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		o.Append(nil)
	}
}
