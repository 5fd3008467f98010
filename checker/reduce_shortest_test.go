package checker_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
	"bullyproof/model/setting"
)

var deep = flag.Bool("deep", false, "thousands of random protocols")

func TestMain(m *testing.M) {
	casecount.Lower(deep)
	os.Exit(m.Run())
}

// reducibleSystem returns the random system of a number, mostly without what no
// reduction is known for; nil where it is not reduced nevertheless.
func reducibleSystem(t *testing.T, seed uint64) *model.System {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 23))
	s := anyprotocol.Setting(r)
	table := anyprotocol.Draw(r, s)
	table.Periodic = 0
	s.Losses, s.Duplications, s.Cuts, s.Heals, s.Pauses, s.Drift, s.Repaired, s.Joins, s.MidSend = 0, 0, 0, 0, 0, 0, false, 0, false
	s.N = min(s.N, 3)
	if !s.Timing.Kind.Discrete() {
		s.Timing = setting.Timing{Kind: setting.Synchronous, D: 1 + r.IntN(2)}
	}
	sys, err := model.New(table.Protocol(), s.Normal())
	require.NoError(t, err)
	if _, err := sys.Watched().Reduced(model.Reduction{}); err != nil {
		var refused *model.IrreducibleError
		require.True(t, errors.As(err, &refused), "%v", err)
		return nil
	}
	return sys
}

// TestReducedRunsAreShortest holds what reduced checks of random protocols find against
// checks of the systems as they are: the same verdicts, and runs of the least length.
func TestReducedRunsAreShortest(t *testing.T) {
	limit := uint64(1000)
	if *deep {
		limit = 4000
	}
	violated, reduced := 0, 0
	for seed := range casecount.Numbers(t, *deep, 80, 3_000) {
		sys := reducibleSystem(t, seed)
		if sys == nil {
			continue
		}
		opt := checker.Options{Properties: checker.Election(), Workers: 1, MaxStates: limit}
		want, err := checker.Check(t.Context(), sys, opt)
		if err != nil || want.Reason != explore.Complete && want.Reason != explore.TargetsHit {
			continue // its messages pile up, or there are too many states
		}
		opt.Reduce = checker.ReduceAuto
		got := check(t, sys, opt)
		require.Empty(t, got.Reduction.Refused, "case %d", seed)
		require.Len(t, got.Findings, len(want.Findings), "case %d", seed)
		for i := range want.Findings {
			w, g := &want.Findings[i], &got.Findings[i]
			require.Equal(t, w.Verdict, g.Verdict, "case %d, %s", seed, w.Property.Name)
			if w.Trace == nil {
				continue
			}
			require.Len(t, g.Trace.Steps, len(w.Trace.Steps), "case %d, %s", seed, w.Property.Name)
			assert.True(t, g.Shortest, "case %d, %s", seed, w.Property.Name)
			violated++
		}
		if got.Reduction.Distinct < want.Distinct {
			reduced++
		}
	}
	t.Logf("%d properties violated, %d systems with fewer states", violated, reduced)
	assert.Greater(t, violated, 10)
	assert.Greater(t, reduced, 5)
}
