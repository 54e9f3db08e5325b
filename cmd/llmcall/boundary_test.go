package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// fault is what a server does to a connection once it has sent a part of its reply.
type fault string

const (
	cut   fault = "cut"   // closes it
	reset fault = "reset" // closes it so that the client's kernel is told of an error; what was not read yet may be lost
	stall fault = "stall" // does nothing more
)

// faultyServer answers each request with the first bytes of a reply, and then its fault. Their number is the request's path.
type faultyServer struct {
	base  string
	reply []byte
	fault fault
}

func newFaultyServer(t *testing.T, reply []byte, f fault) *faultyServer {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &faultyServer{base: "http://" + l.Addr().String(), reply: reply, fault: f}
	var done sync.WaitGroup
	end := make(chan struct{})
	done.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			done.Go(func() { s.answer(conn.(*net.TCPConn), end) })
		}
	})
	t.Cleanup(func() {
		close(end)
		l.Close()
		done.Wait()
	})
	return s
}

func (s *faultyServer) answer(conn *net.TCPConn, end <-chan struct{}) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	req, err := http.ReadRequest(r)
	if err != nil {
		return
	}
	io.Copy(io.Discard, req.Body)
	n, _ := strconv.Atoi(strings.Split(req.URL.Path, "/")[1])
	conn.Write(s.reply[:n])
	switch s.fault {
	case reset:
		conn.SetLinger(0)
	case stall:
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			io.Copy(io.Discard, r)
		}()
		select {
		case <-gone:
		case <-end:
			conn.Close()
			<-gone
		}
	}
}

// call runs llmcall on the first n bytes of the reply.
func (s *faultyServer) call(n int, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	args = append([]string{"--base-url", fmt.Sprintf("%s/%d", s.base, n), "--retries", "0", "hi"}, args...)
	code = run(context.Background(), stdio{
		in: strings.NewReader(""), out: &out, err: &err, getenv: func(string) string { return "" },
	}, args)
	return code, out.String(), err.String()
}

const (
	wholeText   = "Hëllo \U0001F600 \"all\" <&>"
	wholeBody   = `{"choices":[{"message":{"content":"H\u00ebllo \ud83d\ude00 \"all\" <&>"},"finish_reason":"stop"}],"usage":{"total_tokens":7}}`
	wholeStream = ": comment\n\n" +
		`data: {"choices":[{"delta":{"role":"assistant"}}]}` + "\n\n" +
		`data: {"choices":[{"delta":{"content":"Hëllo \ud83d"}}]}` + "\n\n" +
		`data: {"choices":[{"delta":{"content":"\ude00 \"all\""}}]}` + "\n\n" +
		`data: {"choices":[{"delta":{"content":" <&>"},"finish_reason":"stop"}]}` + "\n\n" +
		`data: {"choices":[],"usage":{"total_tokens":7}}` + "\n\n" +
		"data: [DONE]\n\n"
)

// framing is a way to tell where a body ends.
type framing string

const (
	byClose  framing = "close"
	byLength framing = "length"
	byChunks framing = "chunks"
)

// wire is a reply as it is sent. Its at tells how much of the body has arrived with the first n bytes, -1: not all of the head.
type wire struct {
	bytes []byte
	at    func(n int) int
}

func frame(how framing, kind, body string) wire {
	head := "HTTP/1.1 200 OK\r\nContent-Type: " + kind + "\r\n"
	switch how {
	case byLength:
		head += fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))
	case byChunks:
		head += "Transfer-Encoding: chunked\r\n\r\n"
	default:
		head += "Connection: close\r\n\r\n"
	}
	w := []byte(head)
	arrived := slices.Repeat([]int{-1}, len(head))
	for i, rest := 0, body; rest != ""; {
		size := len(rest)
		if how == byChunks {
			size = min(size, 50)
			w = fmt.Appendf(w, "%x\r\n", size)
		}
		for len(arrived) < len(w) {
			arrived = append(arrived, i)
		}
		w, rest = append(w, rest[:size]...), rest[size:]
		for range size {
			arrived = append(arrived, i)
			i++
		}
		if how == byChunks {
			w = append(w, "\r\n"...)
		}
	}
	if how == byChunks {
		w = append(w, "0\r\n\r\n"...)
	}
	return wire{w, func(n int) int {
		if n < len(arrived) {
			return arrived[n]
		}
		return len(body)
	}}
}

