package reduce

import (
	"slices"

	"bullyproof/model/setting"
)

// Two events of one process commute in a local state where both are enabled if
// each leaves the other enabled, and both orders lead to the same local state and
// to the same messages: on unordered channels the same bag of them, on FIFO
// channels the same sequence on each link. That is found out by running them.
//
// Events of different processes always commute: each changes its own process,
// takes its own message and adds messages, to bags or behind others on links of
// its own. None of them takes the message or stops the timer of another.

// commute reports whether two different events commute in a local state in which
// both are enabled.
func (e *effects) commute(x, a, b int32, ticks int) bool {
	if e.flaws&FlawCommute != 0 {
		return true
	}
	if a > b {
		a, b = b, a
	}
	key := [4]int32{x, a, b, int32(ticks)}
	c, known := e.commutes[key]
	if !known {
		c = e.bothWays(x, a, b, ticks)
		e.commutes[key] = c
	}
	return c
}

func (e *effects) bothWays(x, a, b int32, ticks int) bool {
	ea, eb := e.of(x, a), e.of(x, b)
	if ea.bad || eb.bad || !e.enabled(ea.next, b, ticks) || !e.enabled(eb.next, a, ticks) {
		return false
	}
	eab, eba := e.of(ea.next, b), e.of(eb.next, a)
	if e.facts.Setting.Timing.Kind == setting.LastResort && e.flaws&FlawRanks == 0 && (ea.sets || eba.sets) && (eb.sets || eab.sets) {
		return false // the order in which timers are set counts
	}
	return !eab.bad && !eba.bad && eab.next == eba.next && e.sameSends(ea, eab, eb, eba)
}

// enabled reports whether an event can happen in a local state, as far as that
// decides: there is a message for a delivery.
func (e *effects) enabled(x, ev int32, ticks int) bool {
	if e.events[ev].Kind == Delivers {
		return true
	}
	e.evs = e.own(x, ticks, e.evs[:0])
	return slices.Contains(e.evs, ev)
}

// sameSends reports whether a and then b send what c and then d send.
func (e *effects) sameSends(a, b, c, d *foreseen) bool {
	if len(a.sends)+len(b.sends) != len(c.sends)+len(d.sends) {
		return false
	}
	one := slices.Concat(a.sends, b.sends)
	other := slices.Concat(c.sends, d.sends)
	e.sort(one)
	e.sort(other)
	return slices.Equal(one, other)
}
