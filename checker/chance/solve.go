package chance

import (
	"context"
	"math"
	"math/big"
	"slices"
)

// A question asks an mdp for a number at each state: the probability to reach the goal, or what
// is spent until then, of the scheduler for which it is largest, or least.
type question struct {
	m     *mdp
	spent []int32 // by label, nil for a probability
	most  bool    // of the scheduler for which it is largest
}

// A solution has bounds of the answer at each state.
type solution struct {
	low, high []float64
	known     []bool // by the graph alone
	usable    []bool // by action: a scheduler of the answer may take it; nil: all
	parts     *parts // of the states, by the usable actions
}

// parts are the components of an mdp (components).
type parts struct{ order, bounds []uint32 }

// each calls f with the states of each component, until that fails.
func (p *parts) each(f func(states []uint32) error) error {
	for c := range len(p.bounds) - 1 {
		if err := f(p.order[p.bounds[c]:p.bounds[c+1]]); err != nil {
			return err
		}
	}
	return nil
}

// precision is how far low and high are apart at most, relatively, where an answer was found.
const precision = 1e-6

// of returns what an action comes to, by values of states.
func (q *question) of(a uint32, v []float64) float64 {
	to, label := q.m.branches(a)
	sum := 0.0
	for i, t := range to {
		x := v[t]
		if q.spent != nil {
			x += float64(q.spent[label[i]])
		}
		sum += q.m.p[label[i]] * x
	}
	return sum
}

// best returns what the best usable action of a state comes to; 0 where there is none.
func (q *question) best(s uint32, v []float64, usable []bool) float64 {
	best, any := 0.0, false
	for a := q.m.first[s]; a < q.m.first[s+1]; a++ {
		if usable != nil && !usable[a] {
			continue
		}
		if x := q.of(a, v); !any || q.most && x > best || !q.most && x < best {
			best, any = x, true
		}
	}
	return best
}

// newSolution returns one in which nothing is known.
func newSolution(states int) *solution {
	return &solution{low: make([]float64, states), high: make([]float64, states), known: make([]bool, states)}
}

// know has the answer at a state be known.
func (x *solution) know(s int, v float64) { x.known[s], x.low[s], x.high[s] = true, v, v }

// solve answers what is not known yet, component by component, each after those that it leads to.
// Among the usable actions no end component may be in which nothing is spent.
func (q *question) solve(ctx context.Context, x *solution) error {
	switch {
	case !slices.Contains(x.known, false):
		x.parts = &parts{bounds: []uint32{0}}
	case x.parts == nil:
		order, bounds := q.m.components(func(s, a uint32) bool { return !x.known[s] && (x.usable == nil || x.usable[a]) })
		x.parts = &parts{order, bounds}
	}
	return x.parts.each(func(states []uint32) error {
		switch s := states[0]; {
		case ctx.Err() != nil:
			return ctx.Err()
		case q.cyclic(states, x):
			return q.iterate(ctx, x, states)
		case !x.known[s]:
			x.low[s], x.high[s] = q.best(s, x.low, x.usable), q.best(s, x.high, x.usable)
		}
		return nil
	})
}

// cyclic reports whether a component has a cycle.
func (q *question) cyclic(states []uint32, x *solution) bool {
	return len(states) > 1 || q.leadsBack(states[0], x)
}

// leadsBack reports whether an action leads from a state to itself.
func (q *question) leadsBack(s uint32, x *solution) (back bool) {
	if x.known[s] {
		return false
	}
	q.m.actionsOf(s, func(a uint32) {
		back = back || (x.usable == nil || x.usable[a]) && !q.m.all(a, func(t uint32) bool { return t != s })
	})
	return back
}

// iterate is optimistic value iteration in one component: values grow from below until they
// hardly change, and are then taken for right up to the precision, which a sweep confirms if no
// value of the guess rises in it. (A. Hartmanns, B. L. Kaminski, Optimistic value iteration,
// CAV 2020.)
func (q *question) iterate(ctx context.Context, x *solution, states []uint32) error {
	change := precision / 100
	for range 12 {
		sweeps := 0
		for rel := math.Inf(1); rel > change; sweeps++ {
			if sweeps%64 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			rel = 0
			for _, s := range states {
				if v := q.best(s, x.low, x.usable); v > x.low[s] {
					rel = max(rel, (v-x.low[s])/v)
					x.low[s] = v
				}
			}
		}
		for _, s := range states {
			x.high[s] = x.low[s]*(1+precision) + 1e-15
		}
		if q.confirm(x, states) {
			return nil
		}
		change /= 10
	}
	for _, s := range states {
		x.high[s] = math.Inf(1)
		if q.spent == nil {
			x.high[s] = 1
		}
	}
	return nil
}

// confirm reports whether the guess from above is one: in a sweep no value rises.
func (q *question) confirm(x *solution, states []uint32) bool {
	for range 200 {
		rises := false
		for _, s := range states {
			if v := q.best(s, x.high, x.usable); v > x.high[s] {
				rises = true
			} else {
				x.high[s] = v
			}
		}
		if !rises {
			return true
		}
	}
	return false
}

// A reach asks an mdp for probabilities and costs until the goal.
type reach struct {
	*mdp
	before *before
	ends   *ends
	stays  []bool
	never  []bool // a fair scheduler keeps from the goal with a probability above 0
	surely []bool // some scheduler reaches the goal with probability 1
}

