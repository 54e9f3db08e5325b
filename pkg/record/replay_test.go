package record

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// roundTrip is a transport as a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// reads is a body that each Read gives a part of; err ends it.
type reads struct {
	parts []string
	err   error
}

func (r *reads) Read(p []byte) (int, error) {
	if len(r.parts) == 0 {
		return 0, r.err
	}
	n := copy(p, r.parts[0])
	if r.parts[0] = r.parts[0][n:]; r.parts[0] == "" {
		r.parts = r.parts[1:]
	}
	return n, nil
}

func (r *reads) Close() error { return nil }

// answering gives a transport whose bodies are of these parts.
func answering(err error, parts ...string) roundTrip {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, ProtoMajor: 1, ContentLength: -1, Body: &reads{slices.Clone(parts), err}, TransferEncoding: []string{"chunked"}}, nil
	}
}

func load(t *testing.T, file string) *Cassette {
	t.Helper()
	c, err := Load(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func post(t *testing.T, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x.invalid/c", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// TestReplaysVersion1 holds the format: files of this version are in users' repositories.
func TestReplaysVersion1(t *testing.T) {
	file, err := os.ReadFile("testdata/v1.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	r := load(t, string(file)).Replayer(0)
	const url = "https://other.invalid/v1/chat/completions"
	for body, want := range map[string]string{
		`{"messages":[{"content":"whole","role":"user"}],"model":"m"}`:          `200 application/json "{\"choices\":[]}" <nil>`,
		`{"messages":[{"content":"streamed","role":"user"}],"model":"m"}`:       `200 text/event-stream "data: {\"a\":\"é\"}\n\ndata: \xff\n\ndata: [DONE]\n\n" <nil>`,
		`{"messages":[{"content":"cut","role":"user"}],"model":"m","stream":1}`: `200  "half" unexpected EOF`,
		`{"n":1,"model":"m"}`: `204  "" <nil>`,
		`{"messages":[{"content":"refused","role":"user"}],"model":"m"}`: `error dial tcp: connect: connection refused`,
	} {
		if got := ask(r, url, body); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", body, got, want)
		}
	}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://other.invalid/v1/models", nil)
	resp, err := r.RoundTrip(req)
	if err != nil || len(resp.TransferEncoding) != 0 || resp.ContentLength != -1 {
		t.Errorf("list of models: %+v, %v", resp, err)
	}
}

func TestFailuresAreOfTheirKindAgain(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	var dns *net.DNSError
	var op *net.OpError
	tests := []struct {
		name string
		err  error
		like func(error) bool
	}{
		{"unknown host", dial(&net.DNSError{Err: "no such host", Name: "a", IsNotFound: true}), func(err error) bool {
			return errors.As(err, &dns) && dns.IsNotFound && err.Error() == "dial tcp: lookup x.invalid: no such host"
		}},
		{"name server out of order", dial(&net.DNSError{Err: "server misbehaving", Name: "a", IsTemporary: true}), func(err error) bool { return errors.As(err, &dns) && !dns.IsNotFound }},
		{"refused", dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), func(err error) bool {
			return errors.Is(err, syscall.ECONNREFUSED) && errors.As(err, &op) && op.Op == "dial"
		}},
		{"unreachable", dial(os.NewSyscallError("connect", syscall.ENETUNREACH)), func(err error) bool { return errors.As(err, &op) && op.Op == "dial" }},
		{"cut", io.EOF, func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, &op) }},
		{"reset", &net.OpError{Op: "read", Err: syscall.ECONNRESET}, func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, &op) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var tape bytes.Buffer
			rec := Recorder(roundTrip(func(*http.Request) (*http.Response, error) { return nil, test.err }), &tape, redact)
			if _, err := rec.RoundTrip(post(t, `{}`)); err != test.err {
				t.Errorf("the recorder gives %v", err)
			}
			if _, err := load(t, tape.String()).Replayer(0).RoundTrip(post(t, `{}`)); !test.like(err) {
				t.Errorf("replayed: %#v", err)
			}
		})
	}
}

// TestHandshakesFailAgain asks a server whose certificate nobody knows.
func TestHandshakesFailAgain(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	var tape bytes.Buffer
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	seen := func(rt http.RoundTripper) (told bool, err error) {
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{TLSHandshakeDone: func(_ tls.ConnectionState, err error) { told = err != nil }})
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/c", strings.NewReader("{}"))
		_, err = rt.RoundTrip(req)
		return told, err
	}
	if told, err := seen(Recorder(transport, &tape, redact)); !told || err == nil {
		t.Fatalf("recorded: %v, %v", told, err)
	}
	if told, err := seen(load(t, tape.String()).Replayer(0)); !told || err == nil {
		t.Errorf("replayed: %v, %v", told, err)
	}
}

