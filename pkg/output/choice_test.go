package output

import (
	"strings"
	"testing"
)

func TestChoices(t *testing.T) {
	for _, test := range []struct {
		name     string
		n        int
		docs     [][]byte
		want     string
		warnings string
	}{
		{"no index is the position", 2, docs(`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"},{"delta":{"content":"b"},"finish_reason":"stop"}]}`), "a\nb\n", ""},
		{"a senseless index is the position", 2, docs(`{"choices":[{"index":-1,"delta":{"content":"a"},"finish_reason":"stop"},{"index":"1","delta":{"content":"b"},"finish_reason":"stop"}]}`), "a\nb\n", ""},
		{"index behind the delta", 2, docs(`{"choices":[{"delta":{"content":"b"},"index":1,"finish_reason":"stop"}]}`, `{"choices":[{"delta":{"content":"a"},"index":0,"finish_reason":"stop"}]}`), "a\nb\n", ""},
		{"counted from one", 1, docs(sayAt(1, `{"content":"a"}`, ""), sayAt(1, `{"content":"b"}`, "stop")), "ab\n", ""},
		{"the lower is shown", 1, docs(sayAt(2, `{"content":"c"}`, "stop"), sayAt(1, `{"content":"b"}`, "stop")), "b\n", "the reply has 2 choices, 1 asked for: the rest is dropped\n"},
		{"never mixed", 3, docs(sayAt(2, `{"content":"c1"}`, ""), sayAt(0, `{"content":"a1"}`, ""), sayAt(1, `{"content":"b1"}`, ""),
			`{"choices":[{"index":1,"delta":{"content":"b2"},"finish_reason":"stop"},{"index":0,"delta":{"content":"a2"},"finish_reason":"stop"},{"index":2,"delta":{"content":"c2"},"finish_reason":"stop"}]}`), "a1a2\nb1b2\nc1c2\n", ""},
		{"fewer than asked for", 3, docs(say(`{"content":"a"}`, "stop")), "a\n", ""},
	} {
		for _, live := range []bool{false, true} {
			got := play(t, Options{Choices: test.n, Live: live}, test.docs, false, true, live)
			if got.fault != nil || got.out != test.want || got.warnings != test.warnings {
				t.Errorf("%s: %q, %v, %q", test.name, got.out, got.fault, got.warnings)
			}
		}
	}
}

func TestContentForms(t *testing.T) {
	for _, test := range []struct{ name, delta, content, reasoning string }{
		{"string", `{"content":"a"}`, "a", ""},
		{"null", `{"content":null}`, "", ""},
		{"number", `{"content":7}`, "", ""},
		{"object", `{"content":{"text":"a"}}`, "", ""},
		{"no parts", `{"content":[]}`, "", ""},
		{"text parts", `{"content":[{"type":"text","text":"a"},{"text":"b","type":"text"}]}`, "ab", ""},
		{"output text", `{"content":[{"type":"output_text","text":"a"}]}`, "a", ""},
		{"no type", `{"content":[{"text":"a"},"b"]}`, "ab", ""},
		{"unknown parts", `{"content":[{"type":"reference","text":"a"},null,3,[],{"type":["text"],"text":"c"}]}`, "", ""},
		{"text that is none", `{"content":[{"type":"text","text":null},{"type":"text"}]}`, "", ""},
		{"refusal part", `{"content":[{"type":"refusal","refusal":"a"}]}`, "a", ""},
		{"thinking parts", `{"content":[{"type":"thinking","thinking":[{"type":"text","text":"r"},{"type":"text","text":"s"}]},{"type":"text","text":"a"}]}`, "a", "rs"},
		{"thinking string", `{"content":[{"type":"thinking","thinking":"r"},{"type":"reasoning","text":"s"}]}`, "", "rs"},
		{"refusal", `{"content":null,"refusal":"a"}`, "a", ""},
		{"content and refusal", `{"refusal":"b","content":"a"}`, "ab", ""},
		{"reasoning", `{"reasoning":"r"}`, "", "r"},
		{"reasoning_content", `{"reasoning_content":"r"}`, "", "r"},
		{"both", `{"reasoning":"s","reasoning_content":"r"}`, "", "r"},
		{"empty and full", `{"reasoning":"r","reasoning_content":""}`, "", "r"},
		{"null and full", `{"reasoning_content":null,"reasoning":"r"}`, "", "r"},
		{"all three", `{"reasoning":"r","reasoning_content":"r","reasoning_details":[{"text":"r"}]}`, "", "r"},
		{"details", `{"reasoning":null,"reasoning_details":[{"type":"reasoning.text","text":"r"},{"type":"reasoning.encrypted","data":"x"},null,{"text":"s"}]}`, "", "rs"},
		{"object and details", `{"reasoning":{"a":1},"reasoning_details":[{"text":"r"}]}`, "", "r"},
		{"object", `{"reasoning":{"text":"r"}}`, "", ""},
		{"reasoning and thinking", `{"reasoning":"r","content":[{"type":"thinking","thinking":"r"}]}`, "", "r"},
		{"unknown members", `{"channel":"final","x":{"content":"b"},"content":"a"}`, "a", ""},
		{"escapes", `{"content":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00<&>"}`, "\"\\/\b\f\n\r\té😀<&>", ""},
	} {
		for _, body := range []bool{false, true} {
			doc := say(test.delta, "stop")
			if body {
				doc = strings.Replace(doc, `"delta"`, `"message"`, 1)
			}
			for format, want := range map[string]string{Content: test.content, Reasoning: test.reasoning} {
				got := play(t, Options{Format: format, NoNewline: true}, docs(doc), body, true, false)
				if got.out != want || got.fault != nil {
					t.Errorf("%s, %s: %q, %v, want %q", test.name, format, got.out, got.fault, want)
				}
			}
		}
	}
}

