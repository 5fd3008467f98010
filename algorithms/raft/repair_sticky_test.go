package raft

import (
	"testing"

	"bullyproof/checker"
	"bullyproof/model"
)

// Yours is the algorithm as it was. A handler of its own replaces the one that was there.
type yoursSticky struct{ *Raft }

// Receive ignores a request for a vote where a leader was heard within the election timeout.
func (y yoursSticky) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == RequestVote && p.Leader != model.None {
		return
	}
	y.Raft.Receive(p, net, from, m)
}

func TestRepairSticky(t *testing.T) {
	checker.Verify(t, yoursSticky{&Raft{Heartbeats: true, Terms: 3}}, "n=3 start=settled channels=unordered cuts=1 cut-by=link timing=lockstep detector=off",
		checker.Asking(
			undisturbed,
		),
		checker.AllowGaps("*"))
}
