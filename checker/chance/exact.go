package chance

import (
	"context"
	"math"
	"math/big"
	"slices"
)

// exactly returns the answer at each state as a rational number, nil where it is infinite, by
// policy iteration in each component that has a cycle: the equations of a policy are solved, and
// an action that comes to more (or less) takes the place of another, until there is none. It
// begins with the best actions of a solution. There is no answer where a component has more than
// so many states; largest says how many the largest has.
func (q *question) exactly(ctx context.Context, x *solution, most int) (values []*big.Rat, largest int, err error) {
	values = make([]*big.Rat, q.m.states())
	for s := range values {
		if x.known[s] && !math.IsInf(x.low[s], 1) {
			values[s] = new(big.Rat).SetFloat64(x.low[s]) // 0 or 1
		}
	}
	x.parts.each(func(states []uint32) error {
		if q.cyclic(states, x) {
			largest = max(largest, len(states))
		}
		return nil
	})
	if largest > most {
		return nil, largest, nil
	}
	err = x.parts.each(func(states []uint32) error {
		switch {
		case x.known[states[0]]:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		return q.policies(ctx, x, states, values)
	})
	return values, largest, err
}

// policies is policy iteration in one component.
func (q *question) policies(ctx context.Context, x *solution, states []uint32, values []*big.Rat) error {
	policy := q.begin(states, x)
	for {
		if err := q.evaluate(ctx, states, policy, values); err != nil {
			return err
		}
		changed := false
		for i, s := range states {
			q.m.actionsOf(s, func(a uint32) {
				if a == policy[i] || x.usable != nil && !x.usable[a] {
					return
				}
				if sign := q.exact(a, values).Cmp(values[s]); q.most && sign > 0 || !q.most && sign < 0 {
					policy[i], changed = a, true
				}
			})
		}
		if !changed {
			return nil
		}
	}
}

// begin returns the policy of the actions that are best by the values of a solution, or nearly so,
// and of these one that gets nearer to a way out: a policy that goes round for good has no finite
// answer.
func (q *question) begin(states []uint32, x *solution) []uint32 {
	const unset = ^uint32(0)
	policy, at := make([]uint32, len(states)), make(map[uint32]int, len(states))
	for i, s := range states {
		policy[i], at[s] = unset, i
	}
	for near := precision; ; near *= 100 {
		for set := true; set; {
			set = false
			for i, s := range states {
				if policy[i] != unset {
					continue
				}
				best := q.best(s, x.low, x.usable)
				q.m.actionsOf(s, func(a uint32) {
					if policy[i] != unset || x.usable != nil && !x.usable[a] || math.Abs(q.of(a, x.low)-best) > near*max(1, best) {
						return
					}
					if !q.m.all(a, func(t uint32) bool { j, inside := at[t]; return inside && policy[j] == unset }) {
						policy[i], set = a, true
					}
				})
			}
		}
		if !slices.Contains(policy, unset) {
			return policy
		}
	}
}

// exact returns what an action comes to.
func (q *question) exact(a uint32, values []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	to, label := q.m.branches(a)
	for i, t := range to {
		v := new(big.Rat).Set(values[t])
		if q.spent != nil {
			v.Add(v, big.NewRat(int64(q.spent[label[i]]), 1))
		}
		sum.Add(sum, v.Mul(v, q.m.odds[label[i]].Rat()))
	}
	return sum
}

// An equation says of one state what it comes to: so much, and parts of others.
type equation struct {
	constant *big.Rat
	part     map[int]*big.Rat
	in       map[int]bool // the equations that have a part of this one
}

// evaluate solves the equations of a policy: it puts one into the others after the other, the one
// with the fewest neighbours first.
func (q *question) evaluate(ctx context.Context, states, policy []uint32, values []*big.Rat) error {
	at := make(map[uint32]int, len(states))
	for i, s := range states {
		at[s] = i
	}
	system := make([]equation, len(states))
	for i := range system {
		system[i] = equation{new(big.Rat), map[int]*big.Rat{}, map[int]bool{}}
	}
	for i := range states {
		q.equation(system, i, policy[i], at, values)
	}
	order, err := eliminate(ctx, system)
	if err != nil {
		return err
	}
	for _, i := range slices.Backward(order) {
		v := new(big.Rat).Set(system[i].constant)
		for j, part := range system[i].part {
			v.Add(v, new(big.Rat).Mul(part, values[states[j]]))
		}
		values[states[i]] = v
	}
	return nil
}

// equation writes down what an action makes of a state.
func (q *question) equation(system []equation, i int, a uint32, at map[uint32]int, values []*big.Rat) {
	e := &system[i]
	to, label := q.m.branches(a)
	for k, t := range to {
		p := q.m.odds[label[k]].Rat()
		if q.spent != nil {
			e.constant.Add(e.constant, new(big.Rat).Mul(p, big.NewRat(int64(q.spent[label[k]]), 1)))
		}
		if j, ok := at[t]; ok {
			e.add(j, p)
			system[j].in[i] = true
		} else {
			e.constant.Add(e.constant, p.Mul(p, values[t]))
		}
	}
}

// add adds a part of another.
func (e *equation) add(j int, p *big.Rat) {
	if old := e.part[j]; old != nil {
		old.Add(old, p)
	} else {
		e.part[j] = p
	}
}

// eliminate has each equation have parts of those alone that come after it in the order that it
// returns.
func eliminate(ctx context.Context, system []equation) (order []int, err error) {
	byDegree := map[int][]int{}
	degree := func(i int) int { return len(system[i].part) * len(system[i].in) }
	least := 0
	put := func(i int) {
		d := degree(i)
		byDegree[d] = append(byDegree[d], i)
		least = min(least, d)
	}
	for i := range system {
		put(i)
	}
	done := make([]bool, len(system))
	for len(order) < len(system) {
		if len(order)%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for len(byDegree[least]) == 0 {
			least++
		}
		last := len(byDegree[least]) - 1
		i := byDegree[least][last]
		byDegree[least] = byDegree[least][:last]
		if done[i] || degree(i) != least {
			if !done[i] && degree(i) > least {
				put(i)
			}
			continue
		}
		done[i] = true
		order = append(order, i)
		system[i].solve(i)
		for h := range system[i].in {
			if !done[h] {
				system[h].put(h, i, system)
				put(h)
			}
		}
		for j := range system[i].part {
			delete(system[j].in, i)
			if !done[j] {
				put(j)
			}
		}
	}
	return order, nil
}

// solve takes an equation's part of itself out of it.
func (e *equation) solve(i int) {
	self := e.part[i]
	if self == nil {
		return
	}
	factor := new(big.Rat).Inv(new(big.Rat).Sub(one, self))
	delete(e.part, i)
	delete(e.in, i)
	for _, p := range e.part {
		p.Mul(p, factor)
	}
	e.constant.Mul(e.constant, factor)
}

// put puts equation i into equation h.
func (e *equation) put(h, i int, system []equation) {
	p := e.part[i]
	delete(e.part, i)
	for j, part := range system[i].part {
		e.add(j, new(big.Rat).Mul(p, part))
		system[j].in[h] = true
	}
	e.constant.Add(e.constant, new(big.Rat).Mul(p, system[i].constant))
}

// spends returns what an action spends on average.
func (q *question) spends(a uint32) *big.Rat {
	sum := new(big.Rat)
	_, label := q.m.branches(a)
	for _, l := range label {
		sum.Add(sum, new(big.Rat).Mul(q.m.odds[l].Rat(), big.NewRat(int64(q.spent[l]), 1)))
	}
	return sum
}
