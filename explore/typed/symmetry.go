package typed

import (
	"bytes"
	"fmt"
	"slices"
	"unsafe"

	"bullyproof/explore"
)

// Symmetry has the search visit one state of each orbit, as TLC's SYMMETRY does:
// canonical returns, for each state, the one that stands for all that differ from it
// only in the names of what is interchangeable. So it returns a state of the same
// orbit, and the same for all of an orbit. With that,
//
//   - what the states of an orbit do has to differ in names only, and
//   - formulas have to be blind to names. So is a Constraint, if it is to bound
//     anything sensible.
//
// Both are compared now and then, and the search ends with an error where they are
// not so. Distinct counts orbits. A behavior is one of the model, with the names that
// its first state has; none that leads to a state or transition is shorter.
//
// Questions about infinite behaviors are refused: what is fair to one name need not
// be to another.
func Symmetry[S any](name string, canonical func(S) S) Formula[S] {
	return Formula[S]{Name: name, kind: symmetry, canonical: canonical}
}

// checkSymmetry returns what is wrong with the symmetry among the formulas.
func (e *Encoded[S, A]) checkSymmetry() error {
	if e.canonical == nil || !e.temporal && len(e.fair) == 0 {
		return nil
	}
	return fmt.Errorf("explore: a symmetry goes with questions about states and transitions alone; leave out the symmetry, or fairness and what is asked about infinite behaviors")
}

// represented returns the state that stands for the orbit of a state.
func (e *Encoded[S, A]) represented(s S) S {
	if e.canonical != nil {
		return e.canonical(s)
	}
	return s
}

// bytesOf returns the encoding of a state.
func (e *Encoded[S, A]) bytesOf(s S) []byte { return e.plan.Append(nil, unsafe.Pointer(&s)) }

// compareOrbit fails unless a state of the model does and answers the same as the one
// that stands for it.
func (x *encodedExpander[S, A]) compareOrbit(s S) {
	e := x.system
	t := e.canonical(s)
	if again := e.canonical(t); !bytes.Equal(e.bytesOf(again), e.bytesOf(t)) {
		x.out.Fail(fmt.Errorf("explore: symmetry: state %s stands for the orbit of %s, and another one for its own, %s", describe(t), describe(s), describe(again)))
		return
	}
	if !slices.EqualFunc(e.orbitsAfter(s), e.orbitsAfter(t), bytes.Equal) {
		x.out.Fail(fmt.Errorf("explore: symmetry: states %s and %s are of one orbit, and lead to different orbits", describe(s), describe(t)))
		return
	}
	for i := range e.formulas {
		f := &e.formulas[i]
		for _, p := range []func(S) bool{f.p, f.q} {
			if p != nil && p(s) != p(t) {
				x.out.Fail(fmt.Errorf("explore: symmetry: %q tells state %s from %s, which is of the same orbit", f.Name, describe(s), describe(t)))
				return
			}
		}
	}
}

// orbitsAfter returns what stands for the states that a state leads to, sorted.
func (e *Encoded[S, A]) orbitsAfter(s S) (orbits [][]byte) {
	e.model.Next(s, func(_ A, t S) bool {
		orbits = append(orbits, e.bytesOf(e.canonical(t)))
		return true
	})
	slices.SortFunc(orbits, bytes.Compare)
	return orbits
}

// How often a state is compared with what stands for it: so many generated states at
// first, and one in each such number later on, by each worker.
const (
	orbitsFirst = 1000
	orbitsEvery = 256
)

// appendOrbit appends the encoding of what stands for the orbit of a state, and compares
// the two now and then.
func (x *encodedExpander[S, A]) appendOrbit(b []byte, s S) []byte {
	if x.expanded++; x.expanded <= orbitsFirst || x.expanded%orbitsEvery == 0 {
		x.compareOrbit(s)
	}
	s = x.system.canonical(s)
	return x.system.plan.Append(b, unsafe.Pointer(&s))
}

// standsFor reports whether an encoded state is what stands for a state.
func (e *Encoded[S, A]) standsFor(state []byte, s S) bool {
	if e.bounded() && !e.inside(s) {
		return e.isOutside(state)
	}
	return bytes.Equal(e.bytesOf(e.canonical(s)), state)
}

// traceOrbits is Trace where there is a symmetry: it follows the orbits of a path with
// states of the model.
func (e *Encoded[S, A]) traceOrbits(path []explore.PathStep) (trace []Step[S, A], err error) {
	for i, step := range path {
		var t Step[S, A]
		found := false
		take := func(a A, s S) bool {
			if !found && e.standsFor(step.State, s) { // it may be called after it has returned false
				t.Action, t.State, found = a, s, true
			}
			return !found
		}
		if i == 0 {
			e.model.Initial(func(s S) bool {
				var none A
				return take(none, s)
			})
		} else {
			e.model.Next(trace[i-1].State, take)
		}
		if !found {
			return nil, fmt.Errorf("explore: symmetry: no transition leads to the orbit of %s after %d steps, where a state of the same orbit has one", describe(e.Decode(step.State)), max(i, 1)-1)
		}
		trace = append(trace, t)
	}
	return trace, nil
}
