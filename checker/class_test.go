package checker_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/class"
	"bullyproof/explore/liveness"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A tosser throws a coin until it shows heads, and then leads. Tails leave
// everything as it is, and yet the coin has been thrown.
type tosser struct{ model.Passive[toss, ray] }

type toss struct {
	Elected model.ID
}

func (tosser) Start(_ *toss, net *model.Net[ray]) { net.SetTimer(0, 1) }

func (tosser) Timeout(p *toss, net *model.Net[ray], _ model.Timer) {
	if net.Pick(0) == 1 {
		p.Elected = net.Self()
		return
	}
	net.SetTimer(0, 1)
}

func (tosser) Receive(*toss, *model.Net[ray], model.Port, ray) {}

func (tosser) Belief(p *toss) model.Belief { return model.Belief{Elected: p.Elected} }

func (tosser) Names() model.Names {
	return model.Names{
		Kinds: []string{"NOTHING"}, Timers: []model.TimerName{{Name: "next"}},
		Choices: []model.ChoiceName{{Name: "coin", Outcomes: []string{"tails", "heads"}}},
	}
}

// Fairness towards the outcomes of a choice has a coin show heads at last;
// fairness towards heals and restarts has the world mend what nobody is owed.
func TestFairnessToWhatNobodyOwes(t *testing.T) {
	const n2 = "n=2 initiators=1 timing=patient"
	heads := checker.Eventually("heads", "", func(v *model.View) bool { return v.Leaders.Has(1) })
	whole := checker.AlwaysEventually("whole", "", func(v *model.View) bool { return v.Side.Empty() })
	up := checker.AlwaysEventually("up", "", func(v *model.View) bool { return v.Up.Len() == 2 })
	for _, c := range []struct {
		p    *checker.Property
		in   string
		f    checker.Fairness
		text string
		want checker.Verdict
	}{
		{heads, n2, checker.StrongFairness, "strong fairness", checker.Violated},
		{heads, n2, checker.WeakFairness.But(liveness.Strong, class.Outcomes("coin")), "weak fairness, strong to outcomes of coin", checker.Holds},
		{heads, n2, checker.WeakFairness.But(liveness.Strong, class.Outcomes("coin", "heads")), "weak fairness, strong to coin=heads", checker.Holds},
		{heads, n2, checker.WeakFairness.But(liveness.Weak, class.Outcomes("coin", "heads")), "weak fairness, weak to coin=heads", checker.Holds},
		{heads, n2, checker.WeakFairness.But(liveness.Strong, class.Outcomes("coin", "tails")), "weak fairness, strong to coin=tails", checker.Violated},
		{heads, n2, checker.WeakFairness.But(liveness.Strong, class.Outcomes("coin")).But(liveness.Unfair, class.Timers()),
			"weak fairness, strong to outcomes of coin, none to timers", checker.Holds},
		{whole, n2 + " cuts=1 heals=1", checker.StrongFairness, "strong fairness", checker.Violated},
		{whole, n2 + " cuts=1 heals=1", checker.WeakFairness.But(liveness.Weak, class.Heals()), "weak fairness, weak to heals", checker.Holds},
		{up, n2 + " crashes=1 restarts=1", checker.StrongFairness, "strong fairness", checker.Violated},
		{up, n2 + " crashes=1 restarts=1", checker.WeakFairness.But(liveness.Weak, class.Restarts()), "weak fairness, weak to restarts", checker.Holds},
		{up, n2 + " crashes=2 restarts=1", checker.WeakFairness.But(liveness.Weak, class.Restarts()), "weak fairness, weak to restarts", checker.Violated},
	} {
		assert.Equal(t, c.text, c.f.String())
		s, err := setting.Parse(c.in)
		require.NoError(t, err)
		build := built[toss, ray](tosser{})
		sys, err := build(s)
		require.NoError(t, err)
		r := check(t, sys, checker.Options{Properties: []*checker.Property{c.p.Under(c.f)}})
		assert.Equal(t, c.want, r.Findings[0].Verdict, "%s under %s: %s", c.in, c.f, r.Findings[0].Line())
		if r.Findings[0].Trace != nil {
			replayed(t, build, &r.Findings[0])
		}
	}
}

// Nobody is owed a request: in a run without end, or at the end of one, there may have been none.
func TestRequestsAreNotOwed(t *testing.T) {
	sys := systemOf(t, &upstart.Protocol{}, "n=2 start=settled requests=1")
	asked := checker.Eventually("asked", "", func(v *model.View) bool { return v.Leaders.Has(1) })
	r := check(t, sys, checker.Options{Properties: []*checker.Property{asked, checker.Termination}})
	assert.Equal(t, checker.Violated, r.Findings[0].Verdict)
	assert.Empty(t, r.Findings[0].Trace.Steps)
	assert.Equal(t, checker.Holds, r.Findings[1].Verdict)
}

func TestFairnessClasses(t *testing.T) {
	s, err := setting.Parse("n=2 initiators=1:lazy timing=patient cuts=1 heals=1 crashes=1 restarts=1")
	require.NoError(t, err)
	sys, err := model.New[toss, ray](tosser{}, s)
	require.NoError(t, err)
	names, err := checker.FairnessClasses(t.Context(), sys, checker.Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"choice coin=heads of position 1", "choice coin=tails of position 1", "heal that nobody owes", "restart", "start position 1", "timer next of position 1",
	}, names)
	_, err = checker.FairnessClasses(t.Context(), sys, checker.Options{MaxStates: 1})
	assert.ErrorContains(t, err, "not all fairness classes are known: the search ended at the limit of 1 state")
	heads := checker.Eventually("heads", "", func(v *model.View) bool { return v.Leaders.Has(1) })
	_, err = checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{
		heads.Under(checker.WeakFairness.But(liveness.Strong, class.Outcomes("coin", "edge"))),
	}})
	assert.ErrorContains(t, err, `no fairness class is one of "coin=edge": want some of choice coin=heads of position 1`)
}
