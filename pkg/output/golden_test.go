package output

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata/stream")

// Each directory of testdata/stream has what came, wire.sse or body.json, and what each format makes of it: FORMAT is stdout,
// FORMAT.stderr what went beside it, FORMAT.error what Close said. No file stands for no byte and no error.
const golden = "../../testdata/stream"

// goldenOptions are those of cases that need more than a format.
func goldenOptions(name string) Options {
	var o Options
	switch name {
	case "two-choices", "three-choices-for-two":
		o.Choices = 2
	case "infercom", "infercom-tools", "infercom-body", "infercom-tools-body", "parts":
		o.ReasoningInput = "reasoning"
	case "inline-think", "inline-think-without-start", "inline-think-open":
		o.StripThink = true
	}
	return o
}

// events reads the data of a stream framed in the plainest way, and whether [DONE] came.
func events(wire []byte) (docs [][]byte, done bool) {
	for event := range strings.SplitSeq(string(wire), "\n\n") {
		var lines []string
		for line := range strings.SplitSeq(event, "\n") {
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				lines = append(lines, data)
			}
		}
		switch data := strings.Join(lines, "\n"); data {
		case "":
		case "[DONE]":
			done = true
		default:
			docs = append(docs, []byte(data))
		}
	}
	return docs, done
}

// played is what a reply led to.
type played struct {
	out, err, warnings string
	fault              error
	result             Result
}

// play feeds documents to a new writer, each from a buffer that is overwritten afterwards, and flushes after each if flush is set.
func play(t testing.TB, o Options, docs [][]byte, body, done, flush bool) played {
	t.Helper()
	var out, aside bytes.Buffer
	var warnings strings.Builder
	o.Out, o.Err, o.Warn = &out, &aside, func(line string) { warnings.WriteString(line + "\n") }
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range docs {
		doc = bytes.Clone(doc)
		if body {
			err = w.Body(doc)
		} else {
			err = w.Chunk(doc)
		}
		for i := range doc {
			doc[i] = '#'
		}
		if err != nil {
			break
		}
		if flush {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		if !o.Live && out.Len() > 0 {
			t.Fatalf("%q was written before the end", out.String())
		}
	}
	if err != nil {
		if aerr := w.Abort(); aerr != nil {
			t.Fatal(aerr)
		}
	} else {
		err = w.Close(done)
	}
	if w.Written() != (out.Len() > 0) {
		t.Errorf("Written is %v after %d bytes", w.Written(), out.Len())
	}
	return played{out.String(), aside.String(), warnings.String(), err, w.Result()}
}

func TestGolden(t *testing.T) {
	dirs, err := os.ReadDir(golden)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		path := filepath.Join(golden, dir.Name())
		wire, err := os.ReadFile(filepath.Join(path, "wire.sse"))
		docs, done := events(wire)
		body := errors.Is(err, fs.ErrNotExist)
		if body {
			wire, err = os.ReadFile(filepath.Join(path, "body.json"))
			docs = [][]byte{wire}
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{Content, JSON, NDJSON, Message, ToolCalls, Reasoning} {
			t.Run(dir.Name()+"/"+format, func(t *testing.T) {
				o := goldenOptions(dir.Name())
				o.Format, o.Live = format, true
				got := play(t, o, docs, body, done, false)
				fault := ""
				if got.fault != nil {
					fault = got.fault.Error() + "\n"
				}
				compare(t, filepath.Join(path, format), got.out)
				compare(t, filepath.Join(path, format+".stderr"), got.err+got.warnings)
				compare(t, filepath.Join(path, format+".error"), fault)
				if flushed := play(t, o, docs, body, done, true); flushed.out != got.out {
					t.Errorf("flushed after each document: %q, else %q", flushed.out, got.out)
				}
				o.Live = false
				late := play(t, o, docs, body, done, true)
				var cut *CutError
				if whole := got.fault == nil || errors.As(got.fault, &cut); whole && late.out != got.out {
					t.Errorf("not live: %q, live %q", late.out, got.out)
				} else if !whole && late.out != "" {
					t.Errorf("not live and failed: %q on stdout", late.out)
				}
			})
		}
	}
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	if !*update {
		t.Errorf("%s:\ngot  %q\nwant %q", filepath.Base(path), got, want)
		return
	}
	if got == "" {
		err = os.Remove(path)
	} else {
		err = os.WriteFile(path, []byte(got), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
