package chance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"bullyproof/checker"
	"bullyproof/checker/class"
	"bullyproof/explore"
	"bullyproof/internal/naming"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Options say what is asked, and how far to go. The zero value asks for settled states and for
// exact answers where that is quick.
type Options struct {
	// Algorithm and Variant are the names that the report has. An empty Algorithm stands for
	// "protocol"; Variant may be empty.
	Algorithm, Variant string

	// Goal says where a run has come to its end: in the first states in which it is true, of those
	// between two ticks in lockstep. Nil stands for settled states. It is called from several
	// goroutines, has no side effects, and does not keep v.
	Goal func(v *model.View) bool
	// GoalText says in words what the goal is; empty stands for "settled".
	GoalText string
	// Blind says that Goal has the same answer if all processes change places: it asks about none by
	// its id. Settled states are blind.
	Blind bool

	// Within is the largest bound of Report.Curve, in Unit; 0 asks for no curve.
	Within int
	// Unit is what Within counts: "steps", "ticks" or "epochs", or one of Counted; empty stands
	// for "ticks" where time passes in ticks, and for "steps" elsewhere.
	Unit string

	// Counted are at most seven kinds of steps that are counted besides.
	Counted []Counted

	// Fairness is what a scheduler owes: class.WeakFairness if it is nil, or class.NoFairness.
	Fairness *class.Fairness

	// ExactStates is how many states a cycle may go through at most whose values are
	// computed as rational numbers, of ten times as many in all; 0 stands for 3,000, and a
	// negative number for none.
	ExactStates int

	// Exhaustive explores every order of events also where one has the same answers, and each state
	// also where one stands for several.
	Exhaustive bool

	// Workers, MaxStates, MaxBytes, MaxTime, Progress and ProgressEvery are those of the search
	// (checker.Options). A search that is cut short has no answers.
	Workers       int
	MaxStates     uint64
	MaxBytes      int64
	MaxTime       time.Duration
	Progress      func(explore.Progress)
	ProgressEvery time.Duration
}

// A Counted is a kind of steps: "splits", say.
type Counted struct {
	Name string
	Step func(e *model.Event) bool
}

// A Value is a number of which there are bounds, and perhaps more.
type Value struct {
	// Low and High are bounds, up to the rounding of float64. Both are infinite where a scheduler
	// can keep from the goal, or go on and spend as much as it likes.
	Low, High float64
	// Exact is the number, nil where it is infinite or was not computed.
	Exact *big.Rat
}

// Infinite reports whether there is no such number.
func (v Value) Infinite() bool { return math.IsInf(v.Low, 1) }

// String returns the number as "163/16", or to six digits as far as it is known, "infinite" where
// it is.
func (v Value) String() string {
	switch {
	case v.Infinite():
		return "infinite"
	case v.Exact != nil && len(v.Exact.RatString()) <= 24:
		return v.Exact.RatString()
	case v.Low == v.High:
		return fmt.Sprintf("%.6g", v.Low)
	case math.IsInf(v.High, 1):
		return fmt.Sprintf("at least %.6g", v.Low)
	case v.High-v.Low <= 2*precision*v.High:
		return fmt.Sprintf("%.6g", (v.Low+v.High)/2)
	}
	return fmt.Sprintf("%.6g to %.6g", v.Low, v.High)
}

// A Range is a number for the schedulers for which it is least and most.
type Range struct{ Least, Most Value }

// Same reports whether it is the same for all schedulers.
func (r Range) Same() bool {
	if r.Least.Exact != nil && r.Most.Exact != nil {
		return r.Least.Exact.Cmp(r.Most.Exact) == 0
	}
	return r.Least.Low == r.Most.Low && r.Least.High == r.Most.High
}

// An Expected is what is spent on average until the goal.
type Expected struct {
	// Unit is what is spent: "messages", a kind of messages, "steps", "ticks" or "epochs" (how
	// often the highest epoch that anybody believes in grows), or the name of a Counted.
	Unit string
	Range
}

// An Estimate is what walks at random say of a number: its mean, and how far off that may be, with
// 95 % confidence (1.96 standard errors).
type Estimate struct {
	Unit      string
	Mean, Off float64
}

// A Point of a curve is the probability that the goal is reached within a bound: for the worst
// scheduler no less than Least, for the best no more than Most.
type Point struct {
	At          int
	Least, Most float64

	leastHigh, mostLow float64 // the bounds on the other side
}

