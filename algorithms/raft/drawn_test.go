package raft

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/chance"
	"bullyproof/model"
)

// The first term elects unless all three servers draw the same tick. That is known of all runs that
// come to a leader before anybody begins the second term; nothing is known of the others.
func TestSplitVotes(t *testing.T) {
	for _, window := range []int{3, 5, 10} {
		sys, err := model.NewFrom(&Raft{Drawn: window, Terms: 1}, "n=3 timing=lockstep detector=off initiators=none")
		require.NoError(t, err)
		r, err := chance.Of(t.Context(), sys, chance.Options{Goal: leads, Blind: true})
		require.NoError(t, err)
		require.Empty(t, r.Why)
		want, _ := new(big.Rat).Sub(big.NewRat(1, 1), big.NewRat(1, int64(window*window))).Float64()
		for _, v := range []chance.Value{r.Reached.Least, r.Reached.Most} {
			assert.InDelta(t, want, v.Low, 1e-9, fmt.Sprint(window))
			assert.InDelta(t, 1, v.High, 1e-9)
		}
		assert.Positive(t, r.Cut)
	}
}
