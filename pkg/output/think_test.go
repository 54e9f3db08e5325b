package output

import (
	"errors"
	"testing"

	"github.com/llmcall/llmcall/pkg/object"
)

func TestStripThink(t *testing.T) {
	for _, test := range []struct{ name, text, content, reasoning string }{
		{"block", "<think>why</think>so", "so", "why"},
		{"white space behind it", "<think>why</think> \n\n\tso \n", "so \n", "why \n\n\t"},
		{"white space before it", "\n <think>why</think>so", "so", "why"},
		{"empty block", "<think></think>so", "so", ""},
		{"nothing behind it", "<think>why</think>", "", "why"},
		{"only white space behind it", "<think>why</think>\n", "", "why\n"},
		{"no block", "so be it", "so be it", ""},
		{"white space alone", " \n", " \n", ""},
		{"no start", "why</think>\nso", "so", "why\n"},
		{"only an end", "</think>so", "so", ""},
		{"not at the start", "so <think>why</think> it is", "it is", "so <think>why "},
		{"like a tag", "<thinker>so", "<thinker>so", ""},
		{"part of a tag", "<thin", "<thin", ""},
		{"one block only", "<think>a</think>b<think>c</think>d", "b<think>c</think>d", "a"},
		{"like an end", "<think>a</thinker></think>b", "b", "a</thinker>"},
		{"ends within ends", "<think>a</th</think>b", "b", "a</th"},
		{"more than one byte", "<think>ä€</think>😀", "😀", "ä€"},
		{"never closed", "<think>why</thin", "", "why</thin"},
	} {
		unclosed := test.name == "never closed"
		pieces := [][]string{{test.text}, nil}
		for _, r := range test.text {
			pieces[1] = append(pieces[1], string(r))
		}
		for i := range test.text {
			pieces = append(pieces, []string{test.text[:i], test.text[i:]})
		}
		for _, cut := range pieces {
			var d [][]byte
			for _, piece := range cut {
				d = append(d, docs(say(`{"content":`+string(object.AppendString(nil, []byte(piece)))+`}`, ""))...)
			}
			d = append(d, docs(say(`{}`, "stop"))...)
			for format, want := range map[string]string{Content: test.content, Reasoning: test.reasoning} {
				got := play(t, Options{Format: format, StripThink: true, NoNewline: true, Live: true}, d, false, true, true)
				var cutError *CutError
				if got.out != want || errors.As(got.fault, &cutError) != unclosed {
					t.Errorf("%s, %s of %q: %q, %v, want %q", test.name, format, cut, got.out, got.fault, want)
				}
			}
		}
	}
}

// Text flows as soon as it is decided, and no sooner.
func TestStripThinkIsLive(t *testing.T) {
	for _, test := range []struct {
		name   string
		pieces []string
		want   []string // on stdout after each piece
	}{
		{"block", []string{"<think>a", "b</think>", "\n", "c", "d"}, []string{"", "", "", "c", "cd"}},
		{"no tag", []string{"a", "b", "</think>c", "d"}, []string{"", "", "c", "cd"}},
	} {
		var out []byte
		w, err := New(Options{Live: true, StripThink: true, Out: writerFunc(func(p []byte) (int, error) {
			out = append(out, p...)
			return len(p), nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		for i, piece := range test.pieces {
			if err := w.Chunk([]byte(say(`{"content":`+string(object.AppendString(nil, []byte(piece)))+`}`, ""))); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if string(out) != test.want[i] {
				t.Errorf("%s: %q after piece %d, want %q", test.name, out, i, test.want[i])
			}
		}
	}
}

func TestStripThinkMessage(t *testing.T) {
	d := docs(say(`{"content":"<think>\u00e9 \"why\"</think>so <b>"}`, ""), say(`{"refusal":"no"}`, "stop"))
	got := play(t, Options{Format: Message, StripThink: true, ReasoningInput: "reasoning"}, d, false, true, false)
	if want := `{"role":"assistant","content":"so <b>","reasoning":"é \"why\"","refusal":"no"}` + "\n"; got.out != want || got.fault != nil {
		t.Errorf("%q, %v", got.out, got.fault)
	}
}
