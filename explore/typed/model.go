package typed

import (
	"context"
	"errors"
	"fmt"

	"bullyproof/explore"
)

// A Model is a transition system over values of a flat type S: integers, bools,
// arrays and structs of them, without pointers, so that states can be compared
// and stored as bytes. Actions label the transitions and may be of any type.
//
// The answers of the methods depend on their arguments alone. They are called
// by several goroutines at the same time, and may go on after yield returns
// false.
type Model[S, A any] interface {
	// Initial yields every initial state.
	Initial(yield func(S) bool)

	// Next yields every transition out of s: the action and the state behind
	// it, in an order that is always the same.
	Next(s S, yield func(A, S) bool)
}

// A Stepper is a Model whose transitions can also be had without their actions,
// and without a copy of the state for each: the search goes faster. The actions
// on a trace, and those that formulas look at, are still those of Next.
type Stepper[S any] interface {
	// Step calls yield for every transition out of *s, in the order of Next, with
	// *s changed to the state behind it. Before the next transition, and at the
	// end, *s is again what it was at first: Step may change it in place and back.
	// A search compares Step with Next now and then, and ends with an error where
	// they differ.
	Step(s *S, yield func())
}

// An Answer tells what became of a question. Where the verdict is Violated or
// Found, a behavior shows why; with a breadth-first search there is no shorter
// one that leads to a state or transition, and none with a shorter way to where
// it begins to repeat itself.
type Answer[S, A any] struct {
	Formula  Formula[S]
	Verdict  Verdict
	Behavior Behavior[S, A]
}

// Checked is what Check found: the Result of the search, and an Answer for each
// question (not for assumptions) in the order in which they were given.
type Checked[S, A any] struct {
	*explore.Result
	Answers []Answer[S, A]

	// Bounded says that transitions led to states outside a Constraint.
	Bounded bool

	system *Encoded[S, A]
}

// Check searches the states of a model and answers each question: in one
// search, which ends early only when each of them has been decided. Questions
// about infinite behaviors take the graph of all states (see Options.Graph).
// The zero Options will do. The verdict on a model without an initial state is
// Vacuous.
//
// An error says which field of S is not flat, what is wrong with the options or
// formulas, or where the model panicked: in which state, with the way to it (an
// error that wraps a *PanicError). Options.Targets and StopWhenAll must be left
// alone, as the questions are the targets.
func Check[S, A any](ctx context.Context, m Model[S, A], opt explore.Options, formulas ...Formula[S]) (*Checked[S, A], error) {
	if opt.Targets != 0 || opt.StopWhenAll != nil {
		return nil, fmt.Errorf("explore: Options.Targets is %d and StopWhenAll %v; Check sets both, since the questions are the targets", opt.Targets, opt.StopWhenAll)
	}
	e, err := Encode(m, formulas...)
	if err != nil {
		return nil, err
	}
	opt.Targets, opt.StopWhenAll = len(formulas), e.safety
	opt.Graph = opt.Graph || e.temporal
	r, err := e.search(ctx, opt)
	if err != nil {
		return nil, err
	}
	c := &Checked[S, A]{Result: r, system: e}
	if e.bounded() {
		c.Bounded = r.Forget(e.outside)
	}
	for i := range formulas {
		if formulas[i].kind.assumption() {
			continue
		}
		a, err := c.answer(ctx, i)
		if err != nil {
			return nil, err
		}
		c.Answers = append(c.Answers, a)
	}
	return c, nil
}

// search is Search, with the panic of a model as an error.
func (e *Encoded[S, A]) search(ctx context.Context, opt explore.Options) (r *explore.Result, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *explore.PanicError:
			err = e.panicked(p)
		default:
			panic(p)
		}
	}()
	return explore.Search(ctx, e, opt)
}

// panicked says where the model panicked.
func (e *Encoded[S, A]) panicked(p *explore.PanicError) error {
	if p.State == nil {
		return p
	}
	text := "the state is " + describe(e.Decode(p.State))
	if steps, err := e.Trace(p.Path); err == nil && len(steps) > 0 {
		text = "the way to the state is\n" + Behavior[S, A]{Steps: steps, Loop: NoLoop}.String()
	}
	return fmt.Errorf("explore: the model or a formula panicked: %v\n%s\n%w", p.Value, text, p)
}

// Answer returns the answer to the question of a name, nil if there is none.
func (c *Checked[S, A]) Answer(name string) *Answer[S, A] {
	for i := range c.Answers {
		if c.Answers[i].Formula.Name == name {
			return &c.Answers[i]
		}
	}
	return nil
}

// States calls yield with every state and the number of its node in the Graph,
// which the search has to have kept (Options.Graph, or a question about infinite
// behaviors), in the order of the numbers, until yield returns false. Errors are
// those of Graph.States.
func (c *Checked[S, A]) States(yield func(n uint32, s S) bool) error {
	if c.Graph == nil {
		return errors.New("explore: there is no graph: Options.Graph did not ask for it, or the search is not complete")
	}
	return c.Graph.States(func(n uint32, state []byte) bool {
		return c.system.isOutside(state) || yield(n, c.system.Decode(state))
	})
}

// answer answers question i.
func (c *Checked[S, A]) answer(ctx context.Context, i int) (a Answer[S, A], err error) {
	f := &c.system.formulas[i]
	a.Formula = *f
	_, hit := c.Hit(i)
	switch {
	case f.kind.temporal():
		a.Verdict, a.Behavior, err = c.temporal(ctx, i)
		return a, err
	case hit:
		if a.Verdict = Violated; f.kind == witness {
			a.Verdict = Found
		}
		steps, err := c.Path(i)
		if err != nil {
			return a, err
		}
		a.Behavior.Steps, err = c.system.Trace(steps)
		a.Behavior.Loop = NoLoop
		return a, err
	case !c.Complete():
		a.Verdict = Incomplete
	case f.kind == witness:
		a.Verdict = NotFound
	case c.Distinct == 0 || f.kind == stepInvariant && c.OutDegree() == 0:
		a.Verdict = Vacuous
	default:
		a.Verdict = Holds
	}
	return a, nil
}
