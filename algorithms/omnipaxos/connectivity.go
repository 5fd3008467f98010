package omnipaxos

import "bullyproof/model"

// Connectivity is the program before its pull request 117, at e7db5b5 and earlier (version 0.2.1): a
// reply says how many servers its sender reached in its last round. A server that reaches a majority
// elects the highest ballot of one that does, also its own. If that is lower than its leader's, it
// raises its own ballot and has no leader.
type Connectivity struct {
	BLE
}

// Init is BallotLeaderElection::with. Ballots begin with 1 here.
func (c *Connectivity) Init(p *P, net *model.Net[M], _ model.Boot) {
	p.Current, p.Reached, p.Happy = Ballot{1, net.Self()}, uint8(net.N()), true
	p.begin(net)
}

// Settle is the state in which all have elected the server of the first ballot, and have answered in
// the round that goes on.
func (c *Connectivity) Settle(p *P, self, leader model.ID, live model.Set) {
	reached := uint8(live.Len())
	*p = P{Current: Ballot{1, self}, Leader: Ballot{1, leader}, Promise: Ballot{1, leader}, Happy: true, Reached: reached}
	for id := range live.Without(self).All() {
		p.Replies.Set(id, Reply{Ballot: Ballot{1, id}, Reached: reached})
	}
}

// Receive is handle.
func (c *Connectivity) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == HeartbeatRequest {
		net.Rule(answers)
		net.Reply(M{Type: HeartbeatReply, Round: m.Round, Reply: Reply{Ballot: p.Current, Reached: p.Reached}})
		return
	}
	p.collect(net, from.ID(), m)
}

// Timeout is hb_timeout.
func (c *Connectivity) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	c.look(p, net, p.Leader)
	p.begin(net)
	p.promise()
}

// look counts whom a server has heard, and is check_leader if that is a majority. It raises its
// ballot past a given one.
func (c *Connectivity) look(p *P, net *model.Net[M], past Ballot) {
	p.Reached = uint8(p.heard(net) + 1)
	p.Happy = majority(net, int(p.Reached))
	if !p.Happy {
		net.Rule(alone)
		return
	}
	top := p.Current // it reaches a majority itself
	for r := range p.replies(net.N()) {
		if majority(net, int(r.Reached)) && r.Ballot.compare(top) > 0 {
			top = r.Ballot
		}
	}
	switch top.compare(past) {
	case 0:
		net.Rule(stays)
		p.Leader = top
	case 1:
		net.Rule(elects)
		p.Leader = top
	default:
		net.Rule(raises)
		p.Current, p.Leader, p.Happy = past.next(net.Self()), Ballot{}, false
	}
}
