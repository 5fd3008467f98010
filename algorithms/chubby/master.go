package chubby

import "bullyproof/model"

// failOver is 2.9: the new master "first picks a new client epoch number", reads the sessions from the
// database, and extends their leases "to the maximum that the previous master may have been using".
func (c *Chubby) failOver(p *P, net *model.Net[M]) {
	net.Rule(takesOver)
	p.Epoch++
	for i := range p.Sessions {
		if s := &p.Sessions[i]; s.Open {
			s.News, s.Due = Untold, true
			net.SetTimer(lease+model.Timer(i), c.Lease)
		}
	}
	if c.Forgets {
		p.Delayed = false
	}
	if p.Delayed {
		net.SetTimer(delay, c.Delay)
	}
}

// serve is what the master does with a call. It "rejects calls from clients using older epoch numbers,
// and provides the new epoch number".
func (c *Chubby) serve(p *P, net *model.Net[M], client model.ID, m M) {
	s := &p.Sessions[client-1]
	valid := s.Open && s.Odd == m.Odd
	switch {
	case m.Type == Request:
		c.request(p, net, m)
	case m.Epoch != p.Epoch:
		net.Rule(rejects)
		net.Reply(M{Type: WrongEpoch, Odd: m.Odd, Epoch: p.Epoch})
	case m.Type == KeepAlive && valid:
		c.keepAlive(p, net, client)
	case m.Type == KeepAlive:
		net.Reply(M{Type: Expired, Odd: m.Odd, Epoch: p.Epoch})
	case news(p): // the fail-over event: it "lets clients perform KeepAlives, but no other session-related operations"
	default:
		c.operate(p, net, client, m)
	}
}

// operate is for the calls that wait until each session has acknowledged the fail-over event.
func (c *Chubby) operate(p *P, net *model.Net[M], client model.ID, m M) {
	s := &p.Sessions[client-1]
	valid := s.Open && s.Odd == m.Odd
	switch {
	case m.Type == Open && (!s.Open || valid):
		net.Rule(creates)
		s.Open, s.Odd = true, m.Odd
		c.extend(p, net, client)
	case m.Type == TryAcquire && valid:
		c.acquire(p, net, client)
	case m.Type == Release && valid:
		net.Rule(releases)
		if p.Holder == client {
			p.Holder = model.None
		}
		net.Reply(M{Type: Released, Odd: m.Odd, Epoch: p.Epoch})
	}
}

// keepAlive is 2.8: "the master typically blocks the RPC [...] until the client's previous lease
// interval is close to expiring". It returns early to deliver an event, and the next one acknowledges
// that.
func (c *Chubby) keepAlive(p *P, net *model.Net[M], client model.ID) {
	s := &p.Sessions[client-1]
	if s.News == Untold {
		net.Rule(tells)
		s.News = Told
		c.extend(p, net, client)
		return
	}
	s.News, s.Blocked = Known, true
	if s.Due {
		c.extend(p, net, client)
	}
}

// extend extends the lease, and then tells the client.
func (c *Chubby) extend(p *P, net *model.Net[M], client model.ID) {
	net.Rule(extends)
	s := &p.Sessions[client-1]
	s.Blocked, s.Due = false, false
	net.SetTimer(lease+model.Timer(client-1), c.Hold)
	net.SendTo(client, M{Type: Alive, Odd: s.Odd, Epoch: p.Epoch, FailOver: s.News == Told})
}

// expire is for a lease that is close to expiring, and then expires.
func (c *Chubby) expire(p *P, net *model.Net[M], client model.ID) {
	switch s := &p.Sessions[client-1]; {
	case s.Blocked:
		c.extend(p, net, client)
	case !s.Due:
		s.Due = true
		net.SetTimer(lease+model.Timer(client-1), c.Lease-c.Hold)
	default:
		c.end(p, net, client)
	}
}

// end ends a session. If it held the lock, the lock-delay begins: "if a lock becomes free because the
// holder has failed or become inaccessible, the lock server will prevent other clients from claiming
// the lock" (2.4).
func (c *Chubby) end(p *P, net *model.Net[M], client model.ID) {
	net.Rule(ends)
	p.Sessions[client-1] = Session{}
	if p.Holder == client {
		p.Holder = model.None
		c.delay(p, net)
	}
}

func (c *Chubby) delay(p *P, net *model.Net[M]) {
	if c.Delay > 0 {
		net.Rule(delays)
		p.Delayed = true
		net.SetTimer(delay, c.Delay)
	}
}

// acquire gives the lock to a client if it is free, and says so also to one that holds it. The lock
// generation number "increases when the node's lock transitions from free to held" (2.3).
func (c *Chubby) acquire(p *P, net *model.Net[M], client model.ID) {
	if p.Holder == model.None && !p.Delayed {
		net.Rule(grants)
		p.Holder = client
		p.Generation++
	}
	if p.Holder == client {
		net.Reply(M{Type: Acquired, Odd: p.Sessions[client-1].Odd, Epoch: p.Epoch, Generation: p.Generation})
	}
}

// request is what a server does: it "is expected to test whether the sequencer is still valid", here
// "against the most recent sequencer that the server has observed" (2.4).
func (c *Chubby) request(p *P, net *model.Net[M], m M) {
	if m.Generation < p.Observed && !c.Unchecked {
		net.Rule(refuses)
		return
	}
	net.Rule(serves)
	p.Observed = m.Generation
}
