package providers

import (
	"bytes"
	"html"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/llmcall/llmcall/pkg/object"
	"github.com/llmcall/llmcall/pkg/sse"
)

// errorFields is what the body of an error says, as its JSON has it: not cleaned, not cut.
type errorFields struct {
	message, code, kind, param string
	modelOutput                string
	status                     int // a number 400..599 that stands for a status in it; 0: none
}

// decodeError reads the body of an error in every shape of providers.md section E: JSON objects and lists of many kinds, an
// event of an event stream, plain text, and a page of HTML, of which the title is all that counts.
func decodeError(body []byte, contentType string) errorFields {
	text := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	media, _, _ := mime.ParseMediaType(contentType)
	switch {
	case len(text) == 0:
		return errorFields{}
	case text[0] == '{' || text[0] == '[' || text[0] == '"':
		if object.Valid(text) == nil {
			return decodeErrorJSON(gjson.ParseBytes(text), 0)
		}
	case media == "text/html" || text[0] == '<':
		return errorFields{message: htmlTitle(text)}
	case isEventStream(text):
		if event, err := sse.NewReader(bytes.NewReader(text)).Next(); err == nil {
			return decodeError(event.Data, "")
		}
	}
	return errorFields{message: string(text)}
}

// decodeErrorJSON reads one JSON value that reports an error, in the order of providers.md section E. Where nothing in it is
// known the message is the JSON itself.
func decodeErrorJSON(v gjson.Result, depth int) errorFields {
	var f errorFields
	switch {
	case depth > 3: // a reply may nest as it likes
	case v.Type == gjson.String:
		return decodeErrorText(v.Str, depth)
	case v.IsArray():
		f = decodeErrorList(v, depth)
	case v.IsObject():
		f = decodeErrorObject(v, depth)
	}
	if f.message == "" {
		// A code alone says more than much JSON round it.
		if f.message = v.Raw; f.code != "" && len(v.Raw) > 200 {
			f.message = f.code
		}
	}
	return f
}

// decodeErrorObject reads an object whose error may stand in the member error, as an object, a text or a list, or in the
// object itself.
func decodeErrorObject(v gjson.Result, depth int) errorFields {
	e := v.Get("error")
	if isEmpty(e) {
		e = choiceError(v)
	}
	switch {
	case isEmpty(e):
		return decodeErrorFlat(v, depth)
	case e.Type == gjson.String:
		f, text := decodeErrorFlat(v, depth), decodeErrorText(e.Str, depth)
		f.message = joined(text.message, f.message)
		return f
	case !e.IsObject():
		return decodeErrorJSON(e, depth+1)
	}
	f := decodeErrorFlat(e, depth)
	if f.message == "" && e.Get("error").Exists() {
		f = decodeErrorJSON(e, depth+1)
	}
	if f.message == "" {
		f.message = first(v, "message")
	}
	if f.message == "" && f.code == "" {
		f.message = e.Raw
	}
	if f.status == 0 {
		f.status = statusIn(v)
	}
	return f
}

// decodeErrorText reads an error given as a string, which may be JSON that a gateway has wrapped.
func decodeErrorText(s string, depth int) errorFields {
	if t := strings.TrimSpace(s); strings.HasPrefix(t, "{") && object.Valid([]byte(t)) == nil {
		return decodeErrorJSON(gjson.Parse(t), depth+1)
	}
	return errorFields{message: s}
}

// decodeErrorList reads a list of errors: the first is the one, the messages of the others follow it.
func decodeErrorList(v gjson.Result, depth int) errorFields {
	var f errorFields
	n := 0
	v.ForEach(func(_, item gjson.Result) bool {
		if isEmpty(item) {
			return true
		}
		next := decodeErrorJSON(item, depth+1)
		if n++; n == 1 {
			f = next
		} else {
			f.message += "; " + next.message
		}
		return len(f.message) < maxMessage
	})
	return f
}

// decodeErrorFlat reads the members of one object that describe an error; the message may be empty.
func decodeErrorFlat(v gjson.Result, depth int) errorFields {
	f := errorFields{
		code:        first(v, "code", "error_code", "errorCode", "data.error_reason.error_key"),
		kind:        first(v, "type", "error_type", "errorType", "__type"),
		param:       first(v, "param", "error_param"),
		modelOutput: first(v, "error_model_output", "model_output"),
		status:      statusIn(v),
	}
	if f.kind == "error" { // the event's type in Anthropic's shape
		f.kind = ""
	}
	f.message = joined(first(v, "message", "msg", "error_message", "errorMessage", "error_msg", "error_description", "description", "title", "reason", "fault.faultstring"), first(v, "data.error_reason.message"))
	// OpenRouter's own message is a phrase; what the provider behind it said is in metadata.raw.
	if raw := v.Get("metadata.raw"); raw.Type == gjson.String && raw.Str != "" {
		f.message = joined(f.message, decodeErrorText(raw.Str, depth).message)
	}
	if detail := v.Get("detail"); !isEmpty(detail) {
		f.message = joined(f.message, decodeDetail(detail, depth))
	}
	if list := v.Get("errors"); f.message == "" && !isEmpty(list) {
		f.message = decodeErrorJSON(list, depth+1).message
	}
	return f
}

