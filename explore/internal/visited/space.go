package visited

import (
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// hugePage is the size of a huge page, on most machines.
const hugePage = 2 << 20

// A space is address space without memory in which the segments of a table grow
// in place, so that nothing is copied to other memory and nothing is left to the
// collector. Its zero value is no space.
//
// Every segment has an equal part of it. Memory comes when a part of it is
// committed: what is not is not accessible, and counts neither as memory of the
// process nor towards what the system has promised.
type space struct {
	all     []byte
	each    int    // bytes of one segment, a multiple of hugePage
	mapping []byte // what the system gave, of which all is a part
}

// fits reports whether a segment may have so many buckets.
func (s *space) fits(buckets int) bool { return buckets <= s.each/bucketBytes }

// buckets returns the first n buckets of a segment. They have been committed.
func (s *space) buckets(segment, n int) []bucket {
	return unsafe.Slice((*bucket)(unsafe.Pointer(&s.all[segment*s.each])), n)
}

// commit gives a segment, of which so many buckets have memory already, so many
// in all, with zeros in the new ones. It reports false where the system refuses.
func (s *space) commit(segment, have, buckets int) bool {
	from, to := have*bucketBytes, buckets*bucketBytes
	return commit(s.all[segment*s.each:(segment+1)*s.each], from, to)
}

// never is for a holding without a space.
const never = math.MaxInt

// A holding is the memory that the segments of a visited set take, and where it
// comes from: the space, or Go's runtime. All are in buckets of bucketBytes.
type holding struct {
	bytes   atomic.Int64
	mapped  atomic.Int64 // of them, those that Go's runtime does not know of
	garbage int64        // bytes that may wait for the collector

	space       space
	release     runtime.Cleanup
	inPlaceFrom int // buckets from which on segments are in the space, if there is one; or never
}

// Bytes returns the memory of the set.
func (h *holding) Bytes() int64 { return h.bytes.Load() }

// Mapped returns how much of it Go's runtime does not know of.
func (h *holding) Mapped() int64 { return h.mapped.Load() }

// placed reports whether segment n has so many buckets in the space. Where it goes
// there now, and is not in it already, they have got their memory.
func (h *holding) placed(n, buckets int, already bool) bool {
	if buckets < h.inPlaceFrom {
		return false
	}
	if h.space.all == nil && !h.reserve() {
		h.inPlaceFrom = never
		return false
	}
	return h.space.fits(buckets) && (already || h.space.commit(n, 0, buckets))
}

// reserve gets the space, until nothing refers to the visited set any more.
func (h *holding) reserve() bool {
	if h.space = newSpace(); h.space.all == nil {
		return false
	}
	h.release = runtime.AddCleanup(h, func(s space) { s.release() }, h.space)
	return true
}

// growBytes returns the memory that it takes to give a segment so many buckets, on
// top of the old ones.
func (h *holding) growBytes(old, buckets int, inPlace bool) int64 {
	if inPlace && h.space.fits(buckets) {
		return int64(buckets-old) * bucketBytes
	}
	return int64(buckets) * bucketBytes // the old ones are there until the new ones are filled
}

// enlarge finds memory for segment n to have so many buckets, and reports whether
// they are in the space, with the old ones first if these were. It reports false
// for ok where the system refused the memory.
func (h *holding) enlarge(n, old, buckets int, wasInPlace bool) (inPlace, ok bool) {
	inPlace = h.placed(n, buckets, wasInPlace)
	return inPlace, !wasInPlace || !inPlace || h.space.commit(n, old, buckets)
}

// settle counts what a segment takes that has grown, and what it took before.
func (h *holding) settle(old, buckets int, wasInPlace, inPlace bool) {
	switch {
	case wasInPlace && inPlace:
		h.account(buckets-old, true)
		h.collect(buckets-old, h.bytes.Load()/2)
	case wasInPlace: // what has outgrown its space stays there, and stays on the account
		h.account(buckets, inPlace)
	default:
		h.account(buckets, inPlace)
		h.account(-old, false)
		h.collect(old, h.bytes.Load()/8)
	}
}

// account counts buckets.
func (h *holding) account(buckets int, mapped bool) {
	h.bytes.Add(int64(buckets) * bucketBytes)
	if mapped {
		h.mapped.Add(int64(buckets) * bucketBytes)
	}
}

// collect has garbage collected when so many more buckets of it come to more than
// a bound. Left alone, the collector lets garbage come to as much as what is in
// use, and it does not know what the spaces of other visited sets take, which may
// be garbage too. Nothing here holds pointers, so a collection is quick.
func (h *holding) collect(more int, bound int64) {
	if h.garbage += int64(more) * bucketBytes; h.garbage > max(garbageBytes, bound) {
		h.garbage = 0
		runtime.GC()
	}
}

// drop gives back the space. Its content must not be used any more.
func (h *holding) drop() {
	if h.space.all != nil {
		h.release.Stop()
		h.space.release()
	}
	h.bytes.Store(0)
	h.mapped.Store(0)
}
