// Package garciamolina is the Bully algorithm as its inventor published it:
// with states, and with a candidate that halts everybody before it announces
// itself. The algorithm that textbooks call by this name is package bully.
//
// Source: H. Garcia-Molina, "Elections in a Distributed Computing System", IEEE
// Transactions on Computers C-31(1):48-59, January 1982, section IV and the
// procedures of its appendix: Election, Recovery, Check, Timeout, and those that
// other nodes call: AreYouUp, AreYouNormal, Halt, NewCoordinator, Ready. They are
// written as the literature tells them, without the paper at hand.
//
// Assumes: every node can call every other and knows all ids; nodes crash, come
// back with the same id, and have some safe storage; messages between two nodes
// arrive in the order of their sending (FIFO). Assumption 8: the communication
// subsystem does not fail, and delivers within a known time. Assumption 9: a
// node never pauses, and always answers at once. Therefore whoever does not
// answer within T is down.
//
// Guarantees: Assertion 1 (safety), at every instant: two nodes that are in
// states Reorganization or Normal have the same coordinator, and two that are
// Normal have the same task. Assertion 2 (liveness): without further failures
// there will be a coordinator, Normal, and all that are up Normal under it.
//
// Deviations: "CALL Halt(j), ONTIMEOUT(T)" is a message, its answer and a timer
// (calls.go). Timeout(i), which runs when a node has not heard from its
// coordinator for long, is the failure detector's report where i is Normal, and
// a timer where it waits. A task is known by a number that its coordinator gives it, 0 and 1 by
// turns, which is in safe storage. A call carries how often its caller has
// recovered, and its answer repeats that, so that it is taken for the answer to
// no other call. A node that comes up for the first time does what one does that
// recovers; at a cold start it waits. There are no group numbers here: h, who
// halted a node last, does what they do in the Invitation algorithm.
//
// Complexity: an election of node i takes a call to each higher node, which is
// down, and three calls with their answers to each lower one that is up: linear.
// But a node that times out and finds a higher one up has called in vain, and
// does so again. T is 2D ticks, since nodes answer at once.
package garciamolina

import "bullyproof/model"

// State is what a node is doing. (Of a node that is Down there is no state.)
type State uint8

// The states.
const (
	Election State = iota
	Reorganization
	Normal
)

// P is the state vector S(i) of node i.
type P struct {
	S  State     // s: its state
	C  model.ID  // c: the coordinator, as of Reorganization
	D  uint8     // d: the task that the coordinator has given it
	H  model.ID  // h: the node that halted it last
	Up model.Set // Up: the nodes that it found up, as a candidate

	// At is how far its own procedure is, and To the node whose answer that waits
	// for.
	At Step
	To model.ID

	// In safe storage: the number of the last task that it made, and how often it
	// has recovered, from 0 to 3 and again.
	Task, Life uint8
}

// Protocol is the algorithm. Its zero value is the reading that is fairest to
// the paper.
type Protocol struct {
	// CallsItself has a node that times out in Reorganization, and is its own
	// coordinator, call itself, as Timeout(i) literally says. It answers of
	// course. A node comes to be there when its election begins again, since
	// somebody did not answer, and finds that a higher one has come up: Election
	// quits and leaves s and c as they are. If that node crashes too, nothing ever
	// happens again. Otherwise the node begins an election, as one does that has
	// no coordinator to hear from.
	CallsItself bool

	// AnyAnswer has a node take for the answer to its call what answers one that
	// it made before it crashed. The paper's calls return their own results.
	AnyAnswer bool
}

// Start has the node begin an election.
func (g *Protocol) Start(p *P, net *model.Net[M]) { g.election(p, net) }

// election is Election(i). First it checks the nodes of higher priority: for j
// = i+1, ..., n call AreYouUp(j). "If any such node is up, quit."
func (g *Protocol) election(p *P, net *model.Net[M]) {
	net.Rule(step1)
	g.next(p, net, Election1, net.Higher())
}

// halt: "Next, halt all lower priority nodes, starting with this node": stop,
// s := Election, h := i, Up := {}; for j = i-1, ..., 1 call Halt(j), and who
// answers is in Up.
func (g *Protocol) halt(p *P, net *model.Net[M]) {
	net.Rule(step2)
	g.stop(p, net)
	p.S, p.H, p.Up = Election, net.Self(), 0
	g.next(p, net, Election2, net.Lower())
}

