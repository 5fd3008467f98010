package explore

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"bullyproof/explore/internal/fingerprint"
	"bullyproof/explore/internal/frontier"
	"bullyproof/explore/internal/rows"
	"bullyproof/explore/internal/visited"
	"bullyproof/internal/machine"
)

// batchSuccessors is the number of successors from which on a batch is full:
// enough for the cache misses of a batch to overlap, few enough for it to stay
// in the first caches.
const batchSuccessors = 512

// recentLookups is how many lookups a worker remembers, a power of two: few enough for
// them to stay in the first caches.
const recentLookups = 1 << 11

// A worker expands states in batches. All the successors of a batch are made
// first, then fingerprinted, then their slots in the visited set are touched
// (so that the cache misses overlap), and only then are they inserted. The
// buffers stay with the worker: in the steady state nothing is allocated.
type worker struct {
	s      *search
	number int // among the workers
	exp    Expander
	out    Successors
	next   frontier.Writer
	hits   []Hit
	log    *rows.Log // nil except for searches that keep the graph

	depth  int             // of the states under expansion
	depths []int           // of each of them, where they differ: on a dive
	skip   *visited.KeySet // states of the frontier that were visited before; nil for none

	expansion
	excerpt  excerpting
	recent   []visited.Entry // a cache of the latest lookups, by fingerprint
	quota    visited.Quota
	expanded uint64
	batches  uint
	touched  uint64 // sum of what touching loaded, so that it is not optimized away

	_         [machine.CacheLines]byte // the counters are read by others
	distinct  atomic.Uint64
	generated atomic.Uint64
	_         [machine.CacheLines]byte
}

// An expansion is a batch of states and their successors, beside these themselves.
type expansion struct {
	sources  [][]byte // the states
	sourceFP []uint64 // their fingerprints
	last     []int    // the index behind the last successor of each
	fps      []uint64 // fingerprints of the successors
	probes   []visited.Probe
	fresh    []uint32 // indices of the successors that are new
}

func newWorker(s *search, number int) *worker {
	w := &worker{s: s, number: number, next: frontier.Writer{Pool: &s.pool}, hits: newHits(s.opt.Targets), excerpt: newExcerpting(&s.opt)}
	if s.opt.Graph && s.exact == nil {
		w.log = rows.NewLog(&s.graphBytes)
	}
	return w
}

// begin prepares the worker for states of a depth.
func (w *worker) begin(depth int) {
	if w.exp == nil {
		w.exp = w.s.sys.NewExpander()
	}
	w.depth = depth
}

// run expands blocks of the level until none is left or the search stops.
func (w *worker) run(l *frontier.Level) {
	at := 0
	var others yielder
	for w.s.running() && !w.s.paused.Load() {
		others.yield()
		c, block := l.Claim(w.number, &at)
		if c == nil {
			return
		}
		for len(block) > 0 {
			w.reset()
			for len(block) > 0 && w.out.Len() < batchSuccessors {
				var state []byte
				state, block = frontier.Next(block)
				fp := w.s.fingerprint(state)
				if w.skip != nil && w.skip.Has(fp) {
					continue
				}
				w.expand(state, fp)
			}
			if !w.absorb() {
				return
			}
			for _, i := range w.fresh {
				w.next.Add(w.out.State(int(i)))
			}
			w.keepWithin(batchesMeasured)
		}
		w.s.pool.Done(c)
	}
}

// A yielder lets others run meanwhile. Threads do where there are any. A page of a
// browser has one, and hears of nothing before that waits, such as that the search is
// to end.
type yielder struct{ last time.Time }

// uninterrupted is how long a search in a page goes on before it waits.
const uninterrupted = 50 * time.Millisecond

func (y *yielder) yield() {
	if runtime.GOOS == "js" && time.Since(y.last) >= uninterrupted {
		time.Sleep(time.Millisecond)
		y.last = time.Now()
	}
}

// reset begins a batch.
func (w *worker) reset() {
	w.out.Reset()
	w.sources, w.sourceFP, w.last = w.sources[:0], w.sourceFP[:0], w.last[:0]
}

// expand adds a state and its successors to the batch.
func (w *worker) expand(state []byte, fp uint64) {
	w.out.begin(len(w.sources))
	w.sources = append(w.sources, state)
	if fp > w.excerpt.floor {
		w.excerpt.add(state, fp)
	}
	w.exp.Expand(state, &w.out)
	w.sourceFP = append(w.sourceFP, fp)
	w.last = append(w.last, w.out.Len())
}

// keepWithin stops the search at its limit of memory. After so many batches it has
// the process measured, whatever the accounts say.
func (w *worker) keepWithin(batches uint) {
	if w.s.opt.MaxBytes > 0 { // expanders may hold much that is on no account
		batches = min(batches, batchesLimited)
	}
	if w.batches++; w.batches%batches == 0 && (w.s.opt.MaxBytes > 0 || w.s.bytes() >= minMeasured) {
		w.s.nextLook.Store(0)
	}
	w.s.within(0)
}

