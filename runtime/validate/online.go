package validate

import (
	"container/heap"
	"context"
	"slices"

	"bullyproof/model"
	"bullyproof/runtime/eventlog"
	"bullyproof/trace"
)

// An Invariant is a question asked of each state that a log implies, or of each
// step.
type Invariant struct {
	// Name and Doc are those of the property.
	Name, Doc string
	// Broken reports whether a state breaks it; nil for one of steps.
	Broken func(v *model.View) bool
	// BrokenBy reports whether a step breaks it; nil for one of states.
	BrokenBy func(e *model.Event) bool
}

// Broken says where an invariant breaks.
type Broken struct {
	// Name and Doc are those of the invariant; Place and Text are of the line after
	// which it does not hold, or that tells the step that breaks it.
	Name, Doc, Place, Text string
	entry                  *entry
}

// breaks returns the first invariant that a step breaks, or the state to which it
// leads; nil if none does.
func (s *search) breaks(from []byte, m *move, e *entry) *Broken {
	if string(from) == string(m.state) {
		return nil
	}
	v := s.sys.View(m.state)
	for _, inv := range s.invariants {
		if inv.Broken != nil && inv.Broken(v) || inv.BrokenBy != nil && s.hits(from, m, inv.BrokenBy) {
			return &Broken{Name: inv.Name, Doc: inv.Doc, Text: e.String(), entry: e}
		}
	}
	return nil
}

// hits reports whether a step hits a question. It looks for the step among all
// that the model can take: a stepper's are not numbered as a search's are.
func (s *search) hits(from []byte, m *move, question func(e *model.Event) bool) (hit bool) {
	watch, seen := model.Watch{Step: question}, false
	s.sys.EachTransition(from, func(t model.Transition) {
		if !seen && string(t.Next) == string(m.state) && trace.SameAction(t.Action, m.action) {
			seen, hit = true, watch.HitsStep(s.sys, from, &t)
		}
	})
	return hit
}

// Online is Run for a log that is still being written: lines are added as they
// come, and invariants are asked of each state that they imply, in one of the
// orders that the log allows (the one in which the lines come, as far as it does).
// Where a process tells what it sends, its last event is looked at once the next
// one is there, or at the end: lines about its sends may follow. With the first such line
// of a process all is looked at once more.
type Online struct {
	log   *Log
	s     *search
	fresh func() *search // that has seen nothing
	since int            // lines since all were in a run
}

// Lag is how many more lines may come before a line that waits for what another
// process has yet to tell is taken for one that the model does not allow.
const Lag = 10_000

// NewOnline returns a validation that has seen nothing yet.
func NewOnline(sys *model.System, o Options, invariants []Invariant) *Online {
	o.Progress = nil
	v := &Online{log: NewLog()}
	v.fresh = func() *search {
		s := newSearch(sys, make([]stream, sys.Setting().N+1), &o)
		s.online, s.invariants = true, invariants
		s.calm = s.calm && s.setting.Suspicions >= maxBudget
		s.begin()
		return s
	}
	v.s = v.fresh()
	return v
}

// Open adds a file that has no lines yet, and returns its number.
func (v *Online) Open(name string) int { return v.log.Open(name) }

// Add adds the next line of a file. The result is nil as long as there is a run
// that shows the lines, no invariant breaks in it, and the search is within its
// bounds; broken says which invariant does. Lines that others wrote of a process,
// that it crashed, say, are left aside.
func (v *Online) Add(ctx context.Context, file int, e eventlog.Event) (r *Result, broken *Broken, err error) {
	if int(e.Process) >= len(v.s.procs) {
		return nil, nil, v.log.outOf(file, e, len(v.s.procs)-1)
	}
	told := v.log.procs[e.Process].sends
	if err := v.log.Add(file, e); err != nil {
		return nil, nil, v.log.wrap(file, e.Line, err)
	}
	p := &v.log.procs[e.Process]
	late := p.sends && !told && v.s.limit[e.Process] == len(p.entries)
	if late { // the event that sends was looked at as if nobody told what it does
		v.s = v.fresh()
		for id := range v.s.procs {
			v.grow(model.ID(id), false)
		}
	}
	grown := v.grow(e.Process, false) || late
	if v.since++; !grown && v.since < Lag {
		return nil, nil, nil
	}
	return v.look(ctx, v.since >= Lag)
}

// End says that no more lines come.
func (v *Online) End(ctx context.Context) (r *Result, broken *Broken) {
	for id := range v.s.procs {
		v.grow(model.ID(id), true)
	}
	r, broken, _ = v.look(ctx, true)
	return r, broken
}

// grow has the search see what is new of a process. It reports whether anything is.
func (v *Online) grow(id model.ID, all bool) bool {
	p, s := &v.log.procs[id], v.s
	s.procs[id] = *p
	n := len(p.entries)
	if p.sends && !all && n > 0 {
		n--
	}
	if n <= s.limit[id] {
		return false
	}
	for i := s.limit[id]; i < n; i++ {
		last := i+1 == len(p.entries)
		p.entries[i].partial = last || p.entries[i+1].Kind == eventlog.Crash || p.entries[i+1].Kind == eventlog.Boot
	}
	s.total += n - s.limit[id]
	s.limit[id] = n
	return true
}

// look goes on with the search. Where it comes to an end before the last line, the
// line is refused if no other one can be what it waits for, or if there are none
// to come.
func (v *Online) look(ctx context.Context, last bool) (*Result, *Broken, error) {
	s := v.s
	for _, n := range s.ended {
		heap.Push(&s.waiting, n)
	}
	s.ended, s.best = nil, nil
	found, complete := s.run(ctx)
	if found != nil {
		v.since = 0
		heap.Push(&s.waiting, found)
		if found.broken != nil {
			b := *found.broken
			b.Place = v.log.place(b.entry)
			return v.result(found, Accepted), &b, nil
		}
		if last {
			return v.result(found, Accepted), nil, nil
		}
		return nil, nil, nil
	}
	if !complete {
		r := v.result(s.best, Incomplete)
		r.Why = s.whyIncomplete(ctx, true)
		return r, nil, nil
	}
	r := v.result(s.best, Refused)
	r.Refusals = s.refusals(s.best, v.log)
	if s.beyond != "" {
		r.Verdict, r.Why = Incomplete, s.whyIncomplete(ctx, true)
	}
	final := slices.ContainsFunc(r.Refusals, func(r Refusal) bool { return r.differs })
	if last || final && s.free && s.calm && len(s.ended) == 1 {
		return r, nil, nil
	}
	return nil, nil, nil
}

func (v *Online) result(n *node, verdict Verdict) *Result {
	r := &Result{Verdict: verdict, System: v.s.sys, Lines: v.s.total, Nodes: v.s.nodes, log: v.log}
	if n != nil {
		r.follow(n)
	}
	return r
}
