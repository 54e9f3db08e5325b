package providers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// tlsServer serves h by TLS and gives the server and its certificate as PEM.
func tlsServer(t *testing.T, http2 bool, h http.HandlerFunc) (*httptest.Server, []byte) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = http2
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

func trust(t *testing.T, c *Client, ca []byte) {
	t.Helper()
	transport, err := NewTransport(TransportOptions{CACert: ca})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.CloseIdleConnections)
	c.Transport = transport
}

func TestTLS(t *testing.T) {
	s, ca := tlsServer(t, true, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("X-Proto", req.Proto)
		io.WriteString(w, okBody)
	})
	c := clientOf(t, s.URL)
	_, _, err := ask(t, c)
	var wrong *TLSError
	if !errors.As(err, &wrong) || Retryable(c.Provider, err) || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
		t.Errorf("unknown certificate: %v", err)
	}
	trust(t, c, ca)
	if docs, r, err := ask(t, c); err != nil || len(docs) != 1 || r.Header.Get("X-Proto") != "HTTP/2.0" {
		t.Errorf("%q, error %v", docs, err)
	}
}

func TestTLSWithPlainServer(t *testing.T) {
	c := clientOf(t, strings.Replace(wire(t, ""), "http:", "https:", 1))
	_, _, err := ask(t, c)
	var wrong *TLSError
	if !errors.As(err, &wrong) {
		t.Errorf("error %v", err)
	}
}

func keyPEM(cert tls.Certificate) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), err
}

func TestClientCertificate(t *testing.T) {
	s, ca := tlsServer(t, false, func(w http.ResponseWriter, req *http.Request) {
		if len(req.TLS.PeerCertificates) != 1 {
			t.Errorf("%d certificates", len(req.TLS.PeerCertificates))
		}
		io.WriteString(w, okBody)
	})
	s.TLS.ClientAuth = tls.RequestClientCert
	key, err := keyPEM(s.TLS.Certificates[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]TransportOptions{
		"two files": {CACert: ca, ClientCert: ca, ClientKey: key},
		"one file":  {CACert: ca, ClientCert: append(append([]byte(nil), ca...), key...)},
	} {
		transport, err := NewTransport(o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c := clientOf(t, s.URL)
		c.Transport = transport
		if _, _, err := ask(t, c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		transport.CloseIdleConnections()
	}
}

// TestClientCertificateIsMissing: in TLS 1.3 the server's alert comes after the handshake, as an error of the first read.
func TestClientCertificateIsMissing(t *testing.T) {
	for name, version := range map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13} {
		t.Run(name, func(t *testing.T) {
			s, ca := tlsServer(t, false, func(http.ResponseWriter, *http.Request) { t.Error("was asked") })
			s.TLS.ClientAuth, s.TLS.MaxVersion = tls.RequireAnyClientCert, version
			c := clientOf(t, s.URL)
			trust(t, c, ca)
			_, _, err := ask(t, c)
			var wrong *TLSError
			if !errors.As(err, &wrong) || Retryable(c.Provider, err) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestTransportOptions(t *testing.T) {
	for name, o := range map[string]TransportOptions{
		"CA certificate: no PEM certificate in it": {CACert: []byte("hello")},
		"client certificate: ":                     {ClientCert: []byte("hello")},
	} {
		_, err := NewTransport(o)
		var config *ConfigError
		if !errors.As(err, &config) || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("error %v", err)
		}
	}
}

// TestHTTP2Broken checks that the end of a stream of HTTP/2 before its time is an end, not a breach of HTTP.
func TestHTTP2Broken(t *testing.T) {
	s, ca := tlsServer(t, true, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"n\":1}\n\n")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler) // RST_STREAM
	})
	c := clientOf(t, s.URL)
	trust(t, c, ca)
	docs, _, err := ask(t, c)
	if len(docs) != 1 || !errors.Is(err, ErrTruncated) {
		t.Errorf("RST_STREAM: %q, error %v", docs, err)
	}

	s, ca = tlsServer(t, true, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"n\":1}\n\n")
		w.(http.Flusher).Flush()
		<-req.Context().Done()
	})
	c = clientOf(t, s.URL)
	trust(t, c, ca)
	r, err := c.Do(context.Background(), []byte(`{}`), false)
	if err != nil {
		t.Fatal(err)
	}
	var last error
	for _, err := range r.Documents(nil) {
		last = err
		s.CloseClientConnections()
	}
	if !errors.Is(last, ErrTruncated) {
		t.Errorf("connection lost: %v", last)
	}
}

func TestProxy(t *testing.T) {
	for _, test := range []struct {
		name, url, answer, want string
	}{
		{"absolute form", "http://api.example", answer("200 OK", "Content-Type: application/json\n", okBody), ""},
		{"wants a password", "http://api.example", answer("407 Proxy Authentication Required", "Content-Type: text/html\n", "<html>login</html>"), "some: HTTP 407: Proxy Authentication Required"},
		{"no tunnel", "https://api.example", answer("502 Bad Gateway", "", ""), "proxy PROXY: HTTP 502: Bad Gateway"},
		{"tunnel wants a password", "https://api.example", answer("407 Please log in", "", ""), "proxy PROXY: HTTP 407: Proxy Authentication Required"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var target string
			proxyURL := listen(t, func(c net.Conn, req *http.Request, _ []byte) {
				target = req.RequestURI
				io.WriteString(c, test.answer)
			})
			host := strings.TrimPrefix(proxyURL, "http://")
			c := clientOf(t, test.url)
			c.AllowPlainHTTP = true
			c.Transport.(*http.Transport).Proxy = func(*http.Request) (*url.URL, error) { return url.Parse("http://user:pass@" + host) }
			_, _, err := ask(t, c)
			if want := strings.Replace(test.want, "PROXY", host, 1); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
				t.Errorf("error %v, want %s", err, want)
			}
			if want := map[bool]string{true: "api.example:443", false: "http://api.example/v1/chat/completions"}[strings.HasPrefix(test.url, "https")]; target != want {
				t.Errorf("asked for %s", target)
			}
		})
	}
	t.Run("closes", func(t *testing.T) {
		proxyURL := wire(t, "")
		c := clientOf(t, "https://api.example")
		c.Transport.(*http.Transport).Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxyURL) }
		if _, _, err := ask(t, c); !errors.Is(err, ErrTruncated) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("is none", func(t *testing.T) {
		proxyURL := wire(t, "SSH-2.0-OpenSSH_9\r\n\r\n")
		c := clientOf(t, "https://api.example")
		c.Transport.(*http.Transport).Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxyURL) }
		_, _, err := ask(t, c)
		if want := `some: proxy's reply is not HTTP: malformed HTTP response "SSH-2.0-OpenSSH_9"`; err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	})
	t.Run("variable is no URL", func(t *testing.T) {
		c := clientOf(t, "https://api.example")
		c.Transport.(*http.Transport).Proxy = func(r *http.Request) (*url.URL, error) {
			return proxyOf(r, func(*http.Request) (*url.URL, error) {
				return nil, errors.New(`invalid proxy address "http://u:secret@[": x`)
			})
		}
		_, _, err := ask(t, c)
		var config *ConfigError
		if !errors.As(err, &config) || strings.Contains(err.Error(), "secret") {
			t.Errorf("error %v", err)
		}
	})
}
