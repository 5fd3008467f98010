package reduce

import "slices"

// Persistent sets, in discrete time and without faults.
//
// A set T of the actions enabled in a state is persistent if nothing that can
// happen without an action of T depends on one of them (Godefroid 1996, chapter
// 4; a special case of Valmari's stubborn sets). Where the choice of T has an
// anchor and keeps what is read, carrying out T alone is enough:
//
//   - An anchor is a message that is due or, where none is, a timer that is due:
//     what time waits for. T has one, and only T takes it, so until T acts time
//     does not pass, no timer expires while messages are due, and all that can
//     happen is in the closure of the state.
//   - If an action of T changes what is read, nothing outside T does before it
//     (of what is read of one process alone: nothing outside T at the same
//     process).
//
// Then for each run from the state to a value of what is read, or to a state in
// which nothing is enabled, there is one that begins in T and ends alike. Take
// the first action of T in the run and move it to the front: what it passes is
// independent of it, and changes nothing that is read if it does itself, so the
// values are met in the same order except for repetitions, and the rest of the run
// is shorter. If there is none, the run ends in a state where the anchor is still
// enabled, so in none in which nothing is; carry out the anchor first. If it
// changes what is read, the run changes nothing, and its value is that of the
// state. Otherwise the same run follows it to the same value, and an anchor is
// less: what is sent or set before time passes is not due in it. So the pair
// (length of the run, anchors) decreases, and no condition on cycles is needed. A
// state without anchor is expanded in full.
//
// Copies, of one message on one unordered link, take a little more. One that is
// sent later can be delivered without an action of T, and the same event be in T.
// But it has at least as much time left, and under synchronous timing more time
// simulates less: a state that differs from another one in that some messages have
// more ticks left can do whatever that one can, and is read alike. So a run may as
// well take the copy that has the least time left, and end in a state that
// simulates the former end. (A state in which nothing is enabled has no messages,
// and is simulated by itself alone.) With that, the first event of T in a run is
// an action of T, and of several copies the one with the least time left is
// enough, in T and where there is none.

// A finder looks for a set of actions that is enough: a persistent set.
type finder struct {
	kinds    Reductions // that are made
	effects  *effects
	start    *start
	closures *closures
	flaws    Flaw
	cycles   recurrence

	whole, partial *closure // of the state, and where some positions do nothing
	best, trial    []int    // actions
	in, evs        []int32  // events
}

// persistent marks the actions of a persistent set or, where there is none but the
// set of all, those that neither wait for a copy with less time left nor can be
// postponed. It reports false where these are all.
func (f *foresight) persistent(acts []Act, keep []bool) bool {
	for i := range acts {
		if f.effects.flaws&FlawFaults == 0 && !acts[i].Kind.foreseen() && acts[i].Kind != Crashes && acts[i].Kind != Loses &&
			(f.effects.down.rising == 0 || acts[i].Kind != Restarts && acts[i].Kind != Drops) {
			return false
		}
	}
	if f.effects.down.rising != 0 {
		return f.finder.rises(acts, keep)
	}
	if f.effects.down.falling != 0 {
		return f.finder.falls(acts, keep) || f.postponing.late(acts, keep)
	}
	anchors, ticks := f.start.anchors(acts)
	if f.kinds&PersistentSets != 0 && len(anchors) > 0 && f.finder.choose(acts, anchors, ticks) {
		return f.finder.keepBest(keep)
	}
	if f.start.losing {
		return false
	}
	some := f.start.leastDue(acts, keep)
	return f.postponing.postpone(acts, keep) || some
}

// keepBest marks the actions of f.best. It reports false where there are none.
func (f *finder) keepBest(keep []bool) bool {
	for _, i := range f.best {
		keep[i] = true
	}
	return len(f.best) > 0
}

// foreseen reports whether actions of the kind are those that a foresight knows.
func (k Kind) foreseen() bool {
	return k == Starts || k == Delivers || k == Expires || k == Suspects || k == Ticks
}

// leastDue marks all actions but deliveries of messages of which a copy has less
// time left. It reports false where these are all.
func (s *start) leastDue(acts []Act, keep []bool) bool {
	some := false
	for i := range acts {
		keep[i] = !s.later(acts, i)
		some = some || !keep[i]
	}
	return some
}

// later reports whether an action delivers a message of which a copy with less
// time left can be delivered.
func (s *start) later(acts []Act, i int) bool {
	if !s.copies || s.losing || acts[i].Kind != Delivers {
		return false
	}
	m := &s.mail[acts[i].Msg]
	for j := i - 1; j >= 0 && acts[j].Kind == Delivers; j-- {
		if o := &s.mail[acts[j].Msg]; o.to == m.to && o.event == m.event {
			return !s.effects.of(s.here[m.to], m.event).bad
		}
	}
	return false
}

