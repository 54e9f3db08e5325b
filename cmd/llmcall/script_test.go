package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// keyMark stands in every key that a script uses. It may be in what a server was sent, and nowhere else.
const keyMark = "KEYMARK"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // else each process that a test with -race starts ends a second late
	testscript.Main(m, map[string]func(){"llmcall": watched})
}

// watched is main, and keeps what it writes to stdout and stderr in the files that $OUTPUTS names.
func watched() {
	name := os.Getenv("OUTPUTS")
	os.Exit(run(context.Background(), stdio{
		in: os.Stdin, out: &tee{os.Stdout, name + ".out"}, err: &tee{os.Stderr, name + ".err"}, getenv: os.Getenv,
	}, os.Args[1:]))
}

// tee writes to a file of the process, and to one that keeps a copy.
type tee struct {
	to   *os.File
	copy string
}

func (t *tee) Fd() uintptr { return t.to.Fd() }

func (t *tee) Write(p []byte) (int, error) {
	f, err := os.OpenFile(t.copy, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := f.Write(p); err != nil {
		return 0, err
	}
	return t.to.Write(p)
}

// TestScript plays testdata/script, one file a feature, which read as the manual. Beside testscript's own commands there
// are:
//
//	status N COMMAND...   runs a command that must end with N
//	bytes FILE PART...    writes a file: of each part that starts with = the text after it, of others the bytes they are in hex
//	serve [-hold] [-tls] FILE...
//	                      starts a server that answers each request with the next file, the last one again and again, sent as
//	                      it is; sets $BASE to its address; the body of request n and a newline are the file request.n, its
//	                      head is request.n.head. With -hold a connection stays open after the reply. With -tls the address is https
//	                      and the certificate is in ca.pem
//
// When all are done, nothing that llmcall wrote to stdout, stderr or a file holds a key.
func TestScript(t *testing.T) {
	outputs := t.TempDir()
	var (
		mu    sync.Mutex
		leaks []string
		sent  int
	)
	t.Run("of", func(t *testing.T) {
		testscript.Run(t, testscript.Params{
			Dir: "../../testdata/script", ContinueOnError: true,
			Cmds: map[string]func(*testscript.TestScript, bool, []string){
				"status": status,
				"bytes":  writeBytes,
				"serve":  serve,
			},
			Setup: func(e *testscript.Env) error {
				e.Setenv("HOME", e.WorkDir)
				e.Setenv("TERM", "dumb")
				e.Setenv("GORACE", os.Getenv("GORACE"))
				e.Setenv("OUTPUTS", filepath.Join(outputs, strings.TrimPrefix(filepath.Base(e.WorkDir), "script-")))
				given, err := filesBelow(e.WorkDir)
				e.Defer(func() {
					now, _ := filesBelow(e.WorkDir)
					mu.Lock()
					defer mu.Unlock()
					for _, name := range now {
						data, _ := os.ReadFile(name)
						switch base := filepath.Base(name); {
						case !bytes.Contains(data, []byte(keyMark)):
						case strings.HasPrefix(base, "request."):
							sent++
						case !slices.Contains(given, name) && !strings.HasPrefix(base, "key"):
							leaks = append(leaks, name)
						}
					}
				})
				return err
			},
		})
	})
	said, err := filesBelow(outputs)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range said {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if at := bytes.Index(data, []byte(keyMark)); at >= 0 {
			leaks = append(leaks, fmt.Sprintf("%s: %.200q", filepath.Base(name), data[max(at-80, 0):]))
		}
	}
	for _, leak := range leaks {
		t.Errorf("a key is in %s", leak)
	}
	t.Logf("searched what llmcall said in %d files for keys; %d requests were sent one", len(said), sent)
}

// filesBelow lists the files of a directory and of those in it.
func filesBelow(dir string) (names []string, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("ended with %d, want %d", got, want)
	}
}

func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: bytes FILE PART...")
	}
	var data []byte
	for _, part := range args[1:] {
		if text, ok := strings.CutPrefix(part, "="); ok {
			data = append(data, text...)
			continue
		}
		b, err := hex.DecodeString(part)
		ts.Check(err)
		data = append(data, b...)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o600))
}

func serve(ts *testscript.TestScript, neg bool, args []string) {
	hold, secure := false, false
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		hold, secure, args = hold || args[0] == "-hold", secure || args[0] == "-tls", args[1:]
	}
	if neg || len(args) == 0 {
		ts.Fatalf("usage: serve [-hold] [-tls] FILE...")
	}
	var replies [][]byte
	for _, name := range args {
		reply := []byte(ts.ReadFile(name))
		if head, body, ok := bytes.Cut(reply, []byte("\n\n")); ok && !bytes.Contains(head, []byte("\r\n")) {
			head = bytes.ReplaceAll(head, []byte("\n"), []byte("\r\n"))
			reply = fmt.Appendf(nil, "%s\r\nConnection: close\r\n\r\n%s", head, body)
		}
		replies = append(replies, reply)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	base := "http://" + l.Addr().String()
	if secure {
		l, base = tlsListener(ts, l), "https://"+l.Addr().String()
	}
	ts.Setenv("BASE", base)
	dir := ts.Getenv("WORK")
	var done sync.WaitGroup
	end := make(chan struct{})
	done.Go(func() {
		for n := 1; ; {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if !answer(conn, filepath.Join(dir, fmt.Sprintf("request.%d", n)), replies[min(n, len(replies))-1]) {
				conn.Close()
				continue
			}
			n++
			if !hold {
				conn.Close()
				continue
			}
			done.Go(func() {
				<-end
				conn.Close()
			})
		}
	})
	ts.Defer(func() {
		close(end)
		l.Close()
		done.Wait()
	})
}

// tlsListener wraps a listener with a certificate that nobody trusts, which it leaves in ca.pem.
func tlsListener(ts *testscript.TestScript, l net.Listener) net.Listener {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	ts.Check(os.WriteFile(ts.MkAbs("ca.pem"), ca, 0o666))
	return tls.NewListener(l, &tls.Config{Certificates: s.TLS.Certificates})
}

// answer keeps a request in a file and sends a reply, as it is. It tells whether there was a request.
func answer(conn net.Conn, file string, reply []byte) bool {
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return false
	}
	body, _ := io.ReadAll(req.Body)
	var head strings.Builder
	fmt.Fprintf(&head, "%s %s\n", req.Method, req.RequestURI)
	req.Header.Write(&head)
	os.WriteFile(file+".head", []byte(strings.ReplaceAll(head.String(), "\r\n", "\n")), 0o666)
	os.WriteFile(file, append(body, '\n'), 0o666)
	conn.Write(reply)
	return true
}
