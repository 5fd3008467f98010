package raft

import (
	"testing"

	"bullyproof/checker"
	"bullyproof/model"
)

// Yours is the algorithm as it was. A handler of its own replaces the one that was there.
type yoursTerm struct{ goesBack }

// Receive refuses whatever a leader sends in a term that is over for this server, also one in
// which it has only voted.
func (y yoursTerm) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == AppendEntries && m.Term < p.Term {
		net.Reply(M{Type: Refusal, Term: p.Term})
		return
	}
	y.goesBack.Receive(p, net, from, m)
}

func TestRepairTerm(t *testing.T) {
	checker.Verify(t, yoursTerm{goesBack{anyDelays}}, "n=3 initiators=none channels=unordered timing=async:2 detector=off",
		checker.Asking(
			checker.OneLeaderPerEpoch,
		),
		checker.AllowGaps("*"))
}
