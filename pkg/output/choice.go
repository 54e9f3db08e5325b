package output

import (
	"slices"

	"github.com/llmcall/llmcall/pkg/object"
)

// choice is one of the alternatives of a reply.
type choice struct {
	index   int
	dropped bool
	finish  []byte // the last reason that was not empty
	said    bool   // it has text

	// page is what is printed of it: &Writer.out if nothing can come before it, else &own.
	page     *[]byte
	own      []byte
	newlines int     // how many line ends the page has last, 2 at most
	printed  bool    // the page has a byte
	section  section // what the page is at
	dim      bool    // the page is dimmed

	kept    []byte // its text, decoded
	body    []byte // its text as spelled, between the quotes
	null    bool   // null or nothing was all its text
	refusal []byte // its refusal as spelled, between the quotes
	thought []byte // its reasoning: as spelled, or decoded if StripThink is set
	whisper []byte // its reasoning, decoded, to be shown on Err

	half  [fields]half
	think think
	calls calls
	full  assembly
}

// section is a kind of text on a page.
type section byte

const (
	inReasoning section = iota + 1
	inContent
)

// SGR 2 dims what follows on a terminal, SGR 0 ends it.
const dim, undim = "\x1b[2m", "\x1b[0m"

// at returns the choice of an index, made if it is new. A new one may push the one with the highest index off what is shown.
func (w *Writer) at(index int) *choice {
	if w.last != nil && w.last.index == index {
		return w.last
	}
	i, found := slices.BinarySearchFunc(w.choices, index, func(c *choice, index int) int { return c.index - index })
	if !found {
		c := &choice{index: index, null: true}
		c.page = &c.own
		if index == 0 && (w.pageText || w.pageThought) {
			c.page = &w.out
		}
		w.choices = slices.Insert(w.choices, i, c)
		if len(w.choices) > w.limit {
			c := w.choices[w.limit]
			*c = choice{index: c.index, finish: c.finish, said: c.said, dropped: true}
		}
	}
	w.last = w.choices[i]
	return w.last
}

// add takes a string literal that is the value of a field of a delta.
func (w *Writer) add(c *choice, f field, lit []byte) {
	if w.assemble {
		c.full.string(f, lit)
	}
	switch f {
	case fieldContent:
		w.content(c, f, lit)
	case fieldRefusal:
		w.refuse(c, lit)
	default:
		w.reasoning(c, f, lit)
	}
}

// refuse takes a literal of refusal, which is text but for a message.
func (w *Writer) refuse(c *choice, lit []byte) {
	if len(lit) <= 2 {
		return
	}
	if !w.rawText {
		w.content(c, fieldRefusal, lit)
		return
	}
	w.started, c.said = true, true
	if !c.dropped {
		c.refusal = append(c.refusal, lit[1:len(lit)-1]...)
	}
}

// content takes a literal of text.
func (w *Writer) content(c *choice, f field, lit []byte) {
	c.null = false
	if len(lit) <= 2 {
		return
	}
	w.started = true
	c.said = c.said || !w.o.StripThink
	if c.dropped {
		return
	}
	if w.rawText && !w.o.StripThink {
		c.body = append(c.body, lit[1:len(lit)-1]...)
	}
	switch {
	case !w.wantText:
	case w.o.StripThink || w.keepText:
		w.text = w.decode(w.text[:0], &c.half[f], lit)
		if w.o.StripThink && f == fieldContent {
			w.strip(c, w.text)
		} else {
			w.say(c, w.text)
		}
	default:
		w.open(c, inContent)
		n := len(*c.page)
		*c.page = w.decode(*c.page, &c.half[f], lit)
		c.note((*c.page)[n:])
	}
}

// reasoning takes a literal of reasoning.
func (w *Writer) reasoning(c *choice, f field, lit []byte) {
	if len(lit) <= 2 {
		return
	}
	w.started = true
	if c.dropped {
		return
	}
	if w.keepThought && !w.o.StripThink {
		c.thought = append(c.thought, lit[1:len(lit)-1]...)
	}
	switch {
	case w.errThought || w.keepThought && w.o.StripThink:
		w.text = w.decode(w.text[:0], &c.half[f], lit)
		w.muse(c, w.text)
	case w.pageThought:
		w.open(c, inReasoning)
		n := len(*c.page)
		*c.page = w.decode(*c.page, &c.half[f], lit)
		c.note((*c.page)[n:])
	}
}

// say takes a piece of text that is content for certain.
func (w *Writer) say(c *choice, text []byte) {
	if len(text) == 0 {
		return
	}
	c.said = true
	if w.keepText {
		c.kept = append(c.kept, text...)
	}
	if w.pageText {
		w.open(c, inContent)
		*c.page = append(*c.page, text...)
		c.note(text)
	}
}

// muse takes a piece of text that is reasoning for certain.
func (w *Writer) muse(c *choice, text []byte) {
	if len(text) == 0 {
		return
	}
	if w.keepThought && w.o.StripThink {
		c.thought = append(c.thought, text...)
	}
	if w.errThought {
		if c.index == 0 {
			w.aside.write(text)
		} else {
			c.whisper = append(c.whisper, text...)
		}
	}
	if w.pageThought {
		w.open(c, inReasoning)
		*c.page = append(*c.page, text...)
		c.note(text)
	}
}

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

// settle ends the texts of a choice: what was held is decided.
func (w *Writer) settle(c *choice) {
	for f := range c.half {
		if !c.half[f].set {
			continue
		}
		c.half[f].set = false
		switch f := field(f); {
		case f != fieldContent && f != fieldRefusal:
			w.muse(c, replacement)
		case w.o.StripThink && f == fieldContent:
			w.strip(c, replacement)
		default:
			w.say(c, replacement)
		}
	}
	if w.o.StripThink {
		w.endStrip(c)
	}
	c.calls.identify()
	if c.index != 0 && w.errThought {
		w.aside.endLine()
		w.aside.write(c.whisper)
	}
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
	if w.o.Format == Content && len(c.calls.list) > 0 {
		w.warn("the reply calls tools beside its text: the output format tool-calls shows the calls")
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
