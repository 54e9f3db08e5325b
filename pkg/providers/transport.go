package providers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"
)

// TransportOptions are the network's settings. The texts are PEM and may be empty.
type TransportOptions struct {
	CACert     []byte // trusted beside the system's certificates
	ClientCert []byte
	ClientKey  []byte // empty: it stands in ClientCert
}

// NewTransport makes the transport of a Client: HTTP/1.1 and 2, proxies from the environment as net/http reads them. An
// error is a *ConfigError. The system's certificates are read here only if CACert is set, else when a handshake needs them.
// A client of the scheme mock takes MockTransport's result instead.
func NewTransport(o TransportOptions) (*http.Transport, error) {
	t := &http.Transport{
		Proxy:                  environmentProxy,
		OnProxyConnectResponse: proxyAnswer,
		DialContext:            dial,
		ForceAttemptHTTP2:      true,
		// Accept-Encoding: identity is asked for, and a body that is gzip all the same is unpacked where it is read: the
		// transport's own unpacking would depend on its own header.
		DisableCompression: true,
		// A batch has as many connections as calls in flight; with the default of 2 idle ones each call would shake hands anew.
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     90 * time.Second,
		ReadBufferSize:      64 << 10,
		WriteBufferSize:     64 << 10,
	}
	t.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return dialTLS(ctx, network, address, t.TLSClientConfig)
	}
	if len(o.CACert) == 0 && len(o.ClientCert) == 0 {
		return t, nil
	}
	t.TLSClientConfig = &tls.Config{}
	if len(o.CACert) > 0 {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(o.CACert) {
			return nil, &ConfigError{"CA certificate: no PEM certificate in it"}
		}
		t.TLSClientConfig.RootCAs = pool
	}
	if len(o.ClientCert) > 0 {
		key := o.ClientKey
		if len(key) == 0 {
			key = o.ClientCert
		}
		cert, err := tls.X509KeyPair(o.ClientCert, key)
		if err != nil {
			return nil, &ConfigError{"client certificate: " + err.Error()}
		}
		t.TLSClientConfig.Certificates = []tls.Certificate{cert}
	}
	return t, nil
}

// conn is a connection that remembers whether it has ended. A reply's head that is cut inside a line is to net/http a malformed
// one: only this tells a cut from a lie.
type conn struct {
	net.Conn
	ended atomic.Bool
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		c.ended.Store(true)
	}
	return n, err
}

func dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{KeepAlive: 30 * time.Second}
	c, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &rechunked{Conn: &conn{Conn: c}}, nil
}

// dialTLS is what the transport would do by itself for an address without a proxy, and makes HTTP/1.1 give what has come.
func dialTLS(ctx context.Context, network, address string, config *tls.Config) (net.Conn, error) {
	dialer := net.Dialer{KeepAlive: 30 * time.Second}
	raw, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	config = config.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(address)
	}
	config.NextProtos = []string{"h2", "http/1.1"}
	secure := tls.Client(&conn{Conn: raw}, config)
	trace := httptrace.ContextClientTrace(ctx)
	if trace != nil && trace.TLSHandshakeStart != nil {
		trace.TLSHandshakeStart()
	}
	err = secure.HandshakeContext(ctx)
	if trace != nil && trace.TLSHandshakeDone != nil {
		trace.TLSHandshakeDone(secure.ConnectionState(), err)
	}
	if err != nil {
		raw.Close()
		return nil, err
	}
	if secure.ConnectionState().NegotiatedProtocol == "h2" {
		return secure, nil
	}
	return &rechunked{Conn: secure}, nil
}

// hasEnded says whether a connection that dial has made, with TLS over it or not, has come to its end.
func hasEnded(c net.Conn) bool {
	if r, ok := c.(*rechunked); ok {
		c = r.Conn
	}
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if r, ok := c.(*rechunked); ok {
		c = r.Conn
	}
	own, ok := c.(*conn)
	return ok && own.ended.Load()
}

// environmentProxy is http.ProxyFromEnvironment.
func environmentProxy(r *http.Request) (*url.URL, error) {
	return proxyOf(r, http.ProxyFromEnvironment)
}

// proxyOf asks for the proxy of a request. The error of net/http quotes the variable, and so a password in it.
func proxyOf(r *http.Request, ask func(*http.Request) (*url.URL, error)) (*url.URL, error) {
	u, err := ask(r)
	if err != nil {
		return nil, &ConfigError{fmt.Sprintf("proxy variable for %s: not a URL", r.URL.Scheme)}
	}
	return u, nil
}

// proxyAnswer makes of a proxy's refusal to open a tunnel an *APIError; net/http would keep nothing but the status text.
func proxyAnswer(_ context.Context, proxy *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	message := oneLine(answer.Status, maxMessage)
	if text := http.StatusText(answer.StatusCode); text != "" {
		message = text
	}
	return &APIError{Provider: "proxy " + proxy.Host, URL: ShowURL(proxy), Status: answer.StatusCode, Message: message, Header: answer.Header}
}
