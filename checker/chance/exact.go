package chance

import (
	"context"
	"errors"
	"math"
	"math/big"
)

// exactly returns the answer at each state as a rational number, nil where it is infinite. There
// is no answer where runs go round through more than so many states, ten times as many are in
// the whole, or the numbers are longer than some 200 digits; largest says how many states the
// largest component has.
func (q *question) exactly(ctx context.Context, x *solution, most int) (values []*big.Rat, largest int, err error) {
	values = make([]*big.Rat, q.m.states())
	for s := range values {
		if x.known[s] && !math.IsInf(x.low[s], 1) {
			values[s] = new(big.Rat).SetFloat64(x.low[s]) // 0 or 1
		}
	}
	x.parts.each(func(states []uint32) error {
		if q.cyclic(states, x) {
			largest = max(largest, len(states))
		}
		return nil
	})
	if largest > most || len(values)/10 > most {
		return nil, largest, nil
	}
	err = x.parts.each(func(states []uint32) error {
		switch {
		case x.known[states[0]]:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case q.cyclic(states, x):
			return q.guess(ctx, x, states, values)
		}
		values[states[0]] = q.bestExact(states[0], x, values)
		return nil
	})
	if errors.Is(err, errTooLong) {
		return nil, largest, nil
	}
	return values, largest, err
}

// errTooLong says that rational numbers are too long to be guessed.
var errTooLong = errors.New("too many digits")

// guess finds the answers in a component that has a cycle. It takes the simplest rational numbers
// next to a solution for the answer at some states, as few as leave no cycle without one, computes
// the others from them, and sees whether all equations hold then: these have one solution only,
// since among the usable actions no end component is in which nothing is spent. Where they do
// not hold the solution is refined, and guessed anew. (M. S. Bauer, U. Mathur, R. Chadha, A. P.
// Sistla, M. Viswanathan, Exact quantitative probabilistic model checking through rational search,
// 2017.)
func (q *question) guess(ctx context.Context, x *solution, states []uint32, values []*big.Rat) error {
	for _, s := range states {
		q.m.actionsOf(s, func(a uint32) {
			to, _ := q.m.branches(a)
			for _, t := range to {
				if values[t] != nil {
					x.low[t], _ = values[t].Float64()
				}
			}
		})
	}
	if err := q.settle(ctx, x, states); err != nil {
		return err
	}
	f := newFine(q, x, states)
	for range fineRounds {
		if ok, err := q.holds(ctx, x, states, values, f.guess); ok || err != nil {
			return err
		}
		if err := f.refine(ctx, values); err != nil {
			return err
		}
	}
	return errTooLong
}

// holds computes the answers of a component, with guesses for those that others need before it
// comes to them, and reports whether it comes to the guesses.
func (q *question) holds(ctx context.Context, x *solution, states []uint32, values []*big.Rat, guess func(t uint32) *big.Rat) (ok bool, err error) {
	for i, s := range states {
		if i%1024 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		q.m.actionsOf(s, func(a uint32) {
			to, _ := q.m.branches(a)
			for _, t := range to {
				if values[t] == nil && !math.IsInf(x.low[t], 1) {
					values[t] = guess(t)
				}
			}
		})
		v := q.bestExact(s, x, values)
		if values[s] != nil && values[s].Cmp(v) != 0 {
			for _, s := range states {
				values[s] = nil
			}
			return false, nil
		}
		values[s] = v
	}
	return true, nil
}

// settle sweeps through a component until no value grows any more, as far as float64 tells, or
// for long.
func (q *question) settle(ctx context.Context, x *solution, states []uint32) error {
	for sweep := range mostSweeps {
		if sweep%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		grows := false
		for _, s := range states {
			if v := q.best(s, x.low, x.usable); v > x.low[s] {
				grows = grows || v-x.low[s] > 1e-15*v
				x.low[s] = v
			}
		}
		if !grows {
			break
		}
	}
	return nil
}

// mostSweeps is how often a component is swept through at most once its values hardly change.
const mostSweeps = 20_000

// bestExact returns what the best usable action of a state comes to.
func (q *question) bestExact(s uint32, x *solution, values []*big.Rat) (best *big.Rat) {
	q.m.actionsOf(s, func(a uint32) {
		if x.usable != nil && !x.usable[a] {
			return
		}
		if v := q.exact(a, values); best == nil || q.most && v.Cmp(best) > 0 || !q.most && v.Cmp(best) < 0 {
			best = v
		}
	})
	if best == nil {
		return new(big.Rat)
	}
	return best
}

// exact returns what an action comes to.
func (q *question) exact(a uint32, values []*big.Rat) *big.Rat {
	sum, v := new(big.Rat), new(big.Rat)
	to, label := q.m.branches(a)
	for i, t := range to {
		v.Set(values[t])
		if q.spent != nil && q.spent[label[i]] != 0 {
			v.Add(v, big.NewRat(int64(q.spent[label[i]]), 1))
		}
		if len(to) == 1 {
			return v
		}
		sum.Add(sum, v.Mul(v, q.m.rat[label[i]]))
	}
	return sum
}

// spends returns what an action spends on average.
func (q *question) spends(a uint32) *big.Rat {
	sum := new(big.Rat)
	_, label := q.m.branches(a)
	for _, l := range label {
		sum.Add(sum, new(big.Rat).Mul(q.m.rat[l], big.NewRat(int64(q.spent[l]), 1)))
	}
	return sum
}
