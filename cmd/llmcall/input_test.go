package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// runWith does a command line with the mock's variables and gives what it wrote.
func runWith(ctx context.Context, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(ctx, stdio{in: stdin, out: &out, err: &err, getenv: func(string) string { return "" }}, args)
	return code, out.String(), err.String()
}

func TestSignalEndsWhatWaits(t *testing.T) {
	silent, w := io.Pipe()
	defer w.Close()
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		name  string
		stdin io.Reader
		args  []string
	}{
		{"stdin", silent, []string{"-p", "mock", "hi"}},
		{"a flag's stdin", silent, []string{"-p", "mock", "--messages", "-"}},
		{"a FIFO that nobody writes", strings.NewReader(""), []string{"-p", "mock", "--file", fifo}},
		{"a key command", strings.NewReader(""), []string{"--base-url", "http://127.0.0.1:1", "--api-key-command", "sleep 60", "hi"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, stop := context.WithCancelCause(t.Context())
			defer time.AfterFunc(50*time.Millisecond, func() { stop(signalError{syscall.SIGTERM}) }).Stop()
			code, stdout, stderr := runWith(ctx, c.stdin, c.args...)
			if code != 143 || stdout != "" || strings.Count(stderr, "\n") != 1 {
				t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
			}
		})
	}
}
