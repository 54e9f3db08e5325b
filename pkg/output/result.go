package output

import (
	"bytes"
	"strconv"
)

// Result returns what the reply said of itself so far.
func (w *Writer) Result() Result {
	r := Result{Usage: bytes.Clone(w.usage), Model: string(w.model), ID: string(w.id)}
	if len(w.choices) == 0 {
		return r
	}
	c := w.choices[0]
	r.FinishReason = string(c.finish)
	if w.o.KeepText {
		r.Text = string(c.kept)
	}
	for i := range c.calls.list {
		call := &c.calls.list[i]
		r.ToolCalls = append(r.ToolCalls, ToolCall{ID: string(call.id), Name: string(call.name), Arguments: string(call.text())})
	}
	return r
}

// account takes a usage object: the last one counts unless its total went down, as where a server repeats zeros; null and
// absence erase nothing (providers.md C2).
func (w *Writer) account(usage []byte) {
	if len(usage) == 0 || usage[0] != '{' {
		return
	}
	total := number(member(usage, "total_tokens"))
	if w.usage != nil && total < w.total {
		return
	}
	w.total = max(total, w.total)
	w.usage = append(w.usage[:0], usage...)
}

// number reads a JSON number, 0 if raw is none.
func number(raw []byte) float64 {
	if n, ok := natural(raw); ok {
		return float64(n)
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return 0
	}
	return f
}
