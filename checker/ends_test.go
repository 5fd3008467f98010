package checker_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
	"bullyproof/trace"
)

// drawn returns the random protocol of a number in a setting in which systems are
// reduced, most of the time.
func drawn(t *testing.T, seed uint64) (sys *model.System, what string) {
	r := rand.New(rand.NewPCG(seed, 41))
	s := anyprotocol.Setting(r)
	table := anyprotocol.Draw(r, s)
	s.Losses, s.Duplications, s.Cuts, s.Heals, s.Pauses, s.Drift, s.Repaired = 0, 0, 0, 0, 0, 0, false
	s.N = min(s.N, 2+r.IntN(2))
	table.Periodic *= uint8(r.IntN(2))
	s = s.Normal()
	sys, err := model.New(table.Protocol(), s)
	require.NoError(t, err, "case %d", seed)
	return sys, fmt.Sprintf("case %d: %v of %+v", seed, s, *table)
}

// TestEndsDecideAlike holds what is decided where runs of a reduced system are over
// against the graph of the system as it is, for random protocols.
func TestEndsDecideAlike(t *testing.T) {
	decided, violated, cyclic := map[string]int{}, 0, 0
	const limit = 3_000
	for seed := range casecount.Numbers(t, *deep, 150, 20_000) {
		sys, what := drawn(t, seed)
		opt := checker.Options{Properties: checker.Standard(), Exhaustive: true, MaxStates: limit, Workers: 1}
		want, err := checker.Check(context.Background(), sys, opt)
		if err == nil && (want.Distinct >= limit || want.Reason == explore.SizeLimit) {
			continue
		}
		require.NoError(t, err, what)
		opt.Reduce, opt.MaxStates = checker.ReduceAuto, 0
		got, err := checker.Check(context.Background(), sys, opt)
		require.NoError(t, err, what)
		require.NotNil(t, got.Reduction, what)
		for i := range want.Findings {
			w, g := &want.Findings[i], &got.Findings[i]
			if w.Verdict == checker.Incomplete {
				continue // a bound, or misuse
			}
			require.Equal(t, w.Verdict, g.Verdict, "%s: %s: %s; %s %+v", what, w.Property.Name, g.Why, got.Why, got.Reduction)
			require.Equal(t, w.Trace == nil, g.Trace == nil, "%s: %s", what, w.Property.Name)
			if w.Verdict == checker.Violated && w.Property.Temporal() {
				violated++
				if w.Trace.Lasso > 0 {
					cyclic++
				}
			}
		}
		for _, name := range got.Reduction.Properties {
			decided[name]++
		}
	}
	t.Logf("decided on reduced systems: %v; %d violated, %d by runs without end", decided, violated, cyclic)
	for _, p := range checker.Liveness() {
		require.NotZero(t, decided[p.Name], p.Name)
	}
	require.NotZero(t, cyclic)
}

// TestLivenessWithinABound holds verdicts within a bound against those without one, for
// random protocols: what breaks a property within it breaks it, and a run that stays
// within it and breaks a property is found there, or seen to be undecided.
func TestLivenessWithinABound(t *testing.T) {
	holds, violated, undecided := 0, 0, 0
	const limit = 3_000
	for seed := range casecount.Numbers(t, *deep, 150, 20_000) {
		sys, what := drawn(t, seed)
		opt := checker.Options{Properties: checker.Liveness(), Exhaustive: true, MaxStates: limit, Workers: 1}
		want, err := checker.Check(context.Background(), sys, opt)
		if err == nil && (want.Distinct >= limit || want.Bound != "" || want.Verdict() == checker.Incomplete) {
			continue
		}
		require.NoError(t, err, what)
		s := sys.Setting()
		s.Capacity = 1
		narrow, err := sys.In(s)
		if err != nil && strings.Contains(err.Error(), "it sends more than links hold") {
			continue
		}
		require.NoError(t, err, what)
		got, err := checker.Check(context.Background(), narrow, opt)
		require.NoError(t, err, what)
		if got.Bound == "" {
			continue // no link was ever full
		}
		for i := range got.Findings {
			g, w := &got.Findings[i], want.Finding(got.Findings[i].Property.Name)
			switch g.Verdict {
			case checker.Holds:
				holds++
				require.False(t, w.Trace != nil && staysWithin(w.Run), "%s: %s", what, w.Property.Name)
			case checker.Violated:
				violated++
				require.Equal(t, checker.Violated, w.Verdict, "%s: %s", what, g.Property.Name)
			case checker.Incomplete:
				undecided++
			}
		}
	}
	t.Logf("within a bound %d hold, %d are violated, %d are undecided", holds, violated, undecided)
	require.NotZero(t, holds)
	require.NotZero(t, violated)
}

// staysWithin reports whether no link of a run ever holds two messages.
func staysWithin(run *trace.Run) bool {
	for _, state := range run.States {
		on := map[model.Link]int{}
		for link := range model.Mail[anyprotocol.Message](run.System.View(state)) {
			if on[link]++; on[link] > 1 {
				return false
			}
		}
	}
	return true
}
