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

// With timeouts that differ and messages that arrive in time a leader is elected,
// and another one after its crash. There is an end of terms here, since there is
// one of crashes.
func TestLeaderIsElected(t *testing.T) {
	r := checker.Verify(t, figure2, world+"n=3 timing=sync:1 crashes=1 restarts=1",
		checker.Asking(oneLeaderPerTerm, voteOnDisk, checker.StableLeadership, checker.ReElection, checker.E2), checker.AllowGaps(noOldTerm...))
	assert.EqualValues(t, 8_969, r.Distinct)
}

// However long messages take and whenever timers expire, a term has one leader.
func TestOneLeaderPerTerm(t *testing.T) {
	r := checker.Verify(t, ending{anyDelays, 2}, world+"n=3 timing=async:1 crashes=1 restarts=1", checker.Asking(oneLeaderPerTerm, electionSafety, voteOnDisk))
	assert.EqualValues(t, 245_066, r.Distinct)
}

// A server that forgets in a crash whom it voted for votes twice, and two lead.
func TestForgets(t *testing.T) {
	for name, p := range map[string]model.Protocol[P, M]{"the vote": forgetsVote{anyDelays}, "all": forgetsAll{anyDelays}} {
		t.Run(name, func(t *testing.T) {
			r := checker.Verify(t, p, world+"n=3 timing=async crashes=1 restarts=1",
				checker.Asking(oneLeaderPerTerm, electionSafety, voteOnDisk), checker.Expect(oneLeaderPerTerm, electionSafety, voteOnDisk))
			for property, steps := range map[*checker.Property]int{oneLeaderPerTerm: 8, electionSafety: 8, voteOnDisk: 2} {
				assert.Len(t, r.Finding(property.Name).Trace.Steps, steps, property.Name)
			}
		})
	}
}

// Where no timer expires before the messages that it waits for have arrived, the
// vote that was forgotten elects nobody: the timing decides what is found. What
// elections rest on is broken all the same.
func TestForgetsInAPatientNetwork(t *testing.T) {
	for _, timing := range []string{"patient", "last-resort", "sync:1"} {
		t.Run(timing, func(t *testing.T) {
			checker.Verify(t, forgetsVote{anyDelays}, world+"n=3 crashes=1 restarts=1 timing="+timing,
				checker.Asking(oneLeaderPerTerm, electionSafety, voteOnDisk), checker.Expect(voteOnDisk), checker.AllowIncomplete())
		})
	}
}

// A bound on terms leaves open what happens beyond it. A protocol that keeps to it
// is another protocol: that nobody leads in the end is its own fault.
func TestTheBoundBreaksNothing(t *testing.T) {
	const patient = world + "n=3 timing=patient crashes=1 restarts=1"
	asking := checker.Asking(checker.StableLeadership)
	r := checker.Verify(t, anyDelays, patient, asking, checker.AllowIncomplete())
	assert.Equal(t, checker.Incomplete, r.Finding(checker.StableLeadership.Name).Verdict)
	assert.Contains(t, r.Why, "beyond the protocol's bound were left out: term 3")
	checker.Verify(t, ending{anyDelays, 2}, patient, asking, checker.Expect(checker.StableLeadership), checker.AllowGaps("*"))
}
