package effatparvar

import "bullyproof/model"

// unverified leaves out the fault tolerance: the algorithm of the section's first
// paragraph, up to "One drawback of this approach", and of equation 1.
type unverified struct{ *Protocol }

// Names leaves out the rules of the verification.
func (unverified) Names() model.Names { return upTo(verifies) }

// Receive has the selected node lead.
func (e unverified) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Selected {
		e.learn(p, net, m.ID)
		return
	}
	e.Protocol.Receive(p, net, from, m)
}

// toOne sends the selected ID to the chosen node alone, which announces the leader
// when it has verified: what Table 2 adds up to. The text sends it "to all nodes",
// and again "to the rest of the nodes".
type toOne struct{ *Protocol }

// Timeout ends the wait for responses.
func (e toOne) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch best := p.Best; {
	case p.Mode == Noticed && best != model.None:
		e.choose(p, net, best, best)
	case p.Mode == Verifying && best == model.None:
		// "Otherwise, it remains unchanged": but nobody else knows of it yet.
		net.Rule(remains)
		e.announce(p, net, net.Self())
	default:
		e.Protocol.Timeout(p, net, t)
	}
}

// choose tells the chosen node, and names a leader.
func (e toOne) choose(p *P, net *model.Net[M], chosen, leader model.ID) {
	net.Rule(selects)
	e.settle(p, net, leader)
	net.SendTo(chosen, M{Selected, chosen})
}

// Readings returns the protocols of the variants, in their order.
func Readings() []model.Protocol[P, M] {
	return []model.Protocol[P, M]{toAll, toOne{toAll}, unverified{toAll}, repair, repairedObjects}
}
