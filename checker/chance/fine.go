package chance

import (
	"context"
	"math"
	"math/big"
	"slices"
)

// A fine is a solution of one component to more digits than float64 has, for the policy that is
// best by it: what the equations are short of is computed with many digits, and the correction
// that this asks for with few (iterative refinement), some eight digits more in each round.
type fine struct {
	q      *question
	x      *solution
	states []uint32
	at     map[uint32]int // by state, its index
	policy []uint32
	v      []*big.Float
	bits   uint     // of v
	near   *big.Rat // how near a guess is, relatively
}

// fineRounds is how often a solution is refined at most.
const fineRounds = 24

func newFine(q *question, x *solution, states []uint32) *fine {
	f := &fine{q: q, x: x, states: states, at: make(map[uint32]int, len(states)), policy: q.begin(states, x), bits: 64, near: big.NewRat(1, 1e10)}
	for i, s := range states {
		f.at[s] = i
		f.v = append(f.v, f.number().SetFloat64(x.low[s]))
	}
	return f
}

// guess returns the simplest rational number that is as near to a solution as that is right.
func (f *fine) guess(t uint32) *big.Rat {
	v, _ := f.v[f.at[t]].Rat(nil)
	return simplest(v, f.near)
}

// number returns 0.
func (f *fine) number() *big.Float { return new(big.Float).SetPrec(f.bits) }

// refine makes a solution right to more digits.
func (f *fine) refine(ctx context.Context, values []*big.Rat) error {
	f.bits += 32
	for _, v := range f.v {
		v.SetPrec(f.bits)
	}
	short := make([]float64, len(f.states))
	for i := range f.states {
		f.improve(i, values)
		d := f.of(f.policy[i], values)
		short[i], _ = d.Sub(d, f.v[i]).Float64()
	}
	correction, err := f.correct(ctx, short)
	for i, c := range correction {
		f.v[i].Add(f.v[i], new(big.Float).SetFloat64(c))
	}
	f.near.Mul(f.near, big.NewRat(1, 1e8))
	return err
}

// correct solves the equations of the policy for what they are short of.
func (f *fine) correct(ctx context.Context, short []float64) ([]float64, error) {
	type part struct {
		of int
		p  float64
	}
	var parts []part
	var bounds []int
	for i := range short {
		bounds = append(bounds, len(parts))
		to, label := f.q.m.branches(f.policy[i])
		for k, t := range to {
			if j, inside := f.at[t]; inside {
				parts = append(parts, part{j, f.q.m.p[label[k]]})
			}
		}
	}
	bounds = append(bounds, len(parts))
	correction := make([]float64, len(short))
	for sweep := range mostSweeps {
		if sweep%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		change, largest := 0.0, 0.0
		for i, c := range short {
			for _, part := range parts[bounds[i]:bounds[i+1]] {
				c += part.p * correction[part.of]
			}
			change, largest = max(change, math.Abs(c-correction[i])), max(largest, math.Abs(c))
			correction[i] = c
		}
		if change <= 1e-13*largest {
			break
		}
	}
	return correction, nil
}

// improve has the policy take the best action at a state, if that is another one for sure.
func (f *fine) improve(i int, values []*big.Rat) {
	best := f.of(f.policy[i], values)
	margin := new(big.Float).Mul(best, new(big.Float).SetRat(f.near))
	margin.Mul(margin, big.NewFloat(1e3))
	f.q.m.actionsOf(f.states[i], func(a uint32) {
		if a == f.policy[i] || f.x.usable != nil && !f.x.usable[a] {
			return
		}
		v := f.of(a, values)
		gain := new(big.Float).Sub(v, best)
		if !f.q.most {
			gain.Neg(gain)
		}
		if gain.Cmp(margin) > 0 {
			f.policy[i], best = a, v
		}
	})
}

// of returns what an action comes to.
func (f *fine) of(a uint32, values []*big.Rat) *big.Float {
	sum, x := f.number(), f.number()
	to, label := f.q.m.branches(a)
	for k, t := range to {
		if j, inside := f.at[t]; inside {
			x.Set(f.v[j])
		} else {
			x.SetRat(values[t])
		}
		if f.q.spent != nil {
			x.Add(x, new(big.Float).SetInt64(int64(f.q.spent[label[k]])))
		}
		if len(to) == 1 {
			return x
		}
		sum.Add(sum, x.Mul(x, f.number().SetRat(f.q.m.rat[label[k]])))
	}
	return sum
}

// begin returns the policy of the actions that are best by the values of a solution, or nearly so,
// and of these one that gets nearer to a way out: a policy that goes round for good has no finite
// answer.
func (q *question) begin(states []uint32, x *solution) []uint32 {
	const unset = ^uint32(0)
	policy, at := make([]uint32, len(states)), make(map[uint32]int, len(states))
	for i, s := range states {
		policy[i], at[s] = unset, i
	}
	for near := precision; ; near *= 100 {
		for set := true; set; {
			set = false
			for i, s := range states {
				if policy[i] != unset {
					continue
				}
				best := q.best(s, x.low, x.usable)
				q.m.actionsOf(s, func(a uint32) {
					if policy[i] != unset || x.usable != nil && !x.usable[a] || math.Abs(q.of(a, x.low)-best) > near*max(1, best) {
						return
					}
					if !q.m.all(a, func(t uint32) bool { j, inside := at[t]; return inside && policy[j] == unset }) {
						policy[i], set = a, true
					}
				})
			}
		}
		if !slices.Contains(policy, unset) {
			return policy
		}
	}
}

// simplest returns the first convergent of the continued fraction of a number v, 0 or more, that
// is right up to near, of v or of 1 if that is more.
func simplest(v, near *big.Rat) *big.Rat {
	far := new(big.Rat).Set(near)
	if v.Cmp(one) > 0 {
		far.Mul(far, v)
	}
	p0, q0, p1, q1 := big.NewInt(0), big.NewInt(1), big.NewInt(1), big.NewInt(0)
	num, den := new(big.Int).Set(v.Num()), new(big.Int).Set(v.Denom())
	for {
		a, rest := new(big.Int).QuoRem(num, den, new(big.Int))
		p0, p1 = p1, p0.Add(p0, new(big.Int).Mul(a, p1))
		q0, q1 = q1, q0.Add(q0, new(big.Int).Mul(a, q1))
		guess := new(big.Rat).SetFrac(p1, q1)
		if d := new(big.Rat).Sub(v, guess); rest.Sign() == 0 || d.Abs(d).Cmp(far) <= 0 {
			return guess
		}
		num, den = den, rest
	}
}
