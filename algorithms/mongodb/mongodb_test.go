package mongodb

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/list"
)

var deep = flag.Bool("deep", false, "also search what takes minutes")

var gaps = checker.AllowGaps("*")

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// A vote is granted or rejected as the README says.
func TestRequestVotes(t *testing.T) {
	oplog := list.From[[6]OpTime](OpTime{Term: 1, Stamp: 1}, OpTime{Term: 1, Stamp: 2})
	behind, same := OpTime{Term: 1, Stamp: 1}, OpTime{Term: 1, Stamp: 2}
	for _, c := range []struct {
		name    string
		before  P
		m       M
		granted bool
		stored  Vote
	}{
		{"an older term", P{Term: 2, Oplog: oplog}, M{Term: 1, Last: same}, false, Vote{}},
		{"a candidate that is behind", P{Term: 1, Oplog: oplog}, M{Term: 2, Last: behind}, false, Vote{}},
		{"a candidate that is not", P{Term: 1, Oplog: oplog}, M{Term: 2, Last: same}, true, Vote{2, 3}},
		{"a later term counts more than a place", P{Term: 2, Oplog: oplog}, M{Term: 3, Last: OpTime{Term: 2, Stamp: 1}}, true, Vote{3, 3}},
		{"a second vote in a term", P{Term: 2, Voted: Vote{2, 1}, LastVote: Vote{2, 1}}, M{Term: 2}, false, Vote{2, 1}},
		{"a dry run after a vote", P{Term: 2, Voted: Vote{2, 1}, LastVote: Vote{2, 1}}, M{Term: 2, Dry: true}, true, Vote{2, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			node, err := model.NewNode(pv1, in(""), 2)
			require.NoError(t, err)
			require.NoError(t, node.Init(model.Cold))
			node.State = c.before
			c.m.Type = RequestVotes
			require.NoError(t, node.Receive(model.Peer(3), c.m))
			for to, m := range node.Sends {
				assert.Equal(t, model.Peer(3), to)
				assert.Equal(t, c.granted, m.Granted)
			}
			assert.Equal(t, c.stored, node.State.LastVote)
		})
	}
}

// Whoever crashes and comes back, there is a primary again, and no write of a majority is lost.
func TestVersion1(t *testing.T) {
	asked := checker.Asking(checker.OneLeaderPerEpoch, majorityKept, voteStored, primaryAgain, primaryStays, freshWinner)
	r := checker.Verify(t, pv1, in("crashes=1 restarts=1").String(), asked, gaps)
	assert.EqualValues(t, 46_433, r.Distinct)
}

// A primary that is cut off leads beside the next one for a while, and the dry run of a member
// that has missed heartbeats has a good primary step down.
func TestTwoPrimariesAndADryRun(t *testing.T) {
	checker.Verify(t, pv1, settled("cuts=1").String(),
		checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch, stepsDown, winsTerms), checker.Expect(checker.Uniqueness), gaps)
	r := checker.Verify(t, pv1, settled("losses=2").String(), checker.Asking(primaryStays), checker.Expect(primaryStays), gaps)
	assert.Len(t, r.Finding(primaryStays.Name).Trace.Steps, 26)
}

// Version 0 loses a write of a majority, though all clocks are right.
func TestVersion0(t *testing.T) {
	r := checker.Verify(t, pv0, settled("cuts=1 heals=1").String(), checker.Asking(keptInTime), checker.Expect(keptInTime), gaps)
	assert.Len(t, r.Finding(keptInTime.Name).Trace.Steps, 56)
	checker.Verify(t, pv0, in("crashes=1 restarts=1").String(), checker.Asking(checker.Uniqueness, majorityKept, primaryAgain), gaps)
}

// With a vote that a vote of an earlier term overwrites, two members lead in one term.
func TestOverwritten(t *testing.T) {
	if !*deep {
		t.Skip("takes a minute: go test -deep")
	}
	a := &Member{Terms: 2, Once: true, NoDryRun: true, Faulty: Faults{Overwrites: true}}
	r := checker.Verify(t, a, in("timing=async:3 crashes=1 crashers=3 restarts=1").String(),
		checker.Asking(checker.OneLeaderPerEpoch), checker.Expect(checker.OneLeaderPerEpoch), gaps)
	assert.Len(t, r.Finding(checker.OneLeaderPerEpoch.Name).Trace.Steps, 11)
}