// expanding returns the state that the expander is at, nil between expansions.
func (w *worker) expanding() []byte {
	if n := len(w.sources); n > len(w.last) {
		return w.sources[n-1]
	}
	return nil
}

// absorb judges and inserts the batch, and leaves in fresh which successors are
// to be expanded. It reports false where the search has stopped on the way.
func (w *worker) absorb() bool {
	if err := w.out.check(w.sources...); err != nil {
		w.s.fail(err)
		return false
	}
	if w.fingerprint() != nil {
		w.s.stop(SizeLimit)
		return false
	}
	if !w.judge() {
		return false
	}
	if w.log != nil && !w.s.keepsGraph() {
		w.dropLog()
	}
	if w.log != nil && w.depth >= 0 {
		if err := w.log.Add(rows.Batch{Sources: w.sourceFP, Last: w.last, FPs: w.fps, Label: w.out.label, Mark: w.out.mark}); err != nil {
			w.s.fail(err)
			return false
		}
	}
	w.expanded += uint64(len(w.sources))
	w.generated.Store(w.generated.Load() + uint64(len(w.fps)))
	w.fresh = w.fresh[:0]
	switch {
	case w.depth >= w.s.opt.MaxDepth && w.s.bounded() && !w.s.tooManyToPeek():
		w.peek()
		return true
	case w.s.exact != nil:
		w.insertExact()
		return true
	case w.s.bare != nil:
		return w.insertFirst()
	}
	return w.insert()
}

// absorbInitial inserts the initial states collected in out.
func (w *worker) absorbInitial() {
	w.sources, w.sourceFP, w.last = append(w.sources[:0], nil), append(w.sourceFP[:0], 0), append(w.last[:0], w.out.Len())
	w.depth = -1
	if w.absorb() {
		for _, i := range w.fresh {
			w.next.Add(w.out.State(int(i)))
		}
		w.s.within(0)
	}
	w.expanded = 0 // the initial states have no source
	w.reset()
}

// fingerprint computes the fingerprints of the batch. The error says that a state is too long.
func (w *worker) fingerprint() error {
	buf, ends := w.out.buf, w.out.end
	if w.fps = w.fps[:0]; cap(w.fps) < len(ends) {
		w.fps = make([]uint64, 0, 2*len(ends))
	}
	w.fps = w.fps[:len(ends)]
	if n := fingerprint.All(w.fps, buf, ends, MaxStateBytes, w.s.opt.hash); n < len(ends) {
		return fmt.Errorf("explore: a state of %d bytes; states have at most %d bytes", len(w.out.State(n)), MaxStateBytes)
	}
	return nil
}

// judge keeps the best hits of the batch.
func (w *worker) judge() bool {
	if w.out.cuts != 0 {
		w.s.cuts.Or(w.out.cuts)
	}
	for i := range w.out.hits {
		h := &w.out.hits[i]
		if err := checkTarget(h.target, len(w.hits)); err != nil {
			w.s.fail(err)
			return false
		}
		if best := &w.s.hits[h.target]; best.Depth >= 0 && best.level() < w.depth && w.s.opt.Order == BreadthFirst {
			continue // hit in an earlier level
		}
		first := 0
		if h.source > 0 {
			first = w.last[h.source-1]
		}
		hit := w.out.hit(h, w.depthOf(h.source), w.sources[h.source], first)
		hit.source = w.sourceFP[h.source]
		if hit.kind == stepHit {
			hit.successor = w.fps[h.step]
		}
		keep(w.hits, &hit)
	}
	return true
}

// handOver gives the search what the worker hit.
func (w *worker) handOver() {
	w.s.mu.Lock() // snapshots look at the hits
	defer w.s.mu.Unlock()
	for t := range w.hits {
		if w.hits[t].Depth >= 0 {
			keep(w.s.hits, &w.hits[t])
		}
	}
}

// insert adds the batch to the table, in passes, of which all but the last are
// without branches that nobody can predict: which successors are not their own
// source; their home buckets are touched; most turn out to be there already.
func (w *worker) insert() bool {
	t := w.s.table
	probes := w.lookups()
	t.RLock()
	w.touched += t.Touch(probes)
	defer t.RUnlock()
	if w.s.opt.Order == BreadthFirst {
		return w.insertLevel(probes)
	}
	left, touched := t.Sift(probes)
	w.touched += touched
	return w.insertDive(probes[:left])
}

