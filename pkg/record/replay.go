package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Cassette is the exchanges of a file.
type Cassette struct{ exchanges []*exchange }

// Load reads a file of exchanges. An error names the line.
func Load(r io.Reader) (*Cassette, error) {
	c := &Cassette{}
	br := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := br.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			e, bad := parse(line)
			if bad != nil {
				return nil, fmt.Errorf("line %d: %w", n, bad)
			}
			c.exchanges = append(c.exchanges, e)
		}
		if err == io.EOF {
			return c, nil
		}
	}
}

func parse(line []byte) (*exchange, error) {
	e := &exchange{}
	if err := json.Unmarshal(line, e); err != nil {
		return nil, fmt.Errorf("not an exchange: %w", err)
	}
	switch {
	case e.Version > version:
		return nil, fmt.Errorf("format version %d is newer than this llmcall knows (%d)", e.Version, version)
	case e.Version < 1:
		return nil, errors.New("not an exchange: no format version")
	case e.Response == nil && e.Error == "":
		return nil, errors.New("not an exchange: neither a response nor an error")
	}
	if e.Response != nil {
		for i := range e.Response.Chunks {
			if _, err := e.Response.Chunks[i].bytes(); err != nil {
				return nil, fmt.Errorf("chunk %d: %w", i+1, err)
			}
		}
	}
	return e, nil
}

// MissError is a request that was not recorded, or more often asked than it was.
type MissError struct {
	Method, Path string
	// Known is how many exchanges of this very request there were, all of them used.
	Known int
	// Difference says how the nearest recorded request differs; empty if none was recorded.
	Difference string
}

func (e *MissError) Error() string {
	s := fmt.Sprintf("not recorded: %s %s", e.Method, e.Path)
	switch {
	case e.Known > 0:
		return s + fmt.Sprintf(": recorded %d times, asked once more", e.Known)
	case e.Difference != "":
		return s + ": the nearest recorded request differs: " + e.Difference
	}
	return s + ": nothing was recorded for it"
}

// Replayer answers from the cassette and never from the network: each request with the exchange recorded for the same path
// and canonical body, several such in their order. What is not there is a *MissError. The parts of a body come at once, or
// after the times recorded divided by speed if that is not 0.
func (c *Cassette) Replayer(speed float64) http.RoundTripper {
	return &replayer{exchanges: c.exchanges, used: make([]bool, len(c.exchanges)), speed: speed}
}

type replayer struct {
	exchanges []*exchange
	speed     float64
	mu        sync.Mutex
	used      []bool
}

// RoundTrip implements http.RoundTripper.
func (r *replayer) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		req.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	e, err := r.take(req.Method, req.URL.Path, body)
	if err != nil {
		return nil, err
	}
	if e.Response == nil {
		return nil, fmt.Errorf("recorded: %s: %w", e.Error, io.ErrUnexpectedEOF)
	}
	header := e.Response.Headers.Clone()
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{
		Status: strconv.Itoa(e.Response.Status) + " " + http.StatusText(e.Response.Status), StatusCode: e.Response.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header, ContentLength: -1, Request: req,
		Body: &replayedBody{req: req, response: e.Response, speed: r.speed, start: time.Now()},
	}, nil
}

func (r *replayer) take(method, path string, body []byte) (*exchange, error) {
	want := digest(body)
	r.mu.Lock()
	defer r.mu.Unlock()
	miss := &MissError{Method: method, Path: path}
	for i, e := range r.exchanges {
		if e.Request.Method != method || e.Request.Path != path || e.Request.Digest != want {
			continue
		}
		if !r.used[i] {
			r.used[i] = true
			return e, nil
		}
		miss.Known++
	}
	if miss.Known == 0 {
		miss.Difference = r.nearest(method, path, body)
	}
	return nil, miss
}

// nearest says how the recorded request that differs in the fewest places differs.
func (r *replayer) nearest(method, path string, body []byte) string {
	var best []string
	for _, e := range r.exchanges {
		if e.Request.Method != method {
			continue
		}
		var d []string
		if e.Request.Path != path {
			d = append(d, "path "+e.Request.Path)
		}
		d = append(d, differences("", decode(e.Request.Body), decode(body))...)
		if best == nil || len(d) < len(best) {
			best = d
		}
	}
	if len(best) == 0 {
		return ""
	}
	return strings.Join(best[:min(3, len(best))], "; ")
}

func decode(body []byte) any {
	var v any
	d := json.NewDecoder(bytes.NewReader(canonical(body)))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(body)
	}
	return v
}

// differences names the places where two JSON values differ, with what was recorded and what is asked.
func differences(at string, recorded, asked any) []string {
	switch r := recorded.(type) {
	case map[string]any:
		if a, ok := asked.(map[string]any); ok {
			names := map[string]bool{}
			for n := range r {
				names[n] = true
			}
			for n := range a {
				names[n] = true
			}
			var all, found = make([]string, 0, len(names)), []string(nil)
			for n := range names {
				all = append(all, n)
			}
			sort.Strings(all)
			for _, n := range all {
				before, was := r[n]
				after, is := a[n]
				switch {
				case !was:
					found = append(found, fmt.Sprintf("%s was absent, is %s", join(at, n), short(after)))
				case !is:
					found = append(found, fmt.Sprintf("%s was %s, is absent", join(at, n), short(before)))
				default:
					found = append(found, differences(join(at, n), before, after)...)
				}
			}
			return found
		}
	case []any:
		if a, ok := asked.([]any); ok && len(a) == len(r) {
			var found []string
			for i := range r {
				found = append(found, differences(join(at, strconv.Itoa(i)), r[i], a[i])...)
			}
			return found
		}
	default:
		if recorded == asked {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s was %s, is %s", at, short(recorded), short(asked))}
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// short is the beginning of a value's JSON.
func short(v any) string {
	b, _ := json.Marshal(v)
	r := []rune(string(b))
	if len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return string(r)
}

// replayedBody gives a recorded body part by part.
type replayedBody struct {
	req      *http.Request
	response *response
	speed    float64
	start    time.Time
	next     int
	rest     []byte
}

func (b *replayedBody) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		if b.next == len(b.response.Chunks) {
			if b.response.Broken {
				return 0, io.ErrUnexpectedEOF
			}
			return 0, io.EOF
		}
		c := &b.response.Chunks[b.next]
		if err := b.wait(c.At); err != nil {
			return 0, err
		}
		b.next++
		b.rest, _ = c.bytes()
		b.rest = slices.Clone(b.rest)
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// wait waits until a part is due.
func (b *replayedBody) wait(at float64) error {
	if b.speed == 0 {
		return b.req.Context().Err()
	}
	t := time.NewTimer(time.Until(b.start.Add(time.Duration(at / b.speed * float64(time.Millisecond)))))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-b.req.Context().Done():
		return b.req.Context().Err()
	}
}

// Close implements io.Closer.
func (b *replayedBody) Close() error { return nil }
