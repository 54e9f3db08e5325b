package batch

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"
	"strconv"
)

// hash stands for an id: half of its SHA-256, so that no two ids have the same. Its last bit is the set's, and it is never zero.
type hash struct{ hi, lo uint64 }

func hashOf(id string) hash {
	sum := sha256.Sum256([]byte(id))
	return hash{binary.BigEndian.Uint64(sum[:]) | 1, binary.BigEndian.Uint64(sum[8:]) &^ 1}
}

// IDs is a set of ids. It takes 18 to 23 bytes an id, however long. The zero value is empty; it is not safe for concurrent use.
//
// Many small tables, each grown by a quarter when it is seven eighths full, waste less than one that is doubled, and never
// need room for two of it.
type IDs struct{ tables [256]table }

type table struct {
	slots []hash // open addressing, linear probing; the zero hash is free
	used  int
}

// What take found.
const (
	newID      = iota
	heldBefore // in the output
	seenBefore // in an earlier line
)

// seenMark is the bit of a hash that says that a line had the id.
const seenMark = 1

// Len is the number of ids.
func (s *IDs) Len() int {
	n := 0
	for i := range s.tables {
		n += s.tables[i].used
	}
	return n
}

// hold adds an id that the output holds.
func (s *IDs) hold(h hash) {
	t := s.table(h)
	t.grow()
	if slot := t.find(h); *slot == (hash{}) {
		*slot = h
		t.used++
	}
}

// take notes that a line has the id, and tells where it was before. One that is nowhere is added only with add.
func (s *IDs) take(h hash, add bool) int {
	t := s.table(h)
	if add {
		t.grow()
	} else if len(t.slots) == 0 {
		return newID
	}
	slot := t.find(h)
	switch {
	case *slot == (hash{}):
		if add {
			*slot = hash{h.hi, h.lo | seenMark}
			t.used++
		}
		return newID
	case slot.lo&seenMark != 0:
		return seenBefore
	}
	slot.lo |= seenMark
	return heldBefore
}

func (s *IDs) table(h hash) *table { return &s.tables[h.hi>>56] }

// find gives the slot of a hash, or the free one that it would take.
func (t *table) find(h hash) *hash {
	i, _ := bits.Mul64(h.lo, uint64(len(t.slots)))
	for {
		slot := &t.slots[i]
		if *slot == (hash{}) || slot.hi == h.hi && slot.lo&^seenMark == h.lo {
			return slot
		}
		if i++; i == uint64(len(t.slots)) {
			i = 0
		}
	}
}

// grow makes room for one more.
func (t *table) grow() {
	if t.used < len(t.slots)/8*7 {
		return
	}
	old := t.slots
	t.slots = make([]hash, max(8, (len(old)+len(old)/4+7)/8*8))
	for _, h := range old {
		if h != (hash{}) {
			*t.find(hash{h.hi, h.lo &^ seenMark}) = h
		}
	}
}

// runs is a set of line numbers, added in rising order, as stretches of adjacent ones.
type runs struct{ list []run }

type run struct{ from, to int64 } // to is not in it

// maxExact is how many stretches keep blank lines out.
const maxExact = 4096

// add adds a line.
func (r *runs) add(line int64) {
	if last := len(r.list) - 1; last >= 0 && r.list[last].to == line {
		r.list[last].to++
		return
	}
	if len(r.list) == cap(r.list) {
		r.list = slices.Grow(r.list, 8+len(r.list)/4)
	}
	r.list = append(r.list, run{line, line + 1})
}

// bridge lets a blank line join the stretch before it when there are too many of them.
func (r *runs) bridge(line int64) {
	if last := len(r.list) - 1; last >= maxExact && r.list[last].to == line {
		r.list[last].to++
	}
}

// names tells whether an id is the number of a line in the set, spelled as such ids are.
func (r *runs) names(id string) bool {
	line, err := strconv.ParseInt(id, 10, 64)
	if err != nil || strconv.FormatInt(line, 10) != id {
		return false
	}
	i := sort.Search(len(r.list), func(i int) bool { return r.list[i].to > line })
	return i < len(r.list) && r.list[i].from <= line
}
