package kabashi

import (
	"testing"

	"bullyproof/checker"
	"bullyproof/model"
)

// Yours is the algorithm as it was. A handler of its own replaces the one that was there.
type yours struct{ Limited }

// Receive ignores an announcement of a higher id than that of the coordinator: it is older, or its
// sender does not know the lower one yet. A process that has noticed a failure names no
// coordinator, and takes the announcement.
func (y yours) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == COORDINATOR && p.Coordinator != model.None && m.ID > p.Coordinator {
		return
	}
	y.Limited.Receive(p, net, from, m)
}

func TestRepair(t *testing.T) {
	checker.Verify(t, yours{prose}, "n=4 start=coordinator-down channels=unordered timing=sync:1 joins=1",
		checker.Asking(
			checker.SettledUniqueness,
			checker.Agreement,
			checker.LiveCoordinator,
			checker.Validity,
			checker.Extreme,
			checker.E2,
			checker.StableLeadership,
			checker.ReElection,
			checker.Termination,
		),
		checker.AllowGaps("*"))
}
