package output

import "bytes"

// extract replaces the text of each choice by its first fenced code block. A choice without one fails them all: the texts go to
// Err.
func (w *Writer) extract() error {
	missing := false
	for _, c := range w.shown() {
		_, ok := fenced(c.kept)
		missing = missing || !ok
	}
	for _, c := range w.shown() {
		if missing {
			w.aside.endLine()
			w.aside.write(c.kept)
			continue
		}
		c.kept, _ = fenced(c.kept)
		c.own = append(c.own, c.kept...)
		c.note(c.kept)
	}
	if missing {
		return ErrNoFence
	}
	return nil
}

// fenced returns the inside of the first fenced code block as CommonMark 0.31 has it: a fence is three or more of ` or ~,
// indented by at most three spaces; the block ends at a fence of the same kind at least as long, or with the text; and its lines
// lose the indentation that its opening fence has.
func fenced(text []byte) ([]byte, bool) {
	var inside []byte
	var mark byte
	indent, length := 0, 0
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line = text[:i+1]
		}
		text = text[len(line):]
		m, in, n, info := fence(line)
		switch {
		case length == 0:
			if n > 0 && (m == '~' || bytes.IndexByte(info, '`') < 0) {
				mark, indent, length = m, in, n
			}
		case m == mark && n >= length && len(info) == 0:
			return inside, true
		default:
			for range indent {
				line = bytes.TrimPrefix(line, []byte(" "))
			}
			inside = append(inside, line...)
		}
	}
	return inside, length > 0
}

// fence reads a line as a fence: its character, its indentation, its length and what follows it. The length is 0 if it is none.
func fence(line []byte) (mark byte, indent, length int, info []byte) {
	rest := bytes.TrimLeft(line, " ")
	indent = len(line) - len(rest)
	if indent > 3 || len(rest) == 0 || rest[0] != '`' && rest[0] != '~' {
		return 0, 0, 0, nil
	}
	mark = rest[0]
	info = bytes.TrimLeft(rest, string(rest[:1]))
	length = len(rest) - len(info)
	if length < 3 {
		return 0, 0, 0, nil
	}
	return mark, indent, length, bytes.Trim(info, blank)
}
