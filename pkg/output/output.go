// Package output turns the documents of a reply, the chunks of a stream or one JSON body, into what the user asked to see.
//
// A document is walked once. What its choices say is noted as slices of it, and taken only when the whole document has proved
// to be JSON: text is unescaped straight into the output buffer, or its spelling is kept where the output is JSON again.
package output

import (
	"fmt"
	"slices"
)

// flushSize is how much live output may wait for the next read of the network.
const flushSize = 64 << 10

// Writer turns the documents of one reply into output. It is not safe for concurrent use.
type Writer struct {
	o      Options
	limit  int  // choices that are shown
	live   bool // Flush writes
	follow bool // Flush writes to Err
	// What the format and the flags want of a choice.
	wantText    bool // its text decoded
	pageText    bool // its text on its page
	pageThought bool // its reasoning on its page
	keepText    bool // its text in choice.kept
	rawText     bool // its text and refusal as spelled, for Message
	keepThought bool // its reasoning for Message
	errThought  bool // its reasoning on Err
	keepCalls   bool // its tool calls
	assemble    bool // all of it, for JSON

	err     error // a write that failed
	out     []byte
	aside   aside
	written bool
	started bool
	matched bool // the query matched
	body    bool // a body came
	docs    int

	choices  []*choice // by index
	last     *choice
	model    []byte
	id       []byte
	usage    []byte
	total    float64
	top      members
	template template

	deltas  []delta // of the document at hand
	extras  []extra // their unknown members
	values  []span  // where members round the choices are
	text    []byte  // scratch: a piece of text, decoded
	literal []byte  // scratch: a string literal put together
}

