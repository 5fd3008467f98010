// Package garciamolina is the Bully algorithm as its inventor published it:
// with states, and with a candidate that halts everybody before it announces
// itself. What textbooks call by this name is package bully.
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
// Deviations: "CALL Halt(j), ONTIMEOUT(T)" is a message, its answer and a timer.
// Timeout(i), which runs when a node has not heard from its coordinator for
// long, is the failure detector's report where i is Normal, and a timer where it
// waits. A task is known by a number that its coordinator gives it, 0 and 1 by
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

// Step is the place in a procedure where a node waits for an answer.
type Step uint8

// The steps.
const (
	Nowhere    Step = iota
	Election1       // Election: are higher nodes up?
	Election2       // Election: halt lower nodes
	Election3       // Election: inform them of the new coordinator
	Election4       // Election: hand out the task
	TimingOut       // Timeout: is the coordinator up?
	CheckingUp      // Check: are the others Normal?
)

// String returns the place in the procedure.
func (s Step) String() string {
	return [...]string{"none", "Election 1", "Election 2", "Election 3", "Election 4", "Timeout", "Check"}[s]
}

// Protocol is the algorithm. Its zero value is the reading that is fairest to
// the paper.
type Protocol struct {
	// CallsItself has a node that times out in Reorganization, and is its own
	// coordinator, call itself, as Timeout(i) says to the letter. It answers of
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

// Start has the node begin an election.
func (g *Protocol) Start(p *P, net *model.Net[M]) { g.election(p, net) }

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
	g.call(p, net, TimingOut, p.C, M{Kind: AreYouUp})
}

// election is Election(i). First it checks the nodes of higher priority.
func (g *Protocol) election(p *P, net *model.Net[M]) {
	net.Rule(step1)
	g.next(p, net, Election1, net.Higher())
}

// next makes the next call of a step, to the first of the nodes that are left,
// and goes on to the next step where none is.
func (g *Protocol) next(p *P, net *model.Net[M], at Step, left model.Set) {
	switch {
	case at == Election1 && left.Empty():
		// "Next, halt all lower priority nodes, starting with this node": stop,
		// s := Election, h := i, Up := {}; for j = i-1, ..., 1 call Halt(j).
		net.Rule(step2)
		g.stop(p, net)
		p.S, p.H, p.Up = Election, net.Self(), 0
		g.next(p, net, Election2, net.Lower())
	case at == Election2 && left.Empty():
		// The election point. c := i, s := Reorganization; for j in Up call
		// NewCoordinator(j).
		net.Rule(step3)
		p.C, p.S = net.Self(), Reorganization
		g.next(p, net, Election3, p.Up)
	case at == Election3 && left.Empty():
		// The reorganization of the system occurs here: a new task d, and for j in
		// Up call Ready(j, d).
		net.Rule(step4)
		p.Task ^= 1
		p.D = p.Task
		g.next(p, net, Election4, p.Up)
	case at == Election4 && left.Empty():
		net.Rule(won)
		p.S = Normal
		g.rest(p, net)
	case left.Empty(): // the end of Check
		g.rest(p, net)
	case at == Election2:
		g.call(p, net, at, left.Max(), M{Kind: Halt})
	default:
		g.call(p, net, at, left.Min(), g.question(p, at))
	}
}

// question returns the call that a step makes.
func (g *Protocol) question(p *P, at Step) M {
	switch at {
	case Election3:
		return M{Kind: NewCoordinator}
	case Election4:
		return M{Kind: Ready, Task: p.D}
	case CheckingUp:
		return M{Kind: AreYouNormal}
	}
	return M{Kind: AreYouUp}
}

// call calls node to, "ONTIMEOUT(T)".
func (g *Protocol) call(p *P, net *model.Net[M], at Step, to model.ID, m M) {
	p.At, p.To, m.Life = at, to, p.Life
	net.Send(model.Peer(to), m)
	net.Stop(LongTime)
	net.Stop(Period)
	net.Set(T, 2*net.Bound())
}

// left returns the nodes that a step has yet to call.
func (g *Protocol) left(p *P, net *model.Net[M]) model.Set {
	above := ^model.Upto(p.To)
	switch p.At {
	case Election2:
		return model.Upto(p.To - 1)
	case Election3, Election4:
		return p.Up & above
	}
	return net.Peers() & above
}

// stop is STOP: what the node was doing ends.
func (g *Protocol) stop(p *P, net *model.Net[M]) {
	p.At, p.To = Nowhere, model.None
	net.Stop(T)
	net.Stop(LongTime)
	net.Stop(Period)
}

// rest ends a procedure: the node waits for what comes, and not for ever.
func (g *Protocol) rest(p *P, net *model.Net[M]) {
	g.stop(p, net)
	switch {
	case p.S != Normal:
		net.Set(LongTime, 4*net.Bound()*int(net.N())) // an election takes no longer to reach it
	case p.C == net.Self():
		net.Set(Period, 2*net.Bound())
	}
}

// Timeout handles the end of a call, of a long time, and of a period.
func (g *Protocol) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t == LongTime:
		g.timeout(p, net)
	case t == Period:
		// Check(i), "called periodically": if s is Normal and c = i, for all other j
		// call AreYouNormal(j).
		net.Rule(checks)
		g.next(p, net, CheckingUp, net.Peers())
	case p.At == TimingOut:
		g.election(p, net)
	case p.At == Election3 || p.At == Election4:
		net.Rule(again)
		g.election(p, net)
	default: // ONTIMEOUT(T): NEXT ITERATION
		g.next(p, net, p.At, g.left(p, net))
	}
}

// Receive handles the calls of others, and the answers to the node's own.
func (g *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	j := from.ID()
	switch m.Kind {
	case AreYouUp:
		net.Reply(M{Kind: IAmUp, Life: m.Life})
	case AreYouNormal:
		net.Reply(M{Kind: Answer, Life: m.Life, Normal: p.S == Normal})
	case Halt:
		// s := Election, h := j, stop.
		net.Rule(halts)
		p.S, p.H = Election, j
		net.Reply(M{Kind: Halted, Life: m.Life})
		g.rest(p, net)
	case NewCoordinator:
		g.informed(p, net, j)
		net.Reply(M{Kind: Informed, Life: m.Life})
	case Ready:
		g.ready(p, net, j, m.Task)
		net.Reply(M{Kind: IsReady, Life: m.Life})
	default:
		if j == p.To && m.Kind == answerTo[p.At] && m.Life == p.Life {
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

// answered goes on where the node waits, with the answer to its call.
func (g *Protocol) answered(p *P, net *model.Net[M], m M) {
	switch {
	case p.At == Election1:
		net.Rule(gives)
		g.rest(p, net) // "If any such node is up, quit"
	case p.At == TimingOut:
		net.Rule(finds)
		g.rest(p, net)
	case p.At == CheckingUp && !m.Normal:
		net.Rule(notNormal)
		g.election(p, net)
	default:
		if p.At == Election2 {
			p.Up = p.Up.With(p.To)
		}
		g.next(p, net, p.At, g.left(p, net))
	}
}
