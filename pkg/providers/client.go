package providers

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Client speaks to one provider at one base URL. It may be used by several goroutines; its fields are not changed after the first call.
type Client struct {
	Provider   *Provider
	BaseURL    *url.URL
	Credential Credential
	// Headers are sent with each request and replace default ones; a name with an empty value takes a default away.
	Headers http.Header
	// Transport carries the requests: NewTransport's, or any other such as the mock's. Redirects are never followed.
	Transport http.RoundTripper
	// ConnectTimeout limits the time until a connection stands, TLS included; IdleTimeout the time without payload from when the
	// request is sent, in which comments of a stream do not count. Zero is no limit.
	ConnectTimeout time.Duration
	IdleTimeout    time.Duration
	UserAgent      string
	// AllowPlainHTTP lets a credential go over plain http to other hosts than loopback.
	AllowPlainHTTP bool
	// Log is told each step on a line of its own for --verbose, secrets replaced. nil costs nothing.
	Log func(string)

	session session
}

// session holds renewed credentials in memory.
type session struct{}

// URL is the address that chat requests go to, as messages show it.
func (c *Client) URL() string { return "" }

// Check says, without sending anything, whether a request could be sent: a *ConfigError for a credential that would go over plain http.
func (c *Client) Check() error { return nil }

// Do posts body, a request for a chat completion, and gives the reply whose status is 200; its body is not read yet but for its
// first bytes. The caller closes it, or reads Documents to the end. Errors: *APIError, *ProtocolError, *TimeoutError, *TLSError, *ConfigError, ErrTruncated, the
// net package's for a connection that could not be made, the context's cause.
func (c *Client) Do(ctx context.Context, body []byte) (*Response, error) { return nil, nil }

// Redact replaces in s what a credential of c consists of, also longer parts of one.
func (c *Client) Redact(s string) string { return s }
