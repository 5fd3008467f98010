package dolevklawerodeh

import (
	"bullyproof/model"
	"bullyproof/model/list"
	"bullyproof/model/setting"
)

// early are the numbers of messages of one kind whose turn has not come, in the order in which they
// came. A search of all states of seven processes finds room for all.
type early = list.Of[model.ID, [4]model.ID]

// Fits: where channels are FIFO one number waits at most, and elsewhere as many as early has room for.
func (c *Protocol) Fits(s setting.Setting) error {
	if !c.Sorts || s.FIFO {
		return nil
	}
	return s.AtMost(7, "the messages that wait for their turn")
}

// sort keeps a message of an active process until its turn comes: one, two, one
// and so on.
func (c *Protocol) sort(p *P, net *model.Net[M], m M) {
	kept := &p.Twos
	if m.Type == One {
		kept = &p.Ones
	}
	kept.Append(m.ID)
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
		if kept.Len() == 0 {
			return
		}
		step(p, net, kept.Remove(0))
		switch p.Mode {
		case Active:
			p.Ones, p.Twos = ones, twos
		case Passive:
			for _, q := range ones.All() {
				net.Send(model.Next, M{One, q})
			}
			for _, q := range twos.All() {
				net.Send(model.Next, M{Two, q})
			}
		}
	}
}
