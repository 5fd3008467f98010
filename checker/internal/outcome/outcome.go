// Package outcome decides what runs come to, where that takes no lasso: whether who is named
// in a run is who it ends with (E1), and whether something can always be reached.
package outcome

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// JudgeReach says why a state is no evidence that what is to be reached is out of reach, by
// a search from there.
func JudgeReach(ctx context.Context, sys *model.System, from []byte, goal func(v *model.View) bool) error {
	r, err := explore.Search(ctx, rooted{sys.Watched(model.Watch{State: goal}), from}, explore.Options{
		Targets: 2, StopWhenAll: []int{0}, MaxStates: mostReplayed,
	})
	if err != nil {
		return err
	}
	if hit, found := r.Hit(0); found {
		return fmt.Errorf("from where the run ends, %d steps lead to what is to be reached", hit.Depth)
	}
	if err := ctx.Err(); err != nil && !r.Complete() {
		return err
	}
	if !r.Complete() {
		return fmt.Errorf("what can be reached from where the run ends was not all seen: %s", r.Reason)
	}
	return nil
}

// mostReplayed is how many states a replay visits to see what is out of reach.
const mostReplayed = 10_000_000

// rooted is a system that begins in another state.
type rooted struct {
	*model.Watched
	root []byte
}

// Initial yields the root (explore.System).
func (r rooted) Initial(yield func(state []byte) bool) { yield(bytes.Clone(r.root)) }

// OutOfReach returns a node of least depth from which no node with a bit can be
// reached.
func OutOfReach(ctx context.Context, g *explore.Graph, bit int) (node uint32, found bool, err error) {
	r, err := liveness.Reversed(ctx, g)
	if err != nil {
		return 0, false, err
	}
	dist, err := r.Distances(ctx, func(n uint32) bool { return g.Mark(n)>>bit&1 != 0 }, func(uint32) bool { return true })
	at := slices.Index(dist, liveness.Far) // nodes are in the order of their depth
	return uint32(max(at, 0)), at >= 0, err
}

// An outcome is what E1 sees of a state.
//
// "E1: (safety) A participant process p_i has elected_i = ⊥ or elected_i = P,
// where P is chosen as the non-crashed process at the end of the run with the
// largest identifier." (Coulouris, Dollimore, Kindberg, section 15.3; slides.)
// A run is what lies between two settled states, or the start and one. A
// process may still name in the run the process that it named before: it is no
// participant yet, and "records in elected_j the identifier of the previous
// elected process" (ibid.). So E1 is broken where in one step some process
// names v (in the initial state, if that is a cold start), and a settled state
// in which somebody is up and the best is not v can be reached from there by
// states that are not settled. That is the letter of it: a process that is
// elected and crashes before the run is over also breaks E1.
type outcome struct {
	elected uint64 // a digit of so many bits for each process
	digit   int
	n       int
	end     uint64 // the best process of a settled state, n+1 if nobody is up; 0 if it is not settled
}

// MostProcesses is the number of processes whose beliefs fit the mark of a state.
const MostProcesses = 14

// outcomeDigit returns how many bits hold a process, none, and one that does not
// exist.
func outcomeDigit(n int) int { return bits.Len(uint(n + 1)) }

// outcomeOf returns what E1 sees of a state.
func outcomeOf(v *model.View) outcome {
	n := int(v.N)
	o := outcome{n: n, digit: outcomeDigit(n)}
	for id := range v.N {
		e := min(uint64(v.Elected(id+1)), uint64(n+1))
		o.elected |= e << (int(id) * o.digit)
	}
	o.end = endOf(v)
	return o
}

// endOf returns the best process of a settled state, one that does not exist if
// nobody is up, and 0 for other states.
func endOf(v *model.View) uint64 {
	switch {
	case !v.Settled:
		return 0
	case v.Up.Empty():
		return uint64(v.N) + 1
	}
	return min(uint64(v.Wanted), uint64(v.N)+1)
}

// Marks returns the bits that packed packs, as functions.
func Marks(n int) (marks []func(v *model.View) bool) {
	digit := outcomeDigit(n)
	for i := range (n + 1) * digit {
		who, bit := model.ID(i/digit+1), i%digit
		marks = append(marks, func(v *model.View) bool {
			if int(who) > n {
				return endOf(v)>>bit&1 != 0
			}
			return min(int(v.Elected(who)), n+1)>>bit&1 != 0
		})
	}
	return marks
}

// unpacked returns the outcome whose bits begin at a bit of a mark.
func unpacked(mark uint64, bit, n int) outcome {
	o := outcome{n: n, digit: outcomeDigit(n)}
	mark >>= bit
	o.elected = mark & (1<<(n*o.digit) - 1)
	o.end = mark >> (n * o.digit) & (1<<o.digit - 1)
	return o
}

// names returns whom process i, counted from 0, takes for the coordinator, 0
// for none.
func (o *outcome) names(i int) uint64 { return o.elected >> (i * o.digit) & (1<<o.digit - 1) }

