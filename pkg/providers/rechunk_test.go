package providers

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
)

// readerConn is a connection that gives what a reader gives.
type readerConn struct {
	net.Conn
	io.Reader
}

func (c readerConn) Read(p []byte) (int, error) { return c.Reader.Read(p) }

// responses reads the responses of a connection as net/http does: status and body of each, and the error that ended them.
func responses(r io.Reader) string {
	var b strings.Builder
	for br := bufio.NewReaderSize(r, 4096); ; {
		if _, err := br.Peek(1); err != nil {
			return b.String()
		}
		resp, err := http.ReadResponse(br, nil)
		if err != nil {
			return b.String() + "no response"
		}
		body, err := io.ReadAll(resp.Body)
		how := "whole"
		if err == io.ErrUnexpectedEOF {
			how = "cut"
		} else if err != nil {
			how = "malformed"
		}
		fmt.Fprintf(&b, "%d %q %s\n", resp.StatusCode, body, how)
		if err != nil || resp.Close {
			return b.String()
		}
	}
}

var rechunkInputs = []string{
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n0\r\nTrailer: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nxyzHTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n5\r\nno chunk",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloXX\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
	"\x16\x03\x01\x02\x00\x01no http",
	"HTTP/1.0 200 OK\r\n\r\nold",
}

func TestRechunkedChangesNothing(t *testing.T) {
	for _, in := range rechunkInputs {
		want := responses(strings.NewReader(in))
		for how, r := range map[string]io.Reader{
			"whole": strings.NewReader(in), "bytewise": iotest.OneByteReader(strings.NewReader(in)), "in halves": iotest.HalfReader(strings.NewReader(in)),
		} {
			if got := responses(&rechunked{Conn: readerConn{Reader: r}}); got != want {
				t.Errorf("%q %s:\ngot  %s\nwant %s", in, how, got, want)
			}
		}
	}
}

// TestRechunkedGivesWhatHasCome reads a stream whose packets end within chunks: each read must give all that its packet
// brought, and must not wait for the next.
func TestRechunkedGivesWhatHasCome(t *testing.T) {
	packets := []string{
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\none, a\r\n7\r\ntw", "o, an\r\n8\r\nd th", "ree.\r\n0\r\n\r\n",
	}
	server, client := net.Pipe()
	defer client.Close()
	next := make(chan bool)
	go func() {
		for _, p := range packets {
			server.Write([]byte(p))
			<-next
		}
		server.Close()
	}()
	resp, err := http.ReadResponse(bufio.NewReaderSize(&rechunked{Conn: client}, 64<<10), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 4096)
	for _, want := range []string{"one, atw", "o, and th", "ree."} {
		n, err := io.ReadAtLeast(resp.Body, p, len(want))
		if err != nil || string(p[:n]) != want {
			t.Fatalf("got %q, %v; want %q", p[:n], err, want)
		}
		next <- true
	}
}

// FuzzRechunked holds every reading of any bytes to that of net/http alone.
func FuzzRechunked(f *testing.F) {
	for _, in := range rechunkInputs {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		want := responses(bytes.NewReader(in))
		whole := responses(&rechunked{Conn: readerConn{Reader: bytes.NewReader(in)}})
		bytewise := responses(&rechunked{Conn: readerConn{Reader: iotest.OneByteReader(bytes.NewReader(in))}})
		if whole != bytewise {
			t.Fatalf("%q: whole %s, bytewise %s", in, whole, bytewise)
		}
		if !strings.Contains(want, "malformed") && whole != want {
			t.Fatalf("%q:\ngot  %s\nwant %s", in, whole, want)
		}
	})
}

func BenchmarkRechunked(b *testing.B) {
	chunk := strings.Repeat("x", 240)
	in := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat(fmt.Sprintf("%x\r\n%s\r\n", len(chunk), chunk), 10000) + "0\r\n\r\n"
	p := make([]byte, 64<<10)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		c := &rechunked{Conn: readerConn{Reader: strings.NewReader(in)}}
		for {
			if _, err := c.Read(p); err != nil {
				break
			}
		}
	}
}
