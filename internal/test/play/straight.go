package play

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/model"
)

// Straight runs a system from each of its initial states, always by the first
// action that is enabled, until none is, and returns how many messages each run
// sent. It says nothing of other orders; where these make no difference it
// reaches further than a search.
func Straight(t testing.TB, sys *model.System) (sent []int) {
	t.Helper()
	sys.Initial(func(initial []byte) bool {
		messages, state := len(sys.Snapshot(initial).InFlight), initial
		for {
			next := sys.Transitions(state)
			if len(next) == 0 {
				break
			}
			require.Empty(t, next[0].Misuse)
			messages += len(next[0].Sent)
			state = next[0].Next
		}
		sent = append(sent, messages)
		return true
	})
	return sent
}
