// Package genleader is the election of Erlang's behaviour gen_leader: a Bully whose
// candidates stand in an order, with monitors in place of timeouts.
//
// A node that starts waits until all nodes before it in the order are down (stage 1). Then it
// halts those behind it, one after the other, and leads when each has answered or is down
// (stage 2). A node that has a leader answers a halt with that leader, so that a leader stays
// when a node before it comes back. All learn of crashes by Erlang's monitors.
//
// P1 is the first candidate. Workers, which never lead, are left out, and so are the messages
// of the program that runs on top.
//
// Erlang's connections: what a node sends to another one is received in order, and a monitor says
// that the other one has ended after all that it has sent. Here the detector says that, and
// the node drops what is still under way. So connections have numbers: both ends count one more
// when a connection ends, and a node that comes back two more. It says so at once (Up). Whoever
// receives a later number takes the earlier connection for ended. Whoever sends by an earlier one
// is told (Closed).
//
// Sources: gen_leader.erl, version 1.2 of 2005-07-04 (H. Svensson, T. Arts and U. Wiger), as the
// project gen_leader_revival keeps it in attic/original_version. gen_leader.erl of riak_repl, from
// 2010-07-22 to 2011-08-05. Rules are named by their functions and messages.
package genleader

import (
	"fmt"

	"bullyproof/model"
)

// Status is what a node is doing.
type Status uint8

// The statuses. A node is in the function loop if it is Norm, and else in safe_loop.
const (
	Elec1 Status = iota
	Elec2
	Wait
	Norm
)

// String returns the status as the program writes it.
func (s Status) String() string { return [...]string{"elec1", "elec2", "wait", "norm"}[s] }

// An Elid identifies an election: the node that began it, how often that had started before, and
// how many elections it had begun since.
type Elid struct {
	Node         model.ID
	Incarn, Next uint8
}

// P is the record election of a node.
type P struct {
	Status     Status
	Elid       Elid
	Leadernode model.ID // whom it follows, or for whom it waits
	Pendack    model.ID // in stage 2: whose answer it waits for
	Acks       model.Set
	Down       model.Set
	Monitored  model.Set

	// Nextel is the number of its next election.
	Nextel uint8
	// Incarn is the number of times that it has started, on its disk.
	Incarn uint8
	// Conn has the numbers of its connections, and Ended those that have ended.
	Conn  model.ByID[uint8]
	Ended model.Set
}

// Type is the type of a message.
type Type uint8

// The types. Up and Closed are of connections. Ldr4 is a message ldr without its workers.
const (
	Halt Type = iota
	AckLeader
	HasLeader
	IsLeader
	NotLeader
	Ldr
	Ldr4
	NormQ
	NotNorm
	Heartbeat
	Checklead
	Election
	Up
	Closed
)

// M is a message.
type M struct {
	Type Type
	T    Elid     // of those about an election
	Ldr  model.ID // of hasLeader

	Conn uint8 // the number of the connection
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return model.Kind(m.Type) }

// String returns m as in "halt(1.1.0)", and as in "halt(1.1.0) by 2" where that is not the first connection.
func (m M) String() string {
	text := kinds[m.Type]
	switch {
	case m.Type == HasLeader:
		text += fmt.Sprintf("(%s,%d.%d.%d)", m.Ldr.Name(), m.T.Node, m.T.Incarn, m.T.Next)
	case m.T != Elid{}:
		text += fmt.Sprintf("(%d.%d.%d)", m.T.Node, m.T.Incarn, m.T.Next)
	}
	if m.Conn != 0 {
		text += fmt.Sprintf(" by %d", m.Conn)
	}
	return text
}

// The timers: TAU, and in riak_repl the heartbeat of a new leader, candidate_timer and
// send_checklead.
const (
	tau model.Timer = iota
	heartbeat
	candidateTimer
	sendChecklead
)

const (
	stage1 model.Rule = iota
	stage2
	next
	becomes
	halting
	hasLeader
	surrenders
	again
	normal
	adopts
	leaderDown
	pendackDown
	lesserDown
	conflict
	told
	wakes
)

// GenLeader is the protocol. Its zero value is version 1.2 of 2005.
type GenLeader struct {
	model.Passive[P, M]
	// Heartbeats has nodes ask for the leader by heartbeats, as in riak_repl, in place of the
	// leader's own question each TAU.
	Heartbeats bool
	// Short has a new leader send the message ldr without its workers (before commit 298f41c).
	Short bool
	// Checks has a leader with nodes that are down ask them who leads, and begin an election if
	// that is another node (commit d766f06).
	Checks bool
	// Omits leaves out those with which the runtime system is connected again, and a leader begins
	// to ask only when it learns that a node is down (until commit 673a5c7).
	Omits bool
	// Answers has a node in stage 1 answer that question with a heartbeat (commit 6700452).
	Answers bool
	// AsksAll has a leader ask all nodes whether they have a leader, not only those that are down,
	// and a node that waits for another one answers too (no version of the program does that).
	AsksAll bool
	// Split begins where a divided network has healed: P1 leads alone, and P2 the others.
	Split bool
	// Faulty is what is wrong with a mutant.
	Faulty Faults
}

