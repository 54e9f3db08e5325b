package providers

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// chunk is a chunk of a stream with this text.
func chunk(text string) string {
	return `{"id":"c1","object":"chat.completion.chunk","created":1780000000.12,"model":"m","choices":[{"index":0,"delta":{"content":"` + text + `"},"finish_reason":null}]}`
}

func TestStream(t *testing.T) {
	a, b := chunk("a"), chunk("b")
	for _, test := range []struct {
		name, body string
		want       []string
		done       bool
		wrong      string // the error; "truncated" for ErrTruncated
	}{
		{"plain", "data: " + a + "\n\ndata: " + b + "\n\ndata: [DONE]\n\n", []string{a, b}, true, ""},
		{"no [DONE]", "data: " + a + "\n\n", []string{a}, false, ""},
		{"no space", "data:" + a + "\n\ndata:[DONE]\n\n", []string{a}, true, ""},
		{"[DONE] and a blank", "data: " + a + "\n\ndata:  [DONE] \n\n", []string{a}, true, ""},
		{"after [DONE]", "data: [DONE]\n\ndata: " + a + "\n\ndata: junk\n\n", nil, true, ""},
		{"[DONE] without a blank line", "data: " + a + "\n\ndata: [DONE]", []string{a}, true, ""},
		{"blanks round a chunk", "data:  " + a + " \n\n", []string{a}, false, ""},
		{"byte order mark", "\ufeffdata: " + a + "\n\n", []string{a}, false, ""},
		{"byte order mark and lines", "\ufeff\r\n\r\ndata: " + a + "\n\n", []string{a}, false, ""},
		{"comments", ": hi\n\ndata: " + a + "\n: mid\n\n:\n\ndata: [DONE]\n\n", []string{a}, true, ""},
		{"comments as data", "data: : PROCESSING\n\ndata: " + a + "\n\ndata: \n\ndata\n\n", []string{a}, false, ""},
		{"other fields", "id: 7\nretry: 3\nfoo: bar\nevent: message\ndata: " + a + "\n\n", []string{a}, false, ""},
		{"named ping", "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: ping\ndata: now\n\ndata: " + a + "\n\n", []string{a}, false, ""},
		{"named chunk", "event: chunk\ndata: " + a + "\n\n", []string{a}, false, ""},
		{"named filter results", "event: x\ndata: {\"choices\":[],\"f\":1}\n\n", []string{`{"choices":[],"f":1}`}, false, ""},
		{"several lines", "data: {\"a\":\ndata: 1}\n\n", []string{"{\"a\":\n1}"}, false, ""},
		{"no blank lines between", "data: " + a + "\ndata: " + b + "\ndata: [DONE]\n", []string{a, b}, true, ""},
		{"no blank lines, junk among them", "data: " + a + "\ndata: junk\ndata: " + b + "\n\n", []string{a}, false, `some: HTTP 200: event is not JSON: "junk"`},
		{"last event cut but whole", "data: " + a, []string{a}, false, ""},
		{"last event whole, newline", "data: " + a + "\n", []string{a}, false, ""},
		{"last event cut", "data: " + a + "\n\ndata: " + b[:40], []string{a}, false, "truncated"},
		{"several lines cut", "data: {\"a\":\ndata: 1", nil, false, "truncated"},
		{"[DONE] cut", "data: " + a + "\n\ndata: [DON", []string{a}, false, "truncated"},
		{"cut in the field's name", "data: " + a + "\n\ndat", []string{a}, false, ""},
		{"nothing", "", nil, false, ""},
		{"comment alone", ": hello\n\n", nil, false, ""},
		{"not JSON", "data: " + a + "\n\ndata: oops\n\n", []string{a}, false, `some: HTTP 200: event is not JSON: "oops"`},
		{"not JSON with an error in it", `data: {"error":oops}` + "\n\n", nil, false, `some: HTTP 200: event is not JSON`},
		{"no object", "data: 7\n\n", nil, false, `some: HTTP 200: event is no JSON object: "7"`},
		{"error object", "data: " + a + "\n\ndata: {\"error\":{\"message\":\"overloaded\",\"type\":\"server_error\",\"code\":502}}\n\ndata: [DONE]\n\n", []string{a}, false, "some: HTTP 200 502: overloaded"},
		{"error text", "data: {\"error\":\"quota gone\"}\n\n", nil, false, "some: HTTP 200: quota gone"},
		{"error beside no choices", "data: {\"choices\":[],\"error\":{\"message\":\"m\"}}\n\n", nil, false, "some: HTTP 200: m"},
		{"error null", "data: {\"error\":null,\"n\":1}\n\ndata: {\"error\":{}}\n\ndata: {\"error\":\"\"}\n\n", []string{`{"error":null,"n":1}`, `{"error":{}}`, `{"error":""}`}, false, ""},
		{"the word in a text", "data: " + chunk(`\"error\": {\"x\":1}, \"status\": false`) + "\n\n", []string{chunk(`\"error\": {\"x\":1}, \"status\": false`)}, false, ""},
		{"finish reason error", "data: {\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}],\"error\":{\"code\":\"server_error\",\"message\":\"lost\"}}\n\n", nil, false, "some: HTTP 200 server_error: lost"},
		{"text and error", `data: {"choices":[{"delta":{"content":"x"}}],"error":{"message":"lost"}}` + "\n\n", []string{`{"choices":[{"delta":{"content":"x"}}],"error":{"message":"lost"}}`}, false, "some: HTTP 200: lost"},
		{"event: error", "event: error\ndata: {\"message\":\"worker died\",\"code\":500}\n\n", nil, false, "some: HTTP 200 500: worker died"},
		{"event: error of text", "event: error\ndata: worker died\n\n", nil, false, "some: HTTP 200: worker died"},
		{"event: error cut", "event: error\ndata: worker di", nil, false, "truncated"},
		{"field error", "error: {\"code\":503,\"message\":\"loading\"}\n\n", nil, false, "some: HTTP 200 503: loading"},
		{"object of type error", `data: {"object":"error","message":"too long","code":400}` + "\n\n", nil, false, "some: HTTP 200 400: too long"},
		{"wrapper", `data: {"status":false,"message":"no token"}` + "\n\n", nil, false, "some: HTTP 200: no token"},
		{"a status that is none", `data: {"status":"ok","choices":[]}` + "\n\n", []string{`{"status":"ok","choices":[]}`}, false, ""},
		{"list with an error", `data: [{"error":{"message":"m","code":404}}]` + "\n\n", nil, false, "some: HTTP 200 404: m"},
		{"list without", `data: [{"n":1}]` + "\n\n", nil, false, "some: HTTP 200: event is no JSON object"},
		{"error as JSON in a stream's place", `{"error":{"message":"m","code":"c"}}`, nil, false, "some: HTTP 200 c: m"},
		{"JSON in a stream's place", "\n " + okBody + "\n", []string{"\n " + okBody + "\n"}, false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, split := range []struct {
				name string
				by   func(io.Reader) io.Reader
			}{{"whole", func(r io.Reader) io.Reader { return r }}, {"byte by byte", iotest.OneByteReader}, {"end with data", iotest.DataErrReader}} {
				c := errorClient()
				c.Transport = inMemory{http.Header{"Content-Type": {"text/event-stream; charset=utf-8"}}, func(context.Context) io.Reader {
					return split.by(strings.NewReader(test.body))
				}}
				docs, r, err := ask(t, c)
				if !slices.Equal(docs, test.want) {
					t.Errorf("%s: %q, want %q", split.name, docs, test.want)
				}
				if r.Done != test.done {
					t.Errorf("%s: done is %v", split.name, r.Done)
				}
				switch {
				case test.wrong == "":
					if err != nil {
						t.Errorf("%s: error %v", split.name, err)
					}
				case test.wrong == "truncated":
					if !errors.Is(err, ErrTruncated) {
						t.Errorf("%s: error %v", split.name, err)
					}
				case err == nil || !strings.HasPrefix(err.Error(), test.wrong):
					t.Errorf("%s: error %v, want %s", split.name, err, test.wrong)
				}
			}
		})
	}
}

