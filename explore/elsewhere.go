package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"bullyproof/explore/internal/checkpoint"
	"bullyproof/explore/internal/visited"
)

// For a search whose states are elsewhere, such as on the machines of a cluster:
// the workers there expand states by a Batch, and an Elsewhere counts, judges and
// shows their findings. Both do what Search does.

// Origins are the origins of visited states, by fingerprints, wherever they are kept.
type Origins interface {
	// Find returns the origin of a fingerprint, 0 where it was not visited.
	Find(fp uint64) uint64
	// Range calls f with each visited fingerprint from lo to hi and its origin.
	Range(lo, hi uint64, f func(fp, origin uint64))
	// Close lets go of them.
	Close() error
}

// An outside is Origins, as a path asks for them.
type outside struct{ Origins }

func (o outside) Find(fp uint64, _ []byte) uint64 { return o.Origins.Find(fp) }

func (o outside) WithPrefix(prefix uint64, f func(fp, origin uint64)) {
	o.Range(prefix<<visited.PrefixShift, prefix<<visited.PrefixShift|(1<<visited.PrefixShift-1), f)
}

// Findings are what expanding states has found, as it travels.
type Findings struct {
	Hits      []checkpoint.Hit `json:"hits,omitempty"`
	Cuts      uint64           `json:"cuts,omitempty"`
	Generated uint64           `json:"generated"`
	Expanded  uint64           `json:"expanded"`
}

// A Batch expands states of one depth, in the way of the workers of Search.
type Batch struct {
	s     *search
	w     *worker
	arena []byte
}

// Batch returns a batch for states of a system at a depth. Of the options those count
// that say what is looked for.
func (o Options) Batch(sys System, depth int) (*Batch, error) {
	o.Workers, o.Disk, o.Graph = 1, Disk{}, false
	opt, err := o.check()
	if err != nil {
		return nil, err
	}
	s := newSearch(sys, opt)
	b := &Batch{s: s, w: s.workers[0]}
	b.w.begin(depth)
	return b, nil
}

// Guard runs f, which expands states, and returns a panic of the expander as a
// *PanicError.
func (b *Batch) Guard(f func() error) (err error) {
	b.s.guard(b.w.expanding, func() { err = f() })
	if b.s.panicked != nil {
		return b.s.panicked
	}
	return err
}

// Expand expands a state, and reports whether End is due.
func (b *Batch) Expand(state []byte, fp uint64) (full bool) {
	from := len(b.arena)
	b.arena = append(b.arena, state...)
	b.w.expand(b.arena[from:len(b.arena):len(b.arena)], fp)
	return b.w.out.Len() >= batchSuccessors
}

// End yields the successors of what was expanded, with their fingerprints and
// origins, except for some that an earlier call has yielded with an origin as good.
// The states are lent until the next call of Expand.
func (b *Batch) End(yield func(state []byte, fp, origin uint64)) error {
	w := b.w
	if err := w.out.check(w.sources...); err != nil {
		return err
	}
	if err := w.fingerprint(); err != nil {
		return err
	}
	if !w.judge() {
		return b.s.err
	}
	w.expanded += uint64(len(w.sources))
	w.generated.Add(uint64(len(w.fps)))
	for _, p := range w.lookups() {
		yield(w.out.State(int(p.Index)), p.FP, p.Meta)
	}
	w.reset()
	b.arena = b.arena[:0]
	return nil
}

// Findings returns what was found so far.
func (b *Batch) Findings() Findings {
	b.w.handOver()
	return Findings{Hits: recordHits(b.s.hits), Cuts: b.s.cuts.Load(), Generated: b.w.generated.Load(), Expanded: b.w.expanded}
}

// An Elsewhere is a breadth-first search whose states are expanded and kept elsewhere,
// level by level. One goroutine uses it.
type Elsewhere struct {
	s      *search
	before time.Duration
	last   Progress
}

// Elsewhere begins such a search. The options count, except for those that say
// how states are kept. from knows the visited states.
func (o Options) Elsewhere(sys System, from Origins) (*Elsewhere, error) {
	o.Workers, o.MaxBytes, o.ExpectStates, o.Disk = 1, 0, 0, Disk{}
	opt, err := o.check()
	if err != nil {
		return nil, err
	}
	if opt.Order != BreadthFirst || opt.Exact || opt.Graph {
		return nil, fmt.Errorf("explore: a search whose states are elsewhere is %v, compares fingerprints and keeps no graph", BreadthFirst)
	}
	e := &Elsewhere{s: newSearch(sys, opt)}
	e.s.elsewhere = from
	e.s.searching.Store(true)
	return e, nil
}

