package reduce

import "slices"

// Crashes that are left.
//
// Where crashes are left and no other fault, a set C of processes gives a
// persistent set: all that is enabled at them, their crashes included. The
// events elsewhere include the crashes of others and the reports of them. It is
// enough to take T, all actions at C, where
//
//   - one of them is an anchor, and it changes nothing that is read in the present
//     state;
//   - nothing new can come to C before C acts: no message in the closure of the
//     others, with the reports of all who may crash, and no report of somebody
//     outside C who may crash.
//
// Take a run to a value of what is read (and of who is up), or to a state in which
// nothing is owed. If it has an action of T, take the first to the front: at a
// process of C nothing happens before it. The actions before it lead to the same
// state after it. That also holds for a crash in C: what others send to the process
// is dropped, sooner or later; they do not notice it but by reports, which a crash
// only makes possible; and the budget is spent on the same crashes. It holds for an
// event in C before the crash of another process, to which its messages are
// dropped, sooner or later. So the run ends in the same state. If it has no action
// of T, the anchor is enabled at its end, so something is owed there, and the run
// is one to a value. Carry out the anchor first: the value at the end is the same,
// and an anchor is less. The rest is as it is with persistent sets.
//
// Dead messages are dropped in such states as well. The windows have the reports of
// all who may crash, and if the receiver crashes the message is gone in both
// states.
//
// Events of one process q also give a persistent set: an anchor, and whatever does not
// commute with the set. If one of them sends something, so that it matters whether q
// crashes before it or after it, the crash of q belongs to the set, and all events
// that send something with it. Nothing else that can happen at q does then: if it
// happens before the crash, it might as well not. If none of the set sends, the crash
// need not belong to it: in a run in which q crashes and none of the set happens, the
// anchor may as well happen first. The crash is carried out beside the set
// nevertheless, since a process that acts again and again could put it off for good
// (late.go). The anchor changes nothing that is read in any local state of the
// closure.
//
// A crash between the sends of a handler is an outcome of its event, so there is no
// such set where there are any.

// falls marks the actions of a persistent set in a state in which crashes are left.
// It reports false where there is none but the set of all.
func (f *finder) falls(acts []Act, keep []bool) bool {
	if f.kinds&PersistentSets == 0 {
		return false
	}
	anchors, ticks := f.start.anchors(acts)
	f.best = f.best[:0]
	var ok bool
	if f.whole, ok = f.closures.close(window{ticks: ticks, early: !f.start.lockstep}); ok {
		for _, i := range anchors {
			f.crashSet(acts, i, ticks)
			f.better(acts)
		}
	}
	for _, i := range anchors {
		if len(f.best) == 1 {
			break
		}
		f.allAt(acts, i, ticks)
		f.better(acts)
	}
	return f.keepBest(keep)
}

// allAt makes f.trial all actions at the process of an anchor and its companions. It is empty
// if there is no such set.
func (f *finder) allAt(acts []Act, anchor, ticks int) {
	f.trial = f.trial[:0]
	pos := acts[anchor].Pos
	if !f.start.unread(pos, f.start.eventOf(&acts[anchor])) {
		return
	}
	set, ok := f.companions(pos, ticks)
	for k := range acts {
		if p := acts[k].Pos; ok && p >= 0 && set>>p&1 != 0 && !f.start.later(acts, k) {
			f.trial = append(f.trial, k)
		}
	}
}

// better makes the set that was found last the best, if it is smaller.
func (f *finder) better(acts []Act) {
	if len(f.trial) > 0 && len(f.trial) < len(acts) && (len(f.best) == 0 || len(f.trial) < len(f.best)) {
		f.best, f.trial = f.trial, f.best
	}
}

// unread reports whether an event changes nothing that is read in the present
// state.
func (s *start) unread(pos int, ev int32) bool {
	a, b := s.effects.locals[s.here[pos]], s.effects.of(s.here[pos], ev)
	return !b.bad && (s.flaws&FlawVisible != 0 || a.together == s.effects.locals[b.next].together && a.alone == s.effects.locals[b.next].alone)
}

