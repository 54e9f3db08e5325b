package providers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tidwall/gjson"

	"github.com/llmcall/llmcall/pkg/sse"
)

// mockWire is a way to the mock: through its transport, or through net/http.
type mockWire struct {
	name string
	send func(t *testing.T, method, path, body string) (*http.Response, error)
}

// mockWires makes both ways to mocks of one script.
func mockWires(t *testing.T, script []byte) []mockWire {
	t.Helper()
	transport, err := MockTransport(script)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := MockHandler(script)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	to := func(base string, rt http.RoundTripper) func(*testing.T, string, string, string) (*http.Response, error) {
		return func(t *testing.T, method, path, body string) (*http.Response, error) {
			req, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			return rt.RoundTrip(req)
		}
	}
	return []mockWire{
		{"in process", to("mock://localhost/v1", transport)},
		{"net/http", to(server.URL+"/v1", server.Client().Transport)},
	}
}

// is a reply as read.
type mockSaid struct {
	status    int
	header    http.Header
	body      string
	broken    error
	chunks    []string
	done      bool
	content   string // of choice 0, and so on
	reasoning string
	name      string
	arguments string
	finish    string
}

func askMock(t *testing.T, wire mockWire, body string) mockSaid {
	t.Helper()
	resp, err := wire.send(t, http.MethodPost, "/chat/completions", body)
	if err != nil {
		return mockSaid{broken: err}
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	s := mockSaid{status: resp.StatusCode, header: resp.Header, body: string(raw), broken: err}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		message := gjson.Get(s.body, "choices.0.message")
		s.content, s.reasoning = message.Get("content").Str, message.Get("reasoning").Str
		s.name, s.arguments = message.Get("tool_calls.0.function.name").Str, message.Get("tool_calls.0.function.arguments").Str
		s.finish = gjson.Get(s.body, "choices.0.finish_reason").Str
		return s
	}
	events := sse.NewReader(bytes.NewReader(raw))
	for {
		event, err := events.Next()
		if err != nil || event.Cut {
			return s
		}
		if string(event.Data) == "[DONE]" {
			s.done = true
			continue
		}
		if s.done || !gjson.ValidBytes(event.Data) {
			t.Errorf("event %s after done %v", event.Data, s.done)
		}
		chunk := string(event.Data)
		s.chunks = append(s.chunks, chunk)
		for _, choice := range gjson.Get(chunk, "choices").Array() {
			if choice.Get("index").Int() != 0 {
				continue
			}
			delta := choice.Get("delta")
			s.content += delta.Get("content").Str
			s.reasoning += delta.Get("reasoning").Str
			s.name += delta.Get("tool_calls.0.function.name").Str
			s.arguments += delta.Get("tool_calls.0.function.arguments").Str
			s.finish += choice.Get("finish_reason").Str
		}
	}
}

func userSays(model, text, more string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":%s}]%s}`, model, quoted, more)
}

