package genleader

import "bullyproof/model"

// Links is what the runtime of Erlang keeps for a process: its monitors, and the state of its
// node's connections.
//
// A monitor says once that its process is down. Two nodes have one connection, whose messages
// arrive in order. When it breaks, each end learns by its monitors that the other one is down, what
// was under way is lost, and the next message opens a new connection. A node that crashes breaks
// its connections.
//
// Here the failure detector is a process's node: it reports whom the process monitors, if
// that is down (a crash) or if the connection breaks (a report that is wrong, of the budget
// suspicions). The end that learns of a break first closes the connection by "closed", which the
// other end answers by "open". Until the answer arrives, the first end sends nothing over it and
// takes nothing from it, as during a netsplit, and its new monitors will say DOWN.
// A node that restarts begins by "nodeup".
type Links struct {
	// Monitored are the processes with a monitor.
	Monitored model.Set
	// Closed are those to whom the connection is broken, and Apart those with whom no message
	// has been exchanged since (net_kernel:node_info does not say that they are up).
	Closed, Apart model.Set
	// Incarn are the incarnations of all: its own, which is on its disk, and of the nodes with
	// which it is connected.
	Incarn model.ByID[uint8]
}

// connect is the start of the node.
func (g *Protocol) connect(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Restart {
		return
	}
	p.Incarn.Set(net.Self(), p.Incarn.At(net.Self())+1)
	for id := range net.Peers().All() {
		g.put(p, net, id, M{Type: NodeUp})
	}
}

// Stable keeps the incarnation. Those of the others are what its node learns when it connects.
func (g *Protocol) Stable(p *P) { *p = P{Links: Links{Incarn: p.Incarn}} }

// Watches returns those with a monitor.
func (g *Protocol) Watches(p *P, _ model.ID) model.Set { return p.Monitored }

// monitor is mon_node, which makes no second monitor.
func (p *P) monitor(who model.ID) { p.Monitored = p.Monitored.With(who) }

// monNodes is mon_nodes, of one node: since 2009 it also says "heartbeat" to the node, and has those that are
// down tried again.
func (g *Protocol) monNodes(p *P, net *model.Net[M], who model.ID) {
	if who == net.Self() {
		return
	}
	if !g.Asks {
		if !net.IsSet(candidate) {
			net.SetTimer(candidate, tau)
		}
		g.send(p, net, who, M{Type: Heartbeat})
	}
	p.monitor(who)
}

// put sends a message whether or not the connection is open.
func (g *Protocol) put(p *P, net *model.Net[M], to model.ID, m M) {
	m.Incarn, m.To = p.Incarn.At(net.Self()), p.Incarn.At(to)
	net.SendTo(to, m)
}

// send sends a message, if the connection is open.
func (g *Protocol) send(p *P, net *model.Net[M], to model.ID, m M) {
	if !p.Closed.Has(to) {
		p.Apart = p.Apart.Without(to)
		g.put(p, net, to, m)
	}
}

// sendAll sends a message to each of some.
func (g *Protocol) sendAll(p *P, net *model.Net[M], to model.Set, m M) {
	for id := range to.All() {
		g.send(p, net, id, m)
	}
}

// passes reports whether a message is one for the process, and not one of the runtime or of a
// connection that is gone.
func (g *Protocol) passes(p *P, net *model.Net[M], from model.ID, m M) bool {
	if m.Incarn < p.Incarn.At(from) {
		return false
	}
	if m.Incarn > p.Incarn.At(from) {
		g.renewed(p, net, from, m.Incarn)
	}
	closed := p.Closed.Has(from)
	switch {
	case m.Type == NodeUp || m.To < p.Incarn.At(net.Self()): // the latter's connection ended with the last incarnation
	case m.Type == Closed || m.Type == Open && closed:
		g.opens(p, from)
		if !closed {
			g.put(p, net, from, M{Type: Open})
		}
		g.down(p, net, from)
	case m.Type != Open && !closed:
		p.Apart = p.Apart.Without(from)
		return true
	}
	return false
}

// renewed has a process be down that is up again as a new incarnation.
func (g *Protocol) renewed(p *P, net *model.Net[M], who model.ID, incarn uint8) {
	p.Incarn.Set(who, incarn)
	g.opens(p, who)
	g.down(p, net, who)
}

// opens has two nodes be able to connect again.
func (g *Protocol) opens(p *P, who model.ID) {
	p.Closed, p.Apart = p.Closed.Without(who), p.Apart.With(who)
	if g.Meshed {
		p.Apart = p.Apart.Without(who)
	}
}

// Suspect is that a connection breaks, or a process is down.
func (g *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if !p.Closed.Has(who) {
		p.Closed, p.Apart = p.Closed.With(who), p.Apart.With(who)
		g.put(p, net, who, M{Type: Closed})
	}
	g.down(p, net, who)
}

// down is the message 'DOWN' of the monitor of a process, if there is one.
func (g *Protocol) down(p *P, net *model.Net[M], who model.ID) {
	if !p.Monitored.Has(who) {
		return
	}
	p.Monitored = p.Monitored.Without(who)
	if p.pos(who) == 0 {
		return
	}
	if p.InLoop {
		g.downInLoop(p, net, who)
		return
	}
	p.Down = p.Down.With(who)
	switch before := p.pos(who) < p.pos(net.Self()); {
	case p.Status == Wait && p.Leader == who:
		net.Rule(leaderDown)
		g.startStage1(p, net)
	case before && p.Status == Elec1:
		if lesser := p.lesser(net.Self()); lesser&^p.Down == 0 {
			p.Down = lesser
			g.startStage2(p, net)
		}
	case !before && p.Status == Elec2 && p.Pend == who:
		net.Rule(pendDown)
		g.continStage2(p, net)
	}
	g.hasBecomeLeader(p, net)
}

// downInLoop is 'DOWN' in loop.
func (g *Protocol) downInLoop(p *P, net *model.Net[M], who model.ID) {
	switch {
	case who == p.Leader:
		net.Rule(leaderDown)
		g.startStage1(p, net)
	case p.Leader == net.Self():
		p.Down = p.Down.With(who)
		if g.Checks > NoChecks {
			net.SetTimer(checkleads, 1)
		}
	}
}

// Settle makes p the state after an election that coordinator won.
func (g *Protocol) Settle(p *P, self, coordinator model.ID, live model.Set) {
	for id := range live.All() {
		p.Cands.Append(id)
	}
	p.InLoop, p.Status, p.Leader = true, Norm, coordinator
	p.Elid, p.Next = Elid{Pos: uint8(p.pos(coordinator))}, 1
	p.Monitored = p.lesser(self).With(coordinator)
	if self == coordinator {
		p.Monitored = live.Without(self)
	}
}

// Wake has a leader of 2005 ask.
func (g *Protocol) Wake(p *P, net *model.Net[M]) {
	if g.Asks && p.Leader == net.Self() {
		net.SetTimer(heartbeat, tau)
	}
}
