package object

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// rebuild walks a text to its leaves, down to depth by Begin and Next and from there by Value, and writes what it saw.
func rebuild(c *Cursor, depth int) string {
	kind := c.Kind()
	if depth == 0 || kind != '{' && kind != '[' || !c.Begin(kind) {
		return string(c.Value())
	}
	var b strings.Builder
	b.WriteByte(kind)
	for first := true; c.Next(); first = false {
		if !first {
			b.WriteByte(',')
		}
		if kind == '{' {
			fmt.Fprintf(&b, `"%s":`, c.Key())
		}
		b.WriteString(rebuild(c, depth-1))
	}
	b.WriteByte(kind + 2)
	return b.String()
}

func TestCursorWalks(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `""`, `0`, `null`, `true`, `false`, `-0.1e+5`, `[[],{},[[]]]`,
		`{"a":1,"b":[true,false,null],"c":{"d":"e","f":{}}}`,
		`{"\u0061\"":"\\\"\/\b\f\n\r\t\uD83d\ude00","":""}`,
		strings.Repeat("[", 300) + strings.Repeat("]", 300),
		strings.Repeat(`[{"a":`, 150) + "1" + strings.Repeat("}]", 150),
	} {
		for _, depth := range []int{0, 1, 2, 64, 65, 128, 1000} {
			c := NewCursor([]byte(text))
			if got := rebuild(&c, depth); got != text || c.End() != nil {
				t.Errorf("depth %d: %s became %s, %v", depth, text, got, c.Err())
			}
		}
		spaced := " \t\r\n" + strings.NewReplacer(",", " , ", ":", "\n:\t", "[", "[ ", "]", "\r\n]", "{", "{ ", "}", " }").Replace(text) + "\n "
		c := NewCursor([]byte(spaced))
		if got := rebuild(&c, 1000); got != text || c.End() != nil {
			t.Errorf("%q became %s, %v", spaced, got, c.Err())
		}
	}
}

func TestCursorKinds(t *testing.T) {
	for text, want := range map[string]byte{
		"{}": '{', " []": '[', "\n\"\"": '"', "true": 't', "false": 'f', "null": 'n', "-1": '0', "0": '0', "9": '0',
		"": 0, " ": 0, "}": 0, "]": 0, ",": 0, "+1": 0, ".5": 0, "'a'": 0, "\xff": 0, "\x00": 0,
	} {
		c := NewCursor([]byte(text))
		if got := c.Kind(); got != want || c.Err() != nil {
			t.Errorf("%q: kind %q, %v; want %q", text, got, c.Err(), want)
		}
		if open := byte('{'); want != open && (c.Begin(open) || c.Err() != nil) {
			t.Errorf("%q: Begin took it, or is an error: %v", text, c.Err())
		}
		if value := c.Value(); (value == nil) != (want == 0) || (c.Err() == nil) != (want != 0) {
			t.Errorf("%q: value %q, %v", text, value, c.Err())
		}
	}
}

func TestCursorStopsAtAnError(t *testing.T) {
	c := NewCursor([]byte(`{"a":[1,2,,3],"b":4}`))
	c.Begin('{')
	c.Next()
	c.Key()
	c.Begin('[')
	for c.Next() {
		c.Value()
	}
	first := c.Err()
	var syntax *SyntaxError
	if !errors.As(first, &syntax) || syntax.Offset != 10 {
		t.Fatalf("error %v at %+v", first, syntax)
	}
	if c.Kind() != 0 || c.Begin('[') || c.Next() || c.Key() != nil || c.Value() != nil || c.End() != first {
		t.Error("the walk goes on behind an error")
	}
}

func TestCursorWithoutAnError(t *testing.T) {
	c := NewCursor([]byte(`1`))
	if c.Err() != nil || c.Next() || c.Err() != nil {
		t.Errorf("Next without Begin: %v", c.Err())
	}
	if err := c.End(); err == nil || err.Error() != "line 1, column 1: unexpected text after the JSON value" {
		t.Errorf("End before the value: %v", err)
	}
}

func TestCursorTakesBrokenUTF8(t *testing.T) {
	for _, text := range []string{"\xff", "\xc3", "a\x80b", "\xed\xa0\x80", "\xf4\x90\x80\x80", "12345678\xff"} {
		c := NewCursor([]byte(`{"` + text + `":"` + text + `"}`))
		if !c.Begin('{') || !c.Next() || string(c.Key()) != text || string(c.Value()) != `"`+text+`"` || c.Next() || c.End() != nil {
			t.Errorf("%q: %v", text, c.Err())
		}
	}
}

