package providers

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOneLine(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"as it is", "slow down, café", "slow down, café"},
		{"lines", "a\r\n b\tc ", "a b c"},
		{"colour", "\x1b[31mred\x1b[0m", "red"},
		{"window title", "\x1b]0;owned\x07text", "text"},
		{"window title ended by ST", "\x1b]0;owned\x1b\\text", "text"},
		{"device control", "\x1bPq#0\x1b\\text", "text"},
		{"two bytes", "\x1bctext", "text"},
		{"CSI of one byte", "\u009b31mred", "red"},
		{"OSC of one byte", "\u009d0;t\x07red", "red"},
		{"escape without end", "a\x1b[31", "a31"},
		{"title without end", "a\x1b]0;b", "a0;b"},
		{"escape at the end", "a\x1b", "a"},
		{"controls", "a\x00\x08\x7f\u0085b", "ab"},
		{"direction", "a\u202eb\u2066c", "abc"},
		{"not UTF-8", "a\xffb", "a\ufffdb"},
		{"cut", strings.Repeat("é", 40), strings.Repeat("é", 30) + "…"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := oneLine(test.in, 64); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func checkLine(t *testing.T, s string, max int) {
	t.Helper()
	if len(s) > max || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return isUnsafe(r) || r == '\n' || r == '\t' }) {
		t.Fatalf("no clean line of at most %d bytes: %q", max, s)
	}
}

func FuzzOneLine(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m", 10)
	f.Add("\x1b]0;t\x07\x9b", 4)
	f.Add("é\xff\x1b", 3)
	f.Fuzz(func(t *testing.T, s string, max int) {
		if max = max&0xfff + 4; true {
			checkLine(t, oneLine(s, max), max)
		}
	})
}
