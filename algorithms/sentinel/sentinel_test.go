package sentinel

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

var both = checker.Asking(checker.OneLeaderPerEpoch, oneConfiguration)

// One sentinel fails over in an epoch, whatever crashes or is lost.
func TestOnePerEpoch(t *testing.T) {
	for _, words := range []string{"", "crashes=1", "losses=1"} {
		checker.Verify[P, M](t, &Sentinel{Quorum: 2, Epochs: 2}, in(words).String(), both, checker.AllowGaps("*"))
	}
}

// An epoch that begins for another master gives two failovers one version, unless votes count
// in their own epoch only. With one master there is no such epoch, whatever fails.
func TestSameVersion(t *testing.T) {
	busy := &Sentinel{Quorum: 2, Epochs: 2, Busy: true}
	r := checker.Verify[P, M](t, busy, in("").String(), both,
		checker.Expect(checker.OneLeaderPerEpoch, oneConfiguration), checker.AllowGaps("*"))
	assert.Len(t, r.Finding(checker.OneLeaderPerEpoch.Name).Trace.Steps, 26)
	repaired := *busy
	repaired.SameEpoch = true
	checker.Verify[P, M](t, &repaired, in("").String(), both, checker.AllowGaps("*"))
	if *play.Deep {
		checker.Verify[P, M](t, &Sentinel{Quorum: 2, Epochs: 2}, in("cuts=1 heals=owed").String(), both, checker.AllowGaps("*"))
	}
}

// A vote of a later epoch is kept, and counts as soon as that epoch is the current one.
func TestLaterVote(t *testing.T) {
	node, err := model.NewNode(&Sentinel{Quorum: 2}, in(""), 1)
	assert.NoError(t, err)
	assert.NoError(t, node.Init(model.Cold))
	assert.NoError(t, node.Expire(down))
	assert.NoError(t, node.Receive(model.Peer(2), M{Type: Vote, Epoch: 2, Leader: 1}))
	assert.Zero(t, node.State.Config)
	assert.NoError(t, node.Receive(model.Peer(3), M{Type: Hello, Epoch: 2}))
	assert.NoError(t, node.Expire(promoted))
	assert.EqualValues(t, 1, node.State.Config)
}

// A sentinel that comes back knows in which epoch it voted, and not for whom.
func TestVoteOnDisk(t *testing.T) {
	s := &Sentinel{Quorum: 2}
	node, err := model.NewNode(s, in(""), 3)
	assert.NoError(t, err)
	assert.NoError(t, node.Init(model.Cold))
	assert.NoError(t, node.Receive(model.Peer(1), M{Type: Ask, Epoch: 1}))
	assert.Equal(t, model.ID(1), node.State.Leader)
	s.Stable(&node.State)
	assert.NoError(t, node.Receive(model.Peer(2), M{Type: Ask, Epoch: 1}))
	assert.Equal(t, P{Epoch: 1, Voted: 1}, node.State)
}

// A quorum that is more than a majority is asked for as well: "And anyway at least
// master->quorum votes."
func TestQuorumOfAll(t *testing.T) {
	node, err := model.NewNode(&Sentinel{Quorum: 3}, in(""), 1)
	assert.NoError(t, err)
	assert.NoError(t, node.Init(model.Cold))
	assert.NoError(t, node.Expire(down))
	assert.NoError(t, node.Receive(model.Peer(2), M{Type: Vote, Epoch: 1, Leader: 1}))
	assert.Zero(t, node.State.Won, "a majority of 2")
	assert.NoError(t, node.Receive(model.Peer(3), M{Type: Vote, Epoch: 1, Leader: 1}))
	assert.EqualValues(t, 1, node.State.Won)
}
