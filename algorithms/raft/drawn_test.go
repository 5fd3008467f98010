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
		r := chances(t, &Raft{Drawn: window, Terms: 1}, "n=3 timing=lockstep detector=off initiators=none", -1)
		want, _ := new(big.Rat).Sub(big.NewRat(1, 1), big.NewRat(1, int64(window*window))).Float64()
		for _, v := range []chance.Value{r.Reached.Least, r.Reached.Most} {
			assert.InDelta(t, want, v.Low, 1e-9, fmt.Sprint(window))
			assert.InDelta(t, 1, v.High, 1e-9)
		}
		assert.Positive(t, r.Cut)
		assert.InDelta(t, 0, 1-want, ongaro(3, 3, 1/float64(window)))
	}
}

// FirstTerm has the chances of Raft in the first term, least and most, and knows them all: in Raft they
// are those of the runs in which nobody begins a second one.
func TestFirstTermIsThatOfRaft(t *testing.T) {
	for _, c := range []struct{ n, window int }{{2, 3}, {3, 2}, {3, 5}, {3, 10}, {4, 2}, {4, 3}} {
		in := fmt.Sprintf("n=%d timing=lockstep detector=off initiators=none", c.n)
		raft := Raft{Drawn: c.window, Terms: 1}
		whole, first := chances(t, &raft, in, -1), chances(t, FirstTerm{&raft}, in, 3_000)
		assert.Positive(t, whole.Cut)
		assert.Zero(t, first.Cut)
		assert.Less(t, first.Distinct, whole.Distinct)
		for _, v := range []struct{ first, whole chance.Value }{
			{first.Reached.Least, whole.Reached.Least}, {first.Reached.Most, whole.Reached.Most},
		} {
			require.NotNil(t, v.first.Exact)
			exact, _ := v.first.Exact.Float64()
			assert.InDelta(t, exact, v.whole.Low, 1e-9, "%+v", c)
		}
		t.Logf("%+v: %v to %v, %d states of %d", c, first.Reached.Least, first.Reached.Most, first.Distinct, whole.Distinct)
	}
}

// impatient is FirstTerm where a candidate waits on, and for a tick only: less than votes take.
type impatient struct{ FirstTerm }

func (r impatient) Timeout(p *P, net *model.Net[M], t model.Timer) {
	r.FirstTerm.Timeout(p, net, t)
	net.SetTimer(electionTimer, 1)
}

// The comparison finds a timeout that does decide something.
func TestImpatientIsNotThatOfRaft(t *testing.T) {
	raft := Raft{Drawn: 3, Terms: 1}
	in := "n=3 timing=lockstep detector=off initiators=none"
	assert.Less(t, chances(t, impatient{FirstTerm{&raft}}, in, -1).Reached.Most.Low, chances(t, &raft, in, -1).Reached.Least.Low-0.1)
}

// The vote of the first term splits by how many servers draw the least timeout, in closed form. Each of
// these votes for itself, and a scheduler has the others vote alike or for as many as there are. The
// latency of Ongaro's formula is a fraction of the window, and here a message takes a tick of it: his
// number for one tick of ten is between those of the best and of the worst scheduler.
func TestSplitVotesInClosedForm(t *testing.T) {
	for _, c := range []struct{ n, window int }{{3, 4}, {4, 3}, {5, 3}, {5, 10}} {
		r := chances(t, FirstTerm{&Raft{Drawn: c.window, Terms: 1}}, fmt.Sprintf("n=%d timing=lockstep detector=off initiators=none", c.n), 100_000)
		assert.True(t, r.Orbits)
		best, worst := new(big.Rat), new(big.Rat)
		for asking := 1; asking <= c.n; asking++ {
			others, p := c.n-asking, least(c.n, asking, c.window)
			if 1+others <= c.n/2 {
				best.Add(best, p)
			}
			if 1+(others+asking-1)/asking <= c.n/2 {
				worst.Add(worst, p)
			}
		}
		one := big.NewRat(1, 1)
		assert.Equal(t, new(big.Rat).Sub(one, worst), r.Reached.Least.Exact, "%+v", c)
		assert.Equal(t, new(big.Rat).Sub(one, best), r.Reached.Most.Exact, "%+v", c)
		t.Logf("%+v: split %v to %v, %d states, %v", c, best, worst, r.Distinct, r.Duration)
		if c.window == 10 {
			low, _ := best.Float64()
			high, _ := worst.Float64()
			split := ongaro(c.n, c.n, 0.1)
			assert.Greater(t, split, low)
			assert.Less(t, split, high)
		}
	}
}

// least returns the probability that so many of n servers draw the least of their numbers below window.
func least(n, so, window int) *big.Rat {
	ways := new(big.Int)
	for rest := range window { // how many numbers are above the least
		others := new(big.Int).Exp(big.NewInt(int64(rest)), big.NewInt(int64(n-so)), nil)
		ways.Add(ways, others.Mul(others, new(big.Int).Binomial(int64(n), int64(so))))
	}
	return new(big.Rat).SetFrac(ways, new(big.Int).Exp(big.NewInt(int64(window)), big.NewInt(int64(n)), nil))
}

// chances returns those that somebody leads.
func chances(t *testing.T, p model.Protocol[P, M], in string, exact int) *chance.Report {
	t.Helper()
	sys, err := model.NewFrom(p, in)
	require.NoError(t, err)
	r, err := chance.Of(t.Context(), sys, chance.Options{Goal: someLeader, Blind: true, ExactStates: exact})
	require.NoError(t, err)
	require.Empty(t, r.Why)
	return r
}
