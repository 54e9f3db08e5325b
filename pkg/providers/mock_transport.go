package providers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// mockTransport runs a handler for each request and gives what it writes as the response.
type mockTransport struct{ handler http.Handler }

// RoundTrip returns at the handler's first flush or at its end.
func (t mockTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != "mock" {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, fmt.Errorf("mock transport: scheme is not mock: %s", ShowURL(req.URL))
	}
	if err := req.Context().Err(); err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	ctx, cancel := context.WithCancel(req.Context())
	r := req.WithContext(ctx)
	if r.Body == nil {
		r.Body = http.NoBody
	}
	x := &mockExchange{request: req, ctx: ctx, cancel: cancel, header: http.Header{}, ready: make(chan *http.Response, 1), broken: make(chan error, 1)}
	go x.run(t.handler, r)
	select {
	case resp := <-x.ready:
		return resp, nil
	case err := <-x.broken:
		return nil, err
	case <-req.Context().Done(): // not of ctx: the handler's end is that too
		return nil, req.Context().Err()
	}
}

// mockExchange is the http.ResponseWriter of one request. A reply that is never flushed is handed over whole; else the rest
// goes through a pipe, which makes the handler wait for the reader.
type mockExchange struct {
	request *http.Request
	ctx     context.Context
	cancel  context.CancelFunc
	header  http.Header
	status  int
	buf     []byte
	pipe    *io.PipeWriter // nil before the first flush
	ready   chan *http.Response
	broken  chan error
}

func (x *mockExchange) run(h http.Handler, r *http.Request) {
	defer x.finish()
	defer r.Body.Close()
	h.ServeHTTP(x, r)
}

// finish ends the reply: well, or broken when the handler gave up as handlers of net/http do.
func (x *mockExchange) finish() {
	var err error
	switch p := recover(); p {
	case nil:
	case http.ErrAbortHandler:
		err = io.ErrUnexpectedEOF
		if ctx := x.ctx.Err(); ctx != nil {
			err = ctx
		}
	default:
		panic(p)
	}
	switch {
	case x.pipe != nil:
		if err == nil {
			err = x.drain()
		}
		x.pipe.CloseWithError(err)
	case err != nil:
		x.broken <- err
	default:
		x.ready <- x.response(io.NopCloser(bytes.NewReader(x.buf)), int64(len(x.buf)))
	}
	x.cancel()
}

func (x *mockExchange) Header() http.Header { return x.header }

func (x *mockExchange) WriteHeader(status int) {
	if x.status == 0 {
		x.status = status
	}
}

func (x *mockExchange) Write(p []byte) (int, error) {
	x.WriteHeader(http.StatusOK)
	x.buf = append(x.buf, p...)
	return len(p), nil
}

// Flush implements http.Flusher.
func (x *mockExchange) Flush() { x.FlushError() }

// FlushError is what http.ResponseController calls.
func (x *mockExchange) FlushError() error {
	x.WriteHeader(http.StatusOK)
	if x.pipe == nil {
		body, pipe := io.Pipe()
		x.pipe = pipe
		// Reads that wait, and the handler's writes, end with the request's context.
		stop := context.AfterFunc(x.ctx, func() { pipe.CloseWithError(x.ctx.Err()) })
		length := int64(-1)
		if n, err := strconv.ParseInt(x.header.Get("Content-Length"), 10, 64); err == nil {
			length = n
		}
		x.ready <- x.response(&mockBody{body, stop, x.cancel}, length)
	}
	return x.drain()
}

func (x *mockExchange) drain() error {
	if err := x.ctx.Err(); err != nil {
		x.pipe.CloseWithError(err) // perhaps before the context's own function does
		return err
	}
	if len(x.buf) == 0 {
		return nil
	}
	_, err := x.pipe.Write(x.buf)
	x.buf = x.buf[:0]
	return err
}

func (x *mockExchange) response(body io.ReadCloser, length int64) *http.Response {
	x.WriteHeader(http.StatusOK)
	resp := &http.Response{
		Status: strconv.Itoa(x.status) + " " + http.StatusText(x.status), StatusCode: x.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: x.header, Body: body, ContentLength: length, Request: x.request,
	}
	if length < 0 {
		resp.TransferEncoding = []string{"chunked"}
	}
	return resp
}

// mockBody is a streamed reply's body. Closing it ends the handler.
type mockBody struct {
	*io.PipeReader
	stop   func() bool
	cancel context.CancelFunc
}

func (b *mockBody) Close() error {
	b.stop()
	b.cancel()
	return b.PipeReader.Close()
}
