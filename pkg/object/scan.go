package object

import (
	"encoding/binary"
	"math/bits"
)

// skip gives the index of the first byte from i on that is no white space.
func skip(data []byte, i int) int {
	if i < len(data) && data[i] > ' ' {
		return i
	}
	return skipSpace(data, i)
}

func skipSpace(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r') {
		i++
	}
	return i
}

// value gives the end of the value that begins at i, or where it breaks off and why. depth is how many values it is in.
func value(data []byte, i, depth int) (end int, what fault) {
	if i == len(data) {
		return i, noValue
	}
	switch data[i] {
	case '"':
		return text(data, i)
	case '{', '[':
		return nested(data, i, depth)
	case 't':
		return literal(data, i, "true", noTrue)
	case 'f':
		return literal(data, i, "false", noFalse)
	case 'n':
		return literal(data, i, "null", noNull)
	}
	return number(data, i)
}

// nested is value for an object or an array.
func nested(data []byte, i, depth int) (end int, what fault) {
	if depth >= maxDepth {
		return i, tooDeep
	}
	object := data[i] == '{'
	last := data[i] + 2 // '}' and ']' follow their opening brackets by two
	if i = skip(data, i+1); i < len(data) && data[i] == last {
		return i + 1, none
	}
	for {
		if object {
			if i == len(data) || data[i] != '"' {
				return i, noName
			}
			if i, what = text(data, i); what != none {
				return i, what
			}
			if i = skip(data, i); i == len(data) || data[i] != ':' {
				return i, noColon
			}
			i = skip(data, i+1)
		}
		if i, what = value(data, i, depth+1); what != none {
			return i, what
		}
		i = skip(data, i)
		switch {
		case i < len(data) && data[i] == ',':
		case i < len(data) && data[i] == last:
			return i + 1, none
		case object:
			return i, noCommaInObject
		default:
			return i, noCommaInArray
		}
		if i = skip(data, i+1); i < len(data) && data[i] == last {
			return i, afterComma
		}
	}
}

func literal(data []byte, i int, word string, otherwise fault) (end int, what fault) {
	if len(data)-i >= len(word) && string(data[i:i+len(word)]) == word {
		return i + len(word), none
	}
	for k := 0; k < len(word) && i < len(data) && data[i] == word[k]; k++ {
		i++
	}
	return i, otherwise
}

func number(data []byte, i int) (end int, what fault) {
	from := i
	if data[i] == '-' {
		i++
	}
	switch {
	case i < len(data) && data[i] == '0':
		if i++; i < len(data) && isDigit(data[i]) {
			return i, leadingZero
		}
	case i < len(data) && isDigit(data[i]):
		i = digits(data, i)
	case i > from:
		return i, noDigit
	default:
		return i, noValue
	}
	if i < len(data) && data[i] == '.' {
		if i++; i == len(data) || !isDigit(data[i]) {
			return i, noDigit
		}
		i = digits(data, i)
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		if i++; i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		if i == len(data) || !isDigit(data[i]) {
			return i, noDigit
		}
		i = digits(data, i)
	}
	return i, none
}

func isDigit(c byte) bool { return c-'0' <= 9 }

func digits(data []byte, i int) int {
	for i < len(data) && isDigit(data[i]) {
		i++
	}
	return i
}

// text is value for a string.
func text(data []byte, i int) (end int, what fault) {
	for i++; ; {
		i = plain(data, i)
		switch {
		case i >= len(data):
			return len(data), endInString
		case data[i] == '"':
			return i + 1, none
		case data[i] != '\\':
			return i, controlInString
		case i+1 == len(data):
			return i + 1, endInString
		}
		switch data[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			i += 2
			for range 4 {
				if i == len(data) || !isHex(data[i]) {
					return i, noHex
				}
				i++
			}
		default:
			return i + 1, noEscape
		}
	}
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// plain gives the index of the first byte from i on that has a meaning in a string: a quote, a backslash or a control
// character; len(data) if there is none.
func plain(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		if found := special(binary.LittleEndian.Uint64(data[i:])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c == '"' || c == '\\' || c < ' ' {
			break
		}
	}
	return i
}

// special looks at the eight bytes of x at once for a quote, a backslash or a control character. The lowest bit that it sets is
// the highest of the lowest such byte; bits above that may be wrong, by a borrow.
func special(x uint64) uint64 {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	quote, slash := x^ones*'"', x^ones*'\\'
	return ((x-ones*' ')&^x | (quote-ones)&^quote | (slash-ones)&^slash) & highs
}
