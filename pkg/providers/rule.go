package providers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Rule is something that a provider does with a parameter and that the user should know before the request is sent. It fires
// when all its conditions hold, for a parameter that is in the request; with Absent, for one that is not. A member that is null
// counts as not there. Min, Max, OneOf, Type and MaxItems say what is right and fire for the rest; the other conditions say
// what they fire for. A condition on numbers does not fire for what is no number, and so on.
type Rule struct {
	// Param is the dotted path of a member of the request; Also are more of which the same is to be said, each by itself.
	Param string   `json:"param"`
	Also  []string `json:"also,omitempty"`
	// Models are the ids that the rule is about, all if empty; Except those that it is not about. See matches.
	Models []string `json:"models,omitempty"`
	Except []string `json:"except,omitempty"`
	// Level is "E" for what is documented to be rejected or to fail, "W" for what is ignored, undocumented, or costs without a
	// use, "I" for a note.
	Level string `json:"level"`

	Absent bool `json:"absent,omitempty"`

	// Min and Max are the range that is right. Below, Above and From fire for what is less, more, or no less.
	Min   json.Number `json:"min,omitempty"`
	Max   json.Number `json:"max,omitempty"`
	Below json.Number `json:"below,omitempty"`
	Above json.Number `json:"above,omitempty"`
	From  json.Number `json:"from,omitempty"`
	// OneOf are the values that are right, NoneOf some that are wrong: the text of strings, the JSON of numbers and booleans.
	OneOf  []string `json:"one_of,omitempty"`
	NoneOf []string `json:"none_of,omitempty"`
	// Type is the JSON type that is right: object, array, string, number or boolean.
	Type string `json:"type,omitempty"`
	// MaxItems is the length up to which an array is right; 0 is any.
	MaxItems int `json:"max_items,omitempty"`
	// With are paths that the request must all have for the rule to fire, Without such as it must not have. PATH=VALUE is a path
	// with that value, as in OneOf.
	With    []string `json:"with,omitempty"`
	Without []string `json:"without,omitempty"`
	// If is the name of a predicate over the whole request; predicates.go has them.
	If string `json:"if,omitempty"`

	Message string `json:"message"`          // what would happen
	Do      string `json:"do,omitempty"`     // what to do instead
	Advise  string `json:"advise,omitempty"` // the member of whose value the publisher's advice is added to Do
	Source  string `json:"source,omitempty"` // the page that says so
}

// typeOf is the JSON type of a value, told by its first byte.
func typeOf(raw []byte) string {
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// check says what makes the rule senseless.
func (r *Rule) check() error {
	switch {
	case r.Param == "":
		return fmt.Errorf("a rule without param")
	case r.Message == "":
		return fmt.Errorf("rule for %s: message is missing", r.Param)
	case r.Level != "E" && r.Level != "W" && r.Level != "I":
		return fmt.Errorf("rule for %s: level %q is none of E, W, I", r.Param, r.Level)
	case r.If != "" && predicate(r.If) == nil:
		return fmt.Errorf("rule for %s: unknown predicate %q", r.Param, r.If)
	case r.MaxItems < 0:
		return fmt.Errorf("rule for %s: max_items %d is negative", r.Param, r.MaxItems)
	}
	switch r.Type {
	case "", "object", "array", "string", "number", "boolean":
	default:
		return fmt.Errorf("rule for %s: unknown type %q", r.Param, r.Type)
	}
	for _, n := range []json.Number{r.Min, r.Max, r.Below, r.Above, r.From} {
		if _, ok := parseDecimal([]byte(n)); n != "" && !ok {
			return fmt.Errorf("rule for %s: not a number: %s", r.Param, n)
		}
	}
	return nil
}

// isAbout says whether the rule is one for a model.
func (r *Rule) isAbout(model string) bool {
	return (len(r.Models) == 0 || matches(r.Models, model)) && !matches(r.Except, model)
}

// fires says whether the rule has something to say about a parameter of a request.
func (r *Rule) fires(q *query, param string) bool {
	v, ok := q.get(param)
	if ok == r.Absent {
		return false
	}
	for _, path := range r.With {
		if !q.has(path) {
			return false
		}
	}
	for _, path := range r.Without {
		if q.has(path) {
			return false
		}
	}
	if !ok {
		v = []byte("null")
	}
	return (r.Absent || r.firesFor(v)) && (r.If == "" || predicate(r.If)(q, v))
}

// firesFor says whether the conditions on the parameter's own value hold.
func (r *Rule) firesFor(v []byte) bool {
	kind := typeOf(v)
	switch {
	case r.Type != "" && kind == r.Type:
		return false
	case r.MaxItems > 0 && (kind != "array" || countElements(v) <= r.MaxItems):
		return false
	case len(r.OneOf) > 0 && (!isScalar(kind) || slices.Contains(r.OneOf, scalar(v))):
		return false
	case len(r.NoneOf) > 0 && (!isScalar(kind) || !slices.Contains(r.NoneOf, scalar(v))):
		return false
	}
	return r.firesForNumber(v)
}

func (r *Rule) firesForNumber(v []byte) bool {
	if r.Min == "" && r.Max == "" && r.Below == "" && r.Above == "" && r.From == "" {
		return true
	}
	n, ok := parseDecimal(v)
	if !ok {
		return false
	}
	order := func(limit json.Number) int {
		m, _ := parseDecimal([]byte(limit))
		return n.compare(m)
	}
	if r.Min != "" || r.Max != "" {
		tooSmall := r.Min != "" && order(r.Min) < 0
		tooLarge := r.Max != "" && order(r.Max) > 0
		if !tooSmall && !tooLarge {
			return false
		}
	}
	return (r.Below == "" || order(r.Below) < 0) && (r.Above == "" || order(r.Above) > 0) && (r.From == "" || order(r.From) >= 0)
}

func isScalar(kind string) bool { return kind == "string" || kind == "number" || kind == "boolean" }

// scalar is the text of a string, the JSON of another value.
func scalar(v []byte) string {
	if v[0] == '"' {
		return text(v)
	}
	return string(v)
}

// matches says whether a model is among ids. One that ends in * stands for all that begin so. Case does not count, nor does what
// stands before the last slash of the model, which is the host's or the owner's name, unless the id has a slash too.
func matches(ids []string, model string) bool {
	name := model[strings.LastIndexByte(model, '/')+1:]
	return slices.ContainsFunc(ids, func(id string) bool {
		m := name
		if strings.Contains(id, "/") {
			m = model
		}
		if before, all := strings.CutSuffix(id, "*"); all {
			return len(m) >= len(before) && strings.EqualFold(m[:len(before)], before)
		}
		return strings.EqualFold(m, id)
	})
}
