package plain

import (
	"iter"
	"slices"

	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/setting"
)

// Initial yields the initial states, each once: of every arrangement of the ids, every
// choice of processes that are absent, every choice of initiators, and whatever
// handlers choose as processes come up. One that overfills a link is none.
func (w *World) Initial(yield func(*State) bool) {
	known := make(map[string]bool)
	for st := range w.starts {
		if key := w.key(st); !w.overfull(st) && !known[key] {
			known[key] = true
			if !yield(st) {
				return
			}
		}
	}
}

// Refused reports whether the world refuses the setting for the protocol: as the
// processes come up, they send more than links hold, or are beyond the bound.
func (w *World) Refused() bool {
	for st := range w.starts {
		if w.overfull(st) || st.beyond {
			return true
		}
	}
	return false
}

// starts yields the initial states before it is asked whether links hold them.
func (w *World) starts(yield func(*State) bool) {
	for ring := range w.arrangements() {
		for absent := range w.absences() {
			for initiators := range w.initiatorSets(model.Upto(model.ID(w.s.N)) &^ absent) {
				for ahead := range w.clocks() {
					for _, st := range w.startsOf(ring, absent, initiators, ahead) {
						if !yield(st) {
							return
						}
					}
				}
			}
		}
	}
}

// arrangements yields the ids by position. On a ring process 1 is in front.
func (w *World) arrangements() iter.Seq[[]model.ID] {
	ids := slices.Collect(model.Upto(model.ID(w.s.N)).All())
	one := func(ids []model.ID) iter.Seq[[]model.ID] {
		return func(yield func([]model.ID) bool) { yield(ids) }
	}
	switch {
	case w.s.Topology == setting.Complete || w.s.Anonymous:
		return one(ids)
	case len(w.s.Arrangement) > 0:
		return one(w.s.Arrangement)
	}
	return func(yield func([]model.ID) bool) { permute(ids[:1], ids[1:], yield) }
}

// permute yields some ids before each order of the rest. It reports whether more are
// wanted.
func permute(front, rest []model.ID, yield func([]model.ID) bool) bool {
	if len(rest) == 0 {
		return yield(front)
	}
	for i, id := range rest {
		if !permute(append(slices.Clone(front), id), slices.Concat(rest[:i], rest[i+1:]), yield) {
			return false
		}
	}
	return true
}

// absences yields the choices of processes that are absent at the start.
func (w *World) absences() iter.Seq[model.Set] {
	from := w.s.Joiners
	if from.Empty() {
		from = model.Upto(model.ID(w.s.N))
	}
	return subsets(from, w.s.Joins, w.s.Joins)
}

// initiatorSets yields the choices of initiators among the present processes.
func (w *World) initiatorSets(present model.Set) iter.Seq[model.Set] {
	this := func(s model.Set) iter.Seq[model.Set] { return func(yield func(model.Set) bool) { yield(s) } }
	switch in := w.s.Initiators; {
	case w.s.Start >= setting.SettledStart:
		return this(0)
	case in.Which == setting.These:
		return this(in.Set & present)
	case in.Which == setting.EachOne:
		return subsets(present, 1, 1)
	case in.Which == setting.AnySome:
		return subsets(present, 1, w.s.N)
	}
	return this(present)
}

// subsets yields the subsets of a set that have a number of members, from least to
// most.
func subsets(of model.Set, least, most int) iter.Seq[model.Set] {
	return func(yield func(model.Set) bool) { grow(0, of, least, most, yield) }
}

// grow yields the subsets that have the chosen members, and others of the rest. It
// reports whether more are wanted.
func grow(chosen, rest model.Set, least, most int, yield func(model.Set) bool) bool {
	if chosen.Len() >= least && !yield(chosen) {
		return false
	}
	for id := range rest.All() {
		if rest = rest.Without(id); chosen.Len() < most && !grow(chosen.With(id), rest, least, most, yield) {
			return false
		}
	}
	return true
}

// startsOf returns the initial states of one choice.
func (w *World) startsOf(ring []model.ID, absent, initiators model.Set, ahead []int) []*State {
	st := &State{cut: map[setting.CutLink]bool{}, left: map[string]int{}}
	for _, b := range setting.Budgets() {
		st.left[b.Key] = *b.Of(&w.s)
	}
	for _, id := range ring {
		p := processState{id: id, p: withClock(w.protocol.zero(), clock.Ahead(ahead[id-1])), status: model.Up, timers: map[model.Timer]int{}, least: map[model.Timer]int{}}
		switch {
		case absent.Has(id):
			p.status = model.Absent
		case w.s.Start == setting.ColdInterleaved:
			p.status = model.Unbooted
		}
		p.pending = initiators.Has(id) && (w.s.Start == setting.ColdInterleaved || w.s.Initiators.Lazy)
		st.procs = append(st.procs, p)
	}
	switch w.s.Start {
	case setting.ColdStart:
		return w.coldStart(st, initiators)
	case setting.SettledStart, setting.CoordinatorDown:
		w.settledStart(st)
	}
	w.sweep(st)
	return []*State{st}
}

// coldStart runs Init at each process, then Start at each eager initiator. Time stands
// still meanwhile, and nothing is delivered.
func (w *World) coldStart(st *State, initiators model.Set) []*State {
	states := []*State{st}
	each := func(at func(p processState) bool, h handler) {
		for i := range st.procs {
			if p := st.procs[i]; p.status != model.Up || !at(p) {
				continue
			}
			var next []*State
			for _, s := range states {
				for _, e := range w.effects(s, i, h) {
					if e.misuse != "" {
						continue
					}
					came := w.whole(s, i, e).next
					came.beyond = s.beyond || w.protocol.beyond(e.p)
					next = append(next, came)
				}
			}
			states = next
		}
	}
	each(func(processState) bool { return true }, handler{which: onInit, why: model.Cold})
	if !w.s.Initiators.Lazy {
		each(func(p processState) bool { return initiators.Has(p.id) }, handler{which: onStart})
	}
	return states
}

// settledStart makes a state one after an election among the processes that are
// there. Nobody is asked how that election went.
func (w *World) settledStart(st *State) {
	var live model.Set
	for _, p := range st.procs {
		if p.status == model.Up {
			live = live.With(p.id)
		}
	}
	coordinator := w.wanted(live)
	for i := range st.procs {
		p := &st.procs[i]
		if p.status != model.Up {
			continue
		}
		p.p = w.onClockOf(*p, w.protocol.settle(p.p, p.id, coordinator, live))
		e := w.effects(st, i, handler{which: onWake})[0]
		p.p, st.beyond = e.p, st.beyond || w.protocol.beyond(e.p)
		p.old = w.stored(*p)
		w.setTimers(st, i, e.changes)
	}
	if w.s.Start == setting.CoordinatorDown {
		w.crash(st, st.position(coordinator))
	}
}

// wanted returns who ought to win among the processes of live.
func (w *World) wanted(live model.Set) model.ID {
	if live.Empty() {
		return model.None
	}
	return w.protocol.wanted(live)
}
