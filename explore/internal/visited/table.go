package visited

import (
	"cmp"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"bullyproof/internal/machine"
)

// The table of a search is a hash table with open addressing and linear probing over
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
// so that growing needs little memory beside the table. A segment consists of
// buckets of four entries, a cache line, which fill from the front; the search
// goes on to the next bucket only behind a full one, so that few searches wait
// for a second line. The home bucket grows with the fingerprint, for any number
// of buckets: growing is one pass through old and new memory, and fingerprints
// with a common prefix are near each other.
//
// A segment that has become large grows in place where the system has a space
// for it (see space). Elsewhere, and where address space is limited, each of its
// sizes is a slice of its own.

const (
	segmentBits  = 4
	segments     = 1 << segmentBits
	EntryBytes   = 16 // of an entry, free slots aside
	bucketSlots  = 4
	bucketBytes  = bucketSlots * EntryBytes
	minBuckets   = 8       // of a segment at first
	slowBuckets  = 256     // of a segment from which on it grows slowly
	spaceBuckets = 1 << 12 // of a segment from which on it grows in place, if nobody says another number
	hugeBuckets  = hugePage / bucketBytes

	bucketsOfPage = 4096 / bucketBytes
	garbageBytes  = 1 << 26 // replaced segments that are left to the collector
)

// An Entry is a visited state: its fingerprint, and where it came from.
type Entry struct {
	FP   uint64 // 0 where the slot is free
	Meta uint64 // see Origin
}

type bucket [bucketSlots]Entry

// lower sets meta to the minimum of itself and m, and reports whether m has a
// lesser depth than what was there.
func (e *Entry) lower(m uint64) bool {
	for {
		old := atomic.LoadUint64(&e.Meta)
		if old-1 < m { // 0 counts as infinity
			return false
		}
		if atomic.CompareAndSwapUint64(&e.Meta, old, m) {
			return m>>48 < old>>48
		}
	}
}

type segment struct {
	buckets []bucket
	inPlace bool // the buckets are in the table's space

	// taken counts entries and those that workers have reserved; it never
	// exceeds limit, so a probe always ends at a free slot.
	taken atomic.Int64
	limit int64
	chunk int64 // entries that a worker reserves at a time
	_     [machine.CacheLines - 56]byte
}

// setBuckets gives the segment its memory, and limits its load to 3/4.
func (s *segment) setBuckets(buckets []bucket) {
	s.buckets = buckets
	n := len(buckets)
	s.limit = int64(n) * bucketSlots * 3 / 4
	s.chunk = min(64, max(1, int64(n)/256))
}

// home returns the bucket at which the search for fp begins.
func (s *segment) home(fp uint64) uint64 {
	hi, _ := bits.Mul64(fp<<segmentBits, uint64(len(s.buckets)))
	return hi
}

