package genleader

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// The repair ends each election, and leaves one leader after up to three broken connections.
func TestRepaired(t *testing.T) {
	repaired := &Protocol{Checks: AllChecks, Meshed: true, Repaired: true}
	asked := checker.Asking(checker.OneLeaderAgain, checker.StableLeadership, checker.E2)
	for words, states := range map[string]uint64{
		"crashes=2 restarts=1":       62_299,
		"start=settled suspicions=2": 3_084,
		"start=settled suspicions=3": 92_487,
	} {
		if states > 80_000 && !*play.Deep {
			continue
		}
		r := checker.Verify(t, repaired, in(words).String(), asked, checker.AllowGaps("*"))
		assert.Equal(t, states, r.Distinct, words)
	}
}

// A monitor says once that its process is down, and a connection that is broken takes nothing until the other end knows.
func TestConnection(t *testing.T) {
	node, err := model.NewNode(&Protocol{}, in("start=settled"), 3)
	require.NoError(t, err)
	require.NoError(t, node.Init(model.Cold))
	node.Be(P{InLoop: true, Status: Norm, Leader: 1, Cands: node.State.Cands, Links: Links{Monitored: model.SetOf(1, 2)}})

	require.NoError(t, node.Suspect(2))
	assert.Equal(t, model.SetOf(1), node.State.Monitored)
	assert.True(t, node.State.InLoop, "P2 is not its leader")
	require.NoError(t, node.Receive(model.Peer(2), M{Type: Election}))
	assert.True(t, node.State.InLoop, "the message is lost")

	require.NoError(t, node.Receive(model.Peer(2), M{Type: Open}))
	require.NoError(t, node.Receive(model.Peer(2), M{Type: Election}))
	assert.False(t, node.State.InLoop)
}

// A leader takes a process in that it has not known, behind the others.
func TestGrow(t *testing.T) {
	node, err := model.NewNode(&Protocol{Grows: true}, in("joins=1 joiners=3"), 2)
	require.NoError(t, err)
	require.NoError(t, node.Init(model.Cold))
	require.NoError(t, node.Suspect(1))
	require.True(t, node.State.InLoop)
	require.NoError(t, node.Receive(model.Peer(3), M{Type: IsLeader}))
	assert.Equal(t, 3, node.State.pos(3))
	assert.Equal(t, 0, node.State.pos(4))
}
