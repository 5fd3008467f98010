package changroberts_test

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/changroberts"
	"bullyproof/checker/cost"
	"bullyproof/internal/test/play"
	"bullyproof/model/setting"
)

// costOf returns what elections cost on rings in a setting, by a measure.
func costOf(t testing.TB, variant, setting string, m cost.Measure) *cost.Cost {
	t.Helper()
	r := play.Costs(t, system(t, variant, setting))
	require.Empty(t, r.Why)
	c := r.Cost(m)
	require.NotNil(t, c)
	return c
}

// "Making 3N-1 messages in all. The turnaround time is also 3N-1", and "Best
// case performance 2 x N": of one initiator, over all arrangements, exactly.
func TestCostOfOneInitiator(t *testing.T) {
	most := 5
	if *play.Deep {
		most = 6
	}
	for _, v := range changroberts.Algorithm.Variants {
		for _, channels := range []string{"fifo", "unordered"} {
			for n := 2; n <= most; n++ {
				s, err := setting.Parse(fmt.Sprintf("n=%d topology=ring initiators=one channels=%s timing=patient", n, channels))
				require.NoError(t, err)
				r, err := cost.OfElection(context.Background(), v.In, s, v.Figures, cost.Options{})
				require.NoError(t, err)
				c := r.Cost(cost.Measure{})
				assert.Equal(t, []int{2 * n, 3*n - 1}, []int{c.Best, c.Worst}, s)
				assert.Equal(t, big.NewRat(int64(5*n-1), 2).RatString(), c.Fixed().RatString(), "halfway, on average")
				require.Len(t, r.Published, 3)
				for _, p := range r.Published {
					assert.True(t, p.Agrees(), "%s: %s", s, p.Figure.Name)
				}
				turn := r.Lockstep.Cost(cost.Measure{Unit: cost.Ticks})
				assert.Equal(t, []int{2 * n, 3*n - 1}, []int{turn.Best, turn.Worst}, s)
			}
		}
	}
}

// Where all start before anything is delivered, an identifier travels until it
// meets a greater one. On average over the arrangements that is N/k steps for
// the k-th greatest, N times the N-th harmonic number in all, and the
// announcement takes N more: whatever order messages arrive in, if channels are
// FIFO, or if a process that was told stops smaller identifiers for good.
func TestCostOfAllInitiators(t *testing.T) {
	tests := []struct {
		variant, channels string
		most              int
	}{
		{"coulouris", "fifo", 6},
		{"once", "fifo", 6},
		{"once", "unordered", 5},
	}
	for _, tt := range tests {
		for n := 2; n <= tt.most; n++ {
			if testing.Short() && n > 5 {
				continue
			}
			setting := fmt.Sprintf("n=%d topology=ring initiators=all channels=%s timing=patient", n, tt.channels)
			harmonic := new(big.Rat)
			for k := 1; k <= n; k++ {
				harmonic.Add(harmonic, big.NewRat(1, int64(k)))
			}
			sys := system(t, tt.variant, setting)
			r := play.Costs(t, sys)
			elections, elected := r.Cost(cost.Measure{Kind: "election"}), r.Cost(cost.Measure{Kind: "elected"})
			want := new(big.Rat).Mul(big.NewRat(int64(n), 1), harmonic)
			require.NotNil(t, elections.Fixed(), "the cost of an arrangement does not depend on the order of arrival: %s", setting)
			assert.Zero(t, want.Cmp(elections.Fixed()), "%s: %s", setting, elections.Fixed())
			assert.Equal(t, fmt.Sprint(n), elected.Fixed().RatString(), setting)
			all := r.Cost(cost.Measure{})
			assert.Equal(t, []int{3*n - 1, n*(n+1)/2 + n}, []int{all.Best, all.Worst}, setting)
			assert.Equal(t, n == 2, all.Best == all.Worst)
		}
	}
}

// As the slides have it, on channels that are not FIFO, an election message that
// the elected message overtook makes a non-participant begin one more election:
// the closed form is the best case of each arrangement, and no more. From N = 4
// on such an election can leave a participant behind for good: the next process
// is still a participant, as the elected message is overtaken again, and takes
// the substituted identifier out of the ring.
func TestCostWithoutFIFO(t *testing.T) {
	tests := []struct {
		n           int
		best, worst int
		mean        string
		stuck       int
	}{
		{2, 5, 9, "5", 0},
		{3, 8, 21, "17/2", 0},
		{4, 11, 38, "37/3", 2},
	}
	for _, tt := range tests {
		setting := fmt.Sprintf("n=%d topology=ring initiators=all channels=unordered timing=patient", tt.n)
		r := play.Costs(t, system(t, "coulouris", setting))
		c := r.Cost(cost.Measure{})
		assert.Equal(t, []int{tt.best, tt.worst}, []int{c.Best, c.Worst}, setting)
		assert.Equal(t, tt.mean, c.MeanBest.RatString(), setting)
		assert.Nil(t, c.Fixed(), setting)
		assert.Equal(t, tt.stuck, r.Stuck, setting)
		if tt.stuck == 0 {
			continue
		}
		run, err := r.StuckRun()
		require.NoError(t, err)
		v := run.Run.System.View(run.Run.States[len(run.Run.States)-1])
		assert.True(t, v.Quiet && !v.Settled && v.Participants.Len() == 1, setting)
	}
}

// Initiators that start when they please, unless a message reaches them first,
// and any number of them. The figures are totals over all arrangements and sets
// of initiators of a size, best and worst.
func TestCostOfLazyInitiators(t *testing.T) {
	tests := []struct {
		n, initiators int
		best, worst   int
	}{
		{2, 1, 4, 5},
		{2, 2, 4, 5},
		{3, 1, 6, 8},
		{3, 2, 6, 9},
		{3, 3, 6, 9},
		{4, 1, 8, 11},
		{4, 2, 8, 13},
		{4, 3, 8, 14},
		{4, 4, 8, 14},
		{5, 1, 10, 14},
		{5, 2, 10, 17},
		{5, 3, 10, 19},
		{5, 4, 10, 20},
		{5, 5, 10, 20},
		{6, 6, 12, 27},
	}
	for _, tt := range tests {
		if testing.Short() && tt.n > 4 {
			continue
		}
		most := tt.n // the formula for k initiators
		for j := range min(tt.initiators, tt.n-1) + 1 {
			most += tt.n - j
		}
		best, worst := 1<<30, 0
		for _, set := range sets(tt.n, tt.initiators) {
			setting := fmt.Sprintf("n=%d topology=ring initiators=%s:lazy channels=fifo timing=patient", tt.n, set)
			c := costOf(t, "coulouris", setting, cost.Measure{})
			best, worst = min(best, c.Best), max(worst, c.Worst)
		}
		assert.Equal(t, []int{tt.best, tt.worst}, []int{best, worst}, "%d of %d", tt.initiators, tt.n)
		assert.Equal(t, most, worst, "%d of %d", tt.initiators, tt.n)
	}
}

// sets lists the sets of k of n processes, as settings write them.
func sets(n, k int) (list []string) {
	for bits := range 1 << n {
		var ids []string
		for i := range n {
			if bits>>i&1 != 0 {
				ids = append(ids, fmt.Sprint(i+1))
			}
		}
		if len(ids) == k {
			list = append(list, strings.Join(ids, ","))
		}
	}
	return list
}
