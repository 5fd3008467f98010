package model

import (
	"fmt"
	"reflect"
	"unsafe"

	"bullyproof/internal/flat"
)

// A Monitor keeps what a state does not tell of its past, where a question
// needs it: a flat value beside the state, updated by each step. It is part of
// the state as long as somebody asks for it (System.Monitored), since two
// states with different histories have different answers, and takes no room
// otherwise. Make one with NewMonitor.
type Monitor struct {
	name  string
	size  int
	start []byte
	// updater returns one worker's function that updates a value in place.
	updater func() func(value []byte, e Event)
	get     func(value []byte) any
}

// An Event is a step as a monitor sees it.
type Event struct {
	// Kind is what happened, and Process where; None for what happens at none.
	Kind    ActionKind
	Process ID
	// From and To are the views before and after; Settled and Quiet are false in
	// both. They are good during the call.
	From, To *View
}

// NewMonitor returns a monitor whose value is start in the initial states and
// which update brings up to date after each step. Q is flat (see Protocol; the
// error names the field otherwise); update is deterministic.
func NewMonitor[Q any](name string, start Q, update func(q *Q, e Event)) (*Monitor, error) {
	plan, err := flat.Of(reflect.TypeFor[Q](), nil)
	if err != nil {
		return nil, fmt.Errorf("monitor %q: %w", name, err)
	}
	return &Monitor{
		name: name, size: plan.Size(), start: plan.Append(nil, unsafe.Pointer(&start)),
		updater: func() func([]byte, Event) {
			q := new(Q)
			return func(value []byte, e Event) {
				plan.Get(unsafe.Pointer(q), value)
				update(q, e)
				plan.Put(value, unsafe.Pointer(q))
			}
		},
		get: func(value []byte) any {
			q := new(Q)
			plan.Get(unsafe.Pointer(q), value)
			return *q
		},
	}, nil
}

// Monitored returns the system with monitors: a system of its own, whose states
// hold their values as well.
func (s *System) Monitored(monitors ...*Monitor) *System {
	return &System{impl: s.impl.monitored(monitors), setting: s.setting, names: s.names}
}

func (w *world[P, M]) monitored(monitors []*Monitor) system {
	with := *w
	with.monitors = append(with.monitors[:len(with.monitors):len(with.monitors)], monitors...)
	with.place()
	return &with
}

// History returns the value of a monitor, and whether the state has that
// monitor with a value of type Q.
func History[Q any](v *View, m *Monitor) (value Q, ok bool) {
	at := 0
	for _, other := range v.monitors {
		if other == m {
			value, ok = m.get(v.history[at : at+m.size]).(Q)
			return value, ok
		}
		at += other.size
	}
	return value, false
}

// update brings the monitors of a successor up to date.
func (e *expander[P, M]) update(next []byte) {
	e.viewAfter(&e.to, next)
	ev := Event{Kind: e.act.kind, From: &e.from, To: &e.to}
	if e.act.pos >= 0 {
		ev.Process = e.ids[e.act.pos]
	}
	at := e.monitorOff
	for i, m := range e.monitors {
		e.updaters[i](next[at:at+m.size], ev)
		at += m.size
	}
}
