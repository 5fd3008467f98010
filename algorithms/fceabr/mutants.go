package fceabr

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "never-compares", Of: "one-by-one", Caught: "extreme", Setting: fourOneBegins, New: of(neverCompares{read(one())}),
		Doc: "A process passes an Election message on without comparing its own number.",
	},
	{
		Name: "replaces-twice", Of: "one-by-one", Caught: "no-waiting", Setting: oneCrash, New: of(replacesTwice{read(one())}),
		Doc: "A process that has replaced the coordinator does it again at the next SElection message.",
	},
	{
		Name: "keeps-it", Of: "one-by-one", Caught: "surrogate", Setting: sixOneDetects, New: of(keepsIt{read(one())}),
		Doc: "A process that learns of the new surrogate does not pass the SCoordinator message on.",
	},
	{
		Name: "surrogate-first", Of: "one-by-one", Caught: "extreme", Setting: cold, New: of(surrogateFirst{read(one())}),
		Doc: "A process takes the surrogate section of an announcement for the coordinator's.",
	},
	{
		Name: "stops-nothing", Of: "one-by-one", Caught: "termination", Setting: fourOneBegins, New: of(stopsNothing{read(one())}),
		Doc: "A process passes on a message that it has seen already.",
	},
	{
		Name: "begins-at-once", Of: "one-by-one", Caught: "newcomer-waits", Setting: with("n=3 start=settled crashes=0 joins=1 joiners=3"),
		Doc: "A process that comes into the network begins an election.",
		New: of(beginsAtOnce{read(one())}),
	},
}

type neverCompares struct{ oneByOne }

func (a neverCompares) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if seen := &p.Seen[Election]; m.Label == Election && m.Informer > seen.Informer {
		*seen = Seen{Informer: m.Informer, Coordinator: m.Coordinator, Surrogate: m.Surrogate, From: from}
		net.Send(from.Opposite(), m)
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

type replacesTwice struct{ oneByOne }

func (a replacesTwice) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Label == SElection {
		p.Coordinator, p.Surrogate = p.Surrogate, model.None
		a.elect(p, net, from, m)
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

type keepsIt struct{ oneByOne }

func (a keepsIt) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Label == SCoordinator {
		p.Coordinator, p.Surrogate = m.Coordinator, m.Surrogate
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

type surrogateFirst struct{ oneByOne }

func (a surrogateFirst) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Label == Coordinator && m.Surrogate != model.None {
		m.Coordinator, m.Surrogate = m.Surrogate, m.Coordinator
	}
	a.Protocol.Receive(p, net, from, m)
}

type stopsNothing struct{ oneByOne }

func (a stopsNothing) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Informer == p.Seen[m.Label].Informer {
		net.Send(from.Opposite(), m)
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

type beginsAtOnce struct{ oneByOne }

func (a beginsAtOnce) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		a.begin(p, net)
	}
}