func TestMockBehaviours(t *testing.T) {
	const text = "  one two\n\tthree \U0001F600 \"four\" "
	const tools = `,"tools":[{"type":"function","function":{"name":"weather","parameters":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":3}},"required":["city"]}}},{"type":"function","function":{"name":"clock"}}]`
	tests := []struct {
		name, body string
		want       mockSaid // content, reasoning, name, arguments, finish
		deltas     int      // of text and arguments, in a stream
	}{
		{"echo", userSays("echo", text, ""), mockSaid{content: text, finish: "stop"}, 5},
		{"no model", `{"messages":[{"role":"user","content":"hi"}]}`, mockSaid{content: "hi", finish: "stop"}, 1},
		{"empty text", userSays("echo", "", ""), mockSaid{finish: "stop"}, 0},
		{"white space", userSays("echo", " \n", ""), mockSaid{content: " \n", finish: "stop"}, 1},
		{"parts", `{"messages":[{"role":"user","content":[{"type":"text","text":"a "},{"type":"image_url","image_url":{"url":"data:,"}},{"type":"text","text":"b"}]},{"role":"assistant","content":"c"}]}`,
			mockSaid{content: "a b", finish: "stop"}, 2},
		{"no user message", `{"messages":[{"role":"system","content":"x"}]}`, mockSaid{finish: "stop"}, 0},
		{"surrogates", `{"messages":[{"role":"user","content":"\ud83d\ude00 \ud83d"}]}`, mockSaid{content: "\U0001F600 \ufffd", finish: "stop"}, 2},
		{"reasoning", userSays("reasoning", "a b", ""), mockSaid{content: "a b", reasoning: "The last message has 2 words. I shall say the same.", finish: "stop"}, 13},
		{"tool call", userSays("tool-call", "Paris", tools), mockSaid{name: "weather", arguments: `{"city":"Paris","days":3}`, finish: "tool_calls"}, 3},
		{"tool choice", userSays("tool-call", "Paris", tools+`,"tool_choice":{"type":"function","function":{"name":"clock"}}`), mockSaid{name: "clock", arguments: `{}`, finish: "tool_calls"}, 1},
		{"tool call without tools", userSays("tool-call", "Paris", ""), mockSaid{name: "get_time", arguments: `{"timezone":"UTC"}`, finish: "tool_calls"}, 2},
		{"tool result", `{"model":"tool-call","messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[]},{"role":"tool","tool_call_id":"1","content":"12:00"}]}`,
			mockSaid{content: "12:00", finish: "stop"}, 1},
		{"json", userSays("json", "a \"b\"", ""), mockSaid{content: `{"prompt":"a \"b\""}`, finish: "stop"}, 2},
		{"json schema", userSays("json", "x", `,"response_format":{"type":"json_schema","json_schema":{"name":"r","schema":{"type":"object","properties":{"ok":{"type":"boolean"}}}}}`),
			mockSaid{content: `{"ok":true}`, finish: "stop"}, 1},
		{"length", userSays("length", "one two three four", ""), mockSaid{content: "one two t", finish: "length"}, 3},
		{"length of one character", userSays("length", "\u00e9", ""), mockSaid{content: "\u00e9", finish: "length"}, 1},
		{"slow", userSays("slow-1ms", "a", ""), mockSaid{content: "a", finish: "stop"}, 1},
		{"status 200", userSays("status-200", "a", ""), mockSaid{content: "a", finish: "stop"}, 1},
	}
	for _, wire := range mockWires(t, nil) {
		for _, test := range tests {
			t.Run(wire.name+"/"+test.name, func(t *testing.T) {
				whole := askMock(t, wire, test.body)
				streamed := askMock(t, wire, strings.TrimSuffix(test.body, "}")+`,"stream":true}`)
				for _, got := range []mockSaid{whole, streamed} {
					if got.broken != nil || got.status != 200 || got.content != test.want.content || got.reasoning != test.want.reasoning ||
						got.name != test.want.name || got.arguments != test.want.arguments || got.finish != test.want.finish {
						t.Errorf("got %+v\nwant %+v", got, test.want)
					}
					if !isUUID(got.header.Get("X-Request-Id")) {
						t.Errorf("request id %q", got.header.Get("X-Request-Id"))
					}
				}
				if !gjson.Valid(whole.body) {
					t.Fatalf("body is no JSON: %s", whole.body)
				}
				if !streamed.done || len(streamed.chunks) < 3 {
					t.Fatalf("stream is not whole: %s", streamed.body)
				}
				extra := 3 // role, finish reason, usage
				if test.want.name != "" {
					extra++
				}
				if got := len(streamed.chunks) - extra; got != test.deltas {
					t.Errorf("%d deltas, want %d: %s", got, test.deltas, streamed.body)
				}
				last := streamed.chunks[len(streamed.chunks)-1]
				for _, path := range []string{"id", "created", "model", "usage"} {
					if a, b := gjson.Get(whole.body, path).Raw, gjson.Get(last, path).Raw; a != b || a == "" || a == "null" {
						t.Errorf("%s: %s in the body, %s in the last chunk", path, a, b)
					}
				}
			})
		}
	}
}

