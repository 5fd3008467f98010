package swim

import "bullyproof/model"

// Gossips is memberlist with its gossip: news goes with pings and answers and, in between, to members
// that are drawn, and only so often (Swim.Sends). Members that are faulty are drawn also, for as long
// as M calls GossipToTheDeadTime.
//
// It begins where it matters: the first member's suspicion of the last one is about to expire, and its
// messages do not say so any more. The last one lives.
//
// Deviations: M draws three members (GossipNodes) and five times in a protocol period; here one is
// drawn, in each tick of six. GossipToTheDeadTime is two periods, in M thirty.
type Gossips struct {
	*Swim
	// Alive has members that are faulty sent no gossip.
	Alive bool
}

// The timers of gossip, behind those of Swim.
const (
	gossip model.Timer = announcing + 1 + iota // GossipInterval
	dead                                       // GossipToTheDeadTime of each member, from P1
)

func deadOf(who model.ID) model.Timer { return dead + model.Timer(who-1) }

// die begins the time in which a member is sent gossip that has been declared faulty.
func (s *Swim) die(net *model.Net[M], who model.ID) {
	if s.Sends > 0 {
		net.SetTimer(deadOf(who), 2*length(net))
	}
}

// Init has the first member suspect the last one.
func (s Gossips) Init(p *P, net *model.Net[M], why model.Boot) {
	s.Swim.Init(p, net, why)
	net.SetTimer(gossip, net.Bound())
	if last := model.ID(net.N()); net.Self() == 1 && why == model.Cold {
		p.List.Set(last, Member{Status: Suspect})
		net.SetTimer(suspicionOf(last), trip(net))
	}
}

// Timeout is as in Swim. M, gossip: "Get some random live, suspect, or recently dead nodes".
func (s Gossips) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t == gossip:
		net.SetTimer(gossip, net.Bound())
		if targets := s.targets(p, net); p.Left != ([most]uint8{}) && !targets.Empty() {
			net.Rule(gossips)
			net.SendTo(drawn(net, targets), s.with(p, M{Type: Gossip}))
		}
	case t < gossip:
		s.Swim.Timeout(p, net, t)
	}
}

// Receive is as in Swim. Gossip is news, and is not answered.
func (s Gossips) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Gossip {
		s.merge(p, net, &m.List)
		return
	}
	s.Swim.Receive(p, net, from, m)
}

// targets are the members of which one is sent gossip.
func (s Gossips) targets(p *P, net *model.Net[M]) model.Set {
	set := s.present(p, net)
	for id := range net.Peers().All() {
		if !s.Alive && net.IsSet(deadOf(id)) {
			set = set.With(id)
		}
	}
	return set
}

// Names gives the words of M for its gossip.
func (s Gossips) Names() model.Names {
	n := s.Swim.Names()
	n.Kinds = kinds
	n.Timers = append(n.Timers, model.TimerName{Name: "gossip"})
	for id := model.ID(1); id <= most; id++ {
		n.Timers = append(n.Timers, model.TimerName{Name: "gossip to the dead " + id.Name()})
	}
	return n
}

// enter enters a member anew. In M that is news: "re-broadcast".
func (s *Swim) enter(p *P, who model.ID, m Member) {
	p.List.Set(who, m)
	p.Left[who-1] = s.Sends
}

// news is what a message of a member says that sends each piece of news so often, and no more.
func (p *P) news() (list List) {
	for i := range p.Left {
		if p.Left[i] > 0 {
			p.Left[i]--
			list.Set(model.ID(i+1), p.List.At(model.ID(i+1)))
		}
	}
	return list
}
