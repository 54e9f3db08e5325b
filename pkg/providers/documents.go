package providers

import (
	"bytes"
	"io"
	"iter"
	"net/http"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/llmcall/llmcall/pkg/object"
	"github.com/llmcall/llmcall/pkg/sse"
)

// maxBody is the size from which a JSON body is refused. n choices with logprobs make some MB.
const maxBody = 256 << 20

// Documents yields the chunks of a stream, or the one JSON body, as they were sent; each is valid until the next is asked
// for. flush, which may be nil, is called before each read of the network, so that what was written of earlier chunks does
// not wait for the next; its error ends the iteration as it is. An error is the last thing yielded: *APIError for an error
// inside the reply, *ProtocolError, ErrTruncated, *TimeoutError, the context's cause. At the end, or when the caller stops,
// the reply is closed.
//
// A chunk is an object from its first byte to its last; whether it is JSON throughout its reader finds out, so that each byte is
// scanned once. That a stream without [DONE] was whole its finish reasons say.
func (r *Response) Documents(flush func() error) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		defer r.Close()
		r.network.flush = flush
		if r.Stream {
			r.stream(yield)
			return
		}
		doc, err := r.readJSON()
		if err == nil && isErrorBody(doc) {
			doc, err = nil, r.apiError(doc, false)
		}
		yield(doc, err)
	}
}

// readJSON reads the whole body, which is one JSON text that reports no error.
func (r *Response) readJSON() ([]byte, error) {
	size := 8 << 10
	if n := r.resp.ContentLength; n > 0 && n < 8<<20 {
		size = int(n) + 512 // and the read that finds the end
	}
	body := make([]byte, 0, size)
	for {
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
		n, err := r.body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case err == io.EOF:
			return r.checkJSON(bytes.TrimPrefix(body, []byte("\ufeff")))
		case err != nil:
			return nil, r.readError(err)
		case len(body) > maxBody:
			return nil, r.call.protocolError(r.resp, "body of more than "+strconv.Itoa(maxBody>>20)+" MiB", nil)
		}
	}
}

// checkJSON tells a reply from an error that came with the status 200, and from what is no JSON.
func (r *Response) checkJSON(body []byte) ([]byte, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, r.call.protocolError(r.resp, "empty body", nil)
	}
	if err := object.Valid(body); err != nil {
		if r.closeDelimited() && endsEarly(body) {
			return nil, truncated(io.ErrUnexpectedEOF)
		}
		return nil, r.call.protocolError(r.resp, "body is not JSON", err)
	}
	if isError(body) {
		return nil, r.apiError(body, false)
	}
	return body, nil
}

// closeDelimited says that nothing but the end of the connection marks the end of the body, so that a cut looks like an end.
func (r *Response) closeDelimited() bool {
	return r.resp.ProtoMajor == 1 && r.resp.ContentLength < 0 && len(r.resp.TransferEncoding) == 0
}

// endsEarly says whether a JSON text ends inside an object, a list or a string.
func endsEarly(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return quoted || depth > 0
}

var (
	errorMember  = []byte(`"error"`)
	statusMember = []byte(`"status"`)
	doneMarker   = []byte("[DONE]")
)

// messageType is the type of an event that names none.
const messageType = "message"

// stream yields the chunks of an event stream.
func (r *Response) stream(yield func([]byte, error) bool) {
	events := sse.NewReader(r.body)
	events.EndAt(string(doneMarker))
	var usual frame
	for {
		event, err := events.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			yield(nil, r.readError(err))
			return
		}
		doc := event.Data
		// Nearly all events: one line, unnamed, an object in which nothing speaks of an error.
		if (len(event.Type) == 0 || string(event.Type) == messageType) && !event.Cut && !event.Joined &&
			len(doc) > 1 && doc[0] == '{' && doc[len(doc)-1] == '}' && usual.fits(doc) {
			r.network.fed = true
			if !yield(doc, nil) {
				return
			}
			continue
		}
		if !r.event(event, yield) {
			return
		}
	}
}