func TestBody(t *testing.T) {
	for _, test := range []struct{ name, contentType, body, want, wrong string }{
		{"JSON", "application/json", okBody, okBody, ""},
		{"as sent", "application/json; charset=utf-8", " " + okBody + "\r\n", " " + okBody + "\r\n", ""},
		{"byte order mark", "application/json", "\ufeff" + okBody, okBody, ""},
		{"no type", "", okBody, okBody, ""},
		{"plain text", "text/plain", "\n" + okBody, "\n" + okBody, ""},
		{"bytes", "application/octet-stream", okBody, okBody, ""},
		{"problem", "application/vnd.x+json", okBody, okBody, ""},
		{"stream without a type", "", "data: {\"n\":1}\n\n", `{"n":1}`, ""},
		{"stream of text", "text/plain", ": hi\n\ndata: {\"n\":1}\n\n", `{"n":1}`, ""},
		{"stream called JSON", "application/json", "event: message\ndata: {\"n\":1}\n\n", `{"n":1}`, ""},
		{"empty", "application/json", "", "", "empty body"},
		{"blank", "application/json", " \n", "", "empty body"},
		{"empty, no type", "", "", "", "empty body"},
		{"not JSON", "application/json", `{"a":1}}`, "", "body is not JSON"},
		{"two texts", "application/json", okBody + okBody, "", "body is not JSON"},
		{"not UTF-8", "application/json", "{\"a\":\"\xff\"}", "", "body is not JSON"},
		{"cut", "application/json", okBody[:40], "", "truncated"},
		{"cut in a text", "application/json", `{"a":"b\"`, "", "truncated"},
		{"error", "application/json", `{"choices":null,"error":{"message":"m","code":429}}`, "", "some: HTTP 200 429: m"},
		{"error null", "application/json", `{"choices":[],"error":null}`, `{"choices":[],"error":null}`, ""},
		{"wrapper", "application/json", `{"status":false,"message":"no token"}`, "", "some: HTTP 200: no token"},
		{"detail", "application/json", `{"detail":"not here"}`, "", "some: HTTP 200: not here"},
		{"message beside choices", "application/json", `{"message":"hi","choices":[{}]}`, `{"message":"hi","choices":[{}]}`, ""},
		{"flat with output", "application/json", `{"error":"no call","error_model_output":"It is warm"}`, "", "some: HTTP 200: no call"},
	} {
		t.Run(test.name, func(t *testing.T) {
			docs, _, err := ask(t, memoryClient(test.contentType, []byte(test.body)))
			if got := strings.Join(docs, "|"); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
			switch {
			case test.wrong == "":
				if err != nil {
					t.Error(err)
				}
			case test.wrong == "truncated":
				if !errors.Is(err, ErrTruncated) {
					t.Errorf("error %v", err)
				}
			case err == nil || !strings.Contains(err.Error(), test.wrong):
				t.Errorf("error %v, want %s", err, test.wrong)
			}
		})
	}
}

