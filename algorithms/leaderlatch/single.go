package leaderlatch

import "bullyproof/model"

// single is what a client does with a message where there is one node, which whoever
// creates it first leads by: Pulsar's LeaderElectionImpl.
func (l *Latch) single(p *P, net *model.Net[M], m M) {
	switch {
	case m.Type == Expired && p.State >= Connected:
		net.Rule(lose)
		net.StopTimer(lostTimer)
		p.Lost = false
		l.open(p, net, Opening)
	case m.Type == Opened && p.State < Connected:
		p.State = Connected
		l.elect(p, net)
	case m.Type == Reconnected && p.State == Suspended:
		net.Rule(reconnect)
		net.StopTimer(lostTimer)
		p.State, p.Lost = Connected, false
		l.elect(p, net)
	default:
		l.answered(p, net, m)
	}
}

// elect is LeaderElectionImpl.elect: is there a leader?
func (l *Latch) elect(p *P, net *model.Net[M]) {
	p.Electing = true
	l.send(p, net, M{Type: Children})
}

// answered has what the store answers, and that the node is deleted.
func (l *Latch) answered(p *P, net *model.Net[M], m M) {
	switch m.Type {
	case Listed:
		l.existing(p, net, m.List[0])
	case Created:
		if !p.Electing {
			l.send(p, net, M{Type: Delete, Node: m.Node})
			return
		}
		net.Rule(lead)
		p.Electing, p.Leads = false, true
	case Exists:
		l.elect(p, net)
	case Deleted:
		if !p.Electing {
			net.Rule(wake)
			p.Leads = false
			l.elect(p, net)
		}
	}
}

// existing is handleExistingLeaderValue, and tryToBecomeLeader where there is none.
func (l *Latch) existing(p *P, net *model.Net[M], n Node) {
	switch {
	case n.Owner == net.Self() && n.Session == p.Session:
		net.Rule(ownNode)
		p.Electing, p.Leads = false, true
	case n.Owner != model.None && n.Owner != net.Self():
		net.Rule(follow)
		p.Electing, p.Leads = false, false
	default:
		l.node(p, net, n)
		l.renew(p, net)
	}
}
