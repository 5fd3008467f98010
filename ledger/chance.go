package ledger

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"

	"bullyproof/checker/chance"
	"bullyproof/model"
)

// A ChanceQuestion asks how likely a run comes to its end, or what it costs on average until
// then.
type ChanceQuestion struct {
	// Over says for which schedulers the answer is to be as the source says.
	Over Schedulers
	// Unit is what is spent on average, as in chance.Expected: "messages", a kind of them, "steps",
	// "ticks" or "epochs". Empty asks for the probability.
	Unit string
	// After asks for the probability that the end is reached within so many of Bound: "ticks",
	// "steps" or "epochs". 0 asks for that without a bound.
	After int
	Bound string
	// Relation and Figure are what the source says. Without a figure an average is to be finite.
	Relation Relation
	Figure   *big.Rat
	// Until and When say where a run has come to its end, as chance.Options.Goal, and that in
	// words: "until one process has a token". Without them it is where all has settled.
	Until func(v *model.View) bool
	When  string
	// Blind says of Until what chance.Options.Blind says: it asks about no process by its id.
	Blind bool
}

// Schedulers are those for which a number is asked.
type Schedulers uint8

const (
	// AnyScheduler: the number is so whatever a scheduler does.
	AnyScheduler Schedulers = iota
	// LeastScheduler: it is so for the one for which it is least.
	LeastScheduler
	// MostScheduler: it is so for the one for which it is most.
	MostScheduler
)

// schedulerWords stand before what is asked.
var schedulerWords = []string{"", "least ", "most "}

// String returns the question: "average messages = 163/16".
func (q *ChanceQuestion) String() string {
	s := "probability"
	switch {
	case q.Unit != "":
		s = "average " + q.Unit
	case q.After > 0:
		s += fmt.Sprintf(" after %d %s", q.After, q.Bound)
	}
	s = schedulerWords[q.Over] + s
	if q.Figure == nil {
		s += " is finite"
	} else {
		s += " " + relationNames[q.Relation] + " " + q.Figure.RatString()
	}
	if q.When != "" {
		s += ", " + q.When
	}
	return s
}

// number returns what the question is about.
func (q *ChanceQuestion) number(r *chance.Report) (chance.Range, error) {
	switch {
	case q.After > 0:
		p := r.Curve[q.After].Range()
		return chance.Range{Least: rounded(p.Least), Most: rounded(p.Most)}, nil
	case q.Unit == "":
		return r.Reached, nil
	}
	if c := r.Cost(q.Unit); c != nil {
		return c.Range, nil
	}
	return chance.Range{}, fmt.Errorf("there is no average of %q", q.Unit)
}

// rounded returns a value whose bounds are known to nine digits.
func rounded(v chance.Value) chance.Value {
	const off = 1e-9
	return chance.Value{Low: v.Low - off, High: v.High + off}
}

// over returns a number for the schedulers for which it is asked.
func (q *ChanceQuestion) over(r chance.Range) chance.Range {
	switch q.Over {
	case LeastScheduler:
		r.Most = r.Least
	case MostScheduler:
		r.Least = r.Most
	}
	return r
}

// rule says what a number means for a claim.
func (q *ChanceQuestion) rule(r chance.Range) Ruling {
	least, most := q.compare(r.Least), q.compare(r.Most)
	switch {
	case least == equal && most == equal:
		return AsClaimed
	case q.Figure == nil && r.Most.Infinite():
		return NotAsClaimed
	case q.Figure == nil && math.IsInf(r.Most.High, 1): // by what follows beyond a bound
		return Open
	case q.Figure == nil:
		return AsClaimed
	case q.Relation == AtLeast:
		return least.ruling(above)
	case q.Relation == AtMost:
		return most.ruling(below)
	case least == below, least == above, most == below, most == above:
		return NotAsClaimed
	}
	return Open
}

// A comparison is that of a number with a figure.
type comparison uint8

const (
	equal comparison = iota
	below
	above
	between // the figure is between the bounds
)

// ruling returns what a comparison means where a number is to be the figure or lie on one side.
func (c comparison) ruling(side comparison) Ruling {
	switch c {
	case equal, side:
		return AsClaimed
	case between:
		return Open
	}
	return NotAsClaimed
}

// compare compares a number with the figure; without one there is nothing to be known.
func (q *ChanceQuestion) compare(v chance.Value) comparison {
	if q.Figure == nil {
		return between
	}
	low, high := -1, 1
	switch {
	case v.Infinite():
		return above
	case v.Exact != nil:
		low = v.Exact.Cmp(q.Figure)
		high = low
	default:
		low = new(big.Rat).SetFloat64(v.Low).Cmp(q.Figure)
		if !math.IsInf(v.High, 1) {
			high = new(big.Rat).SetFloat64(v.High).Cmp(q.Figure)
		}
	}
	switch {
	case low == 0 && high == 0:
		return equal
	case low > 0:
		return above
	case high < 0:
		return below
	}
	return between
}

// options returns those of what is asked.
func (q *ChanceQuestion) options() chance.Options {
	return chance.Options{Goal: q.Until, GoalText: q.When, Blind: q.Blind, Within: q.After, Unit: q.Bound}
}

// chances answers questions about chance.
func (j *judging) chances(ctx context.Context, s *search) error {
	v, sys, err := j.a.at(s.evidence[0])
	if err != nil {
		return err
	}
	opt := s.evidence[0].Chance.options()
	opt.Algorithm, opt.Variant, opt.Workers = j.a.Name, v.Name, j.opt.Workers
	opt.MaxStates, opt.MaxTime, opt.Progress = s.limit(), j.opt.MaxTime, j.progress(s)
	r, err := chance.Of(ctx, sys, opt)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	for _, e := range s.evidence {
		x := j.found[e]
		x.States = r.Distinct
		if err := x.weigh(e.Chance, r); err != nil {
			return err
		}
	}
	return nil
}

// weigh says what chances mean for a claim.
func (x *Exhibit) weigh(q *ChanceQuestion, r *chance.Report) error {
	if r.Why != "" {
		x.Ruling, x.Found = Open, "unknown: "+r.Why
		return nil
	}
	number, err := q.number(r)
	if err != nil {
		return err
	}
	number = q.over(number)
	x.Ruling, x.Found = q.rule(number), number.Least.String()
	switch most := number.Most.String(); {
	case number.Same(), most == x.Found:
	case r.Cut > 0:
		x.Found = fmt.Sprintf("%s for one scheduler, %s for another", x.Found, most)
	default:
		x.Found += " to " + most + ", as the scheduler has it"
	}
	return nil
}

// turnsChance reports whether the chances of a system are not what a source says.
func turnsChance(ctx context.Context, sys *model.System, q *ChanceQuestion, most uint64) (bool, error) {
	opt := q.options()
	opt.MaxStates, opt.Workers = most, 1
	r, err := chance.Of(ctx, sys, opt)
	if err != nil || r.Why != "" || q.Unit != "" && r.Cost(q.Unit) == nil { // it may have other kinds of messages
		return false, err
	}
	var x Exhibit
	err = x.weigh(q, r)
	return x.Ruling == NotAsClaimed, err
}