func (g *GenLeader) send(p *P, net *model.Net[M], to model.ID, m M) {
	m.Conn = p.Conn.At(to)
	net.SendTo(to, m)
}

func (g *GenLeader) sendAll(p *P, net *model.Net[M], to model.Set, m M) {
	for id := range to.All() {
		g.send(p, net, id, m)
	}
}

// Init is init_it: the node begins an election. The number of its incarnation is on its disk.
func (g *GenLeader) Init(p *P, net *model.Net[M], why model.Boot) {
	p.Incarn++
	if why == model.Restart {
		for id := range net.Peers().All() {
			p.Conn.Set(id, p.Conn.At(id)+2)
			g.send(p, net, id, M{Type: Up})
		}
	}
	if g.Split && why == model.Cold {
		g.divided(p, net)
		return
	}
	g.startStage1(p, net)
}

// divided is the state of a node after a divided network: P1 on one side, the others on the other.
func (g *GenLeader) divided(p *P, net *model.Net[M]) {
	self, others := net.Self(), net.Peers()
	*p = P{Status: Norm, Elid: Elid{2, p.Incarn, 2}, Leadernode: 2, Down: model.SetOf(1), Monitored: model.SetOf(2), Nextel: 2, Incarn: p.Incarn}
	switch self {
	case 1:
		p.Elid, p.Leadernode, p.Down, p.Monitored, p.Nextel = Elid{1, p.Incarn, 0}, self, others, 0, 1
	case 2:
		p.Monitored = others.Without(1)
		p.Nextel = 3
	}
	switch {
	case p.Leadernode != self:
	case !g.Heartbeats:
		net.SetTimer(tau, 4*net.Bound())
	case g.Checks && (!g.Omits || self == 1): // P2 has not learned as a leader that P1 is down
		g.check(p, net)
	}
}

// startStage1 begins an election: the node waits until all those before it are down.
func (g *GenLeader) startStage1(p *P, net *model.Net[M]) {
	net.Rule(stage1)
	p.Elid = Elid{net.Self(), p.Incarn, p.Nextel}
	p.Nextel++
	p.Down, p.Status = 0, Elec1
	g.stopLeading(net)
	if net.Self() == 1 {
		g.startStage2(p, net)
		return
	}
	g.monNodes(p, net, net.Lower())
}

// startStage2 begins to halt the nodes behind it.
func (g *GenLeader) startStage2(p *P, net *model.Net[M]) {
	net.Rule(stage2)
	p.Status, p.Pendack, p.Acks = Elec2, net.Self(), 0
	g.continStage2(p, net)
}

// continStage2 halts the next node, or ends the election.
func (g *GenLeader) continStage2(p *P, net *model.Net[M]) {
	if int(p.Pendack) < net.N() {
		net.Rule(next)
		p.Pendack++
		if !g.Faulty.Unwatched {
			g.monNodes(p, net, model.SetOf(p.Pendack))
		}
		g.send(p, net, p.Pendack, M{Type: Halt, T: p.Elid})
		return
	}
	p.Leadernode, p.Status = net.Self(), Norm
	g.hasBecomeLeader(p, net)
}

// hasBecomeLeader tells those that have answered.
func (g *GenLeader) hasBecomeLeader(p *P, net *model.Net[M]) {
	net.Rule(becomes)
	m := M{Type: Ldr, T: p.Elid}
	if g.Short {
		m.Type = Ldr4
	}
	g.sendAll(p, net, p.Acks, m)
	p.Acks, p.Pendack = 0, model.None
	g.leads(p, net)
}

// leads sets the timers of a leader.
func (g *GenLeader) leads(p *P, net *model.Net[M]) {
	if !g.Heartbeats {
		net.SetTimer(tau, 4*net.Bound())
		return
	}
	net.SetTimer(heartbeat, 4*net.Bound())
	if g.Checks && !g.Omits {
		g.check(p, net)
	}
}

func (g *GenLeader) stopLeading(net *model.Net[M]) {
	net.StopTimer(tau)
	net.StopTimer(heartbeat)
	net.StopTimer(sendChecklead)
}

