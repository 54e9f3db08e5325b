package providers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/llmcall/llmcall/pkg/object"
)

// mockScript is a script of replies; MockTransport tells its form.
type mockScript struct {
	lines int // that say something

	mu    sync.Mutex
	rules []*mockLine
	turns []*mockLine // those that still answer
}

// mockLine is one line of a script.
type mockLine struct {
	rule   bool
	text   []byte // of the match
	model  string
	anyone bool // the match does not name a model
	times  int  // how often it still answers; a negative number never comes to 0

	says   mockReply
	echo   bool // the content is the request's text
	status bool // the body is that of a status
	fault  []byte
}

func parseMockScript(script []byte) (*mockScript, error) {
	s := &mockScript{}
	number := 0
	for text := range bytes.Lines(bytes.TrimPrefix(script, []byte("\ufeff"))) {
		number++
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		line, err := parseMockLine(bytes.TrimRight(text, "\r\n"))
		var syntax *object.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return nil, fmt.Errorf("line %d, column %d: %s", number, syntax.Column, syntax.Msg)
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		s.lines++
		if line.rule {
			s.rules = append(s.rules, line)
		} else {
			s.turns = append(s.turns, line)
		}
	}
	if s.lines == 0 {
		return nil, errors.New("mock script has no line")
	}
	return s, nil
}