func TestMockIsDeterministic(t *testing.T) {
	wires := mockWires(t, nil)
	body := userSays("reasoning", "a b", "")
	first := askMock(t, wires[0], body)
	for _, wire := range wires {
		if again := askMock(t, wire, body); again.body != first.body || again.header.Get("X-Request-Id") != first.header.Get("X-Request-Id") {
			t.Errorf("%s: got %s, first %s", wire.name, again.body, first.body)
		}
	}
	other := askMock(t, wires[0], userSays("reasoning", "a c", ""))
	if gjson.Get(other.body, "id").Str == gjson.Get(first.body, "id").Str {
		t.Error("two requests have one id")
	}
}

func TestMockUsage(t *testing.T) {
	wire := mockWires(t, nil)[0]
	got := askMock(t, wire, `{"model":"reasoning","n":2,"messages":[{"role":"system","content":"be brief"},{"role":"user","content":" one  two three"}]}`)
	const want = `{"prompt_tokens":5,"completion_tokens":28,"total_tokens":33,"completion_tokens_details":{"reasoning_tokens":22}}`
	if usage := gjson.Get(got.body, "usage").Raw; usage != want {
		t.Errorf("got %s\nwant %s", usage, want)
	}
}

func TestMockChoices(t *testing.T) {
	wire := mockWires(t, nil)[0]
	for _, model := range []string{"echo", "tool-call"} {
		whole := askMock(t, wire, userSays(model, "a b", `,"n":3`))
		if got := gjson.Get(whole.body, "choices.#.index").Raw; got != "[0,1,2]" {
			t.Errorf("%s: indexes %s", model, got)
		}
		streamed := askMock(t, wire, userSays(model, "a b", `,"n":3,"stream":true`))
		content, finished := map[int64]string{}, map[int64]string{}
		ids := map[string]bool{}
		for _, chunk := range streamed.chunks {
			for _, choice := range gjson.Get(chunk, "choices").Array() {
				i := choice.Get("index").Int()
				content[i] += choice.Get("delta.content").Str + choice.Get("delta.tool_calls.0.function.arguments").Str
				finished[i] += choice.Get("finish_reason").Str
				if id := choice.Get("delta.tool_calls.0.id").Str; id != "" {
					ids[id] = true
				}
			}
		}
		if len(content) != 3 || content[0] == "" || content[0] != content[2] || finished[0] == "" || finished[1] != finished[0] {
			t.Errorf("%s: choices %v end %v", model, content, finished)
		}
		if model == "tool-call" && len(ids) != 3 {
			t.Errorf("ids of calls: %v", ids)
		}
	}
}

