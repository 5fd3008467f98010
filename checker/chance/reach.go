package chance

import (
	"slices"

	"bullyproof/explore/liveness"
)

// before lists what leads to each state.
type before struct {
	first []uint32 // by state, into from
	from  []uint32 // actions
	owner []uint32 // by action: its state
}

// before returns what leads to each state.
func (m *mdp) before() *before {
	p := &before{first: make([]uint32, m.states()+1), from: make([]uint32, len(m.to)), owner: make([]uint32, m.actions())}
	for s := range uint32(m.states()) {
		m.actionsOf(s, func(a uint32) { p.owner[a] = s })
	}
	for _, t := range m.to {
		p.first[t+1]++
	}
	for i := range m.states() {
		p.first[i+1] += p.first[i]
	}
	next := slices.Clone(p.first)
	for a := range uint32(m.actions()) {
		to, _ := m.branches(a)
		for _, t := range to {
			p.from[next[t]] = a
			next[t]++
		}
	}
	return p
}

// into calls f with each action that has a branch to a state.
func (p *before) into(t uint32, f func(a uint32)) {
	for _, a := range p.from[p.first[t]:p.first[t+1]] {
		f(a)
	}
}

// possible returns the states from which some scheduler gets to a target with a probability
// above 0, by the actions that ok lets pass (nil: all). No way leads on from the goal.
func (m *mdp) possible(p *before, target []bool, ok func(a uint32) bool) []bool {
	x := make([]bool, m.states())
	var todo []uint32
	for s := range x {
		if target[s] {
			x[s] = true
			todo = append(todo, uint32(s))
		}
	}
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		p.into(t, func(a uint32) {
			if s := p.owner[a]; !x[s] && !m.goal[s] && (ok == nil || ok(a)) {
				x[s] = true
				todo = append(todo, s)
			}
		})
	}
	return x
}

// sure returns the states from which some scheduler gets to a target with probability 1.
func (m *mdp) sure(p *before, target []bool) []bool {
	y := make([]bool, m.states())
	for s := range y {
		y[s] = true
	}
	for {
		x := m.possible(p, target, func(a uint32) bool { return m.all(a, func(t uint32) bool { return y[t] }) })
		if slices.Equal(x, y) {
			return y
		}
		y = x
	}
}

// components returns the strongly connected components of the states by the actions that along
// lets pass, each behind those that it leads to: component c has the states order[bounds[c]] to
// order[bounds[c+1]-1]. (R. Tarjan, Depth-first search and linear graph algorithms, 1972.)
func (m *mdp) components(along func(s, a uint32) bool) (order, bounds []uint32) {
	const none = ^uint32(0)
	n := m.states()
	num, low, onStack := make([]uint32, n), make([]uint32, n), make([]bool, n)
	for i := range num {
		num[i] = none
	}
	type frame struct{ s, a, b uint32 }
	var stack []uint32
	var calls []frame
	next := uint32(0)
	visit := func(s uint32) {
		num[s], low[s] = next, next
		next++
		stack, onStack[s] = append(stack, s), true
		a := m.first[s]
		calls = append(calls, frame{s, a, m.branch[a]})
	}
	bounds = []uint32{0}
	for root := range uint32(n) {
		if num[root] != none {
			continue
		}
		visit(root)
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			deeper := false
			for f.a < m.first[f.s+1] && !deeper {
				if f.b >= m.branch[f.a+1] || f.b == m.branch[f.a] && !along(f.s, f.a) {
					f.a++
					f.b = m.branch[f.a]
					continue
				}
				t := m.to[f.b]
				f.b++
				switch {
				case num[t] == none:
					visit(t) // f is no longer good
					deeper = true
				case onStack[t]:
					low[f.s] = min(low[f.s], num[t])
				}
			}
			if deeper {
				continue
			}
			s := f.s
			calls = calls[:len(calls)-1]
			if low[s] == num[s] {
				for {
					t := stack[len(stack)-1]
					stack, onStack[t] = stack[:len(stack)-1], false
					order = append(order, t)
					if t == s {
						break
					}
				}
				bounds = append(bounds, uint32(len(order)))
			}
			if len(calls) > 0 {
				at := calls[len(calls)-1].s
				low[at] = min(low[at], low[s])
			}
		}
	}
	return order, bounds
}

// An ends is the maximal end components that leave the goal out: sets of states in which a
// scheduler can stay for good, and comes to each state again and again.
// (L. de Alfaro, Formal verification of probabilistic systems, 1997.)
type ends struct {
	of     []int32 // by state: its component, or -1
	inside []bool  // by action: it stays in the component of its state
	count  int
}

