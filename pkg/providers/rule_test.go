package providers

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/llmcall/llmcall/pkg/object"
)

// request makes a body of members that are set by path, in the order given.
func request(t *testing.T, sets ...[2]string) []byte {
	t.Helper()
	o := &object.Object{}
	for _, s := range sets {
		if err := o.SetPath(s[0], []byte(s[1])); err != nil {
			t.Fatal(err)
		}
	}
	return o.Append(nil)
}

// beside gives a number that is less (sign -1) or more (1) than a bound by very little.
func beside(t *testing.T, bound json.Number, sign int64) string {
	t.Helper()
	x, ok := new(big.Rat).SetString(string(bound))
	if !ok {
		t.Fatalf("bound %s", bound)
	}
	little := new(big.Rat).SetFrac(big.NewInt(sign), new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil))
	return x.Add(x, little).FloatString(30)
}

// valueOf is the JSON that a text in OneOf, NoneOf, With or Without stands for.
func valueOf(text string) string {
	if json.Valid([]byte(text)) {
		return text
	}
	return `"` + text + `"`
}

// samples are values of a rule's own parameter for which its conditions hold, and such for which they do not. Predicates are
// not looked at.
func samples(t *testing.T, r *Rule) (firing, silent []string) {
	between := func(n string) bool {
		x, _ := parseDecimal([]byte(n))
		order := func(m json.Number) int {
			y, _ := parseDecimal([]byte(m))
			return x.compare(y)
		}
		return (r.Below == "" || order(r.Below) < 0) && (r.Above == "" || order(r.Above) > 0) && (r.From == "" || order(r.From) >= 0)
	}
	sort := func(n string) {
		if between(n) {
			firing = append(firing, n)
		} else {
			silent = append(silent, n)
		}
	}
	switch {
	case r.Min != "" || r.Max != "":
		if r.Min != "" {
			firing = append(firing, beside(t, r.Min, -1))
			silent = append(silent, string(r.Min), beside(t, r.Min, 1), string(r.Min)+"e0")
		}
		if r.Max != "" {
			firing = append(firing, beside(t, r.Max, 1))
			silent = append(silent, string(r.Max), beside(t, r.Max, -1))
		}
		silent = append(silent, `"high"`, "true", "[]", "{}")
	case r.Below != "" || r.Above != "" || r.From != "":
		for _, bound := range []json.Number{r.Below, r.Above, r.From} {
			if bound != "" {
				sort(string(bound))
				sort(beside(t, bound, -1))
				sort(beside(t, bound, 1))
			}
		}
		silent = append(silent, `"high"`)
	case len(r.OneOf) > 0:
		firing = []string{`"another"`}
		for _, v := range r.OneOf {
			silent = append(silent, valueOf(v))
		}
		silent = append(silent, "{}")
	case len(r.NoneOf) > 0:
		for _, v := range r.NoneOf {
			firing = append(firing, valueOf(v))
		}
		silent = []string{`"another"`, "[]"}
	case r.Type != "":
		for kind, v := range map[string]string{"object": `{"a":1}`, "array": "[1]", "string": `"a"`, "number": "1", "boolean": "true"} {
			if kind == r.Type {
				silent = append(silent, v)
			} else {
				firing = append(firing, v)
			}
		}
	case r.MaxItems > 0:
		list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(`"a",`, n), ",") + "]" }
		firing = []string{list(r.MaxItems + 1)}
		silent = []string{list(r.MaxItems), list(0), `"a"`}
	default:
		firing = []string{"1"}
	}
	return firing, silent
}

// fits makes the members other than the rule's own of a request that a rule fires for.
func fits(r *Rule) (sets [][2]string) {
	model := "owner/another-model"
	if len(r.Models) > 0 {
		model = strings.TrimSuffix(r.Models[0], "*")
	}
	sets = append(sets, [2]string{"model", `"` + model + `"`})
	for _, path := range r.With {
		name, value, exact := strings.Cut(path, "=")
		if !exact {
			value = "1"
		}
		sets = append(sets, [2]string{name, valueOf(value)})
	}
	return sets
}

// eachRule runs a test for each rule of each row.
func eachRule(t *testing.T, test func(t *testing.T, r *Rule)) {
	for _, p := range Presets() {
		for i := range p.Rules {
			r := &p.Rules[i]
			t.Run(fmt.Sprintf("%s/%s_%s_%d", p.Name, r.Param, r.Level, i), func(t *testing.T) { test(t, r) })
		}
	}
}

func fires(t *testing.T, r *Rule, body []byte) bool {
	t.Helper()
	q, ok := newQuery(body)
	if !ok {
		t.Fatalf("not an object: %s", body)
	}
	fires := r.isAbout(q.model) && r.fires(q, r.Param)
	for _, param := range r.Also {
		// The others must behave as the first does when they stand in its place.
		if value, ok := q.get(r.Param); ok {
			other := &query{model: q.model, messages: q.messages}
			for _, m := range q.members {
				if m.name != r.Param {
					other.members = append(other.members, m)
				}
			}
			other.members = append(other.members, queryMember{param, value})
			if got := r.isAbout(q.model) && r.fires(other, param); got != fires {
				t.Errorf("%s: %v for %s, %v for %s", body, fires, r.Param, got, param)
			}
		}
	}
	return fires
}

