package providers

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
)

const okBody = `{"choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}`

func TestRequest(t *testing.T) {
	for _, test := range []struct {
		name    string
		change  func(c *Client)
		body    string
		want    http.Header
		without []string
	}{
		{"stream", nil, `{"model":"m","stream":true}`, http.Header{
			"Accept": {"text/event-stream"}, "Accept-Encoding": {"identity"}, "Content-Type": {"application/json"},
			"User-Agent": {"llmcall/test"}, "Authorization": {"Bearer k-test-0123456789"},
		}, []string{"Refresh-Token"}},
		{"no stream", nil, `{"stream":false}`, http.Header{"Accept": {"application/json"}}, nil},
		{"two headers", func(c *Client) {
			c.Credential.Headers = []Header{{"Authorization", "Bearer a"}, {"refresh-token", "r"}}
		}, `{}`, http.Header{"Authorization": {"Bearer a"}, "Refresh-Token": {"r"}}, nil},
		{"no credential", func(c *Client) { c.Credential = Credential{} }, `{}`, nil, []string{"Authorization"}},
		{"own headers", func(c *Client) {
			c.Headers = http.Header{"User-Agent": {"mine"}, "X-Team": {"a", "b"}, "Accept": {""}, "Host": {"other.example"}}
		}, `{}`, http.Header{"User-Agent": {"mine"}, "X-Team": {"a", "b"}, "Host": {"other.example"}}, []string{"Accept"}},
		{"no agent", func(c *Client) { c.Headers = http.Header{"User-Agent": {""}} }, `{}`, nil, []string{"User-Agent"}},
		{"userinfo", func(c *Client) {
			c.Credential = Credential{}
			c.BaseURL, _ = ParseBaseURL(strings.Replace(c.BaseURL.String(), "//", "//u:p@", 1))
		}, `{}`, http.Header{"Authorization": {"Basic dTpw"}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got *http.Request
			var sent []byte
			c := handler(t, func(w http.ResponseWriter, req *http.Request) {
				got, sent = req, nil
				sent, _ = io.ReadAll(req.Body)
				io.WriteString(w, okBody)
			})
			if test.change != nil {
				test.change(c)
			}
			r, err := c.Do(context.Background(), []byte(test.body), test.name == "stream")
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			if got.Method != "POST" || got.URL.Path != "/v1/chat/completions" || string(sent) != test.body {
				t.Errorf("%s %s: %s", got.Method, got.URL, sent)
			}
			got.Header.Set("Host", got.Host)
			for name, values := range test.want {
				if !slices.Equal(got.Header[name], values) {
					t.Errorf("%s: %q, want %q", name, got.Header[name], values)
				}
			}
			for _, name := range test.without {
				if got.Header[name] != nil {
					t.Errorf("%s: %q, want none", name, got.Header[name])
				}
			}
		})
	}
}

func TestQueryIsSent(t *testing.T) {
	var got string
	c := handler(t, func(w http.ResponseWriter, req *http.Request) { got = req.URL.RequestURI(); io.WriteString(w, okBody) })
	c.BaseURL.RawQuery = "api-version=2"
	if _, _, err := ask(t, c); err != nil || got != "/v1/chat/completions?api-version=2" {
		t.Errorf("%s, error %v", got, err)
	}
}

func TestPlainHTTP(t *testing.T) {
	c := clientOf(t, "http://10.255.255.1")
	c.Transport = inMemory{http.Header{"Content-Type": {"application/json"}}, func(context.Context) io.Reader { return strings.NewReader(okBody) }}
	var config *ConfigError
	if _, _, err := ask(t, c); !errors.As(err, &config) || strings.Contains(err.Error(), "k-test") {
		t.Errorf("error %v, want a ConfigError", err)
	}
	c.AllowPlainHTTP = true
	if _, _, err := ask(t, c); err != nil {
		t.Errorf("allowed: %v", err)
	}
	c.AllowPlainHTTP, c.Credential = false, Credential{}
	if _, _, err := ask(t, c); err != nil {
		t.Errorf("without a key: %v", err)
	}
	c.BaseURL.Scheme, c.Credential = "https", Credential{Headers: []Header{{"Authorization", "k"}}}
	if _, _, err := ask(t, c); err != nil {
		t.Errorf("https: %v", err)
	}
}

