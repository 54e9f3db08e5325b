package providers

import (
	"fmt"
	"slices"
	"strings"
)

// Finding is what a rule says about a request.
type Finding struct {
	Level   byte   // 'E', 'W' or 'I'
	Param   string // the dotted path of the member that it is about
	Message string // what would happen
	Do      string // what to do instead; may be empty
	Source  string // the page that says so
}

// Lint holds a request's body against the row's rules, for the model that the body names. Findings come by level, E first, then
// in the order of the table; a parameter with an E has nothing else. A body that is no JSON object has none. The body is read,
// not kept and not copied; the network is not asked.
func (p *Provider) Lint(body []byte) []Finding {
	if len(p.Rules) == 0 {
		return nil
	}
	q, ok := newQuery(body)
	if !ok {
		return nil
	}
	type firing struct {
		rule  *Rule
		param string
	}
	var fired []firing
	refused := map[string]bool{}
	fire := func(r *Rule, param string) {
		if r.fires(q, param) {
			fired = append(fired, firing{r, param})
			if r.Level == "E" {
				refused[param] = true
			}
		}
	}
	for i := range p.Rules {
		r := &p.Rules[i]
		if !r.isAbout(q.model) {
			continue
		}
		fire(r, r.Param)
		for _, param := range r.Also {
			fire(r, param)
		}
	}
	var found []Finding
	for _, level := range []string{"E", "W", "I"} {
		for _, f := range fired {
			if f.rule.Level == level && (level == "E" || !refused[f.param]) {
				found = append(found, Finding{level[0], f.param, f.rule.Message, p.advise(f.rule, q.model), f.rule.Source})
			}
		}
	}
	return found
}

// advise gives what a rule says to do, with the publisher's advice where the rule asks for it and there is one.
func (p *Provider) advise(r *Rule, model string) string {
	if r.Advise == "" {
		return r.Do
	}
	for _, a := range p.Recommended(model) {
		if a.Name == r.Advise {
			return fmt.Sprintf("%s; the model's publisher recommends %s", r.Do, a.Value)
		}
	}
	return r.Do
}

// Check says what makes the row senseless that its JSON form allows: a rule that cannot be read, an unknown shape of a media part.
func (p *Provider) Check() error {
	for i := range p.Rules {
		if err := p.Rules[i].check(); err != nil {
			return err
		}
	}
	for _, shape := range []struct{ member, value, known string }{
		{"image_part", p.ImagePart, "image_url"},
		{"audio_part", p.AudioPart, "input_audio audio_content"},
	} {
		if shape.value != "" && !slices.Contains(strings.Fields(shape.known), shape.value) {
			return fmt.Errorf("%s %q is none of %s", shape.member, shape.value, shape.known)
		}
	}
	if p.Models.PageSize < 0 {
		return fmt.Errorf("models: page_size %d is negative", p.Models.PageSize)
	}
	return nil
}
