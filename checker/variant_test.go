package checker_test

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
	setting := model.Setting{N: 3, Start: model.SettledStart, Crashes: 1, Restarts: 1}
	sys, err := model.New(loyal{bully.Coulouris}, setting)
	if err != nil {
		t.Fatal(err)
	}
	checker.Verify(t, sys,
		checker.Expect(checker.Uniqueness),
		checker.AllowGaps("no coordinator message within T': begin another election"))
}