// halting has the node wait for another one that may become the leader.
func (g *GenLeader) halting(p *P, net *model.Net[M], t Elid, from model.ID) {
	net.Rule(halting)
	p.Monitored = p.Monitored.With(from)
	p.Elid, p.Status, p.Leadernode, p.Down = t, Wait, from, p.Down.Without(from)
}

// monNodes is mon_nodes: the node monitors others. In riak_repl it sends them heartbeats.
func (g *GenLeader) monNodes(p *P, net *model.Net[M], nodes model.Set) {
	p.Monitored |= nodes
	if g.Heartbeats {
		if !net.IsSet(candidateTimer) {
			net.SetTimer(candidateTimer, 4*net.Bound())
		}
		g.sendAll(p, net, nodes, M{Type: Heartbeat})
	}
}

// Watches returns whom the node monitors.
func (g *GenLeader) Watches(p *P, _ model.ID) model.Set { return p.Monitored }

// Suspect is the message DOWN, with which a connection ends.
func (g *GenLeader) Suspect(p *P, net *model.Net[M], who model.ID) {
	if !p.Ended.Has(who) {
		p.Ended = p.Ended.With(who)
		p.Conn.Set(who, p.Conn.At(who)+1)
	}
	g.down(p, net, who)
}

// down handles DOWN: a node that this one monitors has ended.
func (g *GenLeader) down(p *P, net *model.Net[M], who model.ID) {
	if !p.Monitored.Has(who) {
		return
	}
	p.Monitored, p.Down = p.Monitored.Without(who), p.Down.With(who)
	switch {
	case (p.Status == Wait || p.Status == Norm) && who == p.Leadernode:
		net.Rule(leaderDown)
		g.startStage1(p, net)
	case p.Status == Elec1 && who < net.Self() && (g.Faulty.Hasty || net.Lower()&^p.Down == 0):
		net.Rule(lesserDown)
		p.Down = net.Lower()
		g.startStage2(p, net)
	case p.Status == Elec2 && who == p.Pendack:
		net.Rule(pendackDown)
		g.continStage2(p, net)
	case p.Status == Norm && p.Leadernode == net.Self() && g.Checks:
		g.check(p, net)
	}
}

// Receive handles a message, in safe_loop or in loop.
func (g *GenLeader) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	j := from.ID()
	conn := p.Conn.At(j)
	if m.Conn < conn {
		if m.Type != Closed {
			g.send(p, net, j, M{Type: Closed})
		}
		return
	}
	p.Conn.Set(j, m.Conn)
	p.Ended = p.Ended.Without(j)
	if m.Conn > conn {
		g.down(p, net, j)
	}
	switch {
	case p.Status == Norm:
		g.loop(p, net, j, m)
	default:
		g.safeLoop(p, net, j, m)
	}
}

// safeLoop is safe_loop: what a node does that has no leader.
func (g *GenLeader) safeLoop(p *P, net *model.Net[M], from model.ID, m M) {
	switch m.Type {
	case Halt:
		g.halting(p, net, m.T, from)
		g.send(p, net, from, M{Type: AckLeader, T: m.T})
	case HasLeader:
		g.hasLeader(p, net, m)
	case IsLeader:
		g.send(p, net, from, M{Type: NotLeader, T: m.T})
	case NotLeader:
		if p.Status == Wait && p.Elid == m.T {
			net.Rule(again)
			g.startStage1(p, net)
		}
	case AckLeader:
		if p.Status == Elec2 && p.Elid == m.T && p.Pendack == from {
			p.Acks = p.Acks.With(from)
			g.continStage2(p, net)
		}
	case Ldr:
		if p.Status == Wait && p.Elid == m.T {
			net.Rule(surrenders)
			net.StopTimer(candidateTimer)
			p.Monitored = p.Monitored.With(from)
			p.Leadernode, p.Status = from, Norm
			p.Acks, p.Pendack = 0, model.None
		}
	case NormQ:
		if p.Status == Elec1 && !g.Faulty.Deaf || p.Status == Wait && (p.Elid == m.T || g.AsksAll) {
			net.Rule(normal)
			g.halting(p, net, m.T, from)
			g.send(p, net, from, M{Type: NotNorm, T: m.T})
		}
	case Checklead:
		// "in the very exceptional case when a candidate comes up when the elected leader is
		// *behind* it in the candidate list *and* all nodes before it in the candidate list are up"
		if g.Answers && p.Status == Elec1 && from > net.Self() {
			net.Rule(wakes)
			g.send(p, net, from, M{Type: Heartbeat})
		}
	}
}

