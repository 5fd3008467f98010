package bully_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/checker/cost"
	"bullyproof/internal/test/play"
)

// costOf returns what an election costs after the coordinator has crashed: total
// messages, best and worst; the worst is -1 if there is no limit.
func costOf(t testing.TB, name, setting string) (best, worst int) {
	t.Helper()
	r := costs(t, name, setting)
	c := r.Cost(cost.Measure{})
	return c.Best, c.Worst
}

func costs(t testing.TB, name, setting string) *cost.Report {
	t.Helper()
	r := play.Costs(t, variant(t, name, setting+" start=coordinator-down"))
	require.Empty(t, r.Why)
	return r
}

// The messages if P alone notices that N has failed, in any run and under any
// timing: each of P to N-1 asks all above it, also N, all but N answer, and N-1
// announces itself. That is so at best for K as well; but there "P's job is
// done" once it was answered: asked later, it is in no election and begins
// another.
func TestCostOfOneDetector(t *testing.T) {
	formulas := map[string]func(n, p int) int{
		"coulouris":         func(n, p int) int { return (n-p)*(n-p) + n - 2 },
		"coulouris-knows":   func(n, p int) int { return (n-p)*(n-p) + n - 3 },
		"coulouris-noretry": func(n, p int) int { return (n-p)*(n-p) + n - 2 },
		"wikipedia":         func(n, p int) int { return (n-p)*(n-p) + n - 1 },
		"wikipedia-refuses": func(n, p int) int { return (n-p)*(n-p) + n - 1 },
		"tanenbaum":         func(n, p int) int { return (n-p)*(n-p) + n - 1 },
	}
	for name, formula := range formulas {
		for n := 2; n <= 5; n++ {
			for p := 1; p < n; p++ {
				for _, timing := range []string{"sync:1", "sync:2", "last-resort", "lockstep"} {
					if n == 5 && p <= 2 && timing == "sync:2" && !*play.Deep {
						continue
					}
					setting := fmt.Sprintf("n=%d detectors=%d timing=%s", n, p, timing)
					most := formula(n, p)
					if name == "tanenbaum" && n-p == 4 {
						most = map[string]int{"sync:1": 28, "sync:2": 28, "last-resort": 23, "lockstep": most}[timing]
					}
					best, worst := costOf(t, name, setting)
					assert.Equal(t, []int{formula(n, p), most}, []int{best, worst}, "%s, %s", name, setting)
				}
			}
		}
	}
}

// Mail to the coordinator that has failed left out, the formula of the literature
// is right: for the N-1 processes that are up.
func TestPublishedFormulaCountsTheLiving(t *testing.T) {
	for _, name := range []string{"coulouris", "wikipedia"} {
		for n := 3; n <= 5; n++ {
			for p := 1; p < n; p++ {
				r := costs(t, name, fmt.Sprintf("n=%d detectors=%d", n, p))
				c := r.Cost(cost.Measure{Live: true})
				live := n - 1
				want := (live-p+1)*(live-p) + live - 1
				assert.Equal(t, []int{want, want}, []int{c.Best, c.Worst}, "%s, n=%d, P=%d", name, n, p)
			}
		}
	}
}

// Where any process may notice the failure, at its own time. Synchronous timing
// is the one that the sources assume, and both values of D agree. Last resort
// excludes that a process notices the failure while another's timer runs, so
// that from N = 4 on it has less.
func TestCostOfAnyDetectors(t *testing.T) {
	type pair struct{ best, worst int }
	tests := []struct {
		variant    string
		n          int
		sync, last pair
	}{
		{"coulouris", 2, pair{1, 1}, pair{1, 1}},
		{"coulouris", 3, pair{2, 7}, pair{2, 7}},
		{"coulouris", 4, pair{3, 20}, pair{3, 17}},
		{"coulouris", 5, pair{4, 38}, pair{4, 31}},
		{"coulouris-knows", 3, pair{1, 5}, pair{1, 5}},
		{"coulouris-knows", 4, pair{2, 17}, pair{2, 15}},
		{"coulouris-noretry", 3, pair{2, 7}, pair{2, 7}},
		{"coulouris-noretry", 4, pair{3, 20}, pair{3, 17}},
		{"coulouris-keeps-waiting", 3, pair{2, 10}, pair{2, 7}},
		{"coulouris-keeps-waiting", 4, pair{3, -1}, pair{3, 17}},
		{"wikipedia", 2, pair{2, 2}, pair{2, 2}},
		{"wikipedia", 3, pair{3, 9}, pair{3, 9}},
		{"wikipedia", 4, pair{4, 23}, pair{4, 19}},
		{"wikipedia-again", 3, pair{3, 9}, pair{3, 9}},
		{"wikipedia-again", 4, pair{4, -1}, pair{4, 21}},
		{"wikipedia-refuses", 3, pair{3, 9}, pair{3, 9}},
		{"wikipedia-refuses", 4, pair{4, 23}, pair{4, 19}},
		{"tanenbaum", 3, pair{3, 9}, pair{3, 9}},
		{"tanenbaum", 4, pair{4, 23}, pair{4, 19}},
	}
	for _, tt := range tests {
		for timing, want := range map[string]pair{"sync:1": tt.sync, "sync:2": tt.sync, "last-resort": tt.last} {
			if tt.n == 5 && timing == "sync:2" || !*play.Deep && (tt.n == 5 || tt.n == 4 && timing == "sync:2") {
				continue
			}
			setting := fmt.Sprintf("n=%d timing=%s", tt.n, timing)
			best, worst := costOf(t, tt.variant, setting)
			assert.Equal(t, want, pair{best, worst}, "%s, %s", tt.variant, setting)
		}
	}
}

