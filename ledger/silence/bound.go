package silence

import (
	"cmp"
	"context"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/model"
	"bullyproof/trace"
)

// A Bound is what a run must not cost: as much as Of in the worst case, and as little in the
// best.
type Bound struct {
	Measure cost.Measure
	Case    cost.Case
	// From and When say where counting begins, as cost.Options.From, and that in words.
	From func(v *model.View) bool
	When string
	Of   int
}

// search looks for a run that costs what it must not. A strict search has only the runs that
// meet no silence: they cost the same in every reading.
func (b *Bound) search(ctx context.Context, sys *model.System, open Answering, opt Options) (checker.Verdict, *trace.Trace, error) {
	r, err := cost.Of(ctx, sys, cost.Options{
		From: b.From, Workers: opt.Workers, MaxStates: opt.MaxStates, Within: open == Strict, Progress: opt.Progress,
	})
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return 0, nil, err
	}
	if r.Why != "" {
		return checker.Incomplete, nil, nil
	}
	if !b.reached(r.Cost(b.Measure)) {
		return checker.Holds, nil, nil
	}
	run, err := r.Run(b.Measure, b.Case)
	if err != nil {
		return 0, nil, err
	}
	return checker.Violated, run.Trace, nil
}

// reached reports whether some run costs so much, or so little.
func (b *Bound) reached(c *cost.Cost) bool {
	if b.Case == cost.WorstCase {
		return c.Unbounded || c.Worst >= b.Of
	}
	return c.Best >= 0 && c.Best <= b.Of
}
