package checker

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"bullyproof/checker/class"
	"bullyproof/checker/internal/outcome"
	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/model"
)

// Fairness is an assumption about runs without end (class.Fairness).
type Fairness = class.Fairness

// The kinds of fairness, the same to all classes. WeakFairness is the default.
var (
	NoFairness     = class.NoFairness
	WeakFairness   = class.WeakFairness
	StrongFairness = class.StrongFairness
)

// A temporal is what a property demands of runs as a whole: once, or of each
// process in turn.
type temporal struct {
	// each has trigger and goal asked about every process, one after the other;
	// otherwise id means nothing to them.
	each bool
	// trigger begins an obligation: of Response properties alone.
	trigger func(v *model.View, id model.ID) bool
	goal    func(v *model.View, id model.ID) bool
	// say says what is wrong with a process where a run ends.
	say      func(v *model.View, id model.ID) string
	fairness Fairness
}

// once makes a predicate of states one that an id means nothing to.
func once(p func(v *model.View) bool) func(v *model.View, id model.ID) bool {
	if p == nil {
		return nil // Check refuses it
	}
	return func(v *model.View, _ model.ID) bool { return p(v) }
}

func live(name, doc string, kind kind, t temporal) *Property {
	t.fairness = WeakFairness
	return &Property{Name: name, Doc: cmp.Or(doc, name), kind: kind, temporal: &t}
}

// Eventually returns the property that in every run p is true at some time.
//
// Like all properties of runs without end it is decided under weak fairness
// unless Property.Under says otherwise, and a run ends where nothing is owed
// any more (by messages, timers, reports, or whoever is to boot or to start),
// even if a fault could still happen. The functions are called from several
// goroutines, have no side effects, and do not keep v.
func Eventually(name, doc string, p func(v *model.View) bool) *Property {
	return live(name, doc, kindGuarantee, temporal{goal: once(p)})
}

// EventuallyAlways returns the property that in every run p is true from some
// time on.
func EventuallyAlways(name, doc string, p func(v *model.View) bool) *Property {
	return live(name, doc, kindPersistence, temporal{goal: once(p)})
}

// AlwaysEventually returns the property that in every run p is true again and
// again (where a run ends, it is true there).
func AlwaysEventually(name, doc string, p func(v *model.View) bool) *Property {
	return live(name, doc, kindRecurrence, temporal{goal: once(p)})
}

// LeadsTo returns the property that in every run, whenever p is true, q is true
// then or later.
func LeadsTo(name, doc string, p, q func(v *model.View) bool) *Property {
	return live(name, doc, kindResponse, temporal{trigger: once(p), goal: once(q)})
}

// EachEventually returns the property that in every run p is true of each
// process at some time.
func EachEventually(name, doc string, p func(v *model.View, id model.ID) bool) *Property {
	return live(name, doc, kindGuarantee, temporal{each: true, goal: p})
}

// EachEventuallyAlways returns the property that in every run p is true of each
// process from some time on.
func EachEventuallyAlways(name, doc string, p func(v *model.View, id model.ID) bool) *Property {
	return live(name, doc, kindPersistence, temporal{each: true, goal: p})
}

// EachAlwaysEventually returns the property that in every run p is true of each
// process again and again.
func EachAlwaysEventually(name, doc string, p func(v *model.View, id model.ID) bool) *Property {
	return live(name, doc, kindRecurrence, temporal{each: true, goal: p})
}

// EachLeadsTo returns the property that in every run, whenever p is true of a
// process, q is true of it then or later.
func EachLeadsTo(name, doc string, p, q func(v *model.View, id model.ID) bool) *Property {
	return live(name, doc, kindResponse, temporal{each: true, trigger: p, goal: q})
}

// CanAlwaysReach returns the property that from every reachable state some
// transitions, faults included, lead to one in which p is true. It is what can
// be asked of algorithms that end with probability 1: no fairness comes into
// it. The counterexample is a shortest run to a state from which p is out of
// reach.
func CanAlwaysReach(name, doc string, p func(v *model.View) bool) *Property {
	return &Property{Name: name, Doc: cmp.Or(doc, name), kind: kindRecoverability, temporal: &temporal{goal: once(p)}}
}

// Under returns the property under another fairness. Its name gets the ending
// "-unfair" or "-strong" where that is NoFairness or StrongFairness, and "-fair"
// where it has exceptions, so that files and reports tell it from others.
func (p *Property) Under(f Fairness) *Property {
	if !p.kind.fair() {
		return p
	}
	q, t := *p, *p.temporal
	t.fairness = f
	q.temporal = &t
	switch {
	case f.Excepts():
		q.Name += "-fair"
	case f.Rest() == liveness.Unfair:
		q.Name += unfairEnding
	case f.Rest() == liveness.Strong:
		q.Name += strongEnding
	}
	return &q
}

const (
	unfairEnding = "-unfair"
	strongEnding = "-strong"
)

// Fairness returns what the property assumes of runs without end, and whether
// it is about such runs.
func (p *Property) Fairness() (Fairness, bool) {
	if !p.kind.fair() {
		return Fairness{}, false
	}
	return p.temporal.fairness, true
}

// Named returns the property under another name.
func (p *Property) Named(name string) *Property {
	q := *p
	q.Name = name
	return &q
}

