package request

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// CheckText gives a text that may stand in a request: b without a UTF-8 byte order mark. A NUL, and bytes that are not UTF-8,
// are an *InputError with their offset in b; what is sent is never changed unseen.
func CheckText(source string, b []byte) ([]byte, error) {
	text := bytes.TrimPrefix(b, []byte("\uFEFF"))
	at := bytes.IndexByte(text, 0)
	if at < 0 && utf8.Valid(text) {
		return text, nil
	}
	dropped := len(b) - len(text)
	if bad := invalidUTF8(text); bad >= 0 && (at < 0 || bad < at) {
		msg := fmt.Sprintf("not valid UTF-8 at byte %d (0x%02X)%s", dropped+bad, text[bad], notText(b))
		return nil, &InputError{Source: source, Offset: dropped + bad, Msg: msg}
	}
	msg := fmt.Sprintf("not text: a NUL at byte %d%s", dropped+at, notText(b))
	return nil, &InputError{Source: source, Offset: dropped + at, Msg: msg}
}

// invalidUTF8 gives the offset of the first byte that is not part of a UTF-8 sequence, or -1.
func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// notText says what bytes are that are no text, where that helps.
func notText(b []byte) string {
	if bytes.HasPrefix(b, []byte("\xFF\xFE")) || bytes.HasPrefix(b, []byte("\xFE\xFF")) {
		return "; it is UTF-16: convert it with iconv -f UTF-16 -t UTF-8"
	}
	switch f := sniff(b); {
	case f.kind != "" && f.refused == "":
		return "; it is " + f.name + ": attach it with --" + f.kind
	case f.name != "":
		return "; it is " + f.name
	}
	return ""
}

// promptPieces gives the pieces that hold text, without the newlines at their ends.
func promptPieces(pieces [][]byte) [][]byte {
	var kept [][]byte
	for _, p := range pieces {
		if !isBlank(p) {
			kept = append(kept, bytes.TrimRight(p, "\n"))
		}
	}
	return kept
}

// isBlank tells whether a text is white space alone.
func isBlank(text []byte) bool { return len(bytes.TrimLeftFunc(text, unicode.IsSpace)) == 0 }
