package providers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// linted gives the findings of level and parameter, joined, but for what is not looked for: W of a temperature that is not set.
func linted(t *testing.T, provider, body string) string {
	t.Helper()
	p, ok := Find(provider)
	if !ok {
		t.Fatalf("no row %s", provider)
	}
	var found []string
	for _, f := range p.Lint([]byte(body)) {
		found = append(found, string(f.Level)+" "+f.Param)
	}
	return strings.Join(found, ", ")
}

// TestLint is the table of parameters as a user meets it. Each request has messages and a stream; those for Infercom have a
// temperature unless they give one or take it away.
func TestLint(t *testing.T) {
	for _, test := range []struct{ provider, model, members, want string }{
		{"infercom", "MiniMax-M2.7", ``, ""},
		{"infercom", "MiniMax-M2.7", `"temperature":null`, "W temperature"},
		{"infercom", "gpt-oss-120b", `"temperature":null`, "W temperature"},
		{"infercom", "gemma-4-31B-it", `"temperature":null`, "W temperature"},
		{"infercom", "gemma-4-31B-it", `"temperature":null,"chat_template_kwargs":{"enable_thinking":true}`, "W temperature"},
		{"infercom", "Meta-Llama-3.3-70B-Instruct", `"temperature":null`, "W temperature"},
		{"infercom", "a-new-model", `"temperature":null`, "W temperature"},
		{"infercom", "MiniMax-M2.7", `"temperature":2`, ""},
		{"infercom", "MiniMax-M2.7", `"temperature":2.0000000000000000000000000001`, "E temperature"},
		{"infercom", "MiniMax-M2.7", `"temperature":-1e-30`, "E temperature"},
		{"infercom", "MiniMax-M2.7", `"temperature":1e-7`, "W temperature"},
		{"infercom", "Meta-Llama-3.3-70B-Instruct", `"temperature":0`, ""},
		{"infercom", "gemma-4-31B-it", `"temperature":0`, ""},
		{"infercom", "gemma-4-31B-it", `"temperature":0,"chat_template_kwargs":{"enable_thinking":true}`, "W temperature"},
		{"infercom", "MiniMax-M2.7", `"temperature":"hot"`, ""},

		{"infercom", "MiniMax-M2.7", `"top_k":0`, "E top_k"},
		{"infercom", "MiniMax-M2.7", `"top_k":-1`, "E top_k"},
		{"infercom", "MiniMax-M2.7", `"top_k":1`, "I top_k"},
		{"infercom", "MiniMax-M2.7", `"top_k":101`, "I top_k, I top_k"},
		{"infercom", "Meta-Llama-3.3-70B-Instruct", `"top_k":5,"temperature":null`, "W temperature, W top_k"},
		{"infercom", "Meta-Llama-3.3-70B-Instruct", `"top_k":5,"temperature":0.0009`, "W top_k, I top_k"},
		{"infercom", "MiniMax-M2.7", `"top_p":1`, "I top_p"},
		{"infercom", "MiniMax-M2.7", `"top_p":1.01`, "W top_p, I top_p"},
		{"infercom", "MiniMax-M2.7", `"top_p":-0.01,"temperature":1`, "W top_p, I top_p"},
		{"infercom", "MiniMax-M2.7", `"top_p":0.5,"top_k":5`, "I top_p"},
		{"infercom", "Meta-Llama-3.3-70B-Instruct", `"top_p":0.5,"top_k":5,"temperature":null`, "W temperature, W top_k, I top_p"},
		{"infercom", "MiniMax-M2.7", `"do_sample":false`, "W do_sample"},
		{"infercom", "MiniMax-M2.7", `"do_sample":true`, ""},
		{"infercom", "Meta-Llama-3.3-70B-Instruct", `"do_sample":false,"temperature":0`, ""},

		{"infercom", "MiniMax-M2.7", `"repetition_penalty":0.5`, "E repetition_penalty"},
		{"infercom", "MiniMax-M2.7", `"repetition_penalty":2.1`, "E repetition_penalty"},
		{"infercom", "MiniMax-M2.7", `"repetition_penalty":1.0`, ""},
		{"infercom", "MiniMax-M2.7", `"repetition_penalty":1.2`, ""},
		{"infercom", "MiniMax-M2.7", `"repetition_penalty":1.21`, "W repetition_penalty"},
		{"infercom", "MiniMax-M2.7", `"repetition_penalty":1.8`, "W repetition_penalty"},
		{"infercom", "DeepSeek-V3.2", `"repetition_penalty":1.8`, "W repetition_penalty"},
		{"infercom", "MiniMax-M2.7", `"repetition_penalty":1.1,"max_tokens":600`, ""},
		{"infercom", "gemma-4-31B-it", `"repetition_penalty":1.1,"max_tokens":100`, "I repetition_penalty"},
		{"infercom", "gemma-4-31B-it", `"repetition_penalty":1,"max_tokens":100`, ""},
		{"infercom", "MiniMax-M2.7", `"presence_penalty":1`, "W presence_penalty"},
		{"infercom", "MiniMax-M2.7", `"presence_penalty":2.5`, "E presence_penalty"},
		{"infercom", "MiniMax-M2.7", `"frequency_penalty":2.5`, "W frequency_penalty"},

		{"infercom", "gpt-oss-120b", `"reasoning_effort":"low"`, ""},
		{"infercom", "gpt-oss-120b", `"reasoning_effort":"none"`, "E reasoning_effort"},
		{"infercom", "gpt-oss-120b", `"reasoning_effort":"off"`, "E reasoning_effort"},
		{"infercom", "gpt-oss-120b", `"reasoning_effort":"xhigh"`, "W reasoning_effort"},
		{"infercom", "MiniMax-M2.7", `"reasoning_effort":"low"`, "W reasoning_effort"},
		{"infercom", "MiniMax-M2.7", `"reasoning_effort":"none"`, "W reasoning_effort"},
		{"infercom", "gemma-4-31B-it", `"chat_template_kwargs":{"enable_thinking":false}`, ""},
		{"infercom", "gemma-4-31B-it", `"chat_template_kwargs":{"enable_thinking":"yes"}`, "W chat_template_kwargs.enable_thinking"},
		{"infercom", "MiniMax-M2.7", `"chat_template_kwargs":{"enable_thinking":true}`, "I chat_template_kwargs.enable_thinking"},
		{"infercom", "gpt-oss-120b", `"chat_template_kwargs":{"enable_thinking":true}`, "I chat_template_kwargs.enable_thinking"},
		{"infercom", "a-new-model", `"chat_template_kwargs":{"enable_thinking":true}`, "I chat_template_kwargs.enable_thinking"},
		{"infercom", "MiniMax-M2.7", `"chat_template_kwargs":[true]`, "W chat_template_kwargs"},

		{"infercom", "MiniMax-M2.7", `"max_tokens":0`, "W max_tokens"},
		{"infercom", "MiniMax-M2.7", `"max_tokens":511`, "W max_tokens"},
		{"infercom", "MiniMax-M2.7", `"max_tokens":512`, ""},
		{"infercom", "Meta-Llama-3.3-70B-Instruct", `"max_tokens":1`, ""},
		{"infercom", "gemma-4-31B-it", `"max_completion_tokens":9,"chat_template_kwargs":{"enable_thinking":true}`, "W max_completion_tokens"},
		{"infercom", "MiniMax-M2.7", `"max_tokens":600,"max_completion_tokens":600`, ""},
		{"infercom", "MiniMax-M2.7", `"max_tokens":600,"max_completion_tokens":601`, "W max_completion_tokens"},
		{"infercom", "MiniMax-M2.7", `"stop":["a","b","c","d"]`, ""},
		{"infercom", "MiniMax-M2.7", `"stop":["a","b","c","d","e"]`, "W stop"},
		{"infercom", "MiniMax-M2.7", `"stream_options":{"include_usage":true}`, "W stream_options"},
		{"infercom", "MiniMax-M2.7", `"stream":true,"stream_options":{"include_usage":true}`, ""},
		{"infercom", "MiniMax-M2.7", `"n":0`, "E n"},
		{"infercom", "MiniMax-M2.7", `"n":1`, ""},
		{"infercom", "MiniMax-M2.7", `"n":2`, "W n"},
		{"infercom", "MiniMax-M2.7", `"n":9,"max_tokens":600`, "W n"},
		{"infercom", "MiniMax-M2.7", `"seed":1`, "I seed"},
		{"infercom", "gemma-4-31B-it", `"seed":1`, "W seed"},
		{"infercom", "gpt-oss-120b", `"seed":9007199254740993`, "I seed"},

		{"infercom", "MiniMax-M2.7", `"response_format":{"type":"text"}`, "W response_format.type"},
		{"infercom", "MiniMax-M2.7", `"response_format":{"type":"json_object"}`, "W response_format.type"},
		{"infercom", "MiniMax-M2.7", `"response_format":{"type":"json_object"},"messages":[{"role":"user","content":"as json"}]`, ""},
		{"infercom", "MiniMax-M2.7", `"response_format":{"type":"json_schema"}`, "W response_format"},
		{"infercom", "MiniMax-M2.7", `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{}}}`, ""},
		{"infercom", "MiniMax-M2.7", `"tools":[{"type":"function","function":{"name":"a","description":"d"}}]`, ""},
		{"infercom", "MiniMax-M2.7", `"tools":[{"type":"function","function":{"name":"a b","description":"d"}}]`, "E tools"},
		{"infercom", "MiniMax-M2.7", `"tools":[{"type":"function","function":{"name":"a"}}]`, "I tools"},
		{"infercom", "gpt-oss-120b", `"tools":[{"type":"function","function":{"name":"a","description":"d"}}]`, "I tools"},
		{"infercom", "gpt-oss-120b", `"reasoning_effort":"high","tools":[{"type":"function","function":{"name":"a","description":"d"}}]`, ""},
		{"infercom", "MiniMax-M2.7", `"tool_choice":"auto"`, "W tool_choice"},
		{"infercom", "MiniMax-M2.7", `"tools":[],"tool_choice":"any"`, "W tool_choice"},
		{"infercom", "MiniMax-M2.7", `"tool_choice":{"type":"function","function":{"name":"a"}},"tools":[{"type":"function","function":{"name":"a","description":"d"}}]`, "I tool_choice.function.name"},
		{"infercom", "MiniMax-M2.7", `"tool_choice":{"type":"function","function":{"name":"b"}},"tools":[{"type":"function","function":{"name":"a","description":"d"}}]`, "W tool_choice.function.name, I tool_choice.function.name"},
		{"infercom", "MiniMax-M2.7", `"parallel_tool_calls":true`, "I parallel_tool_calls"},

		{"infercom", "MiniMax-M2.7", `"logprobs":true,"top_logprobs":20`, ""},
		{"infercom", "MiniMax-M2.7", `"logprobs":true,"top_logprobs":21`, "E top_logprobs"},
		{"infercom", "MiniMax-M2.7", `"logprobs":true,"top_logprobs":-1`, "E top_logprobs"},
		{"infercom", "MiniMax-M2.7", `"top_logprobs":5`, "E top_logprobs"},
		{"infercom", "MiniMax-M2.7", `"logprobs":false,"top_logprobs":5`, "E top_logprobs"},
		{"infercom", "MiniMax-M2.7", `"logit_bias":{"5":1}`, "E logit_bias"},
		{"infercom", "DeepSeek-V3.1", `"logit_bias":{"5":1}`, "E logit_bias"},
		{"infercom", "DeepSeek-V3.2", `"logit_bias":{"5":1}`, "E logit_bias"},
		{"infercom", "Meta-Llama-3.3-70B-Instruct", `"logit_bias":{"5":1}`, "E logit_bias"},
		{"infercom", "gpt-oss-120b", `"logit_bias":{"5":1}`, "I logit_bias"},
		{"infercom", "gpt-oss-120b", `"logit_bias":{"five":1}`, "E logit_bias"},
		{"infercom", "gpt-oss-120b", `"logit_bias":{"5":-100.5}`, "E logit_bias"},
		{"infercom", "gemma-4-31B-it", `"logit_bias":{"5":1}`, "W logit_bias"},
		{"infercom", "a-new-model", `"logit_bias":{"5":1}`, "W logit_bias"},
		{"infercom", "MiniMax-M2.7", `"metadata":{},"min_p":0.1`, "W metadata, W min_p"},

		{"infercom", "MiniMax-M2.5", ``, "W model"},
		{"infercom", "MiniMaxAI/MiniMax-M2.7", ``, "W model"},
		{"infercom", "MiniMax-M2.7", `"messages":[]`, "E messages"},
		{"infercom", "MiniMax-M2.7", `"messages":null`, "E messages"},
		{"infercom", "gemma-4-31B-it", `"messages":[{"role":"user","content":[` + imagePart("data:image/png;base64,"+pngData) + `]}]`, ""},
		{"infercom", "MiniMax-M2.7", `"messages":[{"role":"user","content":[` + imagePart("data:image/png;base64,"+pngData) + `]}]`, "W messages"},
		{"infercom", "gemma-4-31B-it", `"messages":[{"role":"user","content":[` + imagePart("https://x/a.png") + `]}]`, "E messages"},
		{"infercom", "gemma-4-31B-it", `"messages":[{"role":"user","content":[` + imagePart("data:image/png;base64,!") + `]}]`, "E messages"},
		{"infercom", "gpt-oss-120b", `"messages":[{"role":"user","content":[{"type":"audio_content","audio_content":{"content":"UklG"}}]}]`, "W messages"},
		{"infercom", "gpt-oss-120b", `"messages":[{"role":"user","content":[{"type":"input_audio"}]}]`, "W messages"},

		{"exascale", "MiniMaxAI/MiniMax-M2.7", ``, ""},
		{"exascale", "MiniMax-M2.7", ``, "W model"},
		{"exascale", "665f0c0123456789abcdef01", ``, "W model"},
		{"exascale", "a/b", `"stream":null`, "W stream"},
		{"exascale", "a/b", `"stream":"true"`, "W stream"},
		{"exascale", "a/b", `"messages":[]`, "E messages"},
		{"exascale", "a/b", `"messages":[{"role":"user"}]`, "W messages"},
		{"exascale", "a/b", `"messages":[{"role":"user","content":[` + imagePart("https://x") + `]}]`, "W messages"},
		{"exascale", "a/b", `"temperature":2,"top_p":0,"top_k":200,"presence_penalty":-2,"repetition_penalty":2,"max_tokens":1`, ""},
		{"exascale", "a/b", `"temperature":2.1`, "E temperature"},
		{"exascale", "a/b", `"top_p":1.1`, "E top_p"},
		{"exascale", "a/b", `"top_k":201`, "E top_k"},
		{"exascale", "a/b", `"top_k":-2`, "E top_k"},
		{"exascale", "a/b", `"top_k":0`, "I top_k"},
		{"exascale", "a/b", `"top_k":-1`, "I top_k"},
		{"exascale", "a/b", `"presence_penalty":1`, ""},
		{"exascale", "a/b", `"presence_penalty":2.1`, "E presence_penalty"},
		{"exascale", "a/b", `"repetition_penalty":0.5`, "I repetition_penalty"},
		{"exascale", "a/b", `"repetition_penalty":0.009`, "E repetition_penalty"},
		{"exascale", "a/b", `"max_tokens":0`, "E max_tokens"},
		{"exascale", "a/b", `"max_completion_tokens":10`, "W max_completion_tokens"},
		{"exascale", "a/b", `"stream":true,"stream_options":{}`, "W stream_options"},
		{"exascale", "a/b", `"stream_options":{}`, "W stream_options"},
		{"exascale", "a/b", `"stop":["a"],"seed":1,"n":2`, "W stop, W seed, W n"},
		{"exascale", "a/b", `"logit_bias":{"5":1}`, "W logit_bias"},

		{"custom", "anything", `"top_k":-5,"temperature":99`, ""},
		{"mock", "echo", `"top_k":-5,"temperature":99`, ""},
	} {
		t.Run(test.provider+" "+test.model+" "+test.members, func(t *testing.T) {
			body := `{"model":"` + test.model + `","messages":[{"role":"user","content":"hi"}],"stream":false`
			if test.provider == "infercom" {
				body += `,"temperature":0.7`
			}
			if test.members != "" {
				body += "," + test.members // the last of a name counts
			}
			if got := linted(t, test.provider, body+"}"); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestLintOrder(t *testing.T) {
	p := &Provider{Rules: []Rule{
		{Param: "a", Level: "I", Message: "1"}, {Param: "b", Level: "W", Message: "2"}, {Param: "c", Level: "E", Message: "3"},
		{Param: "d", Level: "W", Message: "4"}, {Param: "b", Level: "E", Message: "5"}, {Param: "c", Level: "E", Message: "6"},
	}}
	var got string
	for _, f := range p.Lint([]byte(`{"d":1,"c":1,"b":1,"a":1}`)) {
		got += string(f.Level) + f.Message + " "
	}
	if got != "E3 E5 E6 W4 I1 " {
		t.Errorf("findings %s", got)
	}
}

func TestLintTakesAnyBody(t *testing.T) {
	p, _ := Find("infercom")
	for _, body := range []string{"", "null", "[]", `"a"`, "{", `{"top_k":0`, `{"top_k":0}x`, "\xff"} {
		if found := p.Lint([]byte(body)); found != nil {
			t.Errorf("%q: %v", body, found)
		}
	}
	for _, f := range p.Lint([]byte(`{"\u0074op_k":0,"model":["x"],"messages":{"a":1},"tools":"x","logit_bias":7}`)) {
		if f.Level == 'E' && f.Param == "top_k" {
			return
		}
	}
	t.Error("a name with an escape is not found")
}

func TestLintAdvises(t *testing.T) {
	p, _ := Find("infercom")
	for _, test := range []struct{ model, want string }{
		{"MiniMax-M2.7", "set it; the model's publisher recommends 1.0"},
		{"DeepSeek-V3.1", "set it; the model's publisher recommends 0.6"},
		{"a-new-model", "set it"},
	} {
		found := p.Lint([]byte(`{"model":"` + test.model + `","messages":[{"role":"user","content":"hi"}]}`))
		if len(found) != 1 || found[0].Do != test.want {
			t.Errorf("%s: %+v, want to %s", test.model, found, test.want)
		}
	}
}

// TestRowsKeepTheirMeaningAsJSON: what --providers prints can be put into a config file.
func TestRowsKeepTheirMeaningAsJSON(t *testing.T) {
	for _, p := range Presets() {
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var again Provider
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		second, _ := json.Marshal(again)
		if !bytes.Equal(text, second) {
			t.Errorf("%s: %s\nbecomes %s", p.Name, text, second)
		}
		if err := again.Check(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		for _, body := range lintBodies {
			if was, is := fmt.Sprint(p.Lint([]byte(body))), fmt.Sprint(again.Lint([]byte(body))); was != is {
				t.Errorf("%s: %s: %s becomes %s", p.Name, body, was, is)
			}
		}
	}
}

var lintBodies = []string{
	`{"model":"MiniMax-M2.7","messages":[{"role":"user","content":"hi"}],"top_k":0,"repetition_penalty":0.5,"logit_bias":{"5":1},"stop":["a","b","c","d","e"]}`,
	`{"model":"gpt-oss-120b","tools":[{"type":"function","function":{"name":"a b"}}],"tool_choice":{"function":{"name":"c"}},"reasoning_effort":"none"}`,
	`{"model":"gemma-4-31B-it","messages":[{"content":[{"type":"image_url","image_url":{"url":"http://x"}}]}],"chat_template_kwargs":{"enable_thinking":true}}`,
	`{"model":"x","messages":[{"role":"user"}],"temperature":"x","n":1e1,"top_logprobs":1e999999999,"response_format":{"type":"json_object"}}`,
}

// FuzzLint: no body makes a rule panic, the findings are in order, and the body is untouched.
func FuzzLint(f *testing.F) {
	for _, body := range lintBodies {
		f.Add([]byte(body))
	}
	for _, p := range predicateSamples {
		for _, body := range slices.Concat(p.firing, p.silent) {
			f.Add([]byte(strings.Replace(body, "VALUE", "logit_bias", 1)))
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := bytes.Clone(body)
		for _, name := range []string{"infercom", "exascale"} {
			p, _ := Find(name)
			found := p.Lint(body)
			if !slices.IsSortedFunc(found, func(a, b Finding) int {
				return strings.IndexByte("EWI", a.Level) - strings.IndexByte("EWI", b.Level)
			}) {
				t.Fatalf("order of %v", found)
			}
			if found != nil && !json.Valid(body) {
				t.Fatalf("findings on what is no JSON: %q", body)
			}
			// Each predicate is total, also in a rule that nobody should write.
			for _, pred := range predicateNames() {
				for _, param := range []string{"messages", "model", "tools", "absent"} {
					r := Rule{Param: param, Absent: param == "absent", If: pred}
					if q, ok := newQuery(body); ok {
						r.fires(q, param)
					}
				}
			}
		}
		if !bytes.Equal(before, body) {
			t.Fatal("the body was changed")
		}
	})
}

func predicateNames() (names []string) {
	for name := range predicateSamples {
		names = append(names, name)
	}
	return names
}

func BenchmarkLint(b *testing.B) {
	image := `{"type":"image_url","image_url":{"url":"data:image/png;base64,` + pngData[:len(pngData)-4] + strings.Repeat("AAAA", 5<<20) + `"}}`
	for _, bench := range []struct{ name, content string }{
		{"small", `"hi"`},
		{"50MB", `"` + strings.Repeat(`All work and no play, and a \"quote\" or a\nnew line now and then. `, 50<<20/66) + `"`},
		{"20MB image", `[` + image + `]`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			p, _ := Find("infercom")
			body := []byte(`{"model":"MiniMax-M2.7","messages":[{"role":"user","content":` + bench.content + `}],"stream":true,"temperature":0.7,"top_p":1,"seed":7}`)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				p.Lint(body)
			}
		})
	}
}