// event yields what an event that is out of the common holds. It says whether the stream goes on.
func (r *Response) event(event sse.Event, yield func([]byte, error) bool) bool {
	data := bytes.TrimSpace(event.Data)
	if string(event.Type) == "error" {
		if event.Cut && object.Valid(data) != nil {
			return r.stop(truncated(io.ErrUnexpectedEOF), yield)
		}
		return r.stop(r.apiError(data, true), yield)
	}
	named := len(event.Type) > 0 && string(event.Type) != messageType
	if isFiller(data) || bytes.Equal(data, doneMarker) || object.Valid(data) == nil || bytes.IndexByte(data, '\n') < 0 {
		return r.document(data, named, event.Cut, yield)
	}
	// Some servers leave out the blank line between events, so that several chunks arrive as the lines of one.
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		if data = rest; !r.document(bytes.TrimSpace(line), named, event.Cut, yield) {
			return false
		}
	}
	return true
}

// document yields one chunk, or what stands in its place. It says whether the stream goes on.
func (r *Response) document(doc []byte, named, cut bool, yield func([]byte, error) bool) bool {
	switch {
	case isFiller(doc):
		return true
	case bytes.Equal(doc, doneMarker):
		r.Done = true
		return false
	}
	if err := object.Valid(doc); err != nil {
		switch {
		case cut:
			return r.stop(truncated(io.ErrUnexpectedEOF), yield)
		case named: // such as a ping with the time
			return true
		}
		return r.stop(r.call.protocolError(r.resp, "event is not JSON: "+strconv.Quote(oneLine(string(doc), 100)), err), yield)
	}
	if isError(doc) {
		r.network.fed = true
		if hasContent(doc) && !yield(doc, nil) {
			return false
		}
		return r.stop(r.apiError(doc, true), yield)
	}
	if named && !gjson.GetBytes(doc, "choices").Exists() {
		return true
	}
	if doc[0] != '{' {
		return r.stop(r.call.protocolError(r.resp, "event is no JSON object: "+strconv.Quote(oneLine(string(doc), 100)), nil), yield)
	}
	r.network.fed = true
	return yield(doc, nil)
}

// stop yields the error that ends the stream.
func (r *Response) stop(err error, yield func([]byte, error) bool) bool {
	yield(nil, err)
	return false
}

// apiError makes the error of a reply that came with the status 200.
func (r *Response) apiError(doc []byte, streamed bool) *APIError {
	e := r.call.client.apiError(r.call.url, http.StatusOK, r.Header, doc)
	e.Streamed = streamed
	return e
}

// isFiller says whether data is sent only to keep the connection alive: nothing, or a comment that a gateway has wrapped as data.
func isFiller(data []byte) bool { return len(data) == 0 || data[0] == ':' }

// isError says whether a JSON document reports an error: a member error that says something, a list of such, vLLM's object
// of type error, or the wrapper of Exascale's interface with a status of false.
func isError(doc []byte) bool {
	if !bytes.Contains(doc, errorMember) && !bytes.Contains(doc, statusMember) {
		return false
	}
	v := gjson.ParseBytes(doc)
	if v.IsArray() {
		v = v.Get("0")
	}
	return !isEmpty(v.Get("error")) || choiceError(v).Exists() || v.Get("object").Str == "error" || v.Get("type").Str == "error" || v.Get("status").Type == gjson.False
}

// choiceError gives the error that a choice carries, as OpenRouter sends it beside the finish reason error.
func choiceError(v gjson.Result) (found gjson.Result) {
	v.Get("choices").ForEach(func(_, choice gjson.Result) bool {
		if e := choice.Get("error"); !isEmpty(e) {
			found = e
		}
		return !found.Exists()
	})
	return found
}

// isErrorBody says whether a body without choices looks like what gateways say in a reply's place.
func isErrorBody(body []byte) bool {
	v := gjson.ParseBytes(body)
	if !v.IsObject() || !isEmpty(v.Get("choices")) {
		return false
	}
	for _, name := range [...]string{"message", "detail", "errors", "error_message", "error_msg", "msg"} {
		if !isEmpty(v.Get(name)) {
			return true
		}
	}
	return false
}

// hasContent says whether a chunk that reports an error also carries text.
func hasContent(doc []byte) bool {
	found := false
	gjson.GetBytes(doc, "choices").ForEach(func(_, choice gjson.Result) bool {
		for _, name := range [...]string{"content", "reasoning", "reasoning_content", "tool_calls"} {
			found = found || !isEmpty(choice.Get("delta."+name))
		}
		return !found
	})
	return found
}