// decodeDetail reads FastAPI's detail: a text, a list of what was wrong where, or an object of a server's own.
func decodeDetail(v gjson.Result, depth int) string {
	if !v.IsArray() {
		return decodeErrorJSON(v, depth+1).message
	}
	var parts []string
	v.ForEach(func(_, item gjson.Result) bool {
		text := first(item, "msg", "message")
		if text == "" {
			text = decodeErrorJSON(item, depth+1).message
		}
		var where []string
		item.Get("loc").ForEach(func(_, step gjson.Result) bool {
			where = append(where, step.String())
			return true
		})
		if len(where) > 0 {
			text = strings.Join(where, ".") + ": " + text
		}
		parts = append(parts, text)
		return len(parts) < 8
	})
	return strings.Join(parts, "; ")
}

// first gives the first of these members that says something, as text whatever its JSON type.
func first(v gjson.Result, paths ...string) string {
	for _, path := range paths {
		switch m := v.Get(path); {
		case isEmpty(m):
		case m.Type == gjson.String:
			return m.Str
		default:
			return m.Raw
		}
	}
	return ""
}

// isEmpty says whether a member is absent or says nothing: null, false, "", {}, [], 0.
func isEmpty(v gjson.Result) bool {
	switch v.Type {
	case gjson.Null, gjson.False:
		return true
	case gjson.String:
		return strings.TrimSpace(v.Str) == ""
	case gjson.Number:
		return v.Num == 0
	case gjson.JSON:
		inner := strings.TrimSpace(v.Raw)
		return len(inner) >= 2 && strings.TrimSpace(inner[1:len(inner)-1]) == ""
	}
	return false
}

// statusIn finds a number 400..599 that an object gives as its status or code.
func statusIn(v gjson.Result) int {
	for _, name := range [...]string{"code", "status", "status_code", "statusCode", "error_code", "http_status"} {
		m := v.Get(name)
		if m.Type != gjson.Number && m.Type != gjson.String {
			continue
		}
		if n, err := strconv.Atoi(m.String()); err == nil && n >= 400 && n <= 599 {
			return n
		}
	}
	return 0
}

// joined gives both texts with a colon between them, or the one that holds the other.
func joined(a, b string) string {
	switch {
	case b == "" || strings.Contains(a, b):
		return a
	case a == "" || strings.Contains(b, a):
		return b
	}
	return a + ": " + b
}

// htmlTitle gives the title of a page, at most 200 bytes of it; "" without one.
func htmlTitle(page []byte) string {
	page = page[:min(len(page), 64<<10)]
	from := indexTag(page, "<title")
	if from < 0 {
		return ""
	}
	open := bytes.IndexByte(page[from:], '>')
	if open < 0 {
		return ""
	}
	title := page[from+open+1:]
	end := indexTag(title, "</title")
	if end < 0 {
		return ""
	}
	return oneLine(html.UnescapeString(string(title[:end])), 200)
}

// indexTag finds a tag whose name may be written in capitals.
func indexTag(page []byte, tag string) int {
	for i := 0; i+len(tag) <= len(page); i++ {
		if page[i] == '<' && strings.EqualFold(string(page[i:i+len(tag)]), tag) {
			return i
		}
	}
	return -1
}

// apiError makes the error of a reply: its body decoded, cleaned, and without secrets.
func (c *Client) apiError(url string, status int, h http.Header, body []byte) *APIError {
	contentType := h.Get("Content-Type")
	f := decodeError(body, contentType)
	secrets := c.secrets()
	line := func(s string, max int) string { return cut(redact(oneLine(s, math.MaxInt), secrets), max) }
	e := &APIError{
		Provider: c.Provider.Name, URL: url, Status: status, Header: h, ContentType: contentType,
		Code: line(f.code, 200), Type: line(f.kind, 200), Param: line(f.param, 200), Message: line(f.message, maxMessage),
		ModelOutput: redact(plain(f.modelOutput), secrets),
		RequestID:   redact(RequestID(h, body), secrets),
		Body:        []byte(redact(string(body), secrets)),
	}
	if status == http.StatusOK {
		e.Inner = f.status
	}
	if e.Message == "" {
		switch e.Message = http.StatusText(status); {
		case status == http.StatusOK:
			e.Message = "an error without a message"
		case e.Message == "":
			e.Message = "no message"
		}
	}
	return e
}
