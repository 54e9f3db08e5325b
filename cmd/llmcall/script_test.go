package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"llmcall": main})
}

// TestScript plays testdata/script, one file a feature, which read as the manual. Beside testscript's own commands there
// are:
//
//	status N COMMAND...   runs a command that must end with N
//	serve FILE...         starts a server that answers each request with the next file, sent as it is; sets $BASE to its
//	                      address; the body of request n is the file request.n, its head request.n.head
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "../../testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status,
			"serve":  serve,
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("TERM", "dumb")
			return nil
		},
	})
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

func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: serve FILE...")
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
	ts.Setenv("BASE", "http://"+l.Addr().String())
	var done sync.WaitGroup
	done.Go(func() {
		for n := 1; ; n++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			answer(conn, filepath.Join(ts.Getenv("WORK"), fmt.Sprintf("request.%d", n)), replies[min(n, len(replies))-1])
		}
	})
	ts.Defer(func() {
		l.Close()
		done.Wait()
	})
}

// answer keeps a request in a file and sends a reply, as it is.
func answer(conn net.Conn, file string, reply []byte) {
	defer conn.Close()
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	body, _ := io.ReadAll(req.Body)
	var head strings.Builder
	fmt.Fprintf(&head, "%s %s\n", req.Method, req.RequestURI)
	req.Header.Write(&head)
	os.WriteFile(file+".head", []byte(strings.ReplaceAll(head.String(), "\r\n", "\n")), 0o666)
	os.WriteFile(file, body, 0o666)
	conn.Write(reply)
}
