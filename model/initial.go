package model

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"bullyproof/explore"
	"bullyproof/setting"
)

// An origin is what a setting leaves open of an initial state: the ids by
// position, the initiators and the absent processes, both by id.
type origin struct {
	ids                []ID
	initiators, absent Set
}

// origins yields every origin that the setting allows, in a fixed order.
func (w *world) origins() iter.Seq[origin] {
	return func(yield func(origin) bool) {
		for ids := range w.arrangements() {
			for absent := range w.absences() {
				for initiators := range w.initiators(absent) {
					if !yield(origin{ids, initiators, absent}) {
						return
					}
				}
			}
		}
	}
}

// arrangements yields the ids by position: one sequence where they are given,
// otherwise all, up to rotation, with process 1 in front, in lexicographic
// order.
func (w *world) arrangements() iter.Seq[[]ID] {
	return func(yield func([]ID) bool) {
		ids := slices.Clone(w.ids)
		for more := true; more; more = nextPermutation(ids[1:]) {
			if !yield(slices.Clone(ids)) || w.idsOff < 0 {
				return
			}
		}
	}
}

// nextPermutation makes ids the lexicographically next permutation of itself.
// It reports whether there is one.
func nextPermutation(ids []ID) bool {
	i := len(ids) - 2
	for i >= 0 && ids[i] >= ids[i+1] {
		i--
	}
	if i < 0 {
		return false
	}
	j := len(ids) - 1
	for ids[j] <= ids[i] {
		j--
	}
	ids[i], ids[j] = ids[j], ids[i]
	slices.Reverse(ids[i+1:])
	return true
}

// absences yields the sets of processes that may be absent at the start.
func (w *world) absences() iter.Seq[Set] {
	joiners := w.setting.Joiners
	if joiners == 0 {
		joiners = Upto(ID(w.n))
	}
	return subsets(joiners, w.setting.Joins)
}

// initiators yields the choices of initiators among the processes that are
// there.
func (w *world) initiators(absent Set) iter.Seq[Set] {
	there := Upto(ID(w.n)) &^ absent
	one := func(s Set) iter.Seq[Set] { return func(yield func(Set) bool) { yield(s) } }
	if w.setting.Start > setting.ColdInterleaved {
		return one(0)
	}
	switch i := w.setting.Initiators; i.Which {
	case setting.EachOne:
		return subsets(there, 1)
	case setting.AnySome:
		return someOf(there)
	case setting.These:
		return one(i.Set & there)
	}
	return one(there)
}

// subsets yields the subsets of s that have size members, in ascending order,
// in time that grows with their number: those of a large s are few where size
// is small.
func subsets(s Set, size int) iter.Seq[Set] {
	return func(yield func(Set) bool) {
		members := slices.Collect(s.All())
		if size < 0 || size > len(members) {
			return
		}
		chosen := make([]int, size) // ascending indices of members
		for i := range chosen {
			chosen[i] = i
		}
		for {
			var t Set
			for _, i := range chosen {
				t = t.With(members[i])
			}
			if !yield(t) || !nextChoice(chosen, len(members)) {
				return
			}
		}
	}
}

// nextChoice makes chosen, ascending numbers below n, the next such choice,
// where the one with the lesser highest number comes first. It reports whether
// there is one.
func nextChoice(chosen []int, n int) bool {
	for i := range chosen {
		above := n
		if i+1 < len(chosen) {
			above = chosen[i+1]
		}
		if chosen[i]+1 < above {
			chosen[i]++
			for j := range i {
				chosen[j] = j
			}
			return true
		}
	}
	return false
}

// someOf yields the subsets of s but the empty one, in ascending order.
func someOf(s Set) iter.Seq[Set] {
	return func(yield func(Set) bool) {
		for t := -s & s; t != 0; t = (t - s) & s {
			if !yield(t) {
				return
			}
		}
	}
}

// starts yields the initial states of every origin, and counts what runs before
// them.
func (w *world) starts(yield func(s start) bool, cover *coverage) {
	e := w.newExpander(nil)
	e.cover = cover
	for o := range w.origins() {
		starts, err := e.initial(o)
		if err != nil {
			panic(err)
		}
		for _, s := range starts {
			s.origin = o
			if !yield(s) {
				return
			}
		}
	}
}

// A start is an initial state, what was sent on the way to it (see sendings),
// and what handlers chose there, in order.
type start struct {
	state   []byte
	sent    []byte
	choices []int
	chosen  []string // the choices in words
	origin  origin
}

// initial returns the initial states of an origin: one, or more where handlers
// make choices.
func (e *expander) initial(o origin) ([]start, error) {
	e.setIDs(o.ids)
	e.inits = true
	defer func() { e.inits = false }()
	states := []start{{state: e.blank(o)}}
	var err error
	each := func(kind ActionKind, of Set) {
		for pos, id := range e.ids {
			if of.Has(id) && err == nil {
				states, err = e.advance(states, act{kind: kind, pos: pos, msg: -1, budget: -1})
			}
		}
	}
	there := Upto(ID(e.n)) &^ o.absent
	switch s := e.setting; s.Start {
	case setting.ColdStart:
		each(Boots, there)
		if !s.Initiators.Lazy {
			each(Starts, o.initiators)
		}
	case setting.SettledStart, setting.CoordinatorDown:
		err = e.settle(states[0].state, there)
		if s.Start == setting.CoordinatorDown {
			each(Crashes, SetOf(e.wanted(there)))
		}
	}
	return states, err
}

