package providers

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// listen accepts connections on loopback until the test ends; each is given to serve with its first request read.
func listen(t testing.TB, serve func(c net.Conn, req *http.Request, body []byte)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	t.Cleanup(func() {
		l.Close()
		group.Wait()
	})
	group.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			group.Go(func() {
				defer c.Close()
				req, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				body, err := io.ReadAll(req.Body)
				if err == nil {
					serve(c, req, body)
				}
			})
		}
	})
	return "http://" + l.Addr().String()
}

// wire answers each request with these bytes and closes the connection.
func wire(t testing.TB, answer string) string {
	return listen(t, func(c net.Conn, _ *http.Request, _ []byte) { io.WriteString(c, answer) })
}

// breakOff lets a connection end by RST.
func breakOff(c net.Conn) { c.(*net.TCPConn).SetLinger(0) }

// handler serves h and gives a client of it.
func handler(t testing.TB, h http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return clientOf(t, s.URL)
}

// clientOf is a client of a server at url.
func clientOf(t testing.TB, url string) *Client {
	t.Helper()
	base, err := ParseBaseURL(url + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	transport, err := NewTransport(TransportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &Client{
		Provider: &Provider{Name: "some"}, BaseURL: base, Transport: transport, UserAgent: "llmcall/test",
		Credential: Credential{Headers: []Header{{"Authorization", "Bearer k-test-0123456789"}}},
	}
}

// ask makes a call and gives its documents, and the error that ended it.
func ask(t testing.TB, c *Client) (docs []string, r *Response, err error) {
	t.Helper()
	r, err = c.Do(context.Background(), []byte(`{"model":"m","stream":true}`), true)
	if err != nil {
		return nil, nil, err
	}
	for doc, err := range r.Documents(nil) {
		if err != nil {
			return docs, r, err
		}
		docs = append(docs, string(doc))
	}
	return docs, r, nil
}

// answer is an HTTP/1.1 reply: headers are lines, the body is sent with its length.
func answer(status, headers, body string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, strings.ReplaceAll(headers, "\n", "\r\n"), len(body), body)
}

// chunked is the body of HTTP/1.1's chunked coding, each part a chunk.
func chunked(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		fmt.Fprintf(&b, "%x\r\n%s\r\n", len(part), part)
	}
	return b.String() + "0\r\n\r\n"
}

// inMemory answers every request with one body, without a network; the body is read as reader gives it.
type inMemory struct {
	header http.Header
	body   func(context.Context) io.Reader
}

func (m inMemory) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: -1,
		Header: m.header.Clone(), Body: io.NopCloser(m.body(req.Context())), Request: req,
	}, nil
}

// memoryClient is a client that is answered with body.
func memoryClient(contentType string, body []byte) *Client {
	c := errorClient()
	c.Transport = inMemory{http.Header{"Content-Type": {contentType}}, func(context.Context) io.Reader { return bytes.NewReader(body) }}
	return c
}
