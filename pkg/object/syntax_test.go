package object

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

var valid = []string{
	`{}`, `[]`, `""`, `0`, `-0`, `10`, `-1.5`, `1e5`, `1E+05`, `0.0e-0`, `true`, `false`, `null`, " \t\r\n1 \t\r\n",
	`{"a":1,"a":2}`, `{"a":{"b":[1,2,{"c":null}]}}`, `"\u0000\uD83D\ude00\ud83d"`, `"\"\\\/\b\f\n\r\t"`, "\"\x7fé\u2028\U0010ffff\"",
	`12345678901234567890.123456789012345678901234567890e-400`, `[1,"a",[],{},null,true]`,
}

var invalid = []string{
	"", " ", "\ufeff1", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", "{]", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`,
	`{,"a":1}`, `{"a" 1}`, `{"a"=1}`, `{a:1}`, `{'a':1}`, `{1:1}`, `{"a":1 "b":2}`, `{"a":1]`, `"`, `"a`, `"\`, `"\x"`, `"\u12"`, `"\u123`, `"\U0041"`,
	"\"a\nb\"", "\"\x00\"", "\"\x1f\"", "tru", "truth", "True", "nul", "fals", "01", "-", "-a", "+1", ".5", "1.", "1.e5", "1e", "1e+", "0x1", "1_0",
	"NaN", "Infinity", "-Infinity", "1 2", "{} {}", "[] x", "1,", "//", "/* */ 1", "1\x00", "\x001", "\v1", "\u00a01",
}

