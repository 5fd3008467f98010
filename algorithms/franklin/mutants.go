package franklin

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "one-side", Of: "wakes", Caught: "uniqueness", Setting: everybody, New: of(oneSide{&Protocol{}}),
		Doc: "A process announces itself when it is greater than both its active neighbours.",
	},
	{
		Name: "smaller", Of: "wakes", Caught: "extreme", Setting: everybody, New: of(smaller{&Protocol{}}),
		Doc: "A process becomes passive where one side is smaller, not greater.",
	},
	{
		Name: "forgets", Of: "wakes", Caught: "agreement", Setting: everybody, New: of(forgets{&Protocol{}}),
		Doc: "A process that learns the result does not store it.",
	},
	{
		Name: "goes-round", Of: "wakes", Caught: "termination", Setting: everybody, New: of(goesRound{&Protocol{}}),
		Doc: "A process that has won passes its own announcement on.",
	},
}

type oneSide struct{ *Protocol }

func (c oneSide) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type == Candidate && p.Elected != model.None:
	case m.Type == Candidate && p.Mode == Active && both(*p, from) && max(m.ID, other(p)) < net.Self():
		*p = P{Mode: Won, Elected: net.Self()}
		net.Send(model.Next, M{Elected, net.Self()})
	default:
		c.Protocol.Receive(p, net, from, m)
	}
}

// both reports whether a message from one side ends the round of an active
// process: there is one from the other.
func both(p P, from model.Port) bool {
	if from == model.Next {
		return p.Prev.Len() > 0 && p.Next.Len() == 0
	}
	return p.Next.Len() > 0 && p.Prev.Len() == 0
}

// other returns the id that is there from the one side.
func other(p *P) model.ID {
	if p.Prev.Len() > 0 {
		return p.Prev.At(0)
	}
	return p.Next.At(0)
}

type smaller struct{ *Protocol }

func (c smaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Elected || p.Mode != Active || !both(*p, from) {
		c.Protocol.Receive(p, net, from, m)
		return
	}
	switch least := min(m.ID, other(p)); {
	case least < net.Self():
		*p = P{Mode: Passive}
	case least == net.Self():
		*p = P{Mode: Won, Elected: net.Self()}
		net.Send(model.Next, M{Elected, net.Self()})
	default:
		*p = P{Mode: Active}
		bothWays(net)
	}
}

type forgets struct{ *Protocol }

func (c forgets) Belief(p *P) model.Belief {
	b := c.Protocol.Belief(p)
	if p.Mode == Passive {
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
