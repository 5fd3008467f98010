package k8slease

import (
	"testing"

	"bullyproof/checker"
	"bullyproof/model"
)

// Yours is the algorithm as it was. A handler of its own replaces the one that was there.
type yours struct{ ownDuration }

// Receive goes by the duration in the record, which its holder has written.
func (y yours) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	y.Lease.Receive(p, net, from, m)
}

func TestRepair(t *testing.T) {
	checker.Verify(t, yours{ownDuration{&Lease{Times: slow, First: quick, GetFirst: true, Terms: 2}}}, "n=3 initiators=none channels=fifo mail-down=lost mail-old=lost timing=sync:1 detector=off",
		checker.Asking(
			checker.Uniqueness,
		),
		checker.AllowGaps("*"))
}
