package leaselock

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
)

// The ends of a lease.
const (
	clientGivesUp = "client: the lease is over: lead no longer"
	leaseExpires  = "store: the lease has expired: the lock is free"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// A client that gives up in time has the lock alone, and there is always a next.
func TestMargin(t *testing.T) {
	for setting, states := range map[string]uint64{
		"n=3 losses=1": 1_193, "n=3 losses=2": 2_886, "n=4 losses=1": 6_418,
	} {
		t.Run(setting, func(t *testing.T) {
			r := checker.Verify(t, withMargin, world+setting, checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch, held))
			assert.Equal(t, states, r.Distinct)
		})
	}
}

// A renewal is lost, both clocks are right, and the client that counts from the
// answer leads on for a tick while the store gives the lock to another.
func TestNoMargin(t *testing.T) {
	for _, margin := range []int{0, 1} {
		r := checker.Verify(t, &Lock{Lease: 8, Renew: 4, Margin: margin}, world+"n=3 losses=1",
			checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch), checker.Expect(checker.Uniqueness))
		assert.Len(t, r.Finding(checker.Uniqueness.Name).Trace.Steps, 24)
	}
}

// The margin has to grow with the time that answers take.
func TestLateAnswers(t *testing.T) {
	const late = "n=3 losses=1 timing=sync:3"
	r := checker.Verify(t, withMargin, world+late, checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch), checker.Expect(checker.Uniqueness))
	assert.Len(t, r.Finding(checker.Uniqueness.Name).Trace.Steps, 23)
	checker.Verify(t, &Lock{Lease: 8, Renew: 4, Margin: 4}, world+late, checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch, held))
}

// Clocks that drift take their part of the margin: the store's may be fast, and the
// client's slow.
func TestDrift(t *testing.T) {
	asked := checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch, held)
	for drift, margin := range map[string]int{"10": 4, "20": 5} {
		t.Run(drift, func(t *testing.T) {
			setting := world + "n=3 losses=1 drift=" + drift
			checker.Verify(t, &Lock{Lease: 8, Renew: 4, Margin: margin}, setting, asked)
			checker.Verify(t, &Lock{Lease: 8, Renew: 4, Margin: margin - 1}, setting, asked, checker.Expect(checker.Uniqueness))
		})
	}
}

// No margin helps a client that sleeps. It leads with a lower number than its
// successor, so that who is written to can tell.
func TestPause(t *testing.T) {
	r := checker.Verify(t, withMargin, world+"n=3 pauses=1 capacity=2", checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch),
		checker.Expect(checker.Uniqueness), checker.AllowGaps("*"))
	assert.Len(t, r.Finding(checker.Uniqueness.Name).Trace.Steps, 23)
	assert.Equal(t, checker.Holds, r.Finding(checker.OneLeaderPerEpoch.Name).Verdict)
	assert.Contains(t, r.Bound, "capacity=2", "mail to a store that sleeps has no end")
}

// Where the store does not crash, whoever has the lock may: another client gets it.
func TestClientCrash(t *testing.T) {
	checker.Verify(t, withMargin, world+"n=4 crashes=1 restarts=1 crashers=1,2,3",
		checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch, held), checker.AllowGaps(clientGivesUp))
}

// Without the store nobody gets the lock.
func TestStoreCrash(t *testing.T) {
	r := checker.Verify(t, withMargin, world+"n=3 crashes=1 crashers=3",
		checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch, held), checker.Expect(held), checker.AllowGaps(leaseExpires))
	assert.Len(t, r.Finding(held.Name).Trace.Steps, 7)
}

// A store that comes back keeps the lock to whom it was given, if that is on its
// disk.
func TestStoreRestart(t *testing.T) {
	const crash = "n=3 crashes=1 restarts=1 crashers=3"
	checker.Verify(t, withMargin, world+crash, checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch), checker.AllowGaps(leaseExpires))
	r := checker.Verify(t, noDisk{withMargin}, world+crash, checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch),
		checker.Expect(checker.Uniqueness, checker.OneLeaderPerEpoch), checker.AllowGaps("*"))
	assert.Len(t, r.Finding(checker.Uniqueness.Name).Trace.Steps, 9)
}
