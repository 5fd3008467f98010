package chubby

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
)

var gaps = checker.AllowGaps("*")

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// A fail-over, and a client that crashes before it, leave one leader at most. Nobody gives up a session for a short one.
func TestFailOver(t *testing.T) {
	asked := checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch, leadsAgain, leaseOutlasts, kept, oldCalls, acknowledged)
	r := checker.Verify(t, shipped, in("crashes=2 restarts=1").String(), asked, gaps)
	assert.EqualValues(t, 58_610, r.Distinct)
	checker.Verify(t, shipped, in("crashes=1 restarts=1 crashers=3").String(), checker.Asking(ridesOut), gaps)
}

// Two clients lead at one instant where one pauses, by two generations.
func TestPause(t *testing.T) {
	r := checker.Verify(t, shipped, in("pauses=1 pausers=1,2").String(),
		checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch), checker.Expect(checker.Uniqueness), gaps)
	assert.Len(t, r.Finding(checker.Uniqueness.Name).Trace.Steps, 86)
}

// A primary may go on in jeopardy if the lock-delay has ten ticks or more. The grace period has twelve, and
// begins a tick or two before the lease ends.
func TestJeopardyAndLockDelay(t *testing.T) {
	for ticks, safe := range map[int]bool{9: false, 10: true, lockDelay: true} {
		c := with(func(c *Chubby) { c.GoesOn, c.Delay = true, ticks })
		one := checker.Asking(checker.Uniqueness)
		if safe {
			checker.Verify(t, c, in("cuts=1 cut-by=link heals=owed").String(), one, gaps)
		} else {
			checker.Verify(t, c, in("cuts=1 cut-by=link heals=owed").String(), one, checker.Expect(checker.Uniqueness), gaps)
		}
	}
}
