package swim

import "bullyproof/model"

// trip is the time in which a ping is answered.
func trip(net *model.Net[M]) int { return 2 * net.Bound() }

// length is that of a protocol period: P, 3.1: it "has to be at least three times the round-trip
// estimate", for a direct ping and an indirect one, which is twice as long.
func length(net *model.Net[M]) int { return 3 * trip(net) }

// Timeout is the end of a period, of a ping, or of a suspicion.
func (s *Swim) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case period:
		s.end(p, net)
		s.probe(p, net)
	case timeout:
		// P, 3.1: "M_i selects k members at random and sends each a ping-req(M_j) message."
		net.Rule(asks)
		net.SendAll(s.present(p, net).Without(p.Target), s.with(p, M{Type: PingReq, About: p.Target}))
	case answer, announcing:
		s.unanswered(p, net, t)
	default:
		// P, 4.2: "If M_j is suspected at some member M_h, and this times out before receipt of an
		// Alive message, M_h declares M_j as faulty".
		net.Rule(expires)
		s.declare(p, net, model.ID(t-suspicion)+1)
	}
}

// with has a message carry the list of its sender.
func (s *Swim) with(p *P, m M) M {
	if m.List = p.List; s.Sends > 0 {
		m.List = p.news()
	}
	return m
}

// present are the other members that are not faulty.
func (s *Swim) present(p *P, net *model.Net[M]) (set model.Set) {
	for id := range net.Peers().All() {
		if p.List.At(id).Status != Faulty {
			set = set.With(id)
		}
	}
	return set
}

// probe pings the next member of the round. P, 4.2: "Suspected members stay on in the membership
// list and are treated similar to non-faulty members with regards to ping target selection".
func (s *Swim) probe(p *P, net *model.Net[M]) {
	net.SetTimer(period, length(net))
	members := s.present(p, net)
	if s.Rejoins {
		members = net.Peers()
	}
	if members.Empty() {
		return
	}
	p.Target = s.next(p, net, members)
	net.Rule(pings)
	net.SendTo(p.Target, s.with(p, M{Type: Ping}))
	if p.List.At(p.Target).Status != Faulty && members.Len() > 1 {
		net.SetTimer(timeout, trip(net))
	}
}

// next returns the next target: P, 3.1, at random, or 4.3, round-robin.
func (s *Swim) next(p *P, net *model.Net[M], members model.Set) model.ID {
	switch {
	case s.AtRandom:
		return drawn(net, members)
	case s.Shuffled:
		if p.Todo &= members; p.Todo.Empty() {
			p.Todo = members
		}
		id := drawn(net, p.Todo)
		p.Todo = p.Todo.Without(id)
		return id
	}
	later := members &^ model.Upto(p.Last)
	if later.Empty() {
		later = members
	}
	p.Last = later.Min()
	return p.Last
}

// drawn returns one of some members, each with the same probability.
func drawn(net *model.Net[M], members model.Set) model.ID {
	at := net.Toss(members.Len())
	for id := range members.All() {
		if at == 0 {
			return id
		}
		at--
	}
	return model.None
}

// end is that of a period. P, 4.2: "If M_i receives no acknowledgements, either directly or through
// the indirect probing sub-group", it suspects M_j.
func (s *Swim) end(p *P, net *model.Net[M]) {
	who := p.Target
	p.Target = model.None
	s.arrived(p, net)
	if who == model.None || p.List.At(who).Status != Alive {
		return
	}
	if s.Basic {
		net.Rule(fails)
		s.declare(p, net, who)
		return
	}
	net.Rule(suspects)
	s.set(p, net, who, Member{Suspect, p.List.At(who).Inc})
}

// Receive takes the news of a message, and answers.
func (s *Swim) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.Out {
		return
	}
	if m.Type >= Election {
		s.elect(p, net, from, m)
		return
	}
	s.merge(p, net, &m.List)
	if p.Out {
		return
	}
	s.arrived(p, net)
	switch m.Type {
	case Ping:
		net.Rule(acks)
		net.Reply(s.with(p, M{Type: Ack, About: net.Self(), For: m.For}))
	case PingReq:
		net.Rule(relays)
		net.SendTo(m.About, s.with(p, M{Type: Ping, For: from.ID()}))
	case Ack:
		if m.For != model.None {
			net.Rule(returns)
			net.SendTo(m.For, s.with(p, M{Type: Ack, About: m.About}))
		} else if m.About == p.Target {
			net.Rule(acked)
			p.Target = model.None
			net.StopTimer(timeout)
			if e := p.List.At(m.About); s.Final && e.Status == Suspect {
				// P, 4.2: "If a member M_l successfully pings a suspected member M_j [...], it un-marks
				// the previous suspicion of M_j in its membership list".
				s.set(p, net, m.About, Member{Alive, e.Inc})
			}
		}
	}
}

// arrived ends the joining of a member, when it has an answer or is alone.
func (s *Swim) arrived(p *P, net *model.Net[M]) {
	if !p.Joining {
		return
	}
	p.Joining = false
	if s.Elects {
		s.begin(p, net)
	}
}
