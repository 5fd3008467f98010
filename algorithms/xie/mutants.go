package xie

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// neverCompares: a process passes an Election message on as it is.
type neverCompares struct{ oneByOne }

func (x neverCompares) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && p.Seen.At(m.Informer).Phase != Electing {
		p.Seen.Set(m.Informer, Seen{Phase: Electing, From: from, Best: m.Coordinator})
		net.Send(from.Opposite(), m)
		return
	}
	x.Protocol.Receive(p, net, from, m)
}

// takesLower: a process puts its own number in if it is lower.
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

// coordinatorMyself: where two copies meet a process elects itself.
type coordinatorMyself struct{ oneByOne }

func (x coordinatorMyself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if seen := p.Seen.At(m.Informer); m.Type == Election && seen.Phase == Electing && seen.From != 0 && seen.From != from {
		x.Protocol.Receive(p, net, from, m)
		p.Coordinator = net.Self()
		return
	}
	x.Protocol.Receive(p, net, from, m)
}