// Range returns the probability for the worst and for the best scheduler. Both have two bounds
// where nothing is known of what follows some states (Report.Cut).
func (p Point) Range() Range {
	return Range{Value{Low: p.Least, High: p.leastHigh}, Value{Low: p.mostLow, High: p.Most}}
}

// A Report is what chance does in a setting.
type Report struct {
	// Algorithm and Variant are the names that it was asked for.
	Algorithm, Variant string
	// Setting is the world in which the answers are true, and no other.
	Setting setting.Setting
	// Goal says where a run comes to its end.
	Goal string
	// Fairness is what a scheduler owes.
	Fairness class.Fairness

	// Why says why there are no answers. Empty as a rule.
	Why string
	// Reached is the probability to reach the goal.
	Reached Range
	// Costs has what is spent until then.
	Costs []Expected
	// Walks are how many walks at random were made beside, if any, and Estimates what these say. A
	// walk has a scheduler that tosses as well: it is between the least and the most.
	Walks     int
	Estimates []Estimate
	// Curve has the probability within 0, 1, ... of Unit, where that was asked.
	Curve []Point
	Unit  string

	// Distinct and Transitions are the numbers of states and of transitions, Actions that of
	// actions, and Tossed that of those in which chance decides. Choosers is the number of states
	// that leave the scheduler a choice.
	Distinct, Transitions     uint64
	Actions, Tossed, Choosers int
	// OneOrder says that events which the order makes no difference to happen in one order, and
	// Orbits that one state stands for those in which processes have changed places.
	OneOrder, Orbits bool
	// Largest is the number of states of the largest component whose values are no simple sums,
	// and 0 where there is no cycle.
	Largest int
	// Duration is the time that search and answers took, Solving that of the answers.
	Duration, Solving time.Duration
	// CollisionProbability is that of explore.Result.
	CollisionProbability float64

	// Cut is the number of states that a process enters beyond the protocol's bound. Nothing is known
	// of what follows, so that where there are any a probability has one bound for the case that the
	// goal never follows, and one for the case that it always does, and a cost no bound above.
	Cut int

	decisions *decisions
	asked     Options
}

// Subject names whose chances they are: "itairodeh/fokkink-pang".
func (r *Report) Subject() string {
	if r.Variant == "" {
		return r.Algorithm
	}
	return r.Algorithm + "/" + r.Variant
}

// Cost returns what is spent of a unit, nil where that was not counted.
func (r *Report) Cost(unit string) *Expected {
	i := slices.IndexFunc(r.Costs, func(e Expected) bool { return e.Unit == unit })
	if i < 0 {
		return nil
	}
	return &r.Costs[i]
}

// Estimate notes of a unit what walks at random spent, a number for each.
func (r *Report) Estimate(unit string, walks int, mean, deviation float64) {
	r.Walks = walks
	r.Estimates = append(r.Estimates, Estimate{unit, mean, 1.96 * deviation / math.Sqrt(float64(walks))})
}

// Of explores a system up to the goal, and answers.
//
// Why of the report says where there are no answers: the search did not end, a bound leaves
// outcomes out, or a handler both tosses and chooses. Errors are of what is asked: processes that
// crash between their sends, another fairness, a unit that is none. Other errors are those of
// checker.Check.
func Of(ctx context.Context, sys *model.System, opt Options) (*Report, error) {
	begin := time.Now()
	opt.Algorithm = cmp.Or(opt.Algorithm, naming.Unnamed)
	if err := opt.check(sys); err != nil {
		return nil, err
	}
	r := &Report{Algorithm: opt.Algorithm, Variant: opt.Variant, Setting: sys.Setting(), Goal: cmp.Or(opt.GoalText, "settled"), Fairness: *opt.Fairness, Unit: opt.Unit, asked: opt}
	d, why, err := explored(ctx, sys, &opt, r, false)
	if err != nil {
		return nil, err
	}
	if r.Why = why; why == "" {
		solving := time.Now()
		r.decisions = d
		err = r.answer(ctx, &opt)
		r.Solving = time.Since(solving)
	}
	r.Duration = time.Since(begin)
	if err != nil && errors.Is(err, ctx.Err()) {
		r.Why, r.Costs, r.Curve, err = cancelled, nil, nil, nil
	}
	return r, err
}

