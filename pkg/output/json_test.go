package output

import (
	"testing"
)

// TestReassembly compares the one completion that chunks make.
func TestReassembly(t *testing.T) {
	for _, test := range []struct {
		name string
		docs [][]byte
		want string
	}{
		{"members in the order in which they came", docs(
			`{"id":"a","model":"m","x_first":1,"choices":[{"index":0,"delta":{"role":"assistant","content":"a"}}],"x_note":"1"}`,
			`{"x_last":[1,{"a":  2}],"id":"a","choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}],"x_note":"2","object":"chat.completion.chunk"}`),
			`{"id":"a","model":"m","x_first":1,"choices":[{"index":0,"message":{"role":"assistant","content":"ab"},"finish_reason":"stop"}],"x_note":"2","x_last":[1,{"a":  2}],"object":"chat.completion"}`},
		{"null erases nothing", docs(
			`{"object":"o","x":1,"y":null,"usage":{"total_tokens":2},"choices":[{"delta":{"content":"a","z":true},"stop_reason":3,"finish_reason":"stop"}]}`,
			`{"object":"o","x":null,"y":null,"usage":null,"choices":[{"delta":{"content":null,"z":null},"stop_reason":null,"finish_reason":null}]}`),
			`{"object":"chat.completion","x":1,"y":null,"usage":{"total_tokens":2},"choices":[{"index":0,"message":{"role":"assistant","content":"a","z":true},"finish_reason":"stop","stop_reason":3}]}`},
		{"spelling is kept", docs(
			say(`{"content":"\u00e9\/<\ud83d"}`, ""), say(`{"content":"\ude00"}`, "stop"), `{"created":1.50e9,"choices":[]}`),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"\u00e9\/<\ud83d\ude00"},"finish_reason":"stop"}],"created":1.50e9}`},
		{"choices by index", docs(sayAt(1, `{"content":"b"}`, "length"), sayAt(0, `{"content":"a"}`, "stop")),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"},{"index":1,"message":{"role":"assistant","content":"b"},"finish_reason":"length"}]}`},
		{"reasoning under each of its names", docs(
			say(`{"reasoning":"r","reasoning_content":"c","reasoning_details":[{"text":"d"}]}`, ""), say(`{"reasoning":"r","reasoning_content":"c","reasoning_details":[ {"text":"d"} , 2 ]}`, "stop")),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null,"reasoning_content":"cc","reasoning":"rr","reasoning_details":[{"text":"d"},{"text":"d"} , 2]},"finish_reason":"stop"}]}`},
		{"unusual forms", docs(say(`{"reasoning":{"a":1},"reasoning_details":{"b":2},"refusal":null,"tool_calls":[]}`, "stop")),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":null,"reasoning":{"a":1},"reasoning_details":{"b":2},"tool_calls":[]},"finish_reason":"stop"}]}`},
		{"unusual forms give way", docs(say(`{"reasoning":{"a":1},"reasoning_details":null,"tool_calls":null}`, ""), say(`{"reasoning":"r","reasoning_details":[1],"tool_calls":[{"id":"a","function":{"name":"f"}}]}`, "stop")),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null,"reasoning":"r","reasoning_details":[1],"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}]}`},
		{"other role", docs(say(`{"role":"model","content":"a"}`, ""), say(`{"role":"assistant"}`, "stop")),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"model","content":"a"},"finish_reason":"stop"}]}`},
		{"logprobs", docs(
			`{"choices":[{"delta":{"content":"a"},"logprobs":{"content":[{"token":"a"}],"refusal":null,"x":1}}]}`,
			`{"choices":[{"delta":{"content":"b"},"logprobs":{"content":[{"token":"b"}, {"token":"c"}],"refusal":[],"x":2}}]}`,
			`{"choices":[{"delta":{},"logprobs":null,"finish_reason":"stop"}]}`),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"ab"},"logprobs":{"content":[{"token":"a"},{"token":"b"}, {"token":"c"}],"refusal":[],"x":2},"finish_reason":"stop"}]}`},
		{"logprobs as an array", docs(
			`{"choices":[{"delta":{"content":"a"},"logprobs":[1]}]}`, `{"choices":[{"delta":{"content":"b"},"logprobs":[2,3],"finish_reason":"stop"}]}`),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"ab"},"logprobs":[1,2,3],"finish_reason":"stop"}]}`},
		{"one line", docs("{\"x\":{\n\"a\":\r\n1},\"choices\":[{\"delta\":{\"content\":\"a\",\"y\":[\n]},\"finish_reason\":\"stop\"}]}"),
			`{"object":"chat.completion","x":{ "a":  1},"choices":[{"index":0,"message":{"role":"assistant","content":"a","y":[ ]},"finish_reason":"stop"}]}`},
		{"parts among strings", docs(
			say(`{"content":"a"}`, ""), say(`{"content":[{"type":"text","text":"b"},{"type":"thinking","thinking":[{"type":"text","text":"c"}]}]}`, ""),
			say(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"d"}]}]}`, ""), say(`{"content":"e"}`, ""), say(`{"content":[{"type":"text","text":"f","x":1}]}`, "stop")),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":[{"type":"text","text":"ab"},{"type":"thinking","thinking":[{"type":"text","text":"cd"}]},{"type":"text","text":"e"},{"type":"text","text":"f","x":1}]},"finish_reason":"stop"}]}`},
		{"parts of text alone are a string", docs(say(`{"content":[{"type":"text","text":"a"}]}`, ""), say(`{"content":["b"]}`, "stop")),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"ab"},"finish_reason":"stop"}]}`},
		{"no choices member in the last chunk", docs(say(`{"content":"a"}`, "stop"), `{"usage":{"total_tokens":1}}`, `{"choices":null}`),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}],"usage":{"total_tokens":1}}`},
		{"camel case", docs(`{"choices":[{"delta":{"content":"a"},"finishReason":"stop","finish_reason":null}]}`),
			`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]}`},
	} {
		got := play(t, Options{Format: JSON, Live: true}, test.docs, false, true, true)
		if got.out != test.want+"\n" {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got.out, test.want)
		}
	}
}