// choose makes f.best a persistent set, the smallest that is found. It reports
// false where there is none but the set of all.
func (f *finder) choose(acts []Act, anchors []int, ticks int) bool {
	var ok bool
	if f.whole, ok = f.closures.close(window{ticks: ticks, early: !f.start.lockstep}); !ok {
		return false
	}
	f.best = f.best[:0]
	for _, i := range anchors {
		f.eventSet(acts, i, ticks)
		f.better(acts)
		if len(f.best) == 1 {
			break
		}
	}
	if len(f.best) != 1 {
		for _, i := range anchors {
			f.processSet(acts, acts[i].Pos, ticks)
			f.better(acts)
		}
	}
	return len(f.best) > 0
}

// anchors returns the actions that time waits for, and which timers can expire
// before it passes (window.ticks).
func (s *start) anchors(acts []Act) (anchors []int, ticks int) {
	for i := range acts {
		waits := acts[i].Kind == Delivers || acts[i].Kind == Drops && s.flaws&FlawDropped != 0
		if waits && s.mail[acts[i].Msg].due == 0 {
			anchors = append(anchors, i)
		}
	}
	if len(anchors) > 0 {
		return anchors, -1
	}
	for i := range acts {
		if acts[i].Kind == Expires && (s.effects.facts.Periodic>>acts[i].Timer&1 == 0 || s.flaws&FlawPeriodic != 0) {
			anchors = append(anchors, i)
		}
	}
	return anchors, 0
}

// eventSet makes f.trial a persistent set of events at one position: an anchor and
// whatever does not commute with the set in some local state of the closure.
// It is empty if one of these can happen later and not now.
func (f *finder) eventSet(acts []Act, anchor, ticks int) {
	f.trial = f.trial[:0]
	pos := acts[anchor].Pos
	all := f.closures.possible(f.whole, pos, ticks)
	in := append(f.in[:0], f.start.eventOf(&acts[anchor]))
	defer func() { f.in = in[:0] }()
	for k := 0; k < len(in); k++ {
		for _, ev := range all {
			if slices.Contains(in, ev) || f.waits(acts, pos, ev, in) || !f.closures.clash(f.whole, pos, in[k], ev, ticks) {
				continue
			}
			if !f.isEnabled(acts, pos, ev) {
				if f.flaws&FlawEnabled != 0 {
					continue
				}
				return
			}
			in = append(in, ev)
		}
	}
	if !f.unseen(pos, in, all, ticks) {
		return
	}
	for i := range acts {
		if acts[i].Kind == Loses && f.flaws&FlawLoss != 0 {
			continue
		}
		if acts[i].Pos == pos && slices.Contains(in, f.start.eventOf(&acts[i])) && !f.start.later(acts, i) {
			f.trial = append(f.trial, i)
		}
	}
}

// possible returns the events that can happen at a position in a closure.
func (cs *closures) possible(c *closure, pos, ticks int) []int32 {
	all := slices.Clone(c.eventsAt(pos))
	if cs.start.up>>pos&1 == 0 {
		return all
	}
	for _, x := range c.localsAt(pos) {
		cs.evs = cs.effects.own(x, ticks, cs.evs[:0])
		for _, ev := range cs.evs {
			if !slices.Contains(all, ev) {
				all = append(all, ev)
			}
		}
	}
	return all
}

// waits reports whether an event cannot happen before the set has acted, since
// it is of a message that is behind one of the set on a FIFO link.
func (f *finder) waits(acts []Act, pos int, ev int32, in []int32) bool {
	if !f.effects.fifo || f.effects.events[ev].Kind != Delivers {
		return false
	}
	for i := range acts {
		if a := &acts[i]; a.Pos == pos && a.Kind == Delivers && a.Port == f.effects.port(ev) {
			return slices.Contains(in, f.start.eventOf(a))
		}
	}
	return false
}

// clash reports whether two events do not commute in some local state of a closure.
func (cs *closures) clash(c *closure, pos int, a, b int32, ticks int) bool {
	for _, x := range c.localsAt(pos) {
		if cs.effects.enabled(x, a, ticks) && cs.effects.enabled(x, b, ticks) && !cs.effects.commute(x, a, b, ticks) {
			return true
		}
	}
	return false
}

