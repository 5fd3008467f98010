package plain

import (
	"slices"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// settled reports whether a state is quiet and nobody is in an election.
func (w *World) settled(st *State) bool {
	return w.quiet(st) && !slices.ContainsFunc(st.procs, func(p processState) bool {
		return p.status == model.Up && w.protocol.belief(p.p).Participant
	})
}

// quiet reports whether nothing is owed, periodic timers aside: only faults can change
// anything, and what is left is the beat of tasks that never end.
func (w *World) quiet(st *State) bool {
	return !slices.ContainsFunc(w.enabled(st), func(t Transition) bool { return w.owed(t.action) && !w.beats(st, t.action) })
}

// over reports whether nothing happens any more but faults, not even what periodic timers
// begin.
func (w *World) over(st *State) bool {
	return !slices.ContainsFunc(w.enabled(st), func(t Transition) bool { return w.owed(t.action) })
}

// owed reports whether an action happens sooner or later where it stays enabled. A
// crash is not owed, in whatever it comes, and neither is an expiry that comes too early
// at the cost of a budget.
func (w *World) owed(a model.Action) bool {
	if a.Crash || a.Premature && w.s.Timing.Premature > 0 {
		return false
	}
	return a.Kind.Owed() || a.Kind == model.Heals && w.s.HealsOwed || a.Kind == model.Restarts && w.s.RestartsOwed
}

// beats reports whether an action is of a periodic timer: its expiry, or a tick that
// only periodic timers wait for. Where timers expire in an order, it is not while
// another timer waits for its turn.
func (w *World) beats(st *State, a model.Action) bool {
	switch a.Kind {
	case model.Ticks:
		return len(st.mail) == 0 && !w.lasting(st)
	case model.Expires:
		ordered := w.s.Timing.Kind != setting.Asynchronous && w.s.Timing.Kind != setting.Patient
		return w.periodic(a.Timer) && !(ordered && w.lasting(st))
	}
	return false
}

// periodic reports whether the timer of a name is periodic.
func (w *World) periodic(name string) bool {
	return slices.Contains(w.protocol.Names().Timers, model.TimerName{Name: name, Periodic: true})
}

// lasting reports whether a timer is set that is not periodic, or an instant gets older, after which
// a process may believe something else.
func (w *World) lasting(st *State) bool {
	return w.ages(st) || slices.ContainsFunc(st.order, func(o timer) bool {
		return !w.protocol.Names().Timers[o.t].Periodic
	})
}
