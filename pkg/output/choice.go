package output

import "slices"

// choice is one of the alternatives of a reply.
type choice struct {
	index   int
	dropped bool
	finish  []byte // the last reason that was not empty
	said    bool   // it has text
	called  bool   // it has tool calls

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
			*c = choice{index: c.index, finish: c.finish, said: c.said, called: c.called, dropped: true}
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
