package simulate_test

import (
	"context"
	"encoding/json"
	"flag"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/elasticsearch"
	"bullyproof/algorithms/garciamolina"
	"bullyproof/algorithms/kabashi"
	"bullyproof/algorithms/lelann"
	"bullyproof/algorithms/raft"
	"bullyproof/algorithms/river"
	"bullyproof/algorithms/sortbully"
	"bullyproof/checker"
	"bullyproof/checker/simulate"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/garbage"
	"bullyproof/internal/test/thorough"
	"bullyproof/internal/test/upstart"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

var deep = flag.Bool("deep", false, "hunt all mutants of the catalogue")

// Searches are most of what these tests do.
var _ = garbage.Seldom()

// hunted hunts for one property, and returns the report without what depends on
// the clock.
func hunted(t *testing.T, sys *model.System, p *checker.Property, opt simulate.HuntOptions) *simulate.HuntReport {
	t.Helper()
	opt.Properties = []*checker.Property{p}
	r, err := simulate.Hunt(t.Context(), sys, opt)
	require.NoError(t, err)
	assert.LessOrEqual(t, r.Steps, r.Budget)
	steps, schedules := uint64(0), uint64(0)
	for _, s := range r.Strategies {
		steps, schedules = steps+s.Steps, schedules+s.Schedules
	}
	assert.Equal(t, r.Steps, steps)
	assert.Equal(t, r.Schedules, schedules)
	r.Duration = 0
	return r
}

// caught has a hunt find what it is for, and the run of it replayed.
func caught(t *testing.T, sys *model.System, p *checker.Property, opt simulate.HuntOptions) *simulate.Finding {
	t.Helper()
	r := hunted(t, sys, p, opt)
	require.Len(t, r.Findings, 1)
	f := r.Findings[0]
	assert.Equal(t, checker.Violated, f.Verdict)
	assert.Equal(t, checker.Violated, r.Verdict())
	assert.LessOrEqual(t, len(f.Trace.Steps), f.Length)
	sys, err := checker.Remembered(sys, p)
	require.NoError(t, err)
	_, err = trace.ReplayIn(f.Trace, sys, p.Watch())
	assert.NoError(t, err)
	return f
}

func TestHuntsCatchMutants(t *testing.T) {
	thorough.Only(t)
	tests := []struct {
		algorithm *ledger.Algorithm
		mutant    string
	}{
		{raft.Algorithm, "forgets-vote"},
		{river.Algorithm, "no-margin"},
		{bully.Algorithm, "announces-anyway"},
		{garciamolina.Algorithm, "any-ready"},
		{garciamolina.Algorithm, "no-h-check"},
		{kabashi.Algorithm, "first-answer"},
		{sortbully.Algorithm, "tells-lower"},
	}
	for _, tt := range tests {
		name := tt.algorithm.Name + "/" + tt.mutant
		if !casecount.Takes(t, *deep, 2, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			sys, p := mutant(t, tt.algorithm, tt.mutant)
			caught(t, sys, p, simulate.HuntOptions{Steps: 1_000_000})
		})
	}
}

// rare are mutants that one schedule in a million shows.
var rare = []string{
	"TestHuntsCatchAllMutants/rediscluster/forgets", "TestHuntsCatchAllMutants/river/trusts-answer",
	"TestHuntsCatchAllMutants/redlock/hasty", "TestHuntsCatchAllMutants/mongodb/no-primary-vote",
}

// No budget is passed, however few steps there are.
func TestHuntsKeepToTheirBudget(t *testing.T) {
	sys, p := mutant(t, elasticsearch.Algorithm, "forgets-term")
	for _, steps := range []uint64{1, 5, 17, 99, 1_000, 20_011} {
		r := hunted(t, sys, p, simulate.HuntOptions{Steps: steps})
		assert.Empty(t, r.Findings)
	}
}

// TestHuntsCatchAllMutants has every mutant of the catalogue found that a property
// of states or steps catches.
func TestHuntsCatchAllMutants(t *testing.T) {
	if !*deep {
		t.Skip("with -deep")
	}
	for _, a := range algorithms.All {
		for i := range a.Mutants {
			m := &a.Mutants[i]
			t.Run(a.Name+"/"+m.Name, func(t *testing.T) {
				sys, p := mutant(t, a, m.Name)
				if p.Temporal() {
					t.Skip("about whole runs")
				}
				steps := uint64(1_000_000)
				if slices.Contains(rare, t.Name()) {
					steps = 10_000_000
				}
				caught(t, sys, p, simulate.HuntOptions{Steps: steps})
			})
		}
	}
}

// TestHuntsCatchTheDuplicateCoordinator looks for the run of the Bully that has two
// coordinators where no search sees all states.
func TestHuntsCatchTheDuplicateCoordinator(t *testing.T) {
	for _, tt := range []struct {
		n     string
		steps uint64
	}{{"5", 100_000}, {"6", 100_000}, {"8", 200_000}, {"16", 400_000}} {
		if !*deep && tt.n != "5" {
			continue
		}
		s, err := bully.Algorithm.Variants[0].Setting.With("n=" + tt.n)
		require.NoError(t, err)
		sys, err := bully.Algorithm.Variants[0].New(s)
		require.NoError(t, err)
		caught(t, sys, checker.Uniqueness, simulate.HuntOptions{Steps: tt.steps, Seed: 2})
	}
}

