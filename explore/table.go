package explore

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// The visited set is a hash table with open addressing and linear probing over
// 64-bit fingerprints. An entry also holds the depth of its state and where it
// came from, in a form in which the better of two origins is the lesser integer:
//
//	meta = (depth+1)<<48 | fingerprint of the predecessor >> 16
//
// Workers insert concurrently: one compare-and-swap claims a slot for a
// fingerprint, another lowers meta to the minimum. So the shallowest origin
// wins, and of several at that depth the one whose predecessor has the least
// fingerprint prefix, whatever the order in which workers get there. Meta 0 is
// not yet written and stands for infinity.
//
// The table consists of segments, selected by the top bits of the fingerprint,
// so that growing needs little memory beside the table. Within a segment the
// home slot grows with the fingerprint, for any number of slots: growing is one
// pass through old and new memory, and fingerprints with a common prefix are
// near each other.

const (
	segmentBits  = 6
	segments     = 1 << segmentBits
	entryBytes   = 16
	minSlots     = 256     // of a segment
	garbageBytes = 1 << 26 // replaced segments that are left to the collector

	prefixShift = 16 // a prefix is the top 48 bits of a fingerprint
	prefixMask  = 1<<48 - 1
)

type entry struct {
	fp   uint64 // 0 where the slot is free
	meta uint64
}

// origin packs depth and the fingerprint of the predecessor.
func origin(depth int, predecessor uint64) uint64 {
	return uint64(depth+1)<<48 | predecessor>>prefixShift
}

func depthOf(meta uint64) int     { return int(meta>>48) - 1 }
func prefixOf(meta uint64) uint64 { return meta & prefixMask }

// lower sets meta to the minimum of itself and m, and reports whether m has a
// lesser depth than what was there.
func (e *entry) lower(m uint64) bool {
	for {
		old := atomic.LoadUint64(&e.meta)
		if old-1 < m { // 0 counts as infinity
			return false
		}
		if atomic.CompareAndSwapUint64(&e.meta, old, m) {
			return m>>48 < old>>48
		}
	}
}

type segment struct {
	slots []entry

	// taken counts entries and those that workers have reserved; it never
	// exceeds limit, so a probe always ends at a free slot.
	taken atomic.Int64
	limit int64
	chunk int64 // entries that a worker reserves at a time
	_     [80]byte
}

// setSlots gives the segment its memory, and limits its load to 3/4.
func (s *segment) setSlots(n int) {
	s.slots = make([]entry, n)
	adviseHuge(s.slots)
	s.limit = int64(n) * 3 / 4
	s.chunk = min(64, max(1, int64(n)/1024))
}

// home returns the slot at which the search for fp begins.
func (s *segment) home(fp uint64) uint64 {
	hi, _ := bits.Mul64(fp<<segmentBits, uint64(len(s.slots)))
	return hi
}

// reserve takes room for up to chunk entries, and returns for how many.
func (s *segment) reserve() uint32 {
	if s.taken.Add(s.chunk) <= s.limit {
		return uint32(s.chunk)
	}
	s.taken.Add(-s.chunk)
	if s.chunk > 1 && s.taken.Add(1) <= s.limit {
		return 1
	} else if s.chunk > 1 {
		s.taken.Add(-1)
	}
	return 0
}

// A quota is the room that one worker has reserved in each segment, which
// spares it an atomic addition to a shared counter for each insertion.
type quota [segments]uint32

// An outcome is what became of an insertion.
type outcome uint8

const (
	seen    outcome = iota // was there already
	lowered                // was there already, at a greater depth
	fresh                  // was not there
	full                   // nothing done: the segment has to grow first
)

type table struct {
	// mu is held for reading while a worker looks up or inserts a batch, for
	// writing while a segment grows.
	mu      sync.RWMutex
	segment [segments]segment
	bytes   atomic.Int64
	garbage int64
}

// newTable returns a table with so many slots in each segment, at least 4.
func newTable(slots int) *table {
	t := new(table)
	for i := range t.segment {
		t.segment[i].setSlots(max(4, slots))
		t.bytes.Add(int64(len(t.segment[i].slots)) * entryBytes)
	}
	return t
}

