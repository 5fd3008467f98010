package chance

import (
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore/liveness"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
)

// Deep has the tests see more, also those outside the package.
var Deep = flag.Bool("deep", false, "have published figures that take minutes, and thousands of random decision processes")

// drawn returns a random decision process of few states, with costs.
func drawn(number uint64) (*mdp, []int32) {
	r := rand.New(rand.NewPCG(number, 5))
	var odds []model.Odds
	var spent []int32
	fair := liveness.FairRuns{Strength: []liveness.Strength{liveness.Weak, liveness.Weak}}
	if r.IntN(3) == 0 {
		fair.Strength[1] = liveness.Unconditional
	}
	label := func(o model.Odds, classes []int32, optional bool) uint32 {
		odds = append(odds, o)
		spent = append(spent, int32(max(0, r.IntN(5)-1)))
		fair.Classes, fair.Optional = append(fair.Classes, classes), append(fair.Optional, optional)
		return uint32(len(odds) - 1)
	}
	type branch struct{ to, label uint32 }
	states := 3 + r.IntN(3)
	var actions [][][]branch
	for range states {
		var here [][]branch
		for range max(1, r.IntN(4)) {
			var classes []int32
			if r.IntN(3) > 0 {
				classes = []int32{int32(r.IntN(2))}
			}
			shares := [][]model.Odds{{{Ways: 1, Of: 1}}, {{Ways: 1, Of: 2}, {Ways: 1, Of: 2}}, {{Ways: 1, Of: 3}, {Ways: 2, Of: 3}}, {{Ways: 1, Of: 2}, {Ways: 1, Of: 6}, {Ways: 1, Of: 3}}}[r.IntN(4)]
			var list []branch
			for _, o := range shares {
				list = append(list, branch{uint32(r.IntN(states)), label(o, classes, classes == nil)})
			}
			here = append(here, list)
		}
		actions = append(actions, here)
	}
	if r.IntN(2) == 0 {
		for i := range spent {
			spent[i] = max(1, spent[i])
		}
	}
	b := newBuilder(odds, fair)
	for s, here := range actions {
		b.state(s == states-1, false)
		if s == states-1 {
			continue // runs end at the goal
		}
		for _, list := range here {
			b.action()
			for _, x := range list {
				b.leads(x.to, x.label)
			}
		}
	}
	m, err := b.done()
	if err != nil {
		panic(err)
	}
	return m, spent
}

// A plain is the reference: it goes through all schedulers that decide by the state alone, and
// solves the equations of each by Gauss' elimination in rational numbers.
type plain struct {
	*mdp
	spent []int32
}

// each calls f with each scheduler: the action of each state, and -1 where it has none.
func (p *plain) each(f func(take []int)) {
	take := make([]int, p.states())
	var from func(s int)
	from = func(s int) {
		if s == len(take) {
			f(take)
			return
		}
		if p.first[s] == p.first[s+1] {
			take[s] = -1
			from(s + 1)
			return
		}
		for a := p.first[s]; a < p.first[s+1]; a++ {
			take[s] = int(a)
			from(s + 1)
		}
	}
	from(0)
}

// gets returns the states from which a scheduler gets to a target with a probability above 0.
func (p *plain) gets(take []int, target []bool) []bool {
	x := append([]bool(nil), target...)
	for range x {
		for s, a := range take {
			if a >= 0 && !x[s] {
				to, _ := p.branches(uint32(a))
				for _, t := range to {
					x[s] = x[s] || x[t]
				}
			}
		}
	}
	return x
}

// reaches returns the probabilities with which a scheduler gets to a target; no run goes on from
// there or from an end.
func (p *plain) reaches(take []int, target, end []bool) []*big.Rat {
	stop := make([]int, len(take))
	for s, a := range take {
		if stop[s] = a; target[s] || end[s] {
			stop[s] = -1
		}
	}
	may := p.gets(stop, target)
	return p.solve(stop, func(s int) (*big.Rat, bool) {
		switch {
		case target[s]:
			return big.NewRat(1, 1), true
		case !may[s]:
			return new(big.Rat), true
		}
		return nil, false
	}, nil)
}

// spends returns what a scheduler spends until the goal, nil where it does not get there with
// probability 1.
func (p *plain) spends(take []int) []*big.Rat {
	missed := make([]bool, len(take))
	may := p.gets(take, p.goal)
	for s := range missed {
		missed[s] = !may[s]
	}
	stop := make([]int, len(take))
	for s, a := range take {
		if stop[s] = a; p.goal[s] {
			stop[s] = -1
		}
	}
	misses := p.gets(stop, missed)
	return p.solve(stop, func(s int) (*big.Rat, bool) {
		switch {
		case p.goal[s]:
			return new(big.Rat), true
		case misses[s]:
			return nil, true
		}
		return nil, false
	}, p.spent)
}

