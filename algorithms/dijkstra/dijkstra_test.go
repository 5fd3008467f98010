package dijkstra

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/internal/test/thorough"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

func TestProtocols(t *testing.T) {
	thorough.Only(t)
	two := "n=2 arrangement=1-2 "
	play.Protocols(t, ring(two).String(), model.Protocol[P, M](&Ring{Machine: KState{}}))
	play.Protocols(t, ring(two+"timing=sync:1 crashes=1 restarts=1").String(), model.Protocol[P, M](&Ring{Machine: KState{}, Messages: true}))
	play.Protocols(t, world("topology=biring "+two).String(), model.Protocol[P, M](&Ring{Machine: FourState{}}))
	play.Protocols(t, both("").String(), model.Protocol[P, M](&Ring{Machine: ThreeState{}}))
}

// worst returns the most moves until a state is legitimate.
func worst(t *testing.T, variant string, n int) int {
	v, err := Algorithm.Variant(variant)
	require.NoError(t, err)
	s, err := v.Setting.With(fmt.Sprintf("n=%d arrangement=%s", n, "1-2-3-4-5"[:2*n-1]))
	require.NoError(t, err)
	sys, err := v.New(s)
	require.NoError(t, err)
	var most []*checker.Property
	for k := range 40 {
		most = append(most, checker.Always(fmt.Sprintf("most-%d", k), "", func(v *model.View) bool { return int(past.Of(v).Moves) <= k }).Remembering(past))
	}
	return len(play.Broken(t, sys, most...))
}

// How many moves it takes among 2 machines and more, up to 4, in a deep run 5.
func TestMoves(t *testing.T) {
	for variant, want := range map[string][]int{
		"k-state":     {0, 2, 13, 24},
		"one-fewer":   {-1, 1, 13, 24},
		"four-state":  {0, 2, 7, 13},
		"three-state": {-1, 2, 10, 22},
	} {
		for i, moves := range want {
			if n := 2 + i; moves >= 0 && (n < 5 || *play.Deep) {
				assert.Equal(t, moves, worst(t, variant, n), "%s, N=%d", variant, n)
			}
		}
	}
}

// With fewer messages under way than states, hasty machines also stabilise: two need four states.
func TestHastyMachines(t *testing.T) {
	for states := 2; states <= 4; states++ {
		hasty := &Ring{Machine: KState{More: states - 2}, Messages: true, Hasty: true}
		sys, err := model.New[P, M](hasty, ring("n=2 arrangement=1-2 channels=fifo timing=sync:2"))
		require.NoError(t, err)
		assert.Equal(t, states < 4, len(play.Broken(t, sys, stabilisesFairly)) > 0, "%d states", states)
	}
}

// Where several machines may move in one step, three need three steps, the bound of Altisen et al. One move at a time they
// need two: see TestMoves.
func TestStepsOfSeveralMachines(t *testing.T) {
	for n, want := range map[int][2]int{2: {0, 0}, 3: {2, 3}, 4: {13, 13}} {
		for i, several := range []bool{false, true} {
			most := 0
			steps := make(map[string]int)
			for code := range power(n, n) {
				s := make([]int, n)
				for k := range s {
					s[k] = code / power(n, k) % n
				}
				most = max(most, longest(s, several, steps))
			}
			assert.Equal(t, want[i], most, "%d machines, several at once: %v", n, several)
		}
	}
}

// power returns n to the power of k.
func power(n, k int) int {
	p := 1
	for range k {
		p *= n
	}
	return p
}

// longest returns the most steps from a state of K-state machines, as many states as machines, until one has a privilege.
func longest(s []int, several bool, known map[string]int) int {
	key := fmt.Sprint(s)
	if most, ok := known[key]; ok {
		return most
	}
	var free []int
	for i := range s {
		if left := s[(i+len(s)-1)%len(s)]; (s[i] == left) == (i == 0) {
			free = append(free, i)
		}
	}
	most := 0
	for moves := 1; len(free) > 1 && moves < 1<<len(free); moves++ {
		if !several && moves&(moves-1) != 0 {
			continue
		}
		next := append([]int(nil), s...)
		for k, i := range free {
			switch {
			case moves>>k&1 == 0:
			case i == 0:
				next[0] = (s[0] + 1) % len(s)
			default:
				next[i] = s[i-1]
			}
		}
		most = max(most, 1+longest(next, several, known))
	}
	known[key] = most
	return most
}
