package providers

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	infercom := []string{"DeepSeek-V3.1", "DeepSeek-V3.2", "E5-Mistral-7B-Instruct", "Meta-Llama-3.3-70B-Instruct", "MiniMax-M2.7", "Whisper-Large-v3", "gemma-4-31B-it", "gpt-oss-120b"}
	for _, test := range []struct {
		name, model string
		ids         []string
		n           int
		want        string
	}{
		{"a slip", "MiniMax-M27", infercom, 3, "MiniMax-M2.7"},
		{"case", "minimax-m2.7", infercom, 3, "MiniMax-M2.7"},
		{"an owner too many", "MiniMaxAI/MiniMax-M2.7", infercom, 3, "MiniMax-M2.7"},
		{"an owner too few", "MiniMax-M2.7", []string{"MiniMaxAI/MiniMax-M2.7", "MiniMaxAI/MiniMax-M2.1"}, 3, "MiniMaxAI/MiniMax-M2.7 MiniMaxAI/MiniMax-M2.1"},
		{"two near", "DeepSeek-V3", infercom, 3, "DeepSeek-V3.1 DeepSeek-V3.2"},
		{"at most", "DeepSeek-V3", infercom, 1, "DeepSeek-V3.1"},
		{"a part", "llama-3.3", infercom, 3, "Meta-Llama-3.3-70B-Instruct"},
		{"a whole too long", "gpt-oss-120b-versatile-preview", infercom, 3, "gpt-oss-120b"},
		{"removed", "MiniMax-M2.5", infercom, 3, "MiniMax-M2.7"},
		{"far", "claude-opus", infercom, 3, ""},
		{"itself", "gpt-oss-120b", infercom, 3, ""},
		{"empty", "", infercom, 3, ""},
		{"none", "gpt-oss-120b", nil, 3, ""},
		{"nothing asked", "gpt-oss-120", infercom, 0, ""},
		{"short", "o", []string{"o1", "gpt-oss-120b"}, 3, "o1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(Nearest(test.model, test.ids, test.n), " "); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestEditDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "ab", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 2}} {
		if got, back := editDistance(test.a, test.b), editDistance(test.b, test.a); got != test.want || back != test.want {
			t.Errorf("%q and %q: %d and %d, want %d", test.a, test.b, got, back, test.want)
		}
	}
}
