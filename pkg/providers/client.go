package providers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client speaks to one provider at one base URL. Several goroutines may use it; its fields do not change after the first call.
type Client struct {
	Provider *Provider
	// BaseURL is what ParseBaseURL gave.
	BaseURL    *url.URL
	Credential Credential
	// Headers are sent with each request and replace default ones; a name whose value is empty takes a default away.
	Headers http.Header
	// Transport carries the requests: NewTransport's, or another such as the mock's. It is used without an http.Client, so that a
	// redirect is a reply like any other: followed, it would carry x-api-key and refresh-token to another host.
	Transport http.RoundTripper
	// ConnectTimeout limits the time until a connection stands, TLS included; IdleTimeout the time without payload from when the
	// request is sent, in which the comments of a stream count for nothing. Zero is no limit.
	ConnectTimeout time.Duration
	IdleTimeout    time.Duration
	UserAgent      string
	// AllowPlainHTTP lets a credential go over plain http to other hosts than loopback.
	AllowPlainHTTP bool
	// Log is told what is sent and received, line by line, for --verbose; secrets are replaced. nil costs nothing.
	Log func(line string)

	session session
}

// maxErrorBody is how much of an error's body is read.
const maxErrorBody = 1 << 20

// URL is the address that requests for chat completions go to, as messages show it.
func (c *Client) URL() string { return ShowURL(endpoint(c.BaseURL, "/chat/completions")) }

// Check says without sending anything whether a request may be sent: a credential over plain http to another host than loopback
// is a *ConfigError.
func (c *Client) Check() error {
	if c.BaseURL.Scheme != "http" || c.AllowPlainHTTP || isLoopback(c.BaseURL.Hostname()) {
		return nil
	}
	if len(c.Credential.Headers) == 0 && c.BaseURL.User == nil {
		return nil
	}
	return &ConfigError{fmt.Sprintf("%s: a key is not sent over plain http", ShowURL(c.BaseURL))}
}

// Do posts body, a request for a chat completion that asks for a stream or not, and gives the reply when its status is 200; of its body only the first
// bytes are read. The caller reads Documents to its end or calls Close. An error is an *APIError, a *ProtocolError, a
// *TimeoutError, a *TLSError, a *ConfigError, ErrTruncated, the cause of ctx, or package net's where no connection could be
// made.
func (c *Client) Do(ctx context.Context, body []byte, stream bool) (*Response, error) {
	return c.send(ctx, http.MethodPost, endpoint(c.BaseURL, "/chat/completions"), body, accept(stream))
}

// send makes one request and opens the reply to it.
func (c *Client) send(ctx context.Context, method string, u *url.URL, body []byte, accept string) (*Response, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	call := c.begin(ctx, ShowURL(u))
	req, err := c.request(call.ctx, method, u, body, accept)
	if err != nil {
		call.end()
		return nil, err
	}
	call.logRequest(req, len(body))
	resp, err := c.Transport.RoundTrip(req)
	if err != nil {
		err = call.failed(err)
		call.end()
		return nil, err
	}
	call.received()
	c.renew(resp.Header)
	call.logResponse(resp)
	r, err := call.open(resp)
	if err != nil {
		resp.Body.Close()
		call.end()
		return nil, err
	}
	return r, nil
}

// request makes the HTTP request: the defaults, then the credential, then what -H replaces.
func (c *Client) request(ctx context.Context, method string, u *url.URL, body []byte, accept string) (*http.Request, error) {
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), reader)
	if err != nil {
		return nil, &ConfigError{fmt.Sprintf("base URL %s: not a URL", quoteURL(u.String()))}
	}
	h := req.Header
	h.Set("Accept", accept)
	h.Set("Accept-Encoding", "identity")
	h.Set("User-Agent", c.UserAgent)
	if body != nil {
		h.Set("Content-Type", "application/json")
	}
	if c.BaseURL.User != nil {
		h.Set("Authorization", "Basic "+basic(c.BaseURL.User))
	}
	for _, cred := range c.credential() {
		h.Set(cred.Name, cred.Value)
	}
	for name, values := range c.Headers {
		switch {
		case name == "Host":
			req.Host = values[len(values)-1]
		case strings.Join(values, "") != "":
			h[name] = values
		case name == "User-Agent": // without the header net/http would send its own
			h[name] = []string{""}
		default:
			h.Del(name)
		}
	}
	return req, nil
}

// open looks at status, type and first bytes of a reply. An error leaves resp.Body to the caller.
func (call *call) open(resp *http.Response) (*Response, error) {
	status := resp.StatusCode
	switch {
	case status < 200 || status > 200 && status < 300:
		return nil, call.protocolError(resp, "only the status 200 comes with a reply", nil)
	case status != http.StatusOK:
		return nil, call.refused(resp)
	}
	r := &Response{
		Status: status, Header: resp.Header, RequestID: RequestID(resp.Header, nil), Timings: call.timings(),
		call: call, resp: resp, network: &network{call: call, body: resp.Body},
	}
	var err error
	if r.body, err = unpack(r.network, resp.Header.Get("Content-Encoding")); err != nil {
		return nil, r.readError(err)
	}
	if r.Stream, err = r.kind(); err != nil {
		return nil, err
	}
	r.network.feed = !r.Stream
	r.network.fed = !r.Stream && r.body.Buffered() > 0
	return r, nil
}

// refused makes the error of a reply whose status is not 2xx.
func (call *call) refused(resp *http.Response) error {
	n := &network{call: call, body: resp.Body, feed: true}
	var body []byte
	unpacked, err := unpack(n, resp.Header.Get("Content-Encoding"))
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(unpacked, maxErrorBody))
	}
	// The status says what matters, so that a body that stops halfway does not hide it; but a signal or the end of the whole
	// call's time is the caller's.
	var idle *TimeoutError
	if cause := context.Cause(call.ctx); err != nil && cause != nil && !errors.As(cause, &idle) {
		return cause
	}
	e := call.client.apiError(call.url, resp.StatusCode, resp.Header, body)
	if resp.StatusCode < 400 {
		if target, err := resp.Request.URL.Parse(resp.Header.Get("Location")); err == nil && resp.Header.Get("Location") != "" {
			e.Location = call.client.Redact(oneLine(ShowURL(target), maxMessage))
			e.Message = "redirect to " + e.Location + " not followed"
		}
	}
	return e
}

// protocolError makes a *ProtocolError of this call.
func (call *call) protocolError(resp *http.Response, message string, cause error) *ProtocolError {
	return &ProtocolError{
		Provider: call.client.Provider.Name, Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"),
		RequestID: RequestID(resp.Header, nil), Message: call.client.Redact(message), Err: call.client.redactError(cause),
	}
}
