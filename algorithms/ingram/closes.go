package ingram

import "bullyproof/model"

// Closes is the algorithm in a chain that becomes a ring: at some moment the link between
// the first process and the last comes up. Either end learns that by an event of its own,
// whenever the timer expires that stands for it, and at the latest by the first message.
type Closes struct{ *Protocol }

// comesUp is the timer that stands for ChannelUp.
const comesUp model.Timer = 0

// Names has the timer as well.
func (c Closes) Names() model.Names {
	n := c.Protocol.Names()
	n.Timers = []model.TimerName{{Name: "the link comes up"}}
	return n
}

// Init is as in Protocol, without the last link.
func (c Closes) Init(p *P, net *model.Net[M], boot model.Boot) {
	links := c.links(net)
	if other := c.other(net); other != model.None {
		links = links.Without(other)
		net.SetTimer(comesUp, 1)
	}
	c.begin(p, net, boot, links)
}

// other is the other end of the link that comes up, None if the process is at neither.
func (Closes) other(net *model.Net[M]) model.ID {
	switch first, last := model.ID(1), model.ID(net.N()); net.Self() {
	case first:
		return last
	case last:
		return first
	}
	return model.None
}

// Timeout is ChannelUp.
func (c Closes) Timeout(p *P, net *model.Net[M], _ model.Timer) { c.up(p, net) }

// up has the link form, and sends the height of the process by it.
func (c Closes) up(p *P, net *model.Net[M]) {
	net.Rule(up)
	p.Forming = p.Forming.With(c.other(net))
	c.send(p, net, Update, model.SetOf(c.other(net)))
}

// Receive is as in Protocol. The first message by the link is ChannelUp, if that did not
// happen yet.
func (c Closes) Receive(p *P, net *model.Net[M], port model.Port, m M) {
	if port.ID() == c.other(net) && net.IsSet(comesUp) {
		net.StopTimer(comesUp)
		c.up(p, net)
	}
	c.Protocol.Receive(p, net, port, m)
}
