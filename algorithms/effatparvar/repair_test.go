package effatparvar

import (
	"testing"

	"bullyproof/checker"
	"bullyproof/model"
)

// Yours is the algorithm as it was. A handler of its own replaces the one that was there.
type yours struct{ *Protocol }

// Receive has nobody take the selected node for the leader before it has verified.
func (y yours) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type != Selected:
		y.Protocol.Receive(p, net, from, m)
	case m.ID == net.Self() && p.Mode != Verifying:
		y.ask(p, net, Verifying)
	}
}

// Timeout has a node without a response ask once more, and whoever has verified announce.
func (y yours) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	switch best := p.Best; {
	case p.Mode == Noticed && best == model.None:
		y.ask(p, net, Verifying)
	case p.Mode == Noticed: // names the old leader on, so that it notices again if nobody announces
		y.settle(p, net, p.Elected)
		net.SendTo(best, M{Selected, best})
	case best == model.None:
		y.announce(p, net, net.Self())
	default:
		y.announce(p, net, best)
	}
}

func TestRepair(t *testing.T) {
	checker.Verify(t, yours{toAll}, "n=3 start=settled channels=unordered losses=1 timing=sync:1 crashes=1",
		checker.AllowGaps("*"))
}
