package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MissError is a request that was not recorded, or more often asked than it was.
type MissError struct {
	Method, Path string
	// Known is how many exchanges of this very request there were, all of them used.
	Known int
	// Difference says how the nearest recorded request differs; empty if none was recorded.
	Difference string
}

// Error is one line: values in it are short and in JSON.
func (e *MissError) Error() string {
	s := fmt.Sprintf("not recorded: %s %s", e.Method, e.Path)
	switch {
	case e.Known == 1:
		return s + ": recorded once, asked once more"
	case e.Known > 0:
		return s + fmt.Sprintf(": recorded %d times, asked once more", e.Known)
	case e.Difference != "":
		return s + ": the nearest recorded request differs: " + e.Difference
	}
	return s + ": nothing was recorded for it"
}

// maxCompared is how many recorded requests are compared with one that was not: those whose lengths are the nearest. A batch may
// have many of either.
const maxCompared = 50

// maxDifferences is how many differences are told.
const maxDifferences = 3

// nearest says how the recorded request that differs in the fewest places differs.
func nearest(exchanges []*exchange, want key, body []byte) string {
	distance := func(e *exchange) int {
		return max(len(e.Request.Body), len(body)) - min(len(e.Request.Body), len(body))
	}
	nearer := func(a, b *exchange) int {
		switch same := a.key.path == want.path; {
		case same == (b.key.path == want.path):
			return cmp.Compare(distance(a), distance(b))
		case same:
			return -1
		}
		return 1
	}
	var candidates []*exchange // the nearest first
	for _, e := range exchanges {
		if e.key.method != want.method {
			continue
		}
		full := len(candidates) == maxCompared
		if full && nearer(e, candidates[maxCompared-1]) >= 0 {
			continue
		}
		if full {
			candidates = candidates[:maxCompared-1]
		}
		at, _ := slices.BinarySearchFunc(candidates, e, func(a, b *exchange) int { return cmp.Or(nearer(a, b), -1) })
		candidates = slices.Insert(candidates, at, e)
	}
	asked := decode(canonical(body))
	var best []string
	for _, e := range candidates {
		var d []string
		if e.key.path != want.path {
			d = append(d, "path was "+e.key.path)
		}
		d = append(d, differences("", decode(canonical(e.Request.Body)), asked)...)
		if best == nil || len(d) < len(best) {
			best = d
		}
	}
	return strings.Join(best[:min(maxDifferences, len(best))], "; ")
}

// differences names the places where two JSON values differ, with what was recorded and what is asked.
func differences(at string, recorded, asked any) []string {
	switch r := recorded.(type) {
	case map[string]any:
		if a, ok := asked.(map[string]any); ok {
			names := maps.Clone(r)
			maps.Copy(names, a)
			var found []string
			for _, name := range slices.Sorted(maps.Keys(names)) {
				before, was := r[name]
				after, is := a[name]
				found = append(found, difference(below(at, name), before, was, after, is)...)
			}
			return found
		}
	case []any:
		if a, ok := asked.([]any); ok {
			var found []string
			for i := range max(len(r), len(a)) {
				var before, after any
				if i < len(r) {
					before = r[i]
				}
				if i < len(a) {
					after = a[i]
				}
				found = append(found, difference(below(at, strconv.Itoa(i)), before, i < len(r), after, i < len(a))...)
			}
			return found
		}
	case string:
		if a, ok := asked.(string); ok {
			if r == a {
				return nil
			}
			skip := common(r, a)
			return []string{told(at, short(r, skip), short(a, skip))}
		}
	default: // a number, true, false or null
		if recorded == asked {
			return nil
		}
	}
	return []string{told(at, short(recorded, 0), short(asked, 0))}
}

// difference is that of a member or element which either side may lack.
func difference(at string, before any, was bool, after any, is bool) []string {
	switch {
	case !was:
		return []string{told(at, "absent", short(after, 0))}
	case !is:
		return []string{told(at, short(before, 0), "absent")}
	}
	return differences(at, before, after)
}

func told(at, before, after string) string {
	if at == "" {
		at = "body"
	}
	return at + " was " + before + ", is " + after
}

func below(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// shown is how many characters of a value are told.
const shown = 60

// common is how much of the beginning of two texts need not be told, for it is the same and long.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n -= shown / 3; n <= 0 {
		return 0
	}
	for n > 0 && !(n < len(a) && utf8.RuneStart(a[n])) {
		n--
	}
	return n
}

// short is the JSON of a value, of a string without its first bytes, as far as it is told.
func short(v any, skip int) string {
	before := ""
	if s, ok := v.(string); ok && skip > 0 {
		v, before = s[skip:], "…"
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // decode gives nothing that has no JSON
	r := []rune(strings.TrimSuffix(b.String(), "\n"))
	if len(r) > shown {
		return before + string(r[:shown]) + "…"
	}
	return before + string(r)
}
