package dolevklawerodeh

import (
	"bullyproof/model"
	"bullyproof/setting"
)

// early are the numbers of messages of one kind whose turn has not come, in the order in which they
// came. A search of all states of seven processes finds room for all.
type early [4]model.ID

// Fits: where channels are FIFO one number waits at most, and elsewhere as many as early has room for.
func (c *Protocol) Fits(s setting.Setting) error {
	if !c.Sorts || s.FIFO {
		return nil
	}
	return s.AtMost(7, "the messages that wait for their turn")
}

// keep adds a number.
func (e *early) keep(q model.ID) {
	last := 0
	for e[last] != model.None {
		last++
	}
	e[last] = q
}

// take removes the first number. It returns none where there is none.
func (e *early) take() model.ID {
	first := e[0]
	copy(e[:], e[1:])
	e[len(e)-1] = model.None
	return first
}

// sort keeps a message of an active process until its turn comes: one, two, one
// and so on.
func (c *Protocol) sort(p *P, net *model.Net[M], m M) {
	if m.Type == One {
		p.Ones.keep(m.ID)
	} else {
		p.Twos.keep(m.ID)
	}
	if (m.Type == One) != (p.Left == model.None) {
		net.Rule(waits)
		return
	}
	c.turn(p, net)
}

// turn handles the messages that are kept, as far as it is their turn. A process
// that is passive then passes the others on.
func (c *Protocol) turn(p *P, net *model.Net[M]) {
	for p.Mode == Active {
		ones, twos := p.Ones, p.Twos
		kept, step := &ones, c.one
		if p.Left != model.None {
			kept, step = &twos, c.two
		}
		q := kept.take()
		if q == model.None {
			return
		}
		step(p, net, q)
		switch p.Mode {
		case Active:
			p.Ones, p.Twos = ones, twos
		case Passive:
			ones.pass(net, One)
			twos.pass(net, Two)
		}
	}
}

// pass sends all numbers on.
func (e *early) pass(net *model.Net[M], kind model.Kind) {
	for q := e.take(); q != model.None; q = e.take() {
		net.Send(model.Next, M{kind, q})
	}
}
