package output

// section is a kind of text on a page.
type section byte

const (
	inReasoning section = iota + 1
	inContent
)

// SGR 2 dims what follows on a terminal, SGR 0 ends it.
const dim, undim = "\x1b[2m", "\x1b[0m"

// open begins a section of the choice's page unless the page is at one of that kind: a blank line parts them.
func (w *Writer) open(c *choice, s section) {
	if s == inContent && c.index == 0 && w.errThought {
		w.aside.endLine()
	}
	if c.section != s {
		c.endDim()
		if c.section != 0 {
			for ; c.newlines < 2; c.newlines++ {
				*c.page = append(*c.page, '\n')
			}
		}
		c.section = s
	}
	if s == inReasoning && w.o.DimStdout && w.o.Format == Content && !c.dim {
		*c.page, c.dim = append(*c.page, dim...), true
	}
}

// endDim ends dimmed text, on a terminal that would otherwise go on with it.
func (c *choice) endDim() {
	if c.dim {
		*c.page, c.dim = append(*c.page, undim...), false
	}
}

// note counts the line ends at the end of the page after text was put there.
func (c *choice) note(text []byte) {
	n := len(text)
	switch {
	case n == 0:
		return
	case text[n-1] != '\n':
		c.newlines = 0
	case n == 1:
		c.newlines = min(c.newlines+1, 2)
	case text[n-2] == '\n':
		c.newlines = 2
	default:
		c.newlines = 1
	}
	c.printed = true
}

// finishPage completes a page: a reply of calls alone shows them, and the end that the flags ask for.
func (w *Writer) finishPage(c *choice) {
	if w.o.Format == Content && !c.said && len(c.calls.list) > 0 && !w.o.Extract {
		w.open(c, inContent)
		n := len(*c.page)
		*c.page = w.appendCalls(*c.page, c)
		c.note((*c.page)[n:])
		w.turn(c)
		return
	}
	c.endDim()
	switch {
	case w.o.Null:
		*c.page = append(*c.page, 0)
	case c.printed && c.newlines == 0 && !w.o.NoNewline:
		*c.page = append(*c.page, '\n')
	}
	w.turn(c)
}

// turn puts a finished page behind those before it.
func (w *Writer) turn(c *choice) {
	if c.page != &w.out {
		w.out = append(w.out, c.own...)
		c.own = nil
	}
}
