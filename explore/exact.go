package explore

import (
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

// find returns the meta of the state, or 0 where it is not in the set.
func (x *exactSet) find(fp uint64, state []byte) uint64 {
	s := x.at(fp)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.meta[string(state)]
}
