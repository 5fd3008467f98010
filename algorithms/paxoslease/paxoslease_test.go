package paxoslease

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

var gaps = checker.AllowGaps("*")

// One proposer holds the lease at a time where an acceptor forgets all it knew.
func TestOneOwner(t *testing.T) {
	r := checker.Verify(t, figure, back.String(), checker.Asking(checker.Uniqueness), gaps)
	assert.Equal(t, uint64(112_860), r.Distinct)
}

// Two proposers hold the lease by the readings that the paper leaves open.
func TestTwoOwners(t *testing.T) {
	for words, l := range map[string]*Lease{
		"losses=1":               timespans,
		"channels=fifo losses=1": with(func(l *Lease) { l.Own = true }),
		"channels=fifo timing=sync:2 crashes=1 restarts=1 crashers=3": with(func(l *Lease) { l.AtPropose, l.Runs = true, 2 }),
	} {
		checker.Verify(t, l, in(words).String(), checker.Asking(checker.Uniqueness), checker.Expect(checker.Uniqueness), checker.FailFast(), checker.AllowIncomplete("*"), gaps)
	}
}

// A promise that is raised with each proposal keeps a long lease from a short one.
func TestRaises(t *testing.T) {
	raises := with(func(l *Lease) { l.Span, l.First, l.Wait, l.Raises = 3, 1, 4, true })
	r := checker.Verify(t, raises, in("losses=1").String(), checker.Asking(checker.Uniqueness, kept), gaps)
	assert.Equal(t, uint64(77_136), r.Distinct)
}

// Proposers that try again at once outbid each other without end, and those that sleep do not.
// The circle of run counters is wide enough for both.
func TestOutbid(t *testing.T) {
	calm := in("timing=lockstep").String()
	checker.Verify(t, tries(func(l *Lease) { l.Delay, l.SameDelay = 0, true }), calm,
		checker.Asking(leadsAgain, canLead, window), checker.Expect(leadsAgain), gaps)
	checker.Verify(t, tries(func(l *Lease) { l.Delay, l.Random = 2, true }), calm, checker.Asking(leadsAgain, canLead, window), gaps)
	checker.Verify(t, tries(func(*Lease) {}), in("timing=lockstep crashes=1").String(), checker.Asking(leadsAgain, canLead, window), gaps)
	checker.Verify(t, holdsOn, calm, checker.Asking(steady, window), gaps)
}

// The run counter is the most significant field, and counters in a circle have three higher ones.
func TestBallots(t *testing.T) {
	low, restarted, next := Ballot{1, 0, 2}, Ballot{1, 1, 1}, Ballot{2, 0, 1}
	for _, pair := range [][2]Ballot{{{}, low}, {low, restarted}, {restarted, next}, {{7, 0, 1}, low}, {{1, 0, 1}, low}} {
		assert.True(t, pair[0].less(pair[1]), "%v", pair)
		assert.False(t, pair[1].less(pair[0]), "%v", pair)
	}
	assert.False(t, low.less(low))
	assert.True(t, inHalf([circle]bool{6: true, 7: true, 0: true, 1: true}))
	assert.False(t, inHalf([circle]bool{0: true, 4: true}))
}

// An acceptor clears no proposal but the one that is released, and a node that has yet to rejoin
// answers nobody.
func TestAcceptor(t *testing.T) {
	node, err := model.NewNode(figure, in(""), 3)
	require.NoError(t, err)
	require.NoError(t, node.Init(model.Cold))
	accepted := P{Promised: Ballot{2, 0, 1}, Accepted: Ballot{2, 0, 1}}
	node.Be(accepted, expiry)
	require.NoError(t, node.Receive(model.Peer(1), M{Type: Release, Ballot: Ballot{1, 0, 1}}))
	assert.Equal(t, accepted, node.State)
	require.NoError(t, node.Receive(model.Peer(1), M{Type: Release, Ballot: Ballot{2, 0, 1}}))
	assert.Equal(t, Ballot{}, node.State.Accepted)

	silent := P{Silent: true}
	node.Be(silent, rejoin)
	require.NoError(t, node.Receive(model.Peer(1), M{Type: PrepareRequest, Ballot: Ballot{1, 0, 1}}))
	assert.Equal(t, silent, node.State)
}
