package chance

import (
	"fmt"
	"math/big"

	"bullyproof/explore/liveness"
	"bullyproof/model"
)

// An mdp is a Markov decision process. A state has actions, of which a scheduler takes one, and
// an action has branches, of which chance takes one.
//
// Actions are numbered through all states and branches through all actions, so that the actions
// of state s are first[s] to first[s+1]-1, and the branches of action a are branch[a] to
// branch[a+1]-1.
type mdp struct {
	first  []uint32
	branch []uint32
	to     []uint32 // where a branch leads
	label  []uint32 // what a branch is, an index into what follows

	odds []model.Odds
	p    []float64  // the same as odds
	rat  []*big.Rat // likewise
	fair liveness.FairRuns

	goal []bool
	cut  []bool // nothing is known of what follows
}

// states returns how many there are.
func (m *mdp) states() int { return len(m.goal) }

// actions returns how many there are.
func (m *mdp) actions() int { return len(m.branch) - 1 }

// actionsOf calls f with each action of a state.
func (m *mdp) actionsOf(s uint32, f func(a uint32)) {
	for a := m.first[s]; a < m.first[s+1]; a++ {
		f(a)
	}
}

// branches returns where an action leads, and by what.
func (m *mdp) branches(a uint32) (to, label []uint32) {
	from, end := m.branch[a], m.branch[a+1]
	return m.to[from:end], m.label[from:end]
}

// all reports whether all branches of an action lead where in says.
func (m *mdp) all(a uint32, in func(t uint32) bool) bool {
	to, _ := m.branches(a)
	for _, t := range to {
		if !in(t) {
			return false
		}
	}
	return true
}

// A builder makes an mdp, state by state.
type builder struct {
	mdp
	short *shortfall // the first action whose odds are not those of all it can come to
}

// A shortfall is an action whose outcomes do not have probability 1 together.
type shortfall struct {
	state uint32
	sum   *big.Rat
}

func newBuilder(odds []model.Odds, fair liveness.FairRuns) *builder {
	b := &builder{mdp: mdp{odds: odds, fair: fair}}
	for _, o := range odds {
		b.p, b.rat = append(b.p, o.Float()), append(b.rat, o.Rat())
	}
	return b
}

// state begins the next state.
func (b *builder) state(goal, cut bool) {
	b.close()
	b.first = append(b.first, uint32(len(b.branch)))
	b.goal, b.cut = append(b.goal, goal), append(b.cut, cut)
}

// action begins the next action of the state.
func (b *builder) action() {
	b.close()
	b.branch = append(b.branch, uint32(len(b.to)))
}

// to adds a branch to the action.
func (b *builder) leads(to, label uint32) {
	b.to, b.label = append(b.to, to), append(b.label, label)
}

// close checks the action that ends.
func (b *builder) close() {
	n := len(b.branch)
	if n == 0 || b.short != nil || int(b.branch[n-1]) == len(b.to) {
		return
	}
	labels := b.label[b.branch[n-1]:]
	if b.whole(labels) {
		return
	}
	sum := new(big.Rat)
	for _, l := range labels {
		sum.Add(sum, b.rat[l])
	}
	if sum.Cmp(one) != 0 {
		b.short = &shortfall{state: uint32(len(b.goal) - 1), sum: sum}
	}
}

// whole reports whether the odds of branches sum to 1, where one of them has a denominator that
// all others divide, as those of one Toss do.
func (b *builder) whole(labels []uint32) bool {
	var of, ways uint64
	for _, l := range labels {
		of = max(of, b.odds[l].Of)
	}
	for _, l := range labels {
		o := b.odds[l]
		if of%o.Of != 0 {
			return false
		}
		ways += o.Ways * (of / o.Of)
	}
	return ways == of
}

var one = big.NewRat(1, 1)

// done returns the mdp. It fails where the outcomes of an action do not have probability 1.
func (b *builder) done() (*mdp, error) {
	b.close()
	b.first = append(b.first, uint32(len(b.branch)))
	b.branch = append(b.branch, uint32(len(b.to)))
	if b.short != nil {
		return nil, fmt.Errorf("the outcomes of an action in state %d have probability %s together, and not 1: a bound leaves some of them out", b.short.state, b.short.sum.RatString())
	}
	return &b.mdp, nil
}

// mayEnd reports whether a run may end in a state: nothing is owed there.
func (m *mdp) mayEnd(s uint32) bool {
	for b := m.branch[m.first[s]]; b < m.branch[m.first[s+1]]; b++ {
		if l := m.label[b]; int(l) >= len(m.fair.Optional) || !m.fair.Optional[l] {
			return false
		}
	}
	return true
}

// classes returns the fairness classes of an action.
func (m *mdp) classes(a uint32) []int32 {
	if l := m.label[m.branch[a]]; int(l) < len(m.fair.Classes) {
		return m.fair.Classes[l]
	}
	return nil
}
