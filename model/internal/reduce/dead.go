package reduce

import "slices"

// Dead messages, in discrete time and without faults.
//
// A message is dead if its delivery does nothing in every local state that its
// receiver can come to before it has to be delivered: the process stays as it is,
// and sets no timer and sends nothing (or nothing but messages that are dead
// themselves). A copy of a message is also dead if another one has no more time
// left and whichever is delivered first, the other does nothing from then on. In
// a state in which no fault is left, dead messages are dropped.
//
// That is a weak bisimulation. Take the relation of a state with some dead
// messages beside others, and the state without them:
//
//   - Each action of the smaller state is one of the larger one, once it has
//     delivered those dead messages that are in the way: on FIFO channels those
//     before a message, and before a timer or a tick those that are due. These
//     deliveries change nothing.
//   - Each action of the larger state is one of the smaller one, or it is the
//     delivery of a dead message, and the smaller state does nothing.
//   - Messages that are dead stay so: what can happen after a step is a part of
//     what could before it. The window of a message with d ticks left has what can
//     happen before it is due and, as it is, until it is delivered, so no timer
//     with d ticks left or more is in it: that one waits for the delivery. The
//     messages that a dead message sends have a bound more time left than it, and
//     are judged by the window of that.
//
// So the states have the same values of what is read, and come to the same ends,
// where nothing is in flight. A run of the smaller state is no longer than that of
// the larger one from which it comes, nor has the smaller state more anchors, so
// the arguments of the other reductions go on from it as they would from the
// larger one.

// echoes is how often what a dead message sends may send something in turn.
const echoes = 1

// A span is a window with its closure, once that has been asked for.
type span struct {
	*closure
	asked, known bool
}

// deadMessages judges which messages of a state are dead.
type deadMessages struct {
	effects  *effects
	start    *start
	closures *closures
	flaws    Flaw

	spans      []span  // by the ticks that a message has left
	gone       []int   // messages
	after, evs []int32 // local states, and events
}

// list returns the messages in flight that are dropped, in ascending order, given
// how long messages are under way at most. It is good until the next call.
func (m *deadMessages) list(bound int) []int {
	m.gone = m.gone[:0]
	for i := range m.spans {
		m.spans[i].asked = false
	}
	for i := range m.start.mail {
		a := &m.start.mail[i]
		if m.effects.idle(m.start.here[a.to], a.event) && m.judged(a, judgedDead, func() bool { return m.isDead(a.to, a.event, a.due, bound, echoes) }) {
			m.gone = append(m.gone, i)
		}
	}
	for i := 1; i < len(m.start.mail); i++ {
		if m.copied(i) && !slices.Contains(m.gone, i) && m.judged(&m.start.mail[i], judgedSurplus, func() bool { return m.surplus(i, bound) }) {
			m.gone = append(m.gone, i)
		}
	}
	slices.Sort(m.gone)
	return m.gone
}

// A judgement is what is known of a message in a window: whether it is dead, and
// whether it is once a copy of it has been delivered.
type judgement uint8

const (
	judgedDead judgement = 1 << (2 * iota)
	judgedSurplus
)

// judged returns a judgement of a message, made once for each window. In lockstep what
// is answered to a message that is due has another window than the message has, so
// each state is judged by itself.
func (m *deadMessages) judged(a *inFlight, of judgement, judge func() bool) bool {
	c, ok := m.span(a.due)
	if !ok {
		return false
	}
	k := slices.Index(c.eventsAt(a.to), a.event)
	if m.start.lockstep || k < 0 {
		return judge()
	}
	if c.judged == nil {
		c.judged = make([]judgement, len(c.all))
	}
	known := &c.judged[int(c.begin(2*a.to+1))+k]
	if *known&of == 0 {
		*known |= of
		if judge() {
			*known |= of << 1
		}
	}
	return *known&(of<<1) != 0
}

// idle reports whether an event leaves a process as it is in a local state.
func (e *effects) idle(x, ev int32) bool {
	r := e.of(x, ev)
	return !r.bad && !r.sets && r.next == x
}

// span returns what can happen as long as a message with so many ticks left is
// under way. It reports false where that is not known.
func (m *deadMessages) span(due int) (*closure, bool) {
	for len(m.spans) <= due {
		m.spans = append(m.spans, span{})
	}
	s := &m.spans[due]
	if !s.asked {
		s.asked = true
		ticks := due - 1
		if m.flaws&FlawExpiry != 0 {
			ticks = -1
		}
		s.closure, s.known = m.closures.close(window{ticks: ticks, early: !m.start.lockstep || due > 0})
	}
	return s.closure, s.known
}

// isDead reports whether a message for a position that has so many ticks left at
// most does nothing whenever it is delivered, and what it sends does not, either,
// nor what that sends, so many times.
func (m *deadMessages) isDead(to int, ev int32, due, bound, echoes int) bool {
	c, ok := m.span(due)
	if !ok {
		return false
	}
	locals := c.localsAt(to)
	if m.flaws&FlawLater != 0 {
		locals = locals[:1]
	}
	for _, x := range locals {
		if !m.nothing(x, ev, due, bound, echoes) {
			return false
		}
	}
	return true
}

// nothing reports whether a delivery within so many ticks does nothing in a local
// state.
func (m *deadMessages) nothing(x, ev int32, due, bound, echoes int) bool {
	if !m.effects.idle(x, ev) {
		return false
	}
	if m.flaws&FlawEcho != 0 {
		return true
	}
	for _, s := range m.effects.of(x, ev).sends {
		if echoes == 0 || !m.isDead(int(s.to), s.event, due+bound, bound, echoes-1) {
			return false
		}
	}
	return true
}

// copied reports whether another copy of message i is in flight that stays, has no
// more time left, and on FIFO channels is before it.
func (m *deadMessages) copied(i int) bool {
	a := &m.start.mail[i]
	for j := range i {
		if o := &m.start.mail[j]; o.to == a.to && o.event == a.event && o.due <= a.due && !slices.Contains(m.gone, j) {
			return true
		}
	}
	return false
}

// surplus reports whether message i does nothing once a copy of it has been
// delivered.
func (m *deadMessages) surplus(i, bound int) bool {
	a := &m.start.mail[i]
	c, ok := m.span(a.due)
	if !ok {
		return false
	}
	if m.flaws&FlawSurplus != 0 {
		return true
	}
	after := m.after[:0]
	defer func() { m.after = after[:0] }()
	add := func(x int32) {
		if !slices.Contains(after, x) {
			after = append(after, x)
		}
	}
	for _, x := range c.localsAt(a.to) {
		add(m.effects.of(x, a.event).next)
	}
	for k := 0; k < len(after); k++ {
		x := after[k]
		if !m.nothing(x, a.event, a.due, bound, echoes) {
			return false
		}
		for _, ev := range c.eventsAt(a.to) {
			add(m.effects.of(x, ev).next)
		}
		m.evs = m.effects.own(x, a.due-1, m.evs[:0])
		for _, ev := range m.evs {
			add(m.effects.of(x, ev).next)
		}
	}
	return true
}
