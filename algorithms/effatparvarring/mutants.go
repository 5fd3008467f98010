package effatparvarring

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// forwardsSmaller: a node forwards the smaller of both ids.
type forwardsSmaller struct{ *Protocol }

func (c forwardsSmaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	self := net.Self()
	switch {
	case m.Type == Coordinate || m.ID == self:
		c.Protocol.Receive(p, net, from, m)
	case m.ID < self:
		p.Participant = true
		net.Send(model.Next, m)
	case !p.Participant:
		p.Participant = true
		net.Send(model.Next, M{ID: self})
	}
}

// passesOn: a node passes every id on as it is.
type passesOn struct{ *Protocol }

func (c passesOn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.ID != net.Self() {
		p.Participant = true
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// keepsLeader: a node does not take the leader over.
type keepsLeader struct{ *Protocol }

func (c keepsLeader) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	before := p.Leader
	c.Protocol.Receive(p, net, from, m)
	if m.Type == Coordinate {
		p.Leader = before
	}
}

// declaresItself: the node that noticed declares itself.
type declaresItself struct{ byInformer }

func (c declaresItself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.Informer == net.Self() && p.Informer {
		m.ID = net.Self()
	}
	c.byInformer.Receive(p, net, from, m)
}

// neverAgain: a participant whose patience has run out goes on waiting.
type neverAgain struct{ repaired }

func (neverAgain) Timeout(*P, *model.Net[M], model.Timer) {}