func TestRedirect(t *testing.T) {
	var requests int
	for _, test := range []struct{ status, location, want string }{
		{"307 Temporary Redirect", "Location: https://u:p@h.example/v2?k=secret\n", "https://h.example/v2"},
		{"308 Permanent Redirect", "Location: /v1/chat/completions/\n", "/v1/chat/completions/"},
		{"302 Found", "", ""},
	} {
		t.Run(test.status, func(t *testing.T) {
			requests = 0
			url := listen(t, func(c net.Conn, _ *http.Request, _ []byte) {
				requests++
				io.WriteString(c, answer(test.status, test.location, ""))
			})
			_, _, err := ask(t, clientOf(t, url))
			var api *APIError
			if !errors.As(err, &api) || !strings.HasSuffix(api.Location, test.want) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("error %v, location %q", err, api.Location)
			}
			if requests != 1 {
				t.Errorf("%d requests", requests)
			}
		})
	}
}

func TestStatus(t *testing.T) {
	for _, test := range []struct{ name, answer, want string }{
		{"401", answer("401 Unauthorized", "Content-Type: application/json\nX-Request-Id: r-1\n", `{"error":{"message":"bad key k-test-0123456789","code":"invalid_api_key"}}`),
			"some: HTTP 401 invalid_api_key: bad key [redacted] (request r-1)"},
		{"524", answer("524 ", "Content-Type: text/plain\n", "error code: 524"), "some: HTTP 524: error code: 524"},
		{"500 cut", "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 99\r\n\r\nhalf a tex", "some: HTTP 500: half a tex"},
		{"503 in another coding", answer("503 Service Unavailable", "Content-Encoding: br\n", "\x0b\x02\x80"), "some: HTTP 503: Service Unavailable"},
		{"204", answer("204 No Content", "", ""), "some: HTTP 204: only the status 200 comes with a reply"},
		{"202", answer("202 Accepted", "", okBody), "some: HTTP 202: only the status 200 comes with a reply"},
		{"HTML", answer("200 OK", "Content-Type: text/html; charset=utf-8\n", "<title>Sign in</title>"),
			`some: HTTP 200: reply is text/html; charset=utf-8, neither JSON nor an event stream: "Sign in"`},
		{"text", answer("200 OK", "Content-Type: text/plain\n", "maintenance"), "some: HTTP 200: reply is text/plain, neither JSON nor an event stream: maintenance"},
		{"nothing known", answer("200 OK", "", "\x00\x01"), "some: HTTP 200: reply has no Content-Type and is neither JSON nor an event stream"},
		{"other coding", answer("200 OK", "Content-Encoding: br\nContent-Type: application/json\n", okBody), "some: HTTP 200: body cannot be unpacked: content encoding br was not asked for"},
		{"not HTTP", "SSH-2.0-OpenSSH_9\r\n", `some: reply is not HTTP: net/http: HTTP/1.x transport connection broken: malformed HTTP response "SSH-2.0-OpenSSH_9"`},
		{"key as the coding", answer("200 OK", "Content-Encoding: k-test-0123456789\n", okBody), "some: HTTP 200: body cannot be unpacked: content encoding [redacted] was not asked for"},
		{"key as the status", "HTTP/1.1 k-test-0123456789 x\r\n\r\n", `some: reply is not HTTP: net/http: HTTP/1.x transport connection broken: malformed HTTP status code "[redacted]"`},
		{"length that is none", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", `some: reply is not HTTP: net/http: HTTP/1.x transport connection broken: bad Content-Length "x"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			docs, _, err := ask(t, clientOf(t, wire(t, test.answer)))
			if err == nil || err.Error() != test.want {
				t.Errorf("%q, error %v\nwant %s", docs, err, test.want)
			}
		})
	}
}

func TestErrorBodyIsBounded(t *testing.T) {
	c := handler(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(500)
		w.Write(bytes.Repeat([]byte("x"), 3<<20))
	})
	_, _, err := ask(t, c)
	var api *APIError
	if !errors.As(err, &api) || len(api.Body) != maxErrorBody || len(api.Message) > maxMessage {
		t.Errorf("body of %d bytes, message of %d", len(api.Body), len(api.Message))
	}
}

