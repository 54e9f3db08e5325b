package providers

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMessage is the most of a provider's text that a message shows, in bytes.
const maxMessage = 2 << 10

// plain gives foreign text without what a terminal would obey: escape sequences, control characters but for newlines and tabs,
// and the marks that turn the direction of writing. Bytes that are not UTF-8 become U+FFFD.
func plain(s string) string {
	clean := true
	for _, r := range s {
		if r == utf8.RuneError || isUnsafe(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if n := escapeLen(s[i:]); n > 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isUnsafe(r) {
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func isUnsafe(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case unicode.IsControl(r): // C0, DEL and C1
		return true
	}
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F
}

// escapeLen is the length of the ECMA-48 sequence that s starts with: a CSI with its parameters, a string such as a window
// title with its end, or another escape; 0 when there is none. One that does not end takes the control alone, so that no
// text is lost.
func escapeLen(s string) int {
	var kind byte
	var n int
	switch {
	case strings.HasPrefix(s, "\x1b") && len(s) > 1:
		kind, n = s[1], 2
	case strings.HasPrefix(s, "\u009b"):
		kind, n = '[', 2
	case strings.HasPrefix(s, "\u009d"):
		kind, n = ']', 2
	default:
		return 0
	}
	switch kind {
	case '[':
		for i := n; i < len(s) && s[i] >= 0x20 && s[i] <= 0x7e; i++ {
			if s[i] >= 0x40 {
				return i + 1
			}
		}
		return n
	case ']', 'P', '^', '_', 'X':
		for i := n; i < len(s) && s[i] != '\n'; i++ {
			switch {
			case s[i] == 0x07:
				return i + 1
			case s[i] == 0x1b && strings.HasPrefix(s[i:], "\x1b\\"):
				return i + 2
			}
		}
		return n
	}
	if kind >= 0x30 && kind <= 0x7e {
		return n
	}
	return 1
}

// oneLine gives foreign text as part of one line: plain, each run of white space one blank, at most max bytes.
func oneLine(s string, max int) string {
	return cut(strings.Join(strings.Fields(plain(s)), " "), max)
}

// cut shortens s to at most max bytes at the end of a character, and marks that it did.
func cut(s string, max int) string {
	const mark = "…"
	if len(s) <= max {
		return s
	}
	end := max - len(mark) // max is never less
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + mark
}
