package fceabr

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/internal/play"
	"bullyproof/cost"
	"bullyproof/setting"
)

// The average by which Table 3 and equation 1 are judged is that of all runs of
// small rings, in all orders of their processes.
func TestOnAverage(t *testing.T) {
	for n := 3; n <= 6; n++ {
		for m := 1; m <= min(n, 9-n); m++ { // of six, up to three
			v, err := Algorithm.Variant("at-once")
			require.NoError(t, err)
			initiators := strings.TrimSuffix("1,2,3,4,5,6,"[:2*m], ",")
			s, err := setting.Parse(fmt.Sprintf("n=%d topology=biring initiators=%s channels=fifo timing=lockstep", n, initiators))
			require.NoError(t, err)
			sys, err := v.In(s)
			require.NoError(t, err)
			r := play.Costs(t, sys)
			c := r.Cost(cost.Measure{Kind: labels[Election]})
			want := new(big.Rat).Sub(onAverage(n, m), big.NewRat(int64(evenly(n)), 1)) // without the announcement
			assert.Equal(t, want.RatString(), c.MeanBest.RatString(), "%d of %d", m, n)
			assert.Equal(t, want.RatString(), c.MeanWorst.RatString(), "%d of %d", m, n)
			if c = r.Cost(cost.Measure{}); n%2 == 0 {
				assert.Equal(t, onAverage(n, m).RatString(), c.MeanWorst.RatString(), "%d of %d, in all", m, n)
			}
		}
	}
}

func TestDeviation(t *testing.T) {
	// Of five, three that begin take 20 messages or, with a third of the orders, 21
	// (TestOnAverage: 61/3; the announcement counted as six, two less).
	assert.InDelta(t, math.Sqrt(2)/3, deviation(5, 1), 1e-9)
}
