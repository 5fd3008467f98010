package dolevklawerodeh

import "bullyproof/model"

// sort keeps a message of an active process until its turn comes: one, two, one
// and so on.
func (c *Protocol) sort(p *P, net *model.Net[M], m M) {
	early := &p.EarlyOne
	if m.Type == Two {
		early = &p.EarlyTwo
	}
	if *early != model.None {
		panic("a second message of a kind before the turn of the first")
	}
	*early = m.ID
	if (m.Type == One) != (p.Left == model.None) {
		net.Rule(waits)
		return
	}
	c.turn(p, net)
}

// turn handles the messages that are kept, as far as it is their turn. A process
// that is passive meanwhile passes them on.
func (c *Protocol) turn(p *P, net *model.Net[M]) {
	one, two := p.EarlyOne, p.EarlyTwo
	switch {
	case p.Mode == Active && p.Left == model.None && one != model.None:
		p.EarlyOne = model.None
		c.one(p, net, one)
	case p.Mode == Active && p.Left != model.None && two != model.None:
		p.EarlyTwo = model.None
		c.two(p, net, two)
		if p.Mode == Passive && one != model.None {
			net.Send(model.Next, M{One, one})
			return
		}
		p.EarlyOne = one
	default:
		return
	}
	c.turn(p, net)
}
