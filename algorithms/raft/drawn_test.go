package raft

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/chance"
	"bullyproof/model"
)

// ongaro is the chance of a split vote among n servers of which s are up, whose timeouts are drawn
// from an interval of length 1 and whose messages take the time l. (D. Ongaro, Consensus: Bridging
// Theory and Practice, 2014, chapter 9.)
func ongaro(n, s int, l float64) (p float64) {
	for k := s - n/2; k <= s; k++ {
		ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(s), int64(k))).Float64()
		p += ways * math.Pow(l, float64(k)) * math.Pow(1-l, float64(s-k))
	}
	return p
}

// His figures, for five servers of which four are up.
func TestOngaro(t *testing.T) {
	for l, want := range map[float64]float64{0.01: 0.0006, 0.1: 0.052, 0.2: 0.181} {
		assert.InDelta(t, want, ongaro(5, 4, l), 0.0005, "%v", l)
	}
}

// The first term elects unless all three servers draw the same tick. That is known of all runs that
// come to a leader before anybody begins the second term; nothing is known of the others. In
// Ongaro's formula a message takes the same part of a tick; a tick is the most that it takes here.
func TestSplitVotes(t *testing.T) {
	for _, window := range []int{3, 5, 10} {
		sys, err := model.NewFrom(&Raft{Drawn: window, Terms: 1}, "n=3 timing=lockstep detector=off initiators=none")
		require.NoError(t, err)
		r, err := chance.Of(t.Context(), sys, chance.Options{Goal: someLeader, Blind: true})
		require.NoError(t, err)
		require.Empty(t, r.Why)
		want, _ := new(big.Rat).Sub(big.NewRat(1, 1), big.NewRat(1, int64(window*window))).Float64()
		for _, v := range []chance.Value{r.Reached.Least, r.Reached.Most} {
			assert.InDelta(t, want, v.Low, 1e-9, fmt.Sprint(window))
			assert.InDelta(t, 1, v.High, 1e-9)
		}
		assert.Positive(t, r.Cut)
		assert.InDelta(t, 0, 1-want, ongaro(3, 3, 1/float64(window)))
	}
}
