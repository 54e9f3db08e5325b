package main

import (
	"testing"
	"time"
)

func TestSpan(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want time.Duration
		ok   bool
	}{
		{"90", 90 * time.Second, true},
		{"0.05", 50 * time.Millisecond, true},
		{"0", 0, true},
		{"50ms", 50 * time.Millisecond, true},
		{"1h30m", 90 * time.Minute, true},
		{"-1", 0, false},
		{"-1s", 0, false},
		{"1d", 0, false},
		{"soon", 0, false},
		{"1 s", 0, false},
		{"1e400", 0, false},
		{"NaN", 0, false},
	} {
		t.Run(tt.in, func(t *testing.T) {
			var o options
			err := span(func(o *options) *seconds { return &o.timeout })(&o, tt.in)
			if (err == nil) != tt.ok {
				t.Fatalf("error %v", err)
			}
			if tt.ok && o.timeout != (seconds{tt.want, tt.in}) {
				t.Errorf("got %v, want %s", o.timeout, tt.want)
			}
		})
	}
}

func TestEditFlags(t *testing.T) {
	for _, tt := range []struct {
		op, in string
		want   editFlag
		ok     bool
	}{
		{"set", "a=1", editFlag{"set", "a", "1"}, true},
		{"set", "a.b=c=d", editFlag{"set", "a.b", "c=d"}, true},
		{"set", "a=", editFlag{"set", "a", ""}, true},
		{"set", "a", editFlag{}, false},
		{"set", "=1", editFlag{}, false},
		{"set-string", "a=1", editFlag{"set-string", "a", "1"}, true},
		{"unset", "a.b", editFlag{"unset", "a.b", ""}, true},
		{"unset", "a=b", editFlag{"unset", "a=b", ""}, true},
	} {
		t.Run(tt.op+" "+tt.in, func(t *testing.T) {
			var o options
			if err := edit(tt.op)(&o, tt.in); (err == nil) != tt.ok {
				t.Fatalf("error %v", err)
			}
			if !tt.ok {
				return
			}
			got := o.edits[0]
			if tt.op == "unset" {
				got.value = "" // of no meaning there
			}
			if got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestOrList(t *testing.T) {
	for _, tt := range []struct {
		in   []string
		want string
	}{{[]string{"a"}, "a"}, {[]string{"a", "b"}, "a or b"}, {[]string{"a", "b", "c"}, "a, b or c"}} {
		if got := orList(tt.in); got != tt.want {
			t.Errorf("orList(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestFlagTable holds each row to what the parser, --help and the completions rely on.
func TestFlagTable(t *testing.T) {
	names, letters := map[string]bool{}, map[string]bool{}
	for _, f := range flagTable {
		switch {
		case f.name == "" || f.help == "" || f.group == "":
			t.Errorf("--%s lacks its name, group or help", f.name)
		case names[f.name] || f.short != "" && letters[f.short]:
			t.Errorf("--%s, -%s is there twice", f.name, f.short)
		case len(f.short) > 1:
			t.Errorf("-%s is no letter", f.short)
		case (f.set == nil) != (f.member != ""):
			t.Errorf("--%s sets a member or has a setter of its own", f.name)
		case f.set == nil && f.kind == 0:
			t.Errorf("--%s has no kind", f.name)
		}
		names[f.name], letters[f.short] = true, true
	}
}

func TestShellQuote(t *testing.T) {
	for in, want := range map[string]string{"": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$x`y`\\": "'$x`y`\\'", "a\nb": "'a\nb'"} {
		if got := shellQuote(in); got != want {
			t.Errorf("shellQuote(%q) = %s, want %s", in, got, want)
		}
	}
}
