package output

import (
	"errors"
	"testing"

	"github.com/llmcall/llmcall/pkg/object"
)

func TestExtract(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		none             bool
	}{
		{"block", "Here:\n```go\npackage x\n```\nDone.", "package x\n", false},
		{"first of two", "```\na\n```\n```\nb\n```\n", "a\n", false},
		{"no line end behind it", "```\na\n```", "a\n", false},
		{"tildes", "~~~ sh\n```\na\n```\n~~~\n", "```\na\n```\n", false},
		{"longer fence", "````md\n```\na\n```\n````\n", "```\na\n```\n", false},
		{"longer closing fence", "```\na\n`````\nb", "a\n", false},
		{"closing fence with words", "```\na\n``` x\n```\n", "a\n``` x\n", false},
		{"other fence inside", "```\n~~~\n```\n", "~~~\n", false},
		{"indented", "1. so:\n   ```py\n   if x:\n     y\n z\n   ```\n", "if x:\n  y\nz\n", false},
		{"indented too far", "    ```\n    a\n    ```\n", "", true},
		{"carriage returns", "```\r\na\r\n```\r\n", "a\r\n", false},
		{"empty", "```\n```\n", "", false},
		{"blank lines stay", "```\n\na\n\n```\n", "\na\n\n", false},
		{"not closed", "```\na\nb", "a\nb", false},
		{"code in a line", "``` a ``` b\n", "", true},
		{"two backticks", "``\na\n``\n", "", true},
		{"tildes with backticks", "~~~ `x`\na\n~~~\n", "a\n", false},
		{"none", "just words", "", true},
		{"nothing", "", "", true},
	} {
		d := docs(say(`{"content":`+string(object.AppendString(nil, []byte(test.text)))+`}`, "stop"))
		got := play(t, Options{Extract: true, NoNewline: true, Live: true, KeepText: true}, d, false, true, true)
		if got.out != test.want || errors.Is(got.fault, ErrNoFence) != test.none || !test.none && got.fault != nil {
			t.Errorf("%s: %q, %v, want %q", test.name, got.out, got.fault, test.want)
		}
		if !test.none && got.result.Text != test.want {
			t.Errorf("%s: the text for a schema is %q", test.name, got.result.Text)
		}
		if test.none && test.text != "" && got.err == "" {
			t.Errorf("%s: no text on stderr", test.name)
		}
	}
}

func TestExtractNone(t *testing.T) {
	d := docs(sayAt(0, "{\"content\":\"```\\na\\n```\"}", "stop"), sayAt(1, `{"content":"no\u001b[2J block"}`, "stop"))
	got := play(t, Options{Extract: true, Choices: 2}, d, false, true, false)
	if got.out != "" || got.fault != ErrNoFence || got.err != "```\na\n```\nno[2J block\n" {
		t.Errorf("%q, %q, %v", got.out, got.err, got.fault)
	}
	got = play(t, Options{Extract: true, Choices: 2}, d[:1], false, true, false)
	if got.out != "a\n" || got.fault != nil {
		t.Errorf("%q, %v", got.out, got.fault)
	}
}

func TestExtractBehindThink(t *testing.T) {
	d := docs(say("{\"content\":\"<think>```\\nno\\n```</think>```\\nyes\\n```\"}", "stop"))
	if got := play(t, Options{Extract: true, StripThink: true}, d, false, true, false); got.out != "yes\n" || got.fault != nil {
		t.Errorf("%q, %v", got.out, got.fault)
	}
}
