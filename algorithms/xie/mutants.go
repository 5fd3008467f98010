package xie

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "never-compares", Of: "fceabr-describes", Caught: "extreme", Setting: one, New: of(neverCompares{newOneByOne()}),
		Doc: "A process passes an Election message on without comparing its own number.",
	},
	{
		Name: "takes-lower", Of: "fceabr-describes", Caught: "extreme", Setting: one, New: of(takesLower{newOneByOne()}),
		Doc: "A process puts its own number in if it is lower.",
	},
	{
		Name: "coordinator-myself", Of: "fceabr-describes", Caught: "uniqueness", Setting: one, New: of(coordinatorMyself{newOneByOne()}),
		Doc: "The process at which two copies meet takes itself for the coordinator.",
	},
}

type neverCompares struct{ oneByOne }

func (x neverCompares) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && p.Seen.At(m.Informer).Phase != Electing {
		p.Seen.Set(m.Informer, Seen{Phase: Electing, From: from, Best: m.Coordinator})
		net.Send(from.Opposite(), m)
		return
	}
	x.Protocol.Receive(p, net, from, m)
}

type takesLower struct{ oneByOne }

func (x takesLower) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && p.Seen.At(m.Informer).Phase != Electing {
		p.Seen.Set(m.Informer, Seen{Phase: Electing, From: from, Best: m.Coordinator})
		m.Coordinator = min(m.Coordinator, net.Self())
		net.Send(from.Opposite(), m)
		return
	}
	x.Protocol.Receive(p, net, from, m)
}

type coordinatorMyself struct{ oneByOne }

func (x coordinatorMyself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if seen := p.Seen.At(m.Informer); m.Type == Election && seen.Phase == Electing && seen.From != 0 && seen.From != from {
		x.Protocol.Receive(p, net, from, m)
		p.Coordinator = net.Self()
		return
	}
	x.Protocol.Receive(p, net, from, m)
}
