package checker

import (
	"context"
	"errors"
	"fmt"

	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/trace"
)

// Further returns further runs to what a finding shows, at most so many, shortest first: each differs
// from the finding and from those before in its first fault (what it is, and at which process) or in
// its explanation, which says who violates the property. No run passes through another violation.
// All says that there are no more. The finding has a run, of a property of states; of others the
// error says that there are none to be had. Limits are those of opt; the system is searched as it is.
func Further(ctx context.Context, sys *model.System, opt Options, f *Finding, most int) (more []Finding, all bool, err error) {
	defer lacksMonitor(&err)
	p := f.Property
	if f.Run == nil || !p.OfStates() {
		return nil, false, fmt.Errorf("property %s: only runs to a state can differ from the one that is shown, and it is no property of states", p.Label())
	}
	opt.Disk, opt.Engine = explore.Disk{}, nil
	first := newFirstFault()
	known := map[difference]bool{differenceOf(f): true}
	q := *p.Remembering(first)
	q.reads, q.blind, q.given = 0, false, nil
	hit := p.Watch().State
	q.state = func(v *model.View) bool {
		is := hit(v) && !known[difference{first.Of(v), who(p, v)}]
		return is == p.kind.witness()
	}
	with, err := Remembered(sys, &q)
	if err != nil {
		return nil, false, err
	}
	for len(more) < most {
		next, left, err := further(ctx, with, opt, &q, p)
		if err != nil || next == nil {
			return more, err == nil && !left, err
		}
		known[differenceOf(next)] = true
		next.Property = p
		more = append(more, *next)
	}
	return more, false, nil
}

// further makes one search for a run that q looks for, which p ends; left says that it did not
// see everything.
func further(ctx context.Context, sys *model.System, opt Options, q, p *Property) (f *Finding, left bool, err error) {
	sub := newSubject(sys, opt, &Stage{States: []*Property{q, p}})
	how := opt.explore(sub.watched.Targets(), 1)
	how.Exhaustive = false
	result, err := explore.Search(ctx, &ending{sub}, how)
	if err != nil {
		return nil, false, err
	}
	s := &search{subject: sub, Result: result}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, hit := s.Hit(0); !hit {
		return nil, s.whyIncomplete() != "", nil
	}
	f = &Finding{Property: q, Verdict: Violated, Shortest: opt.Order == explore.BreadthFirst}
	if p.kind.witness() {
		f.Verdict = Found
	}
	return f, false, s.show(f, 0)
}

// An ending is a subject whose runs end where its second property is hit.
type ending struct{ *subject }

// NewExpander implements explore.System.
func (e *ending) NewExpander() explore.Expander { return endingExpander{e.subject.NewExpander()} }

type endingExpander struct{ explore.Expander }

// Expand implements explore.Expander.
func (e endingExpander) Expand(state []byte, out *explore.Successors) {
	e.Expander.Expand(state, out)
	out.EndAt(1)
}

// A difference is by what runs to violations differ.
type difference struct {
	fault fault
	who   string
}

// A fault is the first one of a run: the kind, and the process, None if it happens at none. Without
// one it is zero.
type fault struct {
	Some    bool
	Kind    model.ActionKind
	Process model.ID
}

// newFirstFault returns what remembers the first fault of a run.
func newFirstFault() *model.Monitor[fault] {
	return model.NewMonitor("first fault", fault{}, func(f *fault, e *model.Event) {
		if !f.Some && e.Kind.Budget() != "" {
			*f = fault{true, e.Kind, e.Process}
		}
	})
}

// firstFault returns the action of a run that is its first fault; nil if none is.
func (f *Finding) firstFault() *model.Action {
	if f.Run == nil {
		return nil
	}
	for i := range f.Run.Steps {
		if a := &f.Run.Steps[i].Action; a.Kind.Budget() != "" {
			return a
		}
	}
	return nil
}

// differenceOf returns the difference of a finding with a run.
func differenceOf(f *Finding) difference {
	d := difference{who: who(f.Property, f.Run.System.View(f.Run.States[len(f.Run.States)-1]))}
	if a := f.firstFault(); a != nil {
		d.fault = fault{true, a.Kind, a.Process}
	}
	return d
}

// who says who violates a property in a state.
func who(p *Property, v *model.View) string {
	if text := p.Explain(v); text != "" {
		return text
	}
	return v.Leaders.String()
}

// FirstFault says which fault is the first of a run: "P1 crashes". It is empty if none is.
func (f *Finding) FirstFault() string {
	if a := f.firstFault(); a != nil {
		return trace.ActionText(*a)
	}
	return ""
}
