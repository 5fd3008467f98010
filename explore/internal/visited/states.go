package visited

import (
	"cmp"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
)

// States are the visited set of exact mode: whole states in plain maps, to
// compare the other ones with. Shards are chosen by fingerprint, so that states
// whose fingerprints collide meet in one.
type States struct {
	shard      [segments]shard
	bytes      atomic.Int64
	collisions atomic.Uint64

	fingerprint func(state []byte) uint64
	once        sync.Once // guards sorted
	sorted      []Entry
}

// NewStates returns a set without states.
func NewStates(fingerprint func(state []byte) uint64) *States {
	return &States{fingerprint: fingerprint}
}

type shard struct {
	mu   sync.Mutex
	meta map[string]uint64
	fps  map[uint64]struct{}
}

// overhead is about what an entry takes in the maps beside the state.
const overhead = 64

func (x *States) at(fp uint64) *shard { return &x.shard[fp>>(64-segmentBits)] }

// Insert adds the state, or lowers its meta where it is there already.
func (x *States) Insert(fp, meta uint64, state []byte) Outcome {
	s := x.at(fp)
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.meta[string(state)]
	if ok && old <= meta {
		return Seen
	}
	if s.meta == nil {
		s.meta, s.fps = make(map[string]uint64), make(map[uint64]struct{})
	}
	s.meta[string(state)] = meta
	switch {
	case ok && meta>>48 < old>>48:
		return Lowered
	case ok:
		return Seen
	}
	x.bytes.Add(int64(len(state)) + overhead)
	if _, collides := s.fps[fp]; collides {
		x.collisions.Add(1)
	}
	s.fps[fp] = struct{}{}
	return Fresh
}

// Bytes returns about what the set takes.
func (x *States) Bytes() int64 { return x.bytes.Load() }

// Mapped returns 0: Go's runtime knows of all of it.
func (x *States) Mapped() int64 { return 0 }

// Collisions returns how many states had the fingerprint of another one.
func (x *States) Collisions() uint64 { return x.collisions.Load() }

// All yields the states of a set that no longer changes, with their metas.
func (x *States) All() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		for i := range x.shard {
			for state, meta := range x.shard[i].meta {
				if !yield(state, meta) {
					return
				}
			}
		}
	}
}

// sort makes an array of the entries of a set that no longer changes, in the order of
// fingerprints, once: a map of them would take several times the memory.
func (x *States) sort() {
	total, b := 0, []byte(nil)
	for i := range x.shard {
		total += len(x.shard[i].meta)
	}
	x.sorted = make([]Entry, 0, total)
	for state, meta := range x.All() {
		b = append(b[:0], state...)
		x.sorted = append(x.sorted, Entry{x.fingerprint(b), meta})
	}
	slices.SortFunc(x.sorted, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.FP, b.FP), cmp.Compare(a.Meta, b.Meta))
	})
}

// WithPrefix is that of the table, for a set that no longer changes.
func (x *States) WithPrefix(prefix uint64, f func(fp, meta uint64)) {
	x.once.Do(x.sort)
	from, _ := slices.BinarySearchFunc(x.sorted, prefix, func(e Entry, prefix uint64) int { return cmp.Compare(e.FP>>PrefixShift, prefix) })
	for _, e := range x.sorted[from:] {
		if e.FP>>PrefixShift != prefix {
			break
		}
		f(e.FP, e.Meta)
	}
}

// Find returns the meta of the state, or 0 where it is not in the set.
func (x *States) Find(fp uint64, state []byte) uint64 {
	s := x.at(fp)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.meta[string(state)]
}