// TestFlush checks that flush is called before each read of the network and never with a whole event unread.
func TestFlush(t *testing.T) {
	parts := []string{"data: {\"n\":1}\n\ndata: {\"n\":2}\n\n", "data: {\"n\":3", "}\n\n", "data: [DONE]\n\n", "data: junk\n\n"}
	var log []string
	c := errorClient()
	c.Transport = inMemory{http.Header{"Content-Type": {"text/event-stream"}}, func(context.Context) io.Reader {
		return readerFunc(func(p []byte) (int, error) {
			if len(parts) == 0 {
				return 0, io.EOF
			}
			n := copy(p, parts[0])
			parts = parts[1:]
			log = append(log, "read")
			return n, nil
		})
	}}
	r, err := c.Do(context.Background(), []byte(`{}`), false)
	if err != nil {
		t.Fatal(err)
	}
	for doc, err := range r.Documents(func() error { log = append(log, "flush"); return nil }) {
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, string(doc))
	}
	// The first read finds out what the reply is; nothing is written by then.
	want := []string{"read", `{"n":1}`, `{"n":2}`, "flush", "read", "flush", "read", `{"n":3}`, "flush", "read"}
	if !slices.Equal(log, want) {
		t.Errorf("%q\nwant %q", log, want)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestFlushError(t *testing.T) {
	full := errors.New("no space left on device")
	for _, contentType := range []string{"text/event-stream", "application/json"} {
		c := errorClient()
		c.Transport = inMemory{http.Header{"Content-Type": {contentType}}, func(context.Context) io.Reader {
			return iotest.OneByteReader(strings.NewReader("data: {}\n\ndata: {}\n\n"))
		}}
		r, err := c.Do(context.Background(), []byte(`{}`), false)
		if err != nil {
			t.Fatal(err)
		}
		for doc, err := range r.Documents(func() error { return full }) {
			if err != full {
				t.Errorf("%s: %q, error %v", contentType, doc, err)
			}
		}
	}
}

// TestStop checks that a caller who stops reading closes the connection.
func TestStop(t *testing.T) {
	closed := make(chan struct{})
	c := handler(t, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"n\":1}\n\n")
		w.(http.Flusher).Flush()
		<-req.Context().Done()
		close(closed)
	})
	r, err := c.Do(context.Background(), []byte(`{}`), false)
	if err != nil {
		t.Fatal(err)
	}
	for range r.Documents(nil) {
		break
	}
	<-closed
}

