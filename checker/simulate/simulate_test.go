package simulate_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/assistant"
	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/changroberts"
	"bullyproof/algorithms/garciamolina"
	"bullyproof/algorithms/kabashi"
	"bullyproof/algorithms/raft"
	"bullyproof/algorithms/river"
	"bullyproof/algorithms/sortbully"
	"bullyproof/checker"
	"bullyproof/checker/simulate"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// mutant returns a mutant of an algorithm and the property that catches it.
func mutant(t testing.TB, a *ledger.Algorithm, name string) (*model.System, *checker.Property) {
	t.Helper()
	for i := range a.Mutants {
		if m := &a.Mutants[i]; m.Name == name {
			p, err := a.Property(m.Caught)
			require.NoError(t, err)
			sys, err := m.System()
			require.NoError(t, err)
			return sys, p
		}
	}
	require.Fail(t, "no mutant "+name)
	return nil, nil
}

// TestShrunkRunsAreShort has ten seeded faults found by walks, and what they are
// shrunk to be at most one and a half times as long as the explorer's shortest
// run. Few walks leave it to the shrinking.
func TestShrunkRunsAreShort(t *testing.T) {
	tests := []struct {
		algorithm *ledger.Algorithm
		mutant    string
		walks     uint64
		depth     int
	}{
		{raft.Algorithm, "forgets-vote", 2000, 0},
		{river.Algorithm, "replaces", 100, 0},
		{bully.Algorithm, "announces-anyway", 20, 3},
		{bully.Algorithm, "hasty", 100, 0},
		{assistant.Algorithm, "appoints-no-assistant", 20, 0},
		{changroberts.Algorithm, "passes-smaller", 5, 2},
		{garciamolina.Algorithm, "skips-halt", 30, 0},
		{kabashi.Algorithm, "chooses-largest", 30, 0},
		{kabashi.Algorithm, "first-answer", 300, 0},
		{sortbully.Algorithm, "impatient", 600, 0},
	}
	for _, tt := range tests {
		t.Run(tt.algorithm.Name+"/"+tt.mutant, func(t *testing.T) {
			sys, p := mutant(t, tt.algorithm, tt.mutant)
			shortest, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{p}})
			require.NoError(t, err)
			require.NotNil(t, shortest.Findings[0].Trace)
			r, err := simulate.Run(t.Context(), sys, simulate.Options{
				Algorithm: tt.algorithm.Name, Variant: tt.mutant, Properties: []*checker.Property{p},
				Walks: tt.walks, Depth: tt.depth, MaxSteps: 200,
			})
			require.NoError(t, err)
			require.Len(t, r.Findings, 1)
			f := r.Findings[0]
			assert.True(t, r.Violated())
			assert.Equal(t, checker.Violated, f.Verdict)
			assert.LessOrEqual(t, len(f.Trace.Steps), f.Length)
			assert.LessOrEqual(t, 2*len(f.Trace.Steps), 3*len(shortest.Findings[0].Trace.Steps),
				"shrunk from %d", f.Length)
			_, err = trace.ReplayIn(f.Trace, sys, p.Watch())
			assert.NoError(t, err)
			var b strings.Builder
			require.NoError(t, r.WriteTraces(&b, render.TextOptions{}))
			assert.Contains(t, b.String(), p.Name)
		})
	}
}

// system returns a variant in a setting.
func system(t testing.TB, a *ledger.Algorithm, text string) *model.System {
	t.Helper()
	s, err := setting.Parse(text)
	require.NoError(t, err)
	sys, err := a.Variants[0].New(s)
	require.NoError(t, err)
	return sys
}

// encoded returns a report without what depends on the clock.
func encoded(t *testing.T, r *simulate.Report) string {
	t.Helper()
	r.Duration = 0
	data, err := json.Marshal(r)
	require.NoError(t, err)
	return string(data)
}

func TestWalksAreTheSameForAnyWorkers(t *testing.T) {
	sys, p := mutant(t, bully.Algorithm, "hasty")
	for _, depth := range []int{0, 3} {
		opt := simulate.Options{Properties: []*checker.Property{p, checker.Uniqueness}, Walks: 700, Depth: depth, Workers: 1, Seed: 5}
		if p == checker.Uniqueness {
			opt.Properties = opt.Properties[:1]
		}
		one, err := simulate.Run(t.Context(), sys, opt)
		require.NoError(t, err)
		opt.Workers = 5
		many, err := simulate.Run(t.Context(), sys, opt)
		require.NoError(t, err)
		assert.Equal(t, encoded(t, one), encoded(t, many))
		opt.Seed = 6
		other, err := simulate.Run(t.Context(), sys, opt)
		require.NoError(t, err)
		assert.NotEqual(t, one.Steps, other.Steps)

		opt.Seed, opt.First, opt.Walks = 5, one.Findings[0].Walk, 1
		alone, err := simulate.Run(t.Context(), sys, opt)
		require.NoError(t, err)
		require.Len(t, alone.Findings, 1)
		assert.Equal(t, one.Findings[0].Length, alone.Findings[0].Length)
		assert.Equal(t, one.Findings[0].Trace, alone.Findings[0].Trace)
	}
}

func TestWalksGoWhereNoSearchDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("long walks")
	}
	for _, text := range []string{
		"n=64 start=coordinator-down crashes=2 restarts=1 timing=patient",
		"n=20 start=settled crashes=1 losses=1 duplications=1 pauses=1 cuts=2 cut-by=link heals=owed",
		"n=16 start=settled crashes=1 mid-send=yes cuts=1 heals=1 timing=async:2",
	} {
		sys := system(t, bully.Algorithm, text)
		r, err := simulate.Run(t.Context(), sys, simulate.Options{
			Walks: 4, MaxSteps: 300, Workers: 2, Properties: []*checker.Property{checker.Always("few", "", func(v *model.View) bool { return v.N < 65 })},
		})
		require.NoError(t, err, text)
		assert.EqualValues(t, 4, r.Walks)
		assert.NotZero(t, r.Steps)
		assert.Len(t, r.Unbroken, 1)
	}
}

// TestLargeRingsBegin has walks begin in one of more initial states than anybody
// could list, and a run from there recorded and replayed.
func TestLargeRingsBegin(t *testing.T) {
	sys := system(t, changroberts.Algorithm, "n=24 topology=ring initiators=one timing=patient")
	met := checker.Sometimes("elected", "", func(v *model.View) bool { return v.Leaders.Len() == 1 })
	r, err := simulate.Run(t.Context(), sys, simulate.Options{Walks: 2, Properties: []*checker.Property{met}, MaxTime: time.Minute})
	require.NoError(t, err)
	require.Len(t, r.Findings, 1)
	assert.Equal(t, checker.Found, r.Findings[0].Verdict)
	assert.False(t, r.Violated())
	assert.Len(t, r.Findings[0].Trace.Origin.Arrangement, 24)
}

func TestElectionsAreCounted(t *testing.T) {
	// A settled ring of three with one initiator: every election sends the same.
	sys := system(t, changroberts.Algorithm, "n=3 topology=ring arrangement=1-2-3 initiators=3 timing=patient")
	r, err := simulate.Run(t.Context(), sys, simulate.Options{Walks: 50})
	require.NoError(t, err)
	assert.Empty(t, r.Findings)
	assert.Equal(t, 50, r.Elections.Messages.Len())
	mean, deviation := r.Elections.Messages.Mean()
	assert.Equal(t, 6.0, mean)
	var kinds []string
	for i := range r.Elections.Kinds {
		k := &r.Elections.Kinds[i]
		kinds = append(kinds, fmt.Sprintf("%s %d-%d of %d", k.Kind, k.Min(), k.Max(), k.Len()))
	}
	assert.Equal(t, []string{"election 3-3 of 50", "elected 3-3 of 50"}, kinds)
	assert.Zero(t, deviation)
	assert.Zero(t, r.Elections.Ticks.Len())
	assert.Zero(t, r.Unsettled)
	assert.EqualValues(t, r.Steps, r.Elections.Steps.Max()*50)
	assert.NotEmpty(t, r.Unjudged)
	assert.LessOrEqual(t, r.Distinct, r.Steps+r.Walks)

	var b strings.Builder
	require.NoError(t, r.WriteText(&b, 80))
	assert.Contains(t, b.String(), "50 walks at random")
	assert.Contains(t, b.String(), "not broken on these walks")
	assert.Contains(t, b.String(), "not judged: it is about whole runs")
	assert.Contains(t, b.String(), "All walks ended settled.")
	assert.NotContains(t, b.String(), "holds")
	assert.NotContains(t, b.String(), "did not finish")
	assert.NotContains(t, picture(t, r), "did not finish")
}

// picture returns the texts of a report's picture, a line each.
func picture(t *testing.T, r *simulate.Report) string {
	t.Helper()
	var b, text strings.Builder
	require.NoError(t, r.WriteSVG(&b))
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		token, err := d.Token()
		if err != nil {
			require.ErrorIs(t, err, io.EOF)
			return text.String()
		}
		if c, ok := token.(xml.CharData); ok {
			text.Write(c)
		}
	}
}

