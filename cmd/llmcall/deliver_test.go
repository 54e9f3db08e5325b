package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFilesAreTriedBeforeTheCall(t *testing.T) {
	const name = "/proc/llmcall" // where nothing can be made, not by root either
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip(err)
	}
	for _, flag := range []string{"--output-file", "--meta"} {
		record := filepath.Join(t.TempDir(), "record")
		code, stdout, stderr := runWith(t.Context(), strings.NewReader(""), "-p", "mock", "--record", record, flag, name, "hi")
		if sent, _ := os.ReadFile(record); code != 2 || stdout != "" || stderr != "llmcall: "+flag+": "+name+": no such file or directory\n" || len(sent) > 0 {
			t.Errorf("%s: exit %d, stdout %q, stderr %q, sent %q", flag, code, stdout, stderr, sent)
		}
	}
}

func TestWriteErrorNamesTheFile(t *testing.T) {
	code, _, stderr := runWith(t.Context(), strings.NewReader(""), "-p", "mock", "--output-file", "/dev/full", "hi")
	if code != 23 || strings.Contains(stderr, ".tmp") {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
	dir := t.TempDir()
	err := writeAside(filepath.Join(dir, "none", "out"), []byte("hi"))
	if want := "cannot write " + filepath.Join(dir, "none", "out") + ": no such file or directory"; exitCode(err) != 23 || err.Error() != want {
		t.Errorf("%v", err)
	}
	if err := writeAside(filepath.Join(dir, "out"), []byte("hi")); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}