// after returns the bucket behind bucket i.
func (s *segment) after(i uint64) uint64 {
	if i++; i == uint64(len(s.buckets)) {
		return 0
	}
	return i
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

// A Quota is the room that one worker has reserved in each segment, which
// spares it an atomic addition to a shared counter for each insertion.
type Quota [segments]uint32

// An Outcome is what became of an insertion.
type Outcome uint8

const (
	Seen    Outcome = iota // was there already
	Lowered                // was there already, at a greater depth
	Fresh                  // was not there
	Full                   // nothing done: the segment has to grow first
)

// A Table is the visited set of a search that keeps where states came from.
type Table struct {
	Solo bool // one worker inserts: no atomic operations are needed

	// The table is locked for reading while a worker looks up or inserts a batch, for
	// writing while a segment grows.
	sync.RWMutex
	_       [machine.CacheLines]byte // the lock is written for each batch, segments are read for each state
	segment [segments]segment
	holding
}

// NewTable returns a table with so many buckets in each segment, at least 1.
// Those with so many as inPlaceFrom or more grow in place where the system can; 0
// stands for the usual number.
func NewTable(buckets, inPlaceFrom int) *Table {
	inPlaceFrom = cmp.Or(inPlaceFrom, spaceBuckets)
	t := &Table{holding: holding{inPlaceFrom: inPlaceFrom}}
	buckets = max(1, buckets)
	var all []bucket // small ones stand in a row
	if buckets < min(inPlaceFrom, spaceBuckets) {
		all = make([]bucket, segments*buckets)
	}
	for i := range t.segment {
		s := &t.segment[i]
		switch {
		case all != nil:
			s.setBuckets(all[i*buckets : (i+1)*buckets : (i+1)*buckets])
		case t.placed(i, buckets, false):
			s.setBuckets(t.space.buckets(i, buckets))
			s.inPlace = true
		default:
			s.setBuckets(make([]bucket, buckets))
		}
		t.account(buckets, s.inPlace)
	}
	return t
}

func (t *Table) of(fp uint64) *segment { return &t.segment[fp>>(64-segmentBits)] }

// A Probe is a successor to be looked up: its fingerprint, the meta it is to be
// inserted with, its index in the batch, and the bucket in which the search for it
// goes on, for one that Sift has left.
type Probe struct {
	FP, Meta  uint64
	Index, at uint32
}

// Touch loads a part of the home bucket of each probe, so that the cache misses
// overlap. The result has no meaning.
func (t *Table) Touch(probes []Probe) (sum uint64) {
	for i := range probes {
		fp := probes[i].FP
		s := t.of(fp)
		sum += atomic.LoadUint64(&s.buckets[s.home(fp)][0].FP)
	}
	return sum
}

// Sift moves those probes to the front that are not in their home buckets with a
// meta that is no greater, and returns how many they are. The others are most of
// them. There is no branch for a slot, nor for a probe: which it is nobody can
// predict. It also loads a part of the bucket in which a search goes on, if it does.
func (t *Table) Sift(probes []Probe) (left int, sum uint64) {
	for k := range probes {
		p := probes[k]
		s := t.of(p.FP)
		i := s.home(p.FP)
		b := &s.buckets[i]
		var other, full, lowers uint64
		if atomic.LoadUint64(&b[bucketSlots-1].FP) != 0 { // before the rest: a full bucket does not change
			full = 1
		}
		e := &b[b.slot(p.FP)]
		if atomic.LoadUint64(&e.FP) != p.FP {
			other = 1
		}
		if atomic.LoadUint64(&e.Meta)-1 >= p.Meta { // 0 counts as infinity
			lowers = 1
		}
		if i += other & full; i == uint64(len(s.buckets)) {
			i = 0
		}
		sum += atomic.LoadUint64(&s.buckets[i][0].FP)
		p.at = uint32(i)
		probes[left] = p
		left += int(other | lowers)
	}
	return left, sum
}

// SiftSolo is Sift for a breadth-first search with one worker: it lowers what is to be
// lowered in a home bucket, so that only those probes are left that are not in theirs.
// To have no branch it writes into each of these buckets, what was there or less.
func (t *Table) SiftSolo(probes []Probe) (left int, sum uint64) {
	for k := range probes {
		p := probes[k]
		s := t.of(p.FP)
		i := s.home(p.FP)
		b := &s.buckets[i]
		e := &b[b.slot(p.FP)]
		var other, full uint64
		if b[bucketSlots-1].FP != 0 {
			full = 1
		}
		if e.FP != p.FP {
			other = 1
		}
		e.Meta = min(e.Meta, p.Meta|-other)
		if i += other & full; i == uint64(len(s.buckets)) {
			i = 0
		}
		sum += s.buckets[i][0].FP
		p.at = uint32(i)
		probes[left] = p
		left += int(other)
	}
	return left, sum
}

// slot returns in which slot of a bucket fp is, or any if it is in none.
func (b *bucket) slot(fp uint64) uint {
	var at1, at2, at3 uint
	if atomic.LoadUint64(&b[1].FP) == fp {
		at1 = 1
	}
	if atomic.LoadUint64(&b[2].FP) == fp {
		at2 = 1
	}
	if atomic.LoadUint64(&b[3].FP) == fp {
		at3 = 1
	}
	return (at1 + 2*at2 + 3*at3) % bucketSlots
}

// Insert adds fp, or lowers its meta where it is there already.
func (t *Table) Insert(fp, meta uint64, q *Quota) Outcome {
	n := fp >> (64 - segmentBits)
	s := &t.segment[n]
	for i := s.home(fp); ; i = s.after(i) {
		b := &s.buckets[i]
		for j := 0; j < bucketSlots; {
			e := &b[j]
			switch atomic.LoadUint64(&e.FP) {
			case fp:
				if e.lower(meta) {
					return Lowered
				}
				return Seen
			case 0:
				if q[n] == 0 {
					if q[n] = s.reserve(); q[n] == 0 {
						return Full
					}
				}
				if atomic.CompareAndSwapUint64(&e.FP, 0, fp) {
					q[n]--
					e.lower(meta)
					return Fresh
				}
				continue // another worker took the slot, maybe for this very fp
			}
			j++
		}
	}
}

// Find returns the meta of fp, or 0 where it is not in the table.
func (t *Table) Find(fp uint64, _ []byte) uint64 {
	s := t.of(fp)
	for i := s.home(fp); ; i = s.after(i) {
		for j := range &s.buckets[i] {
			e := &s.buckets[i][j]
			switch atomic.LoadUint64(&e.FP) {
			case fp:
				meta := atomic.LoadUint64(&e.Meta)
				runtime.KeepAlive(t) // and its space with it
				return meta
			case 0:
				return 0
			}
		}
	}
}

// InsertSolo is Insert for a search with one worker.
func (t *Table) InsertSolo(fp, meta uint64, q *Quota) Outcome {
	n := fp >> (64 - segmentBits)
	s := &t.segment[n]
	for i := s.home(fp); ; i = s.after(i) {
		b := &s.buckets[i]
		e := &b[b.slot(fp)]
		if e.FP == fp {
			old := e.Meta
			if old <= meta {
				return Seen
			}
			if e.Meta = meta; meta>>48 < old>>48 {
				return Lowered
			}
			return Seen
		}
		if b[bucketSlots-1].FP != 0 {
			continue // the bucket is full
		}
		if q[n] == 0 {
			if q[n] = s.reserve(); q[n] == 0 {
				return Full
			}
		}
		q[n]--
		b[b.free()] = Entry{fp, meta}
		return Fresh
	}
}

// InsertLevel inserts the probes of a breadth-first search that Sift has left, until
// one of them needs a segment to grow: no depth is ever lowered. It returns how many
// it has inserted, and appends the indices of those that are fresh.
func (t *Table) InsertLevel(probes []Probe, q *Quota, list []uint32) (int, []uint32) {
	at := len(list)
	list = slices.Grow(list, len(probes))[:at+len(probes)]
	if t.Solo {
		n, at := t.insertLevelSolo(probes, q, list, at)
		return n, list[:at]
	}
	for k := 0; k < len(probes); {
		p := &probes[k]
		fp, n := p.FP, p.FP>>(64-segmentBits)
		s := &t.segment[n]
		b := &s.buckets[p.at]
		v0, v1, v2, v3 := b.load()
		for i := uint64(p.at); v3 != 0 && v0 != fp && v1 != fp && v2 != fp && v3 != fp; v0, v1, v2, v3 = b.load() {
			i = s.after(i)
			b = &s.buckets[i]
		}
		var in1, in2, in3, at0, at1, at2, isIn uint
		if v1 == fp {
			in1 = 1
		}
		if v2 == fp {
			in2 = 2
		}
		if v3 == fp {
			in3 = 3
		}
		if v0 != 0 {
			at0 = 1
		}
		if v1 != 0 {
			at1 = 1
		}
		if v2 != 0 {
			at2 = 1
		}
		mine, free := in1+in2+in3, at0+at1+at2
		if mine != 0 || v0 == fp {
			isIn = 1
		}
		if q[n] == 0 && isIn == 0 {
			if q[n] = s.reserve(); q[n] == 0 {
				return k, list[:at]
			}
		}
		e := &b[(free+(mine-free)&-isIn)%bucketSlots]
		if isIn == 0 && !atomic.CompareAndSwapUint64(&e.FP, 0, fp) {
			continue // another worker took the slot, maybe for this very fingerprint
		}
		e.lower(p.Meta)
		list[at] = p.Index
		at += int(1 - isIn)
		q[n] -= uint32(1 - isIn)
		k++
	}
	return len(probes), list[:at]
}

// load returns the fingerprints of a bucket that other workers fill meanwhile. The last
// one is loaded first: where there is one the bucket is full, and does not change.
func (b *bucket) load() (v0, v1, v2, v3 uint64) {
	v3 = atomic.LoadUint64(&b[3].FP)
	return atomic.LoadUint64(&b[0].FP), atomic.LoadUint64(&b[1].FP), atomic.LoadUint64(&b[2].FP), v3
}

// insertLevelSolo is InsertLevel for a search with one worker; it puts the indices
// into the list from one on, and returns how far. Whether a probe is in its bucket
// nobody can predict: in both cases one entry is written, its own or the first free
// one, and there is no branch for that, nor a call.
func (t *Table) insertLevelSolo(probes []Probe, q *Quota, list []uint32, at int) (int, int) {
	for k := range probes {
		p := &probes[k]
		fp, n := p.FP, p.FP>>(64-segmentBits)
		s := &t.segment[n]
		b := &s.buckets[p.at]
		for i := uint64(p.at); b[bucketSlots-1].FP != 0 && b[0].FP != fp && b[1].FP != fp && b[2].FP != fp && b[3].FP != fp; {
			i = s.after(i)
			b = &s.buckets[i]
		}
		var in0, in1, in2, in3, at0, at1, at2 uint
		if b[0].FP == fp {
			in0 = 1
		}
		if b[1].FP == fp {
			in1 = 1
		}
		if b[2].FP == fp {
			in2 = 1
		}
		if b[3].FP == fp {
			in3 = 1
		}
		if b[0].FP != 0 {
			at0 = 1
		}
		if b[1].FP != 0 {
			at1 = 1
		}
		if b[2].FP != 0 {
			at2 = 1
		}
		isIn := in0 + in1 + in2 + in3
		if q[n] == 0 && isIn == 0 {
			if q[n] = s.reserve(); q[n] == 0 {
				return k, at
			}
		}
		mine, free := in1+2*in2+3*in3, at0+at1+at2
		e := &b[(free+(mine-free)&-isIn)%bucketSlots]
		e.FP = fp
		e.Meta = min(e.Meta-1, p.Meta-1) + 1 // 0 counts as infinity
		list[at] = p.Index
		at += int(1 - isIn)
		q[n] -= uint32(1 - isIn)
	}
	return len(probes), at
}

// free returns the first free slot of a bucket that is not full.
func (b *bucket) free() uint {
	var at0, at1, at2 uint
	if b[0].FP != 0 {
		at0 = 1
	}
	if b[1].FP != 0 {
		at1 = 1
	}
	if b[2].FP != 0 {
		at2 = 1
	}
	return (at0 + at1 + at2) % bucketSlots
}

// Buckets returns how many buckets the segment of fp has.
func (t *Table) Buckets(fp uint64) int { return len(t.of(fp).buckets) }

// Slots returns how many entries have room in all.
func (t *Table) Slots() (n int64) {
	for i := range t.segment {
		n += int64(len(t.segment[i].buckets)) * bucketSlots
	}
	return n
}

// LacksRoom reports whether the segment of fp has to grow. It need not where
// another worker was faster.
func (t *Table) LacksRoom(fp uint64) bool {
	s := t.of(fp)
	return s.taken.Load()+1 > s.limit
}

// Grown returns the number of buckets that a segment of n grows to, which are to
// be wanted, but not much less or more than n: a small one grows fast, and any
// other at least by an eighth and at most twofold.
func Grown(n int, wanted float64) int {
	if n < slowBuckets {
		return min(4*n, slowBuckets)
	}
	to := max(n+n/8+1, int(min(wanted, float64(2*n))))
	if to > 8*hugeBuckets {
		to = (to + hugeBuckets - 1) / hugeBuckets * hugeBuckets
	}
	return to
}

// GrowBytes returns the memory that it takes to give the segment of fp so many
// buckets, on top of what there is.
func (t *Table) GrowBytes(fp uint64, buckets int) int64 {
	s := t.of(fp)
	return t.holding.growBytes(len(s.buckets), buckets, s.inPlace)
}

// Grow gives the segment of fp so many buckets. The caller has locked the table. It
// reports false where the system refused the memory; then nothing has changed.
func (t *Table) Grow(fp uint64, buckets int) bool {
	g, ok := t.begin(int(fp>>(64-segmentBits)), buckets)
	if ok {
		g.move()
		t.end(g)
	}
	return ok
}

// A growing is a segment that has its new buckets, and not yet what was in the old
// ones.
type growing struct {
	s          *segment
	old        []bucket
	wasInPlace bool
}

// begin gives segment n the memory for so many buckets.
func (t *Table) begin(n, buckets int) (g growing, ok bool) {
	s := &t.segment[n]
	g = growing{s, s.buckets, s.inPlace}
	inPlace, ok := t.enlarge(n, len(g.old), buckets, g.wasInPlace)
	if !ok {
		return g, false
	}
	if s.inPlace = inPlace; inPlace {
		s.setBuckets(t.space.buckets(n, buckets))
	} else {
		s.setBuckets(make([]bucket, buckets))
	}
	return g, true
}

// move puts the entries where they belong now. Several segments may do so at the
// same time.
func (g growing) move() {
	if g.wasInPlace && g.s.inPlace {
		g.s.spread(len(g.old))
		return
	}
	for i := range g.old {
		for _, e := range g.old[i] {
			if e.FP != 0 {
				g.s.move(e)
			}
		}
	}
}

// end settles the accounts of a segment that has grown.
func (t *Table) end(g growing) {
	t.settle(len(g.old), len(g.s.buckets), g.wasInPlace, g.s.inPlace)
}

// A Growth is segments that grow together, and by how much.
type Growth struct {
	Bytes   int64 // that it takes
	segment []int
	buckets []int
}

// NearlyFull returns the growth of the segments that will have to grow soon where one
// has to: they fill at the same rate. Wanted says how many buckets one is to have that
// has so many. Large ones that do not grow in place are not among them: old and new
// ones would take too much memory at the same time.
func (t *Table) NearlyFull(wanted func(have int) float64) (g Growth) {
	for i := range t.segment {
		s := &t.segment[i]
		have := len(s.buckets)
		if s.taken.Load() < s.limit-s.limit/16 || !s.inPlace && have > 2*spaceBuckets {
			continue
		}
		buckets := Grown(have, wanted(have))
		g.segment, g.buckets = append(g.segment, i), append(g.buckets, buckets)
		g.Bytes += t.holding.growBytes(have, buckets, s.inPlace)
	}
	return g
}

// growRound is how many segments for each worker grow between two looks at whether the
// search goes on: with hundreds of millions of states all of them take seconds.
const growRound = 4

// GrowTogether has several segments grow, with as many goroutines as there are
// workers, as long as the search goes on. The caller has locked the table, so these
// wait. It reports how many have grown, the first ones: fewer than all where the search
// has ended, or the system refused the memory.
func (t *Table) GrowTogether(g Growth, workers int, running func() bool) (grown int) {
	for grown < len(g.segment) && running() {
		round := min(growRound*workers, len(g.segment)-grown)
		n := t.growRound(g.segment[grown:grown+round], g.buckets[grown:], workers)
		if grown += n; n < round {
			break
		}
	}
	return grown
}

func (t *Table) growRound(which, buckets []int, workers int) int {
	grown := make([]growing, 0, len(which))
	for i, n := range which {
		g, ok := t.begin(n, buckets[i])
		if !ok {
			break
		}
		grown = append(grown, g)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, len(grown)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(grown)); i = next.Add(1) - 1 {
				grown[i].move()
			}
		})
	}
	wg.Wait()
	for _, g := range grown {
		t.end(g)
	}
	return len(grown)
}

