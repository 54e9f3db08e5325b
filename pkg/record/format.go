package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"
)

// version is that of the file's format. Older ones can be read; a new one is due when a file of it would be misread by a reader of
// the old, not for a further member.
const version = 1

// exchange is a line of the file.
type exchange struct {
	Version  int       `json:"v"`
	Request  request   `json:"request"`
	Response *response `json:"response,omitempty"`
	// Error is how the request failed before a response came, and Kind what sort of failure that was.
	Error string `json:"error,omitempty"`
	Kind  string `json:"kind,omitempty"`

	key key
}

type request struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	// Body is the request's, secrets replaced; Digest the SHA-256 of its canonical form. A line without the body is matched by the
	// digest alone.
	Body   json.RawMessage `json:"body,omitempty"`
	Digest string          `json:"digest"`
}

type response struct {
	Status  int         `json:"status"`
	Headers http.Header `json:"headers,omitempty"`
	Chunks  []chunk     `json:"chunks"`
	// Unframed says that nothing but the end of the connection marked the end of the body.
	Unframed bool `json:"unframed,omitempty"`
	// Broken says that the body broke off behind its chunks; Error how, when not by the end of the connection.
	Broken bool   `json:"broken,omitempty"`
	Error  string `json:"error,omitempty"`
}

// chunk is a part of a body as it was read: text, or base64 where it is no UTF-8. At is in milliseconds from the request.
type chunk struct {
	At     float64 `json:"at"`
	Text   string  `json:"text,omitempty"`
	Base64 string  `json:"base64,omitempty"`

	data []byte // of Base64 once it was loaded
}

func newChunk(at float64, data []byte) chunk {
	if utf8.Valid(data) {
		return chunk{At: at, Text: string(data)}
	}
	return chunk{At: at, Base64: base64.StdEncoding.EncodeToString(data)}
}

// key is what requests are matched by.
type key struct{ method, path, digest string }

// Load reads a file of exchanges. An error names the line.
func Load(r io.Reader) (*Cassette, error) {
	c := &Cassette{}
	lines := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
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
	// The version first: a newer format may hold anything.
	var head struct {
		Version int `json:"v"`
	}
	if err := json.Unmarshal(line, &head); err == nil {
		switch {
		case head.Version > version:
			return nil, fmt.Errorf("format version %d is newer than this llmcall knows (%d)", head.Version, version)
		case head.Version < 1:
			return nil, errors.New("not an exchange: no format version")
		}
	}
	e := &exchange{}
	if err := json.Unmarshal(line, e); err != nil {
		return nil, fmt.Errorf("not an exchange: %w", err)
	}
	switch {
	case e.Response == nil && e.Error == "":
		return nil, errors.New("not an exchange: neither a response nor an error")
	case e.Response != nil && (e.Response.Status < 100 || e.Response.Status > 999):
		return nil, fmt.Errorf("not an exchange: response status %d", e.Response.Status)
	}
	if e.Response != nil {
		for i := range e.Response.Chunks {
			c := &e.Response.Chunks[i]
			var err error
			if c.data, err = base64.StdEncoding.DecodeString(c.Base64); err != nil {
				return nil, fmt.Errorf("chunk %d: %w", i+1, err)
			}
		}
	}
	e.key = key{e.Request.Method, e.Request.Path, e.Request.Digest}
	if len(e.Request.Body) > 0 {
		e.key.digest = digest(e.Request.Body)
	}
	return e, nil
}

// digest is the SHA-256 of a body's canonical form.
func digest(body []byte) string {
	sum := sha256.Sum256(canonical(body))
	return hex.EncodeToString(sum[:])
}

// canonical is a JSON object without stream and stream_options, its members sorted, numbers as spelled and no white space.
// What is no JSON object stays as it is.
func canonical(body []byte) []byte {
	value, ok := decode(body).(map[string]any)
	if !ok {
		return body
	}
	delete(value, "stream")
	delete(value, "stream_options")
	out, err := json.Marshal(value)
	if err != nil {
		return body
	}
	return out
}

// decode gives a JSON text as values, numbers as spelled; what is none as a string.
func decode(text []byte) any {
	if !json.Valid(text) {
		return string(text)
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(text)
	}
	return v
}