func TestCopiesOfACursorAreApart(t *testing.T) {
	deep := strings.Repeat("[", 64)
	c := NewCursor([]byte(deep + `[{"a":1}]` + strings.Repeat("]", 64)))
	for range 64 {
		c.Begin('[')
		c.Next()
	}
	other := c
	for _, walk := range []*Cursor{&c, &other} {
		if !walk.Begin('[') || !walk.Next() || !walk.Begin('{') || !walk.Next() || string(walk.Key()) != "a" || string(walk.Value()) != "1" {
			t.Fatalf("a copy does not walk: %v", walk.Err())
		}
		for range 66 {
			if walk.Next() {
				t.Fatal("one more")
			}
		}
		if err := walk.End(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDepthIsLimited(t *testing.T) {
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	for text, valid := range map[string]bool{deep: true, "[" + deep + "]": false} {
		for _, depth := range []int{0, 5, maxDepth + 1} {
			c := NewCursor([]byte(text))
			rebuild(&c, depth)
			if err := c.End(); (err == nil) != valid || err != nil && !strings.HasSuffix(err.Error(), "nested more than 10000 deep") {
				t.Errorf("%d deep, walked to %d: %v", len(text)/2, depth, err)
			}
		}
	}
}

const chunk = `{"id":"chatcmpl-0123456789abcdef","object":"chat.completion.chunk","created":1780000000,"model":"some-model","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"role":"assistant","content":" some words"},"logprobs":null,"finish_reason":null}]}`

// content walks a chunk as a reader of its text does.
func content(doc []byte) (content []byte, err error) {
	c := NewCursor(doc)
	if !c.Begin('{') {
		return nil, c.End()
	}
	for c.Next() {
		if string(c.Key()) != "choices" || !c.Begin('[') {
			c.Value()
			continue
		}
		for c.Next() {
			if !c.Begin('{') {
				c.Value()
				continue
			}
			for c.Next() {
				if string(c.Key()) != "delta" || !c.Begin('{') {
					c.Value()
					continue
				}
				for c.Next() {
					if string(c.Key()) == "content" {
						content = c.Value()
					} else {
						c.Value()
					}
				}
			}
		}
	}
	return content, c.End()
}

func TestCursorDoesNotAllocate(t *testing.T) {
	doc := []byte(chunk)
	if n := testing.AllocsPerRun(100, func() {
		if text, err := content(doc); err != nil || string(text) != `" some words"` {
			t.Fatalf("%s, %v", text, err)
		}
	}); n != 0 {
		t.Errorf("%v allocations for a walk", n)
	}
}

// FuzzCursor checks that no text makes a walk panic or never end, that a walk to any depth takes what is JSON and nothing else,
// and that it sees every byte of it.
func FuzzCursor(f *testing.F) {
	for _, text := range append(valid, invalid...) {
		f.Add([]byte(text), uint8(255))
	}
	f.Add([]byte(strings.Repeat(`[{"a":`, 70)+"1"+strings.Repeat("}]", 70)), uint8(100))
	f.Fuzz(func(t *testing.T, data []byte, depth uint8) {
		c := NewCursor(data)
		got := rebuild(&c, int(depth))
		err := c.End()
		if (err == nil) != json.Valid(data) {
			t.Fatalf("%q: the walk says %v, encoding/json %v", data, err, json.Valid(data))
		}
		if err == nil && !same(data, []byte(got)) {
			t.Fatalf("%q is seen as %q", data, got)
		}
		if whole := NewCursor(data); err != nil && err.Error() != valueOnly(&whole).Error() {
			t.Fatalf("%q: by parts %v, whole %v", data, err, whole.Err())
		}
	})
}

func valueOnly(c *Cursor) error {
	c.Value()
	return c.End()
}

func BenchmarkCursor(b *testing.B) {
	doc := []byte(chunk)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := content(doc); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValue(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"chunk", chunk},
		{"long string", `"` + strings.Repeat("some words without an escape ", 1<<10) + `"`},
		{"text", string(AppendString(nil, []byte(strings.Repeat("a line of text as people write it, of some length\n", 1<<10))))},
		{"numbers", "[" + strings.Repeat("-12.5e3, ", 1<<10) + "0]"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			text := []byte(bb.text)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				c := NewCursor(text)
				if c.Value(); c.bad != nil {
					b.Fatal(c.bad)
				}
			}
		})
	}
}
