package chance_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/chance"
	"bullyproof/model"
)

// of asks one system.
func of[P any, M model.Message](t testing.TB, protocol model.Protocol[P, M], setting string, opt chance.Options) *chance.Report {
	t.Helper()
	sys, err := model.NewFrom(protocol, setting)
	require.NoError(t, err)
	r, err := chance.Of(context.Background(), sys, opt)
	require.NoError(t, err)
	require.Empty(t, r.Why)
	return r
}

// same requires that a number is the same for all schedulers, and this one.
func same(t testing.TB, want string, r chance.Range) {
	t.Helper()
	assert.Equal(t, want, r.Least.String())
	assert.Equal(t, want, r.Most.String())
}

// exactly has rational numbers wherever they can be had.
var exactly = chance.Options{ExactStates: 100_000}

// The first term of Raft elects if no two servers time out first together, so that of three
// with W ticks to wait one leads with probability 1 - 1/W² in lockstep at least.
func TestSplitVotes(t *testing.T) {
	leads := func(v *model.View) bool { return !v.Leaders.Empty() }
	for w, want := range map[int]string{2: "3/4", 3: "8/9", 5: "24/25"} {
		r := of(t, &voting{Base: 2, Window: w, Majority: 2}, "n=3 timing=lockstep detector=off initiators=none", chance.Options{Goal: leads})
		same(t, want, r.Reached)
		assert.True(t, r.Cost("ticks").Most.Infinite(), "a split vote has no leader")
	}
}

// Five servers with ten ticks to wait, all of them up: the first term elects unless no server has a
// majority of the votes. One is alone with the least time with probability 1-s, which is enough;
// the others can win by the order of messages.
func TestSplitVotesOfFive(t *testing.T) {
	if !*chance.Deep {
		t.Skip("a search of a minute: -deep")
	}
	leads := func(v *model.View) bool { return !v.Leaders.Empty() }
	r := of(t, &voting{Base: 2, Window: 10, Majority: 3}, "n=5 timing=lockstep detector=off initiators=none", chance.Options{Goal: leads, Blind: true})
	t.Logf("%v to %v, %d states, %v", r.Reached.Least, r.Reached.Most, r.Distinct, r.Duration)
	assert.True(t, r.Orbits)
}

// The probability within a bound grows to that without one.
func TestWithin(t *testing.T) {
	leads := func(v *model.View) bool { return !v.Leaders.Empty() }
	r := of(t, &voting{Base: 2, Window: 3, Majority: 2}, "n=3 timing=lockstep detector=off initiators=none", chance.Options{Goal: leads, Within: 8})
	require.Len(t, r.Curve, 9)
	for i, p := range r.Curve[1:] {
		assert.GreaterOrEqual(t, p.Least, r.Curve[i].Least)
		assert.LessOrEqual(t, p.Least, p.Most)
	}
	assert.Zero(t, r.Curve[1].Most)
	assert.InDelta(t, 8.0/9, r.Curve[8].Least, 1e-9)
	assert.InDelta(t, 8.0/9, r.Curve[8].Most, 1e-9)

	sys, err := model.NewFrom(&coined{}, "n=2 topology=ring:anonymous channels=fifo timing=patient")
	require.NoError(t, err)
	_, err = chance.Of(t.Context(), sys, chance.Options{Within: 3, Unit: "epochs"})
	assert.ErrorContains(t, err, "want steps")
	_, err = chance.Of(t.Context(), sys, chance.Options{Within: 3, Unit: "ticks"})
	assert.ErrorContains(t, err, `within 3 "ticks": want steps`)
}

// The shared coin of Aspnes and Herlihy is as fair, and as slow, as Storm has it (QVBS, consensus).
// Each time that a process adds is three steps there.
func TestSharedCoin(t *testing.T) {
	setting := "n=3 timing=async initiators=1,2 detector=off"
	writes := []chance.Counted{{Name: "writes", Step: func(e *model.Event) bool {
		return e.To.N > 0 && model.State[walker](e.To, 3).Counter != model.State[walker](e.From, 3).Counter
	}}}
	for _, c := range []struct {
		k                     int
		ones, disagree        string
		leastSteps, mostSteps int64
		deep                  bool
	}{
		{2, "49/128", "13/120", 48, 75, false},
		{4, "1793/4096", "251/4080", 192, 243, true},
		{8, "983041/2097152", "65527/2097120", 768, 867, true},
	} {
		if c.deep && !*chance.Deep {
			continue
		}
		t.Run(fmt.Sprint(c.k), func(t *testing.T) {
			opt := exactly
			opt.Goal = func(v *model.View) bool { ones, of, over := coins(v); return over && ones == of }
			assert.Equal(t, c.ones, of(t, &walking{K: c.k}, setting, opt).Reached.Least.String())
			opt.Goal = func(v *model.View) bool { ones, of, over := coins(v); return over && ones > 0 && ones < of }
			assert.Equal(t, c.disagree, of(t, &walking{K: c.k}, setting, opt).Reached.Most.String())
			opt.Goal = func(v *model.View) bool { _, _, over := coins(v); return over }
			opt.Counted = writes
			r := of(t, &walking{K: c.k}, setting, opt)
			same(t, "1", r.Reached)
			assert.Equal(t, fmt.Sprint(c.leastSteps/3), r.Cost("writes").Least.String())
			assert.Equal(t, fmt.Sprint(c.mostSteps/3), r.Cost("writes").Most.String())
		})
	}
}
