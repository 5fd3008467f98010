package reduce

import "slices"

// Late crashes, and postponing where crashes are left.
//
// A crash of p can often come after the next tick as well as before it. It matters
// now if
//
//   - somebody can report p before the tick, in a local state of the closure,
//   - or p has something due: a message, or a timer in a local state of the closure;
//   - or, where time can pass in the present state, p has nothing else for which time
//     will wait: no timer, and no message whose delivery does something in its
//     present local state;
//   - or, where time cannot pass, each anchor changes something that is read.
//
// Crashes that do not matter now are left out, and deliveries are postponed as
// without crashes, except for one thing: if the crash of p matters, so do the
// deliveries to p that send something. (One that sends nothing may as well not happen
// if p crashes before the tick.)
//
// Take a run, and the part of it before the first tick. If something in that part
// matters, the first that does can be moved to the front. It commutes with what
// does not matter: with deliveries as without crashes; with a crash since the process
// does nothing after it, what is sent to it is dropped sooner or later, nobody
// reports it, and the budget is spent on the same crashes; and the crash of p
// with deliveries to p before it that send nothing, which are dropped from the run.
// If nothing matters and the run has a tick, the tick can be moved to the front:
// it waits for nothing (nobody has anything due but those whose crashes matter), and
// what is in flight to p does no harm. In both cases the run has one step less to go.
//
// If nothing matters and there is no tick, the run goes to a value of what is read
// and of who is up, or to a state in which nothing is owed. In the former case its
// deliveries change nothing that is read, so they can be dropped: it has crashes
// only. Let time pass, or carry out an anchor that changes nothing that is read; the
// run leads to the same value afterwards. That ends: as long as p does nothing, its
// timers and the messages to it that do something stay, and some of them fall due as
// time passes. Then the crash of p matters, or a set with it is carried out, or all
// is. In the latter case everything that is under way is delivered or lost in the
// run. It has something to be delivered or to be lost that time waits for, so time
// passes only so often before something matters.
//
// In lockstep and on FIFO channels nothing is postponed but crashes: what happens after
// a crash and before the tick leads to the same state either way.

// late marks what matters before the next tick in a state in which crashes are left.
// It reports false where all does.
func (p *postponing) late(acts []Act, keep []bool) bool {
	some := p.start.leastDue(acts, keep)
	if p.effects.facts.Periodic != 0 && p.flaws&FlawBeat == 0 { // an end would come at another time between two expiries
		return some
	}
	var ok bool
	if p.whole, ok = p.closures.close(window{ticks: 0, early: !p.start.lockstep}); !ok {
		return some
	}
	var crashing Set
	waits := p.canWait(acts)
	for i := range acts {
		if a := &acts[i]; a.Kind == Crashes {
			if p.kinds&PersistentSets != 0 && waits && p.crashWaits(acts, a.Pos) {
				keep[i], some = false, true
			} else {
				crashing |= 1 << a.Pos
			}
		}
	}
	if p.kinds&Postponing == 0 {
		return some
	}
	p.weigh(crashing)
	return p.leaveOut(acts, keep) || some
}

// canWait reports whether the state can be left, without a crash, by something that
// changes nothing that is read: a tick or an anchor.
func (p *postponing) canWait(acts []Act) bool {
	if passes(acts) {
		return true
	}
	anchors, _ := p.start.anchors(acts)
	return slices.ContainsFunc(anchors, func(i int) bool { return p.start.unread(acts[i].Pos, p.start.eventOf(&acts[i])) })
}

// passes reports whether time can pass.
func passes(acts []Act) bool {
	return slices.ContainsFunc(acts, func(a Act) bool { return a.Kind == Ticks })
}

// crashWaits reports whether the crash of a position does not matter now.
func (p *postponing) crashWaits(acts []Act, pos int) bool {
	busy := slices.ContainsFunc(p.effects.locals[p.start.here[pos]].timers, func(ticks uint8) bool { return ticks != 0 })
	for i := range p.start.mail {
		m := &p.start.mail[i]
		if m.to != pos {
			continue
		}
		if m.due == 0 && p.flaws&FlawBlocked == 0 {
			return false
		}
		busy = busy || !p.effects.idle(p.start.here[pos], m.event)
	}
	if !busy && passes(acts) && p.flaws&FlawIdle == 0 {
		return false
	}
	for _, x := range p.whole.localsAt(pos) {
		if p.evs = p.effects.timersUpTo(p.effects.locals[x], 0, p.evs[:0]); len(p.evs) > 0 && p.flaws&FlawBlocked == 0 {
			return false
		}
	}
	return !p.isReported(pos)
}

// isReported reports whether somebody can report a position in the closure, if it
// crashes.
func (p *postponing) isReported(pos int) bool {
	id := p.effects.locals[p.start.here[pos]].id()
	for t := p.start.up &^ (1 << pos); t != 0; t &= t - 1 {
		for _, x := range p.whole.localsAt(int(t.Min()) - 1) {
			for _, ev := range p.effects.locals[x].own {
				if e := &p.effects.events[ev]; e.Kind == Suspects && e.Who == id {
					return true
				}
			}
		}
	}
	return false
}
