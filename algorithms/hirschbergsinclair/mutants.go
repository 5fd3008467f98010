package hirschbergsinclair

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "early", Of: "textbook", Caught: "uniqueness", Setting: four, New: of(early{&Protocol{}}),
		Doc: "A candidate announces itself when both probes of a phase are answered.",
	},
	{
		Name: "smaller", Of: "textbook", Caught: "extreme", Setting: everybody, New: of(smaller{&Protocol{}}),
		Doc: "A process swallows the probes of greater ids, not of smaller ones.",
	},
	{
		Name: "forgets", Of: "textbook", Caught: "agreement", Setting: everybody, New: of(forgets{&Protocol{}}),
		Doc: "A process that learns the result does not store it.",
	},
	{
		Name: "goes-round", Of: "textbook", Caught: "termination", Setting: everybody, New: of(goesRound{&Protocol{}}),
		Doc: "A process that has won passes its own announcement on.",
	},
}

type early struct{ *Protocol }

func (c early) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	c.Protocol.Receive(p, net, from, m)
	if m.Type == Reply && p.Mode == Candidate && p.Phase > 0 {
		*p = P{Mode: Won, Elected: net.Self()}
	}
}

type smaller struct{ *Protocol }

func (c smaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Probe || m.ID == net.Self() {
		c.Protocol.Receive(p, net, from, m)
		return
	}
	switch {
	case m.ID > net.Self():
	case m.Hop < 1<<m.Phase:
		m.Hop++
		net.Send(from.Opposite(), m)
	default:
		net.Reply(M{Type: Reply, ID: m.ID, Phase: m.Phase})
	}
}

type forgets struct{ *Protocol }

func (c forgets) Belief(p *P) model.Belief {
	b := c.Protocol.Belief(p)
	if p.Mode == Lost {
		b.Elected = model.None
	}
	return b
}

type goesRound struct{ *Protocol }

func (c goesRound) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	again := m.Type == Elected && m.ID == net.Self()
	c.Protocol.Receive(p, net, from, m)
	if again {
		net.Send(model.Next, m)
	}
}
