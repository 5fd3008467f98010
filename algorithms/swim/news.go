package swim

import "bullyproof/model"

// merge takes the news of a list, member by member.
func (s *Swim) merge(p *P, net *model.Net[M], list *List) {
	for id := range net.Peers().With(net.Self()).All() {
		news := list.At(id)
		if id == net.Self() {
			s.hearOfSelf(p, net, news)
			if p.Out {
				return
			}
			continue
		}
		if s.overrides(news, p.List.At(id)) {
			s.set(p, net, id, news)
		}
	}
}

// overrides is "the order of preference among these messages" of P, 4.2, and with M's changes the
// checks of aliveNode, suspectNode and deadNode.
func (s *Swim) overrides(news, old Member) bool {
	if old.Status == Faulty {
		// P: the member has been dropped from the list. M, aliveNode: "Bail if the incarnation
		// number is older"; otherwise "if Dead/Left -> Alive, notify of join". M, suspectNode:
		// "Ignore non-alive nodes". M, deadNode: "Ignore if node is already dead".
		return !s.Final && news.Status == Alive && news.Inc > old.Inc
	}
	switch news.Status {
	case Alive: // P: overrides Suspect and Alive, i > j
		return news.Inc > old.Inc
	case Suspect: // P: overrides Suspect, i > j, and Alive, i ≥ j
		return news.Inc > old.Inc || news.Inc == old.Inc && old.Status == Alive
	default: // P: Confirm overrides Alive and Suspect, any j. M: "Ignore old incarnation numbers"
		return s.Final || news.Inc >= old.Inc
	}
}

// set enters a member anew, and acts on it.
func (s *Swim) set(p *P, net *model.Net[M], who model.ID, m Member) {
	was := p.List.At(who).Status
	switch {
	case m.Status == Faulty:
		net.Rule(confirms)
		s.enter(p, who, Member{p.List.At(who).Status, m.Inc})
		s.declare(p, net, who)
		return
	case m.Status == Suspect:
		net.SetTimer(suspicionOf(who), s.patience(net))
	default:
		if was == Suspect {
			net.Rule(unmarks)
		}
		net.StopTimer(suspicionOf(who))
	}
	s.enter(p, who, m)
	if was == Faulty {
		net.Rule(again)
		s.joined(p, net, who)
	}
}

// patience is how long a member is suspected: the "prespecified time-out" of P, 4.2. In as many
// periods a member pings each other one, and then has an answer.
func (s *Swim) patience(net *model.Net[M]) int {
	periods := net.N() - 1
	if s.Shuffled {
		periods = 2*periods - 1
	}
	if s.Periods > 0 {
		periods = s.Periods
	}
	return periods*length(net) + trip(net)
}

// declare drops a member from the list.
func (s *Swim) declare(p *P, net *model.Net[M], who model.ID) {
	s.enter(p, who, Member{Faulty, p.List.At(who).Inc})
	net.StopTimer(suspicionOf(who))
	s.die(net, who)
	if p.Target == who {
		p.Target = model.None
		net.StopTimer(timeout)
	}
	s.lost(p, net, who)
}

// hearOfSelf is what a member does that hears of itself. P, 4.2: it "generates an Alive message with
// its identifier and an incremented incarnation number". M, refute: "Make sure the incarnation number
// beats the accusation", whether suspect or dead.
func (s *Swim) hearOfSelf(p *P, net *model.Net[M], news Member) {
	own := p.List.At(net.Self())
	switch {
	case news.Status == Faulty && s.Final:
		net.Rule(drops)
		*p = P{Out: true}
		for t := period; t <= announcing; t++ {
			net.StopTimer(t)
		}
	case news.Status != Alive && news.Inc >= own.Inc, news.Inc > own.Inc:
		net.Rule(refutes)
		s.enter(p, net.Self(), Member{Alive, news.Inc + 1})
	}
}