func TestConnectionErrors(t *testing.T) {
	t.Run("refused", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		_, _, err = ask(t, clientOf(t, "http://"+l.Addr().String()))
		var op *net.OpError
		if !errors.As(err, &op) || op.Op != "dial" || !errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, ErrTruncated) || !Retryable(&Provider{}, err) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("closed without a byte", func(t *testing.T) {
		_, _, err := ask(t, clientOf(t, wire(t, "")))
		if !errors.Is(err, ErrTruncated) || !Retryable(&Provider{}, err) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("reset before the headers", func(t *testing.T) {
		_, _, err := ask(t, clientOf(t, listen(t, func(c net.Conn, _ *http.Request, _ []byte) { breakOff(c) })))
		if !errors.Is(err, ErrTruncated) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("reset in the body", func(t *testing.T) {
		c := clientOf(t, listen(t, func(c net.Conn, _ *http.Request, _ []byte) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"n\":1}\n\n")
			breakOff(c)
		}))
		_, _, err := ask(t, c)
		if !errors.Is(err, ErrTruncated) || !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("given up before the headers", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		cause := errors.New("signal: interrupt")
		c := clientOf(t, listen(t, func(c net.Conn, _ *http.Request, _ []byte) {
			cancel(cause)
			io.Copy(io.Discard, c)
		}))
		if _, err := c.Do(ctx, []byte(`{}`), false); err != cause {
			t.Errorf("error %v", err)
		}
	})
	t.Run("given up in the body", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		cause := errors.New("signal: interrupt")
		c := clientOf(t, listen(t, func(c net.Conn, _ *http.Request, _ []byte) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"n\":1}\n\n")
			io.Copy(io.Discard, c)
		}))
		r, err := c.Do(ctx, []byte(`{}`), false)
		if err != nil {
			t.Fatal(err)
		}
		var last error
		for _, err := range r.Documents(nil) {
			cancel(cause)
			last = err
		}
		if last != cause {
			t.Errorf("error %v", last)
		}
	})
}

func pack(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for _, part := range parts {
		if _, err := io.WriteString(z, part); err != nil {
			t.Fatal(err)
		}
		z.Flush()
	}
	z.Close()
	return b.Bytes()
}