func TestMessageOrDelta(t *testing.T) {
	for _, test := range []struct {
		name, element string
		body          bool
		want          string
	}{
		{"delta of a chunk", `{"delta":{"content":"a"},"message":{"content":"whole"}}`, false, "a"},
		{"empty delta of a chunk", `{"message":{"content":"whole"},"delta":{}}`, false, ""},
		{"message of a chunk", `{"message":{"content":"a"},"delta":null}`, false, "a"},
		{"message of a body", `{"delta":{"content":"b"},"message":{"content":"a"}}`, true, "a"},
		{"delta of a body", `{"delta":{"content":"a"}}`, true, "a"},
		{"neither", `{"text":"a"}`, true, ""},
	} {
		got := play(t, Options{NoNewline: true, NoFinishReason: true}, docs(`{"choices":[`+test.element+`]}`), test.body, true, false)
		if got.out != test.want || got.fault != nil {
			t.Errorf("%s: %q, %v", test.name, got.out, got.fault)
		}
	}
}

// A pair of surrogates may be cut between any two deltas of a text, whatever comes of other texts between them.
func TestSurrogates(t *testing.T) {
	for _, test := range []struct {
		name   string
		pieces []string
		want   string
	}{
		{"whole", []string{`\ud83d\ude00`}, "😀"},
		{"halves", []string{`a \ud83d`, `\ude00 b`}, "a 😀 b"},
		{"capitals", []string{`\uD83D`, `\uDE00`}, "😀"},
		{"an empty piece between", []string{`\ud83d`, ``, `\ude00`}, "😀"},
		{"two in a row", []string{`\ud83d`, `\ude00\ud83d`, `\ude01`}, "😀😁"},
		{"lone high, then text", []string{`\ud83d`, `x`}, "\ufffdx"},
		{"lone high, then an escape", []string{`\ud83d`, `\n`}, "\ufffd\n"},
		{"two highs", []string{`\ud83d`, `\ud83d`, `\ude00`}, "\ufffd😀"},
		{"lone high at the end", []string{`x\ud83d`}, "x\ufffd"},
		{"lone low", []string{`x`, `\ude00`}, "x\ufffd"},
		{"no escape at all", []string{`\\ud83d`, `\ude00`}, `\ud83d` + "\ufffd"},
		{"after a backslash", []string{`\\\ud83d`, `\ude00`}, `\😀`},
	} {
		for format, field := range map[string]string{Content: "content", Reasoning: "reasoning"} {
			var d [][]byte
			for _, piece := range test.pieces {
				d = append(d, docs(say(`{"`+field+`":"`+piece+`"}`, ""), sayAt(1, `{"`+field+`":"x"}`, "stop"))...)
			}
			d = append(d, docs(say(`{}`, "stop"))...)
			got := play(t, Options{Format: format, NoNewline: true, Live: true}, d, false, true, true)
			if got.out != test.want || got.fault != nil {
				t.Errorf("%s, %s: %q, %v", test.name, format, got.out, got.fault)
			}
		}
	}
}

