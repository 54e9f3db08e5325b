package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func on(b bool) *bool { return &b }

func file(text string) *Source { return &Source{Name: "f.json", Data: []byte(text)} }

func prompt(pieces ...string) [][]byte {
	var list [][]byte
	for _, p := range pieces {
		list = append(list, []byte(p))
	}
	return list
}

func user(text string) Turn { return Turn{Kind: "user", Text: []byte(text)} }

// image is a medium that is short on the wire.
var image = Turn{Kind: "image", Media: Media{URL: "http://a/b.png"}}

const imagePart = `{"type":"image_url","image_url":{"url":"http://a/b.png"}}`

func TestBuild(t *testing.T) {
	tests := []struct {
		name string
		o    Options
		want string // with the messages' brackets as they are
	}{
		{"a value in each place", Options{
			Model: "MiniMax-M2.7", System: []byte("sys"),
			Turns:  []Turn{user("one"), {Kind: "assistant", Text: []byte("two")}},
			Prompt: prompt("three"),
			Params: []Param{
				{"temperature", []byte("0.70")}, {"top_p", []byte("1")}, {"seed", []byte("9007199254740993")}, {"stop", Strings([]string{",", "a,b"})},
			},
			Edits: []Edit{{"set", "chat_template_kwargs.x", SetValue(`{"z":1,"a":2}`)}},
		}, `{"model":"MiniMax-M2.7","messages":[{"role":"system","content":"sys"},{"role":"user","content":"one"},` +
			`{"role":"assistant","content":"two"},{"role":"user","content":"three"}],"stream":false,"temperature":0.70,"top_p":1,` +
			`"seed":9007199254740993,"stop":[",","a,b"],"chat_template_kwargs":{"x":{"z":1,"a":2}}}`},

		{"no model", Options{Prompt: prompt("hi")}, `{"messages":[{"role":"user","content":"hi"}],"stream":false}`},
		{"the default model", Options{DefaultModel: "d", Prompt: prompt("hi")}, `{"model":"d","messages":[{"role":"user","content":"hi"}],"stream":false}`},
		{"the request's model beats the default", Options{DefaultModel: "d", Request: file(`{"model":"r"}`), Prompt: prompt("hi")},
			`{"model":"r","messages":[{"role":"user","content":"hi"}],"stream":false}`},
		{"a flag's model beats the request's, in its place", Options{Model: "f", Request: file(`{"a":1,"model":"r","b":2}`), Prompt: prompt("hi")},
			`{"a":1,"model":"f","b":2,"messages":[{"role":"user","content":"hi"}],"stream":false}`},
		{"place and spelling of a request", Options{Model: "m1", Params: []Param{{"seed", []byte("9007199254740993")}},
			Request: file("\ufeff{\"x_id\":12345678901234567890,\r\n \"top_p\" : 1.0, \"y\":1e-7,\"n\\u0061me\":\"\\u00e9 \\/\"}\r\n"), Prompt: prompt("a<b> & c")},
			`{"x_id":12345678901234567890,"top_p":1.0,"y":1e-7,"n\u0061me":"\u00e9 \/","model":"m1","messages":[{"role":"user","content":"a<b> & c"}],"stream":false,"seed":9007199254740993}`},
		{"profile, request and flags", Options{Profile: file(`{"temperature":0.1,"top_p":0.1,"model":"p"}`), Request: file(`{"top_p":0.2,"n":2}`),
			Params: []Param{{"n", []byte("3")}}, Prompt: prompt("hi")},
			`{"temperature":0.1,"top_p":0.2,"model":"p","n":3,"messages":[{"role":"user","content":"hi"}],"stream":false}`},
		{"messages of a request replace those of a profile", Options{Profile: file(`{"messages":[{"role":"user","content":"p"}]}`),
			Request: file(`{"messages":[{"role":"user","content":"r"}]}`)}, `{"messages":[{"role":"user","content":"r"}],"stream":false}`},
		{"messages of a profile alone", Options{Profile: file(`{"messages":[{"role":"system","content":"p"}]}`), Request: file(`{"n":1}`), Prompt: prompt("hi")},
			`{"messages":[{"role":"system","content":"p"},{"role":"user","content":"hi"}],"n":1,"stream":false}`},
		{"a flag given twice", Options{Params: []Param{{"n", []byte("1")}, {"seed", []byte("1")}, {"n", []byte("2")}}, Prompt: prompt("hi")},
			`{"messages":[{"role":"user","content":"hi"}],"stream":false,"n":2,"seed":1}`},
		{"a part of a member given before the member", Options{Params: []Param{
			{"chat_template_kwargs.enable_thinking", []byte("true")}, {"n", []byte("1")}, {"chat_template_kwargs", []byte(`{"x":1}`)}}, Prompt: prompt("hi")},
			`{"messages":[{"role":"user","content":"hi"}],"stream":false,"chat_template_kwargs":{"x":1,"enable_thinking":true},"n":1}`},

		{"stream by flag", Options{Stream: on(true), StreamUsage: true, Prompt: prompt("hi")},
			`{"messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true}}`},
		{"stream by default", Options{DefaultStream: true, Prompt: prompt("hi")}, `{"messages":[{"role":"user","content":"hi"}],"stream":true}`},
		{"a request's stream beats the default", Options{DefaultStream: true, Request: file(`{"stream":false}`), Prompt: prompt("hi")},
			`{"stream":false,"messages":[{"role":"user","content":"hi"}]}`},
		{"a flag's stream beats the request's", Options{Stream: on(false), Request: file(`{"stream":"true"}`), Prompt: prompt("hi")},
			`{"stream":false,"messages":[{"role":"user","content":"hi"}]}`},
		{"stream_options that were given stay", Options{Stream: on(true), StreamUsage: true, Params: []Param{{"stream_options", []byte(`{"x":1}`)}}, Prompt: prompt("hi")},
			`{"messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"x":1}}`},
		{"stream_options of a request stay", Options{StreamUsage: true, Request: file(`{"stream":true,"stream_options":{}}`), Prompt: prompt("hi")},
			`{"stream":true,"stream_options":{},"messages":[{"role":"user","content":"hi"}]}`},
		{"stream by an edit asks for usage too", Options{StreamUsage: true, Edits: []Edit{{"set", "stream", []byte("true")}}, Prompt: prompt("hi")},
			`{"messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true}}`},
		{"what an edit removes is gone", Options{Stream: on(true), StreamUsage: true,
			Edits: []Edit{{Op: "unset", Path: "stream_options"}, {Op: "unset", Path: "absent"}}, Prompt: prompt("hi")},
			`{"messages":[{"role":"user","content":"hi"}],"stream":true}`},

		{"edits in their order", Options{Params: []Param{{"n", []byte("1")}},
			Edits: []Edit{{"set", "a.b", []byte("1")}, {"set-string", "a.b", String("2")}, {Op: "unset", Path: "n"}, {"set", `d\.e`, SetValue("x y")}}, Prompt: prompt("hi")},
			`{"messages":[{"role":"user","content":"hi"}],"stream":false,"a":{"b":"2"},"d.e":"x y"}`},
		{"edits of messages", Options{Edits: []Edit{{"set", "messages.-1.name", SetValue("Ada")}, {"set", "messages.1", SetValue(`{"role":"user","content":"b"}`)}}, Prompt: prompt("hi")},
			`{"messages":[{"role":"user","content":"hi","name":"Ada"},{"role":"user","content":"b"}],"stream":false}`},
		{"messages by an edit alone", Options{Edits: []Edit{{"set", "messages", []byte(`[{"role":"user","content":"b"}]`)}}},
			`{"messages":[{"role":"user","content":"b"}],"stream":false}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := Build(test.o)
			if err != nil || string(r.Body) != test.want {
				t.Errorf("got  %s, %v\nwant %s", r.Body, err, test.want)
			}
			if want := bytes.Contains(r.Body, []byte(`"stream":true`)); r.Stream != want {
				t.Errorf("stream: got %v", r.Stream)
			}
			var body struct{ Model string }
			if err := json.Unmarshal(r.Body, &body); err != nil || r.Model != body.Model {
				t.Errorf("model: got %q, want %q, %v", r.Model, body.Model, err)
			}
		})
	}
}

// TestMessages has only the messages in what it wants.
func TestMessages(t *testing.T) {
	messages := func(texts ...string) (list []Source) {
		for _, text := range texts {
			list = append(list, Source{Name: "m.json", Data: []byte(text)})
		}
		return list
	}
	const a, b, c = `{"role":"user","content":"a"}`, `{"role":"assistant","content":"b"}`, `{"content":"c","role":"system","x":1.0}`
	tests := []struct {
		name string
		o    Options
		want string
	}{
		{"prompt pieces", Options{Prompt: prompt("words", "", "file\n\n", " \n\t", "\n stdin \n")}, `[{"role":"user","content":"words\n\nfile\n\n\n stdin "}]`},
		{"a carriage return is kept", Options{Prompt: prompt("a\r\nb\r\n")}, `[{"role":"user","content":"a\r\nb\r"}]`},
		{"characters as they are", Options{Prompt: prompt("ä \"q\" \\ \x01 \u2028 \U0001F600 </script>")}, `[{"role":"user","content":"ä \"q\" \\ \u0001 ` + "\u2028 \U0001F600" + ` </script>"}]`},
		{"base, files, turns, prompt", Options{Request: file(`{"messages":[` + a + `]}`), Messages: messages("["+b+"]", b), Turns: []Turn{user("u")}, Prompt: prompt("p")},
			`[` + a + `,` + b + `,` + b + `,{"role":"user","content":"u"},{"role":"user","content":"p"}]`},
		{"an object with messages", Options{Messages: messages(`{"model":"ignored","messages":[ ` + a + ` , ` + b + ` ]}`)}, `[` + a + `,` + b + `]`},
		{"NDJSON", Options{Messages: messages("\ufeff" + a + "\r\n\r\n  \n" + b + "\r\n" + c)}, `[` + a + `,` + b + `,` + c + `]`},
		{"one message over several lines", Options{Messages: messages("{\n\"role\":\"user\",\n\"content\":\"a\"}\n")}, "[{\n\"role\":\"user\",\n\"content\":\"a\"}]"},
		{"a message with a member messages", Options{Messages: messages(`{"role":"user","messages":[]}`)}, `[{"role":"user","messages":[]}]`},
		{"an empty array and a prompt", Options{Messages: messages(`[]`), Prompt: prompt("p")}, `[{"role":"user","content":"p"}]`},
		{"null messages and a prompt", Options{Request: file(`{"messages":null}`), Prompt: prompt("p")}, `[{"role":"user","content":"p"}]`},
		{"tool result", Options{Messages: messages("[" + a + "]"), Turns: []Turn{{Kind: "tool", ID: `call"1`, Text: []byte("")}}},
			`[` + a + `,{"role":"tool","tool_call_id":"call\"1","content":""}]`},
		{"turns as they are", Options{Turns: []Turn{user("a\n"), user(" ")}}, `[{"role":"user","content":"a\n"},{"role":"user","content":" "}]`},

		{"system goes first", Options{System: []byte("s\n"), Messages: messages("[" + a + "]")}, `[{"role":"system","content":"s"},` + a + `]`},
		{"system replaces a leading one", Options{System: []byte("s"), Messages: messages("[" + c + "," + a + "," + c + "]")}, `[{"role":"system","content":"s"},` + a + `,` + c + `]`},
		{"system and developer", Options{System: []byte("s"), Developer: []byte("d"), Prompt: prompt("p")},
			`[{"role":"system","content":"s"},{"role":"developer","content":"d"},{"role":"user","content":"p"}]`},
		{"developer alone does not replace a system message", Options{Developer: []byte("d"), Messages: messages("[" + c + "," + a + "]")}, `[{"role":"developer","content":"d"},` + c + `,` + a + `]`},
		{"developer replaces one after a system message", Options{Developer: []byte("d"), Messages: messages(`[` + c + `,{"role":"developer","content":"x"},` + a + `]`)},
			`[` + c + `,{"role":"developer","content":"d"},` + a + `]`},
		{"both replace", Options{System: []byte("s"), Developer: []byte("d"), Messages: messages(`[{"role":"system","content":"x"},{"role":"developer","content":"x"},` + a + `]`)},
			`[{"role":"system","content":"s"},{"role":"developer","content":"d"},` + a + `]`},
		{"both before what is there", Options{System: []byte("s"), Developer: []byte("d"), Messages: messages(`[{"role":"developer","content":"x"},` + a + `]`)},
			`[{"role":"system","content":"s"},{"role":"developer","content":"d"},` + a + `]`},
		{"white space alone is no system message", Options{System: []byte(" \n"), Prompt: prompt("p")}, `[{"role":"user","content":"p"}]`},

		{"an image goes with the prompt", Options{Turns: []Turn{image}, Prompt: prompt("p")}, `[{"role":"user","content":[{"type":"text","text":"p"},` + imagePart + `]}]`},
		{"an image goes with the next user message", Options{Turns: []Turn{user("a"), image, {Kind: "assistant", Text: []byte("b")}, user("c")}, Prompt: prompt("p")},
			`[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":[{"type":"text","text":"c"},` + imagePart + `]},{"role":"user","content":"p"}]`},
		{"where none follows, with the last one", Options{Turns: []Turn{user("a"), image, image}}, `[{"role":"user","content":[{"type":"text","text":"a"},` + imagePart + `,` + imagePart + `]}]`},
		{"media before and after stay in order", Options{Turns: []Turn{{Kind: "image", Media: Media{URL: "http://1"}}, user("a"), image}},
			`[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"http://1"}},` + imagePart + `]}]`},
		{"with the last one of a file", Options{Messages: messages(`[{"role":"user","content":"\u00e4","name":"x"},` + b + `]`), Turns: []Turn{image}},
			`[{"role":"user","content":[{"type":"text","text":"\u00e4"},` + imagePart + `],"name":"x"},` + b + `]`},
		{"with parts of a file", Options{Messages: messages(`[{"role":"user","content":[{"type":"text","text":"t"}]}]`), Turns: []Turn{image}},
			`[{"role":"user","content":[{"type":"text","text":"t"},` + imagePart + `]}]`},
		{"with no content of a file", Options{Messages: messages(`{"role":"user"}`), Turns: []Turn{image}}, `[{"role":"user","content":[` + imagePart + `]}]`},
		{"alone", Options{System: []byte("s"), Turns: []Turn{image}}, `[{"role":"system","content":"s"},{"role":"user","content":[` + imagePart + `]}]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.o.Params = append(test.o.Params, Param{"n", []byte("1")})
			r, err := Build(test.o)
			if want := `{"messages":` + test.want + `,"stream":false,"n":1}`; err != nil || string(r.Body) != want {
				t.Errorf("got  %s, %v\nwant %s", r.Body, err, want)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	r, err := Build(Options{Params: []Param{{"stream_options", []byte(`{"include_usage":true}`)}}, Prompt: prompt("hi")})
	if want := `{"messages":[{"role":"user","content":"hi"}],"stream":false}`; err != nil || string(r.Body) != want {
		t.Errorf("got  %s, %v\nwant %s", r.Body, err, want)
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "stream_options") {
		t.Errorf("got %q", r.Warnings)
	}
}

func TestNoInput(t *testing.T) {
	for name, o := range map[string]Options{
		"nothing":                    {Model: "m"},
		"white space alone":          {Prompt: prompt(" \n", "\u00a0", "")},
		"a system message alone":     {System: []byte("s"), Developer: []byte("d")},
		"a blank turn":               {Turns: []Turn{user(" ")}},
		"an empty request":           {Request: file(`{"messages":[],"model":"m"}`)},
		"an edit that removes all":   {Prompt: prompt("hi"), Edits: []Edit{{Op: "unset", Path: "messages.0"}}},
		"an edit that removes them":  {Prompt: prompt("hi"), Edits: []Edit{{Op: "unset", Path: "messages"}}},
		"an edit that removes other": {Edits: []Edit{{Op: "unset", Path: "n"}}},
	} {
		if r, err := Build(o); !errors.Is(err, ErrNoInput) {
			t.Errorf("%s: got %s, %v", name, r.Body, err)
		}
	}
}

func TestBuildErrors(t *testing.T) {
	messages := func(text string) Options { return Options{Messages: []Source{{"m.json", []byte(text)}}} }
	request := func(text string) Options { return Options{Request: file(text), Prompt: prompt("hi")} }
	tests := []struct {
		name string
		o    Options
		want string // … at the end: the rest is pkg/object's wording
	}{
		{"request is no object", request(" [1]"), "f.json: line 1, column 2: want a JSON object, not [1]"},
		{"request is broken", request("{\n \"a\":}"), "f.json: line 2, column 6: …"},
		{"text after the request", request("{\"a\":1}\n{}"), "f.json: line 2, column 1: …"},
		{"request is empty", request(""), "f.json: …"},
		{"request is UTF-16", request("\xff\xfe{\x00}\x00"), "f.json: …"},
		{"stream is no boolean", request(`{"stream":"true"}`), `f.json: stream is neither true nor false: "true"`},
		{"messages are no array", request(`{"messages":{"role":"user"}}`), `f.json: line 1, column 13: messages is not an array: {"role":"user"}`},
		{"a message is no object", request("{\"messages\":[{\"role\":\"user\"},\n \"hi\"]}"), `f.json: line 2, column 2: a message is not an object: "hi"`},
		{"a message has no role", request("\ufeff{\"messages\":[{\"content\":\"ä\"}]}"), `f.json: line 1, column 14: a message has no role: {"content":"ä"}`},
		{"stream by an edit is no boolean", Options{Prompt: prompt("hi"), Edits: []Edit{{"set", "stream", SetValue("yes")}}}, `--set stream: stream is neither true nor false: "yes"`},
		{"a role is no string", messages(`[{"role":1}]`), "m.json: line 1, column 10: a message's role is not a string: 1"},
		{"messages file is empty", messages(" \n"), "m.json: empty, want messages"},
		{"messages file is text", messages("hello"), "m.json: line 1, column 1: want a JSON array, an object with messages, or one message a line: hello"},
		{"messages file is broken", messages("[\n{\"role\":\"user\"},]"), "m.json: line 2, column 17: …"},
		{"text after the array", messages("[] []"), "m.json: line 1, column 4: …"},
		{"text after the object", messages("{\"messages\":[]}\n{}"), "m.json: line 2, column 1: …"},
		{"a broken line", messages("{\"role\":\"user\"}\n\n{\"role\":\"user\",}\n"), "m.json: line 3, column 16: …"},
		{"two messages on a line", messages("{\"role\":\"user\"}\n{\"role\":\"user\"} {}\n"), "m.json: line 2, column 17: …"},
		{"a line without a role", messages("{\"role\":\"user\"}\n  {\"content\":\"x\"}\n"), `m.json: line 2, column 3: a message has no role: {"content":"x"}`},
		{"a line that is an array", messages("{\"role\":\"user\"}\n[]\n"), "m.json: line 2, column 1: a message is not an object: []"},
		{"media with other content", Options{Messages: []Source{{"m.json", []byte(`{"role":"user","content":5}`)}}, Turns: []Turn{image}},
			"the last user message: its content is neither text nor parts: 5"},
		{"a shape nobody knows", Options{Turns: []Turn{{Kind: "image", Media: Media{URL: "http://a"}}}, Shapes: Shapes{Image: "picture"}},
			"shape of media parts: want image_url, input_audio or audio_content: picture"},
		{"an edit into text", Options{Prompt: prompt("hi"), Edits: []Edit{{"set", "stream.x", []byte("1")}}}, "--set stream.x: …"},
		{"an edit's path is not UTF-8", Options{Prompt: prompt("hi"), Edits: []Edit{{"set", "a\xff", []byte("1")}}}, "--set: not valid UTF-8 at byte 1 (0xFF)"},
		{"an edit's value is not UTF-8", Options{Prompt: prompt("hi"), Edits: []Edit{{"set", "a", SetValue("\xff")}}}, "--set a: not valid UTF-8 at byte 1 (0xFF)"},
		{"a parameter that is no JSON", Options{Prompt: prompt("hi"), Params: []Param{{"n", []byte("x")}}}, "parameter n: line 1, column 1: …"},
		{"a part of what is no object", Options{Prompt: prompt("hi"), Params: []Param{{"a", []byte("1")}, {"a.b", []byte("1")}}}, "parameter a.b: …"},
		{"a model that is not UTF-8", Options{Model: "\xff", Prompt: prompt("hi")}, "--model: not valid UTF-8 at byte 0 (0xFF)"},
		{"a tool call's id that is not UTF-8", Options{Turns: []Turn{{Kind: "tool", ID: "\xff"}}}, "--tool-result: not valid UTF-8 at byte 0 (0xFF)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Build(test.o)
			var input *InputError
			if !errors.As(err, &input) || !same(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

// same compares a text; one that is wanted with … at its end may end as it likes, in words that are not this package's.
func same(got, want string) bool {
	start, open := strings.CutSuffix(want, "…")
	return got == want || open && strings.HasPrefix(got, start) && len(got) > len(start)
}