// TestUnfinishedElections has texts and pictures say how many elections the limit
// of steps has cut off: the figures are of the short ones.
func TestUnfinishedElections(t *testing.T) {
	sys := system(t, bully.Algorithm, "n=6 start=settled crashes=4 restarts=4 suspicions=2 losses=1 duplications=1 mid-send=yes timing=sync:1")
	r, err := simulate.Run(t.Context(), sys, simulate.Options{Walks: 50, MaxSteps: 40, Properties: []*checker.Property{checker.Validity}})
	require.NoError(t, err)
	cut, all := r.Elections.Unfinished, r.Elections.Unfinished+uint64(r.Elections.Steps.Len())
	require.NotZero(t, cut)
	require.Greater(t, all, cut)
	want := fmt.Sprintf("Another %d elections did not finish within 40 steps, %.1f %% of all. "+
		"The figures are of the finished ones only: long elections are missing.", cut, 100*float64(cut)/float64(all))
	var b strings.Builder
	require.NoError(t, r.WriteText(&b, 80))
	assert.Contains(t, strings.Join(strings.Fields(b.String()), " "), want)

	drawn := picture(t, r)
	oneLine := strings.Join(strings.Fields(drawn), " ")
	assert.Contains(t, oneLine, want)
	assert.Equal(t, 2, strings.Count(oneLine, r.Subject()+" in "+r.Setting.String()), "the title and the heading are whole")
	for _, name := range []string{"messages", "operations", "steps", "ticks"} {
		assert.Contains(t, drawn, name+" in an election\n")
	}
	for _, bin := range r.Elections.Steps.Histogram(20) {
		if bin.Count > 0 {
			assert.Contains(t, drawn, fmt.Sprintf("\n%d\n", bin.Count), "a bar says how many elections it is")
		}
	}
}

// TestKindsAddUp has the messages by kind be all messages, those included that go
// out of a handler in which a process crashes.
func TestKindsAddUp(t *testing.T) {
	sys := system(t, bully.Algorithm, "n=4 start=settled crashes=2 restarts=1 mid-send=yes timing=sync:1")
	r, err := simulate.Run(t.Context(), sys, simulate.Options{Walks: 200, Properties: []*checker.Property{checker.Validity}})
	require.NoError(t, err)
	all, _ := r.Elections.Messages.Mean()
	sum := 0.0
	for i := range r.Elections.Kinds {
		assert.Equal(t, r.Elections.Messages.Len(), r.Elections.Kinds[i].Len())
		mean, _ := r.Elections.Kinds[i].Mean()
		sum += mean
	}
	assert.NotZero(t, all)
	assert.InDelta(t, all, sum, 1e-9)
	var b strings.Builder
	require.NoError(t, r.WriteText(&b, 80))
	assert.Contains(t, b.String(), "\n  "+r.Elections.Kinds[0].Kind+" ")
}

func TestLimitsAndMisuse(t *testing.T) {
	sys := system(t, bully.Algorithm, "n=3 crashes=1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := simulate.Run(ctx, sys, simulate.Options{})
	require.NoError(t, err)
	assert.Equal(t, "interrupted", r.Stopped)
	r, err = simulate.Run(t.Context(), sys, simulate.Options{MaxTime: 1, Walks: 1 << 40})
	require.NoError(t, err)
	assert.Equal(t, "the limit of time was met", r.Stopped)
	for _, tt := range []struct {
		opt  simulate.Options
		want string
	}{
		{simulate.Options{MaxSteps: -1}, "simulate: walks of -1 steps; want 1 to 100000, or 0 for 1000"},
		{simulate.Options{Depth: 17}, "simulate: schedules of depth 17; want 1 to 16, or 0 for random ones"},
		{simulate.Options{Workers: 1025}, "simulate: 1025 workers; want 1 to 1024, or 0 for one per processor"},
		{simulate.Options{MaxTime: -1}, "simulate: a limit of -1ns; want a duration, or 0 for no limit"},
		{simulate.Options{Walks: 2, First: 1<<64 - 1}, "simulate: 2 walks from number 18446744073709551615 on; their numbers are below 2^64"},
		{simulate.Options{Properties: []*checker.Property{nil}}, "simulate: a property is nil"},
	} {
		_, err := simulate.Run(t.Context(), sys, tt.opt)
		assert.EqualError(t, err, tt.want)
	}
	broken := checker.Always("odd", "", func(v *model.View) bool { panic("no view") })
	assert.PanicsWithValue(t, "no view", func() {
		_, _ = simulate.Run(t.Context(), sys, simulate.Options{Properties: []*checker.Property{broken}})
	})
}

func ExampleRun() {
	sys, err := bully.Algorithm.Variants[0].New(setting.Must("n=5 start=coordinator-down detectors=1 timing=sync:1"))
	if err != nil {
		panic(err)
	}
	r, err := simulate.Run(context.Background(), sys, simulate.Options{Walks: 200, Seed: 1})
	if err != nil {
		panic(err)
	}
	m := &r.Elections.Messages
	fmt.Printf("%d elections, of %d to %d messages\n", m.Len(), m.Min(), m.Max())
	// Output:
	// 200 elections, of 19 to 19 messages
}
