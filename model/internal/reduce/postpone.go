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

// postpone marks the actions that matter now. It reports false where all do, or
// that is not known.
func (f *foresight) postpone(acts []Act, keep []bool) bool {
	if f.kinds&Postponing == 0 || !slices.ContainsFunc(acts, func(a Act) bool { return f.early(&a) }) {
		return false
	}
	var ok bool
	if f.whole, ok = f.close(window{ticks: 0, early: true}); !ok {
		return false
	}
	f.weigh(0)
	return f.leaveOut(acts, keep)
}

// weigh finds out what matters now in the closure, where the crashes of some
// positions do.
func (f *foresight) weigh(crashing Set) {
	f.beginConcerns(crashing)
	for again := true; again && f.flaws&FlawPast == 0; {
		again = false
		for t := f.up; t != 0; t &= t - 1 {
			pos := int(t.Min()) - 1
			for i := range f.concerns[pos] {
				if c := &f.concerns[pos][i]; !c.matters && f.leadsOn(pos, c.event) {
					c.matters, again = true, true
				}
			}
		}
	}
}

// leaveOut marks the deliveries that do not matter now. It reports false where all
// do.
func (f *foresight) leaveOut(acts []Act, keep []bool) bool {
	some := false
	for i := range acts {
		if a := &acts[i]; f.early(a) && !f.matters(a.Pos, f.of(a)) {
			keep[i], some = false, true
		}
	}
	return some
}

// early reports whether an action delivers a message that is not due.
func (f *foresight) early(a *Act) bool { return a.Kind == Delivers && f.mail[a.Msg].due > 0 }

// beginConcerns lists the possible events, with those that matter by themselves.
func (f *foresight) beginConcerns(crashing Set) {
	for len(f.concerns) < f.n {
		f.concerns = append(f.concerns, nil)
	}
	for pos := range f.n {
		f.concerns[pos] = f.concerns[pos][:0]
		if f.up>>pos&1 == 0 {
			continue
		}
		for _, ev := range f.possible(f.whole, pos, 0) {
			matters := f.mattersByItself(pos, ev) || crashing>>pos&1 != 0 && f.talks(pos, ev, 0)
			f.concerns[pos] = append(f.concerns[pos], concern{ev, matters})
		}
	}
}

func (f *foresight) mattersByItself(pos int, ev int32) bool {
	if f.events[ev].Kind != Delivers {
		return true
	}
	for i := range f.mail {
		if m := &f.mail[i]; m.to == pos && m.event == ev && m.due == 0 {
			return true
		}
	}
	var s seen
	for _, x := range f.whole.localsAt(pos) {
		if f.effect(x, ev).sets && f.flaws&FlawWaits == 0 {
			return true
		}
		s.add(f, x, ev)
	}
	return (s.together || s.alone) && f.flaws&FlawVisible == 0
}

// matters reports whether an event at a position is known to matter.
func (f *foresight) matters(pos int, ev int32) bool {
	for _, c := range f.concerns[pos] {
		if c.event == ev {
			return c.matters
		}
	}
	return true
}

// leadsOn reports whether a delivery sends, enables or does not commute with what
// is known to matter.
func (f *foresight) leadsOn(pos int, ev int32) bool {
	for _, x := range f.whole.localsAt(pos) {
		for _, s := range f.effect(x, ev).sends {
			if f.matters(int(s.to), s.event) {
				return true
			}
		}
	}
	for _, g := range f.concerns[pos] {
		if !g.matters || g.event == ev {
			continue
		}
		if f.clash(pos, ev, g.event, 0) || f.enables(pos, ev, g.event) {
			return true
		}
	}
	return false
}

// enables reports whether a delivery enables an event in some local state of the
// closure.
func (f *foresight) enables(pos int, ev, other int32) bool {
	if f.events[other].Kind == Delivers {
		return false // a message is there or is not
	}
	for _, x := range f.whole.localsAt(pos) {
		if !f.enabled(x, other, 0) && f.enabled(f.effect(x, ev).next, other, 0) {
			return true
		}
	}
	return false
}
