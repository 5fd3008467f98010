package plain

import (
	"iter"
	"reflect"

	"bullyproof/model"
	"bullyproof/model/clock"
)

// A clock is set to another time, unless its process can never be up again.
func (w *World) clockSteps(st *State) (all []Transition) {
	if st.left["clock-steps"] == 0 {
		return nil
	}
	for i, p := range st.procs {
		for ahead := range w.s.Skew + 1 {
			if c, has := clockOf(p.p); has && c != clock.Ahead(ahead) && !st.gone(i) {
				all = append(all, w.change(st, model.Action{Kind: model.SetsClock, Process: p.id, Ahead: ahead},
					pay("clock-steps", func(st *State) { st.procs[i].p = withClock(p.p, clock.Ahead(ahead)) })))
			}
		}
	}
	return all
}

// ages reports whether there is an instant in a state that a tick makes older.
func (w *World) ages(st *State) bool {
	later := st.clone()
	w.age(later)
	return w.key(later) != w.key(st)
}

// age makes all instants of a state a tick older.
func (w *World) age(st *State) {
	for i := range st.procs {
		p := &st.procs[i]
		p.p = w.older(p.p)
		if p.old != nil {
			p.old = w.older(p.old)
		}
	}
	for i := range st.mail {
		st.mail[i].m = w.older(st.mail[i].m)
	}
}

// older returns a state or a message as it is a tick later.
func (w *World) older(v any) any {
	return changed(v, func(i *clock.Instant) { *i = i.Older(w.protocol.oldest()) })
}

// clockOf returns the clock in the state of a process, and whether there is one.
func clockOf(p any) (c clock.Clock, has bool) {
	changed(p, func(at *clock.Clock) { c, has = *at, true })
	return c, has
}

// withClock returns the state of a process with a clock in it, if it has one.
func withClock(p any, c clock.Clock) any { return changed(p, func(at *clock.Clock) { *at = c }) }

// onClockOf returns a state with the clock that a process has.
func (w *World) onClockOf(p processState, state any) any {
	if c, has := clockOf(p.p); has {
		return withClock(state, c)
	}
	return state
}

// disk returns what a crash leaves of a state. No clock is on it.
func (w *World) disk(state any) any { return withClock(w.protocol.keep(state), clock.Clock{}) }

// changed returns a copy of v in which each T that it holds has been changed.
func changed[T any](v any, change func(*T)) any {
	c := reflect.New(reflect.TypeOf(v)).Elem()
	c.Set(reflect.ValueOf(v))
	each(c, change)
	return c.Interface()
}

// each calls do with each T that v holds, exported or not.
func each[T any](v reflect.Value, do func(*T)) {
	switch {
	case v.Type() == reflect.TypeFor[T]():
		do((*T)(v.Addr().UnsafePointer()))
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			each(v.Index(i), do)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			each(v.Field(i), do)
		}
	}
}

// clocks yields by how many ticks the clocks are ahead at the start, by id: one of them is right.
func (w *World) clocks() iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		_, has := clockOf(w.protocol.zero())
		switch ahead := make([]int, w.s.N); {
		case has && len(w.s.Ahead) > 0:
			yield(w.s.Ahead)
		case has:
			w.clocksFrom(ahead, 0, false, yield)
		default:
			yield(ahead)
		}
	}
}

// clocksFrom yields what the clocks from one on may be. It reports whether more are wanted.
func (w *World) clocksFrom(ahead []int, i int, right bool, yield func([]int) bool) bool {
	if i == len(ahead) {
		return !right || yield(ahead)
	}
	for ahead[i] = range w.s.Skew + 1 {
		if !w.clocksFrom(ahead, i+1, right || ahead[i] == 0, yield) {
			return false
		}
	}
	return true
}
