// Package record keeps exchanges with a provider in a file and answers from it. A line of the file is one exchange as JSON,
// so that several processes can append to it. Requests' headers are not kept, and of a response's headers only those that
// hold no secret; what else may hold one goes through the caller's redaction.
//
// gopkg.in/dnaeon/go-vcr.v4 would not serve: its cassettes are YAML files that one process rewrites whole, it holds bodies
// only whole, without the times of their parts, and so cannot replay a stream as one, nor one that broke.
package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// version is that of the file's format. Older ones can be read.
const version = 1

// exchange is a line of the file.
type exchange struct {
	Version  int       `json:"v"`
	Request  request   `json:"request"`
	Response *response `json:"response,omitempty"`
	// Error is how the connection failed before a response came.
	Error string `json:"error,omitempty"`
}

type request struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	// Body is the request's, secrets replaced; Digest the SHA-256 of its canonical form.
	Body   json.RawMessage `json:"body,omitempty"`
	Digest string          `json:"digest"`
}

type response struct {
	Status  int         `json:"status"`
	Headers http.Header `json:"headers,omitempty"`
	Chunks  []chunk     `json:"chunks"`
	// Broken says that the body broke off behind its chunks.
	Broken bool `json:"broken,omitempty"`
}

// chunk is a part of a body as it was read: text, or base64 where it is no UTF-8. At is in milliseconds from the request.
type chunk struct {
	At     float64 `json:"at"`
	Text   string  `json:"text,omitempty"`
	Base64 string  `json:"base64,omitempty"`
}

func (c *chunk) set(data []byte) {
	if utf8.Valid(data) {
		c.Text = string(data)
	} else {
		c.Base64 = base64.StdEncoding.EncodeToString(data)
	}
}

func (c *chunk) bytes() ([]byte, error) {
	if c.Base64 != "" {
		return base64.StdEncoding.DecodeString(c.Base64)
	}
	return []byte(c.Text), nil
}

// keptHeaders tells the response headers that are recorded: those that say what the body is, and what the limits are.
func keptHeader(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "content-type", "content-encoding", "date", "location", "retry-after", "retry-after-ms", "x-should-retry", "request-id",
		"x-request-id", "x-inference-request-id", "x-sambanova-request-id", "x-trace-id":
		return true
	}
	return strings.HasPrefix(name, "x-ratelimit-")
}

// Recorder records what goes through next: each exchange, when its body was read or given up, as one Write to w. redact
// replaces secrets in a text.
func Recorder(next http.RoundTripper, w io.Writer, redact func(string) string) http.RoundTripper {
	return &recorder{next: next, w: w, redact: redact}
}

type recorder struct {
	next   http.RoundTripper
	w      io.Writer
	redact func(string) string
	mu     sync.Mutex
}

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	start := time.Now()
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		req.Body.Close()
		if err != nil {
			return nil, err
		}
		req = req.Clone(req.Context())
		req.Body, req.GetBody = io.NopCloser(bytes.NewReader(body)), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	e := &exchange{Version: version, Request: request{Method: req.Method, Path: req.URL.Path, Digest: digest([]byte(r.redact(string(body))))}}
	if safe := []byte(r.redact(string(body))); json.Valid(safe) {
		e.Request.Body = safe
	}
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		if req.Context().Err() == nil {
			e.Error = r.redact(err.Error())
			err = errors.Join(err, r.write(e))
		}
		return nil, err
	}
	e.Response = &response{Status: resp.StatusCode, Headers: http.Header{}}
	for name, values := range resp.Header {
		if keptHeader(name) {
			for _, v := range values {
				e.Response.Headers.Add(name, r.redact(v))
			}
		}
	}
	resp.Body = &recordedBody{ReadCloser: resp.Body, r: r, e: e, start: start}
	return resp, nil
}

func (r *recorder) write(e *exchange) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.w.Write(line.Bytes()); err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	return nil
}

// recordedBody records a body while it is read.
type recordedBody struct {
	io.ReadCloser
	r     *recorder
	e     *exchange
	start time.Time
	ended bool
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 && !b.ended {
		c := chunk{At: float64(time.Since(b.start).Microseconds()) / 1000}
		c.set(p[:n])
		b.e.Response.Chunks = append(b.e.Response.Chunks, c)
	}
	if err != nil {
		b.e.Response.Broken = err != io.EOF
		if e := b.end(); e != nil {
			return n, e
		}
	}
	return n, err
}

// Close ends the record too: a stream is not read beyond [DONE].
func (b *recordedBody) Close() error {
	return errors.Join(b.ReadCloser.Close(), b.end())
}

// end writes the exchange, once. A secret that two reads share is found too, for their texts are joined where one is.
func (b *recordedBody) end() error {
	if b.ended {
		return nil
	}
	b.ended = true
	b.e.Response.Chunks = redacted(b.e.Response.Chunks, b.r.redact)
	return b.r.write(b.e)
}

// redacted replaces secrets in the body that chunks make. If there is one, the body becomes a single chunk.
func redacted(chunks []chunk, redact func(string) string) []chunk {
	var whole strings.Builder
	for i := range chunks {
		data, _ := chunks[i].bytes()
		whole.Write(data)
	}
	safe := redact(whole.String())
	if safe == whole.String() {
		return chunks
	}
	c := chunk{At: chunks[len(chunks)-1].At}
	c.set([]byte(safe))
	return []chunk{c}
}

// digest is the SHA-256 of a body's canonical form.
func digest(body []byte) string {
	sum := sha256.Sum256(canonical(body))
	return hex.EncodeToString(sum[:])
}

// canonical is a JSON object without stream and stream_options, its members sorted, numbers as spelled and no white space.
// What is no JSON object stays as it is.
func canonical(body []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var value map[string]any
	if d.Decode(&value) != nil {
		return body
	}
	delete(value, "stream")
	delete(value, "stream_options")
	out, err := json.Marshal(value)
	if err != nil {
		return body
	}
	return out
}
