package output

import (
	"errors"
	"testing"
)

func TestQuery(t *testing.T) {
	body := docs(`{"id":"a\u00e9","created":1.50e3,"big":9007199254740993,"none":null,"choices":[{"message":{"content":"\ud83d\ude00\n<","refusal":null},"finish_reason":"stop"}],"usage":{ "total_tokens": 3 }}`)
	for _, test := range []struct{ path, want string }{
		{"id", "aé\n"},
		{"created", "1.50e3\n"},
		{"big", "9007199254740993\n"},
		{"none", "null\n"},
		{"usage", "{ \"total_tokens\": 3 }\n"},
		{"choices.0.message.content", "😀\n<\n"},
		{"choices.#", "1\n"},
		{"choices.#.finish_reason", `["stop"]` + "\n"},
		{"{id,created}", `{"id":"a\u00e9","created":1.50e3}` + "\n"},
		{"@this.usage.total_tokens", "3\n"},
		{"nowhere", ""},
		{"choices.7", ""},
	} {
		got := play(t, Options{Format: JSON, Query: test.path}, body, true, false, false)
		if got.out != test.want || errors.Is(got.fault, ErrQueryNotFound) != (test.want == "") {
			t.Errorf("%s: %q, %v, want %q", test.path, got.out, got.fault, test.want)
		}
	}
	chunks := docs(say(`{"content":"a"}`, ""), `{"choices":[]}`, say(`{"content":"b"}`, ""), say(`{}`, "stop"), `{"usage":{"total_tokens":2}}`)
	for _, test := range []struct{ format, path, want string }{
		{NDJSON, "choices.0.delta.content", "a\nb\n"},
		{NDJSON, "usage", `{"total_tokens":2}` + "\n"},
		{NDJSON, "nowhere", ""},
		{JSON, "choices.0.message.content", "ab\n"},
		{JSON, "usage.total_tokens", "2\n"},
		{JSON, "nowhere", ""},
		{Message, "content", "ab\n"},
		{Message, "tool_calls", ""},
	} {
		got := play(t, Options{Format: test.format, Query: test.path, Live: true}, chunks, false, true, true)
		if got.out != test.want || errors.Is(got.fault, ErrQueryNotFound) != (test.want == "") {
			t.Errorf("%s, %s: %q, %v, want %q", test.format, test.path, got.out, got.fault, test.want)
		}
	}
}