// lookups returns the successors to be looked up. One that is its own source is not:
// that was visited at a lesser depth. The same goes for one that the worker has
// looked up lately with an origin as good: most states are reached several times in a
// row, and memory takes much longer to answer than a cache. There is no branch for
// either.
func (w *worker) lookups() []visited.Probe {
	if cap(w.probes) < len(w.fps) {
		w.probes = make([]visited.Probe, 2*len(w.fps))
	}
	if len(w.recent) < recentLookups {
		w.remember()
	}
	fps, recent := w.fps, w.recent
	probes := w.probes[:len(fps)]
	i, n := 0, 0
	for k, last := range w.last {
		meta, source := w.origin(k), w.sourceFP[k]
		if w.s.bare != nil {
			meta = 0 // one is as good as another
		}
		for ; i < last; i++ {
			fp := fps[i]
			probes[n] = visited.Probe{FP: fp, Meta: meta, Index: uint32(i)}
			r := &recent[fp&uint64(len(recent)-1)]
			var elsewhere, other, lowers int
			if fp != source {
				elsewhere = 1
			}
			if r.FP != fp {
				other = 1
			}
			if r.Meta > meta {
				lowers = 1
			}
			best := r.Meta
			if other|lowers != 0 {
				best = meta
			}
			r.FP, r.Meta = fp, best
			n += elsewhere & (other | lowers)
		}
	}
	return probes[:n]
}

// remember gives a worker that has expanded many states a cache of what it looks up;
// small searches stay small.
func (w *worker) remember() {
	switch {
	case w.expanded >= recentLookups:
		w.recent = make([]visited.Entry, recentLookups)
	case w.recent == nil:
		w.recent = make([]visited.Entry, 1)
	}
}

// insertDive inserts what insert has left in a depth-first search, which has one
// worker. The table's lock is held for reading.
func (w *worker) insertDive(probes []visited.Probe) bool {
	t, distinct := w.s.table, w.distinct.Load()
	defer func() { w.distinct.Store(distinct) }()
	for i := range probes {
		p := &probes[i]
		what := w.insertOne(p.FP, p.Meta)
		for what == visited.Full {
			t.RUnlock()
			grown := w.s.grow(p.FP)
			t.RLock()
			if !grown {
				return false
			}
			what = w.insertOne(p.FP, p.Meta)
		}
		if what == visited.Fresh {
			distinct++
		}
		if what == visited.Fresh || what == visited.Lowered && w.s.bounded() {
			w.fresh = append(w.fresh, p.Index)
		}
	}
	return true
}

// insertLevel is insertDive for a breadth-first search.
func (w *worker) insertLevel(probes []visited.Probe) bool {
	t, before, n := w.s.table, len(w.fresh), 0
	sift := t.Sift
	if t.Solo {
		sift = t.SiftSolo
	}
	for {
		left, touched := sift(probes) // anew where a segment has grown: their buckets are others now
		w.touched += touched
		probes = probes[:left]
		n, w.fresh = t.InsertLevel(probes, &w.quota, w.fresh)
		w.distinct.Store(w.distinct.Load() + uint64(len(w.fresh)-before))
		if n == len(probes) {
			return true
		}
		before, probes = len(w.fresh), probes[n:]
		t.RUnlock()
		grown := w.s.grow(probes[0].FP)
		t.RLock()
		if !grown {
			return false
		}
	}
}

// origin returns the meta of the successors of state k of the batch.
func (w *worker) origin(k int) uint64 {
	return w.s.origin(w.depthOf(k)+1, w.sourceFP[k])
}

// depthOf returns the depth of state k of the batch.
func (w *worker) depthOf(k int) int {
	if len(w.depths) > 0 {
		return w.depths[k]
	}
	return w.depth
}

// insertOne inserts a successor of a depth-first search in the table.
func (w *worker) insertOne(fp, meta uint64) visited.Outcome {
	// An unbounded depth-first search keeps the first origin of a state: the
	// depth in a later one may have been too large to be told.
	if t := w.s.table; w.s.bounded() || t.Find(fp, nil) == 0 {
		return t.InsertSolo(fp, meta, &w.quota)
	}
	return visited.Seen
}

// insertExact adds the successors of the batch to the set of exact mode. Those to expand
// are fresh: the new ones and, in a bounded search, those with a lesser depth than before.
func (w *worker) insertExact() {
	i := 0
	for k, end := range w.last {
		meta := w.origin(k)
		for ; i < end; i++ {
			switch w.insertExactOne(i, meta) {
			case visited.Fresh:
				w.distinct.Add(1)
				w.fresh = append(w.fresh, uint32(i))
			case visited.Lowered:
				if w.s.bounded() {
					w.fresh = append(w.fresh, uint32(i))
				}
			}
		}
	}
}

// insertExactOne inserts successor i in the set of exact mode. An unbounded depth-first
// search keeps the first origin of a state.
func (w *worker) insertExactOne(i int, meta uint64) visited.Outcome {
	fp, state := w.fps[i], w.out.State(i)
	if w.s.opt.Order == DepthFirst && !w.s.bounded() && w.s.exact.Find(fp, state) != 0 {
		return visited.Seen
	}
	return w.s.exact.Insert(fp, meta, state)
}

// peek looks whether the batch leads to states that only the limit on depth
// keeps out.
func (w *worker) peek() {
	for i := 0; i < len(w.fps) && !w.s.beyond.Load(); i++ {
		if w.s.meta(w.fps[i], w.out.State(i)) == 0 {
			w.s.beyond.Store(true)
		}
	}
}
