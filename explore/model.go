package explore

import (
	"context"
	"fmt"
	"reflect"
	"unsafe"

	"bullyproof/internal/flat"
)

// A Model is a transition system over values of a flat type S: integers, bools,
// arrays and structs of them, without pointers, so that states can be compared
// and stored as bytes. Actions label the transitions and may be of any type.
//
// What the methods answer depends on their arguments alone. They are called by
// several goroutines at the same time, and may go on after yield returns false.
type Model[S, A any] interface {
	// Initial yields every initial state.
	Initial(yield func(S) bool)

	// Next yields every transition out of s: the action and the state behind
	// it, in an order that is always the same.
	Next(s S, yield func(A, S) bool)
}

// A Property is a question about the states of a model, made by Always or
// Sometimes.
type Property[S any] struct {
	Name    string
	Witness bool // asks for a state in which it is true, not for one in which it is false
	True    func(S) bool
}

// Always is the property that every reachable state satisfies: an invariant.
func Always[S any](name string, invariant func(S) bool) Property[S] {
	return Property[S]{Name: name, True: invariant}
}

// Sometimes is the property that some reachable state satisfies.
func Sometimes[S any](name string, witness func(S) bool) Property[S] {
	return Property[S]{Name: name, Witness: true, True: witness}
}

// A Verdict is the answer to a question: yes, no, or that the search ended too
// early to tell.
type Verdict uint8

// The verdicts.
const (
	Incomplete Verdict = iota
	Holds
	Violated
)

// String returns the verdict in lower case.
func (v Verdict) String() string {
	switch v {
	case Incomplete:
		return "incomplete"
	case Holds:
		return "holds"
	case Violated:
		return "violated"
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// A TypedStep is one state on a trace with the action that led to it, which is
// the zero value for the first step.
type TypedStep[S, A any] struct {
	Action A
	State  S
}

// An Answer tells what became of a property. An invariant that is violated has
// a counterexample as its Trace, and a witness that was found the trace to it:
// with a breadth-first search the shortest there is.
type Answer[S, A any] struct {
	Property Property[S]
	Verdict  Verdict
	Trace    []TypedStep[S, A]
}

// A Report is what Check found: the Result of the search, and an Answer for
// each property in the order in which they were given.
type Report[S, A any] struct {
	*Result
	Answers []Answer[S, A]
}

// Check searches the states of a model, and answers each property: in one
// search, which ends early only when each of them has been decided by a trace.
// The zero Options will do.
//
// An error says which field of S is not flat, or what is wrong with the options
// or properties. Options.Targets must be 0, as the properties are the targets.
func Check[S, A any](ctx context.Context, m Model[S, A], opt Options, properties ...Property[S]) (*Report[S, A], error) {
	if opt.Targets != 0 {
		return nil, fmt.Errorf("explore: Options.Targets is %d; for Check it must be 0, since the properties are the targets", opt.Targets)
	}
	e, err := Encode(m, properties...)
	if err != nil {
		return nil, err
	}
	opt.Targets = len(properties)
	r, err := Search(ctx, e, opt)
	if err != nil {
		return nil, err
	}
	report := &Report[S, A]{Result: r}
	for i, p := range properties {
		a := Answer[S, A]{Property: p, Verdict: verdict(r, i, p.Witness)}
		if _, hit := r.Hit(i); hit {
			steps, err := r.Path(i)
			if err != nil {
				return nil, err
			}
			if a.Trace, err = e.Trace(steps); err != nil {
				return nil, err
			}
		}
		report.Answers = append(report.Answers, a)
	}
	return report, nil
}

// verdict returns the verdict on a property that is target i.
func verdict(r *Result, i int, witness bool) Verdict {
	_, hit := r.Hit(i)
	switch {
	case hit == witness && (hit || r.Complete()):
		return Holds
	case hit || r.Complete():
		return Violated
	}
	return Incomplete
}

// An Encoded is the System of a Model: its states are the bytes of the values,
// its actions count the transitions of a state from 0, and its targets are the
// properties. Check is built on it; Search and Walk take it too.
type Encoded[S, A any] struct {
	model      Model[S, A]
	properties []Property[S]
	plan       flat.Plan
}

// Encode returns the System of a model. The error says which field of S is not
// flat, or which property has no function.
func Encode[S, A any](m Model[S, A], properties ...Property[S]) (*Encoded[S, A], error) {
	plan, err := flat.Of(reflect.TypeFor[S](), nil)
	if err != nil {
		return nil, fmt.Errorf("explore: states of type %v cannot be encoded: %w", reflect.TypeFor[S](), err)
	}
	if plan.Size() > MaxStateBytes {
		return nil, fmt.Errorf("explore: states of type %v take %d bytes; states have at most %d bytes", reflect.TypeFor[S](), plan.Size(), MaxStateBytes)
	}
	for i, p := range properties {
		if p.True == nil {
			return nil, fmt.Errorf("explore: property %d (%q) has no function", i, p.Name)
		}
	}
	return &Encoded[S, A]{m, properties, plan}, nil
}

// Initial yields the encoded initial states.
func (e *Encoded[S, A]) Initial(yield func([]byte) bool) {
	var b []byte
	e.model.Initial(func(s S) bool {
		b = e.plan.Append(b[:0], unsafe.Pointer(&s))
		return yield(b)
	})
}

// Decode returns the value whose encoding the bytes are. They must have come
// from this system.
func (e *Encoded[S, A]) Decode(state []byte) (s S) {
	e.plan.Get(unsafe.Pointer(&s), state)
	return s
}

// Trace returns the typed form of a path. The error says that the model is not
// deterministic: asked again, a state had other transitions.
func (e *Encoded[S, A]) Trace(path []Step) ([]TypedStep[S, A], error) {
	var trace []TypedStep[S, A]
	for i, step := range path {
		t := TypedStep[S, A]{State: e.Decode(step.State)}
		if i > 0 {
			var n Action
			e.model.Next(trace[i-1].State, func(a A, _ S) bool {
				if n == step.Action {
					t.Action = a
				}
				n++
				return n <= step.Action
			})
			if n <= step.Action {
				return nil, fmt.Errorf("explore: state %+v has %d transitions when asked again, and had more: the model is not deterministic", trace[i-1].State, n)
			}
		}
		trace = append(trace, t)
	}
	return trace, nil
}

// NewExpander returns an expander that decodes a state once, judges it and has
// the model yield what follows.
func (e *Encoded[S, A]) NewExpander() Expander {
	x := &encodedExpander[S, A]{system: e}
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
	system *Encoded[S, A]
	yield  func(A, S) bool
	state  S // its padding stays zero
	out    *Successors
	n      Action
}

func (x *encodedExpander[S, A]) Expand(state []byte, out *Successors) {
	x.system.plan.Get(unsafe.Pointer(&x.state), state)
	for i := range x.system.properties {
		if p := &x.system.properties[i]; p.True(x.state) == p.Witness {
			out.Hit(i, 0)
		}
	}
	x.out, x.n = out, 0
	x.system.model.Next(x.state, x.yield)
}