func TestMockStatuses(t *testing.T) {
	tests := []struct {
		status     int
		kind, code string
	}{
		{400, "application/json", "invalid_value"}, {401, "application/json", "invalid_authentication"}, {402, "application/json", ""},
		{404, "application/json", "model_not_found"}, {408, "application/json", "request_timeout"}, {410, "text/plain; charset=utf-8", ""},
		{422, "application/json", "model_not_in_plan"}, {429, "application/json", "queue_full"}, {500, "application/json", "internal_server_error"},
		{502, "application/json", ""}, {503, "text/plain; charset=utf-8", ""}, {504, "application/json", ""}, {599, "application/json", ""},
	}
	for _, wire := range mockWires(t, nil) {
		for _, test := range tests {
			t.Run(fmt.Sprint(wire.name, "/", test.status), func(t *testing.T) {
				got := askMock(t, wire, userSays(fmt.Sprintf("status-%d", test.status), "hi", `,"stream":true`))
				if got.status != test.status || got.header.Get("Content-Type") != test.kind || got.body == "" {
					t.Fatalf("got %+v", got)
				}
				if test.kind != "application/json" {
					return
				}
				e := gjson.Get(got.body, "error")
				if !gjson.Valid(got.body) || e.Get("code").Str != test.code || e.Get("message").Str == "" || e.Get("type").Str == "" ||
					gjson.Get(got.body, "request_id").Str != got.header.Get("X-Request-Id") {
					t.Errorf("got %s", got.body)
				}
			})
		}
		t.Run(wire.name+"/302", func(t *testing.T) {
			if got := askMock(t, wire, userSays("status-302", "hi", "")); got.status != 302 || got.header.Get("Location") == "" {
				t.Errorf("got %+v", got)
			}
		})
		t.Run(wire.name+"/204", func(t *testing.T) {
			if got := askMock(t, wire, userSays("status-204", "hi", "")); got.status != 204 || got.body != "" || got.broken != nil {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestMockRefusesBadRequests(t *testing.T) {
	tests := []struct {
		name, body  string
		status      int
		code, param string
	}{
		{"no JSON", `{"messages":`, 400, "", ""},
		{"no object", `[]`, 400, "", ""},
		{"nothing", ``, 400, "", ""},
		{"no messages", `{"model":"echo"}`, 400, "missing_required_field", "messages"},
		{"null messages", `{"model":"echo","messages":null}`, 400, "missing_required_field", "messages"},
		{"empty messages", `{"messages":[]}`, 400, "empty_array", "messages"},
		{"messages of another type", `{"messages":"hi"}`, 400, "invalid_type", "messages"},
		{"message of another type", `{"messages":["hi"]}`, 400, "invalid_type", "messages[0]"},
		{"no role", `{"messages":[{"content":"hi"}]}`, 400, "missing_required_field", "messages[0].role"},
		{"stream as a string", userSays("echo", "hi", `,"stream":"true"`), 400, "invalid_type", "stream"},
		{"n of 0", userSays("echo", "hi", `,"n":0`), 400, "integer_below_min_value", "n"},
		{"n of 129", userSays("echo", "hi", `,"n":129`), 400, "integer_above_max_value", "n"},
		{"n as a string", userSays("echo", "hi", `,"n":"1"`), 400, "invalid_type", "n"},
		{"model as a number", `{"model":1,"messages":[{"role":"user","content":"hi"}]}`, 400, "invalid_type", "model"},
		{"unknown model", userSays("gpt-oss-120b", "hi", ""), 404, "model_not_found", "model"},
		{"echo with a tail", userSays("echo-2", "hi", ""), 404, "model_not_found", "model"},
		{"slow without a duration", userSays("slow-ly", "hi", ""), 404, "model_not_found", "model"},
		{"negative duration", userSays("slow--1s", "hi", ""), 404, "model_not_found", "model"},
		{"flaky without a number", userSays("flaky-x", "hi", ""), 404, "model_not_found", "model"},
		{"status out of range", userSays("status-999", "hi", ""), 404, "model_not_found", "model"},
		{"tool without call", userSays("tool-box", "hi", ""), 404, "model_not_found", "model"},
	}
	for _, wire := range mockWires(t, nil) {
		for _, test := range tests {
			t.Run(wire.name+"/"+test.name, func(t *testing.T) {
				got := askMock(t, wire, test.body)
				e := gjson.Get(got.body, "error")
				if got.status != test.status || e.Get("code").Str != test.code || e.Get("param").Str != test.param || e.Get("message").Str == "" {
					t.Errorf("got %d %s", got.status, got.body)
				}
			})
		}
		t.Run(wire.name+"/other paths", func(t *testing.T) {
			for _, path := range []string{"POST /elsewhere 404", "GET /chat/completions 405", "POST /models 405"} {
				f := strings.Fields(path)
				resp, err := wire.send(t, f[0], f[1], "{}")
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if got := fmt.Sprint(resp.StatusCode); got != f[2] {
					t.Errorf("%s: got %s", path, got)
				}
			}
		})
	}
}

func TestMockListsModelsThatItKnows(t *testing.T) {
	for _, wire := range mockWires(t, nil) {
		resp, err := wire.send(t, http.MethodGet, "/models", "")
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		ids := gjson.GetBytes(body, "data.#.id").Array()
		if gjson.GetBytes(body, "object").Str != "list" || len(ids) < 9 {
			t.Fatalf("got %s", body)
		}
		for _, id := range ids {
			if got := askMock(t, wire, userSays(id.Str, "hi", "")); gjson.Get(got.body, "error.code").Str == "model_not_found" && id.Str != "status-404" {
				t.Errorf("%s is listed but not known", id.Str)
			}
		}
	}
}

func TestMockTruncates(t *testing.T) {
	for _, wire := range mockWires(t, nil) {
		t.Run(wire.name, func(t *testing.T) {
			for _, stream := range []string{"", `,"stream":true`} {
				got := askMock(t, wire, userSays("truncate", "one two three four", stream))
				if !errors.Is(got.broken, io.ErrUnexpectedEOF) || got.status != 200 || len(got.body) == 0 {
					t.Errorf("got %+v", got)
				}
				if stream != "" && (got.done || got.finish != "" || !strings.HasPrefix("one two three four", got.content) || got.content == "") {
					t.Errorf("got %+v", got)
				}
			}
		})
	}
}

func TestMockFlaky(t *testing.T) {
	for _, wire := range mockWires(t, nil) {
		t.Run(wire.name, func(t *testing.T) {
			var got []int
			for _, text := range []string{"a", "b", "a", "a", "b", "b", "a"} {
				s := askMock(t, wire, userSays("flaky-2", text, ""))
				got = append(got, s.status)
				if s.status == 429 && s.header.Get("Retry-After-Ms") == "" {
					t.Error("no retry-after-ms")
				}
			}
			if fmt.Sprint(got) != "[429 429 429 200 429 200 200]" {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestMockForgetsOldFailures(t *testing.T) {
	f := &mockFailures{}
	for i := range 3 * maxMockFailures {
		var sum [32]byte
		sum[0], sum[1], sum[2] = byte(i), byte(i>>8), 1+byte(i>>16)
		if !f.again(sum, 1) || f.again(sum, 1) {
			t.Fatalf("request %d", i)
		}
	}
	if len(f.counts) != maxMockFailures {
		t.Errorf("%d requests are known", len(f.counts))
	}
}

func TestMockStreamsAtOnce(t *testing.T) {
	started, proceed := make(chan struct{}), make(chan struct{})
	transport := mockTransport{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i := range 3 {
			fmt.Fprint(w, i)
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			started <- struct{}{}
			<-proceed
		}
	})}
	req, _ := http.NewRequestWithContext(t.Context(), "POST", "mock://localhost/v1/chat/completions", nil)
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		b := make([]byte, 10)
		if n, err := resp.Body.Read(b); err != nil || string(b[:n]) != fmt.Sprint(i) {
			t.Fatalf("read %q, %v", b[:n], err)
		}
		<-started
		proceed <- struct{}{}
	}
	if n, err := resp.Body.Read(make([]byte, 10)); n != 0 || err != io.EOF {
		t.Errorf("read %d, %v at the end", n, err)
	}
}

func TestMockSeesTheEndOfItsClient(t *testing.T) {
	for _, end := range []string{"cancel before the reply", "cancel while reading", "close"} {
		t.Run(end, func(t *testing.T) {
			gone := make(chan error, 1)
			flushed := make(chan bool)
			transport := mockTransport{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if end != "cancel before the reply" {
					fmt.Fprint(w, "x")
					_ = http.NewResponseController(w).Flush()
				}
				close(flushed)
				<-r.Context().Done()
				fmt.Fprint(w, "y")
				gone <- http.NewResponseController(w).Flush()
			})}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			req, _ := http.NewRequestWithContext(ctx, "POST", "mock://localhost/v1/chat/completions", nil)
			if end == "cancel before the reply" {
				go func() { <-flushed; cancel() }()
				if _, err := transport.RoundTrip(req); !errors.Is(err, context.Canceled) {
					t.Errorf("error %v", err)
				}
			} else {
				resp, err := transport.RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.ReadFull(resp.Body, make([]byte, 1)); err != nil {
					t.Fatal(err)
				}
				<-flushed
				if end == "close" {
					resp.Body.Close()
				} else {
					cancel()
					if _, err := resp.Body.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
						t.Errorf("error %v", err)
					}
				}
			}
			if err := <-gone; err == nil {
				t.Error("the handler could still write")
			}
		})
	}
}

func TestMockServesItsSchemeOnly(t *testing.T) {
	transport, err := MockTransport(nil)
	if err != nil {
		t.Fatal(err)
	}
	req, _ := http.NewRequestWithContext(t.Context(), "POST", "https://user:secret@example.com/v1/chat/completions", strings.NewReader("{}"))
	if _, err := transport.RoundTrip(req); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("error %v", err)
	}
}

func TestMockMakesValuesThatFitTheirSchema(t *testing.T) {
	schemas := []string{
		`{"type":"string"}`, `{"type":["null","string"]}`, `{"enum":["b","a"]}`, `{"const":{"a":[1]}}`, `{"type":"boolean"}`,
		`{"type":"integer","minimum":5}`, `{"type":"integer","exclusiveMinimum":5}`, `{"type":"integer","maximum":-3}`, `{"type":"number","exclusiveMaximum":0}`,
		`{"type":"number","minimum":0.2,"maximum":0.3}`, `{"type":"integer","multipleOf":7,"minimum":10}`, `{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.5}`,
		`{"type":"string","minLength":40}`, `{"type":"string","maxLength":2}`, `{"type":"string","format":"date-time"}`,
		`{"type":"array","items":{"type":"integer"},"minItems":3}`, `{"type":"array","maxItems":0}`, `{"type":"array"}`,
		`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"array","items":{"enum":[2]}}},"required":["b"]},"c":{"type":"string"}},"required":["a","c","d"]}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/x~1y"}},"required":["a"],"$defs":{"x/y":{"type":"integer"}},"additionalProperties":false}`,
		`{"anyOf":[{"type":"integer"},{"type":"string"}]}`, `{"allOf":[{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]}]}`,
		`{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"},"all":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}`,
		`{}`, `true`,
	}
	for _, text := range schemas {
		value := newSample([]byte(text), []byte("h\u00e9 \"llo\"")).value([]byte(text), 0)
		var schema jsonschema.Schema
		if err := json.Unmarshal([]byte(text), &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var decoded any
		if err := json.Unmarshal(value, &decoded); err != nil {
			t.Errorf("%s: %s: %v", text, value, err)
			continue
		}
		if err := resolved.Validate(decoded); err != nil {
			t.Errorf("%s: %s: %v", text, value, err)
		}
	}
	endless := []byte(`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"required":["a","b"]}`)
	if value := newSample(endless, []byte("x")).value(endless, 0); !json.Valid(value) || len(value) > 1<<20 {
		t.Errorf("%d bytes for a schema without end", len(value))
	}
}

// TestMockHoldsNoGoroutines makes replies that are read, broken off and cancelled, and counts what is left.
func TestMockHoldsNoGoroutines(t *testing.T) {
	transport, err := MockTransport(nil)
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	var wg sync.WaitGroup
	for i := range 300 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			model := []string{"echo", "truncate", "slow-1h"}[i%3]
			req, _ := http.NewRequestWithContext(ctx, "POST", "mock://localhost/v1/chat/completions", strings.NewReader(userSays(model, "a b c d", `,"stream":true`)))
			if model == "slow-1h" {
				time.AfterFunc(time.Millisecond, cancel)
			}
			resp, err := transport.RoundTrip(req)
			if err != nil {
				return
			}
			_, _ = io.CopyN(io.Discard, resp.Body, int64(i*10))
			resp.Body.Close()
		})
	}
	wg.Wait()
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines, %d before", after, before)
	}
}

func BenchmarkMock(b *testing.B) {
	for _, stream := range []bool{false, true} {
		b.Run(fmt.Sprintf("stream=%v", stream), func(b *testing.B) {
			transport, err := MockTransport(nil)
			if err != nil {
				b.Fatal(err)
			}
			body := fmt.Sprintf(`{"model":"echo","messages":[{"role":"user","content":"one two three four"}],"stream":%v}`, stream)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				req, _ := http.NewRequestWithContext(b.Context(), "POST", "mock://localhost/v1/chat/completions", strings.NewReader(body))
				resp, err := transport.RoundTrip(req)
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
}
