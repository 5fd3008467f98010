// Package genleader is gen_leader, the leader election behaviour of Erlang: the Bully with states,
// in which an election has a number and who is asked may answer that there is a leader.
//
// The lower the place in the list of candidates, the more eligible a process is. A candidate
// monitors those before it (stage 1). When all of them are down it halts those behind it, one
// after the other (stage 2), and leads when the last one has acknowledged or is down. A process
// that leads, or follows a leader, answers a halt with the leader that it has. A leader asks those
// that were down from time to time whether they wait for an election, and takes them in.
//
// Nothing depends on time but how soon a leader asks. Failures are known by the monitors of
// Erlang alone: connections.go has these.
//
// Source: gen_leader.erl in its versions of H. Svensson and T. Arts (2005), of gen_leader_revival
// (2011), of riak_repl (2011), and of garret-smith/gen_leader_revival (2014), on which gproc stands.
// Functions and messages are named beside the rules. S has the lines that the functions name.
// Stoller, Leader election in asynchronous distributed systems, 2000.
//
// Deviations: there are candidates alone, and no workers. nextel is counted modulo 4. A process has
// one timer of each kind, where the program may have several under way. leadernode, acks, pendack and
// down are forgotten where nothing reads them.
// One process restarts at most: what a second one knows of the first one's incarnation is left out.
package genleader

import "bullyproof/model"

// Status is the status of #election.
type Status uint8

// The statuses.
const (
	Elec1 Status = iota
	Elec2
	Wait
	Norm
)

// Elid is elid, the number of an election.
type Elid struct{ Pos, Incarn, Next uint8 }

// P is #election of a process.
type P struct {
	// InLoop says that it is in loop, and not in safe_loop.
	InLoop bool
	Status Status
	Elid   Elid
	Next   uint8      // nextel, modulo 4
	Leader model.ID   // leadernode, in loop also that of leader
	Acks   model.Set  // acks
	Pend   model.ID   // pendack
	Down   model.Set  // down
	Cands  Candidates // candidate_nodes
	// Joins are the senders of "join" that are left in the mailbox until it is in loop.
	Joins model.Set

	Links
}

// Protocol is the program.
type Protocol struct {
	model.Passive[P, M]
	// Asks has a leader ask those that are down again and again: the program of 2005. Otherwise it does
	// when it is sent "heartbeat": by itself once, and by who begins to monitor it.
	Asks bool
	// Checks has a leader compare itself with those that lead beside it.
	Checks Checks
	// Meshed says that other programs of the nodes connect them again as soon as that is possible: those of Riak do.
	Meshed bool
	// Grows has a process begin with those candidates alone that were there before it (gproc_dist:start_link/0).
	Grows bool
	// Announces has a process ask the other candidates whether there is a leader (pull request 2 of
	// garret-smith/gen_leader_revival).
	Announces bool
	// Repaired is no version of the program: repaired.go has what is different.
	Repaired bool
}

// Checks says how far the messages "checklead" and "election" are there.
type Checks uint8

// From one commit of riak_repl to the next.
const (
	NoChecks   Checks = iota
	SomeChecks        // d766f06: after a DOWN, to nodes that are not connected
	AllChecks         // 6700452: also of a new leader, to all nodes that are down; and a candidate may answer
)

// The timers.
const (
	heartbeat  model.Timer = iota // or tau_timeout
	candidate                     // candidate_timer
	checkleads                    // send_checklead
)

// tau is TAU, and the interval of the other timers.
const tau = 3

// Init is init_it.
func (g *Protocol) Init(p *P, net *model.Net[M], why model.Boot) {
	g.connect(p, net, why)
	last := model.ID(net.N())
	if g.Grows && why != model.Restart {
		last = net.Self()
	}
	for id := range model.Upto(last).All() {
		p.Cands.Append(id)
	}
	g.startStage1(p, net)
	switch {
	case p.Cands.Len() == 1:
		g.hasBecomeLeader(p, net)
	case g.Announces:
		net.Rule(joinRule)
		g.sendAll(p, net, p.others(net.Self()), M{Type: Join})
	}
}

// startStage1 begins an election.
func (g *Protocol) startStage1(p *P, net *model.Net[M]) {
	net.Rule(stage1)
	pos := p.pos(net.Self())
	p.Elid = Elid{Pos: uint8(pos), Incarn: p.Incarn.At(net.Self()), Next: p.Next}
	p.Next = (p.Next + 1) % 4
	p.InLoop, p.Status, p.Down = false, Elec1, 0
	p.Leader, p.Acks, p.Pend = model.None, 0, model.None
	if pos == 1 {
		g.startStage2(p, net)
		return
	}
	for i := range pos - 1 {
		g.monNodes(p, net, p.Cands.At(i))
	}
}

// startStage2 has the process halt those behind it.
func (g *Protocol) startStage2(p *P, net *model.Net[M]) {
	net.Rule(stage2)
	p.Status, p.Pend, p.Acks = Elec2, net.Self(), 0
	g.continStage2(p, net)
}

// continStage2 halts the next one, or finds that there is none.
func (g *Protocol) continStage2(p *P, net *model.Net[M]) {
	if at := p.pos(p.Pend); at < p.Cands.Len() {
		p.Pend = p.Cands.At(at)
		g.monNodes(p, net, p.Pend)
		g.send(p, net, p.Pend, M{Type: Halt, T: p.Elid})
		return
	}
	p.Leader, p.Status, p.Pend = net.Self(), Norm, model.None
}

// halting has the process wait for the outcome of an election of another one.
func (g *Protocol) halting(p *P, from model.ID, t Elid) {
	p.monitor(from)
	p.Elid, p.Status, p.Leader = t, Wait, from
	p.Down = p.Down.Without(from)
	p.Acks, p.Pend = 0, model.None
}

// hasBecomeLeader checks whether the process has become the leader.
func (g *Protocol) hasBecomeLeader(p *P, net *model.Net[M]) {
	if p.Status != Norm || p.Leader != net.Self() {
		return
	}
	net.Rule(elected)
	acks := p.Acks
	p.Acks = 0
	g.sendAll(p, net, acks, M{Type: Ldr, T: p.Elid, Cands: p.Cands})
	net.SetTimer(heartbeat, tau)
	if g.Checks == AllChecks {
		net.SetTimer(checkleads, 1)
	}
	g.enterLoop(p, net)
}

// enterLoop has the process be in loop, where it reads what it has left in the mailbox.
func (g *Protocol) enterLoop(p *P, net *model.Net[M]) {
	p.InLoop = true
	joins := p.Joins
	p.Joins = 0
	g.sendAll(p, net, joins, g.hasLeader(p))
}

// Receive takes a message that is one for the process.
func (g *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if g.passes(p, net, from.ID(), m) {
		g.take(p, net, from.ID(), m)
	}
}

// Belief names the leader of a process that is in loop. In safe_loop it answers no call.
func (g *Protocol) Belief(p *P) model.Belief {
	if !p.InLoop {
		return model.Belief{Participant: true}
	}
	return model.Belief{Elected: p.Leader}
}

// Wanted is the first of the candidates that are up.
func (g *Protocol) Wanted(live model.Set) model.ID { return live.Min() }
