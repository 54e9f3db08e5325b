package providers

import "bytes"

// frame finds the chunks of a stream in which nothing speaks of an error. Chunks begin and end alike: what all so far had in
// common at both ends was searched once, and need only be compared.
type frame struct {
	before, after []byte // nil: no chunk has been seen
}

// Each chunk is searched for what no report of an error is without: a name or value that ends in error, or a status that is
// false. Their first bytes are rare, which bytes.Index runs over four times as fast as over text full of quotes.
var (
	errorHint = []byte(`rror"`)
	falseHint = []byte(`false`)
)

// overlap is how many bytes of a hint may be on the other side of a border.
const overlap = len("false") - 1

// fits says whether nothing in doc speaks of an error.
func (f *frame) fits(doc []byte) bool {
	from, to := len(f.before), len(doc)-len(f.after)
	if f.before != nil && from <= to && string(doc[:from]) == string(f.before) && string(doc[to:]) == string(f.after) {
		return !hasHint(doc[max(from-overlap, 0):min(to+overlap, len(doc))])
	}
	if hasHint(doc) {
		return false
	}
	f.learn(doc)
	return true
}

// longestFrame is how much of a chunk is kept at either end.
const longestFrame = 1 << 10

// learn keeps of both ends what doc has too.
func (f *frame) learn(doc []byte) {
	if f.before == nil {
		n := min(len(doc), longestFrame)
		f.before, f.after = bytes.Clone(doc[:n]), bytes.Clone(doc[len(doc)-n:])
		return
	}
	n := 0
	for n < min(len(f.before), len(doc)) && f.before[n] == doc[n] {
		n++
	}
	f.before = f.before[:n]
	m := 0
	for m < min(len(f.after), len(doc)-n) && f.after[len(f.after)-1-m] == doc[len(doc)-1-m] {
		m++
	}
	f.after = f.after[len(f.after)-m:]
}

func hasHint(text []byte) bool {
	return bytes.Contains(text, errorHint) || bytes.Contains(text, falseHint)
}
