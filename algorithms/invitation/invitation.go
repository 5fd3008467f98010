// Package invitation is Garcia-Molina's Invitation algorithm, for systems in
// which nobody can tell a node that is slow from one that is down, or one that
// is cut off: nodes form groups, and groups merge.
//
// Source: H. Garcia-Molina, "Elections in a Distributed Computing System", IEEE
// Transactions on Computers C-31(1):48-59, January 1982, section V and the
// procedures of its second appendix: Check, Merge, Timeout, Recovery, and those
// that other nodes call: AreYouCoordinator, AreYouThere, Invitation, Accept,
// Ready. They are written as the literature tells them, without the paper at
// hand.
//
// Assumes: messages between two nodes arrive in the order of their sending
// (FIFO), if they arrive; nodes crash, come back with the same id, and have some
// safe storage. No bound on delays; the network may lose messages and divide.
//
// Guarantees: Assertion 3 (safety), at every instant: of two nodes in the same
// group, both in states Reorganization or Normal, the coordinator is the same,
// and of two that are Normal the task. Assertion 4 (liveness): nodes that can
// communicate long enough without failures come to be one group. Several
// coordinators at once are allowed: in different groups.
//
// Deviations: "CALL p(j), ONTIMEOUT(T)" is a message, its answer and a timer
// (calls.go);
// Invitation is a message without an answer. A group number is the owner and a
// counter of 0 to 3, which comes round: so many groups of one owner are never
// under way at once here. A task is known by such a number too, in safe storage.
// A node that has left its group for another forgets whom it led.
//
// Complexity: none is claimed here. T is 2D ticks; Check runs 2D after the last,
// Timeout 2D after the coordinator was heard of; a coordinator waits 3D for
// acceptances; a pause for each step in priority is the time of a Check.
package invitation

import "bullyproof/model"

// State is what a node is doing.
type State uint8

// The states.
const (
	Election State = iota
	Reorganization
	Normal
)

// Group is the number of a group.
type Group struct {
	Owner model.ID
	Count uint8
}

// P is the state vector S(i) of node i.
type P struct {
	S  State
	C  model.ID  // c: the coordinator
	D  uint8     // d: the task
	G  Group     // g: the group
	Up model.Set // Up: the other members, where i is coordinator

	Found model.Set // Check: other coordinators
	At    Step      // how far its own procedure is
	To    model.ID  // whose answer that waits for

	Counter, Task uint8 // the last group and the last task that it made; in safe storage
}

// Protocol is the algorithm. Its zero value is the paper's.
type Protocol struct {
	// Pauses is how long a coordinator that finds others of higher priority waits
	// before it invites them, for each step in priority. The paper says no more
	// than that it is the longer the lower the priority.
	Pauses Pauses
	// Volatile has the counter lost in a crash. The paper keeps it in safe storage.
	Volatile bool
}

// Init is Recovery(i), at any start.
func (v *Protocol) Init(p *P, net *model.Net[M], _ model.Boot) { v.recovery(p, net) }

// recovery is Recovery(i): the node forms a group of its own, whose task it can
// do alone.
func (v *Protocol) recovery(p *P, net *model.Net[M]) {
	net.Rule(recovers)
	v.group(p, net)
	p.Up, p.Found = 0, 0
	v.task(p)
	p.S = Normal
	v.rest(p, net)
}

// group: stop; counter := counter+1, g := (i, counter), c := i.
func (v *Protocol) group(p *P, net *model.Net[M]) {
	v.stop(p, net)
	p.Counter = (p.Counter + 1) % 4
	p.G, p.C, p.D = Group{net.Self(), p.Counter}, net.Self(), 0
}

// task makes a new task.
func (v *Protocol) task(p *P) {
	p.Task = (p.Task + 1) % 4
	p.D = p.Task
}

// check is Check(i), "called periodically": if s = Normal and c = i, ask all
// others whether they are coordinators.
func (v *Protocol) check(p *P, net *model.Net[M]) {
	net.Rule(checks)
	p.Found = 0
	v.next(p, net, Checking, net.Peers())
}