// newReach looks at the graph alone.
func newReach(m *mdp) *reach {
	r := &reach{mdp: m, before: m.before(), ends: m.endComponents(nil)}
	r.stays = m.stays(r.ends)
	r.strand()
	r.never = m.possible(r.before, r.stays, nil)
	r.surely = m.sure(r.before, m.goal)
	return r
}

// strand has runs stay where nothing else is left for them, however unfair that is: time that can
// not go on, say.
func (r *reach) strand() {
	leave := slices.Clone(r.goal)
	for s, stays := range r.stays {
		leave[s] = leave[s] || stays
	}
	for s, can := range r.possible(r.before, leave, nil) {
		r.stays[s] = r.stays[s] || !can
	}
}

// An asked is a question to a quotient, and its solution.
type asked struct {
	q       *question
	x       *solution
	of      []uint32 // by state of the whole: its state in the quotient
	without bool     // the answer is what is missing to 1
}

// bounds returns the answer at a state of the whole.
func (a *asked) bounds(s uint32) Value {
	v := Value{Low: a.x.low[a.of[s]], High: a.x.high[a.of[s]]}
	if a.without {
		v.Low, v.High = 1-v.High, 1-v.Low
	}
	return v
}

// toTarget returns the largest probability to reach a target: the goal, or for the least
// probability of the goal what a run can stay in.
func (r *reach) toTarget(ctx context.Context, target []bool) (*asked, error) {
	m := *r.mdp
	m.goal = make([]bool, len(r.goal))
	for s := range m.goal {
		m.goal[s] = target[s] || r.goal[s]
	}
	e := m.endComponents(nil)
	quotient := m.quotient(e)
	q := &question{m: quotient.mdp, most: true}
	hit := make([]bool, quotient.states())
	for s, at := range quotient.of {
		hit[at] = hit[at] || target[s]
	}
	p := quotient.before()
	possible, sure := quotient.possible(p, hit, nil), quotient.sure(p, hit)
	x := newSolution(quotient.states())
	for s := range hit {
		switch {
		case hit[s] || sure[s]:
			x.know(s, 1)
		case !possible[s] || quotient.goal[s]:
			x.know(s, 0)
		}
	}
	return &asked{q: q, x: x, of: quotient.of}, q.solve(ctx, x)
}

// probability returns the probability that the goal is reached, of the scheduler for which it is
// largest or, of the fair ones, least. The least is what the scheduler leaves that is the most
// likely to get to where a fair run can stay without the goal.
func (r *reach) probability(ctx context.Context, most bool) (*asked, error) {
	if most {
		return r.toTarget(ctx, r.goal)
	}
	a, err := r.toTarget(ctx, r.stays)
	if a != nil {
		a.without = true
	}
	return a, err
}

// expected returns what is spent until the goal, on average. It is infinite where the goal is
// not reached with probability 1, and of the scheduler for which it is largest also where one can
// go round and spend as often as one likes.
func (r *reach) expected(ctx context.Context, spent []int32, most bool) (*asked, error) {
	free := func(a uint32) bool {
		_, label := r.branches(a)
		for _, l := range label {
			if spent[l] != 0 {
				return false
			}
		}
		return true
	}
	var finite []bool
	var usable func(a uint32) bool
	if most {
		finite = r.bounded(free)
	} else {
		finite = r.surely
		usable = func(a uint32) bool { return r.all(a, func(t uint32) bool { return finite[t] }) }
	}
	e := r.endComponents(func(a uint32) bool { return free(a) && (usable == nil || usable(a)) })
	quotient := r.quotient(e)
	q := &question{m: quotient.mdp, spent: spent, most: most}
	x := newSolution(quotient.states())
	for s, at := range quotient.of {
		switch {
		case r.goal[s]:
			x.know(int(at), 0)
		case !finite[s]:
			x.know(int(at), math.Inf(1))
		}
	}
	if !most {
		x.usable = make([]bool, quotient.actions())
		for a := range x.usable {
			x.usable[a] = quotient.all(uint32(a), func(t uint32) bool { return !math.IsInf(x.low[t], 1) })
		}
	}
	return &asked{q: q, x: x, of: quotient.of}, q.solve(ctx, x)
}

// bounded returns the states from which every fair scheduler reaches the goal with probability 1
// and cannot go round and spend.
func (r *reach) bounded(free func(a uint32) bool) []bool {
	bad := slices.Clone(r.stays)
	for s := range uint32(r.states()) {
		r.actionsOf(s, func(a uint32) { bad[s] = bad[s] || r.ends.inside[a] && !free(a) })
	}
	x := r.possible(r.before, bad, nil)
	for s := range x {
		x[s] = !x[s]
	}
	return x
}

// value returns the answer at a state: a probability where spent is nil. largest grows to the
// number of states of the largest component that is computed exactly, or is too large for that.
func (r *reach) value(ctx context.Context, spent []int32, most bool, at uint32, exact int, largest *int) (Value, error) {
	var a *asked
	var err error
	if spent == nil {
		a, err = r.probability(ctx, most)
	} else {
		a, err = r.expected(ctx, spent, most)
	}
	if err != nil {
		return Value{}, err
	}
	v := a.bounds(at)
	if v.Infinite() || exact < 0 {
		return v, nil
	}
	values, size, err := a.q.exactly(ctx, a.x, exact)
	*largest = max(*largest, size)
	if err != nil || values == nil {
		return v, err
	}
	v.Exact = values[a.of[at]]
	if a.without {
		v.Exact = new(big.Rat).Sub(one, v.Exact)
	}
	return v, nil
}
