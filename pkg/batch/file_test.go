package batch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// line makes an output line: an answer, or with a code a failure.
func line(id, code string) string {
	out := Outcome{Status: 200, Body: []byte(`{"a":1}`), Code: code}
	return string(appendLine(nil, &Item{ID: id, hash: hashOf(id)}, &out))
}

func TestResume(t *testing.T) {
	a, b, c := line("a", ""), line("b", ""), line("c", "")
	bad := line("b", "length")
	noReply := string(appendLine(nil, &Item{ID: "d"}, &Outcome{Code: "timeout"}))
	status := string(appendLine(nil, &Item{ID: "e"}, &Outcome{Status: 429, Code: "rate_limit"}))
	tests := []struct {
		name, file, want string
		answered         string // of a b c d e
		dropped          int64
	}{
		{name: "empty"},
		{name: "all answered", file: a + b, want: a + b, answered: "ab"},
		{name: "a torn last line", file: a + b + c[:40], want: a + b, answered: "ab", dropped: 1},
		{name: "torn in its first byte", file: a + c[:1], want: a, answered: "a", dropped: 1},
		{name: "torn in the one line", file: a[:20]},
		{name: "only the line feed is missing", file: a + b[:len(b)-1], want: a + b, answered: "ab"},
		{name: "the only line without its line feed", file: a[:len(a)-1], want: a, answered: "a"},
		{name: "failed in the middle", file: a + bad + c, want: a + c, answered: "ac", dropped: 1},
		{name: "failed at the start", file: bad + noReply + a + c, want: a + c, answered: "ac", dropped: 2},
		{name: "failed at the end", file: a + c + status + bad, want: a + c, answered: "ac", dropped: 2},
		{name: "failed and no line feed at the end", file: a + bad + c[:len(c)-1], want: a + c, answered: "ac", dropped: 1},
		{name: "failed in the middle and torn at the end", file: a + bad + c + noReply[:30], want: a + c, answered: "ac", dropped: 2},
		{name: "nothing but failures", file: bad + noReply + status, dropped: 3},
		{name: "failed, then answered", file: bad + b, want: b, answered: "b", dropped: 1},
		{name: "answered twice", file: a + a + b, want: a + a + b, answered: "ab"},
		{name: "torn in the middle", file: a + c[:30] + "\n" + b, want: a + b, answered: "ab", dropped: 1},
		{name: "two lines in one", file: a + c[:30] + b, want: a, answered: "a", dropped: 1},
		{name: "blank lines", file: "\n" + a + " \n\r\n" + b + "\n", want: a + b, answered: "ab"},
		{name: "a blank line before the last, which has no line feed", file: a + "\n" + b[:len(b)-1], want: a + b, answered: "ab"},
		{name: "CRLF", file: strings.ReplaceAll(a+bad+b, "\n", "\r\n"), want: strings.ReplaceAll(a+b, "\n", "\r\n"), answered: "ab", dropped: 1},
		{name: "a block of NUL at the end", file: a + strings.Repeat("\x00", 4096), want: a, answered: "a", dropped: 1},
		{name: "members in another order", file: `{"error": null, "response": {"body": {"status_code": 500}, "status_code": 200}, "custom_id": "\u0061"}` + "\n",
			want: `{"error": null, "response": {"body": {"status_code": 500}, "status_code": 200}, "custom_id": "\u0061"}` + "\n", answered: "a"},
		{name: "response null without an error", file: `{"custom_id":"a","response":null,"error":null}` + "\n", dropped: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "out.jsonl")
			if err := os.WriteFile(path, []byte(tt.file), 0o640); err != nil {
				t.Fatal(err)
			}
			// What a process left that was killed while it copied.
			if err := os.WriteFile(filepath.Join(dir, ".out.jsonl.resume"), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path, true)
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			for _, id := range []string{"a", "b", "c", "d", "e"} {
				if held := f.Answered.take(hashOf(id), false) == heldBefore; held != strings.Contains(tt.answered, id) {
					t.Errorf("%s is answered: %v", id, held)
				}
			}
			if f.Dropped != tt.dropped && tt.dropped > 0 {
				t.Errorf("%d dropped, want %d", f.Dropped, tt.dropped)
			}
			if _, err := Open(path, true); !errors.Is(err, ErrLocked) {
				t.Errorf("a second one: %v", err)
			}
			if _, err := f.Write([]byte(c)); err != nil {
				t.Error(err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if got := read(t, path); got != tt.want+c {
				t.Errorf("after a line more:\n%s", got)
			}
			entries, err := os.ReadDir(dir)
			info, _ := os.Stat(path)
			if err != nil || len(entries) != 1 || info.Mode().Perm() != 0o640 {
				t.Errorf("%v, %v, mode %v", entries, err, info.Mode())
			}
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestNotOutput(t *testing.T) {
	for name, file := range map[string]string{
		"text":                    "some notes\n",
		"text without a line end": "some notes",
		"text after lines":        line("a", "") + "some notes\n",
		"failed, then text":       line("a", "") + line("b", "length") + line("c", "") + "some notes\n",
		"content":                 "\"a\"\nnull\n",
		"an input":                `{"custom_id":"a","prompt":"p"}` + "\n",
		"a Batch input":           `{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"messages":[]}}` + "\n",
		"one JSON object":         "{\n  \"a\": 1\n}\n",
		"one broken line":         "{a: 1}\n",
		"id not a string":         `{"custom_id":1,"response":null,"error":null}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "out.jsonl")
			if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, want := range []error{ErrNotOutput, ErrNotOutput, ErrExists} {
				if _, err := Open(path, want != ErrExists); !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
					t.Errorf("error %v, want %v", err, want)
				}
			}
			if entries, _ := os.ReadDir(dir); read(t, path) != file || len(entries) != 1 {
				t.Errorf("the file has changed: %q, %v", read(t, path), entries)
			}
		})
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	for _, resume := range []bool{false, false, true} {
		f, err := Open(path, resume)
		if err != nil {
			t.Fatalf("nothing or an empty file there, resume %v: %v", resume, err)
		}
		for _, second := range []bool{false, true} {
			if _, err := Open(path, second); !errors.Is(err, ErrLocked) {
				t.Errorf("a second one: %v", err)
			}
		}
		f.Close()
	}
	if _, err := Open(filepath.Join(path, "no", "dir"), false); err == nil {
		t.Error("a path through a file: no error")
	}
	if _, err := Open(filepath.Dir(path), true); !errors.Is(err, ErrNotOutput) {
		t.Errorf("a directory: %v", err)
	}
}

func TestResumeThroughSymlink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "out.jsonl"), filepath.Join(t.TempDir(), "link")
	if err := os.WriteFile(path, []byte(line("b", "length")+line("a", "")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	f, err := Open(link, true)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 || read(t, path) != line("a", "") {
		t.Errorf("%v, %v, %q", info, err, read(t, path))
	}
	if _, err := Open(path, true); !errors.Is(err, ErrLocked) {
		t.Errorf("by its own name: %v", err)
	}
}

func TestDevNull(t *testing.T) {
	f, err := Open(os.DevNull, false)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Open(os.DevNull, false)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, "a")
	if err := errors.Join(f.Close(), g.Close()); err != nil {
		t.Error(err)
	}
}

// TestResumedRun runs a batch of which some items fail, and runs it again.
func TestResumedRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	in := `{"id":"a","prompt":"p"}` + "\n\"q\"\nbad\n" + `{"id":"a","prompt":"r"}` + "\n" + `{"id":"b","prompt":"s"}` + "\n"
	for i, want := range []struct {
		lines    string
		answered int64
	}{{"[a !2 !3 !a !b]", 0}, {"[a !2 !3 !a b]", 1}, {"[a b 2 !3 !a]", 2}, {"[a b 2 !3 !a]", 3}} {
		f, err := Open(path, i > 0)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Run(t.Context(), Options{
			Input: Input{Reader: strings.NewReader(in), Answered: f.Answered}, Out: f, Ordered: true,
			Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
				if item.ID == "2" && i < 2 || item.ID == "b" && i < 1 {
					return Outcome{Status: 500}
				}
				return answer(ctx, item, turn)
			},
		})
		f.Close()
		if got := fmt.Sprint(ids(t, read(t, path))); err != nil || got != want.lines || s.Answered != want.answered {
			t.Errorf("run %d: %v, got %s, %d answered before; want %v", i, err, got, s.Answered, want)
		}
	}
}
