package record

import (
	"bytes"
	"compress/gzip"
	"io"
	"unicode/utf8"
)

// part is what one read gave of a body. at is in milliseconds from the request.
type part struct {
	at   float64
	data []byte
}

// maxUnpacked is how much of a packed body is searched.
const maxUnpacked = 64 << 20

// withoutSecrets gives a body's parts with secrets replaced, also those that are spread over several, and with characters
// whole. A packed body that holds a secret is given unpacked.
func withoutSecrets(parts []part, redact func(string) string) (safe []part, unpacked bool) {
	whole := join(parts)
	if plain := unpack(whole); plain != nil && redact(string(plain)) != string(plain) {
		return replaced([]part{{parts[len(parts)-1].at, plain}}, redact), true
	}
	if redact(string(whole)) != string(whole) {
		parts = replaced(parts, redact)
	}
	return wholeCharacters(parts), false
}

func join(parts []part) []byte {
	var whole []byte
	for _, p := range parts {
		whole = append(whole, p.data...)
	}
	return whole
}

// unpack gives what a gzip body holds, as far as it can be read; nil if it is none.
func unpack(body []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	plain, _ := io.ReadAll(io.LimitReader(z, maxUnpacked)) // a body that was cut holds what it holds
	return plain
}

// replaced replaces secrets line by line, for none holds a line break: so the parts keep their times. A line that changes goes
// to the part that completes it.
func replaced(parts []part, redact func(string) string) []part {
	var safe []part
	var line []byte // that has begun
	for _, p := range parts {
		var done []byte
		for text := range bytes.Lines(p.data) {
			line = append(line, text...)
			if text[len(text)-1] == '\n' {
				done = append(done, redact(string(line))...)
				line = line[:0]
			}
		}
		if len(done) > 0 {
			safe = append(safe, part{p.at, done})
		}
	}
	if len(line) > 0 {
		last := []byte(redact(string(line)))
		safe = append(safe, part{parts[len(parts)-1].at, last})
	}
	if text := string(join(safe)); redact(text) != text { // a secret of more than a line after all
		return []part{{parts[len(parts)-1].at, []byte(redact(text))}}
	}
	return safe
}

// wholeCharacters moves the beginning of a character that two parts share to the second, so that text stays text.
func wholeCharacters(parts []part) []part {
	var whole []part
	var begun []byte
	for i, p := range parts {
		data := append(begun, p.data...)
		begun = nil
		if i < len(parts)-1 {
			cut := len(data) - unfinished(data)
			data, begun = data[:cut:cut], data[cut:]
		}
		if len(data) > 0 {
			whole = append(whole, part{p.at, data})
		}
	}
	return whole
}

// unfinished is how many bytes at the end of text begin a character without ending it.
func unfinished(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		tail := text[len(text)-n:]
		if utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
