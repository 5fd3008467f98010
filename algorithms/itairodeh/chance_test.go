package itairodeh

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/chance"
	"bullyproof/internal/test/play"
	"bullyproof/model"
)

// The expected messages of the asynchronous elections of Itai and Rodeh, and of Fokkink and Pang,
// as Storm has them.
func TestAsynchronousItaiRodeh(t *testing.T) {
	for _, c := range []struct {
		n        int
		protocol Protocol
		messages string
		deep     bool
	}{
		{2, Protocol{K: 2}, "7", false},
		{3, Protocol{K: 2}, "59/4", false},
		{3, Protocol{K: 3}, "163/16", false},
		{3, Protocol{K: 4}, "173/20", false},
		{4, Protocol{K: 2}, "526/21", false},
		{4, Protocol{K: 4}, "4436/315", false},
		{5, Protocol{K: 4}, "29311/1428", true},
		{3, Protocol{K: 3, Rounds: Without}, "163/16", false},
		{4, Protocol{K: 2, Rounds: Without}, "526/21", false},
		{5, Protocol{K: 2, Rounds: Without}, "2378/63", true},
		{5, Protocol{K: 3, Rounds: Without}, "93211/3744", true},
		{3, Protocol{K: 3, Rounds: Without, NoBit: true}, "101/12", false},
		{4, Protocol{K: 2, Rounds: Without, NoBit: true}, "809/42", false},
	} {
		if c.deep && !*play.Deep {
			continue
		}
		t.Run(fmt.Sprintf("%d of %+v", c.n, c.protocol), func(t *testing.T) {
			sys, err := model.NewFrom(&c.protocol, fmt.Sprintf("n=%d topology=ring:anonymous channels=fifo timing=patient", c.n))
			require.NoError(t, err)
			r, err := chance.Of(t.Context(), sys, chance.Options{ExactStates: 100_000})
			require.NoError(t, err)
			require.Empty(t, r.Why)
			assert.Equal(t, "1", r.Reached.Least.String())
			messages := r.Cost("messages")
			assert.Equal(t, c.messages, messages.Least.String())
			assert.Equal(t, c.messages, messages.Most.String())
		})
	}
}

// rounds returns how many rounds the synchronous election takes on average: 1/p, where p is the
// share of the throws of n numbers of k in which one number comes once.
func rounds(n, k int) *big.Rat {
	throws, good := 1, 0
	for range n {
		throws *= k
	}
	for throw := range throws {
		count := make([]int, k)
		for i, rest := 0, throw; i < n; i, rest = i+1, rest/k {
			count[rest%k]++
		}
		for _, c := range count {
			if c == 1 {
				good++
				break
			}
		}
	}
	return big.NewRat(int64(throws), int64(good))
}

// costs requires that so much of a unit is spent on average, whatever the scheduler does.
func costs[S any, L model.Message](t *testing.T, protocol model.Protocol[S, L], in, unit string, want *big.Rat) {
	t.Helper()
	sys, err := model.NewFrom(protocol, in)
	require.NoError(t, err)
	r, err := chance.Of(t.Context(), sys, chance.Options{ExactStates: 100_000})
	require.NoError(t, err)
	require.Empty(t, r.Why)
	for _, v := range []chance.Value{r.Cost(unit).Least, r.Cost(unit).Most} {
		assert.Equal(t, want.RatString(), v.String())
	}
}

// The synchronous election takes as many rounds as PRISM, Storm and the closed form say.
func TestRoundsOfSynchronous(t *testing.T) {
	for _, c := range []struct {
		n, k   int
		rounds string
	}{
		{3, 2, "4/3"}, {3, 3, "9/8"}, {3, 4, "16/15"}, {3, 5, "25/24"}, {4, 2, "2"}, {4, 3, "27/20"}, {4, 4, "32/27"}, {5, 2, "16/5"},
		{5, 3, "27/20"}, {5, 4, "256/225"},
	} {
		t.Run(fmt.Sprintf("%d of %d", c.n, c.k), func(t *testing.T) {
			require.Equal(t, c.rounds, rounds(c.n, c.k).RatString())
			ticks := new(big.Rat).Mul(rounds(c.n, c.k), big.NewRat(int64(c.n-1), 1))
			costs(t, &Synchronous{K: c.k}, fmt.Sprintf("n=%d topology=ring:anonymous channels=fifo timing=lockstep", c.n), "ticks", ticks)
		})
	}
}

// coinRounds returns how many rounds the election by coins takes on average: of n processes that
// toss, those are out that threw 0 behind a 1.
func coinRounds(n int) *big.Rat {
	if n == 1 {
		return new(big.Rat)
	}
	out, sum := make([]int64, n), new(big.Rat)
	for throw := range 1 << n {
		gone := 0
		for i := range n {
			if throw>>i&1 == 0 && throw>>((i+1)%n)&1 == 1 {
				gone++
			}
		}
		out[gone]++
	}
	all := big.NewRat(1<<n, 1)
	sum.Set(all)
	for gone := 1; gone < n; gone++ {
		sum.Add(sum, new(big.Rat).Mul(big.NewRat(out[gone], 1), coinRounds(n-gone)))
	}
	return sum.Quo(sum, new(big.Rat).Sub(all, big.NewRat(out[0], 1)))
}

// The election by coins takes as many rounds as PRISM and Storm say. In each a choice and a counter
// pass every link once.
func TestRoundsOfCoins(t *testing.T) {
	for n, want := range map[int]string{3: "10/3", 4: "30/7", 5: "1586/315", 6: "1226/217"} {
		require.Equal(t, want, coinRounds(n).RatString())
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			messages := new(big.Rat).Mul(coinRounds(n), big.NewRat(int64(2*n), 1))
			costs(t, &Coins{}, fmt.Sprintf("n=%d topology=ring:anonymous channels=fifo timing=patient", n), "messages", messages)
		})
	}
}