// endComponents returns the maximal end components of the actions that ok lets pass.
func (m *mdp) endComponents(ok func(a uint32) bool) *ends {
	e := &ends{of: make([]int32, m.states()), inside: make([]bool, m.actions())}
	for s := range uint32(m.states()) {
		m.actionsOf(s, func(a uint32) { e.inside[a] = !m.goal[s] && (ok == nil || ok(a)) })
	}
	part := make([]uint32, m.states())
	for changed := true; changed; {
		changed = false
		order, bounds := m.components(func(_, a uint32) bool { return e.inside[a] })
		for c := range len(bounds) - 1 {
			for _, s := range order[bounds[c]:bounds[c+1]] {
				part[s] = uint32(c)
			}
		}
		for s := range uint32(m.states()) {
			m.actionsOf(s, func(a uint32) {
				if e.inside[a] && !m.all(a, func(t uint32) bool { return part[t] == part[s] }) {
					e.inside[a], changed = false, true
				}
			})
		}
	}
	numbers := map[uint32]int32{}
	for s := range uint32(m.states()) {
		e.of[s] = -1
		m.actionsOf(s, func(a uint32) {
			if !e.inside[a] {
				return
			}
			number, seen := numbers[part[s]]
			if !seen {
				number = int32(len(numbers))
				numbers[part[s]] = number
			}
			e.of[s] = number
		})
	}
	e.count = len(numbers)
	return e
}

// stays returns the states in which a run can stay without the goal, if it is fair: those in
// which it may end, and those of end components in which nobody is starved.
//
// A run of a scheduler comes, with probability 1, in the end to the states and actions of one
// end component, again and again (de Alfaro). It is fair to a class if one of the states does
// not enable the class or one of the actions is of it. Both are kept by a larger end
// component, so the maximal ones tell; and the scheduler that takes all actions of it in turn
// starves nobody whom the component does not starve.
func (m *mdp) stays(e *ends) []bool {
	x := make([]bool, m.states())
	for s := range uint32(m.states()) {
		x[s] = !m.goal[s] && m.mayEnd(s)
	}
	states := make([][]uint32, e.count)
	for s, c := range e.of {
		if c >= 0 {
			states[c] = append(states[c], uint32(s))
		}
	}
	for _, list := range states {
		if m.isFair(list, e.inside) {
			for _, s := range list {
				x[s] = true
			}
		}
	}
	return x
}

// isFair reports whether a scheduler that stays in these states by these actions can be fair.
func (m *mdp) isFair(states []uint32, inside []bool) bool {
	enabled, taken := map[int32]int{}, map[int32]bool{}
	for _, s := range states {
		here := map[int32]bool{}
		m.actionsOf(s, func(a uint32) {
			for _, c := range m.classes(a) {
				here[c] = true
				taken[c] = taken[c] || inside[a]
			}
		})
		for c := range here {
			enabled[c]++
		}
	}
	for c, strength := range m.fair.Strength {
		c := int32(c)
		switch {
		case taken[c] || strength == liveness.Unfair:
		case strength == liveness.Unconditional, enabled[c] == len(states):
			return false
		}
	}
	return true
}

// A quotient is an mdp in which each end component is one state.
type quotient struct {
	*mdp
	of []uint32 // by state of the whole: its state
}

// quotient returns the mdp with each end component as one state, of which those actions are left
// that can leave it.
func (m *mdp) quotient(e *ends) *quotient {
	q := &quotient{mdp: m, of: make([]uint32, m.states())}
	if e.count == 0 {
		for s := range q.of {
			q.of[s] = uint32(s)
		}
		return q
	}
	rest := uint32(e.count)
	for s := range q.of {
		if c := e.of[s]; c >= 0 {
			q.of[s] = uint32(c)
		} else {
			q.of[s] = rest
			rest++
		}
	}
	members := make([][]uint32, rest)
	for s, at := range q.of {
		members[at] = append(members[at], uint32(s))
	}
	b := &builder{mdp: mdp{odds: m.odds, p: m.p, rat: m.rat, fair: m.fair}}
	for _, list := range members {
		b.state(m.goal[list[0]], m.cut[list[0]])
		for _, s := range list {
			m.actionsOf(s, func(a uint32) {
				if e.inside[a] {
					return
				}
				b.action()
				to, label := m.branches(a)
				for i, t := range to {
					b.leads(q.of[t], label[i])
				}
			})
		}
	}
	q.mdp, _ = b.done() // its actions are those of m
	return q
}
