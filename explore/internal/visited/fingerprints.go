package visited

import (
	"cmp"
	"math/bits"
	"runtime"
	"slices"
	"unsafe"
)

// Fingerprints are the visited set of a search with one worker that keeps neither
// depths nor predecessors: 8 bytes an entry. Like the table (see there) it
// consists of segments of buckets, of eight fingerprints each, which grow in
// place where they can.
type Fingerprints struct {
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

// NewFingerprints returns a set with so many buckets in each segment, at least 1, of
// which those grow in place that do in a table.
func NewFingerprints(buckets, inPlaceFrom int) *Fingerprints {
	f := &Fingerprints{holding: holding{inPlaceFrom: cmp.Or(inPlaceFrom, spaceBuckets)}}
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

func (f *Fingerprints) of(fp uint64) *fpSegment { return &f.segment[fp>>(64-segmentBits)] }

// Touch is that of the table.
func (f *Fingerprints) Touch(probes []Probe) (sum uint64) {
	for i := range probes {
		fp := probes[i].FP
		s := f.of(fp)
		sum += s.buckets[s.home(fp)][0]
	}
	return sum
}

// Sift moves those probes to the front that are not in their home buckets, and
// returns how many they are. It also loads a part of the bucket in which a search
// goes on, if it does.
func (f *Fingerprints) Sift(probes []Probe) (left int, sum uint64) {
	for k := range probes {
		p := probes[k]
		s := f.of(p.FP)
		i := s.home(p.FP)
		b := &s.buckets[i]
		other, full := int(1-count4(b.front(), p.FP)-count4(b.back(), p.FP)), 0
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

// InsertAll inserts the probes that Sift has left, until one of them needs a segment
// to grow. It returns how many it has inserted, and appends the indices of those that
// are fresh. As in the table there is no branch for whether one is there already.
func (f *Fingerprints) InsertAll(probes []Probe, list []uint32) (int, []uint32) {
	at := len(list)
	list = slices.Grow(list, len(probes))[:at+len(probes)]
	for k := range probes {
		p := &probes[k]
		s := f.of(p.FP)
		i := int(p.at)
		b := &s.buckets[i]
		isIn := count4(b.front(), p.FP) + count4(b.back(), p.FP)
		for isIn == 0 && b[fpSlots-1] != 0 {
			if i++; i == len(s.buckets) {
				i = 0
			}
			b = &s.buckets[i]
			isIn = count4(b.front(), p.FP) + count4(b.back(), p.FP)
		}
		if isIn == 0 && s.taken >= s.room() {
			return k, list[:at]
		}
		free := fpSlots - count4(b.front(), 0) - count4(b.back(), 0)
		slot := &b[free%fpSlots] // if it is there already, that of another, or a free one
		*slot += p.FP & (uint64(isIn) - 1)
		s.taken += int(1 - isIn)
		list[at] = p.Index
		at += int(1 - isIn)
	}
	return len(probes), list[:at]
}

// Find returns whether fp is in the set: it does not know from where.
func (f *Fingerprints) Find(fp uint64, _ []byte) uint64 {
	if f.Has(fp) {
		return Origin(0, 0)
	}
	return 0
}

// Buckets is that of the table.
func (f *Fingerprints) Buckets(fp uint64) int { return len(f.of(fp).buckets) }

// Has reports whether fp is in the set.
func (f *Fingerprints) Has(fp uint64) bool {
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

// GrowBytes is that of the table.
func (f *Fingerprints) GrowBytes(fp uint64, buckets int) int64 {
	s := f.of(fp)
	return f.holding.growBytes(len(s.buckets), buckets, s.inPlace)
}

// Grow is that of the table.
func (f *Fingerprints) Grow(fp uint64, buckets int) bool {
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

func (f *Fingerprints) buckets(n, buckets int) []fpBucket {
	b := f.space.buckets(n, buckets)
	return unsafe.Slice((*fpBucket)(unsafe.Pointer(unsafe.SliceData(b))), buckets)
}

// Drop gives the memory back. The set must not be used any more.
func (f *Fingerprints) Drop() {
	f.holding.drop()
	for i := range f.segment {
		f.segment[i].buckets = nil
	}
}
