package providers

import (
	"slices"
	"strings"
)

// Nearest gives up to n of the ids that a user who wrote model may have meant, the nearest first: by edit distance without
// regard to case, punctuation and what stands before a slash, and only such as are plausible.
func Nearest(model string, ids []string, n int) []string {
	type candidate struct {
		id       string
		distance int
	}
	want := plainName(model)
	if want == "" || n <= 0 {
		return nil
	}
	var near []candidate
	for _, id := range ids {
		if id == model {
			continue
		}
		have := plainName(id)
		d := editDistance(want, have)
		if d > max(2, min(len(want), len(have))/3) {
			// A part of the name is near too, but less than a slip of the hand.
			if len(want) < 4 || !strings.Contains(have, want) && (len(have) < 4 || !strings.Contains(want, have)) {
				continue
			}
		}
		near = append(near, candidate{id, d})
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.distance - b.distance })
	var found []string
	for _, c := range near[:min(n, len(near))] {
		found = append(found, c.id)
	}
	return found
}

// maxName bounds the work on names that no provider has.
const maxName = 200

// plainName is what of a model's id counts for likeness.
func plainName(id string) string {
	id = strings.ToLower(id[strings.LastIndexByte(id, '/')+1:])
	id = strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_.: ", r) {
			return -1
		}
		return r
	}, id)
	return id[:min(len(id), maxName)]
}

// editDistance counts the bytes to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		above := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := above
			if a[i] != b[j] {
				cost = 1 + min(above, row[j], row[j+1])
			}
			above, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
