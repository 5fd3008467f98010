package explore

import (
	"math/bits"
	"runtime"
	"slices"
	"unsafe"
)

// An fpSet is the visited set of a search with one worker that keeps neither
// depths nor predecessors: 8 bytes an entry. Like the table (see there) it
// consists of segments of buckets, of eight fingerprints each, which grow in
// place where they can.
type fpSet struct {
	segment [segments]fpSegment
	holding
}

const fpSlots = bucketBytes / 8

// An fpBucket is filled from the front; 0 is a free slot.
type fpBucket [fpSlots]uint64

type fpSegment struct {
	buckets []fpBucket
	inPlace bool
	taken   int
}

// newFPSet returns a set with so many buckets in each segment, at least 1.
func newFPSet(buckets, inPlaceFrom int) *fpSet {
	f := &fpSet{holding: holding{inPlaceFrom: inPlaceFrom}}
	buckets = max(1, buckets)
	for i := range f.segment {
		s := &f.segment[i]
		if s.inPlace = f.placed(i, buckets, false); s.inPlace {
			s.buckets = f.buckets(i, buckets)
		} else {
			s.buckets = make([]fpBucket, buckets)
		}
		f.account(buckets, s.inPlace)
	}
	return f
}

// room returns how many entries a segment takes: 3 slots of 4. With more of them many
// searches go on to a second and a third bucket, which have to come from memory.
func (s *fpSegment) room() int { return len(s.buckets) * fpSlots / 4 * 3 }

func (s *fpSegment) home(fp uint64) int {
	hi, _ := bits.Mul64(fp<<segmentBits, uint64(len(s.buckets)))
	return int(hi)
}

// put adds fp, and reports whether it was not there. There is room for it.
func (s *fpSegment) put(fp uint64) bool {
	for i := s.home(fp); ; i++ {
		if i == len(s.buckets) {
			i = 0
		}
		b := &s.buckets[i]
		if b.count(fp) != 0 {
			return false
		}
		if b[fpSlots-1] == 0 {
			b[(fpSlots-b.count(0))%fpSlots] = fp
			return true
		}
	}
}

func (b *fpBucket) front() *[4]uint64 { return (*[4]uint64)(b[:4]) }
func (b *fpBucket) back() *[4]uint64  { return (*[4]uint64)(b[4:]) }

// count4 returns how many of four slots have v, without a branch for each: which of
// them it is nobody can predict.
func count4(b *[4]uint64, v uint64) uint {
	var at0, at1, at2, at3 uint
	if b[0] == v {
		at0 = 1
	}
	if b[1] == v {
		at1 = 1
	}
	if b[2] == v {
		at2 = 1
	}
	if b[3] == v {
		at3 = 1
	}
	return at0 + at1 + at2 + at3
}

// count returns how many slots have v.
func (b *fpBucket) count(v uint64) uint { return count4(b.front(), v) + count4(b.back(), v) }

func (f *fpSet) of(fp uint64) *fpSegment { return &f.segment[fp>>(64-segmentBits)] }

// touch is that of the table.
func (f *fpSet) touch(probes []probe) (sum uint64) {
	for i := range probes {
		fp := probes[i].fp
		s := f.of(fp)
		sum += s.buckets[s.home(fp)][0]
	}
	return sum
}

// sift moves those probes to the front that are not in their home buckets, and
// returns how many they are. It also loads a part of the bucket in which a search
// goes on, if it does.
func (f *fpSet) sift(probes []probe) (left int, sum uint64) {
	for k := range probes {
		p := probes[k]
		s := f.of(p.fp)
		i := s.home(p.fp)
		b := &s.buckets[i]
		other, full := int(1-count4(b.front(), p.fp)-count4(b.back(), p.fp)), 0
		if b[fpSlots-1] != 0 {
			full = 1
		}
		if i += other & full; i == len(s.buckets) {
			i = 0
		}
		sum += s.buckets[i][0]
		p.at = uint32(i)
		probes[left] = p
		left += other
	}
	return left, sum
}

