package dolevklawerodeh_test

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/dolevklawerodeh"
	"bullyproof/algorithms/internal/play"
	"bullyproof/checker"
	"bullyproof/model"
)

// costs returns what elections cost, all beginning at once.
func costs(n int) (*checker.CostReport, error) {
	sys, err := model.New(&dolevklawerodeh.Protocol{}, model.Setting{
		N: n, Topology: model.Ring, FIFO: true, Timing: model.Timing{Kind: model.Asynchronous},
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
// without the announcement, and the average. Each arrangement has one cost,
// whatever order messages arrive in: every process reads a single channel.
func TestCosts(t *testing.T) {
	tests := []struct {
		n, least, most int
		mean           string // over the arrangements
	}{
		{2, 6, 6, "6"},
		{3, 9, 9, "9"},
		{4, 12, 20, "44/3"},
		{5, 15, 25, "65/3"},
		{6, 18, 30, "142/5"},
	}
	for _, tt := range tests {
		r, err := costs(tt.n)
		require.NoError(t, err)
		c := r.Cost(checker.Measure{})
		assert.Equal(t, []int{tt.least + tt.n, tt.most + tt.n}, []int{c.Best, c.Worst}, "N=%d", tt.n)
		require.NotNil(t, c.Fixed(), "N=%d", tt.n)
		mean := new(big.Rat).Sub(c.Fixed(), big.NewRat(int64(tt.n), 1))
		assert.Equal(t, tt.mean, mean.RatString(), "N=%d", tt.n)
		assert.Equal(t, fmt.Sprint(tt.n), r.Cost(checker.Measure{Kind: "elected"}).Fixed().RatString())
		assert.Zero(t, r.Stuck)
		assert.False(t, r.Endless)
	}
}

// Of larger rings there is one order of arrival for each arrangement: on smaller
// ones it makes no difference.
func TestCostsOfLargerRings(t *testing.T) {
	for _, tt := range []struct{ n, least, most int }{{7, 21, 35}, {8, 24, 56}} {
		if tt.n > 7 && !*deep {
			continue
		}
		sent := play.Straight(t, system(t, "", fmt.Sprintf("n=%d topology=ring channels=fifo timing=async:0", tt.n)))
		assert.Equal(t, []int{tt.least + tt.n, tt.most + tt.n}, []int{slices.Min(sent), slices.Max(sent)}, "N=%d", tt.n)
	}
}
