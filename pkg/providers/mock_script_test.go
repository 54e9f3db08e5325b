package providers

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

func TestMockScriptAnswers(t *testing.T) {
	tests := []struct {
		name, line string
		want       mockSaid // what is told of it: content, reasoning, name, arguments, finish; status; body
		broken     bool
	}{
		{"text", `{"reply":"a b"}`, mockSaid{status: 200, content: "a b", finish: "stop"}, false},
		{"empty text", `{"reply":""}`, mockSaid{status: 200, finish: "stop"}, false},
		{"nothing", `{}`, mockSaid{status: 200, content: "said", finish: "stop"}, false},
		{"delay", `{"delay":"1ms"}`, mockSaid{status: 200, content: "said", finish: "stop"}, false},
		{"reasoning", `{"reasoning":"r s","reply":"a"}`, mockSaid{status: 200, content: "a", reasoning: "r s", finish: "stop"}, false},
		{"tool call", `{"tool_calls":[{"name":"f","arguments":{"a": [1]}}]}`, mockSaid{status: 200, name: "f", arguments: `{"a": [1]}`, finish: "tool_calls"}, false},
		{"arguments as text", `{"tool_calls":[{"name":"f","arguments":"{\"a\":"}]}`, mockSaid{status: 200, name: "f", arguments: `{"a":`, finish: "tool_calls"}, false},
		{"no arguments", `{"reply":"a","tool_calls":[{"name":"f"}]}`, mockSaid{status: 200, content: "a", name: "f", arguments: `{}`, finish: "tool_calls"}, false},
		{"finish reason", `{"reply":"a","finish_reason":"content_filter"}`, mockSaid{status: 200, content: "a", finish: "content_filter"}, false},
		{"status", `{"status":429}`, mockSaid{status: 429}, false},
		{"plain status", `{"status":410}`, mockSaid{status: 410}, false},
		{"other success", `{"status":201,"reply":"a"}`, mockSaid{status: 201, content: "a", finish: "stop"}, false},
		{"error text", `{"status":500,"error":"no"}`, mockSaid{status: 500, body: "no"}, false},
		{"error with status 200 as text", `{"status":200,"error":"no"}`, mockSaid{status: 200, body: "no"}, false},
		{"cut before the body", `{"reply":"a","cut":0}`, mockSaid{status: 200}, true},
		{"cut behind an error", `{"status":500,"error":"no","cut":2}`, mockSaid{status: 500, body: "no"}, false},
		{"cut of an error", `{"status":500,"error":"no","cut":1}`, mockSaid{status: 500, body: "n"}, true},
	}
	for _, test := range tests {
		for _, stream := range []string{"", `,"stream":true`} {
			for _, wire := range mockWires(t, []byte(test.line+"\n")) {
				t.Run(test.name+"/"+wire.name+stream, func(t *testing.T) {
					got := askMock(t, wire, userSays("any-model", "said", stream))
					if (got.broken != nil) != test.broken || got.broken != nil && !errors.Is(got.broken, io.ErrUnexpectedEOF) {
						t.Errorf("broken: %v", got.broken)
					}
					if got.status != test.want.status || got.content != test.want.content || got.reasoning != test.want.reasoning ||
						got.name != test.want.name || got.arguments != test.want.arguments || got.finish != test.want.finish ||
						test.want.body != "" && got.body != test.want.body {
						t.Errorf("got %+v\nwant %+v", got, test.want)
					}
				})
			}
		}
	}
}

func TestMockScriptSendsBodiesAsTheyAre(t *testing.T) {
	const body = `{"choices": [ {"message":{"content":"\u0061"}} ],"x":1.0}`
	for _, wire := range mockWires(t, []byte(`{"reply":`+body+`,"times":2}`)) {
		for _, stream := range []string{"", `,"stream":true`} {
			if got := askMock(t, wire, userSays("m", "x", stream)); got.body != body || got.header.Get("Content-Type") != "application/json" {
				t.Errorf("got %+v", got)
			}
		}
	}
	for _, wire := range mockWires(t, []byte(`{"reply":[{"a": 1.0},{"choices":[]}]}`)) {
		if got := askMock(t, wire, userSays("m", "x", "")); got.body != "data: {\"a\": 1.0}\n\ndata: {\"choices\":[]}\n\ndata: [DONE]\n\n" {
			t.Errorf("got %q", got.body)
		}
	}
}

