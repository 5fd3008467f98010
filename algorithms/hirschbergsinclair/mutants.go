package hirschbergsinclair

import "bullyproof/model"

// Each type below is the algorithm with one line broken.

// early: a candidate announces itself when both its probes are answered.
type early struct{ *Protocol }

func (c early) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	c.Protocol.Receive(p, net, from, m)
	if m.Type == Reply && p.Mode == Candidate && p.Phase > 0 {
		*p = P{Mode: Won, Elected: net.Self()}
	}
}

// smaller: a process swallows the probes of greater ids.
type smaller struct{ *Protocol }

func (c smaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Probe || m.ID == net.Self() {
		c.Protocol.Receive(p, net, from, m)
		return
	}
	switch {
	case m.ID > net.Self():
	case m.Hop < 1<<m.Phase:
		m.Hop++
		net.Send(from.Opposite(), m)
	default:
		net.Reply(M{Type: Reply, ID: m.ID, Phase: m.Phase})
	}
}

// forgets: a process that is told who is elected does not note it.
type forgets struct{ *Protocol }

func (c forgets) Belief(p *P) model.Belief {
	b := c.Protocol.Belief(p)
	if p.Mode == Lost {
		b.Elected = model.None
	}
	return b
}

// goesRound: who has won passes its own announcement on.
type goesRound struct{ *Protocol }

func (c goesRound) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	again := m.Type == Elected && m.ID == net.Self()
	c.Protocol.Receive(p, net, from, m)
	if again {
		net.Send(model.Next, m)
	}
}
