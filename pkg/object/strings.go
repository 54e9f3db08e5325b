package object

import (
	"unicode/utf16"
	"unicode/utf8"
)

// AppendString appends s, which is valid UTF-8, as a JSON string. Only the quote, the backslash and control characters are
// escaped.
func AppendString(dst, s []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; ; {
		end := plain(s, i)
		dst = append(dst, s[i:end]...)
		if end == len(s) {
			return append(dst, '"')
		}
		switch c := s[end]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i = end + 1
	}
}

// AppendUnquoted appends the text of raw, a JSON string with its quotes that a Cursor gave. Surrogate pairs are joined; half
// a pair is U+FFFD.
func AppendUnquoted(dst, raw []byte) []byte {
	if len(raw) < 2 {
		return dst
	}
	s := raw[1 : len(raw)-1]
	for i := 0; ; {
		end := plain(s, i)
		dst = append(dst, s[i:end]...)
		if end+1 >= len(s) {
			return dst
		}
		switch c := s[end+1]; c {
		case 'n':
			dst = append(dst, '\n')
		case 't':
			dst = append(dst, '\t')
		case 'r':
			dst = append(dst, '\r')
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'u':
			r := hex4(s, end+2)
			end += 4
			if utf16.IsSurrogate(r) {
				pair := rune(utf8.RuneError)
				if end+3 < len(s) && s[end+2] == '\\' && s[end+3] == 'u' {
					pair = utf16.DecodeRune(r, hex4(s, end+4))
				}
				if r = pair; pair != utf8.RuneError {
					end += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
		i = end + 2
	}
}

// hex4 reads the four hexadecimal digits at i; U+FFFD if they are not there.
func hex4(s []byte, i int) rune {
	if i+4 > len(s) {
		return utf8.RuneError
	}
	var r rune
	for _, c := range s[i : i+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return utf8.RuneError
		}
		r = r<<4 | rune(c)
	}
	return r
}
