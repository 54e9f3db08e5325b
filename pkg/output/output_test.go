package output

import (
	"fmt"
	"testing"
)

// docs makes documents of lines.
func docs(lines ...string) [][]byte {
	var d [][]byte
	for _, line := range lines {
		d = append(d, []byte(line))
	}
	return d
}

// say is a chunk with a delta, and a finish reason unless it is empty.
func say(delta, finish string) string { return sayAt(0, delta, finish) }

func sayAt(index int, delta, finish string) string {
	reason := "null"
	if finish != "" {
		reason = `"` + finish + `"`
	}
	return fmt.Sprintf(`{"choices":[{"index":%d,"delta":%s,"finish_reason":%s}]}`, index, delta, reason)
}

func TestNewRefuses(t *testing.T) {
	for name, o := range map[string]Options{
		"format":                       {Format: "yaml"},
		"reasoning":                    {Reasoning: "loud"},
		"reasoning on stdout and json": {Format: JSON, Reasoning: ReasoningStdout},
		"query and content":            {Query: "id"},
		"query and tool-calls":         {Format: ToolCalls, Query: "id"},
		"query and reasoning":          {Format: Reasoning, Query: "id"},
		"extract and message":          {Format: Message, Extract: true},
		"extract and reasoning":        {Extract: true, Reasoning: ReasoningStdout},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, format := range []string{JSON, NDJSON, Message} {
		if _, err := New(Options{Format: format, Query: "id", Reasoning: ReasoningHide}); err != nil {
			t.Errorf("query and %s: %v", format, err)
		}
	}
}

func TestEnds(t *testing.T) {
	one := docs(say(`{"content":"x","reasoning":"r"}`, "stop"))
	ended := docs(say(`{"content":"x\n","reasoning":"r\n"}`, "stop"))
	none := docs(say(`{"content":""}`, "stop"))
	two := docs(sayAt(1, `{"content":"y"}`, "stop"), sayAt(0, `{"content":"x"}`, "stop"))
	calls := docs(say(`{"tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}}]}`, "stop"))
	for _, test := range []struct {
		name string
		o    Options
		docs [][]byte
		want string
	}{
		{"content", Options{}, one, "x\n"},
		{"content that has one", Options{}, ended, "x\n"},
		{"nothing", Options{}, none, ""},
		{"no newline", Options{NoNewline: true}, one, "x"},
		{"null", Options{Null: true}, one, "x\x00"},
		{"null after a line end", Options{Null: true}, ended, "x\n\x00"},
		{"null after nothing", Options{Null: true}, none, "\x00"},
		{"two", Options{Choices: 2}, two, "x\ny\n"},
		{"two, null", Options{Choices: 2, Null: true}, two, "x\x00y\x00"},
		{"two, no newline", Options{Choices: 2, NoNewline: true}, two, "xy"},
		{"one of two", Options{}, two, "x\n"},
		{"reasoning", Options{Format: Reasoning}, one, "r\n"},
		{"reasoning that has one", Options{Format: Reasoning}, ended, "r\n"},
		{"reasoning, no newline", Options{Format: Reasoning, NoNewline: true}, one, "r"},
		{"message, null", Options{Format: Message, Null: true, Choices: 2}, two, `{"role":"assistant","content":"x"}` + "\x00" + `{"role":"assistant","content":"y"}` + "\x00"},
		{"calls", Options{}, calls, `{"id":"a","name":"f","arguments":{}}` + "\n" + `{"id":"b","name":"g","arguments":{}}` + "\n"},
		{"calls, null", Options{Null: true}, calls, `{"id":"a","name":"f","arguments":{}}` + "\x00" + `{"id":"b","name":"g","arguments":{}}` + "\x00"},
		{"query, null", Options{Format: NDJSON, Query: "choices.0.index", Null: true, Live: true}, two, "1\x000\x00"},
		{"query, no newline", Options{Format: NDJSON, Query: "choices.0.delta.content", NoNewline: true, Live: true}, two, "yx"},
	} {
		got := play(t, test.o, test.docs, false, true, false)
		if got.fault != nil || got.out != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, got.out, got.fault, test.want)
		}
	}
}

func TestBodyIsUntouched(t *testing.T) {
	for _, test := range []struct {
		name, body string
		o          Options
		want       string
	}{
		{"a line end is added", `{"choices":[{"message":{"content":"<b>&\u0041"},"x":1.50e3}]}`, Options{}, `{"choices":[{"message":{"content":"<b>&\u0041"},"x":1.50e3}]}` + "\n"},
		{"or not", "{\r\n \"choices\": [{}]}\n", Options{}, "{\r\n \"choices\": [{}]}\n"},
		{"none at all", `{"choices":[{}]}`, Options{NoNewline: true}, `{"choices":[{}]}`},
	} {
		test.o.Format = JSON
		if got := play(t, test.o, docs(test.body), true, false, false); got.out != test.want || got.fault != nil {
			t.Errorf("%s: %q, %v", test.name, got.out, got.fault)
		}
	}
	got := play(t, Options{Format: NDJSON, Live: true}, docs("{\r\n \"choices\": [{}]}\n"), true, false, false)
	if want := "{   \"choices\": [{}]} \n"; got.out != want {
		t.Errorf("ndjson: %q, want %q", got.out, want)
	}
}
