package model_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/casecount"
	"bullyproof/model"
)

// participation is what E2 says of a process: who takes part owes to be out of the
// election, and to name somebody.
var participation = model.Obligation{
	Begins: func(b model.Belief) bool { return b.Participant },
	Ends:   func(b model.Belief) bool { return b.Elected != model.None },
}

// TestOwingFollowsFromTheStates walks through random protocols, and has the bit of each
// process say what the states on the way say, with the actions of the system as it is.
func TestOwingFollowsFromTheStates(t *testing.T) {
	seen := map[bool]int{}
	for seed := range casecount.Numbers(t, *deep, 150, 5_000) {
		x := suspectOf(seed)
		sys := x.system(t)
		owing, err := sys.Owing(participation)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(seed, 31))
		var starts, owingStarts [][]byte
		sys.Initial(func(state []byte) bool { starts = append(starts, append([]byte(nil), state...)); return true })
		owing.Initial(func(state []byte) bool {
			owingStarts = append(owingStarts, append([]byte(nil), state...))
			return true
		})
		require.Len(t, owingStarts, len(starts), "%v", x)
		at := r.IntN(len(starts))
		state, same := owingStarts[at], starts[at]
		owes := map[model.ID]bool{}
		for range 40 {
			v, plain := owing.View(state), sys.View(same)
			require.Equal(t, plain.Settled, v.Settled, "%v", x)
			for id := model.ID(1); id <= v.N; id++ {
				switch b := (model.Belief{Elected: v.Elected(id), Participant: v.Participants.Has(id)}); {
				case !v.Up.Has(id):
					owes[id] = false
				case participation.Begins(b):
					owes[id] = true
				case participation.Ends(b):
					owes[id] = false
				}
				require.Equal(t, owes[id], v.Owes(id), "%v: process %d", x, id)
				require.False(t, plain.Owes(id))
				seen[owes[id]]++
			}
			next, others := owing.Transitions(state), sys.Transitions(same)
			require.Len(t, next, len(others), "%v", x)
			if len(next) == 0 {
				break
			}
			i := r.IntN(len(next))
			require.Equal(t, others[i].Code, next[i].Code, "%v", x)
			require.Equal(t, others[i].Action, next[i].Action, "%v", x)
			if state, same = next[i].Next, others[i].Next; state == nil {
				break
			}
		}
	}
	require.NotZero(t, seen[true])
	require.NotZero(t, seen[false])
}

func TestOwingRefusesAnObligationThatNeverBeginsOrEnds(t *testing.T) {
	_, err := upstarts(t, "n=2").Owing(model.Obligation{Begins: participation.Begins})
	require.ErrorContains(t, err, "Begins and Ends")
}
