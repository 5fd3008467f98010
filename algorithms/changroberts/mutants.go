package changroberts

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// passesSmaller: a participant passes on a smaller identifier.
type passesSmaller struct{ *Protocol }

func (c passesSmaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.ID < net.Self() && p.Participant {
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// neverSubstitutes: a non-participant passes on a smaller identifier and does
// not put its own in the place.
type neverSubstitutes struct{ *Protocol }

func (c neverSubstitutes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.ID < net.Self() && !p.Participant {
		p.Participant = true
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// stopsGreater: a participant stops greater identifiers and passes on smaller
// ones.
type stopsGreater struct{ *Protocol }

func (c stopsGreater) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.ID != net.Self() && p.Participant {
		if m.ID < net.Self() {
			net.Send(model.Next, m)
		}
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// forgetsElected: a process that is told of a coordinator marks itself as a
// non-participant and does not set elected_i.
type forgetsElected struct{ *Protocol }

func (c forgetsElected) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	before := p.Elected
	c.Protocol.Receive(p, net, from, m)
	if m.Type == Elected {
		p.Elected = before
	}
}

// goesRound: the coordinator passes its own elected message on.
type goesRound struct{ *Protocol }

func (c goesRound) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	again := m.Type == Elected && m.ID == net.Self()
	c.Protocol.Receive(p, net, from, m)
	if again {
		net.Send(model.Next, m)
	}
}
