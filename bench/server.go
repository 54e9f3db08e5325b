//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// server answers chat completions on loopback. The model's name says how: "reply" a plain reply; "wait-50ms" one after a time;
// "stream-200000" a stream of that many chunks at once, each an HTTP chunk of its own; "pace-200" so many chunks, one each 5 ms,
// whose text is the time of sending.
type server struct {
	listener net.Listener
	block    []byte // blockEvents events as HTTP chunks
}

const (
	blockEvents = 1000
	pace        = 5 * time.Millisecond
	chunkHead   = `{"id":"chatcmpl-0123456789abcdef0123456789","object":"chat.completion.chunk","created":1790000000,"model":"bench","service_tier":"default","system_fingerprint":"fp_0123456789","choices":[{"index":0,"delta":`
	chunkTail   = `,"logprobs":null,"finish_reason":%s}],"usage":null}`
	replyBody   = `{"id":"chatcmpl-0123456789abcdef0123456789","object":"chat.completion","created":1790000000,"model":"bench","choices":[{"index":0,"message":{"role":"assistant","content":"A short reply."},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":4,"total_tokens":9}}`
	streamHead  = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)

func listen() (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{listener: l}
	for i := range blockEvents {
		s.block = append(s.block, event(fmt.Sprintf("%06d some text", i), "null")...)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(c)
		}
	}()
	return s, nil
}

func (s *server) close()       { s.listener.Close() }
func (s *server) base() string { return "http://" + s.listener.Addr().String() + "/v1" }

// event is a chunk of a stream as an HTTP chunk of its own.
func event(text, finish string) []byte {
	data := "data: " + chunkHead + `{"content":"` + text + `"}` + fmt.Sprintf(chunkTail, finish) + "\n\n"
	return fmt.Appendf(nil, "%x\r\n%s\r\n", len(data), data)
}

func (s *server) serve(c net.Conn) {
	defer c.Close()
	r := bufio.NewReaderSize(c, 64<<10)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		if req.Header.Get("Expect") != "" {
			io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
		}
		var body bytes.Buffer
		body.Grow(int(max(req.ContentLength, 0)) + bytes.MinRead)
		if _, err := body.ReadFrom(req.Body); err != nil {
			return
		}
		var ask struct {
			Model    string
			Stream   bool
			Messages json.RawMessage
		}
		if err := json.Unmarshal(body.Bytes(), &ask); err != nil {
			io.WriteString(c, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
			continue
		}
		if s.answer(c, ask.Model) != nil {
			return
		}
	}
}

// answer writes what a model of that name answers.
func (s *server) answer(c net.Conn, model string) error {
	kind, size, _ := strings.Cut(model, "-")
	n, _ := strconv.Atoi(size)
	switch kind {
	case "stream":
		return s.stream(c, n)
	case "pace":
		return s.paced(c, n)
	case "wait":
		d, _ := time.ParseDuration(size)
		time.Sleep(d)
	}
	_, err := fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(replyBody), replyBody)
	return err
}

func (s *server) stream(c net.Conn, n int) error {
	if _, err := io.WriteString(c, streamHead); err != nil {
		return err
	}
	each := len(s.block) / blockEvents
	for n > 0 {
		k := min(n, blockEvents)
		if _, err := c.Write(s.block[:k*each]); err != nil {
			return err
		}
		n -= k
	}
	return end(c)
}

func (s *server) paced(c net.Conn, n int) error {
	if _, err := io.WriteString(c, streamHead); err != nil {
		return err
	}
	start := time.Now()
	for i := range n {
		time.Sleep(time.Until(start.Add(time.Duration(i) * pace)))
		if _, err := c.Write(event(stamp(time.Now()), "null")); err != nil {
			return err
		}
	}
	return end(c)
}

// end writes the chunk with the finish reason and what ends a stream.
func end(c net.Conn) error {
	const done = "data: [DONE]\n\n"
	_, err := fmt.Fprintf(c, "%s%x\r\n%s\r\n0\r\n\r\n", event("", `"stop"`), len(done), done)
	return err
}

const stampMark, stampDigits = '@', 19

// stamp is a time as text that is found again in any output.
func stamp(t time.Time) string {
	return fmt.Sprintf("%c%0*d ", stampMark, stampDigits, t.UnixNano())
}
