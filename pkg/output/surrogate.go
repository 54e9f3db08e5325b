package output

import "github.com/llmcall/llmcall/pkg/object"

// replacement stands for half a surrogate pair.
var replacement = []byte("\uFFFD")

// half is a high surrogate that ended a literal: its low half may begin the next one of the field.
type half struct {
	set    bool
	escape [6]byte
}

// decode appends the text of a literal. A high surrogate at its end is held for the next literal.
func (w *Writer) decode(dst []byte, h *half, lit []byte) []byte {
	text := lit[1 : len(lit)-1]
	if !h.set && !endsHigh(text) {
		return object.AppendUnquoted(dst, lit)
	}
	if len(text) == 0 {
		return dst
	}
	w.literal = append(w.literal[:0], '"')
	if h.set {
		// Whether a pair or not: the decoder joins the halves, or replaces the lone one.
		w.literal = append(w.literal, h.escape[:]...)
		h.set = false
	}
	if endsHigh(text) {
		h.set = true
		h.escape = [6]byte(text[len(text)-6:])
		text = text[:len(text)-6]
	}
	w.literal = append(append(w.literal, text...), '"')
	return object.AppendUnquoted(dst, w.literal)
}

// endsHigh reports whether the inside of a string literal ends in the escape of a high surrogate, \ud800 to \udbff.
func endsHigh(text []byte) bool {
	n := len(text) - 6
	if n < 0 || text[n] != '\\' || text[n+1] != 'u' || text[n+2]|0x20 != 'd' {
		return false
	}
	switch text[n+3] | 0x20 {
	case '8', '9', 'a', 'b':
	default:
		return false
	}
	before := n
	for before > 0 && text[before-1] == '\\' {
		before--
	}
	return (n-before)%2 == 0
}