const cancelled = "the computation was cancelled"

// check fills in what options leave open, and refuses what has no answer.
func (o *Options) check(sys *model.System) error {
	s := sys.Setting()
	if s.MidSend {
		return errors.New("mid-send=yes: a crash between the sends of a handler comes between its tosses and what they lead to (want mid-send=no)")
	}
	if o.Fairness == nil {
		o.Fairness = &class.WeakFairness
	}
	if text := o.Fairness.String(); text != class.WeakFairness.String() && text != class.NoFairness.String() {
		return fmt.Errorf("a scheduler under %s: want weak fairness or none", text)
	}
	if o.ExactStates == 0 {
		o.ExactStates = 3_000
	}
	if len(o.Counted) > 7 {
		return fmt.Errorf("%d kinds of steps to count: want at most 7", len(o.Counted))
	}
	if o.Unit == "" {
		if o.Unit = unitSteps; s.Timing.Kind.Discrete() {
			o.Unit = unitTicks
		}
	}
	units := []string{unitSteps, unitEpochs}
	if s.Timing.Kind.Discrete() {
		units = append(units, unitTicks)
	}
	for _, c := range o.Counted {
		units = append(units, c.Name)
	}
	if slices.Contains(units, o.Unit) {
		return nil
	}
	return fmt.Errorf("within %d %q: want %s in timing=%v", o.Within, o.Unit, strings.Join(units, ", "), s.Timing)
}

const (
	unitMessages = "messages"
	unitSteps    = "steps"
	unitTicks    = "ticks"
	unitEpochs   = "epochs"
)

// search returns the options of the search.
func (o *Options) search() checker.Options {
	return checker.Options{
		Algorithm: o.Algorithm, Variant: o.Variant, Workers: o.Workers, Exhaustive: true,
		MaxStates: o.MaxStates, MaxBytes: o.MaxBytes, MaxTime: o.MaxTime, Progress: o.Progress, ProgressEvery: o.ProgressEvery,
	}
}

// answer answers all that is asked.
func (r *Report) answer(ctx context.Context, opt *Options) error {
	d := r.decisions
	p := newOutlook(d.mdp)
	for _, most := range []bool{false, true} {
		v, err := p.value(ctx, nil, most, d.start, opt.ExactStates, &r.Largest)
		if err != nil {
			return err
		}
		r.Reached.put(most, v)
	}
	for i, u := range d.units {
		// Where each step sends one message, so many messages are so many steps.
		if k := slices.IndexFunc(d.units[:i], func(w unit) bool { return slices.Equal(w.spent, u.spent) }); k >= 0 {
			r.Costs = append(r.Costs, Expected{u.name, r.Costs[k].Range})
			continue
		}
		if r.Reached.Least.Low == 1 && !slices.ContainsFunc(u.spent, func(k int32) bool { return k > 0 }) {
			nothing := Value{Exact: new(big.Rat)}
			r.Costs = append(r.Costs, Expected{u.name, Range{nothing, nothing}})
			continue
		}
		e := Expected{Unit: u.name}
		for _, most := range []bool{false, true} {
			v, err := p.value(ctx, u.spent, most, d.start, opt.ExactStates, &r.Largest)
			if err != nil {
				return fmt.Errorf("%s: %w", u.name, err)
			}
			e.put(most, v)
		}
		r.Costs = append(r.Costs, e)
	}
	if opt.Within > 0 {
		return r.curve(ctx, opt, p)
	}
	return nil
}

func (r *Range) put(most bool, v Value) {
	if most {
		r.Most = v
	} else {
		r.Least = v
	}
}

// curve computes the probability within bounds.
func (r *Report) curve(ctx context.Context, opt *Options, p *outlook) error {
	d := r.decisions
	for _, u := range d.units {
		if u.name != opt.Unit {
			continue
		}
		least, err := p.within(ctx, u.spent, false, d.start, opt.Within)
		if err != nil {
			return fmt.Errorf("within %d %s: %w (want steps)", opt.Within, opt.Unit, err)
		}
		most, err := p.within(ctx, u.spent, true, d.start, opt.Within)
		if err != nil {
			return err
		}
		for at := range least.low {
			r.Curve = append(r.Curve, Point{at, least.low[at], most.high[at], least.high[at], most.low[at]})
		}
	}
	return nil
}
