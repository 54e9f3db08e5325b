package output

// line prints a document as it was sent, on one line.
func (w *Writer) line(doc []byte) {
	if w.o.Query != "" {
		w.query(doc)
		return
	}
	w.out = append(appendLine(w.out, doc), '\n')
}
