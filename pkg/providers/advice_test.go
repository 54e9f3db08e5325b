package providers

import (
	"encoding/json"
	"testing"
)

func TestRecommended(t *testing.T) {
	p, _ := Find("infercom")
	for _, test := range []struct{ model, want string }{
		{"MiniMax-M2.7", `[{"name":"temperature","value":1.0},{"name":"top_p","value":0.95},{"name":"top_k","value":40}]`},
		{"MiniMaxAI/MiniMax-M2.1", `[{"name":"temperature","value":1.0},{"name":"top_p","value":0.95},{"name":"top_k","value":40}]`},
		{"openai/gpt-oss-120b", `[{"name":"temperature","value":1.0},{"name":"top_p","value":1.0}]`},
		{"DeepSeek-V3.1", `[{"name":"temperature","value":0.6},{"name":"top_p","value":0.95}]`},
		{"DeepSeek-V3.2", `[{"name":"temperature","value":0.6},{"name":"top_p","value":0.95}]`},
		{"Meta-Llama-3.3-70B-Instruct", `[{"name":"temperature","value":0.6},{"name":"top_p","value":0.9}]`},
		{"meta-llama/Llama-3.3-70B-Instruct", `[{"name":"temperature","value":0.6},{"name":"top_p","value":0.9}]`},
		{"gemma-4-31B-it", `[{"name":"temperature","value":1.0},{"name":"top_p","value":0.95},{"name":"top_k","value":64}]`},
		{"gpt-5", "null"},
		{"", "null"},
	} {
		got, err := json.Marshal(p.Recommended(test.model))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %s, %v; want %s", test.model, got, err, test.want)
		}
	}
}

// TestRecommendedIsAllowed: advice that is followed meets nothing worse than a note.
func TestRecommendedIsAllowed(t *testing.T) {
	p, _ := Find("infercom")
	for _, a := range p.Advice {
		if a.Source == "" || len(a.Params) == 0 {
			t.Errorf("advice on %v: %+v", a.Models, a)
		}
	}
	for _, model := range infercomModels {
		sets := [][2]string{{"model", `"` + model + `"`}, {"messages", `[{"role":"user","content":"hi"}]`}}
		advice := p.Recommended(model)
		if len(advice) == 0 {
			t.Errorf("no advice on %s", model)
		}
		for _, a := range advice {
			sets = append(sets, [2]string{a.Name, string(a.Value)})
		}
		for _, f := range p.Lint(request(t, sets...)) {
			if f.Level != 'I' {
				t.Errorf("%s: %c %s %s", model, f.Level, f.Param, f.Message)
			}
		}
	}
}

func TestOwnAdviceGoesFirst(t *testing.T) {
	var p Provider
	if err := json.Unmarshal([]byte(`{"advice":[{"models":["*"],"params":[{"name":"temperature","value":0.70}]}]}`), &p); err != nil {
		t.Fatal(err)
	}
	p.Advice = append(publishersAdvice[:len(publishersAdvice):len(publishersAdvice)], p.Advice...)
	if got := p.Recommended("MiniMax-M2.7"); len(got) != 1 || string(got[0].Value) != "0.70" {
		t.Errorf("%s", got)
	}
}
