package reduce

import (
	"slices"

	"bullyproof/model/setting"
)

// Persistent sets without ticks.
//
// Without ticks no anchor is used up for good: what a delivery sends is an anchor
// like it. So two processes can chatter without end while the actions of others are
// left out (the "ignoring problem"), and a condition on cycles is needed. The usual
// one asks whether the set leads to a state that is new. This one asks nothing of
// the search, so the reduced states are the same for any number of workers: a set T
// is enough in a state if one of its actions is on no cycle of states.
//
// Call a pair of a local state and an event of it recurrent if
//
//   - the step from the local state to the one that the event leads to is on a cycle
//     of local states by recurrent pairs of its process,
//   - and if it is the delivery of a message, a recurrent pair sends this message.
//
// The recurrent pairs are the largest set with that, found by striking out the others
// of the closure again and again. On a cycle of states each process returns to its
// local state, and what is delivered is sent, for dead messages that are dropped make
// messages fewer and never more. So the actions on a cycle of states within the
// closure are recurrent.
//
// Take a run to a value of what is read, none of whose actions is in T, and carry out
// first an action of T that is not recurrent. Nothing in the run depends on it, and
// the same run follows it to the same value (persistent.go). That is done
// again in the next state, and in the one after it, as long as none of the set is in
// the run. It ends: in a search that ends, it would otherwise come to a cycle of
// states, each of which has a message in flight, and which is in the closure of each
// of them. But one of its actions is not recurrent.
//
// A run to a state in which nothing is enabled, or to one without messages, has an
// action of T anyway if T delivers something. So where nothing but settled states
// is read, no condition is needed: misuse is in the closure, or comes after a state
// without messages.
//
// Timers expire when no message is left, but under timing=async, where they expire at
// any time and are events like others. There, and where there are no timers, a set
// may do without a delivery. It then has an action that changes something now, and
// the condition on cycles is kept whatever is read: at the end of a run that has
// none of T this action changes nothing any more, and the run that follows it ends in
// the same state.
//
// Under last resort the order in which timers were set counts. So two events that set
// timers are dependent, at different processes too.

// timeless marks the actions of a persistent set. It reports false where there is
// none but the set of all.
func (f *finder) timeless(acts []Act, keep []bool) bool {
	ticks := -1
	if f.anyTime() {
		ticks = 0
	}
	for i := range acts {
		if f.flaws&FlawFaults == 0 && !acts[i].Kind.foreseen() && acts[i].Kind != Loses {
			return false
		}
	}
	var ok bool
	if f.whole, ok = f.closures.close(window{ticks: ticks, early: true}); !ok {
		return false
	}
	f.best = f.best[:0]
	var tried Set
	for i := range acts {
		if !f.stays(&acts[i]) {
			continue
		}
		f.eventSet(acts, i, ticks)
		f.endsAt(acts, f.whole, ticks)
		if len(f.best) == 1 {
			break
		}
		tried |= 1 << acts[i].Pos
	}
	for ; tried != 0 && len(f.best) != 1; tried &= tried - 1 {
		f.processSet(acts, int(tried.Min())-1, ticks)
		f.endsAt(acts, f.partial, ticks)
	}
	return f.keepBest(keep)
}

// anyTime reports whether timers expire at any time.
func (f *finder) anyTime() bool {
	t := f.effects.facts.Setting.Timing
	return t.Kind == setting.Asynchronous && t.Premature == 0
}

// stays reports whether a set may be built around an action: a delivery, or where no
// timer waits for messages anything that changes something.
func (f *finder) stays(a *Act) bool {
	if a.Kind == Delivers {
		return true
	}
	if a.Pos < 0 || a.Kind == Loses || len(f.effects.facts.Timers) > 0 && !f.anyTime() {
		return false
	}
	x := f.start.here[a.Pos]
	r := f.effects.of(x, f.start.eventOf(a))
	return r.next != x || len(r.sends) > 0
}

// endsAt makes f.trial the best set if it is smaller and cannot run without end; c
// is what can happen before it acts.
func (f *finder) endsAt(acts []Act, c *closure, ticks int) {
	if len(f.trial) == 0 || f.ranksMatter(acts, c, ticks) {
		return
	}
	delivers := slices.ContainsFunc(f.trial, func(i int) bool { return acts[i].Kind == Delivers })
	settled := f.effects.reads&^ReadsSettled == 0
	if f.flaws&FlawCycle != 0 || settled && delivers || slices.ContainsFunc(f.trial, func(i int) bool {
		return acts[i].Kind != Loses && !f.cycles.recurs(f.whole, acts[i].Pos, f.start.eventOf(&acts[i]), ticks)
	}) {
		f.better(acts)
	}
}

// ranksMatter reports whether an action of f.trial may set a timer, and so may
// something at another position before it.
func (f *finder) ranksMatter(acts []Act, c *closure, ticks int) bool {
	if f.effects.facts.Setting.Timing.Kind != setting.LastResort || f.flaws&FlawRanks != 0 {
		return false
	}
	var at Set
	sets := false
	for _, i := range f.trial {
		pos := acts[i].Pos
		at |= 1 << pos
		for _, x := range c.localsAt(pos) {
			sets = sets || f.effects.enabled(x, f.start.eventOf(&acts[i]), ticks) && f.effects.of(x, f.start.eventOf(&acts[i])).sets
		}
	}
	if !sets {
		return false
	}
	for t := f.start.up &^ at; t != 0; t &= t - 1 {
		pos := int(t.Min()) - 1
		for _, x := range c.localsAt(pos) {
			f.evs = append(f.effects.own(x, ticks, f.evs[:0]), c.eventsAt(pos)...)
			if slices.ContainsFunc(f.evs, func(ev int32) bool { return f.effects.of(x, ev).sets }) {
				return true
			}
		}
	}
	return false
}
