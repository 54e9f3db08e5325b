package providers

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/llmcall/llmcall/pkg/sse"
)

// Response is a reply whose status is 200.
type Response struct {
	Status    int
	Header    http.Header
	RequestID string // of a header; "" when no header has one
	// Stream says that the body is an event stream, of which Documents gives the chunks; else it gives the one body.
	Stream bool
	// Done says, once Documents has ended, that the stream ended with [DONE].
	Done    bool
	Timings Timings

	call    *call
	resp    *http.Response
	network *network
	body    *bufio.Reader // unpacked
}

// Timings are counted from the start of Do. Connect is zero where no new connection was made.
type Timings struct {
	Connect   time.Duration
	FirstByte time.Duration
}

// Close gives up the rest of the reply and its connection. Documents does so at its end.
func (r *Response) Close() error {
	err := r.resp.Body.Close()
	r.call.end()
	return err
}

// kind says whether the body is an event stream. The Content-Type decides, except where it says nothing, or where the first
// bytes are beyond doubt: some servers send an error as JSON in a stream's place.
func (r *Response) kind() (stream bool, err error) {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	looks, err := sniff(r.body)
	if err != nil {
		return false, r.readError(err)
	}
	switch {
	case media == "text/event-stream":
		return looks != looksJSON, nil
	case media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json"):
		return looks == looksStream, nil // no JSON text starts so
	case media == "" || media == "text/plain" || media == "application/octet-stream" || media == "binary/octet-stream":
		if looks != looksOther {
			return looks == looksStream, nil
		}
	}
	return false, r.foreign(media)
}

// foreign is the error of a body that is neither JSON nor an event stream.
func (r *Response) foreign(media string) error {
	message := "reply has no Content-Type and is neither JSON nor an event stream"
	if shown := oneLine(r.Header.Get("Content-Type"), 100); shown != "" {
		message = "reply is " + shown + ", neither JSON nor an event stream"
	}
	start, _ := io.ReadAll(io.LimitReader(r.body, 64<<10))
	if title := htmlTitle(start); title != "" {
		message += ": " + strconv.Quote(title)
	} else if media == "text/plain" && len(start) > 0 {
		message += ": " + oneLine(string(start), 200)
	}
	return r.call.protocolError(r.resp, message, nil)
}

// What the first bytes of a body look like.
const (
	looksEmpty = iota
	looksJSON
	looksStream
	looksOther
)

// sniff looks at a body's first bytes, of which it takes none, and at as few as will do: more may be long in coming.
func sniff(r *bufio.Reader) (int, error) {
	for {
		start, err := r.Peek(r.Buffered())
		text := bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\ufeff")), " \t\r\n")
		switch {
		case isEventStream(text):
			return looksStream, nil
		case len(text) > 0 && (text[0] == '{' || text[0] == '['):
			return looksJSON, nil
		}
		if len(text) == 0 || isStreamBeginning(text) || strings.HasPrefix("\ufeff", string(start)) {
			if _, err = r.Peek(len(start) + 1); err == nil {
				continue
			}
		}
		switch {
		case err != nil && err != io.EOF && err != bufio.ErrBufferFull:
			return 0, err
		case len(text) > 0:
			return looksOther, nil
		}
		return looksEmpty, nil
	}
}

// streamFields are what the lines of an event stream start with.
var streamFields = [...]string{":", "data:", "event:", "id:", "retry:", "error:"}

// isEventStream says whether text starts as an event stream does.
func isEventStream(text []byte) bool {
	for _, field := range streamFields {
		if bytes.HasPrefix(text, []byte(field)) {
			return true
		}
	}
	return false
}

// isStreamBeginning says whether more text may make it start as an event stream does.
func isStreamBeginning(text []byte) bool {
	for _, field := range streamFields {
		if len(text) < len(field) && field[:len(text)] == string(text) {
			return true
		}
	}
	return false
}

// readError says what an error of reading the body means: the network's own are told already, the others are of what it carried.
func (r *Response) readError(err error) error {
	switch {
	case r.network.err != nil:
		return r.network.err
	case errors.Is(err, io.ErrUnexpectedEOF): // gzip's: the body ended well as far as HTTP knows
		return truncated(err)
	case errors.Is(err, sse.ErrTooLong):
		return r.call.protocolError(r.resp, "event of more than "+strconv.Itoa(sse.MaxEvent>>20)+" MiB", nil)
	}
	return r.call.protocolError(r.resp, "body cannot be unpacked", err)
}
