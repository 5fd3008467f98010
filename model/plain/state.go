package plain

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// A World is a protocol in a setting.
type World struct {
	protocol  Protocol
	s         setting.Setting
	processes map[model.ID]process // that run handlers, by id
	numbers   map[any]int          // of states of processes and of messages

	// answer is what was enabled in the state that was asked about last, as one
	// state is asked about several times.
	asked  *State
	answer []Transition
}

// New returns the world of a protocol in a setting. It fails where model.New fails
// except for what concerns encodings.
func New(p Protocol, s setting.Setting) (*World, error) {
	w := &World{protocol: p, s: s.Normal(), processes: make(map[model.ID]process), numbers: make(map[any]int)}
	for id := range model.Upto(model.ID(s.N)).All() {
		var err error
		if w.processes[id], err = p.process(w.s, id); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// A State is a state of the world.
type State struct {
	procs []processState           // by position: by id, or around a ring
	mail  []message                // in flight, in the order of sending
	order []timer                  // the timers that are set, in the order of setting
	left  map[string]int           // budgets, by their words in a setting
	side  model.Set                // that a cut separates from the rest
	cut   map[setting.CutLink]bool // links that are cut, one way each

	beyond bool // as the processes came up, one was beyond the bound

	text string // the key, once it was asked for: the state is made then
}

type processState struct {
	id      model.ID
	status  model.Status
	p       any                 // what the protocol calls its state
	old     any                 // what its disk held before the last step that changed it; nil if that cannot come back
	pending bool                // has yet to begin the election that it is to initiate
	paused  bool                // is up, and does nothing
	timers  map[model.Timer]int // of those that are set: the ticks left, or set to
	least   map[model.Timer]int // the ticks until they can expire, where clocks drift
}

type message struct {
	to   int        // the position of the receiver
	port model.Port // where it comes in there
	m    any
	due  int // ticks left, under synchronous timing
}

// A timer is one of the process at a position.
type timer struct {
	at int
	t  model.Timer
}

// clone returns a copy of a state that can be changed.
func (st *State) clone() *State {
	c := &State{
		procs: slices.Clone(st.procs), mail: slices.Clone(st.mail), order: slices.Clone(st.order),
		left: maps.Clone(st.left), side: st.side, cut: maps.Clone(st.cut),
	}
	for i := range c.procs {
		c.procs[i].timers = maps.Clone(c.procs[i].timers)
		c.procs[i].least = maps.Clone(c.procs[i].least)
	}
	return c
}

// position returns where process id is, -1 where it is nowhere.
func (st *State) position(id model.ID) int {
	return slices.IndexFunc(st.procs, func(p processState) bool { return p.id == id })
}

// source returns the position from which a message came: the sender's, or the
// neighbour's on a repaired ring.
func (st *State) source(m message) int {
	n := len(st.procs)
	switch m.port {
	case model.Next:
		return (m.to + 1) % n
	case model.Prev:
		return (m.to + n - 1) % n
	}
	return st.position(m.port.ID())
}

// severed reports whether a cut keeps messages of one process from another.
func (st *State) severed(from, to model.ID) bool {
	return st.side.Has(from) != st.side.Has(to) || st.cut[setting.CutLink{From: from, To: to}]
}

// across reports whether a message is to cross a cut.
func (st *State) across(m message) bool {
	return st.severed(st.procs[st.source(m)].id, st.procs[m.to].id)
}

// held reports whether a message waits for a process that pauses.
func (st *State) held(m message) bool { return st.procs[m.to].paused && !st.across(m) }

// gone reports whether the process at a position can never be up again.
func (st *State) gone(i int) bool {
	return st.procs[i].status == model.Down && st.left["restarts"] == 0
}

// key returns the canonical text of a state: two states are the same if they have
// the same key. Messages without an order have none here.
func (w *World) key(st *State) string {
	if st.text != "" {
		return st.text
	}
	var b strings.Builder
	for _, p := range st.procs {
		fmt.Fprintf(&b, "%d %v %d old=%v pending=%v timers=%v least=%v paused=%v\n", p.id, p.status, w.number(p.p), w.oldNumber(p), p.pending, p.timers, p.least, p.paused)
	}
	for _, m := range w.sortedMail(st) {
		fmt.Fprintf(&b, "to %d by %v: %d due %d\n", m.to, m.port, w.number(m.m), m.due)
	}
	if w.s.Timing.Kind == setting.LastResort {
		byTicks := make(map[int][]timer)
		for _, o := range st.order {
			ticks := st.procs[o.at].timers[o.t]
			byTicks[ticks] = append(byTicks[ticks], o)
		}
		fmt.Fprintf(&b, "order %v\n", byTicks)
	}
	fmt.Fprintf(&b, "left %v side %v cut %v", st.left, st.side, st.cut)
	st.text = b.String()
	return st.text
}

// oldNumber returns the number of what may come back of a process, 0 of nothing.
func (w *World) oldNumber(p processState) int {
	if p.old == nil {
		return 0
	}
	return w.number(p.old)
}

// number returns the number of a state of a process, or of a message.
func (w *World) number(v any) int {
	n, known := w.numbers[v]
	if !known {
		n = len(w.numbers) + 1
		w.numbers[v] = n
	}
	return n
}

// sortedMail returns the messages by link, on each in order of sending where
// channels have an order.
func (w *World) sortedMail(st *State) []message {
	sorted := slices.Clone(st.mail)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i], sorted[j]
		switch {
		case a.to != b.to:
			return a.to < b.to
		case a.port != b.port:
			return a.port < b.port
		case w.s.FIFO:
			return false
		case a.due != b.due:
			return a.due < b.due
		}
		return w.number(a.m) < w.number(b.m)
	})
	return sorted
}
