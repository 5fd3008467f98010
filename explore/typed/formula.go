package typed

import (
	"fmt"

	"bullyproof/explore/liveness"
)

// A Formula is a question about the behaviors of a model, or an assumption of
// them, over states of type S. The functions in this file make formulas; what
// they are given is called by several goroutines and depends on its arguments
// alone.
//
// A behavior is an infinite sequence of states as in TLA+: it begins with an
// initial state, and goes on with transitions or stutters, which is to stay in a
// state without a transition. It may stutter anywhere without end, unless that
// is not fair to a set of actions (see Fair). So nothing needs to happen in a
// model without fairness: with Fair(Weak, "next", nil) something does as long as
// something can.
type Formula[S any] struct {
	Name string

	kind      kind
	p, q      func(S) bool
	step      any // a func(S, A, S) bool, for the type A of a model's actions
	strength  liveness.Strength
	canonical func(S) S
	expected  Verdict // by Verify; Incomplete for what is good news
	expects   bool
}

// A kind is what a formula asks or assumes.
type kind uint8

const (
	invariant kind = iota + 1
	witness
	stepInvariant
	deadlock
	guarantee
	persistence
	recurrence
	response
	fairness
	constraint
	symmetry
)

// temporal reports whether a formula is about infinite behaviors.
func (k kind) temporal() bool { return k >= guarantee && k <= response }

// assumption reports whether a formula asks nothing.
func (k kind) assumption() bool { return k >= fairness }

// Always asks whether every reachable state satisfies p: an invariant.
func Always[S any](name string, p func(S) bool) Formula[S] {
	return Formula[S]{Name: name, kind: invariant, p: p}
}

// Sometimes asks whether some reachable state satisfies p. The verdict is Found
// or NotFound.
func Sometimes[S any](name string, p func(S) bool) Formula[S] {
	return Formula[S]{Name: name, kind: witness, p: p}
}

// AlwaysStep asks whether every transition out of a reachable state satisfies
// p, which is given the state, the action and the state behind it.
func AlwaysStep[S, A any](name string, p func(from S, action A, to S) bool) Formula[S] {
	f := Formula[S]{Name: name, kind: stepInvariant}
	if p != nil {
		f.step = p
	}
	return f
}

// NoDeadlock asks whether every reachable state has a transition out of it,
// which may lead to the state itself. States that satisfy final need none; final
// may be nil.
func NoDeadlock[S any](name string, final func(S) bool) Formula[S] {
	return Formula[S]{Name: name, kind: deadlock, p: final}
}

// Eventually asks whether in every behavior that is fair p is true at some time.
func Eventually[S any](name string, p func(S) bool) Formula[S] {
	return Formula[S]{Name: name, kind: guarantee, p: p}
}

// EventuallyAlways asks whether in every fair behavior p is true from some time
// on.
func EventuallyAlways[S any](name string, p func(S) bool) Formula[S] {
	return Formula[S]{Name: name, kind: persistence, p: p}
}

// AlwaysEventually asks whether in every fair behavior p is true again and again.
func AlwaysEventually[S any](name string, p func(S) bool) Formula[S] {
	return Formula[S]{Name: name, kind: recurrence, p: p}
}

// LeadsTo asks whether in every fair behavior, whenever p is true, q is true
// then or later. The verdict is Vacuous if p never is.
func LeadsTo[S any](name string, p, q func(S) bool) Formula[S] {
	return Formula[S]{Name: name, kind: response, p: p, q: q}
}

// Fair assumes that behaviors are fair, Weak or Strong, to a set of actions: the
// transitions of which in is true; nil stands for all of them. Sets may overlap.
// As in TLA+ a transition that leads back to its own state is in no set. A set of
// no transition assumes nothing, which Verify mentions: its function may be wrong.
//
// It is assumed of all questions that are asked with it. Those about single
// states and transitions do not depend on it.
func Fair[S, A any](strength liveness.Strength, name string, in func(from S, action A, to S) bool) Formula[S] {
	f := Formula[S]{Name: name, kind: fairness, strength: strength}
	if in != nil {
		f.step = in
	}
	return f
}

// FairNext assumes that behaviors are weakly fair to all actions together: they
// do not stutter without end where there is a transition to another state. It
// is what specifications in TLA+ write as WF_vars(Next).
func FairNext[S any]() Formula[S] {
	return Formula[S]{Name: "next", kind: fairness, strength: liveness.Weak}
}

// Constraint bounds the search to the states that satisfy within, as TLC's
// CONSTRAINT does. A state outside is generated, and counted as generated, and
// Always, Sometimes and AlwaysStep judge it and the transition to it; it is not
// a distinct state and what follows it is not explored. Initial states outside
// are left out. Of several constraints a state has to satisfy each.
//
// A question about infinite behaviors is judged by those that stay within.
// Where transitions lead outside, the verdict on one that none of them breaks
// is Incomplete.
func Constraint[S any](name string, within func(S) bool) Formula[S] {
	return Formula[S]{Name: name, kind: constraint, p: within}
}

// Expect returns the formula with a verdict that Verify expects instead of good
// news (Holds or Found): Violated for a bug that was planted, Incomplete for a
// model too large to be searched.
func (f Formula[S]) Expect(v Verdict) Formula[S] {
	f.expected, f.expects = v, true
	return f
}

// check returns what is wrong with formula i.
func (f *Formula[S]) check(i int) error {
	missing := false
	switch f.kind {
	case invariant, witness, guarantee, persistence, recurrence, constraint:
		missing = f.p == nil
	case response:
		missing = f.p == nil || f.q == nil
	case stepInvariant:
		missing = f.step == nil
	case symmetry:
		missing = f.canonical == nil
	case fairness:
		if f.strength > liveness.Strong {
			return fmt.Errorf("explore: fairness %q is %s; it has to be weak or strong (or unfair)", f.Name, f.strength)
		}
	case deadlock:
	default:
		return fmt.Errorf("explore: formula %d (%q) asks nothing; formulas are made by Always, Eventually and the like", i, f.Name)
	}
	if missing {
		return fmt.Errorf("explore: formula %d (%q) has no function", i, f.Name)
	}
	return nil
}

// stepOf returns the function of a formula about transitions, for the type of a
// model's actions; nil if it has none.
func stepOf[S, A any](f *Formula[S]) (func(S, A, S) bool, error) {
	if f.step == nil {
		return nil, nil
	}
	step, ok := f.step.(func(S, A, S) bool)
	if !ok {
		return nil, fmt.Errorf("explore: %q has a function of type %T; for the actions of the model it has to be %T", f.Name, f.step, step)
	}
	return step, nil
}
