package gossip

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// Five members agree on the highest that is up, whoever crashes and comes back,
// and whenever.
func TestRoundRobin(t *testing.T) {
	r := checker.Verify(t, roundRobin, world+"n=5 crashes=1 restarts=1",
		checker.Asking(checker.StableLeadership, checker.ReElection, eachInTime, canAgree))
	assert.EqualValues(t, 36_613, r.Distinct)
}

// With one round of trust less a crash throws the rounds of the others out of
// step with their news: somebody gives up the coordinator again and again.
func TestImpatient(t *testing.T) {
	r := checker.Verify(t, &Gossip{Trust: 4}, world+"n=5 crashes=1", checker.Asking(checker.StableLeadership, checker.ReElection, eachInTime),
		checker.Expect(checker.StableLeadership))
	f := r.Finding(checker.StableLeadership.Name)
	assert.Len(t, f.Trace.Steps, 62)
	assert.Equal(t, 31, f.Trace.Lasso)
}

// A member that comes back leads at once, beside the one that has led since.
func TestTwoAtOnce(t *testing.T) {
	r := checker.Verify(t, &Gossip{Trust: 3}, world+"n=3 crashes=1 restarts=1", checker.Asking(checker.Uniqueness), checker.Expect(checker.Uniqueness),
		checker.AllowGaps("*"))
	assert.Len(t, r.Finding(checker.Uniqueness.Name).Trace.Steps, 14)
}

// At random any member may be out of luck for as long as anybody likes, and lucky
// at any time.
func TestRandom(t *testing.T) {
	checker.Verify(t, random, world+"n=3 crashes=1", checker.Asking(canAgree, eachInTime, checker.StableLeadership),
		checker.Expect(eachInTime, checker.StableLeadership))
}

// A member that gossips to each of the others again and again is enough for each
// to name the highest again and again, and not for all to stay with it.
func TestRandomIsFair(t *testing.T) {
	stable := checker.StableLeadership.Under(fairChoice)
	checker.Verify(t, random, world+"n=3 crashes=1", checker.Asking(inTimeByChance, stable), checker.Expect(stable))
}
