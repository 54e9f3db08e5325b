package schema

import (
	"reflect"
	"slices"
	"strings"
)

// isEmpty tells whether a schema has no keyword.
func isEmpty(s *node) bool { return reflect.ValueOf(*s).IsZero() }

// checkLogic checks the keywords that combine schemas.
func (w *walk) checkLogic(s *node, v any, path string) {
	for _, each := range s.AllOf {
		w.check(each, v, path)
	}
	if s.AnyOf != nil {
		if _, failed := w.alternatives(s.AnyOf, v, path); len(failed) == len(s.AnyOf) {
			w.none(failed, path)
		}
	}
	if s.OneOf != nil {
		matched, failed := w.alternatives(s.OneOf, v, path)
		switch {
		case matched == 0:
			w.none(failed, path)
		case matched > 1:
			w.add(path, "%d of the %d alternatives match, want exactly one", matched, len(s.OneOf))
		}
	}
	if s.Not != nil && w.matches(s.Not, v, path) {
		w.add(path, "matches what must not match, found %s", text(v))
	}
	if s.If != nil {
		then := s.Else
		if w.matches(s.If, v, path) {
			then = s.Then
		}
		if then != nil {
			w.check(then, v, path)
		}
	}
}

// alternatives gives how many schemas match, and what is wrong by each of the others.
func (w *walk) alternatives(schemas []*node, v any, path string) (matched int, failed [][]Mismatch) {
	for _, s := range schemas {
		if wrong := w.of(s, v, path); len(wrong) > 0 {
			failed = append(failed, wrong)
		} else {
			matched++
		}
	}
	return matched, failed
}

// none says why no alternative matches. One that is wrong only further in, and not in the member that tells the alternatives
// apart, is the one that was meant: its faults are what helps. Else the reasons of all stand together.
func (w *walk) none(failed [][]Mismatch, path string) {
	here := path
	if here == "" {
		here = "/"
	}
	var meant []Mismatch
	best := 0
	for _, wrong := range failed {
		elsewhere, choice := true, false
		for _, m := range wrong {
			elsewhere = elsewhere && m.Path != here
			choice = choice || m.choice
		}
		likely := len(wrong)
		if choice {
			likely += maxMismatches
		}
		if elsewhere && (meant == nil || likely < best) {
			meant, best = wrong, likely
		}
	}
	if meant != nil {
		w.take(meant...)
		return
	}
	const most = 5
	var reasons []string
	for _, wrong := range failed {
		reason := wrong[0].Reason
		if wrong[0].Path != here {
			reason = wrong[0].Path + ": " + reason
		}
		if !slices.Contains(reasons, reason) && len(reasons) < most {
			reasons = append(reasons, reason)
		}
	}
	w.add(path, "no alternative matches: %s", strings.Join(reasons, "; "))
}