// solve solves the equations of a scheduler.
func (p *plain) solve(take []int, known func(s int) (*big.Rat, bool), spent []int32) []*big.Rat {
	n := len(take)
	rows := make([][]*big.Rat, n)
	unknown := make([]bool, n)
	out := make([]*big.Rat, n)
	for s := range rows {
		v, ok := known(s)
		out[s], unknown[s] = v, !ok
	}
	for s := range rows {
		rows[s] = make([]*big.Rat, n+1)
		for i := range rows[s] {
			rows[s][i] = new(big.Rat)
		}
		rows[s][s].SetInt64(1)
		if !unknown[s] {
			continue
		}
		to, label := p.branches(uint32(take[s]))
		for i, t := range to {
			odds := p.odds[label[i]].Rat()
			if spent != nil {
				rows[s][n].Add(rows[s][n], new(big.Rat).Mul(odds, big.NewRat(int64(spent[label[i]]), 1)))
			}
			if unknown[t] {
				rows[s][t].Sub(rows[s][t], odds)
			} else {
				rows[s][n].Add(rows[s][n], odds.Mul(odds, out[t]))
			}
		}
	}
	for c := range n {
		if !unknown[c] {
			continue
		}
		pivot := c
		for !unknown[pivot] || rows[pivot][c].Sign() == 0 {
			pivot++
		}
		rows[c], rows[pivot] = rows[pivot], rows[c]
		for s := range n {
			if s == c || !unknown[s] || rows[s][c].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Quo(rows[s][c], rows[c][c])
			for k := range rows[s] {
				rows[s][k].Sub(rows[s][k], new(big.Rat).Mul(f, rows[c][k]))
			}
		}
	}
	for s := range n {
		if unknown[s] {
			out[s] = new(big.Rat).Quo(rows[s][n], rows[s][s])
		}
	}
	return out
}

// ends calls f with each end component without the goal: its states, and the actions in it. It
// goes through all sets of actions.
func (p *plain) ends(f func(states map[uint32]bool, actions map[uint32]bool)) {
	var all []uint32
	owner := map[uint32]uint32{}
	for s := range uint32(p.states()) {
		p.actionsOf(s, func(a uint32) {
			owner[a] = s
			if !p.goal[s] {
				all = append(all, a)
			}
		})
	}
	for set := 1; set < 1<<len(all); set++ {
		states, actions := map[uint32]bool{}, map[uint32]bool{}
		for i, a := range all {
			if set>>i&1 != 0 {
				states[owner[a]], actions[a] = true, true
			}
		}
		if p.closed(states, actions) {
			f(states, actions)
		}
	}
}

// closed reports whether actions stay in these states, and lead from each to each.
func (p *plain) closed(states, actions map[uint32]bool) bool {
	for a := range actions {
		if !p.all(a, func(t uint32) bool { return states[t] }) {
			return false
		}
	}
	for from := range states {
		seen := map[uint32]bool{from: true}
		for range states {
			for s := range states {
				p.actionsOf(s, func(a uint32) {
					if to, _ := p.branches(a); actions[a] && seen[s] {
						for _, t := range to {
							seen[t] = true
						}
					}
				})
			}
		}
		if len(seen) != len(states) {
			return false
		}
	}
	return true
}

// starves reports whether who stays in an end component starves somebody.
func (p *plain) starves(states, actions map[uint32]bool) bool {
	for c, strength := range p.fair.Strength {
		always, taken := true, false
		for s := range states {
			enabled := false
			p.actionsOf(s, func(a uint32) {
				for _, of := range p.classes(a) {
					enabled = enabled || of == int32(c)
					taken = taken || of == int32(c) && actions[a]
				}
			})
			always = always && enabled
		}
		if !taken && (always || strength == liveness.Unconditional) {
			return true
		}
	}
	return false
}

// answers are what the reference says of a state: infinite costs are nil.
type answers struct{ least, most, spendLeast, spendMost *big.Rat }

func (p *plain) answer(at uint32) answers {
	stays, dear := make([]bool, p.states()), make([]bool, p.states())
	for s := range uint32(p.states()) {
		stays[s] = !p.goal[s] && p.mayEnd(s)
	}
	p.ends(func(states, actions map[uint32]bool) {
		starves := p.starves(states, actions)
		for a := range actions {
			_, label := p.branches(a)
			for _, l := range label {
				if p.spent[l] > 0 {
					for s := range states {
						dear[s] = true
					}
				}
			}
		}
		for s := range states {
			stays[s] = stays[s] || !starves
		}
	})
	leave := append([]bool(nil), stays...)
	for range leave {
		for s := range uint32(p.states()) {
			leave[s] = leave[s] || p.goal[s]
			p.actionsOf(s, func(a uint32) {
				leave[s] = leave[s] || !p.all(a, func(t uint32) bool { return !leave[t] })
			})
		}
	}
	for s := range stays {
		stays[s] = stays[s] || !leave[s]
	}
	out := answers{least: new(big.Rat), most: new(big.Rat)}
	fails, endless := new(big.Rat), false
	p.each(func(take []int) {
		if v := p.reaches(take, p.goal, stays)[at]; v.Cmp(out.most) > 0 {
			out.most = v
		}
		if v := p.reaches(take, p.goal, make([]bool, p.states()))[at]; v.Cmp(out.most) > 0 {
			out.most = v
		}
		if v := p.reaches(take, stays, p.goal)[at]; v.Cmp(fails) > 0 {
			fails = v
		}
		if v := p.reaches(take, dear, p.goal)[at]; v.Sign() > 0 {
			endless = true
		}
		if v := p.spends(take)[at]; v != nil {
			if out.spendLeast == nil || v.Cmp(out.spendLeast) < 0 {
				out.spendLeast = v
			}
			if out.spendMost == nil || v.Cmp(out.spendMost) > 0 {
				out.spendMost = v
			}
		}
	})
	out.least.Sub(one, fails)
	if endless || fails.Sign() > 0 {
		out.spendMost = nil
	}
	return out
}