// insertAll inserts the probes that sift has left, until one of them needs a segment
// to grow. It returns how many it has inserted, and appends the indices of those that
// are fresh. As in the table there is no branch for whether one is there already.
func (f *fpSet) insertAll(probes []probe, list []uint32) (int, []uint32) {
	at := len(list)
	list = slices.Grow(list, len(probes))[:at+len(probes)]
	for k := range probes {
		p := &probes[k]
		s := f.of(p.fp)
		i := int(p.at)
		b := &s.buckets[i]
		isIn := count4(b.front(), p.fp) + count4(b.back(), p.fp)
		for isIn == 0 && b[fpSlots-1] != 0 {
			if i++; i == len(s.buckets) {
				i = 0
			}
			b = &s.buckets[i]
			isIn = count4(b.front(), p.fp) + count4(b.back(), p.fp)
		}
		if isIn == 0 && s.taken >= s.room() {
			return k, list[:at]
		}
		free := fpSlots - count4(b.front(), 0) - count4(b.back(), 0)
		slot := &b[free%fpSlots] // if it is there already, that of another, or a free one
		*slot += p.fp & (uint64(isIn) - 1)
		s.taken += int(1 - isIn)
		list[at] = p.i
		at += int(1 - isIn)
	}
	return len(probes), list[:at]
}

// has reports whether fp is in the set.
func (f *fpSet) has(fp uint64) bool {
	s := f.of(fp)
	if len(s.buckets) == 0 {
		return false // dropped
	}
	for i := s.home(fp); ; i++ {
		if i == len(s.buckets) {
			i = 0
		}
		for _, v := range s.buckets[i] {
			if v == fp {
				runtime.KeepAlive(f) // and its space with it
				return true
			}
			if v == 0 {
				runtime.KeepAlive(f)
				return false
			}
		}
	}
}

// growBytes is that of the table.
func (f *fpSet) growBytes(fp uint64, buckets int) int64 {
	s := f.of(fp)
	return f.holding.growBytes(len(s.buckets), buckets, s.inPlace)
}

// grow is that of the table.
func (f *fpSet) grow(fp uint64, buckets int) bool {
	n := int(fp >> (64 - segmentBits))
	s := &f.segment[n]
	old, wasInPlace := s.buckets, s.inPlace
	inPlace, ok := f.enlarge(n, len(old), buckets, wasInPlace)
	if !ok {
		return false
	}
	if s.inPlace = inPlace; inPlace {
		s.buckets = f.buckets(n, buckets)
	} else {
		s.buckets = make([]fpBucket, buckets)
	}
	if wasInPlace && inPlace {
		s.spread(len(old))
	} else {
		for i := range old {
			for _, fp := range old[i] {
				if fp != 0 {
					s.put(fp)
				}
			}
		}
	}
	f.settle(len(old), buckets, wasInPlace, inPlace)
	return true
}

// spread is that of the table's segments.
func (s *fpSegment) spread(old int) {
	writeFirst(s.buckets[old:])
	var aside []uint64
	for i := old - 1; i >= 0; i-- {
		b := s.buckets[i]
		s.buckets[i] = fpBucket{}
		for _, fp := range b {
			if fp != 0 && !s.putBehind(i, fp) {
				aside = append(aside, fp)
			}
		}
	}
	for _, fp := range aside {
		s.put(fp)
	}
}

// putBehind is put where the search for the slot does not leave the buckets from
// first on; elsewhere it does nothing and reports false.
func (s *fpSegment) putBehind(first int, fp uint64) bool {
	i := s.home(fp)
	if i < first {
		return false
	}
	for ; i < len(s.buckets); i++ {
		b := &s.buckets[i]
		for j := range b {
			if b[j] == 0 {
				b[j] = fp
				return true
			}
		}
	}
	return false
}

func (f *fpSet) buckets(n, buckets int) []fpBucket {
	b := f.space.buckets(n, buckets)
	return unsafe.Slice((*fpBucket)(unsafe.Pointer(unsafe.SliceData(b))), buckets)
}

// drop gives the memory back. The set must not be used any more.
func (f *fpSet) drop() {
	f.holding.drop()
	for i := range f.segment {
		f.segment[i].buckets = nil
	}
}
