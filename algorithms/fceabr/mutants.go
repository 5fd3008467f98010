package fceabr

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// neverCompares: a process passes an Election message on as it is.
type neverCompares struct{ oneByOne }

func (a neverCompares) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if seen := &p.Seen[Election]; m.Label == Election && m.Informer > seen.Informer {
		*seen = Seen{Informer: m.Informer, Coordinator: m.Coordinator, Surrogate: m.Surrogate, From: from}
		net.Send(from.Opposite(), m)
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

// replacesTwice: a process replaces the coordinator whenever it is told to.
type replacesTwice struct{ oneByOne }

func (a replacesTwice) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Label == SElection {
		p.Coordinator, p.Surrogate = p.Surrogate, model.None
		a.elect(p, net, from, m)
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

// keepsIt: a process does not pass an SCoordinator message on.
type keepsIt struct{ oneByOne }

func (a keepsIt) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Label == SCoordinator {
		p.Coordinator, p.Surrogate = m.Coordinator, m.Surrogate
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

// surrogateFirst: a process mistakes the sections of an announcement.
type surrogateFirst struct{ oneByOne }

func (a surrogateFirst) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Label == Coordinator && m.Surrogate != model.None {
		m.Coordinator, m.Surrogate = m.Surrogate, m.Coordinator
	}
	a.Protocol.Receive(p, net, from, m)
}

// stopsNothing: a process passes on a message that it has seen already.
type stopsNothing struct{ oneByOne }

func (a stopsNothing) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Informer == p.Seen[m.Label].Informer {
		net.Send(from.Opposite(), m)
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

// beginsAtOnce: a process that comes into the network begins an election.
type beginsAtOnce struct{ oneByOne }

func (a beginsAtOnce) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		a.begin(p, net)
	}
}
