package providers

import (
	"io"
	"net/http"
	"strings"
)

// MockTransport gives a transport that answers requests to URLs of the scheme mock inside this process, as MockHandler does. Each
// flush of the handler reaches the reader at once; when the request's context ends, reading the reply gives the context's error.
//
// A script is NDJSON, one JSON object a line; blank lines count only as line numbers. A line with a match is a rule, which is tried
// for every request; a line without one answers once, in the order of the file. Rules go first, the first that matches; then
// the next line in turn; when nothing is left the reply is HTTP 500 and says so. Retries are requests too and take lines. Members of a line, none
// of them required:
//
//	match          object: "text", which the text of the last user message must contain; "model", which the request's model must equal
//	reply          string: the text of the reply; object: the whole body, sent as it is; array: the chunks of a stream, sent as they are.
//	               A line without reply, tool_calls, status and error says the last user text
//	reasoning      string: reasoning before the text
//	tool_calls     array of {"name", "arguments"}: arguments an object, or a string that is sent as it is
//	finish_reason  string: in place of stop, or of tool_calls
//	status         number 200 to 599: HTTP status; from 400 on the body is Infercom's for it unless error or reply gives one
//	error          needs status. string: a plain text body; object: the member error of a JSON body, with status 200 the error
//	               inside a reply, in a stream after the text
//	headers        object of strings: further headers of the reply, or others in place of the mock's own
//	delay          string such as "50ms" or "2s": time before the reply
//	chunk          number from 1: bytes of text in each delta of a stream, rounded up to whole characters, in place of a word each
//	cut            number from 0: the connection breaks after so many bytes of the body, if it has more
//	times          number from 1: how often the line answers; else a line in turn once, a rule always
//
// A script's error names its line.
func MockTransport(script []byte) (http.RoundTripper, error) {
	h, err := MockHandler(script)
	if err != nil {
		return nil, err
	}
	return mockTransport{h}, nil
}

// MockHandler answers requests for chat completions and for the list of models as Infercom does, as far as providers.md A tells. It is
// deterministic: ids, times and usage come from the request; a word counts as a token. Without a script (nil) the model
// picks what it does:
//
//	echo, ""      the text of the last user message, in a stream word by word
//	reasoning     the same after some reasoning
//	tool-call     a call of the first tool given, or the one that tool_choice names, else of get_time, with arguments that fit its
//	              parameters; after a tool's result, the text of that
//	json          an object that fits the request's json_schema, else one that holds the last user text
//	length        the first half of the text, with the finish reason length
//	slow-50ms     echo after any Go duration
//	truncate      echo, but the connection breaks midway
//	flaky-2       echo after so many 429s to the same request
//	status-503    that HTTP status, 200 to 599, as Infercom sends it: a JSON envelope, for 410 and 503 plain text
//
// With a script any model is taken.
func MockHandler(script []byte) (http.Handler, error) {
	m := &mock{}
	if script != nil {
		s, err := parseMockScript(script)
		if err != nil {
			return nil, err
		}
		m.script = s
	}
	return m, nil
}

// mock is the server behind both.
type mock struct {
	script *mockScript // nil: the model picks
	flaky  mockFailures
}

func (m *mock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		if !allowed(w, r, http.MethodPost) {
			return
		}
		m.complete(w, r)
	case strings.HasSuffix(r.URL.Path, "/models"):
		if !allowed(w, r, http.MethodGet) {
			return
		}
		mockReply{body: mockModels()}.write(w, r, &mockRequest{})
	default:
		mockReply{status: http.StatusNotFound, body: []byte(`{"error":"Not found"}`)}.write(w, r, &mockRequest{})
	}
}

func allowed(w http.ResponseWriter, r *http.Request, method string) bool {
	if r.Method == method {
		return true
	}
	w.Header().Set("Allow", method)
	mockReply{status: http.StatusMethodNotAllowed, body: []byte(`{"error":"Method not allowed"}`)}.write(w, r, &mockRequest{})
	return false
}

func (m *mock) complete(w http.ResponseWriter, r *http.Request) {
	body, err := readMockBody(r)
	if err != nil {
		return // the client is gone
	}
	req, fault := parseMockRequest(body)
	var reply mockReply
	switch {
	case fault != nil:
		reply = fault.reply(req)
	case m.script != nil:
		reply = m.script.reply(req)
	default:
		reply = m.pick(req)
	}
	reply.write(w, r, req)
}

// readMockBody reads a request's body in one piece where its length is known.
func readMockBody(r *http.Request) ([]byte, error) {
	if r.ContentLength <= 0 {
		return io.ReadAll(r.Body)
	}
	body := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, body)
	return body, err
}
