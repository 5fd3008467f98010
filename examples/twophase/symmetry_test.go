package twophase_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/examples/twophase"
	"bullyproof/explore"
	"bullyproof/explore/typed"
)

// TestOrbits counts orbits: with a symmetry, and by hand among all states.
func TestOrbits(t *testing.T) {
	some := typed.Sometimes("one commits and one is prepared", func(s twophase.State) bool {
		seen := uint8(0)
		for _, rm := range s.RM {
			seen |= 1 << rm
		}
		return seen>>twophase.Committed&1 != 0 && seen>>twophase.Prepared&1 != 0
	})
	consistent := typed.Always("consistent", twophase.State.Consistent)
	for _, n := range []int{3, 5, 9} {
		p := twophase.Protocol(n)
		t.Run(fmt.Sprint("rms=", n), func(t *testing.T) {
			r, err := typed.Check(context.Background(), p, explore.Options{}, consistent, some, typed.Symmetry("resource managers", p.Canonical))
			require.NoError(t, err)
			assert.Equal(t, typed.Holds, r.Answer("consistent").Verdict)
			if n == 9 {
				assert.EqualValues(t, 2232, r.Distinct, "of 10,340,352 states")
				return
			}
			plain, err := typed.Check(context.Background(), p, explore.Options{Graph: true}, consistent, some)
			require.NoError(t, err)
			orbits := map[twophase.State]bool{}
			require.NoError(t, plain.States(func(_ uint32, s twophase.State) bool {
				orbits[p.Canonical(s)] = true
				return true
			}))
			assert.EqualValues(t, len(orbits), r.Distinct)
			assert.Equal(t, plain.Depth, r.Depth)
			a, b := plain.Answer("one commits and one is prepared"), r.Answer("one commits and one is prepared")
			assert.Equal(t, typed.Found, b.Verdict)
			require.Len(t, b.Behavior.Steps, len(a.Behavior.Steps), "no behavior is shorter")
			follows(t, p, b.Behavior)
		})
	}
}

// follows checks that each step of a behavior is one of the protocol.
func follows(t *testing.T, p twophase.Protocol, b typed.Behavior[twophase.State, twophase.Action]) {
	t.Helper()
	assert.Equal(t, twophase.State{}, b.Steps[0].State)
	for i := range b.Steps[1:] {
		taken := false
		p.Next(b.Steps[i].State, func(a twophase.Action, s twophase.State) bool {
			taken = taken || a == b.Steps[i+1].Action && s == b.Steps[i+1].State
			return true
		})
		assert.True(t, taken, "step %d", i+1)
	}
}
