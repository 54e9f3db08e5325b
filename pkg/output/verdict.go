package output

import (
	"fmt"
	"strings"
)

// fault says why the reply is no reply: it is not whole, or the model's server gave it up. Spec: a stream is whole when a choice
// began, every choice that began had a finish reason and the body ended cleanly or with [DONE], less what the row leaves out.
func (w *Writer) fault(done bool) error {
	if !w.body {
		switch {
		case w.docs == 0:
			return incomplete("the stream had no data")
		case len(w.choices) == 0:
			return incomplete("the stream ended before a choice began")
		case w.o.NoFinishReason && !w.o.NoDone && !done:
			return incomplete("the stream ended without [DONE]")
		}
		for _, c := range w.choices {
			if len(c.finish) > 0 || w.o.NoFinishReason {
				continue
			}
			if len(w.choices) == 1 {
				return incomplete("the stream ended without a finish reason")
			}
			return incomplete(fmt.Sprintf("the stream ended before choice %d had a finish reason", c.index))
		}
	}
	for _, c := range w.choices {
		if strings.EqualFold(string(c.finish), "error") {
			return &FormatError{Msg: `the server gave up: finish reason "error"`}
		}
	}
	return nil
}

// cut says that the model's own limit ended a choice, the first such in order of index; nil: none.
func (w *Writer) cut() *CutError {
	for _, c := range w.choices {
		reason := string(c.finish)
		switch strings.ToLower(reason) {
		case "length", "max_tokens", "content_filter", "safety", "recitation":
		default:
			if !c.think.unclosed {
				continue
			}
			reason = UnclosedThink
		}
		return &CutError{Reason: reason, NoContent: !c.said && !c.called}
	}
	return nil
}