// TestHeldOpen checks that a stream ends at [DONE] though the server keeps the connection.
func TestHeldOpen(t *testing.T) {
	for _, end := range []string{"data: [DONE]\n\n", "data: [DONE]\n"} {
		c := handler(t, func(w http.ResponseWriter, req *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: {\"n\":1}\n\n"+end)
			w.(http.Flusher).Flush()
			<-req.Context().Done()
		})
		if docs, r, err := ask(t, c); len(docs) != 1 || !r.Done || err != nil {
			t.Errorf("%q: %q, done %v, error %v", end, docs, r.Done, err)
		}
	}
}

func FuzzDocuments(f *testing.F) {
	a := chunk("a")
	for _, body := range []string{
		"data: " + a + "\n\ndata: [DONE]\n\n", "data:" + a + "\r\n\r\n: c\r\n", "event: error\ndata: x\n\n", "error: {\"code\":500}\n\n",
		"data: {\"error\":null}\n\n", "data: {\"a\":\ndata: 1}\n\n", a, "{\"error\":\"x\"}", "\ufeff" + a, "data: : x\n\ndata: [DON", "\xef\xbb", "\x1f\x8b\x08", "data: " + a + "\ndata: " + a + "\n", "id: 1", " \n\t", "dat", "data: \n", "event: ping\ndata: 1\n\n",
	} {
		for _, contentType := range []string{"text/event-stream", "application/json", "", "text/html"} {
			f.Add([]byte(body), contentType)
		}
	}
	f.Add(pack(f, "data: "+a+"\n\n", "data: [DONE]\n\n"), "text/event-stream")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		read := func(split func(io.Reader) io.Reader) (docs []string, done bool, message string) {
			c := errorClient()
			c.Transport = inMemory{http.Header{"Content-Type": {contentType}}, func(context.Context) io.Reader { return split(bytes.NewReader(body)) }}
			docs, r, err := ask(t, c)
			if err != nil {
				message = err.Error()
			}
			return docs, r != nil && r.Done, message
		}
		docs, done, message := read(func(r io.Reader) io.Reader { return r })
		for _, split := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader} {
			if docs2, done2, message2 := read(split); !slices.Equal(docs, docs2) || done != done2 || message != message2 {
				t.Fatalf("whole: %q, %v, %q\nsplit: %q, %v, %q", docs, done, message, docs2, done2, message2)
			}
		}
	})
}

// BenchmarkDocuments reads streams of 200,000 chunks.
func BenchmarkDocuments(b *testing.B) {
	const chunks = 200_000
	one := "data: " + chunk(" word") + "\n\n"
	body := []byte(strings.Repeat(one, chunks) + "data: [DONE]\n\n")
	c := memoryClient("text/event-stream", body)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := c.Do(context.Background(), []byte(`{}`), false)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for _, err := range r.Documents(nil) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != chunks {
			b.Fatalf("%d chunks", n)
		}
	}
}