// blank returns the state of an origin before anything has happened.
func (e *expander) blank(o origin) []byte {
	state := make([]byte, e.msgOff)
	for i, off := range e.budget {
		if off >= 0 {
			state[off] = e.granted[i]
		}
	}
	at := state[e.monitorOff:]
	for _, m := range e.monitors {
		at = at[copy(at, m.start):]
	}
	var pending Set
	for pos, id := range e.ids {
		if e.idsOff >= 0 {
			state[e.idsOff+pos] = byte(id)
		}
		status := Up
		switch {
		case o.absent.Has(id):
			status = Absent
		case e.setting.Start == setting.ColdInterleaved:
			status = Unbooted
		}
		e.proc(state, pos)[0] = byte(status)
		if o.initiators.Has(id) {
			pending |= 1 << pos
		}
	}
	if e.pendingOff >= 0 {
		e.putPositions(state, e.pendingOff, pending)
	}
	return state
}

// advance takes one step from each of some states, one that the initial states
// have behind them.
func (e *expander) advance(states []start, a act) ([]start, error) {
	var out []start
	for _, s := range states {
		var succ explore.Successors
		e.decode(s.state)
		e.out, e.rec = &succ, &recorder{}
		if len(e.monitors) > 0 {
			e.fillView(&e.from)
		}
		if a.kind == Crashes {
			e.crash(a)
		} else {
			e.run(a)
		}
		found := e.rec.found
		e.rec = nil
		if len(e.cover.beyond) > 0 {
			return nil, fmt.Errorf("start of process %v: its state is beyond the bound already: %s", e.ids[a.pos], e.cover.beyond[0])
		}
		if len(found) == 0 { // steps that change nothing are found as well
			return nil, fmt.Errorf("start of process %v: it sends more than links hold, capacity=%d", e.ids[a.pos], e.setting.Capacity)
		}
		for _, t := range found {
			if t.Misuse != "" {
				return nil, fmt.Errorf("start of process %v (%v): %s", t.Action.Process, a.kind, t.Misuse)
			}
			if !t.Action.Crash {
				out = append(out, start{
					state: t.Next, sent: e.addSent(s.sent, t.Sent),
					choices: slices.Concat(s.choices, t.Action.Choices), chosen: slices.Concat(s.chosen, chosen(&t.Action)),
				})
			}
		}
	}
	return out, nil
}

// chosen says in words what a process chose, a text for each choice.
func chosen(a *Action) (texts []string) {
	for i, c := range a.Choices {
		what := strconv.Itoa(c)
		if len(a.Outcomes) > 0 {
			what = a.Outcomes[i]
		}
		texts = append(texts, fmt.Sprintf("%v chooses %s", a.Process, what))
	}
	return texts
}

// addSent returns sent with the sends of one more step.
func (e *expander) addSent(sent []byte, more []Envelope) []byte {
	out, groups := slices.Clone(sent), byte(0)
	for i := 1; i < len(sent); i += 3 {
		groups = max(groups, sent[i])
	}
	for _, s := range more {
		group, up := byte(0), byte(0)
		if s.Broadcast > 0 {
			group = groups + byte(s.Broadcast)
		}
		if e.up>>e.at[s.To-1]&1 != 0 {
			up = 1
		}
		out = append(out, byte(slices.Index(e.names.Kinds, s.Kind)), group, up)
	}
	return out
}

// settle makes state one in which all processes of live agree.
func (e *expander) settle(state []byte, live Set) error {
	e.decode(state)
	e.settling = live
	defer func() { e.settling = 0 }()
	for pos, id := range e.ids {
		if !live.Has(id) {
			continue
		}
		e.act = act{kind: Boots, pos: pos, msg: -1, budget: -1}
		if failure := e.handle(); failure != "" {
			return fmt.Errorf("settled start of process %v: %s", id, failure)
		}
		if why := e.whyBeyond(); why != "" {
			return fmt.Errorf("settled start of process %v: its state is beyond the bound already: %s", id, why)
		}
		e.planP.Put(e.proc(state, pos)[e.pOff:], e.cur)
		e.applyTimers(state, pos)
	}
	return nil
}

// wake makes e.cur the state of a process after an election among the processes
// of e.settling, and has it set its timers.
func (e *expander) wake() {
	e.procs.zero(e.cur)
	e.hands.settle(e.cur, e.wanted(e.settling), e.settling)
	if !e.has.waker {
		return
	}
	e.hands.wake(e.cur)
	if len(e.net.sends) > 0 || len(e.net.choices) > 0 {
		panic(misuse("Wake: it is to set timers, and neither sends nor chooses"))
	}
}

func (w *world) narrow(initial []byte) (setting.Setting, []int) {
	e := w.newExpander(nil)
	for o := range w.origins() {
		if w.idsOff >= 0 && string(initial[w.idsOff:w.idsOff+w.n]) != string(asBytes(o.ids)) {
			continue
		}
		states, err := e.initial(o)
		if err != nil {
			continue
		}
		i := slices.IndexFunc(states, func(s start) bool { return bytes.Equal(s.state, initial) })
		if i < 0 {
			continue
		}
		return w.narrowed(o), states[i].choices
	}
	return w.setting, nil
}

// narrowed returns the setting narrowed to an origin.
func (w *world) narrowed(o origin) setting.Setting {
	s := w.setting
	if w.idsOff >= 0 {
		s.Arrangement = o.ids
	}
	if s.Start <= setting.ColdInterleaved && s.Initiators.Which != setting.Everyone {
		s.Initiators.Which, s.Initiators.Set = setting.These, o.initiators
	}
	s.Joiners = 0
	if s.Joins > 0 {
		s.Joiners = o.absent
	}
	return s.Normal()
}

func asBytes(ids []ID) []byte {
	b := make([]byte, len(ids))
	for i, id := range ids {
		b[i] = byte(id)
	}
	return b
}