func TestMockScriptErrors(t *testing.T) {
	script := []byte(`{"status":429,"error":{"code":"queue_full","message":"full"},"headers":{"retry-after":"7","x-request-id":"r1"}}
{"status":200,"error":{"message":"broke off"},"reply":"a b"}
{"status":200,"error":{"message":"broke off"}}
`)
	for _, wire := range mockWires(t, script) {
		got := askMock(t, wire, userSays("m", "x", ""))
		if got.status != 429 || gjson.Get(got.body, "error").Raw != `{"code":"queue_full","message":"full"}` || gjson.Get(got.body, "request_id").Str == "" ||
			got.header.Get("Retry-After") != "7" || got.header.Get("X-Request-Id") != "r1" || len(got.header.Values("X-Request-Id")) != 1 {
			t.Errorf("got %+v", got)
		}
		got = askMock(t, wire, userSays("m", "x", `,"stream":true`))
		if last := got.chunks[len(got.chunks)-1]; got.content != "a b" || last != `{"error":{"message":"broke off"}}` || got.done || got.finish != "" {
			t.Errorf("got %+v", got)
		}
		got = askMock(t, wire, userSays("m", "x", ""))
		if got.status != 200 || gjson.Get(got.body, "error.message").Str != "broke off" {
			t.Errorf("got %+v", got)
		}
	}
}

func TestMockScriptPicksLines(t *testing.T) {
	script := []byte("\ufeff" + `{"reply":"first"}

{"match":{"text":"weather","model":"m1"},"reply":"rain"}
{"match":{"text":"once"},"reply":"one","times":1}
{"match":{"model":"m2"},"reply":"two"}
{"reply":"second","times":2}` + "\r\n")
	for _, wire := range mockWires(t, script) {
		var got []string
		for _, ask := range []string{"m1 the weather", "m1 hi", "m1 weather", "m once", "m once", "m2 weather", "m hi", "m hi"} {
			model, text, _ := strings.Cut(ask, " ")
			s := askMock(t, wire, userSays(model, text, ""))
			got = append(got, s.content)
			if s.content == "" {
				if s.status != 500 || s.header.Get("X-Should-Retry") != "false" || !strings.Contains(gjson.Get(s.body, "error.message").Str, "5 lines") {
					t.Errorf("got %+v", s)
				}
			}
		}
		if list := strings.Join(got, ","); list != "rain,first,rain,one,second,two,second," {
			t.Errorf("%s: got %s", wire.name, list)
		}
	}
}

func TestMockScriptChunksAndCuts(t *testing.T) {
	for _, wire := range mockWires(t, []byte(`{"reply":"ab\u00e9\u00e9c","chunk":3,"times":2}`)) {
		got := askMock(t, wire, userSays("m", "x", `,"stream":true`))
		var pieces []string
		for _, chunk := range got.chunks {
			if s := gjson.Get(chunk, "choices.0.delta.content").Str; s != "" {
				pieces = append(pieces, s)
			}
		}
		if s := strings.Join(pieces, "|"); s != "ab\u00e9|\u00e9c" {
			t.Errorf("got %s", s)
		}
		whole := askMock(t, wire, userSays("m", "x", ""))
		for n := range len(whole.body) {
			cut, err := MockTransport([]byte(`{"reply":"ab\u00e9\u00e9c","cut":` + strconv.Itoa(n) + `}`))
			if err != nil {
				t.Fatal(err)
			}
			req, _ := http.NewRequestWithContext(t.Context(), "POST", "mock://localhost/chat/completions", strings.NewReader(userSays("m", "x", "")))
			resp, err := cut.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			if err != io.ErrUnexpectedEOF || string(body) != whole.body[:n] {
				t.Fatalf("cut %d: %v %q", n, err, body)
			}
		}
	}
}