func TestBodiesBreakAsTheyDid(t *testing.T) {
	for _, broken := range []error{io.ErrUnexpectedEOF, errors.New("malformed chunked encoding")} {
		var tape bytes.Buffer
		rec := Recorder(answering(broken, "data: 1\n", "da"), &tape, redact)
		want := ask(rec, "http://x.invalid/c", "{}")
		if got := ask(load(t, tape.String()).Replayer(0), "http://x.invalid/c", "{}"); got != want || !strings.Contains(got, broken.Error()) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestWhatTheCallerEndsIsNotRecorded(t *testing.T) {
	var tape bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	hang := roundTrip(func(req *http.Request) (*http.Response, error) {
		cancel()
		return nil, req.Context().Err()
	})
	if _, err := Recorder(hang, &tape, redact).RoundTrip(post(t, "{}").WithContext(ctx)); err == nil {
		t.Error("no error")
	}
	for _, read := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		resp, err := Recorder(answering(context.Canceled, "a"), &tape, redact).RoundTrip(post(t, "{}").WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = resp.Body.Read(make([]byte, 10))
		cancel()
		if read {
			_, _ = resp.Body.Read(make([]byte, 10))
		}
		resp.Body.Close()
	}
	if tape.Len() > 0 {
		t.Errorf("recorded: %s", tape.String())
	}
}

// TestStreamsThatAreNotReadToTheirEnd closes a body behind [DONE], as llmcall does.
func TestStreamsThatAreNotReadToTheirEnd(t *testing.T) {
	var tape bytes.Buffer
	resp, err := Recorder(answering(io.EOF, "data: [DONE]\n\n", "held open"), &tape, redact).RoundTrip(post(t, "{}"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = resp.Body.Read(make([]byte, 100))
	resp.Body.Close()
	if got := ask(load(t, tape.String()).Replayer(0), "http://x.invalid/c", "{}"); got != `200  "data: [DONE]\n\n" <nil>` {
		t.Errorf("got %s", got)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestErrorsOfWritingLeaveTheExchangeAlone(t *testing.T) {
	rec := Recorder(answering(io.EOF, "a"), full{}, redact)
	if err := rec.Err(); err != nil {
		t.Errorf("before: %v", err)
	}
	if got := ask(rec, "http://x.invalid/c", "{}"); got != `200  "a" <nil>` {
		t.Errorf("got %s", got)
	}
	if err := rec.Err(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("after: %v", err)
	}
}

func TestReplaySpeed(t *testing.T) {
	const file = `{"v":1,"request":{"method":"POST","path":"/c","body":{}},"response":{"status":200,"chunks":[{"at":10,"text":"a"},{"at":40,"text":"b"}]}}`
	for speed, least := range map[float64]time.Duration{0: 0, 1: 40 * time.Millisecond, 2: 20 * time.Millisecond} {
		start := time.Now()
		if got := ask(load(t, file).Replayer(speed), "http://x.invalid/c", "{}"); got != `200  "ab" <nil>` || time.Since(start) < least {
			t.Errorf("speed %g: %s after %v", speed, got, time.Since(start))
		}
	}
	const slow = `{"v":1,"request":{"method":"POST","path":"/c","body":{}},"response":{"status":200,"chunks":[{"at":3600000,"text":"a"}]}}`
	ctx, cancel := context.WithCancel(t.Context())
	resp, err := load(t, slow).Replayer(1).RoundTrip(post(t, "{}").WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	go cancel()
	if _, err := resp.Body.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestChunksStayApart: a stream is a stream again, chunk by chunk.
func TestChunksStayApart(t *testing.T) {
	var tape bytes.Buffer
	ask(Recorder(answering(io.EOF, "data: 1\n\n", "data: 2\n\n"), &tape, redact), "http://x.invalid/c", "{}")
	resp, err := load(t, tape.String()).Replayer(0).RoundTrip(post(t, "{}"))
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 100)
	for _, want := range []string{"data: 1\n\n", "data: 2\n\n"} {
		if n, err := resp.Body.Read(b); string(b[:n]) != want || err != nil {
			t.Errorf("got %q, %v", b[:n], err)
		}
	}
	resp.Body.Close()
	if _, err := resp.Body.Read(b); err == nil || err == io.EOF {
		t.Errorf("read after Close: %v", err)
	}
}

// TestSeveralWritersShareAFile appends through two descriptors at once, as two processes do.
func TestSeveralWritersShareAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "tape.ndjson")
	text := strings.Repeat("x", 100<<10)
	var wg sync.WaitGroup
	for process := range 2 {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rec := Recorder(answering(io.EOF, text), f, redact)
		for call := range 8 {
			wg.Go(func() { ask(rec, "http://x.invalid/c", fmt.Sprintf(`{"process":%d,"call":%d}`, process, call)) })
		}
	}
	wg.Wait()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	r := c.Replayer(0)
	for process := range 2 {
		for call := range 8 {
			wg.Go(func() {
				if got := ask(r, "http://x.invalid/c", fmt.Sprintf(`{"process":%d,"call":%d}`, process, call)); len(got) < len(text) {
					t.Errorf("process %d, call %d: %d bytes", process, call, len(got))
				}
			})
		}
	}
	wg.Wait()
}

// TestEqualRequestsAtOnce: each of several equal requests at once gets an exchange of its own.
func TestEqualRequestsAtOnce(t *testing.T) {
	var tape strings.Builder
	const n = 100
	for i := range n {
		fmt.Fprintf(&tape, `{"v":1,"request":{"method":"POST","path":"/c","body":{}},"response":{"status":200,"chunks":[{"text":"%d"}]}}`+"\n", i)
	}
	r := load(t, tape.String()).Replayer(0)
	var got sync.Map
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { got.Store(ask(r, "http://x.invalid/c", "{}"), true) })
	}
	wg.Wait()
	count := 0
	got.Range(func(any, any) bool { count++; return true })
	if count != n {
		t.Errorf("%d different answers of %d", count, n)
	}
	if s := ask(r, "http://x.invalid/c", "{}"); !strings.Contains(s, "recorded 100 times, asked once more") {
		t.Errorf("got %s", s)
	}
}

func BenchmarkReplay(b *testing.B) {
	body := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("word ", 200) + `"}]}`
	c, err := Load(strings.NewReader(`{"v":1,"request":{"method":"POST","path":"/c","body":` + body + `},"response":{"status":200,"chunks":[{"text":"a"}]}}`))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if got := ask(c.Replayer(0), "http://x.invalid/c", body); got != `200  "a" <nil>` {
			b.Fatal(got)
		}
	}
}
