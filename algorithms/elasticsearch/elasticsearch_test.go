package elasticsearch

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
)

var gaps = checker.AllowGaps("*")

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// The statements of Reconfigurator are right.
func TestReconfigure(t *testing.T) {
	set := model.SetOf
	for _, c := range []struct {
		live    model.Set
		master  model.ID
		current model.Set
		shrink  bool
		want    model.Set
	}{
		{set(1, 2, 3), 1, set(1), true, set(1, 2, 3)},
		{set(1, 2), 1, set(1), true, set(1)},                // an odd size
		{set(1, 2), 2, set(1), true, set(2)},                // the master first
		{set(1, 2, 4), 1, set(1, 2, 3), true, set(1, 2, 4)}, // live nodes first
		{set(1, 2, 3, 4), 1, set(1, 2, 3), true, set(1, 2, 3)},
		{set(1, 2, 3, 4), 4, set(1, 2, 3), true, set(1, 2, 4)},
		{set(1, 2), 1, set(1, 2, 3), true, set(1, 2, 3)}, // three at least
		{set(1, 2, 5), 1, set(1, 2, 3, 4, 5), true, set(1, 2, 5)},
		{set(1, 2, 5), 1, set(1, 2, 3, 4, 5), false, set(1, 2, 3, 4, 5)},
		{set(1, 4), 1, set(1, 2, 3), true, set(1, 2, 4)},
		{set(1), 1, set(1, 2, 3), true, set(1, 2, 3)}, // no quorum is live
	} {
		assert.Equal(t, c.want, Reconfigure(c.live, c.master, c.current, c.shrink), "%v", c)
	}
}

// No two masters of one term are there, and there is one master in the end, whatever is cut. That takes a
// bounded number of terms.
func TestCoordination(t *testing.T) {
	for _, words := range []string{
		"cuts=1", "cuts=1 heals=owed", "cuts=1 cut-by=link", "crashes=1 restarts=1", "losses=1", "n=2 cuts=1 heals=owed",
	} {
		t.Run(words, func(t *testing.T) {
			r := checker.Verify(t, fixed, in(words).String(),
				checker.Asking(noSplitBrain, hasMaster, committedKept, inOrder, joinsOnce, checker.OneLeaderPerEpoch), gaps)
			assert.Empty(t, r.Bound)
		})
	}
}

// A node that has not joined since it was started counts no joins.
func TestJoinsAfterRestart(t *testing.T) {
	node, err := model.NewNode(fixed, in("cuts=1"), 1)
	assert.NoError(t, err)
	assert.NoError(t, node.Init(model.Cold))
	for _, joined := range []model.ID{model.None, 1} {
		node.State.Term, node.State.Joined, node.State.Joins = 1, joined, model.SetOf(1)
		assert.NoError(t, node.Receive(model.Peer(2), M{Type: Join, Term: 1, Vote: true}))
		assert.Equal(t, joined == 1, node.State.Role == Leader)
	}
}

// Two reconfigurations under way have the cluster lose a committed state: P4 knows that the first one is
// committed, and the others publish a second one.
func TestOverlappingReconfigurations(t *testing.T) {
	checker.Verify(t, with(overlaps{&Node{Terms: 3, Initial: model.Upto(3)}}), settled("n=4 cuts=1 heals=1 losses=1").String(),
		checker.Asking(committedKept), checker.Expect(committedKept), gaps)
}

// The configuration grows from one node to three, and a fourth node replaces one that crashes.
func TestChanges(t *testing.T) {
	words, states := "losses=1", 1_017
	if *play.Deep {
		words, states = "cuts=1 heals=owed", 220_922
	}
	r := checker.Verify(t, grows, in(words).String(),
		checker.Asking(noSplitBrain, hasMaster, committedKept, inOrder, joinsOnce, joinsQuorum, oneChange, oneCluster, oddSize, threeVote, checker.OneLeaderPerEpoch), gaps)
	assert.EqualValues(t, states, r.Distinct)
	checker.Verify(t, replaces(), settled("n=4 crashes=1").String(),
		checker.Asking(noSplitBrain, hasMaster, committedKept, inOrder, joinsOnce, joinsQuorum, oneCluster, oddSize, votersUp, checker.OneLeaderPerEpoch), gaps)
}

// Three nodes are in the cluster for a while in which the configuration is still P1 alone. If P1 crashes then, the others have
// no quorum, however long they wait.
func TestThreeNodesBeforeTheAdjustment(t *testing.T) {
	alone := checker.Always("adjusted", "While P1 has three members, the configuration is not P1 alone.", func(v *model.View) bool {
		p := model.State[P](v, 1)
		return p == nil || p.Role != Leader || p.Members.Len() < 3 || p.State.Committed != model.SetOf(1) || p.State.Accepted != model.SetOf(1)
	})
	grows := &Node{Terms: 8, Initial: model.SetOf(1)}
	checker.Verify(t, grows, in("timing=lockstep").String(), checker.Asking(alone), checker.Expect(alone), gaps)
	checker.Verify(t, reconfigures, in("timing=lockstep").String(), checker.Asking(alone), gaps)
}