// crashSet makes f.trial a persistent set of events at one position, with its crash.
// It is empty if there is none with the anchor.
func (f *finder) crashSet(acts []Act, anchor, ticks int) {
	f.trial = f.trial[:0]
	pos := acts[anchor].Pos
	all := f.closures.possible(f.whole, pos, ticks)
	in := append(f.in[:0], f.start.eventOf(&acts[anchor]))
	defer func() { f.in = in[:0] }()
	crash := -1
	for i := range acts {
		if acts[i].Kind == Crashes && acts[i].Pos == pos {
			crash = i
		}
	}
	falls := false
	for k := 0; k < len(in); k++ {
		first := crash >= 0 && !falls && f.closures.talks(f.whole, pos, in[k], ticks)
		falls = falls || first
		for _, ev := range all {
			depends := falls && f.closures.talks(f.whole, pos, ev, ticks)
			if slices.Contains(in, ev) || f.waits(acts, pos, ev, in) || !depends && !f.closures.clash(f.whole, pos, in[k], ev, ticks) {
				continue
			}
			if !f.isEnabled(acts, pos, ev) {
				return
			}
			in = append(in, ev)
		}
	}
	if !f.unseenAnchor(pos, in[0], ticks) {
		return
	}
	for i := range acts {
		if acts[i].Pos == pos && acts[i].Kind != Crashes && slices.Contains(in, f.start.eventOf(&acts[i])) && !f.start.later(acts, i) {
			f.trial = append(f.trial, i)
		}
	}
	if crash >= 0 {
		f.trial = append(f.trial, crash)
	}
}

// talks reports whether an event sends something in some local state of a closure.
func (cs *closures) talks(c *closure, pos int, ev int32, ticks int) bool {
	if cs.flaws&FlawTalk != 0 {
		return false
	}
	for _, x := range c.localsAt(pos) {
		if cs.effects.enabled(x, ev, ticks) && len(cs.effects.of(x, ev).sends) > 0 {
			return true
		}
	}
	return false
}

// unseenAnchor reports whether an event changes nothing that is read in any local
// state of the closure.
func (f *finder) unseenAnchor(pos int, ev int32, ticks int) bool {
	var s seen
	for _, x := range f.whole.localsAt(pos) {
		if f.effects.enabled(x, ev, ticks) {
			s.add(f.effects, x, ev)
		}
	}
	return f.flaws&FlawVisible != 0 || !s.together && !s.alone
}

// companions returns the least set of positions with one that nothing new can come
// to before it acts. It reports false where these are all, or that is not known.
func (f *finder) companions(pos, ticks int) (Set, bool) {
	set := Set(1) << pos
	for {
		var ok bool
		if f.partial, ok = f.closures.close(window{frozen: set, ticks: ticks, early: !f.start.lockstep}); !ok {
			return 0, false
		}
		more := f.sendersTo(set, ticks) | f.start.watchedFrom(set)
		if more == 0 {
			return set, true
		}
		if set |= more; set&f.start.up == f.start.up {
			return 0, false
		}
	}
}

// watchedFrom returns the positions outside a set that are up and whose crash would
// be reported to somebody in it.
func (s *start) watchedFrom(set Set) (out Set) {
	if s.effects.down.falling == 0 {
		return 0
	}
	for t := set & s.up; t != 0; t &= t - 1 {
		pos := int(t.Min()) - 1
		for _, ev := range s.effects.locals[s.here[pos]].own {
			if e := &s.effects.events[ev]; e.Kind == Suspects && !s.effects.down.ids.Has(e.Who) {
				out |= 1 << s.positionOf(e.Who)
			}
		}
	}
	return out & s.up &^ set
}

// positionOf returns the position of an id in the state.
func (s *start) positionOf(id ID) int {
	for pos, x := range s.here {
		if s.effects.locals[x].id() == id {
			return pos
		}
	}
	return -1
}
