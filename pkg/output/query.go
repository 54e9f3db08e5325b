package output

import (
	"github.com/llmcall/llmcall/pkg/object"
	"github.com/tidwall/gjson"
)

// query prints what the GJSON path finds in a document, if anything: strings raw, all else as JSON, numbers as spelled.
func (w *Writer) query(doc []byte) {
	found := gjson.GetBytes(doc, w.o.Query)
	if !found.Exists() {
		return
	}
	w.matched = true
	switch {
	case found.Type == gjson.String && isString([]byte(found.Raw)):
		w.out = object.AppendUnquoted(w.out, []byte(found.Raw))
	case found.Raw != "":
		w.out = append(w.out, found.Raw...)
	default:
		w.out = append(w.out, found.String()...)
	}
	switch {
	case w.o.Null:
		w.out = append(w.out, 0)
	case !w.o.NoNewline:
		w.out = append(w.out, '\n')
	}
}
