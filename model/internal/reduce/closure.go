package reduce

import "encoding/binary"

// A closure has all that can happen before time passes, or more: for each position
// local states that it can come to, and messages that can reach it.
//
// It is the least set that has the present local states and the messages in
// flight, and with a local state and an event that is enabled in it (a message of
// the set, a report, a start, a timer that is due) the local state that the event
// leads to and the messages that it sends. Which message is delivered how often,
// and in what order, is left out, so there is no run whose states and messages
// are not in it.
type closure struct {
	window window
	next   *closure // of the same root
	known  bool     // otherwise it is too large, or not foreseen
	lists  int      // two for each position: local states, and deliveries
	all    []int32  // where each list ends in it, and then the lists
	judged []judgement
	cycles []sending // what is recurrent in the present local states, once that has been asked for
	cycled bool
}

// localsAt and eventsAt return the local states of a position, and the deliveries there.
func (c *closure) localsAt(pos int) []int32 { return c.all[c.begin(2*pos):c.all[2*pos]] }
func (c *closure) eventsAt(pos int) []int32 { return c.all[c.begin(2*pos+1):c.all[2*pos+1]] }

// begin returns where a list begins.
func (c *closure) begin(list int) int32 {
	if list == 0 {
		return int32(c.lists)
	}
	return c.all[list-1]
}

// closures find those of the state from which a foresight looks.
type closures struct {
	effects *effects
	start   *start
	flaws   Flaw

	roots *roots
	now   [2]*root // of the state: of due messages, and of all
	under growth   // the closure under way
	marks marks
	keyed []byte
	evs   []int32
}

// growth is a closure that is being computed.
type growth struct {
	locals [][]int32
	events [][]int32
}

// A window says what a closure is about.
type window struct {
	frozen Set  // positions that do nothing
	ticks  int  // timers with so many ticks left expire, with -1 none
	early  bool // messages that are not due are delivered too, those that are sent among them
}

// maxClosure is how many local states, and messages, a closure has for a position
// at most. A state with more is not reduced.
const maxClosure = 200

// marks tell what is in the closure under way.
type marks struct {
	round  uint32
	locals []uint32
	events [][]uint32 // by position
}

func (c *growth) init(n int) { c.locals, c.events = make([][]int32, n), make([][]int32, n) }

// mark marks element i of a list of marks, and reports whether it was not marked.
func (m *marks) mark(list *[]uint32, i int32) bool {
	for int(i) >= len(*list) {
		*list = append(*list, 0)
	}
	if (*list)[i] == m.round {
		return false
	}
	(*list)[i] = m.round
	return true
}

// A root has the closures of states with the same local states and messages, however
// long the messages have been under way.
type root struct {
	key   []byte
	other *root // with the same hash
	first *closure
}

// close returns the closure of the state. It reports false where that is too large,
// or something in it is not foreseen.
func (cs *closures) close(w window) (*closure, bool) {
	r := cs.root(w.early)
	for c := r.first; c != nil; c = c.next {
		if c.window == w {
			return c, c.known
		}
	}
	c := &cs.roots.members.take(1)[0]
	c.window, c.next = w, r.first
	r.first = c
	if c.known = cs.grow(&cs.under, w); c.known {
		c.keep(&cs.under, &cs.roots.lists)
	}
	return c, c.known
}

// root returns what the state begins from, with all messages or with those that are
// due.
func (cs *closures) root(early bool) *root {
	kind := 0
	if early {
		kind = 1
	}
	if cs.flaws&Forgetful != 0 {
		return &root{}
	}
	if cs.now[kind] != nil {
		return cs.now[kind]
	}
	b := append(cs.keyed[:0], byte(kind))
	for _, x := range cs.start.here {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	last := inFlight{to: -1}
	for i := range cs.start.mail {
		if m := &cs.start.mail[i]; (early || m.due == 0) && (m.to != last.to || m.event != last.event) {
			b = append(binary.LittleEndian.AppendUint32(b, uint32(m.event)), byte(m.to))
			last = *m
		}
	}
	cs.keyed = b
	cs.now[kind] = cs.roots.of(b)
	return cs.now[kind]
}

// rooted has the state looked at anew.
func (cs *closures) rooted() { cs.now = [2]*root{} }

// keep keeps what has been computed.
func (c *closure) keep(g *growth, room *slab[int32]) {
	c.lists = 2 * len(g.locals)
	total := c.lists
	for pos := range g.locals {
		total += len(g.locals[pos]) + len(g.events[pos])
	}
	c.all = room.take(total)[:c.lists]
	for pos := range g.locals {
		c.all = append(c.all, g.locals[pos]...)
		c.all[2*pos] = int32(len(c.all))
		c.all = append(c.all, g.events[pos]...)
		c.all[2*pos+1] = int32(len(c.all))
	}
}

// grow makes c the closure of the state.
func (cs *closures) grow(c *growth, w window) bool {
	m := &cs.marks
	m.round++
	for len(m.events) < len(cs.start.here) {
		m.events = append(m.events, nil)
	}
	for pos, x := range cs.start.here {
		c.locals[pos], c.events[pos] = append(c.locals[pos][:0], x), c.events[pos][:0]
		m.mark(&m.locals, x)
	}
	for i := range cs.start.mail {
		if a := &cs.start.mail[i]; (w.early || a.due == 0) && m.mark(&m.events[a.to], a.event) {
			c.events[a.to] = append(c.events[a.to], a.event)
		}
	}
	var done [MaxID]struct{ locals, events int }
	for again := true; again; {
		again = false
		for t := cs.start.up &^ w.frozen; t != 0; t &= t - 1 {
			pos := int(t.Min()) - 1
			d := &done[pos]
			if d.locals == len(c.locals[pos]) && d.events == len(c.events[pos]) {
				continue
			}
			again = true
			if !cs.closeAt(c, w, pos, &d.locals, &d.events) {
				return false
			}
		}
	}
	return true
}

// closeAt runs at a position every event in every local state that have not met:
// the first so many have.
func (cs *closures) closeAt(c *growth, w window, pos int, locals, events *int) bool {
	for i := 0; i < len(c.locals[pos]); i++ {
		if len(c.locals[pos]) > maxClosure || len(c.events[pos]) > maxClosure {
			return false
		}
		x, first := c.locals[pos][i], 0
		if i < *locals {
			first = *events
		} else {
			cs.evs = cs.effects.own(x, w.ticks, cs.evs[:0])
			for _, ev := range cs.evs {
				if !cs.follow(c, w, pos, x, ev) {
					return false
				}
			}
		}
		for j := first; j < len(c.events[pos]); j++ {
			if !cs.follow(c, w, pos, x, c.events[pos][j]) {
				return false
			}
		}
	}
	*locals, *events = len(c.locals[pos]), len(c.events[pos])
	return true
}

// follow adds to a closure what an event leads to.
func (cs *closures) follow(c *growth, w window, pos int, x, ev int32) bool {
	r := cs.effects.of(x, ev)
	if r.bad {
		return false
	}
	if cs.marks.mark(&cs.marks.locals, r.next) {
		c.locals[pos] = append(c.locals[pos], r.next)
	}
	if !w.early || cs.flaws&FlawClosure != 0 {
		return true
	}
	for _, s := range r.sends {
		if cs.marks.mark(&cs.marks.events[s.to], s.event) {
			c.events[s.to] = append(c.events[s.to], s.event)
		}
	}
	return true
}