func (f *finder) isEnabled(acts []Act, pos int, ev int32) bool {
	for i := range acts {
		if acts[i].Pos == pos && acts[i].Kind != Loses && f.start.eventOf(&acts[i]) == ev {
			return true
		}
	}
	return false
}

// unseen reports whether carrying out a set of events at a position first keeps the
// order in which what is read changes.
func (f *finder) unseen(pos int, in, all []int32, ticks int) bool {
	if f.flaws&FlawVisible != 0 {
		return true
	}
	var set, rest seen
	for _, x := range f.whole.localsAt(pos) {
		for _, ev := range all {
			if !f.effects.enabled(x, ev, ticks) {
				continue
			}
			if slices.Contains(in, ev) {
				set.add(f.effects, x, ev)
			} else {
				rest.add(f.effects, x, ev)
			}
		}
	}
	if set.alone && rest.alone {
		return false
	}
	return !set.together || !rest.together && !f.closures.seenElsewhere(f.whole, 1<<pos, ticks)
}

// seen says whether events change what is read.
type seen struct{ together, alone bool }

func (s *seen) add(e *effects, x, ev int32) {
	a, b := e.locals[x], e.locals[e.of(x, ev).next]
	s.together = s.together || a.together != b.together
	s.alone = s.alone || a.alone != b.alone
}

// seenElsewhere reports whether something changes in a closure, at a position that
// is not among some, that is read along with others.
func (cs *closures) seenElsewhere(c *closure, but Set, ticks int) bool {
	var s seen
	for pos := range cs.start.here {
		if (cs.start.up&^but)>>pos&1 == 0 {
			continue
		}
		for _, x := range c.localsAt(pos) {
			for _, ev := range c.eventsAt(pos) {
				s.add(cs.effects, x, ev)
			}
			cs.evs = cs.effects.own(x, ticks, cs.evs[:0])
			for _, ev := range cs.evs {
				s.add(cs.effects, x, ev)
			}
		}
		if s.together {
			return true
		}
	}
	return false
}

// processSet makes f.trial a persistent set of all actions at some positions: that
// of an anchor and those from which something can reach the set before it acts.
// It is empty if these are all.
func (f *finder) processSet(acts []Act, pos, ticks int) {
	f.trial = f.trial[:0]
	set := Set(1) << pos
	for {
		var ok bool
		if f.partial, ok = f.closures.close(window{frozen: set, ticks: ticks, early: !f.start.lockstep}); !ok {
			return
		}
		more := f.sendersTo(set, ticks)
		if more == 0 {
			break
		}
		if set |= more; set&f.start.up == f.start.up {
			return
		}
	}
	var s seen
	for i := range acts {
		if p := acts[i].Pos; p >= 0 && set>>p&1 != 0 && !f.start.later(acts, i) {
			f.trial = append(f.trial, i)
			s.add(f.effects, f.start.here[p], f.start.eventOf(&acts[i]))
		}
	}
	if s.together && f.flaws&FlawVisible == 0 && f.closures.seenElsewhere(f.partial, set, ticks) {
		f.trial = f.trial[:0]
	}
}

// sendersTo returns the positions from which a message that is new there can reach
// a set of positions in the closure in which these do nothing. In lockstep
// none can be delivered before time passes, and neither can one that is behind
// another on a FIFO link; and a copy of one that is in flight is not new.
func (f *finder) sendersTo(set Set, ticks int) Set {
	var from Set
	if f.start.lockstep || f.flaws&FlawElsewhere != 0 {
		return 0
	}
	for pos := range f.start.here {
		if (f.start.up&^set)>>pos&1 != 0 && f.reaches(pos, set, ticks) {
			from |= 1 << pos
		}
	}
	return from
}

func (f *finder) reaches(pos int, set Set, ticks int) bool {
	c := f.partial
	for _, x := range c.localsAt(pos) {
		f.evs = f.effects.own(x, ticks, f.evs[:0])
		f.evs = append(f.evs, c.eventsAt(pos)...)
		for _, ev := range f.evs {
			for _, s := range f.effects.of(x, ev).sends {
				if set>>s.to&1 != 0 && !f.start.queued(s) {
					return true
				}
			}
		}
	}
	return false
}

// queued reports whether a message is in flight that is delivered before one that is
// sent: a copy of it, or on a FIFO channel any on its link.
func (s *start) queued(sent sending) bool {
	port := s.effects.port(sent.event)
	return slices.ContainsFunc(s.mail, func(m inFlight) bool {
		return m.to == int(sent.to) && (m.event == sent.event || s.effects.fifo && m.port == port)
	})
}
