package algorithms_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/fceabr"
	"bullyproof/algorithms/itairodeh"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/internal/test/play"
	"bullyproof/model"
)

// The average by which Table 3 and equation 1 of FCEABR are judged is that of all runs of
// small rings, in all orders of their processes.
func TestOnAverage(t *testing.T) {
	for n := 3; n <= 6; n++ {
		for m := 1; m <= min(n, 9-n); m++ { // of six, up to three
			initiators := strings.TrimSuffix("1,2,3,4,5,6,"[:2*m], ",")
			r := play.Costs(t, system(t, "fceabr/at-once", fmt.Sprintf("n=%d topology=biring initiators=%s channels=fifo timing=lockstep", n, initiators)))
			announced := int64(n + n%2)
			want := new(big.Rat).Sub(fceabr.OnAverage(n, m), big.NewRat(announced, 1))
			c := r.Cost(cost.Measure{Kind: "Election"})
			assert.Equal(t, want.RatString(), c.MeanBest.RatString(), "%d of %d", m, n)
			assert.Equal(t, want.RatString(), c.MeanWorst.RatString(), "%d of %d", m, n)
			if c = r.Cost(cost.Measure{}); n%2 == 0 {
				assert.Equal(t, fceabr.OnAverage(n, m).RatString(), c.MeanWorst.RatString(), "%d of %d, in all", m, n)
			}
		}
	}
	// Of five, three that begin take 20 messages or, with a third of the orders, 21
	// (61/3; the announcement counted as six, two less).
	assert.InDelta(t, math.Sqrt(2)/3, fceabr.Deviation(5, 1), 1e-9)
}

// Where all begin, the algorithm of Chang and Roberts takes N(1+1/2+...+1/N) election messages
// on average over all arrangements.
func TestChangRobertsOnAverage(t *testing.T) {
	want := big.NewRat(1, 1) // 1+1/2+...+1/N
	for n := 2; n <= 5; n++ {
		want.Add(want, big.NewRat(1, int64(n)))
		r := play.Costs(t, system(t, "changroberts", fmt.Sprintf("n=%d topology=ring initiators=all channels=fifo timing=patient", n)))
		c := r.Cost(cost.Measure{Kind: "election"})
		all := new(big.Rat).Mul(want, big.NewRat(int64(n), 1))
		assert.Equal(t, all.RatString(), c.MeanBest.RatString(), "N = %d", n)
		assert.Equal(t, all.RatString(), c.MeanWorst.RatString(), "N = %d", n)
	}
}

// With one identity nothing breaks the symmetry: the algorithm of Itai and Rodeh goes round
// and round, and no leader can be reached (Angluin).
func TestCoinsAreNeeded(t *testing.T) {
	sys, err := model.New(&itairodeh.Protocol{K: 1}, itairodeh.Algorithm.Variants[0].Setting)
	require.NoError(t, err)
	r := play.Check(t, sys, itairodeh.Algorithm.Asked...)
	assert.Equal(t, checker.Vacuous, r.Finding("uniqueness").Verdict)
	assert.Equal(t, checker.Violated, r.Finding("leader-reachable").Verdict)
}

// Where channels are not FIFO, modulo 4 is not enough, and a process says so.
func TestRoundsModulo4(t *testing.T) {
	r, err := checker.Check(t.Context(), system(t, "itairodeh", "n=3 topology=ring:anonymous timing=patient"),
		checker.Options{Properties: []*checker.Property{checker.Uniqueness}, MaxStates: 100_000})
	require.NoError(t, err)
	assert.Equal(t, checker.Violated, r.Finding("misuse").Verdict)
}

// The average costs of elections, if every order of delivery and every outcome
// of a coin is as likely as another. On a ring of two with identities 1 and 2: 3
// messages where they differ, and 4 for each clash before that (3 + 4 times 1).
// The algorithm of Fokkink and Pang takes as many as that of Itai and Rodeh.
func TestAveragesOfCoins(t *testing.T) {
	modulo4 := itairodeh.Protocol{}
	without := itairodeh.Protocol{Rounds: itairodeh.Without}
	noBit := itairodeh.Protocol{Rounds: itairodeh.Without, NoBit: true}
	for _, tt := range []struct {
		of    itairodeh.Protocol
		n, k  int
		least int
		mean  float64
	}{
		{modulo4, 2, 2, 3, 7}, {without, 2, 2, 3, 7}, {noBit, 2, 2, 3, 5},
		{modulo4, 2, 3, 3, 5}, {without, 2, 3, 3, 5}, {noBit, 2, 3, 3, 4},
		{modulo4, 3, 3, 5, 163.0 / 16}, {without, 3, 3, 5, 163.0 / 16}, {noBit, 3, 3, 5, 101.0 / 12},
		{without, 4, 3, 8, 1315.0 / 78}, {noBit, 4, 3, 8, 13.865147198479951},
	} {
		tt.of.K = tt.k
		sys, err := model.NewFrom(&tt.of, fmt.Sprintf("n=%d topology=ring:anonymous channels=fifo timing=patient", tt.n))
		require.NoError(t, err)
		r := play.Costs(t, sys)
		c := r.Cost(cost.Measure{})
		assert.Equal(t, tt.least, c.Best)
		assert.True(t, c.Unbounded)
		assert.InDelta(t, tt.mean, c.Uniform, 1e-9, "N=%d, K=%d", tt.n, tt.k)
		assert.Zero(t, r.Stuck)
	}
}
