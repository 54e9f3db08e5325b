package request

import (
	"errors"
	"testing"
)

func TestCheckText(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"plain\n":               "plain\n",
		"\ufeffafter a mark":    "after a mark",
		"\ufeff\ufeffone mark":  "\ufeffone mark",
		"ä\u2028\U0001F600\x1b": "ä\u2028\U0001F600\x1b",
		"\ufffd":                "\ufffd",
	} {
		if got, err := CheckText("stdin", []byte(text)); err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
}

func TestCheckTextErrors(t *testing.T) {
	tests := []struct {
		name, text, want string
		offset           int
	}{
		{"Latin-1", "notes \x96 end", "stdin: not valid UTF-8 at byte 6 (0x96)", 6},
		{"a character that is cut", "cost \xe2\x82", "stdin: not valid UTF-8 at byte 5 (0xE2)", 5},
		{"half a surrogate pair", "a\xed\xa0\x80", "stdin: not valid UTF-8 at byte 1 (0xED)", 1},
		{"the offset counts the byte order mark", "\ufeffa\xff", "stdin: not valid UTF-8 at byte 4 (0xFF)", 4},
		{"NUL", "ä\x00\xff", "stdin: not text: a NUL at byte 2", 2},
		{"the first of both counts", "\xff\x00", "stdin: not valid UTF-8 at byte 0 (0xFF)", 0},
		{"UTF-16", "\xff\xfeh\x00i\x00", "stdin: not valid UTF-8 at byte 0 (0xFF); it is UTF-16: convert it with iconv -f UTF-16 -t UTF-8", 0},
		{"an image", "\x89PNG\r\n\x1a\n\x00", "stdin: not valid UTF-8 at byte 0 (0x89); it is a PNG image: attach it with --image", 0},
		{"a PDF", "%PDF-1.7\n%\xe2\xe3", "stdin: not valid UTF-8 at byte 10 (0xE2); it is a PDF", 10},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := CheckText("stdin", []byte(test.text))
			var input *InputError
			if !errors.As(err, &input) || err.Error() != test.want || input.Offset != test.offset {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}