// New returns a writer for one reply, or an error if the options cannot work together.
func New(o Options) (*Writer, error) {
	if o.Format == "" {
		o.Format = Content
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	w := &Writer{o: o, limit: max(o.Choices, 1)}
	if o.Format == JSON || o.Format == NDJSON {
		w.limit = int(^uint(0) >> 1)
	}
	w.live = o.Live && !o.Extract && (o.Format == Content || o.Format == NDJSON || o.Format == Reasoning)
	w.follow = o.Live
	w.pageText = o.Format == Content && !o.Extract
	w.pageThought = o.Format == Reasoning || o.Reasoning == ReasoningStdout
	w.keepText = o.KeepText || o.Extract || o.Format == ToolCalls || o.Format == Message && o.StripThink
	w.wantText = w.pageText || w.keepText || o.StripThink
	w.rawText = o.Format == Message
	w.keepThought = o.Format == Message && o.ReasoningInput != ""
	w.errThought = o.Reasoning == ReasoningStderr && o.Err != nil
	w.keepCalls = o.Format != NDJSON && o.Format != Reasoning || o.KeepText
	w.assemble = o.Format == JSON
	w.aside = aside{to: o.Err, dim: o.DimStderr}
	return w, nil
}

// Chunk takes one chunk of a stream; doc is not kept. A chunk that is not a JSON object is a *FormatError.
func (w *Writer) Chunk(doc []byte) error {
	if w.err != nil {
		return w.err
	}
	w.docs++
	if lit := w.template.match(doc); lit != nil {
		for _, p := range w.template.found {
			w.around(p.name, p.value)
		}
		w.add(w.template.choice, w.template.field, lit)
	} else if err := w.document(doc, true); err != nil {
		return err
	}
	if w.o.Format == NDJSON {
		w.line(doc)
	}
	if len(w.out) > flushSize || len(w.aside.buf) > flushSize {
		return w.Flush()
	}
	return nil
}

// Body takes a whole chat.completion; doc is not kept. One that is not a JSON object with choices is a *FormatError.
func (w *Writer) Body(doc []byte) error {
	if w.err != nil {
		return w.err
	}
	w.docs++
	w.body = true
	w.assemble = false
	if err := w.document(doc, false); err != nil {
		return err
	}
	if len(w.choices) == 0 {
		return &FormatError{Msg: "the reply has no choices"}
	}
	switch {
	case w.o.Format == NDJSON:
		w.line(doc)
	case w.o.Format == JSON && w.o.Query != "":
		w.query(doc)
	case w.o.Format == JSON:
		w.out = append(w.out, doc...)
		if !w.o.NoNewline && (len(doc) == 0 || doc[len(doc)-1] != '\n') {
			w.out = append(w.out, '\n')
		}
	}
	return nil
}

// Flush writes what may be seen by now. It is to be called before each read of the network.
func (w *Writer) Flush() error {
	if w.err != nil {
		return w.err
	}
	if w.follow {
		w.aside.flush()
	}
	if w.live {
		return w.write()
	}
	return nil
}

// Close ends a reply that came to its end and says what is wrong with it: nil, *WriteError, ErrIncomplete, *FormatError,
// *CutError, ErrQueryNotFound or ErrNoFence, the first of these if there are several. done says that [DONE] was seen.
// A reply that is not whole or not allowed leaves Out as Abort does.
func (w *Writer) Close(done bool) error {
	if w.err != nil {
		return w.err
	}
	if err := w.fault(done); err != nil {
		if werr := w.Abort(); werr != nil {
			return werr
		}
		return err
	}
	for _, c := range w.shown() {
		w.settle(c)
	}
	cut := w.cut()
	soft := w.finish()
	if n := len(w.choices) - w.limit; n > 0 {
		w.warn(fmt.Sprintf("the reply has %d choices, %d asked for: the rest is dropped", len(w.choices), w.limit))
	}
	w.aside.end()
	if err := w.write(); err != nil {
		return err
	}
	if cut != nil {
		cut.Err = soft
		return cut
	}
	return soft
}

// Abort ends a reply that broke off: live output so far is written, the rest is dropped. Its only error is a *WriteError.
func (w *Writer) Abort() error {
	if w.err != nil {
		return w.err
	}
	if w.follow {
		w.aside.end()
	}
	if w.live {
		return w.write()
	}
	return nil
}

// Written reports whether a byte has reached Out.
func (w *Writer) Written() bool { return w.written }

// Started reports whether a first token has come: content, reasoning or a tool call.
func (w *Writer) Started() bool { return w.started }

// write sends all that waits to Out.
func (w *Writer) write() error {
	if len(w.out) == 0 {
		return nil
	}
	if len(w.choices) > 0 && w.choices[0].page == &w.out {
		w.choices[0].endDim()
	}
	n, err := w.o.Out.Write(w.out)
	w.written = w.written || n > 0
	w.out = w.out[:0]
	if err != nil {
		w.err = &WriteError{Err: err}
	}
	return w.err
}

func (w *Writer) warn(line string) {
	if w.o.Warn != nil {
		w.o.Warn(line)
	}
}

// shown are the choices that are printed.
func (w *Writer) shown() []*choice { return w.choices[:min(len(w.choices), w.limit)] }

// finish puts what is printed at the end of a reply on w.out, whose order is that of the choices.
func (w *Writer) finish() error {
	switch w.o.Format {
	case Content, Reasoning:
		if w.o.Extract {
			if err := w.extract(); err != nil {
				return err
			}
		}
		for _, c := range w.shown() {
			w.finishPage(c)
		}
		if w.o.Format == Content && slices.ContainsFunc(w.shown(), func(c *choice) bool { return c.said && c.called }) {
			w.warn("the reply calls tools beside its text: the output format tool-calls shows the calls")
		}
	case ToolCalls:
		w.finishCalls()
	case Message:
		for _, c := range w.shown() {
			w.finishMessage(c)
		}
	case JSON:
		if w.assemble {
			w.finishCompletion()
		}
	}
	if w.o.Query != "" && !w.matched {
		return ErrQueryNotFound
	}
	return nil
}
