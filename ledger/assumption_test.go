package ledger_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// A grant of a premise grants it, a denial denies it, and neither changes a
// setting that is so already.
func TestPremises(t *testing.T) {
	for _, text := range []string{
		"n=3",
		"n=3 start=settled crashes=1 restarts=1",
		"n=3 start=coordinator-down",
		"n=3 start=coordinator-down crashes=1 restarts=1 mid-send=yes crashers=1",
		"n=4 start=settled channels=fifo losses=1 duplications=1 cuts=1 heals=owed cut-by=link pauses=1 drift=5 suspicions=1",
		"n=3 start=settled crashes=1 restarts=2 lost-writes=1",
		"n=4 joins=2 joiners=1,3 timing=async",
		"n=3 timing=lockstep",
	} {
		s := setting.Must(text)
		for _, p := range ledger.Premises() {
			granted := p.GrantedIn(s)
			require.NoError(t, granted.Validate(), "%s in %s", p, text)
			assert.True(t, p.HoldsIn(granted), "%s in %s", p, text)
			assert.Equal(t, granted, p.GrantedIn(granted))
			if p.HoldsIn(s) {
				assert.True(t, granted.Equal(s), "%s in %s", p, text)
			}
			denied, err := p.DeniedIn(s)
			assert.False(t, p.HoldsIn(denied), "%s in %s", p, text)
			if !p.HoldsIn(s) {
				assert.NoError(t, err)
				assert.True(t, denied.Equal(s), "%s in %s", p, text)
			}
			back, err := p.DeniedIn(granted)
			if err == nil {
				assert.False(t, p.HoldsIn(back))
			}
		}
	}
	assert.Equal(t, "Premise(200)", ledger.Premise(200).String())
	assert.Equal(t, "not Premise(200)", ledger.Premise(200).Lack())
}

func TestDeniedIn(t *testing.T) {
	for _, c := range []struct {
		premise   ledger.Premise
		in, wants string
	}{
		{ledger.Reliable, "n=3", "n=3 losses=1"},
		{ledger.InOrder, "n=3 channels=fifo", "n=3"},
		{ledger.BoundedDelays, "n=3 drift=10", "n=3 timing=async:1"},
		{ledger.EqualDelays, "n=3 timing=lockstep", "n=3 timing=sync:1"},
		{ledger.OneFailure, "n=3 start=coordinator-down", "n=3 start=coordinator-down crashes=1"},
		{ledger.OneFailure, "n=3 start=settled crashes=1", "n=3 start=settled crashes=2"},
		{ledger.NoReturns, "n=3 start=settled", "n=3 start=settled crashes=1 restarts=1"},
		{ledger.NoReturns, "n=3 start=coordinator-down", "n=3 start=coordinator-down restarts=1"},
		{ledger.NoFailures, "n=3", "n=3 crashes=1"},
		{ledger.WholeBroadcasts, "n=3", "n=3 crashes=1 mid-send=yes"},
		{ledger.SyncedWrites, "n=3 crashes=2", "n=3 crashes=2 restarts=1 lost-writes=1"},
	} {
		got, err := c.premise.DeniedIn(setting.Must(c.in))
		require.NoError(t, err)
		assert.Equal(t, setting.Must(c.wants).String(), got.String(), "%s", c.premise)
	}
	_, err := ledger.Connected.DeniedIn(setting.Must("n=3 topology=ring:repaired"))
	assert.ErrorContains(t, err, "cuts=1 on a repaired ring")
	_, err = ledger.TrueClocks.DeniedIn(setting.Must("n=3 timing=patient"))
	assert.ErrorContains(t, err, "drift=10")
	one := ledger.OneFailure.GrantedIn(setting.Must("n=3 start=settled crashes=2"))
	assert.Equal(t, setting.Must("n=3 start=settled crashes=1").String(), one.String())
}

func TestAssumptionsOf(t *testing.T) {
	a := catalogue()[0]
	assert.Empty(t, a.AssumptionsOf("polite"))
	a.Assumptions = ledger.Said("section 1", ledger.Reliable)
	a.Variants[1].Assumptions = ledger.Tacit()
	assert.Equal(t, []ledger.Assumption{{Premise: ledger.Reliable, Place: "section 1"}}, a.AssumptionsOf("polite"))
	assert.Empty(t, a.AssumptionsOf("patient"))
	assert.Equal(t, a.AssumptionsOf("polite"), a.AssumptionsOf("rude"), "a mutant assumes what its variant does")
	require.NoError(t, ledger.Validate([]*ledger.Algorithm{a}))

	a.Assumptions = ledger.Tacit(ledger.Reliable, ledger.Reliable)
	assert.ErrorContains(t, ledger.Validate([]*ledger.Algorithm{a}), `field Assumptions has "reliable delivery" twice`)
	a.Assumptions = ledger.Tacit(99)
	assert.ErrorContains(t, ledger.Validate([]*ledger.Algorithm{a}), "field Assumptions has Premise(99)")
}

// A fault that no premise excludes would have a claim refuted within its assumptions.
func TestEveryFaultHasAPremise(t *testing.T) {
	for _, b := range setting.Budgets() {
		if b.Key == "crashes" || b.Key == "heals" {
			continue // algorithms are about the first, and the second is none
		}
		s := setting.Must("n=3 timing=async crashes=1")
		*b.Of(&s) = 1
		if b.Key == "clock-steps" {
			s.Timing, s.Skew = setting.Timing{}, 1
		}
		assert.True(t, slices.ContainsFunc(ledger.Premises(), func(p ledger.Premise) bool {
			granted := p.GrantedIn(s)
			return !p.HoldsIn(s) && *b.Of(&granted) == 0
		}), "no premise excludes %s: want one in ledger/assumption.go", b.Key)
	}
}
