package providers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"

	"github.com/llmcall/llmcall/pkg/object"
)

// mockRequest is what the mock reads of a request for a completion.
type mockRequest struct {
	// sum is a digest of all that the reply depends on, from which ids and times are made. Whether the reply is a stream is not in it.
	sum    [sha256.Size]byte
	model  string
	stream bool
	n      int
	text   []byte // of the last user message
	result []byte // of the last message, when that is a tool's
	words  int    // in the texts of all messages
	tools  []byte // the members of these names, as sent
	choice []byte
	format []byte
}

// mockFault is what is wrong with a request.
type mockFault struct {
	status               int
	code, param, message string
}

func (f *mockFault) reply(req *mockRequest) mockReply {
	return mockReply{status: f.status, body: req.envelope(f.status, f.code, f.param, f.message)}
}

// maxMockChoices is OpenAI's bound of n.
const maxMockChoices = 128

// parseMockRequest reads a request. The request it gives is never nil.
func parseMockRequest(body []byte) (*mockRequest, *mockFault) {
	req := &mockRequest{n: 1}
	o, err := object.Parse(body)
	if err != nil {
		req.sum = sha256.Sum256(body)
		return req, &mockFault{400, "", "", "body cannot be read: " + err.Error()}
	}
	sum := sha256.New()
	for name, value := range o.All() {
		if name != "stream" && name != "stream_options" {
			sum.Write([]byte(name))
			sum.Write(value)
		}
	}
	sum.Sum(req.sum[:0])
	req.tools, _ = o.Get("tools")
	req.choice, _ = o.Get("tool_choice")
	req.format, _ = o.Get("response_format")
	if v, ok := given(o, "model"); ok {
		if v[0] != '"' {
			return req, &mockFault{400, "invalid_type", "model", "model must be a string"}
		}
		req.model = string(object.AppendUnquoted(nil, v))
	}
	if v, ok := given(o, "stream"); ok {
		if v[0] != 't' && v[0] != 'f' {
			return req, &mockFault{400, "invalid_type", "stream", "stream must be true or false"}
		}
		req.stream = v[0] == 't'
	}
	if v, ok := given(o, "n"); ok {
		switch req.n, err = strconv.Atoi(string(v)); {
		case err != nil:
			return req, &mockFault{400, "invalid_type", "n", "n must be an integer"}
		case req.n < 1:
			return req, &mockFault{400, "integer_below_min_value", "n", "n must be at least 1"}
		case req.n > maxMockChoices:
			return req, &mockFault{400, "integer_above_max_value", "n", "n must be at most " + strconv.Itoa(maxMockChoices)}
		}
	}
	messages, ok := given(o, "messages")
	if !ok {
		return req, &mockFault{400, "missing_required_field", "messages", "messages is required"}
	}
	return req, req.read(messages)
}

// given gives a member that is there and not null.
func given(o *object.Object, name string) (value []byte, ok bool) {
	value, ok = o.Get(name)
	return value, ok && value[0] != 'n'
}

// read takes the texts from messages.
func (req *mockRequest) read(messages []byte) *mockFault {
	c := object.NewCursor(messages)
	if !c.Begin('[') {
		return &mockFault{400, "invalid_type", "messages", "messages must be an array"}
	}
	count := 0
	for ; c.Next(); count++ {
		message, err := object.Parse(c.Value())
		param := "messages[" + strconv.Itoa(count) + "]"
		if err != nil {
			return &mockFault{400, "invalid_type", param, param + " must be an object"}
		}
		role, ok := given(message, "role")
		if !ok {
			return &mockFault{400, "missing_required_field", param + ".role", param + ".role is required"}
		}
		content, _ := given(message, "content")
		text := contentText(content)
		req.words += countWords(text)
		req.result = nil
		switch string(role) {
		case `"user"`:
			req.text = text
		case `"tool"`:
			req.result = text
		}
	}
	if count == 0 {
		return &mockFault{400, "empty_array", "messages", "messages must not be empty"}
	}
	return nil
}

// contentText is the text of a message's content: a string, or the text parts of an array, joined.
func contentText(content []byte) []byte {
	if len(content) == 0 {
		return nil
	}
	if content[0] == '"' {
		return object.AppendUnquoted(make([]byte, 0, len(content)), content)
	}
	var text []byte
	c := object.NewCursor(content)
	if !c.Begin('[') {
		return nil
	}
	for c.Next() {
		part, err := object.Parse(c.Value())
		if err != nil {
			continue
		}
		if t, ok := given(part, "text"); ok && t[0] == '"' {
			text = object.AppendUnquoted(text, t)
		}
	}
	return text
}

// id is the completion's.
func (req *mockRequest) id() string { return "chatcmpl-" + hex.EncodeToString(req.sum[:8]) }

// created is a time of the year 2026, in seconds of the epoch.
func (req *mockRequest) created() int64 {
	return 1767225600 + int64(req.sum[8])<<16 + int64(req.sum[9])<<8 + int64(req.sum[10])
}

// uuid has the form of RFC 9562, version 8.
func (req *mockRequest) uuid() string {
	b := [16]byte(req.sum[16:])
	b[6] = b[6]&0x0f | 0x80
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// envelope is an error's body in Infercom's shape (providers.md A4); an empty code or param is null.
func (req *mockRequest) envelope(status int, code, param, message string) []byte {
	kind := "invalid_request_error"
	switch {
	case status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case status >= 500:
		kind = "server_error"
	}
	b := append([]byte(`{"error":{"message":`), quoted(message)...)
	b = append(b, `,"type":`...)
	b = append(b, quoted(kind)...)
	b = append(b, `,"param":`...)
	b = append(b, quotedOrNull(param)...)
	b = append(b, `,"code":`...)
	b = append(b, quotedOrNull(code)...)
	return req.signed(append(b, '}'))
}

// signed ends an error's body with the request's id.
func (req *mockRequest) signed(b []byte) []byte {
	b = append(b, `,"request_id":"`...)
	b = append(b, req.uuid()...)
	return append(b, `"}`...)
}

func quoted(s string) []byte {
	return object.AppendString(nil, bytes.ToValidUTF8([]byte(s), []byte("\ufffd")))
}

func quotedOrNull(s string) []byte {
	if s == "" {
		return []byte("null")
	}
	return quoted(s)
}

// countWords counts what white space separates.
func countWords(text []byte) int {
	n := 0
	for i := skipBlanks(text, 0); i < len(text); i = skipBlanks(text, i) {
		n++
		for i < len(text) && !isBlank(text[i]) {
			i++
		}
	}
	return n
}

// nextWord cuts the next word off text, with the white space before it and, where no word follows, that behind it.
func nextWord(text []byte) (word, rest []byte) {
	i := skipBlanks(text, 0)
	for i < len(text) && !isBlank(text[i]) {
		i++
	}
	if skipBlanks(text, i) == len(text) {
		i = len(text)
	}
	return text[:i], text[i:]
}

func skipBlanks(text []byte, i int) int {
	for i < len(text) && isBlank(text[i]) {
		i++
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