// "In the best case the process with the second-highest identifier notices the
// coordinator's failure. Then it can immediately elect itself and send N-2
// coordinator messages. The turnaround time is one message." (C)
func TestBestCase(t *testing.T) {
	for n := 3; n <= 6; n++ {
		setting := fmt.Sprintf("n=%d detectors=%d timing=lockstep", n, n-1)
		for _, tt := range []struct {
			variant     string
			total, turn int
		}{
			{"coulouris-knows", n - 2, 1}, // does not ask the failed coordinator
			{"coulouris", n - 1, 3},       // the summary's N-1
			{"wikipedia", n, 3},           // tells the failed coordinator, too
		} {
			r := costs(t, tt.variant, setting)
			c, turn := r.Cost(cost.Measure{}), r.Cost(cost.Measure{Unit: cost.Ticks})
			assert.Equal(t, []int{tt.total, tt.total}, []int{c.Best, c.Worst}, "%s, n=%d", tt.variant, n)
			assert.Equal(t, []int{tt.turn, tt.turn}, []int{turn.Best, turn.Worst}, "%s, n=%d", tt.variant, n)
		}
		coordinators := costs(t, "coulouris", setting).Cost(cost.Measure{Kind: "coordinator"})
		assert.Equal(t, n-2, coordinators.Worst)
	}
}

// Rule 4 literally begins a new election each time a process is asked: two that
// ask each other's askers never end, even where one process alone noticed the
// failure.
func TestElectionsWithoutLimit(t *testing.T) {
	r := costs(t, "wikipedia-again", "n=4 detectors=1")
	assert.True(t, r.Endless)
	c := r.Cost(cost.Measure{})
	assert.True(t, c.Unbounded)
	assert.Equal(t, 13, c.Best)
	assert.False(t, math.IsInf(c.Uniform, 1), "it ends with probability 1")
	assert.Less(t, c.Residual, 1e-9)
	run, err := r.Run(cost.Measure{}, cost.WorstCase)
	require.NoError(t, err)
	require.Positive(t, run.Trace.Lasso)
	states := run.Run.States
	assert.Equal(t, states[run.Trace.Lasso-1], states[len(states)-1])
	_, worst := costOf(t, "wikipedia-again", "n=4 detectors=1 timing=last-resort")
	assert.Equal(t, 13, worst, "one more than who does not begin again")
}

// The figures that publications have, and which of them the rules give.
func TestPublishedFigures(t *testing.T) {
	agrees := func(name string, n int, p int) (list []bool) {
		v, err := bully.Algorithm.Variant(name)
		require.NoError(t, err)
		s := cost.Setting(v.Setting)
		s.N = n
		if p > 0 {
			s.Detectors = 1 << (p - 1)
		}
		r, err := cost.OfElection(context.Background(), v.In, s, v.Figures, cost.Options{})
		require.NoError(t, err)
		for _, c := range r.Published {
			list = append(list, c.Agrees())
		}
		return list
	}
	// Equation 1, N²-1 and N² where the lowest notices.
	assert.Equal(t, []bool{false, false, false}, agrees("coulouris", 5, 1))
	assert.Equal(t, []bool{false, false, false}, agrees("tanenbaum", 5, 1))
	// Equation 1, N-1, N-2 announcements, one message time and 2N-2 where the
	// second highest does.
	assert.Equal(t, []bool{false, true, true, false, false}, agrees("coulouris", 5, 4))
	assert.Equal(t, []bool{false, false, true, true, false}, agrees("coulouris-knows", 5, 4))
	assert.Equal(t, []bool{false, false, false, false, false}, agrees("wikipedia", 5, 4))
	// N²-1, N-1, N-2 announcements, one message time, 2N-2 and N² where any may.
	assert.Equal(t, []bool{false, true, true, false, false, false}, agrees("coulouris", 4, 0))
}

func BenchmarkCosts(b *testing.B) {
	sys := variant(b, "coulouris", "n=5 start=coordinator-down timing=last-resort")
	var states uint64
	for b.Loop() {
		r, err := cost.Of(context.Background(), sys, cost.Options{})
		require.NoError(b, err)
		states = r.States
	}
	b.ReportMetric(float64(states)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
}