// checked is the end of Check(i): where nobody else is a coordinator there is
// nothing to do; otherwise Merge(i, Found), after a pause: "wait a time that is
// inversely proportional to priority", so that not all merge at once.
func (v *Protocol) checked(p *P, net *model.Net[M]) {
	pause := v.pause(p, net)
	switch {
	case p.Found.Empty():
		net.Rule(nobody)
		v.rest(p, net)
	case pause == 0:
		v.merge(p, net)
	default:
		net.Rule(pauses)
		v.stop(p, net)
		p.At = Pausing
		net.SetTimer(Pause, pause)
	}
}

// merge is Merge(i, Found): form a new group, and invite the coordinators that
// were found and the members of the old group.
func (v *Protocol) merge(p *P, net *model.Net[M]) {
	net.Rule(merges)
	v.group(p, net)
	invited := p.Found | p.Up
	p.S, p.Up, p.Found = Election, 0, 0
	net.SendAll(invited, M{Type: Invitation, C: net.Self(), G: p.G})
	// "Wait a reasonable time, so that other nodes can accept."
	p.At = Gathering
	net.SetTimer(Gather, 3*net.Bound())
}

// reorganize is the end of Merge: s := Reorganization, a new task, Ready(j) for j
// in Up, s := Normal.
func (v *Protocol) reorganize(p *P, net *model.Net[M]) {
	net.Rule(reorganizes)
	p.S = Reorganization
	v.task(p)
	v.next(p, net, Readying, p.Up)
}

// normal is the end of Merge: all of Up have answered.
func (v *Protocol) normal(p *P, net *model.Net[M]) {
	net.Rule(merged)
	p.S = Normal
	v.rest(p, net)
}

// timeout is Timeout(i): "has not heard from its coordinator in a long time":
// call AreYouThere(c, g); if there is no answer, or it is no, Recovery(i).
func (v *Protocol) timeout(p *P, net *model.Net[M]) {
	net.Rule(asks)
	v.call(p, net, TimingOut, p.C)
}

// Receive handles the calls of others, and the answers to the node's own.
func (v *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	self := net.Self()
	switch m.Type {
	case AreYouCoordinator:
		net.Reply(M{Type: IsCoordinator, G: m.G, Yes: p.S == Normal && p.C == self})
	case AreYouThere:
		net.Reply(M{Type: IsThere, G: m.G, Yes: p.G == m.G && p.C == self && p.Up.Has(from.ID())})
	case Invitation:
		v.invited(p, net, m)
	case Accept:
		// If s = Election and c = i and the group is g, Up := Up + {j}.
		if p.S == Election && p.C == self && p.G == m.G {
			net.Rule(accepted)
			p.Up = p.Up.With(from.ID())
		} else {
			net.Rule(tooLate)
		}
		net.Reply(M{Type: Accepted, G: m.G})
	case Ready:
		// If s = Reorganization and the group is g, d := x, s := Normal.
		if p.S == Reorganization && p.G == m.G {
			net.Rule(readies)
			p.D, p.S = m.Task, Normal
			if p.At == Nowhere {
				v.rest(p, net)
			}
		} else {
			net.Rule(tooLate)
		}
		net.Reply(M{Type: IsReady, G: m.G})
	default:
		if from.ID() == p.To && p.At != Nowhere && m.Type == question[p.At]+1 && m.G == p.G {
			v.answered(p, net, m)
		}
	}
}

// invited is Invitation(i, j, g): "if s = Normal", leave the group for that of
// j, and if i was coordinator also invite its members.
func (v *Protocol) invited(p *P, net *model.Net[M], m M) {
	if p.S != Normal {
		net.Rule(declines)
		return
	}
	net.Rule(follows)
	v.stop(p, net)
	if p.C == net.Self() {
		net.SendAll(p.Up.Without(m.C), m)
	}
	p.S, p.C, p.G, p.D, p.Up, p.Found = Election, m.C, m.G, 0, 0, 0
	v.call(p, net, Accepting, p.C)
}