// slotsFor returns the slots per segment with which n states fit without
// growing: the load stays below 3/4 although segments fill unevenly.
func slotsFor(n uint64) int {
	each := n/segments + 1
	return int(each*4/3 + each/32 + 16)
}

// at returns the home slot of fp.
func (t *table) at(fp uint64) *entry {
	s := &t.segment[fp>>(64-segmentBits)]
	return &s.slots[s.home(fp)]
}

// has reports whether fp is in the table with a meta that is no greater. It is
// the common case of insert, small enough to be inlined.
func (t *table) has(fp, meta uint64) bool {
	s := &t.segment[fp>>(64-segmentBits)]
	i := s.home(fp)
	for {
		e := &s.slots[i]
		if v := atomic.LoadUint64(&e.fp); v == fp {
			return atomic.LoadUint64(&e.meta)-1 < meta
		} else if v == 0 {
			return false
		}
		if i++; i == uint64(len(s.slots)) {
			i = 0
		}
	}
}

// insert adds fp, or lowers its meta where it is there already.
func (t *table) insert(fp, meta uint64, q *quota) outcome {
	n := fp >> (64 - segmentBits)
	s := &t.segment[n]
	slots := s.slots
	for i := s.home(fp); ; {
		e := &slots[i]
		switch atomic.LoadUint64(&e.fp) {
		case fp:
			if e.lower(meta) {
				return lowered
			}
			return seen
		case 0:
			if q[n] == 0 {
				if q[n] = s.reserve(); q[n] == 0 {
					return full
				}
			}
			if atomic.CompareAndSwapUint64(&e.fp, 0, fp) {
				q[n]--
				e.lower(meta)
				return fresh
			}
			continue // another worker took the slot, maybe for this very fp
		}
		if i++; i == uint64(len(slots)) {
			i = 0
		}
	}
}

// find returns the meta of fp, or 0 where it is not in the table.
func (t *table) find(fp uint64) uint64 {
	s := &t.segment[fp>>(64-segmentBits)]
	for i := s.home(fp); ; {
		e := &s.slots[i]
		switch atomic.LoadUint64(&e.fp) {
		case fp:
			return atomic.LoadUint64(&e.meta)
		case 0:
			return 0
		}
		if i++; i == uint64(len(s.slots)) {
			i = 0
		}
	}
}

// grown returns the number of slots that the segment of fp grows to, or 0
// where it has room: another worker was faster.
func (t *table) grown(fp uint64) int {
	s := &t.segment[fp>>(64-segmentBits)]
	if s.taken.Load()+1 <= s.limit {
		return 0
	}
	return len(s.slots)*3/2 + 1
}

// grow gives the segment of fp so many slots. The caller holds mu for writing.
func (t *table) grow(fp uint64, slots int) {
	s := &t.segment[fp>>(64-segmentBits)]
	old := s.slots
	s.setSlots(slots)
	for _, e := range old {
		if e.fp == 0 {
			continue
		}
		i := s.home(e.fp)
		for s.slots[i].fp != 0 {
			if i++; i == uint64(slots) {
				i = 0
			}
		}
		s.slots[i] = e
	}
	t.bytes.Add(int64(slots-len(old)) * entryBytes)

	// Left alone, the collector lets garbage come to as much as the table
	// itself. Nothing here holds pointers, so a collection is quick.
	if t.garbage += int64(len(old)) * entryBytes; t.garbage > max(garbageBytes, t.bytes.Load()/8) {
		t.garbage = 0
		runtime.GC()
	}
}

// withPrefix calls f with each entry whose fingerprint has the prefix.
func (t *table) withPrefix(prefix uint64, f func(fp, meta uint64)) {
	lo := prefix << prefixShift
	s := &t.segment[lo>>(64-segmentBits)]
	first, last := s.home(lo), s.home(lo|(1<<prefixShift-1))
	n := uint64(len(s.slots))
	for i := first; i < first+n; i++ {
		e := &s.slots[i%n]
		if e.fp == 0 && i >= last {
			return
		}
		if e.fp != 0 && e.fp>>prefixShift == prefix {
			f(e.fp, e.meta)
		}
	}
}
