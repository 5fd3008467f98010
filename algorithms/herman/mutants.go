package herman

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are the algorithm with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "no-coin", Of: "fair", Caught: canStabilise.Name, Setting: ring, New: of(noCoin{&Ring{}}),
		Doc: "A process with a token keeps its bit, and so the token goes on.",
	},
	{
		Name: "all-toss", Of: "fair", Caught: oneRemains.Name, Setting: ring, New: of(allToss{&Ring{}}),
		Doc: "Each process tosses a new bit in each step.",
	},
	{
		Name: "opposite", Of: "fair", Caught: oneRemains.Name, Setting: ring, New: of(opposite{&Ring{}}),
		Doc: "A process tosses a new bit where the bit before is another one, and keeps its bit otherwise.",
	},
}

type noCoin struct{ *Ring }

func (c noCoin) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	p.Token = m.Bit == p.Bit
	p.Bit = m.Bit
	net.Send(model.Next, M{p.Bit})
}

type allToss struct{ *Ring }

func (c allToss) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	c.Ring.Receive(p, net, from, M{p.Bit})
}

type opposite struct{ *Ring }

func (c opposite) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	if p.Token = m.Bit != p.Bit; p.Token {
		p.Bit = net.Toss(2) == 1
	}
	net.Send(model.Next, M{p.Bit})
}