// enough reports whether bounds and an exact number are those of a reference, where nil is
// infinite.
func enough(t *testing.T, number uint64, what string, v Value, want *big.Rat) {
	t.Helper()
	if want == nil {
		require.True(t, v.Infinite(), "%d: %s is %v, want infinite", number, what, v)
		return
	}
	require.False(t, v.Infinite(), "%d: %s is infinite, want %v", number, what, want)
	require.NotNil(t, v.Exact, "%d: %s", number, what)
	require.Zero(t, v.Exact.Cmp(want), "%d: %s is %v, want %v", number, what, v.Exact, want)
	f, _ := want.Float64()
	slack := 1e-12 * max(1, f)
	require.LessOrEqual(t, v.Low, f+slack, "%d: %s", number, what)
	require.GreaterOrEqual(t, v.High, f-slack, "%d: %s", number, what)
	require.LessOrEqual(t, v.High-v.Low, 1e-5*max(1, f), "%d: %s", number, what)
}

// Answers are those of all schedulers, looked at one by one.
func TestAgainstReference(t *testing.T) {
	proper, infinite, fairer, withEnds := 0, 0, 0, 0
	for number := range casecount.Numbers(t, *Deep, 300, 10_000) {
		m, spent := drawn(number)
		want := (&plain{m, spent}).answer(0)
		r := newReach(m)
		largest := 0
		ask := func(spent []int32, most bool) Value {
			v, err := r.value(t.Context(), spent, most, 0, 100, &largest)
			require.NoError(t, err)
			return v
		}
		enough(t, number, "least probability", ask(nil, false), want.least)
		enough(t, number, "largest probability", ask(nil, true), want.most)
		enough(t, number, "least cost", ask(spent, false), want.spendLeast)
		enough(t, number, "largest cost", ask(spent, true), want.spendMost)
		if want.least.Sign() > 0 && want.least.Cmp(one) < 0 {
			proper++
		}
		if want.spendMost == nil {
			infinite++
		}
		if r.ends.count > 0 {
			withEnds++
			if m.fair.Strength = []liveness.Strength{liveness.Unfair, liveness.Unfair}; (&plain{m, spent}).answer(0).least.Cmp(want.least) < 0 {
				fairer++
			}
		}
	}
	t.Logf("%d probabilities between 0 and 1, %d infinite costs, %d with end components, fairness matters in %d", proper, infinite, withEnds, fairer)
	assert.Positive(t, proper)
	assert.Positive(t, infinite)
	assert.Positive(t, fairer)
}

// Faults of a solver are noticed.
func TestReferenceSeesFaults(t *testing.T) {
	faults := map[string]func(r *reach, at uint32) float64{
		"end components are left in": func(r *reach, at uint32) float64 {
			q := &question{m: r.mdp, most: true}
			x := newSolution(r.states())
			for s := range x.high {
				if x.high[s] = 1; r.goal[s] {
					x.know(s, 1)
				}
			}
			for range 1000 { // from above: in an end component the first guess stands
				for s := range uint32(r.states()) {
					if !x.known[s] {
						x.high[s] = q.best(s, x.high, nil)
					}
				}
			}
			return x.high[at]
		},
		"a bound from below after few sweeps": func(r *reach, at uint32) float64 {
			q := &question{m: r.mdp, most: true}
			v := make([]float64, r.states())
			for range 3 {
				for s := range uint32(r.states()) {
					if v[s] = q.best(s, v, nil); r.goal[s] {
						v[s] = 1
					}
				}
			}
			return v[at]
		},
		"weights that are not shares": func(r *reach, at uint32) float64 {
			m := *r.mdp
			m.p = make([]float64, len(m.odds))
			for i, o := range m.odds {
				m.p[i] = float64(o.Ways) / 6
			}
			a, err := newReach(&m).probability(t.Context(), true)
			require.NoError(t, err)
			return a.bounds(at).High
		},
	}
	for name, fault := range faults {
		caught := false
		for number := range uint64(200) {
			m, spent := drawn(number)
			want, _ := (&plain{m, spent}).answer(0).most.Float64()
			if math.Abs(fault(newReach(m), 0)-want) > 1e-4 {
				caught = true
				break
			}
		}
		assert.True(t, caught, name)
	}
}