// Options returns the options of the search, with defaults.
func (e *Elsewhere) Options() Options { return e.s.opt }

// Watch stops the search when the context or its time is over, until release is called.
func (e *Elsewhere) Watch(ctx context.Context) (release func()) { return e.s.watch(ctx) }

// Stop ends the search for a reason; the first one counts.
func (e *Elsewhere) Stop(r Reason) { e.s.stop(r) }

// Begin says how many initial states the system yielded.
func (e *Elsewhere) Begin(initial uint64) {
	e.s.initial = initial
	e.s.workers[0].generated.Store(initial)
}

// Level says how many states the next depth has.
func (e *Elsewhere) Level(states uint64) {
	if states == 0 {
		return
	}
	s, w := e.s, e.s.workers[0]
	s.deepest = len(s.levels)
	s.levels = append(s.levels, states)
	w.distinct.Add(states)
	s.depth.Store(int64(s.deepest))
	s.falling.Store(states < s.frontier.Swap(states))
}

// Beyond says that there are states beyond Options.MaxDepth.
func (e *Elsewhere) Beyond() { e.s.beyond.Store(true) }

// Add adds what the expansion of a whole level has found.
func (e *Elsewhere) Add(all []Findings) error {
	s, w := e.s, e.s.workers[0]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cuts.Load() == 0 {
		s.complete = s.deepest
	}
	for i := range all {
		f := &all[i]
		for k := range f.Hits {
			if err := checkTarget(f.Hits[k].Target, len(s.hits)); err != nil {
				return err
			}
			h := hitOfRecord(&f.Hits[k])
			keep(s.hits, &h)
		}
		s.cuts.Or(f.Cuts)
		w.generated.Add(f.Generated)
		w.expanded += f.Expanded
	}
	return nil
}

// Undecided reports whether a search that has found so many states so far and may have
// so many more at the next depth surely goes on, whatever their number is.
func (e *Elsewhere) Undecided(more uint64) bool {
	s := e.s
	return !anyHit(s.hits, s.opt.StopWhenAny) && !allHit(s.hits, s.needed) &&
		(s.opt.MaxStates == 0 || s.distinct()+more < s.opt.MaxStates)
}

// Ended stops the search where none of so many states is left to expand, or where a
// limit is reached, and reports whether it is stopped.
func (e *Elsewhere) Ended(ctx context.Context, left uint64) bool { return e.s.ended(ctx, left) }

// Tell calls Options.Progress with how far the search is. The phase, if it is given,
// says on what it works, and disk is how many bytes there are in files.
func (e *Elsewhere) Tell(phase Phase, disk int64) {
	if e.s.opt.Progress == nil {
		return
	}
	now := e.s.snapshot(e.last)
	now.Elapsed += e.before
	now.Disk, now.Bytes = disk, e.s.meter.memory.used()
	if phase != "" {
		now.Phase = phase
	}
	e.last = now
	e.s.opt.Progress(now)
}

// Result returns what was found. Closing it closes the Origins.
func (e *Elsewhere) Result(written int64, err error) *Result {
	r := e.s.result()
	r.DiskBytes, r.Duration = written, r.Duration+e.before
	if err != nil {
		r.DiskError = err
	}
	return r
}

// An elsewhereRecord is an Elsewhere in a checkpoint.
type elsewhereRecord struct {
	Findings
	Levels   []uint64      `json:"levels"`
	Complete int           `json:"complete"`
	Initial  uint64        `json:"initial"`
	Elapsed  time.Duration `json:"elapsed_ns"`
}

// MarshalJSON returns how far the search is, for a checkpoint.
func (e *Elsewhere) MarshalJSON() ([]byte, error) {
	s, w := e.s, e.s.workers[0]
	return json.Marshal(elsewhereRecord{
		Findings{recordHits(s.hits), s.cuts.Load(), w.generated.Load(), w.expanded},
		s.levels, s.complete, s.initial, e.before + time.Since(s.start),
	})
}

// UnmarshalJSON makes a search that has just begun what it was at a checkpoint.
func (e *Elsewhere) UnmarshalJSON(data []byte) error {
	var r elsewhereRecord
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	e.Begin(r.Initial)
	for _, states := range r.Levels {
		e.Level(states)
	}
	e.s.workers[0].generated.Store(0)
	err := e.Add([]Findings{r.Findings})
	e.s.complete, e.before = r.Complete, r.Elapsed
	return err
}

// recordHits returns those of the hits that there are.
func recordHits(hits []Hit) (records []checkpoint.Hit) {
	for i := range hits {
		if hits[i].Depth >= 0 {
			records = append(records, hits[i].record())
		}
	}
	return records
}
