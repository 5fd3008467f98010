package lelann

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// hurries: an initiator elects as soon as any token has come by.
type hurries struct{ *Protocol }

func (c hurries) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	c.Protocol.Receive(p, net, from, m)
	if p.Initiator {
		p.Elected = p.List.Max()
	}
}

// notesNothing: an initiator does not note the tokens of others.
type notesNothing struct{ *Protocol }

func (c notesNothing) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	before := p.List
	if m.ID != net.Self() {
		c.Protocol.Receive(p, net, from, m)
		p.List = before
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// electsLast: an initiator elects the one whose token came by last.
type electsLast struct{ *Protocol }

func (c electsLast) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	c.Protocol.Receive(p, net, from, m)
	if p.Initiator && m.ID != net.Self() {
		p.List = model.SetOf(m.ID)
	}
}

// goesRound: an initiator passes its own token on when it is back.
type goesRound struct{ *Protocol }

func (c goesRound) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	again := m.Type == Token && m.ID == net.Self()
	c.Protocol.Receive(p, net, from, m)
	if again {
		net.Send(model.Next, m)
	}
}