func TestGzip(t *testing.T) {
	packed := string(pack(t, okBody))
	for _, test := range []struct {
		name, headers, body, want string
		truncated                 bool
		wrong                     string
	}{
		{"body", "Content-Type: application/json\nContent-Encoding: gzip\n", packed, okBody, false, ""},
		{"old name", "Content-Type: application/json\nContent-Encoding: X-GZIP, identity\n", packed, okBody, false, ""},
		{"not named", "Content-Type: application/json\n", packed, okBody, false, ""},
		{"no type", "", packed, okBody, false, ""},
		{"named only", "Content-Type: application/json\nContent-Encoding: gzip\n", okBody, okBody, false, ""},
		{"two members", "Content-Type: application/json\n", string(pack(t, okBody[:20])) + string(pack(t, okBody[20:])), okBody, false, ""},
		{"stream", "Content-Type: text/event-stream\nContent-Encoding: gzip\n", string(pack(t, "data: {\"a\":1}\n\n", "data: [DONE]\n\n")), `{"a":1}`, false, ""},
		{"empty", "Content-Type: application/json\nContent-Encoding: gzip\n", "", "", false, "empty body"},
		{"cut", "Content-Type: application/json\nContent-Encoding: gzip\n", packed[:40], "", true, ""},
		{"cut in the header", "Content-Type: application/json\n", packed[:5], "", true, ""},
		{"cut before the sum", "Content-Type: application/json\n", packed[:len(packed)-8], "", true, ""},
		{"wrong sum", "Content-Type: application/json\n", packed[:len(packed)-8] + "abcdefgh", "", false, "body cannot be unpacked: gzip: invalid checksum"},
		{"corrupt", "Content-Type: application/json\n", packed[:12] + "\xff\xff\xff\xff" + packed[16:], "", false, "body cannot be unpacked: flate: corrupt input"},
		{"corrupt header", "Content-Type: application/json\n", "\x1f\x8b\x07garbage...", "", false, "body cannot be unpacked: gzip: invalid header"},
		{"what follows", "Content-Type: application/json\n", packed + "more bytes than a header", "", false, "body cannot be unpacked: gzip: invalid header"},
	} {
		t.Run(test.name, func(t *testing.T) {
			docs, _, err := ask(t, clientOf(t, wire(t, answer("200 OK", test.headers, test.body))))
			if got := strings.Join(docs, "|"); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
			if errors.Is(err, ErrTruncated) != test.truncated {
				t.Errorf("error %v", err)
			}
			var protocol *ProtocolError
			if test.wrong != "" && (!errors.As(err, &protocol) || !strings.Contains(err.Error(), test.wrong)) {
				t.Errorf("error %v, want %q", err, test.wrong)
			}
			if test.wrong == "" && !test.truncated && err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("error", func(t *testing.T) {
		_, _, err := ask(t, clientOf(t, wire(t, answer("400 Bad Request", "Content-Encoding: gzip\n", string(pack(t, `{"error":"out of range"}`))))))
		if err == nil || err.Error() != "some: HTTP 400: out of range" {
			t.Errorf("error %v", err)
		}
	})
}

// TestGzipStreams checks that an event is given as soon as the server has flushed it, also at the end of a gzip member.
func TestGzipStreams(t *testing.T) {
	seen := make(chan bool)
	defer close(seen)
	c := clientOf(t, listen(t, func(c net.Conn, _ *http.Request, _ []byte) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n")
		z := gzip.NewWriter(c)
		io.WriteString(z, "data: {\"n\":1}\n\n")
		z.Flush()
		<-seen
		io.WriteString(z, "data: {\"n\":2}\n\n")
		z.Close()
		<-seen
	}))
	r, err := c.Do(context.Background(), []byte(`{}`), false)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range r.Documents(nil) {
		if err != nil {
			break // the second <-seen closes the connection outside the gzip member: a clean end
		}
		n++
		seen <- true
	}
	if n != 2 {
		t.Errorf("%d events", n)
	}
}

func TestSession(t *testing.T) {
	var auth, refresh []string
	c := handler(t, func(w http.ResponseWriter, req *http.Request) {
		auth, refresh = append(auth, req.Header.Get("Authorization")), append(refresh, req.Header.Get("Refresh-Token"))
		switch len(auth) {
		case 1:
			w.Header().Set("x-access-token", "Bearer access-secret")
		case 2:
			w.Header().Set("refresh-token", "new-refresh-secr3t")
			w.WriteHeader(500)
		case 3:
			w.Header().Set("Authorization", "two words")
		}
		io.WriteString(w, okBody)
	})
	c.Credential.Headers = []Header{{"Authorization", "Bearer a1"}, {"refresh-token", "r1"}}
	var log strings.Builder
	c.Log = func(line string) { log.WriteString(line + "\n") }
	for range 4 {
		_, r, _ := ask(t, c)
		if r != nil && r.Header.Get("x-access-token") != "" {
			t.Error("the reply shows the new token")
		}
	}
	if want := []string{"Bearer a1", "Bearer access-secret", "Bearer access-secret", "Bearer access-secret"}; !slices.Equal(auth, want) {
		t.Errorf("Authorization %q", auth)
	}
	if want := []string{"r1", "r1", "new-refresh-secr3t", "new-refresh-secr3t"}; !slices.Equal(refresh, want) {
		t.Errorf("refresh-token %q", refresh)
	}
	if strings.Contains(log.String(), "secr") || c.Redact("access-secret new-refresh-secr3t a1") != "[redacted] [redacted] [redacted]" {
		t.Errorf("secrets shown: %s", log.String())
	}
}

func TestTokensOfAnAPIKeyStay(t *testing.T) {
	var auth []string
	c := handler(t, func(w http.ResponseWriter, req *http.Request) {
		auth = append(auth, req.Header.Get("Authorization"))
		w.Header().Set("access-token", "other")
		io.WriteString(w, okBody)
	})
	ask(t, c)
	ask(t, c)
	if auth[0] != auth[1] {
		t.Errorf("%q", auth)
	}
}

func TestLog(t *testing.T) {
	c := handler(t, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Set-Cookie", "id=secret-cookie")
		w.Header().Set("X-Echo", req.Header.Get("Authorization"))
		io.WriteString(w, okBody)
	})
	c.Headers = http.Header{"X-Password": {"secret-password"}, "X-Team": {"blue"}}
	c.BaseURL.RawQuery = "key=secret-query"
	var lines []string
	c.Log = func(line string) { lines = append(lines, line) }
	if _, r, err := ask(t, c); err != nil || r.Timings.FirstByte <= 0 || r.Timings.Connect <= 0 || r.Timings.Connect > r.Timings.FirstByte {
		t.Fatalf("timings %+v, error %v", r.Timings, err)
	}
	all := strings.Join(lines, "\n")
	if strings.Contains(all, "secret") || strings.Contains(all, "k-test") {
		t.Errorf("secrets shown:\n%s", all)
	}
	for _, want := range []string{"> POST http://127.0.0.1:", "/v1/chat/completions (27 bytes)", "> Authorization: Bearer [redacted]", "> X-Password: [redacted]", "> X-Team: blue", "< HTTP/1.1 200 OK after ", "< Set-Cookie: [redacted]", "< X-Echo: Bearer [redacted]", "connected to 127.0.0.1:"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}

func TestLogOfAReason(t *testing.T) {
	c := clientOf(t, wire(t, answer("401 not k-test-0123456789", "", "")))
	var lines []string
	c.Log = func(line string) { lines = append(lines, line) }
	ask(t, c)
	if all := strings.Join(lines, "\n"); strings.Contains(all, "k-test") || !strings.Contains(all, "< HTTP/1.1 401 not [redacted] after ") {
		t.Errorf("logged:\n%s", all)
	}
}

func TestModels(t *testing.T) {
	var asked []string
	c := handler(t, func(w http.ResponseWriter, req *http.Request) {
		asked = append(asked, req.Method+" "+req.URL.RequestURI())
		if req.URL.Query().Get("offset") == "0" {
			io.WriteString(w, `{"status":true,"message":"success","total":3,"data":[{"id":"b"},{"id":"a"}]}`)
		} else {
			io.WriteString(w, `{"status":true,"message":"success","total":3,"data":[{"id":"c"}]}`)
		}
	})
	c.Provider = &Provider{Name: "some", Models: ModelList{Total: "total", PageSize: 2}}
	c.BaseURL.RawQuery = "v=1"
	body, models, err := c.Models(context.Background())
	if err != nil || len(models) != 3 || models[2].ID != "c" {
		t.Fatalf("%+v, error %v", models, err)
	}
	if want := `{"status":true,"message":"success","total":3,"data":[{"id":"b"},{"id":"a"},{"id":"c"}]}`; string(body) != want {
		t.Errorf("body %s", body)
	}
	if want := []string{"GET /v1/models?limit=2&offset=0&v=1", "GET /v1/models?limit=2&offset=2&v=1"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q", asked)
	}
}

func TestModelsErrors(t *testing.T) {
	for _, test := range []struct{ name, answer, want string }{
		{"refused", answer("401 Unauthorized", "", `{"error":"no"}`), "some: HTTP 401: no"},
		{"wrapper", answer("200 OK", "Content-Type: application/json\n", `{"status":false,"message":"no"}`), "some: HTTP 200: no"},
		{"no list", answer("200 OK", "Content-Type: application/json\n", `{"message":"hi"}`), "some: HTTP 200: list of models: no list of models in the reply"},
		{"stream", answer("200 OK", "Content-Type: text/event-stream\n", "data: {}\n\n"), "some: HTTP 200: list of models is an event stream"},
		{"page", answer("200 OK", "Content-Type: text/html\n", "<title>Hi</title>"), `some: HTTP 200: reply is text/html, neither JSON nor an event stream: "Hi"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, _, err := clientOf(t, wire(t, test.answer)).Models(context.Background()); err == nil || err.Error() != test.want {
				t.Errorf("error %v", err)
			}
		})
	}
}
