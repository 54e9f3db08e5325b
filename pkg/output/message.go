package output

import "github.com/llmcall/llmcall/pkg/object"

// finishMessage prints a choice as a line for a file of messages: what a provider takes back as an assistant message, strings as
// they were spelled. Reasoning stands under the member in which the provider takes it back, if it does.
func (w *Writer) finishMessage(c *choice) {
	begin := len(w.out)
	w.out = append(w.out, `{"role":"assistant","content":`...)
	switch {
	case c.null:
		w.out = append(w.out, "null"...)
	case w.o.StripThink:
		w.out = object.AppendString(w.out, c.kept)
	default:
		w.out = append(append(append(w.out, '"'), c.body...), '"')
	}
	if len(c.thought) > 0 {
		w.out = append(object.AppendString(append(w.out, ','), []byte(w.o.ReasoningInput)), ':')
		if w.o.StripThink {
			w.out = object.AppendString(w.out, c.thought)
		} else {
			w.out = append(append(append(w.out, '"'), c.thought...), '"')
		}
	}
	if len(c.calls.list) > 0 {
		w.out = append(w.out, `,"tool_calls":`...)
		w.out = c.calls.appendFull(w.out)
	}
	if len(c.refusal) > 0 {
		w.out = append(w.out, `,"refusal":"`...)
		w.out = append(append(w.out, c.refusal...), '"')
	}
	w.out = append(w.out, '}')
	if w.o.Query != "" {
		line := append([]byte(nil), w.out[begin:]...)
		w.out = w.out[:begin]
		w.query(line)
		return
	}
	w.out = append(w.out, w.terminator())
}