// Usage is replaced by one whose total is not less, never added; null and absence change nothing.
func TestUsage(t *testing.T) {
	with := func(usage string) string {
		return `{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":` + usage + `}`
	}
	for _, test := range []struct {
		name string
		docs [][]byte
		want string
	}{
		{"none", docs(say(`{"content":"a"}`, "stop")), ""},
		{"null", docs(with(`null`)), ""},
		{"no object", docs(with(`7`)), ""},
		{"digits as received", docs(with(`{"total_tokens":9,"x":1.50,"y": 211.0}`)), `{"total_tokens":9,"x":1.50,"y": 211.0}`},
		{"cumulative", docs(with(`{"total_tokens":9}`), with(`{"total_tokens":10}`), with(`{"total_tokens":10,"x":1}`)), `{"total_tokens":10,"x":1}`},
		{"zeros at the end", docs(with(`{"total_tokens":9}`), with(`{"total_tokens":0}`), with(`null`)), `{"total_tokens":9}`},
		{"zeros at first", docs(with(`{"total_tokens":0}`), with(`{"total_tokens":9.0}`)), `{"total_tokens":9.0}`},
		{"zeros alone", docs(with(`{"total_tokens":0}`)), `{"total_tokens":0}`},
		{"no total", docs(with(`{"prompt_tokens":1}`), with(`{"prompt_tokens":2}`)), `{"prompt_tokens":2}`},
	} {
		for _, format := range []string{Content, JSON, NDJSON, Message, ToolCalls, Reasoning} {
			got := play(t, Options{Format: format}, test.docs, false, true, false).result.Usage
			if string(got) != test.want || (got == nil) != (test.want == "") {
				t.Errorf("%s, %s: %q, want %q", test.name, format, got, test.want)
			}
		}
	}
}

func TestResult(t *testing.T) {
	d := docs(`{"id":"","model":null,"choices":[]}`, `{"id":"id1","model":"m1","choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"length"},{"index":0,"delta":{"content":"a"},"finish_reason":"x"}]}`,
		`{"id":"id2","model":"m2","choices":[{"index":0,"delta":{"content":"\u00e9\n"},"finish_reason":"stop"}]}`)
	for _, format := range []string{Content, JSON, NDJSON, Message, ToolCalls, Reasoning} {
		got := play(t, Options{Format: format, KeepText: true}, d, false, true, false).result
		if got.ID != "id1" || got.Model != "m1" || got.FinishReason != "stop" || got.Text != "aé\n" || got.ToolCalls != nil {
			t.Errorf("%s: %+v", format, got)
		}
		if got := play(t, Options{Format: format}, d, false, true, false).result; got.Text != "" && format != ToolCalls {
			t.Errorf("%s: kept the text %q unasked", format, got.Text)
		}
	}
	if got := play(t, Options{}, nil, false, true, false).result; got.ID != "" || got.FinishReason != "" || got.Usage != nil {
		t.Errorf("of nothing: %+v", got)
	}
}
