package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// ask posts a body and gives status, kept headers and body, or the error.
func ask(rt http.RoundTripper, url, body string) string {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Authorization", "Bearer secret-key-1")
	resp, err := rt.RoundTrip(req)
	if err != nil {
		return "error " + err.Error()
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return fmt.Sprintf("%d %s %q %v", resp.StatusCode, resp.Header.Get("Content-Type"), data, err)
}

func redact(s string) string { return strings.ReplaceAll(s, "secret-key-1", "[redacted]") }

// server answers by what the body holds.
func server(t *testing.T) *httptest.Server {
	calls := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Set-Cookie", "session=secret-key-1")
		w.Header().Set("Refresh-Token", "secret-key-1")
		w.Header().Set("X-Request-Id", "r1")
		switch {
		case bytes.Contains(body, []byte(`"stream":true`)):
			w.Header().Set("Content-Type", "text/event-stream")
			for _, s := range []string{"data: {\"a\":1}\n\n", "data: [DONE]\n\n"} {
				io.WriteString(w, s)
				w.(http.Flusher).Flush()
			}
		case bytes.Contains(body, []byte("twice")):
			if calls++; calls == 1 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			io.WriteString(w, "second")
		case bytes.Contains(body, []byte("binary")):
			w.Write([]byte{0xff, 0xfe, 0})
		case bytes.Contains(body, []byte("cut")):
			io.WriteString(w, "half")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case bytes.Contains(body, []byte("echo")):
			io.WriteString(w, "your key is secret-key-1")
		default:
			io.WriteString(w, "plain <&>")
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func TestReplayGivesWhatWasRecorded(t *testing.T) {
	s := server(t)
	bodies := []string{`{"m":"plain","n":1.0}`, `{"m":"s","stream":true}`, `{"m":"twice"}`, `{"m":"twice"}`, `{"m":"binary"}`, `{"m":"cut"}`}
	var tape bytes.Buffer
	rec := Recorder(http.DefaultTransport, &tape, redact)
	var want []string
	for _, b := range bodies {
		want = append(want, ask(rec, s.URL+"/v1/chat/completions", b))
	}
	if n := bytes.Count(tape.Bytes(), []byte("\n")); n != len(bodies) {
		t.Errorf("%d lines for %d exchanges", n, len(bodies))
	}
	c, err := Load(&tape)
	if err != nil {
		t.Fatal(err)
	}
	for _, speed := range []float64{0, 1} {
		r := c.Replayer(speed)
		for i, b := range bodies {
			if got := ask(r, "http://elsewhere.invalid/v1/chat/completions", b); got != want[i] {
				t.Errorf("%s at speed %g:\ngot  %s\nwant %s", b, speed, got, want[i])
			}
		}
	}
}

func TestMatchIgnoresSpaceOrderAndStream(t *testing.T) {
	var tape bytes.Buffer
	s := server(t)
	ask(Recorder(http.DefaultTransport, &tape, redact), s.URL+"/c", `{"a":1.50,"b":[1, 2]}`)
	file := tape.String()
	for body, want := range map[string]string{
		`{"b":[1,2], "a":1.50,"stream":false,"stream_options":{"x":1}}`: "",
		`{"a":1.5,"b":[1,2]}`:           "a was 1.50, is 1.5",
		`{"a":1.50,"b":[1,3],"c":null}`: "b.1 was 2, is 3; c was absent, is null",
		`{"b":[1,2]}`:                   "a was 1.50, is absent",
	} {
		c, err := Load(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		req, _ := http.NewRequest(http.MethodPost, "http://x.invalid/c", strings.NewReader(body))
		_, err = c.Replayer(0).RoundTrip(req)
		var miss *MissError
		if want == "" && err != nil || want != "" && (!errors.As(err, &miss) || miss.Difference != want) {
			t.Errorf("%s: got %v, want %q", body, err, want)
		}
	}
}

func TestUsedUpIsNotRecorded(t *testing.T) {
	var tape bytes.Buffer
	s := server(t)
	ask(Recorder(http.DefaultTransport, &tape, redact), s.URL+"/c", `{"a":1}`)
	c, err := Load(&tape)
	if err != nil {
		t.Fatal(err)
	}
	r := c.Replayer(0)
	ask(r, "http://x.invalid/c", `{"a":1}`)
	if got := ask(r, "http://x.invalid/c", `{"a":1}`); !strings.Contains(got, "recorded once, asked once more") {
		t.Errorf("got %s", got)
	}
}

func TestNoSecretIsRecorded(t *testing.T) {
	var tape bytes.Buffer
	s := server(t)
	rec := Recorder(http.DefaultTransport, &tape, redact)
	ask(rec, s.URL+"/c", `{"m":"echo","key":"secret-key-1"}`)
	ask(rec, s.URL+"/c", `{"m":"s","stream":true}`)
	if strings.Contains(tape.String(), "secret") || strings.Contains(tape.String(), "Cookie") {
		t.Errorf("the recording holds a secret: %s", tape.String())
	}
	if !strings.Contains(tape.String(), "[redacted]") {
		t.Errorf("nothing was replaced: %s", tape.String())
	}
}

// lines counts writes and those that are no whole line.
type lines struct {
	mu        sync.Mutex
	all, torn int
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all++
	if bytes.Count(p, []byte("\n")) != 1 || !bytes.HasSuffix(p, []byte("\n")) {
		l.torn++
	}
	return len(p), nil
}

func TestEachExchangeIsOneWrite(t *testing.T) {
	s, l := server(t), &lines{}
	rec := Recorder(http.DefaultTransport, l, redact)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() { ask(rec, s.URL+"/c", fmt.Sprintf(`{"m":"s","n":%d,"stream":true}`, i)) })
	}
	wg.Wait()
	if l.all != 40 || l.torn != 0 {
		t.Errorf("%d writes, %d of them no line", l.all, l.torn)
	}
}

func TestLoadNamesTheBadLine(t *testing.T) {
	for in, want := range map[string]string{
		"\n{": "line 2: not an exchange", `{"v":9}`: "line 1: format version 9 is newer", `{}`: "line 1: not an exchange: no format version",
		`{"v":1,"request":{}}`: "neither a response nor an error", `{"v":1,"response":{"status":200,"chunks":[{"base64":"!"}]}}`: "line 1: chunk 1",
	} {
		if _, err := Load(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", in, err, want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"v":1,"request":{"method":"POST","path":"/c","body":{"a":1}},"response":{"status":200,"chunks":[{"at":1,"text":"x","base64":"/w=="}]}}` + "\n"))
	f.Add([]byte("\ufeff" + `{"v":1,"request":{"method":"POST","path":"/c","digest":"x"},"error":"e","kind":"tls"}` + "\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Load(bytes.NewReader(data))
		if err != nil {
			return
		}
		r := c.Replayer(0)
		for _, e := range c.exchanges {
			if got := ask(r, "http://x.invalid/c", string(e.Request.Body)); e.key.method == "POST" && e.key.path == "/c" &&
				len(e.Request.Body) > 0 && strings.Contains(got, "not recorded") {
				t.Errorf("%q: got %s", data, got)
			}
			ask(r, "http://x.invalid/c", `{"other":1}`)
		}
	})
}
