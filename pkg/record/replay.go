package record

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Cassette is the exchanges of a file.
type Cassette struct {
	// Redact is what the recording had replace secrets, so that a request that holds one is known again; nil replaces nothing.
	Redact func(string) string

	exchanges []*exchange
}

// Replayer answers from the cassette and never from the network: each request with the exchange recorded for the same path
// and canonical body, several such in their order. What is not there is a *MissError. A stream that was recorded is a stream again,
// whatever the request asks for. The parts of a body come at once, or after the times recorded divided by speed if that is not 0. What
// failed fails again, and what broke off breaks off.
func (c *Cassette) Replayer(speed float64) http.RoundTripper {
	r := &replayer{cassette: c, speed: speed, known: make(map[key]*queue, len(c.exchanges))}
	for _, e := range c.exchanges {
		q := r.known[e.key]
		if q == nil {
			q = &queue{}
			r.known[e.key] = q
		}
		q.exchanges = append(q.exchanges, e)
	}
	return r
}

type replayer struct {
	cassette *Cassette
	speed    float64
	known    map[key]*queue
}

// queue is the exchanges of equal requests.
type queue struct {
	exchanges []*exchange
	used      atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (r *replayer) RoundTrip(req *http.Request) (*http.Response, error) {
	start := time.Now()
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		req.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	path := req.URL.Path
	if redact := r.cassette.Redact; redact != nil {
		path, body = redact(path), []byte(redact(string(body)))
	}
	e, err := r.take(req.Method, path, body)
	if err != nil {
		return nil, err
	}
	if e.Response == nil {
		return nil, e.failure(req)
	}
	header := e.Response.Headers.Clone()
	if header == nil {
		header = http.Header{}
	}
	resp := &http.Response{
		Status: strconv.Itoa(e.Response.Status) + " " + http.StatusText(e.Response.Status), StatusCode: e.Response.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header, ContentLength: -1, Request: req,
		Body: &replayedBody{ctx: req.Context(), response: e.Response, speed: r.speed, start: start},
	}
	if !e.Response.Unframed {
		resp.TransferEncoding = []string{"chunked"}
	}
	return resp, nil
}

// take gives the next exchange of a request.
func (r *replayer) take(method, path string, body []byte) (*exchange, error) {
	want := key{method, path, digest(body)}
	q := r.known[want]
	if q == nil {
		return nil, &MissError{Method: method, Path: path, Difference: nearest(r.cassette.exchanges, want, body)}
	}
	n := q.used.Add(1)
	if n > int64(len(q.exchanges)) {
		return nil, &MissError{Method: method, Path: path, Known: len(q.exchanges)}
	}
	return q.exchanges[n-1], nil
}

// failure is the error that the request ended with, of the same kind.
func (e *exchange) failure(req *http.Request) error {
	text := errors.New(e.Error)
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	switch e.Kind {
	case kindHostUnknown, kindNoHost:
		why := e.Error[strings.LastIndex(e.Error, ": ")+1:] // "no such host" and the like, for the rest is made anew
		return dial(&net.DNSError{Err: strings.TrimSpace(why), Name: req.URL.Hostname(), IsNotFound: e.Kind == kindHostUnknown})
	case kindRefused:
		return dial(os.NewSyscallError("connect", syscall.ECONNREFUSED))
	case kindUnreachable:
		return dial(text)
	case kindTLS:
		if trace := httptrace.ContextClientTrace(req.Context()); trace != nil && trace.TLSHandshakeDone != nil {
			trace.TLSHandshakeDone(tls.ConnectionState{}, text)
		}
		return text
	}
	return fmt.Errorf("recorded: %s: %w", e.Error, io.ErrUnexpectedEOF)
}

// replayedBody gives a recorded body part by part.
type replayedBody struct {
	ctx      context.Context
	response *response
	speed    float64
	start    time.Time
	next     int
	text     string // what is left of a chunk
	data     []byte
	closed   bool
}

func (b *replayedBody) Read(p []byte) (int, error) {
	if b.closed {
		return 0, http.ErrBodyReadAfterClose
	}
	for len(p) > 0 && len(b.text) == 0 && len(b.data) == 0 {
		if b.next == len(b.response.Chunks) {
			return 0, b.end()
		}
		c := &b.response.Chunks[b.next]
		if err := b.wait(c.At); err != nil {
			return 0, err
		}
		b.next++
		b.text, b.data = c.Text, c.data
	}
	n := copy(p, b.text)
	b.text = b.text[n:]
	if n == 0 {
		n = copy(p, b.data)
		b.data = b.data[n:]
	}
	return n, nil
}

func (b *replayedBody) end() error {
	switch {
	case !b.response.Broken:
		return io.EOF
	case b.response.Error != "":
		return errors.New(b.response.Error)
	}
	return io.ErrUnexpectedEOF
}

// wait waits until a part is due.
func (b *replayedBody) wait(at float64) error {
	if b.speed > 0 {
		if d := time.Until(b.start.Add(time.Duration(at / b.speed * float64(time.Millisecond)))); d > 0 {
			t := time.NewTimer(d)
			defer t.Stop()
			select {
			case <-t.C:
			case <-b.ctx.Done():
			}
		}
	}
	return b.ctx.Err()
}

// Close implements io.Closer.
func (b *replayedBody) Close() error {
	b.closed = true
	return nil
}
