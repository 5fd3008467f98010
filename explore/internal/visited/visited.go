// Package visited has the sets in which a search keeps the states that it has visited.
//
// A [Table] has fingerprints of states and where each came from: what a breadth-first
// search needs. [Fingerprints] have nothing else, for a depth-first search without a
// limit. [States] are whole states, which cannot be taken for one another. A [Set] is
// common to them.
package visited

// A Set is a set of visited states in memory. How states get into it is not part of
// that: each set has its own way, which is the hot part of a search.
type Set interface {
	// Find returns the origin of a state, 0 where it was not visited.
	Find(fp uint64, state []byte) uint64

	// Bytes returns the memory of the set.
	Bytes() int64

	// Mapped returns how much of it Go's runtime does not know of.
	Mapped() int64
}

// Origins are a set of visited states, wherever it is kept, whose origins lead back to
// an initial state.
type Origins interface {
	// Find returns the origin of a state, 0 where it was not visited.
	Find(fp uint64, state []byte) uint64

	// WithPrefix calls f with each entry whose fingerprint has the prefix; it may do
	// so twice, and with an origin that is not the best.
	WithPrefix(prefix uint64, f func(fp, origin uint64))
}

// MaxDepth is the greatest depth that an origin can hold.
const MaxDepth = 1<<16 - 2

const (
	PrefixShift = 16 // a prefix is the top 48 bits of a fingerprint
	prefixMask  = 1<<48 - 1
)

// Origin packs the depth of a state and the fingerprint of its predecessor. The better
// of two origins is the lesser integer. None is 0.
func Origin(depth int, predecessor uint64) uint64 {
	return uint64(depth+1)<<48 | predecessor>>PrefixShift
}

// Depth returns the depth in an origin.
func Depth(origin uint64) int { return int(origin>>48) - 1 }

// Prefix returns the prefix of the predecessor in an origin.
func Prefix(origin uint64) uint64 { return origin & prefixMask }

// BucketsFor returns the buckets per segment with which a set of n states need not
// grow: the load stays below 3/4 although segments fill unevenly.
func BucketsFor(n uint64) int {
	each := n/segments + 1
	return max(minBuckets, int(each/3+each/128+4))
}

// BucketsIn returns the buckets per segment that take at most so many bytes.
func BucketsIn(bytes int64) int { return int(bytes / bucketBytes / segments) }

// Cone returns the fingerprints on all chains of predecessors of an entry. Predecessors
// are known by prefix, so a chain may fork: almost never with 48 bits, but a path must
// not depend on that.
func Cone(of Origins, last Entry) map[uint64]bool {
	cone := map[uint64]bool{last.FP: true}
	todo := []Entry{last}
	done := map[Entry]bool{last: true}
	for len(todo) > 0 {
		y := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if Depth(y.Meta) == 0 {
			continue
		}
		of.WithPrefix(Prefix(y.Meta), func(fp, meta uint64) {
			if x := (Entry{fp, meta}); x.Precedes(y) && !done[x] {
				done[x] = true
				cone[fp] = true
				todo = append(todo, x)
			}
		})
	}
	return cone
}

// Precedes reports whether the entry y may have been reached from e.
func (e Entry) Precedes(y Entry) bool {
	d := Depth(y.Meta)
	// Depths that are too large to be told are equal.
	return e.FP>>PrefixShift == Prefix(y.Meta) && d > 0 && (Depth(e.Meta) < d || d == MaxDepth)
}
