package schema

import (
	"slices"
	"strings"
)

// checkLogic checks the keywords that combine schemas.
func (w *walk) checkLogic(n *node, v any, path string, m marks) {
	for _, each := range n.allOf {
		w.apply(each, v, path, m)
	}
	if n.anyOf != nil {
		if matched, failed := w.alternatives(n.anyOf, v, path, m); matched == 0 {
			w.none(failed, path)
		}
	}
	if n.oneOf != nil {
		switch matched, failed := w.alternatives(n.oneOf, v, path, m); {
		case matched == 0:
			w.none(failed, path)
		case matched > 1:
			w.add(path, "%d of the %d alternatives match, want exactly one", matched, len(n.oneOf))
		}
	}
	if n.not != nil && len(w.of(n.not, v, path).found) == 0 {
		w.add(path, "matches what must not match, found %s", text(v))
	}
	if n.when != nil {
		then := n.otherwise
		if m.add(w.of(n.when, v, path)) {
			then = n.then
		}
		if then != nil {
			w.apply(then, v, path, m)
		}
	}
}

// alternatives gives how many schemas match, and what is wrong by each of the others.
func (w *walk) alternatives(schemas []*node, v any, path string, m marks) (matched int, failed [][]Mismatch) {
	for _, s := range schemas {
		if o := w.of(s, v, path); m.add(o) {
			matched++
		} else {
			failed = append(failed, o.found)
		}
	}
	return matched, failed
}

// none says why no alternative matches. One that is wrong only further in, and not in the member that tells the alternatives
// apart, is the one that was meant: its faults are what helps. Else the reasons of all stand together.
func (w *walk) none(failed [][]Mismatch, path string) {
	var meant []Mismatch
	best := 0
	for _, wrong := range failed {
		elsewhere, likely := true, len(wrong)
		for _, m := range wrong {
			elsewhere = elsewhere && m.Path != here(path)
			if m.choice {
				likely += maxMismatches
			}
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
		if wrong[0].Path != here(path) {
			reason = wrong[0].Path + ": " + reason
		}
		if !slices.Contains(reasons, reason) && len(reasons) < most {
			reasons = append(reasons, reason)
		}
	}
	w.add(path, "no alternative matches: %s", strings.Join(reasons, "; "))
}