// TestRulesFromBothSides makes from each rule of the table requests that are just wrong and just right.
func TestRulesFromBothSides(t *testing.T) {
	eachRule(t, func(t *testing.T, r *Rule) {
		firing, silent := samples(t, r)
		if r.If != "" {
			p, ok := predicateSamples[r.If]
			if !ok {
				t.Fatalf("no samples for predicate %q", r.If)
			}
			for _, body := range p.silent {
				if set := asSets(t, body, r); fires(t, r, request(t, append(fits(r), set...)...)) {
					t.Errorf("fires for %s", body)
				}
			}
			n := 0
			for _, body := range p.firing {
				// A value must also be one that the rule's other conditions let pass.
				if set := asSets(t, body, r); fires(t, r, request(t, append(fits(r), set...)...)) {
					n++
				}
			}
			if n == 0 {
				t.Errorf("fires for none of %s", p.firing)
			}
			return
		}
		if r.Absent {
			body := fits(r)
			if r.Param == "model" {
				body = body[1:]
			}
			if b := request(t, body...); !fires(t, r, b) {
				t.Errorf("silent for %s", b)
			}
			if b := request(t, append(body, [2]string{r.Param, "null"})...); !fires(t, r, b) {
				t.Errorf("silent for %s", b)
			}
			if b := request(t, append(body, [2]string{r.Param, "1"})...); fires(t, r, b) {
				t.Errorf("fires for %s", b)
			}
			return
		}
		for _, v := range firing {
			own := [2]string{r.Param, v}
			if r.Param == "model" {
				own = fits(r)[0]
			}
			body := append(fits(r), own)
			if b := request(t, body...); !fires(t, r, b) {
				t.Errorf("silent for %s", b)
			}
			// Each of the conditions beside the value stops it.
			if len(r.Models) > 0 {
				if b := request(t, append(body, [2]string{"model", `"owner/another-model"`})...); fires(t, r, b) {
					t.Errorf("fires for the model of %s", b)
				}
			}
			for _, id := range r.Except {
				if b := request(t, append(body, [2]string{"model", `"` + strings.ToUpper(id) + `"`})...); fires(t, r, b) {
					t.Errorf("fires for the model of %s", b)
				}
			}
			for i := range r.With {
				without := append(append([][2]string{}, body[:1+i]...), body[2+i:]...)
				if b := request(t, without...); fires(t, r, b) {
					t.Errorf("fires for %s, which lacks %s", b, r.With[i])
				}
			}
			for _, path := range r.Without {
				name, value, exact := strings.Cut(path, "=")
				if !exact {
					value = "1"
				}
				if b := request(t, append(body, [2]string{name, valueOf(value)})...); fires(t, r, b) {
					t.Errorf("fires for %s", b)
				}
			}
		}
		if r.Param == "model" {
			return
		}
		for _, v := range append(silent, "null") {
			if b := request(t, append(fits(r), [2]string{r.Param, v})...); fires(t, r, b) {
				t.Errorf("fires for %s", b)
			}
		}
		if b := request(t, fits(r)...); fires(t, r, b) {
			t.Errorf("fires for %s, which lacks the parameter", b)
		}
	})
}

// asSets takes the members of a sample apart; VALUE as the name stands for the rule's own parameter.
func asSets(t *testing.T, body string, r *Rule) (sets [][2]string) {
	t.Helper()
	o, err := object.Parse([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	for name, value := range o.All() {
		if name == "VALUE" {
			name = r.Param
		}
		sets = append(sets, [2]string{name, string(value)})
	}
	return sets
}

func TestMatches(t *testing.T) {
	for _, test := range []struct {
		id, model string
		want      bool
	}{
		{"gpt-oss-120b", "gpt-oss-120b", true},
		{"gpt-oss-120b", "GPT-OSS-120B", true},
		{"gpt-oss-120b", "openai/gpt-oss-120b", true},
		{"gpt-oss-120b", "gpt-oss-120b:free", false},
		{"gpt-oss-120b*", "openai/gpt-oss-120b:free", true},
		{"MiniMax-M2*", "minimax-m2.7", true},
		{"MiniMax-M2*", "MiniMax-M", false},
		{"*", "", true},
		{"a", "", false},
		{"openai/*", "openai/gpt-5", true},
		{"openai/*", "gpt-5", false},
		{"*", "a/b", true},
	} {
		if got := matches([]string{"none", test.id}, test.model); got != test.want {
			t.Errorf("%s for %s: %v", test.id, test.model, got)
		}
	}
}

func TestRuleCheck(t *testing.T) {
	for _, test := range []struct{ name, rule, want string }{
		{"right", `{"param":"a","level":"W","message":"m","min":0.1,"if":"is empty"}`, ""},
		{"a number as text", `{"param":"a","level":"W","message":"m","max":"1e3"}`, ""},
		{"no param", `{"level":"W","message":"m"}`, "a rule without param"},
		{"no message", `{"param":"a","level":"W"}`, "rule for a: message is missing"},
		{"level", `{"param":"a","level":"X","message":"m"}`, `rule for a: level "X" is none of E, W, I`},
		{"no level", `{"param":"a","message":"m"}`, `rule for a: level "" is none of E, W, I`},
		{"predicate", `{"param":"a","level":"W","message":"m","if":"is odd"}`, `rule for a: unknown predicate "is odd"`},
		{"type", `{"param":"a","level":"W","message":"m","type":"integer"}`, `rule for a: unknown type "integer"`},
		{"max_items", `{"param":"a","level":"W","message":"m","max_items":-1}`, "rule for a: max_items -1 is negative"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := Provider{}
			if err := json.Unmarshal([]byte(`{"rules":[`+test.rule+`]}`), &p); err != nil {
				t.Fatal(err)
			}
			err := p.Check()
			if got := fmt.Sprint(err); err == nil && test.want != "" || err != nil && got != test.want {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
	if err := (&Provider{Rules: []Rule{{Param: "a", Level: "W", Message: "m", Below: "x"}}}).Check(); err == nil || err.Error() != "rule for a: not a number: x" {
		t.Errorf("bound x: %v", err)
	}
}
