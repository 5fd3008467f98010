package swim

import "bullyproof/model"

// Mode is what a member waits for in an election.
type Mode uint8

// The modes, as in package bully.
const (
	Idle Mode = iota
	WaitAnswer
	WaitCoordinator
)

// String returns the name of the mode.
func (m Mode) String() string {
	return [...]string{"idle", "waits for an answer", "waits for a coordinator"}[m]
}

// lost is: "A process begins an election when it notices, through timeouts, that the coordinator has
// failed." Here it notices by its list.
func (s *Swim) lost(p *P, net *model.Net[M], who model.ID) {
	if s.Elects && who == p.Leader {
		net.Rule(notices)
		s.begin(p, net)
	}
}

// joined has a leader begin an election when a higher member is alive again that was faulty. That
// one may not know that it was, and leads. (No source has that.)
func (s *Swim) joined(p *P, net *model.Net[M], who model.ID) {
	if s.Elects && p.Leader == net.Self() && who > net.Self() {
		net.Rule(higher)
		s.begin(p, net)
	}
}

// begin asks the higher members that are not faulty. If there are none, it wins.
func (s *Swim) begin(p *P, net *model.Net[M]) {
	asked := s.present(p, net) & net.Higher()
	if asked.Empty() {
		s.win(p, net)
		return
	}
	net.Rule(elects)
	s.stop(p, net)
	p.Mode, p.Leader = WaitAnswer, model.None
	net.SendAll(asked, M{Type: Election})
	net.SetTimer(answer, trip(net))
}

// win makes the member the coordinator, and says so to all that are not faulty.
func (s *Swim) win(p *P, net *model.Net[M]) {
	net.Rule(wins)
	s.stop(p, net)
	p.Leader = net.Self()
	net.SendAll(s.present(p, net), M{Type: Coordinator})
}

// unanswered ends a wait: without an answer the member wins, and without a coordinator it begins
// again.
func (s *Swim) unanswered(p *P, net *model.Net[M], t model.Timer) {
	if t == answer {
		s.win(p, net)
		return
	}
	net.Rule(retries)
	s.begin(p, net)
}

// elect handles the messages of the Bully.
func (s *Swim) elect(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Election:
		net.Rule(answers)
		net.Reply(M{Type: Answer})
		if p.Mode == Idle && !p.Joining {
			s.begin(p, net)
		}
	case Answer:
		if p.Mode == WaitAnswer {
			net.Rule(answered)
			s.stop(p, net)
			p.Mode = WaitCoordinator
			net.SetTimer(announcing, 2*trip(net))
		}
	case Coordinator:
		p.Joining = false
		net.Rule(follows)
		s.stop(p, net)
		p.Leader = from.ID()
	}
}

func (s *Swim) stop(p *P, net *model.Net[M]) {
	p.Mode = Idle
	net.StopTimer(answer)
	net.StopTimer(announcing)
}
