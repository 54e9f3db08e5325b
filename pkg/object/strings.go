package object

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendString appends s, which is valid UTF-8, as a JSON string with its quotes. Only the quote, the backslash and control
// characters are escaped.
func AppendString(dst, s []byte) []byte {
	dst = append(slices.Grow(dst, len(s)+len(`""`)), '"')
	for len(s) >= 8 {
		// Eight bytes are copied before it is known how many of them may stand as they are.
		word, n := binary.LittleEndian.Uint64(s), len(dst)
		dst = binary.LittleEndian.AppendUint64(dst, word)
		found := special(word)
		if found == 0 {
			s = s[8:]
			continue
		}
		k := bits.TrailingZeros64(found) / 8
		dst, s = appendEscape(dst[:n+k], s[k]), s[k+1:]
	}
	for _, c := range s {
		if c == '"' || c == '\\' || c < ' ' {
			dst = appendEscape(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// appendEscape appends a quote, a backslash or a control character as a JSON string has it.
func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '\n':
		c = 'n'
	case '\r':
		c = 'r'
	case '\t':
		c = 't'
	case '\b':
		c = 'b'
	case '\f':
		c = 'f'
	case '"', '\\':
	default:
		return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
	return append(dst, '\\', c)
}

// AppendUnquoted appends the text of raw, a JSON string with its quotes as a Cursor's Value gives it. The two halves of a
// surrogate pair are joined; a half alone becomes U+FFFD.
func AppendUnquoted(dst, raw []byte) []byte {
	if len(raw) < 2 {
		return dst
	}
	s := raw[1 : len(raw)-1]
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'n':
			c = '\n'
		case 't':
			c = '\t'
		case 'r':
			c = '\r'
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'u':
			r, size := codePoint(s)
			dst = utf8.AppendRune(dst, r)
			s = s[size:]
			continue
		}
		dst = append(dst, c)
	}
}

// codePoint reads what follows \u, and the second half of a surrogate pair if s goes on with it.
func codePoint(s []byte) (r rune, size int) {
	r, size = hex4(s)
	if !utf16.IsSurrogate(r) {
		return r, size
	}
	if rest := s[size:]; len(rest) > 2 && rest[0] == '\\' && rest[1] == 'u' {
		low, n := hex4(rest[2:])
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, size + 2 + n
		}
	}
	return utf8.RuneError, size
}

// hex4 reads four hexadecimal digits; U+FFFD if they are not there.
func hex4(s []byte) (r rune, size int) {
	if len(s) < 4 {
		return utf8.RuneError, 0
	}
	for _, c := range s[:4] {
		if !isHex(c) {
			return utf8.RuneError, 0
		}
		if c |= 0x20; c >= 'a' {
			c -= 'a' - 10
		} else {
			c -= '0'
		}
		r = r<<4 | rune(c)
	}
	return r, 4
}

// unquoted is the text of a JSON string with its quotes.
func unquoted(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	return string(AppendUnquoted(nil, raw))
}
