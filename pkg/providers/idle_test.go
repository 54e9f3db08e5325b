package providers

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// step is something a server does after a time.
type step struct {
	after time.Duration
	send  string
}

// timed answers with a body that comes in steps; with headers it waits too.
type timed struct {
	contentType string
	headers     time.Duration
	steps       []step
}

func (s timed) RoundTrip(req *http.Request) (*http.Response, error) {
	select {
	case <-time.After(s.headers):
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	r, w := io.Pipe()
	context.AfterFunc(req.Context(), func() { w.CloseWithError(req.Context().Err()) })
	go func() {
		for _, step := range s.steps {
			time.Sleep(step.after)
			if _, err := io.WriteString(w, step.send); err != nil {
				return
			}
		}
		w.Close()
	}()
	return inMemory{http.Header{"Content-Type": {s.contentType}}, func(context.Context) io.Reader { return r }}.RoundTrip(req)
}

func TestIdleTimeout(t *testing.T) {
	const second = time.Second
	event := "data: " + chunk("a") + "\n\n"
	for _, test := range []struct {
		name   string
		server timed
		slow   time.Duration // the reader takes so long over each document
		docs   int
		ends   time.Duration
		idle   bool
	}{
		{"events in time", timed{"text/event-stream", second, []step{{second, event}, {2 * second, event}, {2 * second, event}}}, 0, 3, 6 * second, false},
		{"silent before the headers", timed{"text/event-stream", 9 * second, nil}, 0, 0, 3 * second, true},
		{"headers are no payload", timed{"text/event-stream", 2 * second, []step{{2 * second, event}}}, 0, 0, 3 * second, true},
		{"silent after an event", timed{"text/event-stream", 0, []step{{second, event}, {9 * second, event}}}, 0, 1, 4 * second, true},
		{"comments do not count", timed{"text/event-stream", 0, []step{{second, event}, {second, ": hi\n\n"}, {second, ": hi\n\n"}, {second, ": hi\n\n"}, {second, event}}}, 0, 1, 4 * second, true},
		{"nor do comments before the first", timed{"text/event-stream", 0, []step{{second, ": hi\n\n"}, {second, ": hi\n\n"}, {second, ": hi\n\n"}, {second, event}}}, 0, 0, 3 * second, true},
		{"nor do comments wrapped as data", timed{"text/event-stream", 0, []step{{second, event}, {second, "data: : hi\n\n"}, {second, "data: \n\n"}, {2 * second, event}}}, 0, 1, 4 * second, true},
		{"nor does half an event", timed{"text/event-stream", 0, []step{{second, event}, {second, event[:20]}, {second, event[20:50]}, {2 * second, event[50:]}}}, 0, 1, 4 * second, true},
		{"slow reader", timed{"text/event-stream", 0, []step{{second, event}, {0, event}, {0, event}}}, 8 * second, 3, 25 * second, false},
		{"body bytes in time", timed{"application/json", second, []step{{second, okBody[:9]}, {2 * second, okBody[9:20]}, {2 * second, okBody[20:]}}}, 0, 1, 6 * second, false},
		{"body that stalls", timed{"application/json", second, []step{{second, okBody[:9]}, {9 * second, okBody[9:]}}}, 0, 0, 5 * second, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := errorClient()
				c.Transport, c.IdleTimeout = test.server, 3*second
				start, docs := time.Now(), 0
				r, err := c.Do(t.Context(), []byte(`{}`), false)
				if err == nil {
					for _, e := range r.Documents(nil) {
						if err = e; err == nil {
							docs++
							time.Sleep(test.slow)
						}
					}
				}
				var idle *TimeoutError
				if errors.As(err, &idle) != test.idle || docs != test.docs {
					t.Errorf("%d documents, error %v", docs, err)
				}
				if test.idle && err.Error() != "no data for 3s" {
					t.Errorf("error %v", err)
				}
				if !test.idle && err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took != test.ends {
					t.Errorf("took %v, want %v", took, test.ends)
				}
				time.Sleep(time.Minute) // the server's steps run out
			})
		})
	}
}

// TestTimeoutsOnTheWire checks that net/http gives a call up when a timer of ours runs out.
func TestTimeoutsOnTheWire(t *testing.T) {
	for _, test := range []struct{ name, send string }{
		{"no headers", ""},
		{"half a stream", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n"},
		{"half a body", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"},
		{"nothing to sniff", "HTTP/1.1 200 OK\r\n\r\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := clientOf(t, listen(t, func(c net.Conn, _ *http.Request, _ []byte) {
				io.WriteString(c, test.send)
				io.Copy(io.Discard, c)
			}))
			c.IdleTimeout = 50 * time.Millisecond
			_, _, err := ask(t, c)
			var timeout *TimeoutError
			if !errors.As(err, &timeout) || timeout.Which != "idle" || Retryable(c.Provider, err) {
				t.Errorf("error %v", err)
			}
		})
	}
	t.Run("error body that stalls", func(t *testing.T) {
		c := clientOf(t, listen(t, func(c net.Conn, _ *http.Request, _ []byte) {
			io.WriteString(c, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 99\r\n\r\nback soon")
			io.Copy(io.Discard, c)
		}))
		c.IdleTimeout = 50 * time.Millisecond
		if _, _, err := ask(t, c); err == nil || err.Error() != "some: HTTP 503: back soon" {
			t.Errorf("error %v", err)
		}
	})
	t.Run("TLS that does not answer", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		c := clientOf(t, "https://"+l.Addr().String())
		c.ConnectTimeout, c.IdleTimeout = 50*time.Millisecond, 20*time.Millisecond
		_, _, err = ask(t, c)
		var timeout *TimeoutError
		if !errors.As(err, &timeout) || timeout.Which != "connect" || !Retryable(c.Provider, err) || err.Error() != "no connection within 50ms" {
			t.Errorf("error %v", err)
		}
	})
	t.Run("slow but connected", func(t *testing.T) {
		ready := make(chan struct{})
		c := handler(t, func(w http.ResponseWriter, _ *http.Request) {
			<-ready
			io.WriteString(w, okBody)
		})
		c.ConnectTimeout = 20 * time.Millisecond
		time.AfterFunc(60*time.Millisecond, func() { close(ready) })
		if docs, _, err := ask(t, c); strings.Join(docs, "") != okBody || err != nil {
			t.Errorf("%q, error %v", docs, err)
		}
	})
	t.Run("the caller's", func(t *testing.T) {
		cause := &TimeoutError{Which: "whole call", After: time.Second}
		ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Millisecond, cause)
		defer cancel()
		c := clientOf(t, listen(t, func(c net.Conn, _ *http.Request, _ []byte) { io.Copy(io.Discard, c) }))
		c.IdleTimeout = time.Minute
		if _, err := c.Do(ctx, []byte(`{}`), false); err != cause {
			t.Errorf("error %v", err)
		}
	})
}
