package typed

import (
	"context"

	"bullyproof/explore/liveness"
)

// fairness returns the assumptions of fairness in terms of the graph's labels.
// Everything is optional: what has to happen only fairness says, as in TLA+.
func (e *Encoded[S, A]) fairness() liveness.FairRuns {
	f := liveness.FairRuns{Optional: []bool{true}}
	for i := range e.fair {
		f.Strength = append(f.Strength, e.formulas[e.fair[i].target].strength)
	}
	if e.sets == nil {
		return f
	}
	e.sets.mu.Lock()
	defer e.sets.mu.Unlock()
	f.Optional = make([]bool, len(e.sets.in))
	f.Classes = make([][]int32, len(e.sets.in))
	for label, in := range e.sets.in {
		f.Optional[label] = true
		for i := range e.fair {
			if in>>i&1 != 0 {
				f.Classes[label] = append(f.Classes[label], int32(i))
			}
		}
	}
	return f
}

// temporal answers question i, which is about infinite behaviors.
func (c *Checked[S, A]) temporal(ctx context.Context, i int) (Verdict, Behavior[S, A], error) {
	var none Behavior[S, A]
	g := c.Graph
	if g == nil {
		return Incomplete, none, nil
	}
	lasso, err := liveness.FindLasso(ctx, g, c.query(i))
	switch {
	case err != nil && ctx.Err() != nil:
		return Incomplete, none, nil
	case err != nil:
		return 0, none, err
	case lasso != nil:
		b, err := c.behavior(lasso)
		return Violated, b, err
	case c.Bounded:
		return Incomplete, none, nil
	case c.Distinct == 0 || c.system.formulas[i].kind == response && !c.ever(c.system.bit[i]):
		return Vacuous, none, nil
	}
	return Holds, none, nil
}

// ever reports whether some state has a mark.
func (c *Checked[S, A]) ever(bit int) bool {
	for n := range uint32(c.Graph.Nodes()) {
		if c.Graph.Mark(n)>>bit&1 != 0 {
			return true
		}
	}
	return false
}

// query returns what to look for to see question i answered with no: a behavior
// within the constraint.
func (c *Checked[S, A]) query(i int) liveness.LassoQuery {
	g, bit := c.Graph, c.system.bit[i]
	at := func(n uint32, bit int) bool { return g.Mark(n)>>bit&1 != 0 }
	inside := func(n uint32) bool { return !at(n, outsideBit) }
	without := func(bit int) func(n uint32) bool {
		return func(n uint32) bool { return inside(n) && !at(n, bit) }
	}
	q := liveness.LassoQuery{Fairness: c.system.fairness()}
	switch c.system.formulas[i].kind {
	case guarantee:
		initial := uint32(len(g.Initial())) // they come first
		q.From, q.Within = func(n uint32) bool { return n < initial }, without(bit)
	case persistence:
		q.Within, q.Visit = inside, without(bit)
	case recurrence:
		q.Within = without(bit)
	case response:
		q.From, q.Within = func(n uint32) bool { return at(n, bit) && !at(n, bit+1) }, without(bit+1)
	}
	return q
}

// behavior returns the typed form of a lasso.
func (c *Checked[S, A]) behavior(lasso *liveness.Lasso) (b Behavior[S, A], err error) {
	hops := append(lasso.Prefix[:len(lasso.Prefix):len(lasso.Prefix)], lasso.Cycle...)
	steps, err := c.Graph.Steps(hops)
	if err != nil {
		return b, err
	}
	b.Steps, err = c.system.Trace(steps)
	b.Loop = len(lasso.Prefix) - 1
	return b, err
}