// hasLeader has the node ask the leader of another one, and tells it to those that it has halted.
func (g *GenLeader) hasLeader(p *P, net *model.Net[M], m M) {
	net.Rule(hasLeader)
	p.Monitored = p.Monitored.With(m.Ldr).Without(net.Self())
	if p.Status == Elec2 {
		g.sendAll(p, net, p.Acks, M{Type: HasLeader, T: m.T, Ldr: m.Ldr})
	}
	p.Elid, p.Status, p.Leadernode, p.Acks, p.Down = m.T, Wait, m.Ldr, 0, p.Down.Without(m.Ldr)
	if m.Ldr == net.Self() { // it asks itself, and answers notLeader
		net.Rule(again)
		g.startStage1(p, net)
		return
	}
	g.send(p, net, m.Ldr, M{Type: IsLeader, T: m.T})
}

// loop is what a node does that leads or has a leader.
func (g *GenLeader) loop(p *P, net *model.Net[M], from model.ID, m M) {
	leads := p.Leadernode == net.Self()
	switch m.Type {
	case Halt:
		switch {
		case leads && g.Faulty.Abdicates:
			g.stopLeading(net)
			g.halting(p, net, m.T, from)
			fallthrough
		case g.Faulty.Yields:
			g.send(p, net, from, M{Type: AckLeader, T: m.T})
		default:
			g.send(p, net, from, M{Type: HasLeader, T: p.Elid, Ldr: p.Leadernode})
		}
	case IsLeader:
		if leads {
			g.adopt(p, net, from)
			return
		}
		g.send(p, net, from, M{Type: NotLeader, T: m.T})
	case NotNorm:
		if leads && p.Elid == m.T {
			g.adopt(p, net, from)
		}
	case Heartbeat:
		if leads {
			g.askNorm(p, net)
		}
	case Checklead:
		g.checklead(p, net, from)
	case Election:
		net.Rule(told)
		g.startStage1(p, net)
	}
}

// adopt has a node follow that had no leader.
func (g *GenLeader) adopt(p *P, net *model.Net[M], from model.ID) {
	net.Rule(adopts)
	p.Monitored, p.Down = p.Monitored.With(from), p.Down.Without(from)
	g.send(p, net, from, M{Type: Ldr, T: p.Elid})
}

// askNorm asks the nodes that are down whether they have come back; not the first candidate, which
// halts all others when it does.
func (g *GenLeader) askNorm(p *P, net *model.Net[M]) {
	ask := p.Down.Without(1)
	if g.AsksAll {
		ask = net.Peers().Without(1)
	}
	g.sendAll(p, net, ask, M{Type: NormQ, T: p.Elid})
}

// check sends the question of commit d766f06, as long as nodes are down.
func (g *GenLeader) check(p *P, net *model.Net[M]) {
	if p.Down.Empty() {
		return
	}
	if !g.Omits || net.Pick(nodeInfo) == notUp {
		g.sendAll(p, net, p.Down, M{Type: Checklead})
	}
	net.SetTimer(sendChecklead, 4*net.Bound())
}

// checklead answers that question: two leaders have all nodes elect.
func (g *GenLeader) checklead(p *P, net *model.Net[M], from model.ID) {
	if p.Leadernode == from || p.Leadernode != net.Self() || g.Faulty.Quiet {
		return
	}
	net.Rule(conflict)
	p.Down = p.Down.Without(from)
	g.sendAll(p, net, net.Peers(), M{Type: Election})
	g.startStage1(p, net)
}

// Timeout runs when a timer has expired.
func (g *GenLeader) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case tau:
		g.askNorm(p, net)
		net.SetTimer(tau, 4*net.Bound())
	case heartbeat:
		g.askNorm(p, net)
	case sendChecklead:
		g.check(p, net)
	case candidateTimer:
		if p.Status != Norm && !p.Down.Empty() {
			g.sendAll(p, net, p.Down, M{Type: Heartbeat})
			net.SetTimer(candidateTimer, 4*net.Bound())
		}
	}
}

// Stable keeps the incarnation, which the program keeps in a file, and the numbers of connections,
// which are none of the program.
func (g *GenLeader) Stable(p *P) { *p = P{Incarn: p.Incarn, Conn: p.Conn} }

// Belief says whom the node follows.
func (g *GenLeader) Belief(p *P) model.Belief {
	if p.Status != Norm {
		return model.Belief{Participant: true}
	}
	return model.Belief{Elected: p.Leadernode}
}

// Beyond bounds the number of elections that one node begins.
func (g *GenLeader) Beyond(p *P) string {
	if p.Nextel > 6 {
		return fmt.Sprintf("election %d", p.Nextel)
	}
	return ""
}
