package main

import (
	"bytes"
	"testing"
)

func TestOneLine(t *testing.T) {
	for _, tt := range []struct{ name, in, line, lines string }{
		{"plain", "a b", "a b", "a b"},
		{"not ASCII", "caf\u00e9 \U0001F600", "caf\u00e9 \U0001F600", "caf\u00e9 \U0001F600"},
		{"line breaks", "a\r\nb\tc", "a  b c", "a\nb\tc"},
		{"colour", "\x1b[31mred\x1b[0m", "[31mred[0m", "[31mred[0m"},
		{"bell and backspace", "a\a\bb\x00\x7f", "ab", "ab"},
		{"control characters of eight bits", "a\u009b31mb\u0085", "a31mb", "a31mb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := oneLine(tt.in); got != tt.line {
				t.Errorf("oneLine gives %q, want %q", got, tt.line)
			}
			if got := printable(tt.in); got != tt.lines {
				t.Errorf("printable gives %q, want %q", got, tt.lines)
			}
		})
	}
}

func TestWhoIsTold(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		quiet, verbose, json bool
		want                 string
	}{
		{name: "as it is", want: "llmcall: warning: w\nllmcall: n\n"},
		{name: "quiet", quiet: true},
		{name: "verbose", verbose: true, want: "llmcall: warning: w\nllmcall: n\nllmcall: d\n"},
		{name: "as JSON", json: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			r := &reporter{err: &b, quiet: tt.quiet, verbose: tt.verbose, json: tt.json}
			r.warn("w")
			r.warn("w")
			r.notice("n")
			r.detail("d")
			if b.String() != tt.want {
				t.Errorf("said %q, want %q", b.String(), tt.want)
			}
			if len(r.warnings) != 1 {
				t.Errorf("keeps %q", r.warnings)
			}
		})
	}
}

func TestFailSaysErrorAndHint(t *testing.T) {
	for _, tt := range []struct {
		name  string
		quiet bool
		want  string
	}{
		{"as it is", false, "llmcall: bad thing\nllmcall: hint: do better\n"},
		{"quiet", true, "llmcall: bad thing\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			r := &reporter{err: &b, quiet: tt.quiet}
			if code := r.fail(&failure{err: usageError{msg: "bad\nthing", hint: "do better"}}); code != exitUsage {
				t.Errorf("code %d", code)
			}
			if b.String() != tt.want {
				t.Errorf("said %q, want %q", b.String(), tt.want)
			}
		})
	}
}