func parseMockLine(text []byte) (*mockLine, error) {
	o, err := object.Parse(text)
	if err != nil {
		return nil, err
	}
	line := &mockLine{anyone: true, says: mockReply{finish: "stop"}}
	var says, hasTimes bool
	for name, value := range o.All() {
		switch name {
		case "match":
			line.rule = true
			err = line.parseMatch(value)
		case "reply":
			says = true
			err = line.parseReply(value)
		case "reasoning":
			line.says.reasoning, err = mockText(value)
		case "tool_calls":
			says = true
			line.says.calls, err = parseMockCalls(value)
		case "finish_reason", "status", "headers", "error", "delay", "chunk", "cut":
			err = line.parseDetail(name, value)
		case "times":
			hasTimes = true
			line.times, err = mockNumber(value, 1)
		default:
			err = errors.New("not a member of a mock script's line")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if !hasTimes {
		if line.times = 1; line.rule {
			line.times = -1
		}
	}
	if _, ok := o.Get("finish_reason"); !ok && len(line.says.calls) > 0 {
		line.says.finish = "tool_calls"
	}
	if line.fault != nil && line.says.status == 0 {
		return nil, errors.New("error: needs a status")
	}
	line.status = !says && line.fault == nil && line.says.status != 0 && line.says.status != http.StatusOK
	line.echo = !says && line.fault == nil
	return line, nil
}

func (line *mockLine) parseMatch(value []byte) error {
	o, err := object.Parse(value)
	if err != nil {
		return errors.New("want an object")
	}
	for name, value := range o.All() {
		var text []byte
		switch name {
		case "text", "model":
			text, err = mockText(value)
		default:
			err = errors.New("not a member of a match")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if name == "text" {
			line.text = text
		} else {
			line.model, line.anyone = string(text), false
		}
	}
	return nil
}

func (line *mockLine) parseReply(value []byte) (err error) {
	switch value[0] {
	case '{':
		line.says.body = value
	case '[':
		line.says.chunks = value
	case '"':
		line.says.content, err = mockText(value)
	default:
		return errors.New("want a string, an object or an array")
	}
	return err
}

func (line *mockLine) parseDetail(name string, value []byte) (err error) {
	says := &line.says
	switch name {
	case "finish_reason":
		var text []byte
		text, err = mockText(value)
		says.finish = string(text)
	case "status":
		if says.status, err = mockNumber(value, 200); err == nil && says.status > 599 {
			err = errors.New("want a number from 200 to 599")
		}
	case "headers":
		says.header, err = parseMockHeaders(value)
	case "error":
		if line.fault = value; value[0] != '{' && value[0] != '"' {
			err = errors.New("want a string or an object")
		}
	case "delay":
		var text []byte
		if text, err = mockText(value); err == nil {
			if says.delay, err = time.ParseDuration(string(text)); err != nil || says.delay < 0 {
				err = fmt.Errorf("not a duration such as 50ms: %s", value)
			}
		}
	case "chunk":
		says.chunk, err = mockNumber(value, 1)
	case "cut":
		var n int
		n, err = mockNumber(value, 0)
		says.cut = &n
	}
	return err
}

func parseMockCalls(value []byte) ([]mockCall, error) {
	var list []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	d := json.NewDecoder(bytes.NewReader(value))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return nil, errors.New("want an array of objects with name and arguments")
	}
	var calls []mockCall
	for i, c := range list {
		if c.Name == "" {
			return nil, fmt.Errorf("%d: no name", i)
		}
		switch arguments := []byte(c.Arguments); {
		case len(arguments) == 0:
			calls = append(calls, mockCall{c.Name, []byte("{}")})
		case arguments[0] == '{':
			calls = append(calls, mockCall{c.Name, arguments})
		case arguments[0] == '"':
			calls = append(calls, mockCall{c.Name, object.AppendUnquoted([]byte{}, arguments)})
		default:
			return nil, fmt.Errorf("%d: arguments: want an object or a string", i)
		}
	}
	return calls, nil
}

func parseMockHeaders(value []byte) (http.Header, error) {
	o, err := object.Parse(value)
	if err != nil {
		return nil, errors.New("want an object of strings")
	}
	h := http.Header{}
	for name, value := range o.All() {
		text, err := mockText(value)
		if err == nil && (name == "" || strings.ContainsAny(name, " \t\r\n:") || bytes.ContainsAny(text, "\r\n\x00")) {
			err = errors.New("not a header")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		h.Add(name, string(text))
	}
	return h, nil
}

// mockText is the text of a JSON string, never nil.
func mockText(value []byte) ([]byte, error) {
	if value[0] != '"' {
		return nil, errors.New("want a string")
	}
	return object.AppendUnquoted([]byte{}, value), nil
}

func mockNumber(value []byte, least int) (int, error) {
	n, err := strconv.Atoi(string(value))
	if err != nil || n < least {
		return 0, fmt.Errorf("want a number from %d", least)
	}
	return n, nil
}

// reply takes the line that answers a request.
func (s *mockScript) reply(req *mockRequest) mockReply {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.rules {
		if line.times != 0 && line.matches(req) {
			line.times--
			return line.reply(req)
		}
	}
	if len(s.turns) > 0 {
		line := s.turns[0]
		if line.times--; line.times == 0 {
			s.turns = s.turns[1:]
		}
		return line.reply(req)
	}
	return mockReply{
		status: http.StatusInternalServerError, header: http.Header{"X-Should-Retry": {"false"}},
		body: req.envelope(http.StatusInternalServerError, "mock_script_ended", "", fmt.Sprintf("mock script has no reply left; it has %d lines", s.lines)),
	}
}

func (line *mockLine) matches(req *mockRequest) bool {
	return (line.anyone || line.model == req.model) && bytes.Contains(req.text, line.text)
}

// reply makes of the line the reply to a request.
func (line *mockLine) reply(req *mockRequest) mockReply {
	reply := line.says
	if line.echo {
		reply.content = append([]byte{}, req.text...)
	}
	status := reply.status
	switch {
	case line.status:
		reply = statusReply(req, status, reply)
		reply.delay, reply.cut = line.says.delay, line.says.cut
		reply.header = mergeHeaders(reply.header, line.says.header)
	case line.fault != nil && line.fault[0] == '"':
		reply.body, _ = mockText(line.fault)
		reply.kind = "text/plain; charset=utf-8"
	case line.fault != nil && status == http.StatusOK:
		reply.fault = line.fault
	case line.fault != nil:
		reply.body = req.signed(append([]byte(`{"error":`), line.fault...))
	}
	return reply
}

func mergeHeaders(a, b http.Header) http.Header {
	merged := a.Clone()
	if merged == nil {
		merged = http.Header{}
	}
	for name, values := range b {
		merged[name] = values
	}
	return merged
}
