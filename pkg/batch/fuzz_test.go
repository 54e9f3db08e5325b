package batch

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzItems checks that each line that is not blank is one item, right or wrong, that ids are there once but for duplicates, and
// that reading byte by byte gives the same.
func FuzzItems(f *testing.F) {
	f.Add([]byte("\ufeff\"a\"\r\n\n{\"id\":1,\"prompt\":\"p\"}\n{\"id\":\"1\",\"messages\":[]}\nnot\n"), false)
	f.Add([]byte(`{"custom_id":"c","method":"POST","url":"/v1/chat/completions","body":{"messages":[]}}`), false)
	f.Add([]byte("{\"id\":\"3\",\"prompt\":\"\\ud800\",\"x\":{}}\n\n\"q\"\n\xff\n"), false)
	f.Add([]byte("text\x00\n \ntext"), true)
	f.Fuzz(func(t *testing.T, data []byte, text bool) {
		var all []*Item
		for item, err := range (&Input{Reader: bytes.NewReader(data), Text: text}).Items() {
			if err != nil {
				return
			}
			all = append(all, item)
		}
		want := 0
		for l := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
			if !blank([]byte(strings.TrimSuffix(l, "\n"))) {
				want++
			}
		}
		if len(all) != want {
			t.Fatalf("%d items of %d lines", len(all), want)
		}
		seen := map[string]bool{}
		for _, item := range all {
			switch {
			case item.Code == "" && item.Body == nil && item.Prompt == nil:
				t.Errorf("line %d asks nothing", item.Line)
			case item.Body != nil && !json.Valid(item.Body):
				t.Errorf("line %d: body %q", item.Line, item.Body)
			case item.Code == "" && seen[item.ID]:
				t.Errorf("line %d: a second %q", item.Line, item.ID)
			}
			seen[item.ID] = true
		}
		slow := items(t, Input{Reader: iotest.OneByteReader(bytes.NewReader(data)), Text: text})
		if listed(slow) != listed(all) {
			t.Errorf("byte by byte: %s\nat once: %s", listed(slow), listed(all))
		}
	})
}

// FuzzResume checks that resuming any file either leaves it alone or leaves whole lines with the same answers, and that a second
// resume changes nothing.
func FuzzResume(f *testing.F) {
	a, b := line("a", ""), line("b", "length")
	f.Add([]byte(a + b + a))
	f.Add([]byte(a + b[:20]))
	f.Add([]byte(b + "\n\r\n" + a[:len(a)-1]))
	f.Add([]byte(a + "x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "out")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var want []byte
		for l := range bytes.Lines(data) {
			if _, v := judge(bytes.TrimSuffix(l, []byte{'\n'})); v == answered {
				want = append(append(want, bytes.TrimSuffix(l, []byte{'\n'})...), '\n')
			}
		}
		file, err := Open(path, true)
		if err != nil {
			if read(t, path) != string(data) {
				t.Fatalf("%v, and the file has changed", err)
			}
			return
		}
		n := file.Answered.Len()
		file.Close()
		if got := read(t, path); got != string(want) {
			t.Fatalf("got %q, want %q", got, want)
		}
		if file, err = Open(path, true); err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if file.Dropped != 0 || file.Answered.Len() != n || read(t, path) != string(want) {
			t.Errorf("the second time: %d dropped, %d ids, before %d", file.Dropped, file.Answered.Len(), n)
		}
	})
}
