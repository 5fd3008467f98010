package reduce

import "slices"

// A recurrence finds the recurrent pairs of a closure (cycles.go).
type recurrence struct {
	effects *effects
	start   *start

	evs   []int32
	steps []localStep
	first []int   // of each local state, the first of steps, which are sorted by origin
	index []int32 // of local states by their numbers
	sent  marks

	// Tarjan's algorithm, by local state.
	order, low, component []int32 // order 0: not met
	open                  []bool
	stack                 []int32
	calls                 []call
}

// A localStep is what an event does in a local state of the closure.
type localStep struct {
	pos      int
	from, to int32 // indices of local states
	now      bool  // from is the present local state
	ev       int32
	sends    []sending
}

// A call is of a local state, and the step that is to be followed next.
type call struct {
	x    int32
	next int
}

// recurs reports whether an event is recurrent in the present local state of a
// position, in the closure of the state.
func (r *recurrence) recurs(c *closure, pos int, ev int32, ticks int) bool {
	if !c.cycled {
		c.cycled = true
		c.cycles = r.recurrent(c, ticks)
	}
	return slices.Contains(c.cycles, sending{int32(pos), ev})
}

// recurrent returns the events that are recurrent in the present local states, with
// their positions.
func (r *recurrence) recurrent(c *closure, ticks int) (now []sending) {
	r.localSteps(c, ticks)
	for len(r.sent.events) < len(r.start.here) {
		r.sent.events = append(r.sent.events, nil)
	}
	for fewer := true; fewer; {
		r.sent.round++
		for i := range r.steps {
			for _, s := range r.steps[i].sends {
				r.sent.mark(&r.sent.events[s.to], s.event)
			}
		}
		r.split()
		kept := r.steps[:0]
		for _, s := range r.steps {
			if r.component[s.from] == r.component[s.to] && (r.effects.events[s.ev].Kind != Delivers || r.sent.marked(r.sent.events[s.pos], s.ev)) {
				kept = append(kept, s)
			}
		}
		fewer = len(kept) < len(r.steps)
		r.steps = kept
	}
	for i := range r.steps {
		if s := &r.steps[i]; s.now {
			now = append(now, sending{int32(s.pos), s.ev})
		}
	}
	return now
}

// localSteps lists all steps of local states in a closure.
func (r *recurrence) localSteps(c *closure, ticks int) {
	for len(r.index) < len(r.effects.locals) {
		r.index = append(r.index, 0)
	}
	count := int32(0)
	for t := r.start.up; t != 0; t &= t - 1 {
		for _, x := range c.localsAt(int(t.Min()) - 1) {
			r.index[x] = count
			count++
		}
	}
	r.steps = r.steps[:0]
	for t := r.start.up; t != 0; t &= t - 1 {
		pos := int(t.Min()) - 1
		for _, x := range c.localsAt(pos) {
			r.evs = append(r.effects.own(x, ticks, r.evs[:0]), c.eventsAt(pos)...)
			for _, ev := range r.evs {
				e := r.effects.of(x, ev)
				r.steps = append(r.steps, localStep{pos, r.index[x], r.index[e.next], x == r.start.here[pos], ev, e.sends})
			}
		}
	}
	r.first = slices.Grow(r.first[:0], int(count))[:count]
	r.order = slices.Grow(r.order[:0], int(count))[:count]
	r.low = slices.Grow(r.low[:0], int(count))[:count]
	r.component = slices.Grow(r.component[:0], int(count))[:count]
	r.open = slices.Grow(r.open[:0], int(count))[:count]
}

// marked reports whether element i of a list of marks is marked.
func (m *marks) marked(list []uint32, i int32) bool { return int(i) < len(list) && list[i] == m.round }

// split finds the strongly connected components of local states by the steps.
func (r *recurrence) split() {
	clear(r.order)
	clear(r.component)
	for i := range r.first {
		r.first[i] = len(r.steps)
	}
	for i := len(r.steps) - 1; i >= 0; i-- {
		r.first[r.steps[i].from] = i
	}
	met := int32(0)
	enter := func(x int32) {
		met++
		r.order[x], r.low[x], r.open[x] = met, met, true
		r.stack = append(r.stack, x)
		r.calls = append(r.calls, call{x, r.first[x]})
	}
	for i := range r.order {
		if r.order[i] == 0 {
			enter(int32(i))
		}
		for len(r.calls) > 0 {
			c := &r.calls[len(r.calls)-1]
			if c.next == len(r.steps) || r.steps[c.next].from != c.x {
				r.leave()
				continue
			}
			to := r.steps[c.next].to
			c.next++
			if r.order[to] == 0 {
				enter(to)
			} else if r.open[to] {
				r.low[c.x] = min(r.low[c.x], r.order[to])
			}
		}
	}
}

// leave ends the innermost call, and with it the component of which it was the first.
func (r *recurrence) leave() {
	x := r.calls[len(r.calls)-1].x
	r.calls = r.calls[:len(r.calls)-1]
	if len(r.calls) > 0 {
		p := r.calls[len(r.calls)-1].x
		r.low[p] = min(r.low[p], r.low[x])
	}
	if r.low[x] != r.order[x] {
		return
	}
	for r.open[x] {
		top := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		r.open[top], r.component[top] = false, x
	}
}