func TestReasoningShown(t *testing.T) {
	const r, c = `{"reasoning":"why"}`, `{"content":"so"}`
	for _, test := range []struct {
		name     string
		o        Options
		docs     [][]byte
		out, err string
	}{
		{"hidden", Options{}, docs(say(r, ""), say(c, "stop")), "so\n", ""},
		{"stdout", Options{Reasoning: ReasoningStdout}, docs(say(r, ""), say(c, "stop")), "why\n\nso\n", ""},
		{"stdout, one delta", Options{Reasoning: ReasoningStdout}, docs(say(`{"content":"so","reasoning":"why"}`, "stop")), "why\n\nso\n", ""},
		{"stdout, a line end", Options{Reasoning: ReasoningStdout}, docs(say(`{"reasoning":"why\n"}`, ""), say(c, "stop")), "why\n\nso\n", ""},
		{"stdout, line ends in pieces", Options{Reasoning: ReasoningStdout}, docs(say(`{"reasoning":"why\n"}`, ""), say(`{"reasoning":"\n"}`, ""), say(c, "stop")), "why\n\nso\n", ""},
		{"stdout, only reasoning", Options{Reasoning: ReasoningStdout}, docs(say(r, "stop")), "why\n", ""},
		{"stdout, no reasoning", Options{Reasoning: ReasoningStdout}, docs(say(c, "stop")), "so\n", ""},
		{"stdout, and back", Options{Reasoning: ReasoningStdout}, docs(say(r, ""), say(c, ""), say(r, ""), say(c, "stop")), "why\n\nso\n\nwhy\n\nso\n", ""},
		{"stdout, dimmed", Options{Reasoning: ReasoningStdout, DimStdout: true}, docs(say(r, ""), say(c, "stop")), "\x1b[2mwhy\x1b[0m\n\nso\n", ""},
		{"stdout, dimmed to the end", Options{Reasoning: ReasoningStdout, DimStdout: true}, docs(say(r, "stop")), "\x1b[2mwhy\x1b[0m\n", ""},
		{"stdout, calls", Options{Reasoning: ReasoningStdout}, docs(say(r, ""), say(`{"tool_calls":[{"id":"a","function":{"name":"f"}}]}`, "stop")), "why\n\n" + `{"id":"a","name":"f","arguments":{}}` + "\n", ""},
		{"stdout, two choices", Options{Reasoning: ReasoningStdout, Choices: 2}, docs(say(r, ""), sayAt(1, r, ""), say(c, "stop"), sayAt(1, c, "stop")), "why\n\nso\nwhy\n\nso\n", ""},
		{"stderr", Options{Reasoning: ReasoningStderr}, docs(say(r, ""), say(c, "stop")), "so\n", "why\n"},
		{"stderr, a line end", Options{Reasoning: ReasoningStderr}, docs(say(`{"reasoning":"why\n"}`, ""), say(c, "stop")), "so\n", "why\n"},
		{"stderr, dimmed", Options{Reasoning: ReasoningStderr, DimStderr: true}, docs(say(r, ""), say(c, "stop")), "so\n", "\x1b[2mwhy\n\x1b[0m"},
		{"stderr, controls", Options{Reasoning: ReasoningStderr}, docs(say(`{"reasoning":"a\u001b[31m\u0007\tb\r\u009b\u0085é\n"}`, ""), say(`{"content":"\u001b[0m"}`, "stop")), "\x1b[0m\n", "a[31m\tbé\n"},
		{"stderr, two choices", Options{Reasoning: ReasoningStderr, Choices: 2}, docs(sayAt(1, `{"reasoning":"because"}`, ""), say(r, ""), say(c, "stop"), sayAt(1, c, "stop")), "so\nso\n", "why\nbecause\n"},
		{"stderr, json", Options{Reasoning: ReasoningStderr, Format: JSON, Query: "choices.0.message.content"}, docs(say(r, ""), say(c, "stop")), "so\n", "why\n"},
		{"stderr, think", Options{Reasoning: ReasoningStderr, StripThink: true}, docs(say(`{"content":"<think>why</think>\n"}`, ""), say(c, "stop")), "so\n", "why\n"},
		{"stdout, think", Options{Reasoning: ReasoningStdout, StripThink: true}, docs(say(`{"content":"<think>\nwhy\n</think>\n\n"}`, ""), say(c, "stop")), "\nwhy\n\n\nso\n", ""},
	} {
		for _, live := range []bool{false, true} {
			test.o.Live = live
			got := play(t, test.o, test.docs, false, true, false)
			if got.fault != nil || got.out != test.out || got.err != test.err {
				t.Errorf("%s: %q and %q, %v, want %q and %q", test.name, got.out, got.err, got.fault, test.out, test.err)
			}
		}
	}
}

// A terminal is never left dimmed while nothing comes, and its line is ended before something else is said on it.
func TestDimEndsWithEachWrite(t *testing.T) {
	d := docs(say(`{"reasoning":"a"}`, ""), say(`{"reasoning":"b"}`, ""), say(`{"content":"c"}`, ""))
	got := play(t, Options{Reasoning: ReasoningStdout, DimStdout: true, Live: true}, d, false, false, true)
	if want := "\x1b[2ma\x1b[0m\x1b[2mb\x1b[0m\n\nc"; got.out != want {
		t.Errorf("stdout: %q, want %q", got.out, want)
	}
	got = play(t, Options{Reasoning: ReasoningStderr, DimStderr: true, Live: true}, d[:2], false, false, true)
	if want := "\x1b[2ma\x1b[0m\x1b[2mb\x1b[0m\x1b[2m\n\x1b[0m"; got.err != want {
		t.Errorf("stderr: %q, want %q", got.err, want)
	}
}
