package providers

import (
	"strings"
	"testing"
)

// TestFrame puts each hint at each place of a chunk, after chunks of several beginnings and ends.
func TestFrame(t *testing.T) {
	streams := [][]string{
		{`{"a":"0123456789","b":1}`},
		{`{"a":"0123456789","b":1}`, `{"a":"0123456789","b":1}`},
		{`{"a":"","b":1}`, `{"a":"0","b":1}`, `{"a":"12","b":1}`},
		{`{"a":"fals","b":1}`, `{"a":"x","b":1}`, `{"a":"yy","b":1}`},
		{`{"a":"x","b":1}`, `[]`, `{"a":"yy","b":1}`},
		{`{"fal":"rro"}`, `{"fal":"erro"}`, `{"fal":"0rro"}`},
		{strings.Repeat("x", 3*longestFrame), strings.Repeat("x", 3*longestFrame)},
	}
	for _, stream := range streams {
		var f frame
		for _, doc := range stream {
			if !f.fits([]byte(doc)) {
				t.Errorf("%q: %q does not fit", stream, doc)
			}
		}
		last := stream[len(stream)-1]
		for _, hint := range []string{`rror"`, "false", "alse", `ror"`, "se", "e"} {
			for at := range len(last) + 1 {
				doc := last[:at] + hint + last[at:]
				copied := frame{before: append([]byte{}, f.before...), after: append([]byte{}, f.after...)}
				if got, want := copied.fits([]byte(doc)), !hasHint([]byte(doc)); got != want {
					t.Fatalf("after %q: %q fits: %t, want %t", stream, doc, got, want)
				}
			}
		}
	}
}
