package explore

import (
	"context"
	"encoding/binary"
)

// A stack holds states still to be expanded by a depth-first search, each
// before its length and depth. It consists of chunks: one growing slice would
// take twice its memory while it is copied.
type stack struct {
	chunks [][]byte // all but the last have something in them
	spare  []byte   // a chunk that was emptied
	states uint64
	bytes  int64 // of all chunks
}

const stackTrailer = 8

// push adds a state, in chunks that grow to so many bytes.
func (s *stack) push(state []byte, depth, most int) {
	need := len(state) + stackTrailer
	top := len(s.chunks) - 1
	if top < 0 || len(s.chunks[top])+need > cap(s.chunks[top]) {
		size := min(minChunkBytes<<min(len(s.chunks), 16), most)
		s.chunks = append(s.chunks, s.room(max(size, need)))
		top++
	}
	b := append(s.chunks[top], state...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(state)))
	s.chunks[top] = binary.LittleEndian.AppendUint32(b, uint32(depth))
	s.states++
}

// room returns an empty chunk of at least so many bytes.
func (s *stack) room(size int) []byte {
	if b := s.spare; cap(b) >= size {
		s.spare = nil
		return b
	}
	s.bytes += int64(size)
	return make([]byte, 0, size)
}

// pop returns the top state, which the next push may overwrite.
func (s *stack) pop() (state []byte, depth int) {
	top := len(s.chunks) - 1
	b := s.chunks[top]
	end := len(b) - stackTrailer
	n := int(binary.LittleEndian.Uint32(b[end:]))
	depth = int(binary.LittleEndian.Uint32(b[end+4:]))
	state = b[end-n : end : end]
	s.chunks[top] = b[:end-n]
	if end == n { // it was the only one
		if s.spare != nil {
			s.bytes -= int64(cap(s.spare))
		}
		s.spare = s.chunks[top]
		s.chunks = s.chunks[:top]
	}
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
				st.push(state, 0, s.pool.chunk)
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
			st.push(w.out.State(w.fresh[k]), depth+1, s.pool.chunk)
			s.deepest = max(s.deepest, depth+1)
		}
		if st.bytes != counted {
			s.pool.bytes.Add(st.bytes - counted)
			counted = st.bytes
		}
		w.keepWithin(batchesMeasured * 64) // of one state each
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
	s.guard(w.expanding, func() { w.expand(state, fp) })
	s.raise()
	w.absorb()
	if len(w.out.hits) > 0 {
		w.handOver()
	}
}
