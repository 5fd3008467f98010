package hirschbergsinclair_test

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/hirschbergsinclair"
	"bullyproof/checker"
	"bullyproof/model"
)

// costs returns what elections cost, all beginning at once.
func costs(n int) (*checker.CostReport, error) {
	sys, err := model.New(&hirschbergsinclair.Protocol{}, model.Setting{
		N: n, Topology: model.BiRing, FIFO: true, Timing: model.Timing{Kind: model.Asynchronous},
	})
	if err != nil {
		return nil, err
	}
	return checker.Costs(context.Background(), sys, checker.CostOptions{})
}

// cost returns the least and the most messages of an election on rings of n in
// all arrangements, without the announcement of N messages.
func cost(n int) string {
	r, err := costs(n)
	if err != nil {
		return err.Error()
	}
	c := r.Cost(checker.Measure{})
	return fmt.Sprintf("%d..%d", c.Best-n, c.Worst-n)
}

// What others have counted, over all arrangements: least and most messages
// without the announcement. Where it does not depend on the order in which
// messages arrive there is an average, too. (With N=4 it does: a candidate that
// hears of the outcome first does not begin another phase.)
func TestCosts(t *testing.T) {
	tests := []struct {
		n, least, most int
		mean           string // over the arrangements
	}{
		{2, 10, 10, "10"},
		{3, 23, 23, "23"},
		{4, 28, 32, ""},
		{5, 49, 55, "158/3"},
		{6, 54, 68, ""},
	}
	for _, tt := range tests {
		if tt.n > 5 && !*deep {
			continue
		}
		r, err := costs(tt.n)
		require.NoError(t, err)
		c := r.Cost(checker.Measure{})
		assert.Equal(t, []int{tt.least + tt.n, tt.most + tt.n}, []int{c.Best, c.Worst}, "N=%d", tt.n)
		assert.Equal(t, tt.mean == "", c.Fixed() == nil, "N=%d", tt.n)
		if c.Fixed() != nil {
			mean := new(big.Rat).Sub(c.Fixed(), big.NewRat(int64(tt.n), 1))
			assert.Equal(t, tt.mean, mean.RatString(), "N=%d", tt.n)
		}
		assert.Equal(t, fmt.Sprint(tt.n), r.Cost(checker.Measure{Kind: "elected"}).Fixed().RatString())
		assert.Zero(t, r.Stuck)
		assert.False(t, r.Endless)
	}
}

// Where the probe of a smaller id is refused, the refusal has to get home, too.
func TestCostsOfRefusals(t *testing.T) {
	for _, tt := range []struct{ n, least, most int }{{2, 12, 12}, {3, 26, 26}, {4, 32, 40}} {
		sys := system(t, "echoes", fmt.Sprintf("n=%d topology=biring channels=fifo timing=async:0", tt.n))
		r, err := checker.Costs(t.Context(), sys, checker.CostOptions{})
		require.NoError(t, err)
		c := r.Cost(checker.Measure{})
		assert.Equal(t, []int{tt.least + tt.n, tt.most + tt.n}, []int{c.Best, c.Worst}, "N=%d", tt.n)
	}
}
