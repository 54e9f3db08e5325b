package output

import (
	"io"
	"unicode/utf8"
)

// aside is text of the reply on its way to standard error: it holds no control characters but line ends and tabs, so that it
// cannot move the cursor of a terminal that people also read our own lines on. Failed writes are not seen.
type aside struct {
	to   io.Writer // nil: nowhere
	dim  bool
	buf  []byte
	line bool // the last line has not ended
}

// write adds text.
func (a *aside) write(text []byte) {
	if a.to == nil {
		return
	}
	n := len(a.buf)
	a.buf = appendPrintable(a.buf, text)
	if len(a.buf) > n {
		a.line = a.buf[len(a.buf)-1] != '\n'
	}
}

// endLine ends a line that was begun.
func (a *aside) endLine() {
	if a.line {
		a.buf = append(a.buf, '\n')
		a.line = false
	}
}

// flush sends what waits.
func (a *aside) flush() {
	if len(a.buf) == 0 {
		return
	}
	if a.dim {
		a.buf = append(append(append(make([]byte, 0, len(a.buf)+8), dim...), a.buf...), undim...)
	}
	a.to.Write(a.buf)
	a.buf = a.buf[:0]
}

// end sends all, the last line ended.
func (a *aside) end() {
	a.endLine()
	a.flush()
}

// appendPrintable appends text without the control characters of ASCII and Latin-1 (U+0080 to U+009F) but for line ends and tabs.
// Bytes that are no UTF-8 are left out.
func appendPrintable(dst, text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == '\n' || r == '\t' || r >= 0xa0 && (r != utf8.RuneError || n > 1) || r >= ' ' && r < 0x7f {
			dst = append(dst, text[:n]...)
		}
		text = text[n:]
	}
	return dst
}
