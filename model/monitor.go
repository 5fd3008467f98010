package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"bullyproof/internal/flat"
)

// A Monitor keeps what a state does not tell of its past, where a question
// needs it: a flat value of type S beside the state, updated by each step. It is
// part of the states of systems that are asked the question
// (System.Monitored), since two states with different histories have different
// answers, and takes no room otherwise. Make one with NewMonitor.
type Monitor[S any] struct {
	monitor
	plan flat.Plan
}

// A monitor is a Monitor without its type.
type monitor struct {
	name  string
	size  int
	start []byte
	err   error
	// updater returns one worker's function that updates a value in place.
	updater func() func(value []byte, e *Event)
}

// Memory is a Monitor of any type.
type Memory interface{ memory() *monitor }

func (m *Monitor[S]) memory() *monitor { return &m.monitor }

// ErrNoMonitor is in the panic of a Monitor that is asked of a view whose system
// does not have it.
var ErrNoMonitor = errors.New("the system does not have the monitor")

// NewMonitor returns a monitor whose value is start in the initial states and
// which update brings up to date after each step. S is flat, as the states of
// processes are (System.Monitored fails otherwise); update is deterministic. The
// name is for messages.
func NewMonitor[S any](name string, start S, update func(s *S, e *Event)) *Monitor[S] {
	m := &Monitor[S]{monitor: monitor{name: name}}
	plan, err := flat.Of(reflect.TypeFor[S](), nil)
	if err != nil {
		m.err = fmt.Errorf("monitor %q: %w", name, err)
		return m
	}
	if dated(reflect.TypeFor[S]()) {
		m.err = fmt.Errorf("monitor %q: %s holds the time, and no tick makes it older", name, reflect.TypeFor[S]())
		return m
	}
	m.plan, m.size, m.start = plan, plan.Size(), plan.Append(nil, unsafe.Pointer(&start))
	m.updater = func() func([]byte, *Event) {
		s := new(S)
		return func(value []byte, e *Event) {
			plan.Get(unsafe.Pointer(s), value)
			update(s, e)
			plan.Put(value, unsafe.Pointer(s))
		}
	}
	return m
}

// Of returns the value of the monitor in a view. It panics with ErrNoMonitor if
// the view's system does not have the monitor, which a check makes an error: a
// property names the monitors that it asks.
func (m *Monitor[S]) Of(v *View) S {
	at := 0
	for _, other := range v.monitors {
		if other == &m.monitor {
			var s S
			m.plan.Get(unsafe.Pointer(&s), v.history[at:at+m.size])
			return s
		}
		at += other.size
	}
	panic(fmt.Errorf("monitor %q: %w", m.name, ErrNoMonitor))
}

// Monitored returns the system with monitors: a system of its own, whose states
// hold their values as well. One that the system has already is left as it is.
// It fails if the value of a monitor is not flat.
func (s *System) Monitored(monitors ...Memory) (*System, error) {
	var list []*monitor
	for _, m := range monitors {
		if m.memory().err != nil {
			return nil, m.memory().err
		}
		list = append(list, m.memory())
	}
	return &System{impl: s.impl.monitored(list), setting: s.setting, names: s.names}, nil
}

func (w *world) monitored(monitors []*monitor) *world {
	with := *w
	with.monitors = slices.Clone(w.monitors)
	for _, m := range monitors {
		if !slices.Contains(with.monitors, m) {
			with.monitors = append(with.monitors, m)
		}
	}
	with.place()
	return &with
}

// update brings the monitors of a successor up to date.
func (e *expander) update(next []byte) {
	ev := e.event(next)
	e.asked.to.monitors = nil
	at := e.MonitorOff
	for i, m := range e.monitors {
		e.asked.updaters[i](next[at:at+m.size], ev)
		at += m.size
	}
}
