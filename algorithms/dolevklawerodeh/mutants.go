package dolevklawerodeh

import "bullyproof/model"

// Each type below is the algorithm with one line broken.

// announcesItself: the process that finds the greatest number takes it for its
// own.
type announcesItself struct{ *Protocol }

func (c announcesItself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == One && p.Mode == Active && m.ID == p.Max {
		*p = P{Mode: Done, Elected: net.Self()}
		net.Send(model.Next, M{Elected, net.Self()})
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// keepsOwn: a process that stays active goes on with the number that it held.
type keepsOwn struct{ *Protocol }

func (c keepsOwn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Two && p.Mode == Active && p.Left > m.ID && p.Left > p.Max {
		*p = P{Mode: Active, Max: p.Max}
		net.Send(model.Next, M{One, p.Max})
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// smaller: a number lives on if it is smaller than those on both sides of it.
type smaller struct{ *Protocol }

func (c smaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Two || p.Mode != Active {
		c.Protocol.Receive(p, net, from, m)
		return
	}
	if p.Left < m.ID && p.Left < p.Max {
		*p = P{Mode: Active, Max: p.Left}
		net.Send(model.Next, M{One, p.Max})
		return
	}
	*p = P{Mode: Passive}
}

// forgets: a process that is told who is elected does not note it.
type forgets struct{ *Protocol }

func (c forgets) Belief(p *P) model.Belief {
	b := c.Protocol.Belief(p)
	if p.Mode == Passive {
		b.Elected = model.None
	}
	return b
}

// goesRound: who knows the winner passes its announcement on.
type goesRound struct{ *Protocol }

func (c goesRound) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Elected && p.Elected != model.None {
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}
