package providers

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/llmcall/llmcall/pkg/object"
)

// mockEcho is what a request without a model gets.
const mockEcho = "echo"

// mockExamples are the models that the mock lists. Where a name takes a number or a duration, others do as well.
var mockExamples = [...]string{
	mockEcho, "reasoning", "tool-call", "json", "length", "slow-50ms", "truncate", "flaky-2",
	"status-400", "status-401", "status-402", "status-403", "status-404", "status-408", "status-409", "status-410", "status-413", "status-422",
	"status-429", "status-500", "status-502", "status-503", "status-504",
}

// mockModels is the body of the list of models.
func mockModels() []byte {
	b := []byte(`{"object":"list","data":[`)
	for i, name := range mockExamples {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"id":"`+name+`","object":"model","created":1767225600,"owned_by":"llmcall"}`...)
	}
	return append(b, `]}`...)
}

// pick makes the reply that the request's model stands for.
func (m *mock) pick(req *mockRequest) mockReply {
	reply := mockReply{content: req.text, finish: "stop"}
	if reply.content == nil {
		reply.content = []byte{}
	}
	behaviour, argument, _ := strings.Cut(req.model, "-")
	switch behaviour {
	case "", mockEcho, "reasoning", "json", "length", "truncate":
		if behaviour != req.model {
			return unknownModel(req)
		}
	}
	switch behaviour {
	case "", mockEcho:
		return reply
	case "reasoning":
		words := countWords(req.text)
		reply.reasoning = []byte("The last message has " + strconv.Itoa(words) + " words. I shall say the same.")
		return reply
	case "json":
		reply.content = jsonReply(req)
		return reply
	case "length":
		reply.content, _ = cutText(req.text, (len(req.text)+1)/2)
		reply.finish = "length"
		return reply
	case "truncate":
		reply.half = true
		return reply
	case "tool":
		if argument == "call" {
			return toolReply(req, reply)
		}
	case "slow":
		if d, err := time.ParseDuration(argument); err == nil && d >= 0 {
			reply.delay = d
			return reply
		}
	case "flaky":
		if n, err := strconv.Atoi(argument); err == nil && n >= 0 {
			if m.flaky.again(req.sum, n) {
				return mockReply{
					status: http.StatusTooManyRequests, header: http.Header{"Retry-After-Ms": {"10"}},
					body: req.envelope(http.StatusTooManyRequests, statusCode(http.StatusTooManyRequests), "", "one of "+strconv.Itoa(n)+" refusals before the reply"),
				}
			}
			return reply
		}
	case "status":
		if n, err := strconv.Atoi(argument); err == nil && n >= 200 && n <= 599 {
			return statusReply(req, n, reply)
		}
	}
	return unknownModel(req)
}

func unknownModel(req *mockRequest) mockReply {
	return mockReply{status: http.StatusNotFound, body: req.envelope(http.StatusNotFound, "model_not_found", "model",
		"model "+req.model+" does not exist; the mock knows echo, reasoning, tool-call, json, length, slow-50ms, truncate, flaky-2 and status-503")}
}

// statusReply is a reply with a status: a refusal from 400 on, else ok.
func statusReply(req *mockRequest, status int, ok mockReply) mockReply {
	switch {
	case status < 300:
		ok.status = status
		if status == http.StatusNoContent {
			ok.body = []byte{}
		}
		return ok
	case status < 400:
		return mockReply{status: status, header: http.Header{"Location": {"mock://localhost/elsewhere"}}, body: []byte{}, kind: "text/plain; charset=utf-8"}
	case status == http.StatusGone:
		model := req.model
		return mockReply{status: status, body: []byte("Model (" + model + ") was taken away and is no longer served."), kind: "text/plain; charset=utf-8"}
	case status == http.StatusServiceUnavailable:
		return mockReply{status: status, body: []byte("Service is not available for the moment"), kind: "text/plain; charset=utf-8"}
	}
	param := ""
	if status == http.StatusNotFound || status == http.StatusUnprocessableEntity {
		param = "model"
	}
	return mockReply{status: status, body: req.envelope(status, statusCode(status), param, statusMessage(status))}
}

// statusCode is the code that Infercom documents for a status (providers.md A4); "" where there is none.
func statusCode(status int) string {
	switch status {
	case 400:
		return "invalid_value"
	case 401:
		return "invalid_authentication"
	case 404:
		return "model_not_found"
	case 408:
		return "request_timeout"
	case 422:
		return "model_not_in_plan"
	case 429:
		return "queue_full"
	case 500:
		return "internal_server_error"
	}
	return ""
}

func statusMessage(status int) string {
	switch status {
	case 400:
		return "a parameter has a value that is not allowed"
	case 401:
		return "the API key is missing or wrong"
	case 404:
		return "the model does not exist"
	case 408:
		return "the request took too long"
	case 422:
		return "the model is not part of your plan"
	case 429:
		return "too many requests are in flight"
	case 500:
		return "something went wrong in the server"
	}
	if text := http.StatusText(status); text != "" {
		return strings.ToLower(text)
	}
	return "status " + strconv.Itoa(status)
}

// toolReply calls the tool that tool_choice names, else the first. After a tool's result it says that.
func toolReply(req *mockRequest, reply mockReply) mockReply {
	if req.result != nil {
		reply.content = req.result
		return reply
	}
	want := ""
	if len(req.choice) > 0 && req.choice[0] == '{' {
		if v, ok := object.GetPath(req.choice, "function.name"); ok && v[0] == '"' {
			want = string(object.AppendUnquoted(nil, v))
		}
	}
	call := mockCall{"get_time", []byte(`{"timezone":"UTC"}`)}
	if name, parameters := pickTool(req.tools, want); name != "" {
		call = mockCall{name, []byte("{}")}
		if len(parameters) > 0 {
			call.arguments = newSample(parameters, req.text).value(parameters, 0)
		}
	}
	return mockReply{calls: []mockCall{call}, finish: "tool_calls"}
}

// pickTool finds the tool of a name, or the first when want is "". name is "" where there is none.
func pickTool(tools []byte, want string) (name string, parameters []byte) {
	c := object.NewCursor(tools)
	if !c.Begin('[') {
		return "", nil
	}
	for c.Next() {
		tool := c.Value()
		v, ok := object.GetPath(tool, "function.name")
		if !ok || v[0] != '"' {
			continue
		}
		if name = string(object.AppendUnquoted(nil, v)); name != "" && (want == "" || name == want) {
			parameters, _ = object.GetPath(tool, "function.parameters")
			return name, parameters
		}
	}
	return "", nil
}

// jsonReply is the text of the model json.
func jsonReply(req *mockRequest) []byte {
	if schema, ok := object.GetPath(req.format, "json_schema.schema"); ok {
		return newSample(schema, req.text).value(schema, 0)
	}
	return append(object.AppendString([]byte(`{"prompt":`), req.text), '}')
}

// mockFailures counts how often a request was refused. It forgets all but the newest, so that it does not grow with a batch.
type mockFailures struct {
	mu     sync.Mutex
	counts map[[32]byte]int
	order  [maxMockFailures][32]byte
	next   int
}

// maxMockFailures is how many requests are known at a time; many more than can be in flight.
const maxMockFailures = 1 << 12

// again counts one more attempt at a request, and says whether it is one of the first n.
func (f *mockFailures) again(sum [32]byte, n int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	count, known := f.counts[sum]
	if !known {
		if f.counts == nil {
			f.counts = map[[32]byte]int{}
		}
		delete(f.counts, f.order[f.next])
		f.order[f.next] = sum
		f.next = (f.next + 1) % len(f.order)
	}
	f.counts[sum] = count + 1
	return count < n
}