// taken returns whom some process names that did not before: a set of bits, 1
// for process 1.
func (o *outcome) taken(before outcome) (set uint32) {
	for i := range o.n {
		if v := o.names(i); v != 0 && v != before.names(i) {
			set |= 1 << v
		}
	}
	return set
}

// ends reports whether the state is settled with another best process than v.
func (o *outcome) ends(v int) bool {
	return o.end != 0 && o.end != uint64(o.n+1) && o.end != uint64(v)
}

// cold reports whether what processes name at the start is named in a run.
func cold(s setting.Setting) bool { return s.Start <= setting.ColdInterleaved }

// ErrNotBroken says that a run of the right shape satisfies the property.
var ErrNotBroken = errors.New("what it demands comes true in this run")

// Judge says why a run does not break E1, nil if it does at its end.
func Judge(sys *model.System, states [][]byte) error {
	named := uint32(0)
	var before outcome
	for i, state := range states {
		o := outcomeOf(sys.View(state))
		if i > 0 || cold(sys.Setting()) {
			named |= o.taken(before)
		}
		before = o
		if i+1 == len(states) {
			break
		}
		if o.end != 0 {
			named = 0
		}
	}
	for v := 1; v <= before.n+1; v++ {
		if named>>v&1 != 0 && before.ends(v) {
			return nil
		}
	}
	if before.end == 0 {
		return fmt.Errorf("the end of the run is not settled")
	}
	return ErrNotBroken
}

// An Offence is where a graph shows that E1 breaks: in the edge from a node, or
// in an initial node if edge is negative. The run goes on as the distances say.
type Offence struct {
	node   uint32
	edge   int
	length int
	dist   []uint32
}

// Find looks for the shortest run that breaks E1; its marks begin at a bit.
func Find(ctx context.Context, g *explore.Graph, bit int, s setting.Setting) (best *Offence, err error) {
	r, err := liveness.Reversed(ctx, g)
	if err != nil {
		return nil, err
	}
	at := func(n uint32) outcome { return unpacked(g.Mark(n), bit, s.N) }
	for v := 1; v <= s.N+1; v++ {
		dist, err := r.Distances(ctx,
			func(n uint32) bool { o := at(n); return o.ends(v) },
			func(n uint32) bool { return at(n).end == 0 },
		)
		if err != nil {
			return nil, err
		}
		try := func(n uint32, edge int, to uint32, before outcome) {
			if dist[to] == liveness.Far {
				return
			}
			length := g.Depth(n) + int(dist[to])
			if edge >= 0 {
				length++
			}
			if o := at(to); o.taken(before)>>v&1 != 0 && (best == nil || length < best.length) {
				best = &Offence{n, edge, length, dist}
			}
		}
		if cold(s) {
			for _, n := range g.Initial() {
				try(n, -1, n, outcome{n: s.N, digit: outcomeDigit(s.N)})
			}
		}
		if err := g.Each(ctx, func(n uint32) {
			for i, e := range g.Out(n) {
				try(n, i, e.To, at(n))
			}
		}); err != nil {
			return nil, err
		}
	}
	return best, nil
}

// Path returns the run of an Offence.
func (o *Offence) Path(g *explore.Graph) []explore.Hop {
	hops := g.PathTo(o.node)
	at := o.node
	step := func(e explore.Edge) {
		hops = append(hops, explore.Hop(e))
		at = e.To
	}
	if o.edge >= 0 {
		step(g.Out(at)[o.edge])
	}
	for o.dist[at] > 0 {
		for _, e := range g.Out(at) {
			if o.dist[e.To] == o.dist[at]-1 {
				step(e)
				break
			}
		}
	}
	return hops
}

// Explain says who named whom in a run that breaks E1.
func Explain(run *trace.Run) string {
	var before outcome
	type naming struct{ step, who int }
	first := make(map[uint64]naming)
	for i, state := range run.States {
		o := outcomeOf(run.System.View(state))
		for k := range o.n {
			v := o.names(k)
			_, known := first[v]
			if new := v != 0 && v != before.names(k); new && !known && (i > 0 || cold(run.System.Setting())) {
				first[v] = naming{i, k + 1}
			}
		}
		before = o
		if o.end != 0 && i+1 < len(run.States) {
			clear(first)
		}
	}
	for v := 1; v <= before.n+1; v++ {
		if f, ok := first[uint64(v)]; ok && before.ends(v) {
			return fmt.Sprintf("%s names %s in step %d, but at the end %s is the best live process", model.ID(f.who).Name(), who(v, f.who, before.n), f.step, model.ID(before.end).Name())
		}
	}
	return ""
}

// who says in words whom a process names.
func who(v, self, n int) string {
	switch {
	case v == self:
		return "itself"
	case v > n:
		return "a process that does not exist"
	}
	return model.ID(v).Name()
}
