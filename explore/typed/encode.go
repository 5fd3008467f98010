package typed

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"bullyproof/explore"
	"bullyproof/internal/flat"
)

// An Encoded is the System of a Model: its states are the bytes of the values,
// its actions count the transitions of a state from 0, and its targets are the
// formulas (those that are not answered by single states and transitions are
// never hit). Check is built on it; Search and Walk take it too.
//
// With a Constraint all states outside are one more state, without transitions,
// whose encoding is empty.
type Encoded[S, A any] struct {
	model    Model[S, A]
	formulas []Formula[S]
	plan     flat.Plan

	safety   []int // the formulas that are targets; never nil
	temporal bool  // some formula is about infinite behaviors
	states   []stateTarget[S]
	steps    []stepTarget[S, A]
	stuck    []stateTarget[S] // deadlocks that are allowed
	within   []func(S) bool
	outside  []byte
	marks    []func(S) bool // of temporal formulas, a bit each
	bit      []int          // by formula: the first of its marks
	fair     []stepTarget[S, A]
	sets     *sets

	canonical func(S) S // of a Symmetry; or nil
}

// A stateTarget is hit by the states in which a function returns what it hits.
type stateTarget[S any] struct {
	target int
	f      func(S) bool
	hits   bool
}

// A stepTarget is a formula about transitions; f may be nil, which is true.
type stepTarget[S, A any] struct {
	target int
	f      func(S, A, S) bool
}

// outsideBit marks the state that stands for those outside a constraint.
const outsideBit = 63

// cacheLines is how many bytes keep what one worker writes from what others use.
const cacheLines = 128

// Encode returns the System of a model. The error says which field of S is not
// flat, or what is wrong with a formula.
func Encode[S, A any](m Model[S, A], formulas ...Formula[S]) (*Encoded[S, A], error) {
	plan, err := flat.Of(reflect.TypeFor[S](), nil)
	if err != nil {
		return nil, fmt.Errorf("explore: states of type %v cannot be encoded: %w", reflect.TypeFor[S](), err)
	}
	if plan.Size() > explore.MaxStateBytes {
		return nil, fmt.Errorf("explore: states of type %v take %d bytes; states have at most %d bytes", reflect.TypeFor[S](), plan.Size(), explore.MaxStateBytes)
	}
	e := &Encoded[S, A]{model: m, formulas: formulas, plan: plan, safety: []int{}, bit: make([]int, len(formulas)), outside: []byte{}}
	if plan.Size() == 0 {
		e.outside = []byte{1}
	}
	for i := range formulas {
		if err := formulas[i].check(i); err != nil {
			return nil, err
		}
		if err := e.add(i); err != nil {
			return nil, err
		}
	}
	if len(e.marks) > outsideBit || len(e.fair) > 64 {
		return nil, fmt.Errorf("explore: %d functions of temporal formulas and %d sets of fair actions are too many; there may be %d and 64", len(e.marks), len(e.fair), outsideBit)
	}
	if err := e.checkSymmetry(); err != nil {
		return nil, err
	}
	if len(e.fair) > 0 {
		e.sets = &sets{label: make(map[uint64]uint32)}
	}
	return e, nil
}

// add puts formula i where it is looked at.
func (e *Encoded[S, A]) add(i int) error {
	f := &e.formulas[i]
	step, err := stepOf[S, A](f)
	if err != nil {
		return err
	}
	e.bit[i] = len(e.marks)
	switch f.kind {
	case invariant, witness:
		e.states = append(e.states, stateTarget[S]{i, f.p, f.kind == witness})
	case stepInvariant:
		e.steps = append(e.steps, stepTarget[S, A]{i, step})
	case deadlock:
		e.stuck = append(e.stuck, stateTarget[S]{target: i, f: f.p})
	case constraint:
		e.within = append(e.within, f.p)
	case symmetry:
		if e.canonical != nil {
			return fmt.Errorf("explore: symmetry %q is the second one; there is one, which knows all that are alike", f.Name)
		}
		e.canonical = f.canonical
	case fairness:
		e.fair = append(e.fair, stepTarget[S, A]{i, step})
	case response:
		e.marks = append(e.marks, f.p, f.q)
	default:
		e.marks = append(e.marks, f.p)
	}
	if f.kind <= deadlock {
		e.safety = append(e.safety, i)
	}
	e.temporal = e.temporal || f.kind.temporal()
	return nil
}

