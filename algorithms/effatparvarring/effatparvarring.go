// Package effatparvarring is the modified Ring algorithm of Effatparvar et al.
//
// Source: M. R. Effatparvar, N. Yazdani, M. Effatparvar, A. Dadlani, A. Khonsari,
// "Improved Algorithms for Leader Election in Distributed Systems", 2nd
// International Conference on Computer Engineering and Technology, 2010, section
// 3 (two paragraphs and figure 2), section 5.2 (equations 3 and 4), Table 1.
//
// Assumes: a unidirectional ring, closed around nodes that have crashed; unique
// ids; a node notices that the leader has crashed. Nothing is said of other
// failures, of time, of the order of messages.
//
// Guarantees, as section 1 has them for every algorithm: liveness, "every node
// will eventually enter an elected state or a non-elected state"; safety, "only a
// single node can enter the elected state". And "only the greatest ID remains in
// the ring", which "dramatically reduces the overhead involved in message
// passing". Where the leader alone crashes that is so. Where a node crashes during
// the election its id may be lost, or go round for ever, and so may its coordinate
// message, which takes the lead from those elected later.
//
// Deviations: where the two paragraphs leave something open, or contradict each
// other, Protocol has a field. "Finally, the greatest ID returns back to the
// initial node. If the received ID equals that of the initial sender, it declares
// itself as the leader": in figure 2 nodes 2 and 4 begin, and 5 declares itself,
// so that the initial sender of an id can only be the node whose id it is. What
// ends an election is not said: here the coordinate message does, as it comes by.
//
// Complexity: eq. 4 has n(n-1)/2 messages. They are 2n to 3n-1 where one of n
// nodes that are up notices, and n(n+1)/2+n at most.
package effatparvarring

import "bullyproof/model"

// P is the state of a node.
type P struct {
	Leader      model.ID // ⊥ where none is known
	Participant bool     // has put an id into the ring, and not been told of a leader
	Informer    bool     // ByInformer: its own message is on its way round
	Passed      model.ID // ByInformer: the greatest informer whose message it has put into the ring
}

// M is a message.
type M struct {
	Type model.Kind
	// ID is the id that it carries: the greatest so far, or the new leader's.
	ID model.ID
	// Informer is, ByInformer, the node that began, and takes the message out.
	Informer model.ID
	// Steps is the number of links that it has gone by. The repair counts them.
	Steps uint8
}

// The kinds of messages.
const (
	Election   model.Kind = iota // an id ("it sends its ID number to its neighboring node")
	Coordinate                   // "a coordinate message"
)

// patience bounds the time that a participant of the repair waits.
const patience model.Timer = 0

// Reading says how the two paragraphs are read.
type Reading uint8

const (
	// Suppresses: "only the message of the node with the greatest ID circulates in
	// the ring thus, preventing smaller IDs from being sent". A node that has put an
	// id into the ring stops smaller ones, as Chang and Roberts have it; the
	// greatest id returns to the node whose it is.
	Suppresses Reading = iota
	// Literal: "the receiving node compares the received ID with its own, and
	// forwards whichever is the greatest", always. No message is ever stopped but
	// by the node whose id has returned.
	Literal
	// ByInformer: "the greatest ID returns back to the initial node", the one that
	// noticed, which announces it. A message tells who that is (the paper on FCEABR
	// says so: "just a section for informer"), and one of a lower informer is
	// stopped by a node that has put that of a higher one into the ring.
	ByInformer
	// SenderOnly: the same to the letter. "If the received ID equals that of the
	// initial sender, it declares itself as the leader", and otherwise nobody does.
	SenderOnly
)

// Protocol is the algorithm in one of its readings.
type Protocol struct {
	model.Passive[P, M]

	// Reading says which.
	Reading Reading

	// Repaired has ids that were lost sent again, and those of nodes that have
	// crashed taken out, in the reading Suppresses. A message that has gone N steps
	// has been everywhere, and its node is not there any more. And a participant
	// waits N steps at most for an id to come to the greatest node, N until that
	// has come round, and N for the coordinate message: who has not been told by
	// then knows that one of them is lost, and sends its own id again.
	Repaired bool
}