// TestHuntsOfWhatIsRightDecideNothing has what is right stay undecided, and all its
// states met.
func TestHuntsOfWhatIsRightDecideNothing(t *testing.T) {
	sys := system(t, lelann.Algorithm, "n=3 topology=ring channels=fifo timing=patient")
	all, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{checker.Uniqueness}})
	require.NoError(t, err)
	r := hunted(t, sys, checker.Uniqueness, simulate.HuntOptions{Steps: 300_000})
	assert.Empty(t, r.Findings)
	assert.Equal(t, checker.Incomplete, r.Verdict())
	assert.Equal(t, checker.Incomplete, r.Checked().Verdict())
	assert.False(t, r.Checked().Complete())
	assert.InDelta(t, float64(all.Distinct), float64(r.Distinct), 0.02*float64(all.Distinct)+1)
	var b strings.Builder
	require.NoError(t, r.WriteText(&b))
	assert.Contains(t, b.String(), "INCOMPLETE")
	assert.Contains(t, b.String(), "not broken on these schedules")
	assert.NotContains(t, strings.ToLower(b.String()), "holds")
	for _, f := range r.Checked().Findings {
		assert.Equal(t, checker.Incomplete, f.Verdict)
		assert.Contains(t, f.Line(), "undecided")
	}
}

func TestHuntsAreTheSameForAnyWorkers(t *testing.T) {
	sys, p := mutant(t, garciamolina.Algorithm, "no-h-check")
	encode := func(workers int, seed uint64) string {
		data, err := json.Marshal(hunted(t, sys, p, simulate.HuntOptions{Steps: 150_000, Workers: workers, Seed: seed}))
		require.NoError(t, err)
		return string(data)
	}
	one := encode(1, 3)
	assert.Equal(t, one, encode(4, 3))
	assert.NotEqual(t, one, encode(1, 4))
}

// TestHuntsFindWitnesses has a hunt end as soon as there is nothing left to look for.
func TestHuntsFindWitnesses(t *testing.T) {
	sys := system(t, bully.Algorithm, "n=8 start=coordinator-down timing=patient")
	met := checker.Sometimes("elected", "", func(v *model.View) bool { return v.Leaders.Len() == 1 })
	r := hunted(t, sys, met, simulate.HuntOptions{})
	require.Len(t, r.Findings, 1)
	assert.Equal(t, checker.Found, r.Findings[0].Verdict)
	assert.Less(t, r.Steps, r.Budget/10)
	assert.False(t, r.Violated())
	var b strings.Builder
	require.NoError(t, r.WriteTraces(&b, render.TextOptions{}))
	assert.Contains(t, b.String(), "elected")
}

func TestHuntsEnd(t *testing.T) {
	sys := system(t, bully.Algorithm, "n=3 crashes=1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := simulate.Hunt(ctx, sys, simulate.HuntOptions{})
	require.NoError(t, err)
	assert.Equal(t, "interrupted", r.Stopped)
	for _, steps := range []uint64{1, 9, 10, 25, 1001} {
		r, err := simulate.Hunt(t.Context(), sys, simulate.HuntOptions{Steps: steps, MaxSteps: 3})
		require.NoError(t, err)
		assert.LessOrEqual(t, r.Steps, steps)
		assert.Greater(t, r.Steps+uint64(len(r.Strategies)), steps)
		assert.LessOrEqual(t, r.Longest, 3)
	}
	_, err = simulate.Hunt(t.Context(), sys, simulate.HuntOptions{MaxSteps: -1})
	assert.EqualError(t, err, "simulate: walks of -1 steps; want 1 to 100000, or 0 for 1000")
	_, err = simulate.Hunt(t.Context(), sys, simulate.HuntOptions{Properties: []*checker.Property{nil}})
	assert.EqualError(t, err, "simulate: a property is nil")
	broken := checker.Always("odd", "", func(v *model.View) bool { panic("no view") })
	assert.PanicsWithValue(t, "no view", func() {
		_, _ = simulate.Hunt(t.Context(), sys, simulate.HuntOptions{Properties: []*checker.Property{broken}})
	})
}

// Steps before an initial state are none of a run: a hunt asks no property about them, as a
// search does not.
func TestStepsBeforeTheStartAreNotAsked(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{}, "n=3 start=cold")
	require.NoError(t, err)
	var asked atomic.Int64
	never := checker.AlwaysStep("never", "Nobody comes up.", func(e *model.Event) bool {
		if e.Kind == model.Boots {
			asked.Add(1)
		}
		return true
	})
	hunted(t, sys, never, simulate.HuntOptions{Steps: 2_000})
	assert.Zero(t, asked.Load())
}

// TestHuntsFindMisuse has a handler do what no world can carry out.
func TestHuntsFindMisuse(t *testing.T) {
	sys := upstart.System(&upstart.Protocol{Wild: true}, upstart.Settled(3))
	r := hunted(t, sys, checker.Uniqueness, simulate.HuntOptions{Steps: 20_000})
	require.Len(t, r.Findings, 1)
	assert.Equal(t, checker.Misuse, r.Findings[0].Property)
}
