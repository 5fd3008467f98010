package chubby

import "bullyproof/model"

// open begins a session.
func (c *Chubby) open(p *P, net *model.Net[M]) {
	net.Rule(opens)
	*p = P{Odd: !p.Odd, Seen: p.Seen}
	net.StopTimer(local)
	c.call(p, net)
}

// call makes the call again that is open.
func (c *Chubby) call(p *P, net *model.Net[M]) {
	kind := KeepAlive
	if p.Phase == Opening {
		kind = Open
	}
	c.send(p, net, M{Type: kind})
	net.SetTimer(retry, c.Retry)
}

func (c *Chubby) send(p *P, net *model.Net[M], m M) {
	m.Odd, m.Epoch = p.Odd, p.Seen
	net.SendTo(cell(net), m)
}

// doubt is 2.8: when the local lease is over, the session is in jeopardy. When the grace period is
// over, "the client assumes that the session has expired".
func (c *Chubby) doubt(p *P, net *model.Net[M]) {
	if p.Phase == Safe && c.Grace > 0 {
		net.Rule(jeopardy)
		p.Phase = Jeopardy
		net.SetTimer(local, c.Grace)
		return
	}
	net.Rule(expired)
	c.open(p, net)
}

// answer is what a client does with an answer.
func (c *Chubby) answer(p *P, net *model.Net[M], m M) {
	switch {
	case m.Type == WrongEpoch:
		if m.Epoch != p.Seen {
			net.Rule(learns)
			p.Seen = m.Epoch
			c.call(p, net)
		}
	case m.Odd != p.Odd: // it is about another session
	case m.Type == Alive:
		c.alive(p, net)
	case m.Type == Expired:
		if p.Phase != Opening {
			net.Rule(expired)
			c.open(p, net)
		}
	case m.Type == Acquired:
		if p.Lock == Wanted && p.Phase != Opening {
			net.Rule(acquires)
			p.Lock, p.Mine = Held, m.Generation
		}
	case m.Type == Released:
		if p.Lock == Releasing {
			p.Lock, p.Mine = Wanted, 0
		}
	}
}

// alive is 2.8: the client extends its local lease, "a conservative approximation of the master's", and
// "initiates a new KeepAlive immediately after receiving the previous reply".
func (c *Chubby) alive(p *P, net *model.Net[M]) {
	if p.Phase == Jeopardy {
		net.Rule(safe)
	}
	p.Phase = Safe
	net.SetTimer(local, c.Lease-c.Margin)
	c.call(p, net)
	switch {
	case p.Lock == Wanted:
		c.send(p, net, M{Type: TryAcquire})
	case p.Lock == Held && c.Releases:
		p.Lock = Releasing
		fallthrough
	case p.Lock == Releasing:
		c.send(p, net, M{Type: Release})
	case c.Requests:
		c.send(p, net, M{Type: Request, Generation: p.Mine})
	}
}
