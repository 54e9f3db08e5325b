package object

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAppendString(t *testing.T) {
	for in, want := range map[string]string{
		"":                         `""`,
		"plain":                    `"plain"`,
		"<a href=\"x\">&</a>":      `"<a href=\"x\">&</a>"`,
		`C:\dir`:                   `"C:\\dir"`,
		"\b\f\n\r\t\x00\x1b\x1f":   `"\b\f\n\r\t\u0000\u001b\u001f"`,
		"\x7fé\u2028\u2029😀":       "\"\x7fé\u2028\u2029😀\"",
		"eight by\"tes and eight ": `"eight by\"tes and eight "`,
	} {
		if got := string(AppendString([]byte("> "), []byte(in))); got != "> "+want {
			t.Errorf("%q: got %s, want > %s", in, got, want)
		}
	}
}

func TestAppendUnquoted(t *testing.T) {
	for in, want := range map[string]string{
		`""`:                           "",
		`"plain"`:                      "plain",
		`"\"\\\/\b\f\n\r\t"`:           "\"\\/\b\f\n\r\t",
		`"\u00e9\u00E9\u0000\uFFFF"`:   "éé\x00\uffff",
		"\"é😀\u2028\xff\"":             "é😀\u2028\xff",
		`"a\ud83d\ude00!"`:             "a😀!",
		`"\uD83D\uDE00\ud83d\ude00"`:   "😀😀",
		`"\ud83d"`:                     "\ufffd",
		`"\ude00x"`:                    "\ufffdx",
		`"\ud83dx"`:                    "\ufffdx",
		`"\ud83d\n"`:                   "\ufffd\n",
		`"\ud83d\u0041"`:               "\ufffdA",
		`"\ud83d\ud83d\ude00"`:         "\ufffd😀",
		`"\ude00\ud83d"`:               "\ufffd\ufffd",
		`"\ud83d\\ude00"`:              "\ufffd\\ude00",
		`"\\u0041"`:                    `\u0041`,
		`"long enough for eight\tat"`:  "long enough for eight\tat",
		`"\u00e9 and \u00e8 in words"`: "é and è in words",
	} {
		if got := string(AppendUnquoted([]byte("> "), []byte(in))); got != "> "+want {
			t.Errorf("%s: got %q, want %q", in, got, "> "+want)
		}
	}
}

func TestStringsDoNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 100)
	if n := testing.AllocsPerRun(100, func() {
		dst = AppendUnquoted(AppendString(dst[:0], []byte("a\n\"b\"")), []byte(`"\ud83d\ude00\n"`))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzText holds both directions to encoding/json, and to what a text must come back as. Broken text must not make either
// panic.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a\x00\"\\\n<&>\u2028", "😀 long enough for eight bytes at a time \x7f", `"\ud83d\ude00"`, `"\ud83d\n\u00e9\/"`, `"\u12`, `\`, "\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		AppendUnquoted(nil, s)
		var decoded string
		if bytes.HasPrefix(s, []byte{'"'}) && json.Unmarshal(s, &decoded) == nil && utf8.Valid(s) {
			raw := bytes.TrimRight(s, " \t\r\n")
			if got := string(AppendUnquoted(nil, raw)); got != decoded {
				t.Fatalf("%s is read as %q, want %q", raw, got, decoded)
			}
		}
		quoted := AppendString(nil, s)
		if got := AppendUnquoted(nil, quoted); !bytes.Equal(got, s) {
			t.Fatalf("%q became %s, read as %q", s, quoted, got)
		}
		if !utf8.Valid(s) {
			return
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(string(s)); err != nil {
			t.Fatal(err)
		}
		want := strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSuffix(b.String(), "\n"))
		if string(quoted) != want {
			t.Fatalf("%q became %s, want %s", s, quoted, want)
		}
		escaped, err := json.Marshal(string(s))
		if got := string(AppendUnquoted(nil, escaped)); err != nil || got != string(s) {
			t.Fatalf("%s is read as %q", escaped, got)
		}
	})
}

func BenchmarkAppendString(b *testing.B) {
	for _, bb := range []struct{ name, line string }{
		{"code", "\tif err != nil {\n\t\treturn \"\", err\n\t}\n"},
		{"prose", "a line of text as people write it, of some length and with \"quotes\"\n"},
		{"words", "some words without an escape "},
	} {
		b.Run(bb.name, func(b *testing.B) {
			s := []byte(strings.Repeat(bb.line, 1000))
			dst := make([]byte, 0, 2*len(s))
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				AppendString(dst[:0], s)
			}
		})
	}
}

func BenchmarkAppendUnquoted(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"delta", `" words"`},
		{"prose", `"` + strings.Repeat(`a line of text as people write it, of some length and with \"quotes\"\n`, 1000) + `"`},
		{"escaped", `"` + strings.Repeat(`\u00e9\ud83d\ude00`, 1000) + `"`},
	} {
		b.Run(bb.name, func(b *testing.B) {
			raw := []byte(bb.text)
			dst := make([]byte, 0, len(raw))
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				AppendUnquoted(dst[:0], raw)
			}
		})
	}
}
