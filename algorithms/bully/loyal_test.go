package bully_test

import (
	"testing"

	"bullyproof/algorithms/bully"
	"bullyproof/checker"
	"bullyproof/model"
)

// loyal is the textbook Bully with one rule of its own: a process that follows
// somebody does not turn to a coordinator with a lower id.
type loyal struct{ *bully.Protocol }

func (l loyal) Receive(p *bully.P, net *model.Net[bully.M], from model.Port, m bully.M) {
	if m.Type == bully.Coordinator && from.ID() < p.Elected {
		return
	}
	l.Protocol.Receive(p, net, from, m)
}

func TestLoyal(t *testing.T) {
	// Three processes that agree on a coordinator; one crashes and comes back.
	checker.Verify(t, loyal{bully.Coulouris}, "n=3 start=settled crashes=1 restarts=1",
		checker.Expect(checker.Uniqueness),
		checker.AllowGaps("no coordinator message within T': begin another election"))
}
