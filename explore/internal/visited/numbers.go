package visited

import (
	"cmp"
	"slices"
)

// Numbers are the numbers of the states in a table, by depth and then by fingerprint,
// in the order of the slots of the table.
type Numbers struct {
	t  *Table
	at [segments][]uint32
}

// NumberBytes is what each slot of a table takes for numbers.
const NumberBytes = 4

// NewNumbers gives the states their numbers, first those of depth 0 from first[0] on. It
// reports false where goOn has, and the numbers are not made.
func NewNumbers(t *Table, first []uint32, goOn func() bool) (*Numbers, bool) {
	n := &Numbers{t: t}
	next := slices.Clone(first)
	for i := range n.at {
		if !goOn() {
			return nil, false
		}
		s := &t.segment[i]
		at := make([]uint32, len(s.buckets)*bucketSlots)
		s.ascend(func(e *Entry, slot uint64) {
			depth := Depth(e.Meta)
			at[slot] = next[depth]
			next[depth]++
		})
		n.at[i] = at
	}
	return n, true
}

// Of returns the number of the state with a fingerprint, which is in the table.
func (n *Numbers) Of(fp uint64) uint32 {
	s := n.t.of(fp)
	for i := s.home(fp); ; i = s.after(i) {
		for j := range &s.buckets[i] {
			if s.buckets[i][j].FP == fp {
				return n.at[fp>>(64-segmentBits)][i*bucketSlots+uint64(j)]
			}
		}
	}
}

// A slotEntry is an entry of the table, with the number of its slot.
type slotEntry struct {
	*Entry
	slot uint64
}

// ascend calls f with the entries of the segment in the order of fingerprints,
// each with the number of its slot. Home buckets are in that order already, and
// no entry is behind a bucket that is not full: only runs of full buckets and
// the one behind them have to be sorted.
func (s *segment) ascend(f func(e *Entry, slot uint64)) {
	var run, wrapped []slotEntry
	flush := func() {
		slices.SortFunc(run, func(a, b slotEntry) int { return cmp.Compare(a.FP, b.FP) })
		for _, e := range run {
			f(e.Entry, e.slot)
		}
		run = run[:0]
	}
	for i := range s.buckets {
		for j := range s.buckets[i] {
			e := slotEntry{&s.buckets[i][j], uint64(i*bucketSlots + j)}
			switch {
			case e.FP == 0:
			case s.home(e.FP) > uint64(i): // from the end of the segment
				wrapped = append(wrapped, e)
			default:
				run = append(run, e)
			}
		}
		if s.buckets[i][bucketSlots-1].FP == 0 {
			flush()
		}
	}
	run = append(run, wrapped...)
	flush()
}
