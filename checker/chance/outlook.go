package chance

import (
	"context"
	"math"
	"slices"
)

// An outlook asks an mdp for probabilities and costs of which bounds are known where nothing is known
// of what follows some of its states.
type outlook struct {
	worst   *reach // the goal never follows there
	hopeful *reach // the goal follows there at once; the same where there are no such states
}

func newOutlook(m *mdp) *outlook {
	o := &outlook{worst: newReach(m)}
	if o.hopeful = o.worst; slices.Contains(m.cut, true) {
		o.hopeful = newReach(m.hopeful())
	}
	return o
}

// sure reports whether both cases are one.
func (o *outlook) sure() bool { return o.hopeful == o.worst }

// hopeful returns the mdp in which the goal follows at once where nothing is known.
func (m *mdp) hopeful() *mdp {
	h := *m
	h.goal = slices.Clone(m.goal)
	for s, cut := range m.cut {
		h.goal[s] = h.goal[s] || cut
	}
	return &h
}

// value returns the answer at a state, as reach.value does. A probability is one between that
// of the worst case and that of the hopeful one. A cost is no less than in the hopeful case, and has
// no bound above.
func (o *outlook) value(ctx context.Context, spent []int32, most bool, at uint32, exact int, largest *int) (Value, error) {
	v, err := o.hopeful.value(ctx, spent, most, at, exact, largest)
	if err != nil || o.sure() || v.Infinite() {
		return v, err
	}
	if spent != nil {
		return Value{Low: v.Low, High: math.Inf(1)}, nil
	}
	worst, err := o.worst.value(ctx, nil, most, at, exact, largest)
	if worst.Exact != nil && v.Exact != nil && worst.Exact.Cmp(v.Exact) == 0 {
		return v, err
	}
	return Value{Low: worst.Low, High: v.High}, err
}

// A bounded is a number of which bounds are known, within 0, 1, ...
type bounded struct{ low, high []float64 }

// within returns what question.within does, in the worst case and in the hopeful one.
func (o *outlook) within(ctx context.Context, spent []int32, most bool, at uint32, bound int) (b bounded, err error) {
	if b.low, err = (&question{m: o.worst.mdp, spent: spent, most: most}).within(ctx, at, bound); err != nil || o.sure() {
		return bounded{b.low, b.low}, err
	}
	b.high, err = (&question{m: o.hopeful.mdp, spent: spent, most: most}).within(ctx, at, bound)
	return b, err
}
