package providers

import (
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"
)

func TestPresets(t *testing.T) {
	seen := map[string]bool{}
	variables := map[string]string{}
	for _, p := range Presets() {
		t.Run(p.Name, func(t *testing.T) {
			if seen[p.Name] || p.Name == "" || p.Title == "" || strings.ToLower(p.Name) != p.Name || strings.ContainsAny(p.Name, " :/") {
				t.Errorf("name %q, title %q", p.Name, p.Title)
			}
			seen[p.Name] = true
			if found, ok := Find(p.Name); !ok || found.Name != p.Name {
				t.Error("is not found by its name")
			}
			if err := p.Check(); err != nil {
				t.Error(err)
			}
			if p.BaseURL == "" && !p.ModelOptional {
				t.Error("no base URL, in a row that is not for any server")
			}
			if u, err := url.Parse(p.BaseURL); p.BaseURL != "" && (err != nil || u.Scheme == "" || u.Host == "" || strings.HasSuffix(u.Path, "/")) {
				t.Errorf("base URL %q: %v", p.BaseURL, err)
			}
			if strings.HasPrefix(p.BaseURL, "http:") && !strings.HasPrefix(p.BaseURL, "http://localhost:") {
				t.Errorf("base URL %q would carry a key in the open", p.BaseURL)
			}
			if len(p.Keys) == 0 && !p.KeyOptional {
				t.Error("needs a key and says not where from")
			}
			for _, key := range p.Keys {
				if len(key.Headers) == 0 || key.Headers[0].Name != "Authorization" || key.Headers[0].Prefix != "Bearer " {
					t.Errorf("key %+v", key)
				}
				for _, h := range key.Headers {
					if other, twice := variables[h.Var]; twice || h.Var == "" {
						t.Errorf("variable %q is that of %q too: a key would go to two hosts", h.Var, other)
					}
					variables[h.Var] = p.Name
				}
			}
		})
	}
	if _, ok := Find("nobody"); ok {
		t.Error("found nobody")
	}
}

func TestRulesSayWhatAndWhy(t *testing.T) {
	eachRule(t, func(t *testing.T, r *Rule) {
		for name, s := range map[string]string{"message": r.Message, "do": r.Do, "source": r.Source} {
			if s == "" && !(name == "do" && r.Level == "I") {
				t.Errorf("no %s", name)
			}
			if strings.HasSuffix(s, ".") || strings.TrimSpace(s) != s || strings.Contains(s, "\n") {
				t.Errorf("%s %q is no fragment of a line", name, s)
			}
		}
		if r.Level == "E" && strings.HasPrefix(r.Source, "inferred") {
			t.Errorf("refuses by inference: %s", r.Source)
		}
		if len(r.Models) > 0 && len(r.Except) > 0 {
			t.Error("both models and except")
		}
		if r.Advise != "" && r.Do == "" {
			t.Error("advice without what to do")
		}
	})
}

// TestParametersHaveRules: each documented parameter has a rule, but for those of which any value is right.
func TestParametersHaveRules(t *testing.T) {
	text, err := os.ReadFile("testdata/params.json")
	if err != nil {
		t.Fatal(err)
	}
	var params []struct{ Name, Provider string }
	if err := json.Unmarshal(text, &params); err != nil {
		t.Fatal(err)
	}
	if len(params) < 30 {
		t.Fatalf("only %d parameters", len(params))
	}
	free := map[string]bool{"infercom stream": true, "infercom logprobs": true}
	for _, param := range params {
		p, ok := Find(param.Provider)
		if !ok {
			t.Errorf("no row %s", param.Provider)
			continue
		}
		ruled := false
		for i := range p.Rules {
			for _, path := range append([]string{p.Rules[i].Param}, p.Rules[i].Also...) {
				name, _, _ := strings.Cut(path, ".")
				ruled = ruled || name == param.Name
			}
		}
		if ruled == free[param.Provider+" "+param.Name] {
			t.Errorf("%s, %s: has a rule: %v", param.Provider, param.Name, ruled)
		}
	}
}
