package bully

import (
	"testing"

	"bullyproof/checker"
	"bullyproof/model"
)

// Yours is the algorithm as it was. A handler of its own replaces the one that was there.
type yoursWaits struct{ *Protocol }

// Names has the timer T', which the slides do not have.
func (yoursWaits) Names() model.Names { return coulourisWords }

// Receive begins a wait with every answer. A process that has answered was asked within D and
// waits T, and its announcement takes D.
func (y yoursWaits) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	y.Protocol.Receive(p, net, from, m)
	if m.Type == Answer && p.Mode == WaitCoordinator {
		net.SetTimer(TPrime, wait(net)+2*net.Bound())
	}
	if p.Mode == Idle {
		net.StopTimer(TPrime)
	}
}

func TestRepairWaits(t *testing.T) {
	checker.Verify(t, yoursWaits{CoulourisNoRetry}, "n=3 start=settled channels=unordered timing=sync:1 crashes=2",
		checker.AllowGaps("*"))
}