// spread moves the entries of the first so many buckets to where they belong
// among all, from the last bucket to the first. An entry goes up, to where
// everything old has been taken out already; what would have to go elsewhere (few
// entries: those of the first buckets, and those that run over the end) is kept
// aside and put in when everything has been taken out.
func (s *segment) spread(old int) {
	writeFirst(s.buckets[old:])
	var aside []Entry
	for i := old - 1; i >= 0; i-- {
		b := s.buckets[i]
		s.buckets[i] = bucket{}
		for _, e := range b {
			if e.FP != 0 && !s.moveBehind(uint64(i), e) {
				aside = append(aside, e)
			}
		}
	}
	for _, e := range aside {
		s.move(e)
	}
}

// writeFirst writes to each page of what is new and all zeros: one that is read first
// takes two faults, at the second of which all processors learn of it.
func writeFirst[B bucket | fpBucket](buckets []B) {
	for i := 0; i < len(buckets); i += bucketsOfPage {
		buckets[i] = *new(B)
	}
}

// moveBehind is move where the search for the slot does not leave the buckets
// from first on; elsewhere it does nothing and reports false.
func (s *segment) moveBehind(first uint64, e Entry) bool {
	i := s.home(e.FP)
	if i < first {
		return false
	}
	for ; i < uint64(len(s.buckets)); i++ {
		b := &s.buckets[i]
		for j := range b {
			if b[j].FP == 0 {
				b[j] = e
				return true
			}
		}
	}
	return false
}

// move puts an entry that is not there into the first free slot.
func (s *segment) move(e Entry) {
	for i := s.home(e.FP); ; i = s.after(i) {
		b := &s.buckets[i]
		for j := range b {
			if b[j].FP == 0 {
				b[j] = e
				return
			}
		}
	}
}

// WithPrefix calls f with each entry whose fingerprint has the prefix.
func (t *Table) WithPrefix(prefix uint64, f func(fp, meta uint64)) {
	lo := prefix << PrefixShift
	s := t.of(lo)
	first, last := s.home(lo), s.home(lo|(1<<PrefixShift-1))
	n := uint64(len(s.buckets))
	for i := first; i < first+n; i++ {
		b := &s.buckets[i%n]
		for _, e := range b {
			if e.FP != 0 && e.FP>>PrefixShift == prefix {
				f(e.FP, e.Meta)
			}
		}
		if i >= last && b[bucketSlots-1].FP == 0 {
			break
		}
	}
	runtime.KeepAlive(t) // and its space with it
}
