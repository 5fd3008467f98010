package explore

import (
	"context"
	"encoding/binary"
)

// A stack holds states still to be expanded by a depth-first search, each
// before its length and depth.
type stack struct {
	buf    []byte
	states uint64
}

const stackTrailer = 8

func (s *stack) push(state []byte, depth int) {
	s.buf = append(s.buf, state...)
	s.buf = binary.LittleEndian.AppendUint32(s.buf, uint32(len(state)))
	s.buf = binary.LittleEndian.AppendUint32(s.buf, uint32(depth))
	s.states++
}

// pop returns the top state, which the next push overwrites.
func (s *stack) pop() (state []byte, depth int) {
	end := len(s.buf) - stackTrailer
	n := int(binary.LittleEndian.Uint32(s.buf[end:]))
	depth = int(binary.LittleEndian.Uint32(s.buf[end+4:]))
	state = s.buf[end-n : end : end]
	s.buf = s.buf[:end-n]
	s.states--
	return state, depth
}

// bounded reports whether the depths recorded for states matter to the search:
// always breadth-first, and depth-first if a limit on depth was set.
func (s *search) bounded() bool {
	return s.opt.Order == BreadthFirst || s.opt.MaxDepth < maxDepth
}

// origin packs the depth of a state and the fingerprint of its predecessor. In
// an unbounded depth-first search the depth may be too large to be told.
func (s *search) origin(depth int, predecessor uint64) uint64 {
	return origin(min(depth, maxDepth), predecessor)
}

// depthFirst expands the state found last. States are inserted when they are
// found, so that the stack holds each at most once; with a limit on depth, a
// state found at a lesser depth than before is expanded again.
func (s *search) depthFirst(ctx context.Context) {
	s.searching.Store(true)
	w := s.workers[0]
	var st stack
	for _, c := range w.next.chunks {
		for i := range c.starts {
			for block := c.block(i); len(block) > 0; {
				var state []byte
				state, block = next(block)
				st.push(state, 0)
			}
		}
	}
	w.next.chunks = nil
	var counted int64 // bytes of the stack that the pool's account has
	for steps := 0; ; steps++ {
		if steps%1024 == 0 {
			s.checkContext(ctx)
		}
		if s.endedDepthFirst(ctx, st.states) {
			return
		}
		state, depth := st.pop()
		fp := s.fingerprint(state)
		if s.bounded() && depthOf(s.meta(fp, state)) < depth {
			continue // met again at a lesser depth since
		}
		s.visit(w, state, fp, depth)
		for k := len(w.fresh) - 1; k >= 0; k-- {
			st.push(w.out.State(w.fresh[k]), depth+1)
			s.deepest = max(s.deepest, depth+1)
		}
		if size := int64(cap(st.buf)); size != counted {
			s.pool.bytes.Add(size - counted)
			counted = size
		}
		s.notePeak(0)
		s.depth.Store(int64(depth))
		s.falling.Store(st.states < s.frontier.Swap(st.states))
	}
}

// endedDepthFirst is ended, with the hits of the latest expansion.
func (s *search) endedDepthFirst(ctx context.Context, left uint64) bool {
	if !s.running() {
		return true
	}
	if left == 0 || allHit(s.hits, s.needed) || s.opt.MaxStates > 0 {
		return s.ended(ctx, left)
	}
	return false
}

// visit expands one state.
func (s *search) visit(w *worker, state []byte, fp uint64, depth int) {
	w.begin(depth)
	w.fresh = w.fresh[:0]
	w.reset()
	s.guard(func() { w.expand(state, fp) })
	if s.panicked != nil {
		panic(s.panicked)
	}
	w.absorb()
	if len(w.out.hits) > 0 {
		w.handOver()
	}
}