// inform is the election point. c := i, s := Reorganization; for j in Up call
// NewCoordinator(j); who does not answer has the election begin again.
func (g *Protocol) inform(p *P, net *model.Net[M]) {
	net.Rule(step3)
	p.C, p.S = net.Self(), Reorganization
	g.next(p, net, Election3, p.Up)
}

// reorganize: the reorganization of the system occurs here. A new task d, and for
// j in Up call Ready(j, d); who does not answer has the election begin again.
func (g *Protocol) reorganize(p *P, net *model.Net[M]) {
	net.Rule(step4)
	p.Task ^= 1
	p.D = p.Task
	g.next(p, net, Election4, p.Up)
}

// normal is the end of Election(i): s := Normal.
func (g *Protocol) normal(p *P, net *model.Net[M]) {
	net.Rule(won)
	p.S = Normal
	g.rest(p, net)
}

// Init is Recovery(i), "called when node i recovers from a failure": h is
// undefined, and an election begins. Where the whole system starts the node
// waits to be halted, or to time out.
func (g *Protocol) Init(p *P, net *model.Net[M], why model.Boot) {
	if why == model.Cold {
		g.rest(p, net)
		return
	}
	net.Rule(recovers)
	if !g.AnyAnswer {
		p.Life = (p.Life + 1) % 4
	}
	g.election(p, net)
}

// check is Check(i), "called periodically": if s is Normal and c = i, for all
// other j call AreYouNormal(j); if one answers no, Election(i).
func (g *Protocol) check(p *P, net *model.Net[M]) {
	net.Rule(checks)
	g.next(p, net, CheckingUp, net.Peers())
}

// Suspect is Timeout(i) of a node that is Normal: it has not heard from its
// coordinator for long.
func (g *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.S == Normal && p.C == who && p.At == Nowhere {
		g.timeout(p, net)
	}
}

// timeout is Timeout(i): "if s is Normal or Reorganization, call AreYouUp(c), on
// timeout Election(i); otherwise Election(i)".
func (g *Protocol) timeout(p *P, net *model.Net[M]) {
	self := p.C == net.Self()
	if p.S == Election || self && !g.CallsItself {
		g.election(p, net)
		return
	}
	net.Rule(timesOut)
	if self {
		net.Rule(finds)
		g.rest(p, net)
		return
	}
	g.call(p, net, TimingOut, p.C, M{Type: AreYouUp})
}

// Receive handles the calls of others, and the answers to the node's own.
func (g *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	j := from.ID()
	switch m.Type {
	case AreYouUp:
		net.Reply(M{Type: IAmUp, Life: m.Life})
	case AreYouNormal:
		net.Reply(M{Type: Answer, Life: m.Life, Normal: p.S == Normal})
	case Halt:
		// s := Election, h := j, stop.
		net.Rule(halts)
		p.S, p.H = Election, j
		net.Reply(M{Type: Halted, Life: m.Life})
		g.rest(p, net)
	case NewCoordinator:
		g.informed(p, net, j)
		net.Reply(M{Type: Informed, Life: m.Life})
	case Ready:
		g.ready(p, net, j, m.Task)
		net.Reply(M{Type: IsReady, Life: m.Life})
	default:
		if j == p.To && m.Type == answerTo[p.At] && m.Life == p.Life {
			g.answered(p, net, m)
		}
	}
}

// informed: "if h = j and s = Election then c := j, s := Reorganization".
func (g *Protocol) informed(p *P, net *model.Net[M], j model.ID) {
	if p.H != j || p.S != Election {
		net.Rule(ignores)
		return
	}
	net.Rule(informed)
	p.C, p.S = j, Reorganization
	if p.At == Nowhere {
		g.rest(p, net)
	}
}

// ready: "if c = j and s = Reorganization then d := x, s := Normal".
func (g *Protocol) ready(p *P, net *model.Net[M], j model.ID, x uint8) {
	if p.C != j || p.S != Reorganization {
		net.Rule(ignores)
		return
	}
	net.Rule(readies)
	p.D, p.S = x, Normal
	if p.At == Nowhere {
		g.rest(p, net)
	}
}
