package chubby

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
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

// owed are the clients whose sessions a new master has found open, and that have not received the fail-over event.
var owed = model.NewMonitor("owed", model.Set(0), func(s *model.Set, e *model.Event) {
	cell := model.State[P](e.To, e.To.N)
	if e.Kind == model.Restarts && e.Process == e.To.N {
		*s = model.Upto(e.To.N - 1)
	}
	if m, ok := model.Received[M](e); ok && m.FailOver {
		*s = s.Without(e.Process)
	}
	for client := range s.All() {
		if cell == nil || !cell.Sessions[client-1].Open {
			*s = s.Without(client)
		}
	}
})

// Nobody acquires the lock before all that have an open session have received the fail-over event. Where a message is lost this is
// not so: a KeepAlive that is made again is taken for an acknowledgement.
func TestWhoHasReceivedTheEvent(t *testing.T) {
	received := checker.AlwaysStep("received", "Nobody acquires the lock before all open sessions have the fail-over event.", func(e *model.Event) bool {
		return !acquired(e) || owed.Of(e.From).Empty()
	}).Remembering(owed)
	checker.Verify(t, shipped, in("crashes=2 restarts=1").String(), checker.Asking(received), gaps)
	checker.Verify(t, shipped, in("crashes=1 restarts=1 crashers=3 losses=1").String(), checker.Asking(received), checker.Expect(received), gaps)
}
