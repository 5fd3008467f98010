package simulate

import (
	"context"
	"math/rand/v2"

	"github.com/zeebo/xxh3"

	"bullyproof/model"
)

// A walker makes walks, for one goroutine.
type walker struct {
	opt   *Options
	w     model.Walker
	pcg   *rand.PCG
	rng   *rand.Rand
	draw  model.Draw
	plan  schedule
	fault uint64 // a fault happens where a number below 2^16 is below this
	ticks bool
	most  int // steps

	note func(i int) // of an action that is about to be taken, where a walk is made again
	miss func()      // it changed nothing

	tally
	unsettled, stuck uint64
	elections        Elections
	kinds            []int // of the election under way
}

// A tally is what one goroutine counts.
type tally struct {
	hits         []hit
	seen         sketch
	walks, steps uint64
	longest      int
	cuts         uint64
	err          error
	panicked     any
}

func (s *simulation) newWalker() *walker {
	w := &walker{opt: &s.opt, w: s.sys.Walker(s.watch...), pcg: rand.NewPCG(0, 0), tally: tally{hits: make([]hit, len(s.asked))}}
	w.rng = rand.New(w.pcg)
	kinds := s.sys.Names().Kinds
	w.elections, w.kinds = newElections(kinds), make([]int, len(kinds))
	w.draw = w.answer
	if s.opt.Depth > 0 {
		w.plan.style = byPriority
	}
	w.most = s.opt.MaxSteps
	w.ticks = s.sys.Setting().Timing.Kind.Discrete()
	return w
}

// guard keeps a panic, of a property say, for the goroutine that waits.
func (t *tally) guard(f func()) {
	defer func() {
		if r := recover(); r != nil {
			t.panicked = r
		}
	}()
	f()
}

// answer draws the answer to a question of the walk.
func (w *walker) answer(f model.Fork, answers uint64) uint64 {
	if f == model.ForkCrash && !w.chance() {
		return 0
	}
	return w.rng.Uint64N(answers)
}

// chance says whether a fault is to happen now.
func (w *walker) chance() bool { return w.rng.Uint64()>>48 < w.fault }

// begin begins walk n.
func (w *walker) begin(n uint64) error {
	w.pcg.Seed(w.opt.Seed, n)
	w.fault = 1 << (15 - w.rng.Uint64N(7)) // 1/2 to 1/128
	if err := w.w.Begin(w.draw); err != nil {
		return err
	}
	w.plan.begin(w.rng, w.opt)
	return nil
}

// walk makes walk n, and keeps what it finds.
func (w *walker) walk(ctx context.Context, n uint64) {
	if w.err = w.begin(n); w.err != nil {
		return
	}
	e := election{kinds: w.kinds}
	clear(e.kinds)
	e.sent(w.w)
	met := uint64(0) // watches
	steps := 0
	for ; ; steps++ {
		met = w.judge(n, steps, met)
		w.seen.meet(xxh3.Hash(w.w.State()))
		if w.w.Quiet() {
			w.elections.close(&e, w.ticks)
		} else {
			e.running = true
		}
		if steps == w.most || steps&63 == 63 && ctx.Err() != nil {
			break
		}
		taken, kind := w.step()
		if taken.Misuse != "" {
			w.hit(len(w.hits)-1, hit{walk: n, depth: steps + 1})
			break
		}
		if !taken.Changed {
			break
		}
		e.step(kind, w.w)
	}
	w.steps += uint64(steps)
	if ctx.Err() != nil {
		return
	}
	w.walks++
	w.longest = max(w.longest, steps)
	if !w.w.Settled() {
		w.unsettled++
		if w.w.Quiet() {
			w.stuck++
		}
	}
	if e.running {
		w.elections.Unfinished++
	}
}

// judge notes the watches that the walk hits for the first time.
func (w *walker) judge(n uint64, depth int, met uint64) uint64 {
	for i, is := range w.w.Hits() {
		if is && (i >= 64 || met>>i&1 == 0) {
			w.hit(i, hit{walk: n, depth: depth})
			if i < 64 {
				met |= 1 << i
			}
		}
	}
	return met
}

// hit notes that a watch was hit, or, behind them, misuse.
func (t *tally) hit(i int, h hit) {
	times := t.hits[i].times + 1
	h.times = 1
	if h.better(&t.hits[i]) {
		t.hits[i] = h
	}
	t.hits[i].times = times
}

// step takes the next action. If there is none, the result is neither changed nor
// misuse.
func (w *walker) step() (model.Taken, model.ActionKind) {
	owing := w.w.Owing()
	if owing == 0 || w.chance() {
		if taken, kind, ok := w.strike(owing); ok {
			return taken, kind
		}
	}
	if owing == 0 {
		return model.Taken{}, 0
	}
	for range 2 {
		i := w.plan.pick(w, owing)
		a := w.w.At(i)
		if taken, ok := w.take(i); ok {
			w.plan.took(a.Kind, a.Process)
			return taken, a.Kind
		}
	}
	// Much changes nothing here: look at all of it.
	first := w.rng.IntN(owing)
	for j := range owing {
		i := (first + j) % owing
		kind := w.w.At(i).Kind
		if taken, ok := w.take(i); ok {
			return taken, kind
		}
	}
	if taken, kind, ok := w.strike(owing); ok {
		return taken, kind
	}
	return model.Taken{}, 0
}

// take takes an action, and reports whether something came of it.
func (w *walker) take(i int) (model.Taken, bool) {
	if w.note != nil {
		w.note(i)
	}
	taken := w.w.Take(i, w.draw)
	w.leftOut(taken)
	ok := taken.Changed || taken.Misuse != ""
	if !ok && w.miss != nil {
		w.miss()
	}
	return taken, ok
}

// leftOut notes why what an action leads to was left out, if it was.
func (t *tally) leftOut(taken model.Taken) {
	if taken.LeftOut > 0 {
		t.cuts |= 1 << (taken.LeftOut - 1)
	}
}

// strike has a fault happen, of each kind with equal probability. It reports
// whether there was one.
func (w *walker) strike(owing int) (model.Taken, model.ActionKind, bool) {
	faults := w.w.Faults()
	if faults == 0 {
		return model.Taken{}, 0, false
	}
	var kinds [32]int // how many there are
	different := 0
	for i := range faults {
		k := w.w.At(owing + i).Kind
		if kinds[k] == 0 {
			different++
		}
		kinds[k]++
	}
	which := w.rng.IntN(different)
	for kind, count := range kinds {
		if count == 0 {
			continue
		}
		if which--; which >= 0 {
			continue
		}
		nth := w.rng.IntN(count)
		for i := owing; ; i++ {
			if w.w.At(i).Kind != model.ActionKind(kind) {
				continue
			}
			if nth--; nth < 0 {
				taken, ok := w.take(i)
				return taken, model.ActionKind(kind), ok
			}
		}
	}
	return model.Taken{}, 0, false
}