// streamCodes are the exit codes that are right for the beginning of wholeStream, as the contract states them: whole is a
// stream whose choice had its finish reason and that ended with [DONE], or cleanly, with no event cut.
func streamCodes(part string, clean bool) []int {
	if strings.Contains(part, "data: [DONE]\n") {
		return []int{exitOK}
	}
	events := strings.Split(part, "\n\n")
	last := strings.TrimSuffix(events[len(events)-1], "\n")
	if !strings.Contains(part, `"finish_reason":"stop"}]}`) || !clean {
		if clean && last == "data: [DONE]" {
			return []int{exitOK}
		}
		return []int{exitTruncated}
	}
	data, isData := strings.CutPrefix(last, "data: ")
	switch {
	case !isData && last != "":
		return []int{exitOK, exitTruncated} // so little of a line that nothing of its event is known
	case data == "", data == "[DONE]", json.Valid([]byte(data)):
		return []int{exitOK}
	}
	return []int{exitTruncated}
}

// TestStreamAtEachByte breaks a stream after each of its bytes: the exit code is 0 only if it was whole, and what is on
// stdout is a prefix of the truth.
func TestStreamAtEachByte(t *testing.T) {
	for _, how := range []framing{byClose, byLength, byChunks} {
		for _, f := range []fault{cut, reset} {
			t.Run(fmt.Sprintf("%s, %s", how, f), func(t *testing.T) {
				t.Parallel()
				w := frame(how, "text/event-stream", wholeStream)
				s := newFaultyServer(t, w.bytes, f)
				for n := range len(w.bytes) + 1 {
					codes := []int{exitTruncated}
					if at := w.at(n); at >= 0 {
						codes = streamCodes(wholeStream[:at], f == cut && (how == byClose || n == len(w.bytes)))
					}
					if f == reset {
						codes = append(codes, exitTruncated)
					}
					code, stdout, stderr := s.call(n, "--stream")
					checkPrefix(t, n, code, codes, stdout, stderr)

					code, stdout, stderr = s.call(n, "--stream", "-o", "json")
					checkEmpty(t, n, code, codes, stdout, stderr)
				}
				t.Logf("%d boundaries, each with -o content and -o json", len(w.bytes)+1)
			})
		}
	}
}

// TestBodyAtEachByte breaks a JSON body after each of its bytes: stdout is empty unless the body was whole.
func TestBodyAtEachByte(t *testing.T) {
	for _, how := range []framing{byClose, byLength, byChunks} {
		for _, f := range []fault{cut, reset} {
			t.Run(fmt.Sprintf("%s, %s", how, f), func(t *testing.T) {
				t.Parallel()
				w := frame(how, "application/json", wholeBody)
				s := newFaultyServer(t, w.bytes, f)
				for n := range len(w.bytes) + 1 {
					codes := []int{exitTruncated}
					switch at := w.at(n); {
					case at < 0:
					case at == len(wholeBody) && (how != byChunks || n == len(w.bytes)):
						codes = []int{exitOK}
					case at == 0 && how == byClose:
						codes = []int{exitProtocol} // an empty body
					}
					if f == reset {
						codes = append(codes, exitTruncated)
					}
					code, stdout, stderr := s.call(n)
					checkEmpty(t, n, code, codes, stdout, stderr)
					if code == exitOK && stdout != wholeText+"\n" {
						t.Errorf("%d bytes: 0 with %q", n, stdout)
					}
				}
				t.Logf("%d boundaries", len(w.bytes)+1)
			})
		}
	}
}

