// Package record keeps exchanges with a provider in a file and answers from it. A line of the file is one exchange as JSON,
// so that several processes can append to it. Requests' headers are not kept, and of a response's headers only those that
// hold no secret; what else may hold one goes through the caller's redaction.
//
// gopkg.in/dnaeon/go-vcr.v4 would not serve: its cassettes are YAML files that one process rewrites whole, it holds bodies
// only whole, without the times of their parts, and so cannot replay a stream as one, nor one that broke.
package record

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Recording is a transport that records what goes through it. Several goroutines may use it.
type Recording struct {
	next   http.RoundTripper
	w      io.Writer
	redact func(string) string

	mu  sync.Mutex
	err error
}

// Recorder records what goes through next: each exchange, when its body was read or given up, as one Write to w, so that a file
// opened for appending can take those of several processes. redact replaces secrets in a text. What the caller's context ended is
// not recorded, for it is not the provider's doing. An error of w leaves the exchange alone; Err tells of it.
func Recorder(next http.RoundTripper, w io.Writer, redact func(string) string) *Recording {
	return &Recording{next: next, w: w, redact: redact}
}

// Err is the first error of writing.
func (r *Recording) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// RoundTrip implements http.RoundTripper.
func (r *Recording) RoundTrip(req *http.Request) (*http.Response, error) {
	start := time.Now()
	ctx := req.Context()
	// net/http has no type for what a handshake may end with, but a hook that is told.
	var handshake atomic.Bool
	traced := req.Clone(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) { handshake.Store(err != nil) },
	}))
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		req.Body.Close()
		if err != nil {
			return nil, err
		}
		traced.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		traced.Body, _ = traced.GetBody()
	}
	safe := []byte(r.redact(string(body)))
	e := &exchange{Version: version, Request: request{Method: req.Method, Path: r.redact(req.URL.Path), Digest: digest(safe)}}
	if json.Valid(safe) {
		e.Request.Body = safe
	}
	resp, err := r.next.RoundTrip(traced)
	if err != nil {
		if ctx.Err() == nil {
			e.Error, e.Kind = r.redact(err.Error()), kindOf(err, handshake.Load())
			r.write(e)
		}
		return nil, err
	}
	e.Response = &response{
		Status: resp.StatusCode, Headers: r.kept(resp.Header),
		Unframed: resp.ProtoMajor == 1 && resp.ContentLength < 0 && len(resp.TransferEncoding) == 0,
	}
	resp.Request = req
	resp.Body = &recordedBody{ReadCloser: resp.Body, ctx: ctx, recording: r, exchange: e, start: start}
	return resp, nil
}

// What kinds of failure can be told apart when they are replayed.
const (
	kindNoHost      = "no host"
	kindHostUnknown = "host unknown"
	kindRefused     = "refused"
	kindUnreachable = "unreachable"
	kindTLS         = "tls"
	kindCut         = "cut"
)

// kindOf says which kind of failure an error of RoundTrip is.
func kindOf(err error, handshake bool) string {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return kindHostUnknown
	case errors.As(err, &dns):
		return kindNoHost
	case handshake:
		return kindTLS
	case errors.Is(err, syscall.ECONNREFUSED):
		return kindRefused
	case errors.As(err, &op) && op.Op == "dial":
		return kindUnreachable
	}
	return kindCut
}

// kept gives the headers that are recorded.
func (r *Recording) kept(h http.Header) http.Header {
	kept := http.Header{}
	for name, values := range h {
		for _, value := range values {
			if !isKept(name, value) {
				continue
			}
			if name == "Location" { // whose query may hold a token of the provider's
				value, _, _ = strings.Cut(value, "?")
			}
			kept.Add(name, r.redact(value))
		}
	}
	return kept
}

// isKept tells the response headers that are recorded: those that say what the body is, what the limits are, and which request this
// was. An id's header may have any name, but no cookie and no token is one.
func isKept(name, value string) bool {
	name = strings.ToLower(name)
	switch name {
	case "content-type", "content-encoding", "date", "location", "retry-after", "retry-after-ms", "x-should-retry", "request-id",
		"x-request-id", "x-inference-request-id", "x-sambanova-request-id", "x-trace-id":
		return true
	}
	if strings.HasPrefix(name, "x-ratelimit-") {
		return true
	}
	for _, part := range [...]string{"auth", "token", "key", "secret", "cookie", "credential", "session", "signature"} {
		if strings.Contains(name, part) {
			return false
		}
	}
	return isUUID(value)
}

// isUUID says whether s has the form of RFC 9562: 8-4-4-4-12 hexadecimal digits.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if strings.IndexByte("0123456789abcdefABCDEF", s[i]) < 0 {
			return false
		}
	}
	return true
}

// write adds a line to the file.
func (r *Recording) write(e *exchange) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := enc.Encode(e)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		_, err = r.w.Write(line.Bytes())
	}
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("recording: %w", err)
	}
}

// recordedBody records a body while it is read.
type recordedBody struct {
	io.ReadCloser
	ctx       context.Context
	recording *Recording
	exchange  *exchange
	start     time.Time
	parts     []part
	ended     bool
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.ended {
		return n, err
	}
	if n > 0 {
		at := float64(time.Since(b.start).Microseconds()) / 1000
		b.parts = append(b.parts, part{at, bytes.Clone(p[:n])})
	}
	if err != nil {
		b.end(err)
	}
	return n, err
}

// Close ends the record too, for a stream is not read beyond [DONE].
func (b *recordedBody) Close() error {
	if !b.ended {
		b.end(nil)
	}
	return b.ReadCloser.Close()
}

// end writes the exchange. err is what ended the body, nil when it was not read to its end.
func (b *recordedBody) end(err error) {
	b.ended = true
	if err != io.EOF && b.ctx.Err() != nil {
		return
	}
	resp := b.exchange.Response
	if err != nil && err != io.EOF {
		resp.Broken = true
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			resp.Error = b.recording.redact(err.Error())
		}
	}
	parts, unpacked := withoutSecrets(b.parts, b.recording.redact)
	if unpacked {
		resp.Headers.Del("Content-Encoding")
	}
	resp.Chunks = make([]chunk, len(parts))
	for i, p := range parts {
		resp.Chunks[i] = newChunk(p.at, p.data)
	}
	b.recording.write(b.exchange)
}
