package raft

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

// noOldTerm is what does not happen where messages are faster than elections: a
// leader learns of a new term by its request for votes.
var noOldTerm = []string{"AppendEntries, 1: old term: reply false", "Refusal"}

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// However long messages take and whenever timers expire, a term has one leader.
func TestOneLeaderPerTerm(t *testing.T) {
	r := checker.Verify(t, twoTerms, world+"n=3 timing=async:1 crashes=1 restarts=1", checker.Asking(OneLeaderPerTerm))
	assert.EqualValues(t, 213_074, r.Distinct)
}

// A server that forgets in a crash whom it voted for votes twice, and two lead.
func TestForgets(t *testing.T) {
	for name, p := range map[string]model.Protocol[P, M]{"the vote": forgetsVote{twoTerms}, "all": forgetsAll{twoTerms}} {
		t.Run(name, func(t *testing.T) {
			r := checker.Verify(t, p, world+"n=3 timing=async crashes=1 restarts=1", checker.Asking(OneLeaderPerTerm), checker.Expect(OneLeaderPerTerm))
			assert.Len(t, r.Finding(OneLeaderPerTerm.Name).Trace.Steps, 8)
		})
	}
}

// Where no timer expires before the messages that it waits for have arrived, the
// vote that was forgotten does no harm: the timing decides what is found.
func TestForgetsInAPatientNetwork(t *testing.T) {
	for timing, gaps := range map[string][]string{"patient": nil, "last-resort": nil, "sync:1": noOldTerm} {
		t.Run(timing, func(t *testing.T) {
			checker.Verify(t, forgetsVote{twoTerms}, world+"n=3 crashes=1 restarts=1 timing="+timing, checker.Asking(OneLeaderPerTerm), checker.AllowGaps(gaps...))
		})
	}
}

// With timeouts that differ and messages that arrive in time a leader is elected,
// and another one after its crash.
func TestLeaderIsElected(t *testing.T) {
	r := checker.Verify(t, &Raft{Heartbeats: true}, world+"n=3 timing=sync:1 crashes=1 restarts=1",
		checker.Asking(OneLeaderPerTerm, checker.StableLeadership, checker.ReElection, checker.E2), checker.AllowGaps(noOldTerm...))
	assert.EqualValues(t, 8_969, r.Distinct)
}
