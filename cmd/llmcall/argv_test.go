package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want string // settings and words joined by a blank, or "error: " and a part of the message
	}{
		{"nothing", nil, "--"},
		{"a word", []string{"hi"}, "-- hi"},
		{"words keep their order and bounds", []string{"a b", "", "c"}, "-- a b  c"},
		{"a flag before a word", []string{"-m", "x", "hi"}, "--model=x -- hi"},
		{"a flag after a word", []string{"hi", "-m", "x"}, "--model=x -- hi"},
		{"a flag between words", []string{"a", "-t", "1", "b"}, "--temperature=1 -- a b"},
		{"value attached to a short flag", []string{"-mx"}, "--model=x --"},
		{"value attached by = to a short flag", []string{"-m=x"}, "--model=x --"},
		{"value that holds =", []string{"--set=a=b"}, "--set=a=b --"},
		{"negative value", []string{"-t", "-1"}, "--temperature=-1 --"},
		{"value that looks like a flag", []string{"-s", "--x"}, "--system=--x --"},
		{"negative number as text", []string{"-5"}, "-- -5"},
		{"decimal that starts as a flag does", []string{"-0.5"}, "-- -0.5"},
		{"decimal without its zero", []string{"-.5"}, "-- -.5"},
		{"a flag that is a digit", []string{"-0"}, "--null=true --"},
		{"switches in one word", []string{"-vx"}, "--verbose=true --extract=true --"},
		{"switch and a flag with its value in one word", []string{"-vmst"}, "--verbose=true --model=st --"},
		{"switch and a flag whose value follows", []string{"-vm", "st"}, "--verbose=true --model=st --"},
		{"switch by =", []string{"--stream=false"}, "--stream=false --"},
		{"short switch by =", []string{"-v=false"}, "--verbose=false --"},
		{"after --", []string{"-m", "x", "--", "--help", "-t", "1"}, "--model=x -- --help -t 1"},
		{"a second --", []string{"--", "a", "--"}, "-- a --"},
		{"a flag twice", []string{"-m", "a", "--model", "b"}, "--model=a --model=b --"},
		{"a switch before a word", []string{"--stream", "hi"}, "--stream=true -- hi"},

		{"a lone dash", []string{"-"}, "error: no prompt"},
		{"switch with a word for its value", []string{"--stream", "false"}, "error: only by ="},
		{"switch with a wrong value", []string{"--stream=no"}, "error: want true or false"},
		{"unknown long flag", []string{"--modle", "x"}, "error: --modle"},
		{"unknown short flag", []string{"-Z"}, "error: -Z"},
		{"no value", []string{"-m"}, "error: needs a value"},
		{"empty value", []string{"-m", ""}, "error: empty"},
		{"empty value by =", []string{"--base-url="}, "error: empty"},
		{"the dash of another alphabet", []string{"-é"}, "error: -é"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := canonical(flagTable, tt.args)
			if part, ok := strings.CutPrefix(tt.want, "error: "); ok {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Fatalf("got %q, %v; want an error with %q", got, err, part)
				}
				if !errors.As(err, &usageError{}) {
					t.Fatalf("%T is no usage error", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}

func TestUnknownFlagSuggestsTheNearest(t *testing.T) {
	for typed, want := range map[string]string{"--modle": "--model", "--no-stdn": "--no-stdin", "--no-such": "--no-stdin", "--temprature": "--temperature", "-n": "--n", "--max-token": "--max-tokens"} {
		_, err := canonical(flagTable, []string{typed, "1"})
		var u usageError
		if !errors.As(err, &u) || !strings.Contains(u.hint, "did you mean "+want+"?") {
			t.Errorf("%s: %v, hint %q; want %s suggested", typed, err, u.hint, want)
		}
	}
}

// FuzzCanonical checks that whatever is typed comes out in the one form, with no word lost, added or reordered, and that
// the form is a fixed point.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{"-m\x00x\x00hi", "hi\x00--\x00-t", "-vx\x00-5", "--set\x00a=b\x00-\x00", "-\x00", "--stream\x00true"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		args := strings.Split(s, "\x00")
		got, err := canonical(flagTable, args)
		if err != nil {
			return
		}
		end := slices.Index(got, "--")
		if end < 0 {
			t.Fatalf("no -- in %q", got)
		}
		for _, a := range got[:end] {
			name, _, ok := strings.Cut(strings.TrimPrefix(a, "--"), "=")
			if !ok || findFlag(flagTable, name) == nil {
				t.Errorf("%q is no setting", a)
			}
		}
		rest := args
		for _, w := range got[end+1:] {
			i := slices.Index(rest, w)
			if i < 0 {
				t.Fatalf("word %q of %q is not in what is left of %q", w, got, args)
			}
			rest = rest[i+1:]
		}
		again, err := canonical(flagTable, got)
		if err != nil || !slices.Equal(again, got) {
			t.Errorf("canonical(%q) = %q, %v", got, again, err)
		}
	})
}
