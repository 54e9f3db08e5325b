package output

import "bytes"

const thinkOpen, thinkClose = "<think>", "</think>"

// blank is JSON's and most models' white space.
const blank = " \t\r\n"

// think finds a block of reasoning at the start of a text that comes in pieces cut anywhere.
type think struct {
	state    thinkState
	held     []byte // what is not decided
	scanned  int    // how much of held has no closing tag, less a tag's length
	unclosed bool   // the text ended inside the block
}

type thinkState byte

const (
	thinkStart  thinkState = iota // white space or a part of the opening tag came
	thinkAbsent                   // something else came: a closing tag may follow
	thinkInside
	thinkAfter // white space after the block
	thinkDone
)

// strip takes a piece of text of a choice and gives each part of it to say or muse as soon as it is decided. White space before
// the opening tag goes with the tag.
func (w *Writer) strip(c *choice, text []byte) {
	t := &c.think
	for len(text) > 0 {
		switch t.state {
		case thinkStart:
			t.held = append(t.held, text...)
			rest := bytes.TrimLeft(t.held, blank)
			switch {
			case bytes.HasPrefix(rest, []byte(thinkOpen)):
				text, t.held, t.state = rest[len(thinkOpen):], nil, thinkInside
			case len(rest) < len(thinkOpen) && thinkOpen[:len(rest)] == string(rest):
				return
			default:
				text, t.held, t.state = t.held, nil, thinkAbsent
			}
		case thinkAbsent:
			t.held = append(t.held, text...)
			i := t.close()
			if i < 0 {
				return
			}
			w.muse(c, t.held[:i])
			text, t.held, t.state = t.held[i+len(thinkClose):], nil, thinkAfter
		case thinkInside:
			t.held = append(t.held, text...)
			i := t.close()
			if i < 0 {
				keep := endsLike(t.held, thinkClose)
				w.muse(c, t.held[:len(t.held)-keep])
				t.held = append(t.held[:0], t.held[len(t.held)-keep:]...)
				t.scanned = 0
				return
			}
			w.muse(c, t.held[:i])
			text, t.held, t.state = t.held[i+len(thinkClose):], nil, thinkAfter
		case thinkAfter:
			rest := bytes.TrimLeft(text, blank)
			w.muse(c, text[:len(text)-len(rest)])
			if text = rest; len(text) > 0 {
				t.state = thinkDone
			}
		case thinkDone:
			w.say(c, text)
			return
		}
	}
}

// endStrip decides what is held at the end of the text.
func (w *Writer) endStrip(c *choice) {
	t := &c.think
	switch t.state {
	case thinkStart, thinkAbsent:
		w.say(c, t.held)
		t.state = thinkDone
	case thinkInside:
		w.muse(c, t.held)
		t.unclosed = true
	}
	t.held = nil
}

// close returns where the closing tag begins in held, -1 if it has not come. No byte is searched twice but for a tag's length.
func (t *think) close() int {
	i := bytes.Index(t.held[t.scanned:], []byte(thinkClose))
	if i >= 0 {
		return t.scanned + i
	}
	t.scanned = max(0, len(t.held)-len(thinkClose)+1)
	return -1
}

// endsLike returns how many bytes at the end of text are the start of tag, less than all of it.
func endsLike(text []byte, tag string) int {
	for n := min(len(text), len(tag)-1); n > 0; n-- {
		if string(text[len(text)-n:]) == tag[:n] {
			return n
		}
	}
	return 0
}