// bounded reports whether there is a constraint.
func (e *Encoded[S, A]) bounded() bool { return len(e.within) > 0 }

// inside reports whether a state satisfies all constraints.
func (e *Encoded[S, A]) inside(s S) bool {
	for _, within := range e.within {
		if !within(s) {
			return false
		}
	}
	return true
}

// isOutside reports whether an encoded state stands for those outside.
func (e *Encoded[S, A]) isOutside(state []byte) bool {
	return e.bounded() && bytes.Equal(state, e.outside)
}

// Initial yields the encoded initial states.
func (e *Encoded[S, A]) Initial(yield func([]byte) bool) {
	var b []byte
	e.model.Initial(func(s S) bool {
		if !e.inside(s) {
			return yield(e.outside)
		}
		s = e.represented(s)
		b = e.plan.Append(b[:0], unsafe.Pointer(&s))
		return yield(b)
	})
}

// Decode returns the value whose encoding the bytes are. They must have come
// from this system; the state outside a constraint is the zero value.
func (e *Encoded[S, A]) Decode(state []byte) (s S) {
	if len(state) == e.plan.Size() {
		e.plan.Get(unsafe.Pointer(&s), state)
	}
	return s
}

// Trace returns the typed form of a path. A state outside a constraint is the
// one that it stands for on this path. The error says that the model is not
// deterministic: asked again, a state had other transitions.
func (e *Encoded[S, A]) Trace(path []explore.PathStep) ([]Step[S, A], error) {
	if e.canonical != nil {
		return e.traceOrbits(path)
	}
	var trace []Step[S, A]
	for i, step := range path {
		t := Step[S, A]{State: e.Decode(step.State)}
		if i > 0 {
			from := trace[i-1].State
			var n explore.Code
			same := false
			e.model.Next(from, func(a A, s S) bool {
				if n == step.Code {
					t.Action = a
					if e.bounded() && !e.inside(s) {
						t.State = s
						same = e.isOutside(step.State)
					} else {
						same = bytes.Equal(e.plan.Append(nil, unsafe.Pointer(&s)), step.State)
					}
				}
				n++
				return n <= step.Code
			})
			if !same {
				return nil, fmt.Errorf("explore: state %s has another transition number %d when asked again: the model is not deterministic", describe(from), step.Code)
			}
		}
		trace = append(trace, t)
	}
	return trace, nil
}

// NewExpander returns an expander that decodes a state once, judges it and has
// the model yield what follows.
func (e *Encoded[S, A]) NewExpander() explore.Expander {
	x := &encodedExpander[S, A]{system: e, seen: make(map[uint64]uint32)}
	x.step = x.stepper()
	if e.canonical != nil || len(e.steps)+len(e.within)+len(e.fair) > 0 {
		x.yield = x.transition
		return x
	}
	// Made once, so that a state costs no allocation, and not from a method,
	// so that a transition costs one call.
	x.yield = func(_ A, s S) bool {
		x.out.End(e.plan.Append(x.out.Begin(), unsafe.Pointer(&s)), x.n)
		x.n++
		return true
	}
	return x
}

type encodedExpander[S, A any] struct {
	_       [cacheLines]byte // written for each transition, beside the one of another worker
	system  *Encoded[S, A]
	yield   func(A, S) bool
	state   S // its padding stays zero
	encoded []byte
	out     *explore.Successors
	n       explore.Code
	seen    map[uint64]uint32 // labels of sets of actions

	// step steps without actions, where the model can and no formula looks at them.
	step     func(*S, func())
	stepped  func() // what it calls
	expanded uint   // states
	_        [cacheLines]byte
}

func (x *encodedExpander[S, A]) Expand(state []byte, out *explore.Successors) {
	e := x.system
	if e.isOutside(state) {
		if len(e.marks) > 0 {
			out.Mark(1 << outsideBit)
		}
		return
	}
	e.plan.Get(unsafe.Pointer(&x.state), state)
	for i := range e.states {
		if p := &e.states[i]; p.f(x.state) == p.hits {
			out.Hit(p.target, 0)
		}
	}
	if len(e.marks) > 0 {
		out.Mark(x.marks())
	}
	x.out, x.n, x.encoded = out, 0, state
	if x.step == nil {
		e.model.Next(x.state, x.yield)
	} else {
		x.step(&x.state, x.stepped)
		if x.expanded++; x.expanded%comparedEvery <= comparedFirst {
			x.compare()
		}
	}
	if x.n > 0 {
		return
	}
	for i := range e.stuck {
		if p := &e.stuck[i]; p.f == nil || !p.f(x.state) {
			out.Hit(p.target, 0)
		}
	}
}