func TestValid(t *testing.T) {
	for _, text := range valid {
		if err := Valid([]byte(text)); err != nil || !json.Valid([]byte(text)) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range invalid {
		if err := Valid([]byte(text)); err == nil || json.Valid([]byte(text)) {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestSyntaxErrorsSayWhereAndWhat(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "empty, want JSON"},
		{" \n ", "empty, want JSON"},
		{"{\n  \"a\": 1,\n  \"b\":2, }", `line 3, column 10: unexpected "}" after a comma`},
		{`[1,]`, `line 1, column 4: unexpected "]" after a comma`},
		{`[1,`, `line 1, column 4: unexpected end, want a value`},
		{`[,1]`, `line 1, column 2: unexpected ",", want a value`},
		{`{"a":}`, `line 1, column 6: unexpected "}", want a value`},
		{`{"a" 1}`, `line 1, column 6: unexpected "1", want a colon`},
		{`{"a" "b"}`, `line 1, column 6: unexpected quote, want a colon`},
		{`{"a`, `line 1, column 4: unexpected end in a string`},
		{`{"a":1`, `line 1, column 7: unexpected end, want a comma or "}"`},
		{`{"a":1 "b":2}`, `line 1, column 8: unexpected quote, want a comma or "}"`},
		{`{a:1}`, `line 1, column 2: unexpected "a", want a member's name in double quotes`},
		{"{\u201ca\u201d:1}", `line 1, column 2: unexpected "“", want a member's name in double quotes`},
		{`{"a":'b'}`, `line 1, column 6: unexpected "'", want a value`},
		{`[1 2]`, `line 1, column 4: unexpected "2", want a comma or "]"`},
		{`[1}`, `line 1, column 3: unexpected "}", want a comma or "]"`},
		{`[1,2`, `line 1, column 5: unexpected end, want a comma or "]"`},
		{`{"é":tru}`, `line 1, column 9: unexpected "}", want true`},
		{`falsy`, `line 1, column 5: unexpected "y", want false`},
		{`nu`, `line 1, column 3: unexpected end, want null`},
		{`True`, `line 1, column 1: unexpected "T", want a value`},
		{`NaN`, `line 1, column 1: unexpected "N", want a value`},
		{`01`, `line 1, column 2: unexpected "1" after a leading zero`},
		{`1.`, `line 1, column 3: unexpected end, want a digit`},
		{`-x`, `line 1, column 2: unexpected "x", want a digit`},
		{`1e+ `, `line 1, column 4: unexpected " ", want a digit`},
		{"\"a\nb\"", `line 1, column 3: unexpected control character U+000A in a string, want it escaped`},
		{`"\x"`, `line 1, column 3: unexpected "x" after a backslash`},
		{`"\u12g4"`, `line 1, column 6: unexpected "g", want four hexadecimal digits after \u`},
		{`"\`, `line 1, column 3: unexpected end in a string`},
		{`{"a":1} x`, `line 1, column 9: unexpected text after the JSON value`},
		{"{}\n{}\n", `line 2, column 1: unexpected text after the JSON value`},
		{"1\x00", `line 1, column 2: unexpected text after the JSON value`},
		{"\x00", `line 1, column 1: unexpected control character U+0000, want a value`},
		{"[\xff]", `line 1, column 2: byte 0xFF is not UTF-8`},
		{"\"😀\xff\"", `line 1, column 3: byte 0xFF is not UTF-8`},
		{"\"\xed\xa0\x80\"", `line 1, column 2: byte 0xED is not UTF-8`},
		{"[1,,\n\"\xff\"]", `line 1, column 4: unexpected ",", want a value`},
		{"[\"\xff\",,", `line 1, column 3: byte 0xFF is not UTF-8`},
	} {
		err := Valid([]byte(tt.text))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%q:\ngot  %v\nwant %s", tt.text, err, tt.want)
		}
		if _, parse := Parse([]byte(tt.text)); parse == nil || parse.Error() != tt.want {
			t.Errorf("%q: Parse says %v", tt.text, parse)
		}
	}
}

func TestSyntaxErrorHasAnOffset(t *testing.T) {
	var syntax *SyntaxError
	if err := Valid([]byte("{\n \"é\": }")); !errors.As(err, &syntax) || *syntax != (SyntaxError{9, 2, 7, `unexpected "}", want a value`}) {
		t.Errorf("got %+v", syntax)
	}
}

func TestText(t *testing.T) {
	utf16le := func(s string) string { return strings.Join(strings.Split(s, ""), "\x00") + "\x00" }
	utf16be := func(s string) string { return "\x00" + strings.Join(strings.Split(s, ""), "\x00") }
	utf32le := func(s string) string { return strings.Join(strings.Split(s, ""), "\x00\x00\x00") + "\x00\x00\x00" }
	utf32be := func(s string) string { return "\x00\x00\x00" + strings.Join(strings.Split(s, ""), "\x00\x00\x00") }
	const is16, is32 = "error: the text is UTF-16: save it as UTF-8", "error: the text is UTF-32: save it as UTF-8"
	for _, tt := range []struct{ name, in, want string }{
		{"plain", `{"a":1}`, `{"a":1}`},
		{"empty", "", ""},
		{"BOM", "\ufeff{}", "{}"},
		{"only a BOM", "\ufeff", ""},
		{"a second BOM stays", "\ufeff\ufeff{}", "\ufeff{}"},
		{"CRLF stays", "{\r\n}\r\n", "{\r\n}\r\n"},
		{"what is no JSON is not our matter", "hello \xff", "hello \xff"},
		{"UTF-16LE with a BOM", "\xff\xfe" + utf16le(`{"a":1}`), is16},
		{"UTF-16BE with a BOM", "\xfe\xff" + utf16be(`{"a":1}`), is16},
		{"UTF-16LE", utf16le(`{"a":1}`), is16},
		{"UTF-16BE", utf16be(`{"a":1}`), is16},
		{"UTF-16LE, one character", utf16le(`1`), is16},
		{"UTF-16LE, not ASCII", "\"\x00\x3d\xd8\x00\xde\"\x00", is16},
		{"UTF-32LE with a BOM", "\xff\xfe\x00\x00" + utf32le(`{"a":1}`), is32},
		{"UTF-32BE with a BOM", "\x00\x00\xfe\xff" + utf32be(`{"a":1}`), is32},
		{"UTF-32LE", utf32le(`{"a":1}`), is32},
		{"UTF-32BE", utf32be(`{"a":1}`), is32},
		{"NUL", "{\n\"a\":\"\x00\"}", "error: line 2, column 6: unexpected NUL byte"},
		{"NULs only", "\x00\x00\x00\x00", "error: line 1, column 1: unexpected NUL byte"},
		{"one NUL", "\x00", "error: line 1, column 1: unexpected NUL byte"},
		{"BOM and NUL", "\ufeff{}\x00", "error: line 1, column 3: unexpected NUL byte"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Text([]byte(tt.in))
			text := string(got)
			if err != nil {
				text = "error: " + err.Error()
			}
			if text != tt.want {
				t.Errorf("%q: got %q, want %q", tt.in, text, tt.want)
			}
			var syntax *SyntaxError
			if errors.As(err, &syntax) && tt.in[syntax.Offset] != 0 {
				t.Errorf("%q: offset %d is not of the NUL", tt.in, syntax.Offset)
			}
		})
	}
}

// FuzzValid holds Valid to encoding/json, and its errors to the text.
func FuzzValid(f *testing.F) {
	for _, text := range append(valid, invalid...) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := Valid(data)
		if want := json.Valid(data) && utf8.Valid(data); want != (err == nil) {
			t.Fatalf("%q: %v, want %v", data, err, want)
		}
		if err == nil {
			return
		}
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(data) || syntax.Msg == "" {
			t.Fatalf("%q: %+v", data, err)
		}
		lines := strings.SplitAfter(string(data[:syntax.Offset]), "\n")
		if syntax.Line != len(lines) || syntax.Column != utf8.RuneCountInString(lines[len(lines)-1])+1 {
			t.Fatalf("%q: %+v", data, syntax)
		}
		if !utf8.ValidString(err.Error()) || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
			t.Fatalf("%q: error %q", data, err)
		}
	})
}
