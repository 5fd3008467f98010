package explore

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// An exactSet is the visited set of exact mode: whole states in plain maps, to
// compare the other one with. Shards are chosen by fingerprint, so that states
// whose fingerprints collide meet in one.
type exactSet struct {
	shard      [segments]exactShard
	bytes      atomic.Int64
	collisions atomic.Uint64

	once  sync.Once // guards nodes
	nodes []node
}

type exactShard struct {
	mu   sync.Mutex
	meta map[string]uint64
	fps  map[uint64]struct{}
}

// exactOverhead is about what an entry takes in the maps beside the state.
const exactOverhead = 64

func (x *exactSet) at(fp uint64) *exactShard { return &x.shard[fp>>(64-segmentBits)] }

// insert adds the state, or lowers its meta where it is there already.
func (x *exactSet) insert(fp, meta uint64, state []byte) outcome {
	s := x.at(fp)
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.meta[string(state)]
	if ok && old <= meta {
		return seen
	}
	if s.meta == nil {
		s.meta, s.fps = make(map[string]uint64), make(map[uint64]struct{})
	}
	s.meta[string(state)] = meta
	switch {
	case ok && meta>>48 < old>>48:
		return lowered
	case ok:
		return seen
	}
	x.bytes.Add(int64(len(state)) + exactOverhead)
	if _, collides := s.fps[fp]; collides {
		x.collisions.Add(1)
	}
	s.fps[fp] = struct{}{}
	return fresh
}

// sorted returns the entries of a set that no longer changes, in the order of
// fingerprints. They are made once, in an array: a map of them would take several
// times the memory.
func (x *exactSet) sorted(fingerprint func([]byte) uint64) []node {
	x.once.Do(func() {
		total, b := 0, []byte(nil)
		for i := range x.shard {
			total += len(x.shard[i].meta)
		}
		x.nodes = make([]node, 0, total)
		for i := range x.shard {
			for state, meta := range x.shard[i].meta {
				b = append(b[:0], state...)
				x.nodes = append(x.nodes, node{fingerprint(b), meta})
			}
		}
		slices.SortFunc(x.nodes, func(a, b node) int {
			return cmp.Or(cmp.Compare(a.fp, b.fp), cmp.Compare(a.meta, b.meta))
		})
	})
	return x.nodes
}

// find returns the meta of the state, or 0 where it is not in the set.
func (x *exactSet) find(fp uint64, state []byte) uint64 {
	s := x.at(fp)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.meta[string(state)]
}