// How often a model's Step is compared with its Next: for so many states at
// first, and for so many in each such number later on.
const (
	comparedFirst = 16
	comparedEvery = 1 << 12
)

// stepper returns the Step of the model, nil where there is none or actions and
// successors are looked at.
func (x *encodedExpander[S, A]) stepper() func(*S, func()) {
	e := x.system
	m, ok := e.model.(Stepper[S])
	if !ok || e.canonical != nil || len(e.steps)+len(e.within)+len(e.fair) > 0 {
		return nil
	}
	x.stepped = func() {
		x.out.End(e.plan.Append(x.out.Begin(), unsafe.Pointer(&x.state)), x.n)
		x.n++
	}
	return m.Step
}

// compare fails unless Next has the transitions that Step had from the state, and
// Step has put the state back.
func (x *encodedExpander[S, A]) compare() {
	e, n := x.system, explore.Code(0)
	var again []byte
	first := x.out.Len() - int(x.n)
	same := bytes.Equal(e.plan.Append(nil, unsafe.Pointer(&x.state)), x.encoded)
	state := e.Decode(x.encoded)
	e.model.Next(state, func(_ A, s S) bool {
		again = e.plan.Append(again[:0], unsafe.Pointer(&s))
		same = same && n < x.n && bytes.Equal(again, x.out.State(first+int(n)))
		n++
		return same
	})
	if !same || n != x.n {
		x.out.Fail(fmt.Errorf("explore: Step and Next of %T differ: number %d of the transitions of state %s, or what Step leaves of the state itself; they have to have the same transitions in the same order, and Step has to put the state back", e.model, max(n, 1)-1, describe(state)))
	}
}

// marks returns what temporal formulas need to know of the state.
func (x *encodedExpander[S, A]) marks() (bits uint64) {
	for i, p := range x.system.marks {
		if p(x.state) {
			bits |= 1 << i
		}
	}
	return bits
}

// transition is what the model yields to where transitions are looked at.
func (x *encodedExpander[S, A]) transition(a A, s S) bool {
	e, out := x.system, x.out
	b := out.Begin()
	start := len(b)
	inside := e.inside(s)
	if inside && e.canonical != nil {
		b = x.appendOrbit(b, s)
	} else if inside {
		b = e.plan.Append(b, unsafe.Pointer(&s))
	} else {
		b = append(b, e.outside...)
	}
	stutters := inside && bytes.Equal(b[start:], x.encoded)
	out.End(b, x.n)
	x.n++
	for i := range e.steps {
		if p := &e.steps[i]; !p.f(x.state, a, s) {
			out.HitStep(p.target, 0)
		}
	}
	if !inside {
		for i := range e.states {
			if p := &e.states[i]; p.f(s) == p.hits {
				out.HitStep(p.target, 0)
			}
		}
	}
	if len(e.fair) > 0 {
		out.Label(x.label(a, s, stutters))
	}
	return true
}

// label returns the label of a transition: the number of the sets of actions
// that it is in.
func (x *encodedExpander[S, A]) label(a A, s S, stutters bool) uint32 {
	var in uint64
	for i := range x.system.fair {
		if f := x.system.fair[i].f; !stutters && (f == nil || f(x.state, a, s)) {
			in |= 1 << i
		}
	}
	label, ok := x.seen[in]
	if !ok {
		label = x.system.sets.number(in)
		x.seen[in] = label
	}
	return label
}

// Sets number the combinations of sets of actions that transitions are in.
type sets struct {
	mu    sync.Mutex
	label map[uint64]uint32
	in    []uint64 // by label
}

// all returns the combinations by label; of no sets there are none.
func (s *sets) all() []uint64 {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.in)
}

// number returns the label of a combination.
func (s *sets) number(in uint64) uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	label, ok := s.label[in]
	if !ok {
		label = uint32(len(s.in))
		s.label[in] = label
		s.in = append(s.in, in)
	}
	return label
}