// ExplainedEach returns the property, one of those made with Each, with words
// for what is wrong with a process where a run that violates it ends, or where
// it begins to repeat itself.
func (p *Property) ExplainedEach(say func(v *model.View, id model.ID) string) *Property {
	q, t := *p, *p.temporal
	t.say = say
	q.temporal = &t
	return &q
}

// ids returns whom a property is asked about, one at a time.
func (t *temporal) ids(n int) []model.ID {
	if !t.each {
		return []model.ID{model.None}
	}
	ids := make([]model.ID, n)
	for i := range ids {
		ids[i] = model.ID(i + 1)
	}
	return ids
}

// marks returns what a property needs to know of each state, a bit each.
func (p *Property) marks(n int) []func(v *model.View) bool {
	if p.kind == kindOutcome {
		return outcome.Marks(n)
	}
	t := p.temporal
	var bits []func(v *model.View) bool
	for _, id := range t.ids(n) {
		if t.trigger != nil {
			bits = append(bits, func(v *model.View) bool { return t.trigger(v, id) })
		}
		bits = append(bits, func(v *model.View) bool { return t.goal(v, id) })
	}
	return bits
}

// judge says why a run does not break a property, nil if it does.
func (p *Property) judge(ctx context.Context, sys *model.System, states [][]byte, steps []model.Transition, loop int) error {
	switch {
	case !p.kind.fair() && loop >= 0:
		return errors.New("it is not about runs without end")
	case p.kind == kindOutcome:
		return outcome.Judge(sys, states)
	case p.kind == kindRecoverability:
		return outcome.JudgeReach(ctx, sys, states[len(states)-1], func(v *model.View) bool { return p.temporal.goal(v, model.None) })
	case loop < 0:
		if err := p.temporal.fairness.Over(sys, states[len(states)-1]); err != nil {
			return err
		}
		loop = len(states) - 1
	default:
		if err := p.temporal.fairness.Fair(sys, states, steps, loop); err != nil {
			return err
		}
	}
	for _, id := range p.temporal.ids(sys.Setting().N) {
		if p.breaks(sys, states, loop, id) {
			return nil
		}
	}
	return outcome.ErrNotBroken
}

// breaks reports whether the run that repeats its states from states[loop] on
// breaks the property as far as a process is concerned.
func (p *Property) breaks(sys *model.System, states [][]byte, loop int, id model.ID) bool {
	goal := make([]bool, len(states))
	last := -1 // the last state in which the goal is reached
	begun := p.kind == kindRecurrence
	for i, s := range states {
		if goal[i] = p.temporal.goal(sys.View(s), id); goal[i] {
			last = i
		}
	}
	switch p.kind {
	case kindGuarantee:
		return last < 0
	case kindPersistence:
		for _, g := range goal[loop:] {
			begun = begun || !g
		}
		return begun
	case kindResponse:
		for _, s := range states[last+1:] {
			begun = begun || p.temporal.trigger(sys.View(s), id)
		}
	}
	return begun && last < loop
}

// query returns what to look for in a graph to see the property violated as far
// as a process is concerned. The marks of that process begin at a bit.
func (p *Property) query(g *explore.Graph, bit int) liveness.LassoQuery {
	at := func(i int) func(n uint32) bool {
		return func(n uint32) bool { return g.Mark(n)>>i&1 != 0 }
	}
	not := func(f func(n uint32) bool) func(n uint32) bool {
		return func(n uint32) bool { return !f(n) }
	}
	switch p.kind {
	case kindGuarantee:
		initial := make(map[uint32]bool)
		for _, n := range g.Initial() {
			initial[n] = true
		}
		return liveness.LassoQuery{From: func(n uint32) bool { return initial[n] }, Within: not(at(bit))}
	case kindPersistence:
		return liveness.LassoQuery{Visit: not(at(bit))}
	case kindResponse:
		trigger, goal := at(bit), at(bit+1)
		return liveness.LassoQuery{From: func(n uint32) bool { return trigger(n) && !goal(n) }, Within: not(goal)}
	}
	return liveness.LassoQuery{Within: not(at(bit))}
}

// width returns how many bits each process takes.
func (t *temporal) width() int {
	if t.trigger != nil {
		return 2
	}
	return 1
}

func (p *Property) validateTemporal() error {
	if t := p.temporal; p.kind != kindOutcome && (t == nil || t.goal == nil || p.kind == kindResponse && t.trigger == nil) {
		return errors.New("it asks nothing: a function is nil")
	}
	return nil
}

// FairnessClasses returns the names of all fairness classes of a system, sorted,
// by exploring it within the limits of opt. The error says what it did not see.
func FairnessClasses(ctx context.Context, sys *model.System, opt Options) ([]string, error) {
	labels, err := sys.Labelled()
	if err != nil {
		return nil, err
	}
	_, why, bound, err := Graph(ctx, labels, opt)
	if err != nil {
		return nil, err
	}
	classes, _ := class.All(labels)
	names := make([]string, len(classes))
	for i, m := range classes {
		names[i] = m.Name
	}
	if why = cmp.Or(why, bound); why != "" {
		return names, fmt.Errorf("not all fairness classes are known: %s", why)
	}
	return names, nil
}