// Start has a node begin at a cold start, as if it noticed a crash.
func (e *Protocol) Start(p *P, net *model.Net[M]) { e.begin(p, net) }

// Suspect: "when a node notices that the leader has crashed, it sends its ID
// number to its neighboring node in the ring".
func (e *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Leader {
		e.begin(p, net)
	}
}

func (e *Protocol) begin(p *P, net *model.Net[M]) {
	if p.Participant {
		return
	}
	net.Rule(notices)
	if e.Reading >= ByInformer {
		p.Informer, p.Passed = true, max(p.Passed, net.Self())
	}
	e.put(p, net, M{ID: net.Self(), Informer: e.informer(net)})
}

// informer is what a message of the node has as its informer.
func (e *Protocol) informer(net *model.Net[M]) model.ID {
	if e.Reading >= ByInformer {
		return net.Self()
	}
	return model.None
}

// put puts an id into the ring.
func (e *Protocol) put(p *P, net *model.Net[M], m M) {
	if e.Reading < ByInformer || p.Informer {
		e.join(p, net)
	}
	net.Send(model.Next, e.step(m))
}

// join makes a participant of the node.
func (e *Protocol) join(p *P, net *model.Net[M]) {
	if e.Repaired && !p.Participant {
		net.SetTimer(patience, 3*net.N()*net.Bound())
	}
	p.Participant = true
}

// step counts the link by which m leaves.
func (e *Protocol) step(m M) M {
	if e.Repaired {
		m.Steps++
	}
	return m
}

// Receive handles both kinds of messages.
func (e *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	switch {
	case e.Repaired && m.Steps == uint8(net.N()) && m.ID != net.Self():
		net.Rule(astray)
	case m.Type == Coordinate:
		e.coordinate(p, net, m)
	case e.Reading >= ByInformer:
		e.informed(p, net, m)
	default:
		e.compare(p, net, m)
	}
}

// compare: "At this moment, the receiving node compares the received ID with its
// own, and forwards whichever is the greatest. This comparison is done by all the
// nodes such that only the greatest ID remains in the ring."
func (e *Protocol) compare(p *P, net *model.Net[M], m M) {
	self := net.Self()
	switch {
	case m.ID > self:
		net.Rule(forwards)
		e.put(p, net, m)

	case m.ID < self && p.Participant && e.Reading == Suppresses:
		net.Rule(stops)

	case m.ID < self:
		net.Rule(substitutes)
		e.put(p, net, M{ID: self})

	default:
		// "Finally, the greatest ID returns back to the initial node. If the received
		// ID equals that of the initial sender, it declares itself as the leader by
		// sending a coordinate message into the ring."
		e.declare(p, net, self)
	}
}

func (e *Protocol) declare(p *P, net *model.Net[M], leader model.ID) {
	net.Rule(e.rule(declares))
	e.over(p, net, leader)
	net.Send(model.Next, e.step(M{Type: Coordinate, ID: leader, Informer: e.informer(net)}))
}

func (e *Protocol) over(p *P, net *model.Net[M], leader model.ID) {
	*p = P{Leader: leader}
	if e.Repaired {
		net.StopTimer(patience)
	}
}

// coordinate: the leader is declared.
func (e *Protocol) coordinate(p *P, net *model.Net[M], m M) {
	from := m.ID // who sent it, and takes it out
	if e.Reading >= ByInformer {
		from = m.Informer
	}
	if from == net.Self() {
		net.Rule(e.rule(last))
		return
	}
	net.Rule(e.rule(told))
	e.over(p, net, m.ID)
	net.Send(model.Next, e.step(m))
}

// Timeout is for the repair alone.
func (e *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	net.Rule(again)
	p.Participant = false
	e.put(p, net, M{ID: net.Self()})
}

// Settle makes the leader known to the node.
func (*Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Leader = coordinator }

// Belief is the leader, and whether the node takes part.
func (*Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Leader, Participant: p.Participant}
}
