package reduce

import "slices"

// Postponing, under synchronous timing on unordered channels.
//
// A message that is not due can be delivered before the next tick, or after it.
// Often the latter will do. An event that is possible before the tick (in the
// closure of the state, with the timers that are due) matters now if
//
//   - it is a report, a start or an expiry, or a message is due that it delivers,
//   - or it sets a timer, or changes what is read,
//   - or it sends a message whose delivery matters now, enables at its process
//     an event that matters now, or does not commute with one there in some local
//     state of the closure.
//
// Deliveries that do not matter now are left out. Take a run from the state to
// the tick and on. Those of its events before the tick that matter now can be
// moved before those that do not: they commute at one process, and at two they
// are independent, since none that matters delivers what one sends that does not.
// Then the tick can come between the two. No message is due by then, and no timer,
// for what delivers the one or stops the other matters. After the tick the rest can
// still happen, for it was not due, and it does the same: handlers see whether
// timers are set and not how long, and it sets none. Its messages have more ticks
// left than in the run, and more time simulates less (see persistent sets). Nothing
// that is read changes at another time, relative to other changes. So there is a
// run of the same length that begins with what is kept.
//
// A run without a tick needs a word more. To a value of what is read, the part of it
// is enough that matters. To a state in which nothing is enabled, if no event of
// the run matters now, a tick is put before it; that happens at most as often as
// there are ticks left to the messages in flight.

// A concern is a possible event, and whether it matters before the next tick.
type concern struct {
	event   int32
	matters bool
}

// postponing finds what can wait until after the next tick.
type postponing struct {
	kinds    Reductions // that are made
	effects  *effects
	start    *start
	closures *closures
	flaws    Flaw

	whole    *closure    // of the state
	concerns [][]concern // by position
	evs      []int32
}

// postpone marks the actions that matter now. It reports false where all do, or
// that is not known.
func (p *postponing) postpone(acts []Act, keep []bool) bool {
	if p.kinds&Postponing == 0 || !slices.ContainsFunc(acts, func(a Act) bool { return p.start.early(&a) }) {
		return false
	}
	var ok bool
	if p.whole, ok = p.closures.close(window{ticks: 0, early: true}); !ok {
		return false
	}
	p.weigh(0)
	return p.leaveOut(acts, keep)
}

// weigh finds out what matters now in the closure, where the crashes of some
// positions do.
func (p *postponing) weigh(crashing Set) {
	p.beginConcerns(crashing)
	for again := true; again && p.flaws&FlawPast == 0; {
		again = false
		for t := p.start.up; t != 0; t &= t - 1 {
			pos := int(t.Min()) - 1
			for i := range p.concerns[pos] {
				if c := &p.concerns[pos][i]; !c.matters && p.leadsOn(pos, c.event) {
					c.matters, again = true, true
				}
			}
		}
	}
}

// leaveOut marks the deliveries that do not matter now. It reports false where all
// do.
func (p *postponing) leaveOut(acts []Act, keep []bool) bool {
	some := false
	for i := range acts {
		if a := &acts[i]; p.start.early(a) && !p.matters(a.Pos, p.start.eventOf(a)) {
			keep[i], some = false, true
		}
	}
	return some
}

// early reports whether an action delivers a message that is not due.
func (s *start) early(a *Act) bool { return a.Kind == Delivers && s.mail[a.Msg].due > 0 }

// beginConcerns lists the possible events, with those that matter by themselves.
func (p *postponing) beginConcerns(crashing Set) {
	for len(p.concerns) < len(p.start.here) {
		p.concerns = append(p.concerns, nil)
	}
	for pos := range p.start.here {
		p.concerns[pos] = p.concerns[pos][:0]
		if p.start.up>>pos&1 == 0 {
			continue
		}
		for _, ev := range p.closures.possible(p.whole, pos, 0) {
			matters := p.mattersByItself(pos, ev) || crashing>>pos&1 != 0 && p.closures.talks(p.whole, pos, ev, 0)
			p.concerns[pos] = append(p.concerns[pos], concern{ev, matters})
		}
	}
}

func (p *postponing) mattersByItself(pos int, ev int32) bool {
	if p.effects.events[ev].Kind != Delivers {
		return true
	}
	for i := range p.start.mail {
		if m := &p.start.mail[i]; m.to == pos && m.event == ev && m.due == 0 {
			return true
		}
	}
	var s seen
	for _, x := range p.whole.localsAt(pos) {
		if p.effects.of(x, ev).sets && p.flaws&FlawWaits == 0 {
			return true
		}
		s.add(p.effects, x, ev)
	}
	return (s.together || s.alone) && p.flaws&FlawVisible == 0
}

// matters reports whether an event at a position is known to matter.
func (p *postponing) matters(pos int, ev int32) bool {
	for _, c := range p.concerns[pos] {
		if c.event == ev {
			return c.matters
		}
	}
	return true
}

// leadsOn reports whether a delivery sends, enables or does not commute with what
// is known to matter.
func (p *postponing) leadsOn(pos int, ev int32) bool {
	for _, x := range p.whole.localsAt(pos) {
		for _, s := range p.effects.of(x, ev).sends {
			if p.matters(int(s.to), s.event) {
				return true
			}
		}
	}
	for _, g := range p.concerns[pos] {
		if !g.matters || g.event == ev {
			continue
		}
		if p.closures.clash(p.whole, pos, ev, g.event, 0) || p.enables(pos, ev, g.event) {
			return true
		}
	}
	return false
}

// enables reports whether a delivery enables an event in some local state of the
// closure.
func (p *postponing) enables(pos int, ev, other int32) bool {
	if p.effects.events[other].Kind == Delivers {
		return false // a message is there or is not
	}
	for _, x := range p.whole.localsAt(pos) {
		if !p.effects.enabled(x, other, 0) && p.effects.enabled(p.effects.of(x, ev).next, other, 0) {
			return true
		}
	}
	return false
}