// TestStallAtBytes has a server say no more after some of the bytes of a reply: exit 28, unless the reply was whole.
func TestStallAtBytes(t *testing.T) {
	for _, tt := range []struct{ kind, body string }{{"text/event-stream", wholeStream}, {"application/json", wholeBody}} {
		t.Run(tt.kind, func(t *testing.T) {
			t.Parallel()
			w := frame(byLength, tt.kind, tt.body)
			s := newFaultyServer(t, w.bytes, stall)
			tried := 0
			for n := 0; n < len(w.bytes); n += 31 {
				codes := []int{exitTimeout}
				if at := w.at(n); at >= 0 && strings.Contains(tt.body[:at], "data: [DONE]\n\n") {
					codes = []int{exitOK}
				}
				code, stdout, stderr := s.call(n, "--stream", "--idle-timeout", "30ms")
				checkPrefix(t, n, code, codes, stdout, stderr)
				tried++
			}
			t.Logf("%d boundaries", tried)
		})
	}
}

// TestLies has a server say of its body what is not so: never 0, and nothing on stdout.
func TestLies(t *testing.T) {
	for _, tt := range []struct{ name, reply string }{
		{"a length too short", "Content-Length: 60\r\n\r\n" + wholeBody},
		{"a length too long", "Content-Length: 6000\r\n\r\n" + wholeBody},
		{"a length that is none", "Content-Length: -1\r\n\r\n" + wholeBody},
		{"two lengths", "Content-Length: 60\r\nContent-Length: 61\r\n\r\n" + wholeBody},
		{"chunks that are none", "Transfer-Encoding: chunked\r\n\r\n" + wholeBody},
		{"a chunk size too great", "Transfer-Encoding: chunked\r\n\r\nfff\r\n" + wholeBody + "\r\n0\r\n\r\n"},
		{"gzip that is none", "Content-Encoding: gzip\r\n\r\n\x1f\x8b" + wholeBody},
		{"two bodies", "\r\n" + wholeBody + wholeBody},
		{"junk behind the body", "\r\n" + wholeBody + "<html>"},
		{"bytes that are no UTF-8", "\r\n" + strings.Replace(wholeBody, `H\u00eb`, "H\xeb", 1)},
		{"an unknown encoding", "Content-Encoding: br\r\n\r\n\x8b\x0f\x80"},
		{"a page", "\r\n<html><title>Welcome</title></html>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reply := []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + tt.reply)
			s := newFaultyServer(t, reply, cut)
			code, stdout, stderr := s.call(len(reply))
			checkEmpty(t, len(reply), code, []int{exitProtocol, exitTruncated}, stdout, stderr)
		})
	}
}

func checkPrefix(t *testing.T, n, code int, codes []int, stdout, stderr string) {
	t.Helper()
	checkCode(t, n, code, codes, stdout, stderr)
	if !strings.HasPrefix(wholeText+"\n", stdout) {
		t.Errorf("%d bytes: %q is no prefix of the truth", n, stdout)
	}
	if code == exitOK && stdout != wholeText+"\n" {
		t.Errorf("%d bytes: 0 with %q", n, stdout)
	}
	if code != exitOK && strings.HasSuffix(stdout, "\n") {
		t.Errorf("%d bytes: a newline after a failure: %q", n, stdout)
	}
}

func checkEmpty(t *testing.T, n, code int, codes []int, stdout, stderr string) {
	t.Helper()
	checkCode(t, n, code, codes, stdout, stderr)
	if code != exitOK && stdout != "" {
		t.Errorf("%d bytes: ended with %d and wrote %q", n, code, stdout)
	}
}

func checkCode(t *testing.T, n, code int, codes []int, stdout, stderr string) {
	t.Helper()
	if !slices.Contains(codes, code) {
		t.Errorf("%d bytes: ended with %d, want one of %d; stdout %q, stderr %q", n, code, codes, stdout, stderr)
	}
	if code != exitOK && !strings.HasPrefix(stderr, "llmcall: ") {
		t.Errorf("%d bytes: ended with %d and said %q", n, code, stderr)
	}
}
