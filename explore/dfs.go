package explore

import (
	"context"

	"bullyproof/explore/internal/frontier"
	"bullyproof/explore/internal/visited"
)

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
	stack   frontier.Stack
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
	for _, c := range d.w.next.Chunks {
		for state := range c.States() {
			d.stack.Push(state, 0, s.pool.Chunk)
		}
	}
	d.w.next.Chunks = nil
	return d
}

// step expands a state, or several to a batch, and reports whether the search
// goes on.
func (d *dive) step(ctx context.Context) bool {
	s, w := d.s, d.w
	if d.steps++; d.steps%256 == 1 {
		s.checkContext(ctx)
	}
	if s.endedDepthFirst(ctx, d.stack.States) {
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
	if len(w.excerpt.taken) > 0 {
		s.excerpts.show(w.depths[len(w.depths)-1], s)
	}
	s.falling.Store(d.stack.States < s.frontier.Swap(d.stack.States))
	return true
}

// expandBatch expands a state, or as many from the stack as make a batch.
func (d *dive) expandBatch() {
	most := 1
	if d.batch && !d.nearLimit() {
		most = batchSuccessors
	}
	for n := 0; n < most && d.stack.States > 0 && d.w.out.Len() < batchSuccessors; n++ {
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
	state, depth := d.stack.Pop()
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
		d.stack.Push(w.out.State(int(w.fresh[k])), depth, s.pool.Chunk)
		s.deepest = max(s.deepest, depth)
	}
	if d.stack.Bytes != d.counted {
		s.pool.Account(d.stack.Bytes - d.counted)
		d.counted = d.stack.Bytes
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
	if left == 0 || s.excerpts.enough || allHit(s.hits, s.needed) || s.opt.MaxStates > 0 {
		return s.ended(ctx, left)
	}
	return false
}

// insertFirst adds the batch to the set of a search that does not remember
// origins, in the passes of insert.
func (w *worker) insertFirst() bool {
	f := w.s.bare
	probes := w.lookups()
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
