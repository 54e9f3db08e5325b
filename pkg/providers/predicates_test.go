package providers

import (
	"encoding/base64"
	"strings"
	"testing"
)

var pngData = base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"))

// withParts is a request whose message has these parts.
func withParts(parts ...string) string {
	return `{"messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"t"},` + strings.Join(parts, ",") + `]}]}`
}

func imagePart(url string) string {
	return `{"image_url":{"url":"` + url + `"},"type":"image_url"}`
}

const textOnly = `{"messages":[{"role":"user","content":"image_url input_audio file http://x"}]}`

// predicateSamples are requests that a predicate is true and false for. VALUE is the parameter of the rule that it stands in.
var predicateSamples = map[string]struct{ firing, silent []string }{
	"has a slash":      {firing: []string{`{"model":"MiniMaxAI/MiniMax-M2.7"}`}, silent: []string{`{"model":"MiniMax-M2.7"}`}},
	"has no slash":     {firing: []string{`{"model":"MiniMax-M2.7"}`}, silent: []string{`{"model":"MiniMaxAI/MiniMax-M2.7"}`, `{"model":"665f0c0123456789abcdef01"}`}},
	"is a database id": {firing: []string{`{"model":"665f0c0123456789abcdef01"}`}, silent: []string{`{"model":"665f0c0123456789abcdef0"}`, `{"model":"665f0c0123456789abcdeg01"}`}},
	"is empty":         {firing: []string{`{"VALUE":[]}`, `{"VALUE":[ ]}`}, silent: []string{`{"VALUE":[1]}`, `{"VALUE":""}`, `{"VALUE":[[]]}`}},
	"decoding is greedy": {
		firing: []string{`{"VALUE":40}`, `{"VALUE":40,"temperature":0.00099999999999999999}`, `{"VALUE":40,"temperature":null}`, `{"VALUE":40,"temperature":1e-7}`},
		silent: []string{`{"VALUE":40,"temperature":0.001}`, `{"VALUE":40,"temperature":1e-3}`, `{"VALUE":40,"temperature":"0"}`},
	},
	"sampling is asked for": {
		firing: []string{`{"VALUE":false,"temperature":1e-300}`, `{"VALUE":false,"top_k":1}`},
		silent: []string{`{"VALUE":false}`, `{"VALUE":false,"temperature":0.0}`},
	},
	"token limit is small": {
		firing: []string{`{"VALUE":1.1,"max_tokens":511}`, `{"VALUE":1.1,"max_completion_tokens":5.11e2}`},
		silent: []string{`{"VALUE":1.1,"max_tokens":512}`, `{"VALUE":1.1}`},
	},
	"differs from max_tokens": {
		firing: []string{`{"VALUE":100,"max_tokens":101}`, `{"VALUE":9007199254740993,"max_tokens":9007199254740992}`},
		silent: []string{`{"VALUE":100,"max_tokens":1e2}`, `{"VALUE":100}`, `{"VALUE":100,"max_tokens":"101"}`},
	},
	"no message says json": {
		firing: []string{`{"VALUE":"json_object","messages":[{"content":"give me jso"}]}`, `{"VALUE":"json_object"}`},
		silent: []string{`{"VALUE":"json_object","messages":[{"content":"x"},{"content":"as Json, please"}]}`, `{"VALUE":"json_object","messages":[{"content":[{"type":"text","text":"JSON"}]}]}`},
	},
	"json_schema lacks name or schema": {
		firing: []string{
			`{"VALUE":{"type":"json_schema"}}`, `{"VALUE":{"type":"json_schema","json_schema":{"name":"a"}}}`,
			`{"VALUE":{"type":"json_schema","json_schema":{"schema":{}}}}`, `{"VALUE":{"type":"json_schema","json_schema":{"name":"a","schema":1}}}`,
		},
		silent: []string{`{"VALUE":{"type":"json_schema","json_schema":{"name":"a","schema":{}}}}`},
	},
	"has a bad tool name": {
		firing: []string{`{"VALUE":[{"function":{"name":"a_-Z9"}},{"function":{"name":"a.b"}}]}`, `{"VALUE":[{"function":{}}]}`, `{"VALUE":[{"function":{"name":"é"}}]}`},
		silent: []string{`{"VALUE":[{"function":{"name":"a_-Z9"}}]}`, `{"VALUE":[]}`, `{"VALUE":"a b"}`},
	},
	"has a tool that is no function": {
		firing: []string{`{"VALUE":[{"type":"web_search"}]}`, `{"VALUE":[{}]}`, `{"VALUE":[1]}`},
		silent: []string{`{"VALUE":[{"type":"function"}]}`},
	},
	"has a tool without description": {
		firing: []string{`{"VALUE":[{"function":{"name":"a"}}]}`, `{"VALUE":[{"function":{"description":""}}]}`},
		silent: []string{`{"VALUE":[{"function":{"description":"d"}}]}`},
	},
	"names a tool that is not there": {
		firing: []string{`{"VALUE":"b","tools":[{"function":{"name":"a"}}]}`},
		silent: []string{`{"VALUE":"a","tools":[{"function":{"name":"b"}},{"function":{"name":"\u0061"}}]}`, `{"VALUE":"b"}`},
	},
	"has a key that is no token id": {
		firing: []string{`{"VALUE":{"5":1,"hello":1}}`, `{"VALUE":{"-5":1}}`, `{"VALUE":{"1.5":1}}`, `{"VALUE":{"":1}}`},
		silent: []string{`{"VALUE":{"5":1,"0":1}}`, `{"VALUE":{}}`, `{"VALUE":[1]}`},
	},
	"has a bias beyond 100": {
		firing: []string{`{"VALUE":{"5":100.00000000000000000001}}`, `{"VALUE":{"5":-101}}`, `{"VALUE":{"5":"1"}}`},
		silent: []string{`{"VALUE":{"5":-100,"6":100,"7":1e2}}`},
	},
	"has a message without content": {
		firing: []string{`{"messages":[{"role":"user"}]}`, `{"messages":[{"role":"user","content":null}]}`, `{"messages":[{"role":"assistant","tool_calls":null}]}`},
		silent: []string{`{"messages":[{"role":"user","content":""}]}`, `{"messages":[{"role":"assistant","content":null,"tool_calls":[]}]}`, `{"messages":[1]}`},
	},
	"has an image": {firing: []string{withParts(imagePart("x"))}, silent: []string{textOnly, withParts(`{"type":"file"}`)}},
	"has an image by address": {
		firing: []string{withParts(imagePart("https://x/a.png")), withParts(imagePart("HTTP://x")), withParts(imagePart(`http:\/\/x`)), withParts(`{"type":"image_url","image_url":"https://x"}`)},
		silent: []string{textOnly, withParts(imagePart("data:image/png;base64," + pngData)), withParts(`{"type":"text","image_url":{"url":"http://x"}}`)},
	},
	"has an image that is no data": {
		firing: []string{
			withParts(imagePart("a.png")), withParts(imagePart("")), withParts(imagePart("data:image/png," + pngData)), withParts(imagePart("data:image/png;base64")),
			withParts(imagePart("data:image/png;base64,aGVsbG8gd29ybGQsIGhlbGxv")), withParts(imagePart("data:image/png;base64," + pngData[:len(pngData)-1])),
			withParts(imagePart("data:image/png;base64," + strings.Replace(pngData, "o", "*", 1))), withParts(imagePart("data:image/webp;base64," + base64.StdEncoding.EncodeToString([]byte("RIFF\x00\x00\x00\x00WAVEfmt ")))),
		},
		silent: []string{
			textOnly, withParts(imagePart("https://x/a.png")), withParts(imagePart("data:image/png;base64," + pngData)), withParts(imagePart(pngData)),
			withParts(imagePart(`data:image\/png;base64,` + strings.ReplaceAll(pngData, "/", `\/`))),
			withParts(imagePart("data:image/jpeg;base64,/9j/4AAQSkZJRg==")), withParts(imagePart("DATA:image/webp;BASE64," + base64.StdEncoding.EncodeToString([]byte("RIFF\x00\x00\x00\x00WEBPVP8 ")))),
		},
	},
	"has audio_content": {firing: []string{withParts(`{"type":"audio_content"}`)}, silent: []string{textOnly, withParts(`{"type":"input_audio"}`)}},
	"has input_audio, a file or a video": {
		firing: []string{withParts(`{"type":"input_audio"}`), withParts(`{"type":"file"}`), withParts(`{"type":"video_url"}`)},
		silent: []string{textOnly, withParts(`{"type":"audio_content"}`), withParts(imagePart("x"))},
	},
	"has media": {
		firing: []string{withParts(`{"type":"input_audio"}`), withParts(`{"type":"audio_content"}`), withParts(imagePart("x")), withParts(`{"type":"video_url"}`)},
		silent: []string{textOnly, withParts(`{"type":"text"}`)},
	},
	"has reasoning_details": {
		firing: []string{`{"messages":[{"reasoning_details":[],"content":"a"}]}`},
		silent: []string{`{"messages":[{"reasoning_details":null,"content":"reasoning_details"}]}`, `{"reasoning_details":[]}`},
	},
}

// TestPredicates holds each predicate itself to its samples, so that none of them counts for another reason.
func TestPredicates(t *testing.T) {
	for name, samples := range predicateSamples {
		t.Run(name, func(t *testing.T) {
			is := predicate(name)
			if is == nil {
				t.Fatal("no such predicate")
			}
			for _, body := range samples.firing {
				if !is(predicateCase(t, name, body)) {
					t.Errorf("false for %s", body)
				}
			}
			for _, body := range samples.silent {
				if is(predicateCase(t, name, body)) {
					t.Errorf("true for %s", body)
				}
			}
		})
	}
}

func predicateCase(t *testing.T, name, body string) (*query, []byte) {
	t.Helper()
	q, ok := newQuery([]byte(body))
	if !ok {
		t.Fatalf("%s: %s", name, body)
	}
	for _, path := range []string{"VALUE", "model"} {
		if v, ok := q.get(path); ok {
			return q, v
		}
	}
	return q, []byte("null")
}
