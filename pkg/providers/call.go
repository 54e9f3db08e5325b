package providers

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"time"
)

// call is one request under way, from its beginning until its body has been read or given up.
type call struct {
	client *Client
	ctx    context.Context // ended by the caller's, by a timer of ours, or by end
	cancel context.CancelCauseFunc
	url    string // as messages show it
	start  time.Time
	idle   *idleTimer

	// net/http calls the hooks from goroutines of its own, and may do so after RoundTrip has returned.
	mu         sync.Mutex
	connecting *time.Timer
	conn       net.Conn
	remote     string
	tlsError   error
	times      Timings
}

// errEnded is the cause of a call's context once the call is over.
var errEnded = errors.New("call is over")

// begin starts the clocks of a call.
func (c *Client) begin(ctx context.Context, url string) *call {
	call := &call{client: c, url: url, start: time.Now()}
	ctx, call.cancel = context.WithCancelCause(ctx)
	call.idle = newIdleTimer(c.IdleTimeout, call.cancel)
	call.ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:              func(string) { call.connect() },
		GotConn:              call.gotConn,
		TLSHandshakeDone:     call.shookHands,
		WroteRequest:         func(httptrace.WroteRequestInfo) { call.idle.sent() },
		GotFirstResponseByte: call.firstByte,
	})
	return call
}

// end gives the call's resources back. It may be called more than once.
func (call *call) end() {
	call.idle.close()
	call.mu.Lock()
	if call.connecting != nil {
		call.connecting.Stop()
	}
	call.mu.Unlock()
	call.cancel(errEnded)
}

func (call *call) connect() {
	call.idle.stop()
	limit := call.client.ConnectTimeout
	if limit <= 0 {
		return
	}
	call.mu.Lock()
	defer call.mu.Unlock()
	if call.connecting == nil {
		call.connecting = time.AfterFunc(limit, func() { call.cancel(&TimeoutError{Which: "connect", After: limit}) })
	} else {
		call.connecting.Reset(limit)
	}
}

func (call *call) gotConn(info httptrace.GotConnInfo) {
	call.idle.sent()
	call.mu.Lock()
	defer call.mu.Unlock()
	if call.connecting != nil {
		call.connecting.Stop()
	}
	call.conn = info.Conn
	if !info.Reused {
		call.times.Connect = time.Since(call.start)
		call.remote = info.Conn.RemoteAddr().String()
	}
}

func (call *call) shookHands(_ tls.ConnectionState, err error) {
	call.mu.Lock()
	defer call.mu.Unlock()
	call.tlsError = err
}

func (call *call) firstByte() {
	call.mu.Lock()
	defer call.mu.Unlock()
	call.times.FirstByte = time.Since(call.start)
}

// received notes that the headers are here.
func (call *call) received() {
	call.idle.received()
	call.mu.Lock()
	defer call.mu.Unlock()
	if call.times.FirstByte == 0 { // a transport that runs no hooks
		call.times.FirstByte = time.Since(call.start)
	}
}

func (call *call) timings() Timings {
	call.mu.Lock()
	defer call.mu.Unlock()
	return call.times
}

// failed says what an error of RoundTrip means.
func (call *call) failed(err error) error {
	call.mu.Lock()
	conn, tlsError := call.conn, call.tlsError
	call.mu.Unlock()
	var config *ConfigError
	var api *APIError
	var op *net.OpError
	switch {
	case call.ctx.Err() != nil:
		return context.Cause(call.ctx)
	case errors.As(err, &config):
		return config
	case errors.As(err, &api): // a proxy's
		return api
	case errors.As(err, &op) && op.Op == "remote error": // a TLS alert, such as that of a server that wants a certificate
		return &TLSError{Host: hostOf(call.url), Err: op}
	case conn != nil:
		return call.broken(err)
	case tlsError != nil:
		return &TLSError{Host: hostOf(call.url), Err: tlsError}
	case errors.As(err, &op) && (op.Op == "read" || op.Op == "write"), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return truncated(err) // a proxy's connection, before the tunnel stood
	case strings.Contains(err.Error(), "malformed HTTP"):
		return &ProtocolError{Provider: call.client.Provider.Name, Message: "proxy's reply is not HTTP", Err: call.client.redactError(err)}
	}
	return err
}

// broken says what an error of the connection means: its end, unless the server has said something that HTTP does not allow.
func (call *call) broken(err error) error {
	if call.ctx.Err() != nil {
		return context.Cause(call.ctx)
	}
	call.mu.Lock()
	conn := call.conn
	call.mu.Unlock()
	err = call.client.redactError(err)
	text := err.Error()
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), strings.Contains(text, "received from peer"), strings.Contains(text, "GOAWAY"):
		return truncated(err)
	case conn != nil && hasEnded(conn):
		// A first line that is cut is malformed too, but it begins as one of HTTP does.
		const proto = "HTTP/"
		_, line, found := strings.Cut(text, `malformed HTTP response "`)
		if line = strings.TrimSuffix(line, `"`); !found || strings.HasPrefix(line, proto) || strings.HasPrefix(proto, line) {
			return truncated(err)
		}
	}
	// net/http has no types for what breaks its rules.
	for _, mark := range [...]string{"malformed", "chunk", "encoding", "Content-Length", "exceeded", "too large", "header", "PROTOCOL_ERROR"} {
		if strings.Contains(text, mark) {
			return &ProtocolError{Provider: call.client.Provider.Name, Message: "reply is not HTTP", Err: err}
		}
	}
	return truncated(err)
}

func hostOf(url string) string {
	_, host, _ := strings.Cut(url, "://")
	host, _, _ = strings.Cut(host, "/")
	return host
}

// logRequest tells what is about to be sent.
func (call *call) logRequest(req *http.Request, size int) {
	if call.client.Log == nil {
		return
	}
	call.client.Log(fmt.Sprintf("> %s %s (%d bytes)", req.Method, call.url, size))
	call.logHeaders("> ", req.Header)
}

// logResponse tells what was received, and when.
func (call *call) logResponse(resp *http.Response) {
	if call.client.Log == nil {
		return
	}
	call.mu.Lock()
	remote, times := call.remote, call.times
	call.mu.Unlock()
	if remote != "" {
		call.client.Log(fmt.Sprintf("connected to %s in %s", remote, times.Connect.Round(time.Microsecond)))
	}
	call.client.Log(fmt.Sprintf("< %s %s after %s", resp.Proto, call.client.Redact(oneLine(resp.Status, 200)), times.FirstByte.Round(time.Microsecond)))
	call.logHeaders("< ", resp.Header)
}

func (call *call) logHeaders(prefix string, h http.Header) {
	lines := shownHeaders(h, call.client.secrets())
	slices.Sort(lines)
	for _, line := range lines {
		call.client.Log(prefix + line)
	}
}
