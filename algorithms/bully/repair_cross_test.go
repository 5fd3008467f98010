package bully

import (
	"testing"

	"bullyproof/checker"
	"bullyproof/model"
)

// Yours is the algorithm as it was. A handler of its own replaces the one that was there.
type yoursCross struct{ Again }

// Receive has a process that hears of a lower coordinator begin an election. The highest one
// then announces itself once more, to the lower one as well.
func (y yoursCross) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Coordinator && from.ID() < net.Self() {
		y.begin(p, net, net.Higher())
		return
	}
	y.Again.Receive(p, net, from, m)
}

func TestRepairCross(t *testing.T) {
	checker.Verify(t, yoursCross{Again{Wikipedia}}, "n=2 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1",
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
