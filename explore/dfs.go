package explore

import (
	"context"
	"encoding/binary"

	"bullyproof/explore/internal/visited"
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
	return visited.Origin(min(depth, maxDepth), predecessor)
}

// A dive is a depth-first search under way.
type dive struct {
	s       *search
	w       *worker
	stack   stack
	counted int64 // bytes of the stack that the pool's account has
	batch   bool  // states are expanded in batches
	steps   int

	fill      func() // expandBatch, as a value that is made once
	expanding func() []byte
}

// depthFirst expands the states found last. States are inserted when they are
// found, so that the stack holds each at most once; with a limit on depth, a
// state found at a lesser depth than before is expanded again.
func (s *search) depthFirst(ctx context.Context) {
	for d := newDive(s); d.step(ctx); {
	}
}

// newDive begins with the initial states, which the first worker has.
func newDive(s *search) *dive {
	s.searching.Store(true)
	d := &dive{s: s, w: s.workers[0], batch: !s.bounded()}
	d.fill, d.expanding = d.expandBatch, d.w.expanding
	for _, c := range d.w.next.chunks {
		for i := range c.starts {
			for block := c.block(i); len(block) > 0; {
				var state []byte
				state, block = next(block)
				d.stack.push(state, 0, s.pool.chunk)
			}
		}
	}
	d.w.next.chunks = nil
	return d
}

// step expands a state, or several to a batch, and reports whether the search
// goes on.
func (d *dive) step(ctx context.Context) bool {
	s, w := d.s, d.w
	if d.steps++; d.steps%256 == 1 {
		s.checkContext(ctx)
	}
	if s.endedDepthFirst(ctx, d.stack.states) {
		return false
	}
	w.begin(0)
	w.fresh, w.depths = w.fresh[:0], w.depths[:0]
	w.reset()
	s.guard(d.expanding, d.fill)
	s.raise()
	if len(w.sources) == 0 {
		return true
	}
	s.depth.Store(int64(w.depths[0]))
	w.absorb()
	if len(w.out.hits) > 0 {
		w.handOver()
	}
	d.pushFresh()
	s.falling.Store(d.stack.states < s.frontier.Swap(d.stack.states))
	return true
}

// expandBatch expands a state, or as many from the stack as make a batch.
func (d *dive) expandBatch() {
	most := 1
	if d.batch && !d.nearLimit() {
		most = batchSuccessors
	}
	for n := 0; n < most && d.stack.states > 0 && d.w.out.Len() < batchSuccessors; n++ {
		d.expandTop()
	}
}

// nearLimit reports whether a batch could go beyond the limit on states by much.
func (d *dive) nearLimit() bool {
	most := d.s.opt.MaxStates
	return most > 0 && d.s.distinct()+2*batchSuccessors > most
}

// expandTop adds the state on top of the stack to the batch, which is the whole
// batch where the depth of a state matters.
func (d *dive) expandTop() {
	s, w := d.s, d.w
	state, depth := d.stack.pop()
	fp := s.fingerprint(state)
	if s.bounded() {
		if visited.Depth(s.meta(fp, state)) < depth {
			return // met again at a lesser depth since
		}
		w.depth = depth
	}
	w.depths = append(w.depths, depth)
	w.expand(state, fp)
}

// pushFresh puts the new states of the batch on the stack, the first on top.
func (d *dive) pushFresh() {
	s, w := d.s, d.w
	source := len(w.last) - 1
	for k := len(w.fresh) - 1; k >= 0; k-- {
		for source > 0 && int(w.fresh[k]) < w.last[source-1] {
			source--
		}
		depth := w.depths[source] + 1
		d.stack.push(w.out.State(int(w.fresh[k])), depth, s.pool.chunk)
		s.deepest = max(s.deepest, depth)
	}
	if d.stack.bytes != d.counted {
		s.pool.bytes.Add(d.stack.bytes - d.counted)
		d.counted = d.stack.bytes
	}
	if d.batch {
		w.keepWithin(batchesMeasured)
	} else {
		w.keepWithin(batchesMeasured * 64) // of one state each
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

// insertFirst adds the batch to the set of a search that does not remember
// origins, in the passes of insert.
func (w *worker) insertFirst() bool {
	f := w.s.bare
	probes := w.aim()
	w.touched += f.Touch(probes)
	left, touched := f.Sift(probes)
	w.touched += touched
	probes = probes[:left]
	for {
		n, before := 0, len(w.fresh)
		n, w.fresh = f.InsertAll(probes, w.fresh)
		w.distinct.Store(w.distinct.Load() + uint64(len(w.fresh)-before))
		if n == len(probes) {
			return true
		}
		if !w.s.enlarge(f, probes[n].FP) {
			return false
		}
		left, _ = f.Sift(probes[n:]) // their buckets are others now
		probes = probes[n : n+left]
	}
}
