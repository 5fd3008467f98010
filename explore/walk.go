package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// WalkOptions say how to walk at random.
type WalkOptions struct {
	// Seed selects the walks: walk number n depends on the seed and n alone.
	Seed uint64

	// Walks is the number of walks; 0 stands for no limit, which ends only by
	// a hit of all targets, by MaxTime or by the context.
	Walks uint64

	// MaxSteps is the number of transitions after which a walk ends; 0 stands
	// for 1000. A walk also ends in a state without transitions.
	MaxSteps int

	// Workers is the number of goroutines that walk, at most 1024; 0 stands for
	// GOMAXPROCS.
	// The findings are the same for any number.
	Workers int

	// Targets, StopWhenAll and Exhaustive are as in Options. Walks are made in
	// rounds of a fixed number, and end early at the end of a round.
	Targets     int
	StopWhenAll []int
	Exhaustive  bool

	// MaxTime limits the duration; 0 is no limit.
	MaxTime time.Duration
}

// walkRound is the number of walks in a round.
const walkRound = 256

// check reports the first option that is out of range, and fills in defaults.
func (o WalkOptions) check() (WalkOptions, error) {
	if o.MaxSteps < 0 {
		return o, fmt.Errorf("explore: walks of %d steps; 0 stands for 1000", o.MaxSteps)
	}
	if _, err := o.search().check(); err != nil {
		return o, err
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = 1000
	}
	if o.Workers == 0 {
		o.Workers = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	return o, nil
}

// search returns those options that a search has too.
func (o WalkOptions) search() *Options {
	return &Options{Workers: o.Workers, Targets: o.Targets, StopWhenAll: o.StopWhenAll, Exhaustive: o.Exhaustive, MaxTime: o.MaxTime}
}

// A WalkResult is what random walks found.
type WalkResult struct {
	// Reason says why the walks ended: Sampled where all of them were made,
	// never Complete.
	Reason Reason

	// Cuts has bit i set where an expander reported Cut(i).
	Cuts uint64

	// Walks is the number of walks made to their end, Steps that of the
	// transitions taken on them.
	Walks, Steps uint64

	// Longest is the number of transitions on the longest walk.
	Longest int

	// Duration is the time that the walks took.
	Duration time.Duration

	opt  WalkOptions
	sys  System
	hits []Hit
}

// Hit returns the hit kept for a target, and whether there is one: that on the
// walk with the lowest number, and there the first.
func (r *WalkResult) Hit(target int) (Hit, bool) { return hitOf(r.hits, target) }

// Path returns the trace of a target that was hit: the walk up to there, made
// once more. Errors are those of Result.Path.
func (r *WalkResult) Path(target int) ([]PathStep, error) {
	h, ok := r.Hit(target)
	if !ok {
		return nil, notHit(target, len(r.hits))
	}
	w := newWalker(r.sys, r.opt, initialStates(r.sys))
	var steps []PathStep
	err := w.walk(h.walk, func(a Code, state []byte) bool {
		steps = append(steps, PathStep{Code: a, State: bytes.Clone(state)})
		return len(steps) <= h.level()
	})
	if err != nil {
		return nil, err
	}
	if len(steps) != h.level()+1 || !bytes.Equal(steps[h.level()].State, h.State) {
		return nil, fmt.Errorf("explore: walk %d went another way when made again: the system is not deterministic", h.walk)
	}
	return finish(w.exp, steps, &h)
}

// Walk walks from an initial state along transitions, each chosen with equal
// probability, and does so again and again. Initial states are drawn with equal
// probability, those of a Starter a choice at a time. Targets are judged as in a search:
// each state on a walk and every transition out of it. It remembers no states,
// so it takes next to no memory, and proves nothing.
//
// Errors and panics are those of Search, and that there is no initial state.
func Walk(ctx context.Context, sys System, opt WalkOptions) (*WalkResult, error) {
	opt, err := opt.check()
	if err != nil {
		return nil, err
	}
	initial := initialStates(sys)
	start := time.Now()
	// The search that stops, fails and panics, without a visited set.
	s := &search{sys: sys, opt: *opt.search(), start: start}
	defer s.watch(ctx)()

	r := &WalkResult{opt: opt, sys: sys, hits: newHits(opt.Targets)}
	walkers := make([]*walker, opt.Workers)
	for i := range walkers {
		walkers[i] = newWalker(sys, opt, initial)
	}
	needed := s.opt.needed(sys)
	for s.running() {
		s.checkContext(ctx)
		last := r.Walks + walkRound
		if opt.Walks > 0 {
			last = min(last, opt.Walks)
		}
		r.round(s, walkers, last)
		switch {
		case s.err != nil:
			return nil, s.err
		case allHit(r.hits, needed):
			s.stop(TargetsHit)
		case r.Walks == opt.Walks:
			s.stop(Sampled)
		}
	}
	r.Reason = Reason(s.stopped.Load())
	r.Duration = time.Since(start)
	return r, nil
}

// initialStates returns copies of all initial states, none of a Starter.
func initialStates(sys System) (states [][]byte) {
	if _, ok := sys.(Starter); ok {
		return nil
	}
	sys.Initial(func(state []byte) bool {
		states = append(states, bytes.Clone(state))
		return true
	})
	return states
}

// round has the walkers make the walks up to number last.
func (r *WalkResult) round(s *search, walkers []*walker, last uint64) {
	var next atomic.Uint64
	next.Store(r.Walks)
	var panicked *walker
	var wg sync.WaitGroup
	for _, w := range walkers {
		wg.Go(func() {
			s.guard(func() []byte { panicked = w; return w.state }, func() {
				for s.running() {
					n := next.Add(1) - 1
					if n >= last {
						return
					}
					w.make(s, n)
				}
			})
		})
	}
	wg.Wait()
	if panicked != nil {
		s.panicked.Path = r.wayTo(panicked)
	}
	s.raise()
	for _, w := range walkers {
		for t := range w.hits {
			if w.hits[t].Depth >= 0 {
				keep(r.hits, &w.hits[t])
			}
		}
		r.Walks += w.walks
		r.Steps += w.steps
		r.Longest = max(r.Longest, w.longest)
		r.Cuts |= w.cuts
		w.walks, w.steps = 0, 0
	}
}

// wayTo makes the walk of a walker that panicked once more, and returns the way
// to the state that was expanded then: nil if the walk goes another way, as that
// of a system which is not deterministic may.
func (r *WalkResult) wayTo(p *walker) (steps []PathStep) {
	defer func() {
		if recover() != nil {
			steps = nil
		}
	}()
	w := newWalker(r.sys, r.opt, initialStates(r.sys))
	if w.begin(p.number) != nil {
		return nil
	}
	for {
		steps = append(steps, PathStep{Code: w.code, State: bytes.Clone(w.state)})
		if w.step == p.step {
			break // what panicked is not done again
		}
		w.out.Reset()
		w.exp.Expand(w.state, &w.out)
		if w.out.Len() == 0 {
			return nil
		}
		w.choose()
	}
	if !bytes.Equal(w.state, p.state) {
		return nil
	}
	return steps
}

// A walker makes walks.
type walker struct {
	opt     WalkOptions
	exp     Expander
	initial [][]byte
	start   func(draw func(k uint64) uint64) ([]byte, error) // of a Starter
	out     Successors
	number  uint64 // of the walk
	step    int    // on it
	code    Code   // of the transition to the state
	state   []byte
	pcg     *rand.PCG
	rng     *rand.Rand

	hits         []Hit
	walks, steps uint64
	longest      int
	cuts         uint64
}

func newWalker(sys System, opt WalkOptions, initial [][]byte) *walker {
	pcg := rand.NewPCG(0, 0)
	w := &walker{opt: opt, exp: sys.NewExpander(), initial: initial, pcg: pcg, rng: rand.New(pcg), hits: newHits(opt.Targets)}
	if s, ok := sys.(Starter); ok {
		w.start = s.NewStart()
	}
	return w
}

// begin puts the walker where walk number n begins.
func (w *walker) begin(n uint64) error {
	w.number, w.step, w.code = n, 0, 0
	w.pcg.Seed(w.opt.Seed, n)
	switch {
	case w.start != nil:
		// Of one number, so that the walk does not depend on how many a start takes.
		state, err := w.start(rand.New(rand.NewPCG(w.rng.Uint64(), n)).Uint64N)
		w.state = append(w.state[:0], state...)
		return err
	case len(w.initial) == 0:
		return errors.New("explore: no initial state to walk from")
	}
	w.state = append(w.state[:0], w.initial[w.rng.IntN(len(w.initial))]...)
	return nil
}

// choose takes one of the transitions out of the state.
func (w *walker) choose() {
	i := w.rng.IntN(w.out.Len())
	w.code = w.out.Code(i)
	w.state = append(w.state[:0], w.out.State(i)...)
	w.step++
}

// walk makes walk number n. It calls visit with each state on it, while its
// successors are in out, and ends early where that returns false.
func (w *walker) walk(n uint64, visit func(Code, []byte) bool) error {
	if err := w.begin(n); err != nil {
		return err
	}
	for ; ; w.choose() {
		w.out.Reset()
		w.exp.Expand(w.state, &w.out)
		if !visit(w.code, w.state) || w.step == w.opt.MaxSteps || w.out.Len() == 0 {
			return nil
		}
	}
}

// make makes walk number n and keeps what it hits.
func (w *walker) make(s *search, n uint64) {
	steps := -1
	err := w.walk(n, func(_ Code, state []byte) bool {
		steps++
		w.cuts |= w.out.cuts
		return w.judge(s, n, steps, state) && s.running()
	})
	if err != nil {
		s.fail(err)
		return
	}
	w.steps += uint64(steps)
	w.longest = max(w.longest, steps)
	if s.running() {
		w.walks++
	}
}

// judge keeps the best hits of the state that was expanded last.
func (w *walker) judge(s *search, n uint64, depth int, state []byte) bool {
	if err := w.out.check(state); err != nil {
		s.fail(err)
		return false
	}
	for i := range w.out.hits {
		h := &w.out.hits[i]
		if err := checkTarget(h.target, len(w.hits)); err != nil {
			s.fail(err)
			return false
		}
		hit := w.out.hit(h, depth, state, 0)
		hit.walk = n
		keep(w.hits, &hit)
	}
	return true
}