func TestMockScriptWaits(t *testing.T) {
	transport, err := MockTransport([]byte(`{"delay":"20ms"}`))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	req, _ := http.NewRequestWithContext(t.Context(), "POST", "mock://localhost/chat/completions", strings.NewReader(userSays("m", "x", "")))
	if _, err := transport.RoundTrip(req); err != nil || time.Since(start) < 20*time.Millisecond {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
}

func TestMockScriptMistakes(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"empty", "", "mock script has no line"},
		{"blank", "\n \n", "mock script has no line"},
		{"no JSON", "{\"reply\":\"a\"}\n\nhello\n", "line 3, column 1: "},
		{"cut off", `{"reply":"a"`, "line 1, column 13: "},
		{"no object", `"a"`, "line 1, column 1: want a JSON object, found a string"},
		{"unknown member", "{}\n" + `{"repl":"a"}`, "line 2: repl: not a member of a mock script's line"},
		{"unknown member of a match", `{"match":{"txt":"a"}}`, "line 1: match: txt: not a member of a match"},
		{"match of another type", `{"match":"a"}`, "line 1: match: want an object"},
		{"match.model of another type", `{"match":{"model":1}}`, "line 1: match: model: want a string"},
		{"duration", `{"delay":"soon"}`, `line 1: delay: not a duration such as 50ms: "soon"`},
		{"duration without unit", `{"delay":50}`, "line 1: delay: want a string"},
		{"negative duration", `{"delay":"-1s"}`, `line 1: delay: not a duration such as 50ms: "-1s"`},
		{"reply of another type", `{"reply":1}`, "line 1: reply: want a string, an object or an array"},
		{"status", `{"status":99}`, "line 1: status: want a number from 200"},
		{"status too large", `{"status":600}`, "line 1: status: want a number from 200 to 599"},
		{"status as text", `{"status":"429"}`, "line 1: status: want a number from 200"},
		{"error without status", `{"error":"a"}`, "line 1: error: needs a status"},
		{"error of another type", `{"status":400,"error":[]}`, "line 1: error: want a string or an object"},
		{"headers", `{"headers":[]}`, "line 1: headers: want an object of strings"},
		{"header value", `{"headers":{"a":1}}`, "line 1: headers: a: want a string"},
		{"header with a line break", `{"headers":{"a":"x\ny"}}`, "line 1: headers: a: not a header"},
		{"chunk", `{"chunk":0}`, "line 1: chunk: want a number from 1"},
		{"cut", `{"cut":-1}`, "line 1: cut: want a number from 0"},
		{"times", `{"times":0}`, "line 1: times: want a number from 1"},
		{"tool calls", `{"tool_calls":{}}`, "line 1: tool_calls: want an array of objects with name and arguments"},
		{"member of a tool call", `{"tool_calls":[{"name":"a","args":{}}]}`, "line 1: tool_calls: want an array of objects with name and arguments"},
		{"tool call without a name", `{"tool_calls":[{}]}`, "line 1: tool_calls: 0: no name"},
		{"arguments", `{"tool_calls":[{"name":"a","arguments":1}]}`, "line 1: tool_calls: 0: arguments: want an object or a string"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := MockTransport([]byte(test.script))
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func FuzzMockScript(f *testing.F) {
	f.Add([]byte(`{"match":{"text":"a"},"reply":"b","chunk":1,"cut":3}`))
	f.Add([]byte(`{"status":200,"error":{},"tool_calls":[{"name":"a","arguments":"x"}],"headers":{"a":"b"}}`))
	f.Add([]byte(`{"reply":[{}],"times":2,"finish_reason":"","reasoning":"x"}`))
	f.Fuzz(func(t *testing.T, script []byte) {
		s, err := parseMockScript(script)
		if err != nil {
			return
		}
		for _, stream := range []string{"", `,"stream":true`} {
			req, fault := parseMockRequest([]byte(userSays("m", "a b", stream)))
			if fault != nil {
				t.Fatal(fault)
			}
			reply := s.reply(req)
			body := &mockWriter{left: -1}
			if stream != "" {
				reply.stream(body, req)
			} else {
				body.write(reply.completion(req))
				if !gjson.ValidBytes(reply.completion(req)) {
					t.Errorf("%s makes %s", script, reply.completion(req))
				}
			}
		}
	})
}
