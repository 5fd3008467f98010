package chance

import (
	"fmt"
	"math/big"
	"testing"

	"bullyproof/model"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A Claim is what Verify asks of a report.
type Claim struct {
	within          int // of unit, where there is one
	unit            string
	atLeast, atMost float64 // the probability
	spent           string  // a unit: the claim is about what is spent
	most            float64
}

// Probability claims that every fair scheduler reaches the goal with a probability from least to
// most, 0 to 1.
func Probability(least, most float64) Claim { return Claim{atLeast: least, atMost: most} }

// Within has a claim of Probability be about a bound: 10, "ticks".
func (c Claim) Within(most int, unit string) Claim {
	c.within, c.unit = most, unit
	return c
}

// AtMost claims that no fair scheduler has more than so much spent on average until the goal, of
// a unit like "messages".
func AtMost(most float64, unit string) Claim {
	return Claim{spent: unit, most: most}
}

// String returns the claim in words.
func (c Claim) String() string {
	switch {
	case c.spent != "":
		return fmt.Sprintf("at most %g %s on average", c.most, c.spent)
	case c.unit != "":
		return fmt.Sprintf("probability %g to %g within %d %s", c.atLeast, c.atMost, c.within, c.unit)
	}
	return fmt.Sprintf("probability %g to %g", c.atLeast, c.atMost)
}

// wrong says why a claim is not true of a report, "" if it is. Where a number is known by its
// bounds alone, the claim has to be true of both.
func (c Claim) wrong(r *Report) string {
	least, most := r.Reached.Least, r.Reached.Most
	switch {
	case c.spent != "":
		cost := r.Cost(c.spent)
		if cost == nil {
			return fmt.Sprintf("%q is not counted", c.spent)
		}
		if cost.Most.above(c.most) {
			return fmt.Sprintf("%s for the worst scheduler", cost.Most)
		}
		return ""
	case c.unit != "":
		p := r.Curve[c.within].Range()
		least, most = p.Least, p.Most
	}
	if least.below(c.atLeast) || most.above(c.atMost) {
		return fmt.Sprintf("%s for the worst scheduler, %s for the best", least, most)
	}
	return ""
}

// below reports whether a number may be less than another, which stands for what it is written as.
func (v Value) below(x float64) bool {
	if v.Exact != nil {
		return v.Exact.Cmp(written(x)) < 0
	}
	return v.Low < x
}

// above reports whether a number may be more than another.
func (v Value) above(x float64) bool {
	if v.Exact != nil {
		return v.Exact.Cmp(written(x)) > 0
	}
	return v.High > x
}

// written returns 24/25 for 0.96.
func written(x float64) *big.Rat {
	r, _ := new(big.Rat).SetString(fmt.Sprint(x))
	return r
}

// Verify fails a test whose claims are not true of a protocol in a setting, and draws the most
// likely run that does not get to the goal, if there is one.
//
//	chance.Verify(t, &itairodeh.Protocol{}, "n=3 topology=ring:anonymous channels=fifo timing=patient", chance.Options{},
//		chance.Probability(1, 1), chance.AtMost(11, "messages"))
func Verify[P any, M model.Message](t testing.TB, protocol model.Protocol[P, M], in string, opt Options, claims ...Claim) {
	t.Helper()
	sys, err := model.NewFrom(protocol, in)
	if err != nil {
		t.Fatal(err)
	}
	var unbounded *Report
	for _, c := range claims {
		r := unbounded
		if r == nil || c.unit != "" {
			o := opt
			o.Within, o.Unit = c.within, c.unit
			if r, err = Of(t.Context(), sys, o); err != nil {
				t.Fatal(err)
			}
			if r.Why != "" {
				t.Fatal(r.Headline())
			}
		}
		if c.unit == "" {
			unbounded = r
		}
		c.judge(t, r)
	}
}

// judge fails a test if a claim is not true of a report.
func (c Claim) judge(t testing.TB, r *Report) {
	t.Helper()
	wrong := c.wrong(r)
	if wrong == "" {
		return
	}
	t.Errorf("%s: %s: %v is not so: %s\nsetting: %s", r.Subject(), r.Goal, c, wrong, r.Setting)
	if run, err := r.Failure(t.Context()); err == nil && c.spent == "" && c.unit == "" {
		draw(t, run)
	}
}

// draw shows a run.
func draw(t testing.TB, run *Run) {
	t.Helper()
	l, err := trace.Lay(run.Trace, run.Run)
	if err == nil {
		t.Logf("the most likely such run, with probability %.6g:", run.Odds)
		err = render.Text(t.Output(), l, render.TextOptions{})
	}
	if err != nil {
		t.Error(err)
	}
}
