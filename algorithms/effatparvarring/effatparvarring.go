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
// the election its id may be lost, or go round without end, and so may its
// coordinate message, which takes the lead from those elected later.
//
// Deviations: where the two paragraphs leave something open, or contradict each
// other, there is a reading (readings.go). "Finally, the greatest ID returns back to the
// initial node. If the received ID equals that of the initial sender, it declares
// itself as the leader": in figure 2 nodes 2 and 4 begin, and 5 declares itself,
// so that the initial sender of an id can only be the node whose id it is. The end of an
// election is not said: here the coordinate message does, as it comes by.
//
// Complexity: eq. 4 has n(n-1)/2 messages. They are 2n to 3n-1 where one of n
// nodes that are up notices, and n(n+1)/2+n at most.
package effatparvarring

import "bullyproof/model"

// P is the state of a node.
type P struct {
	Leader      model.ID // ⊥ where none is known
	Participant bool     // has put an id into the ring, and has not learned of a leader
	Informer    bool     // byInformer: its own message is on its way round
	Passed      model.ID // byInformer: the greatest informer whose message it has put into the ring
}

// M is a message.
type M struct {
	Type model.Kind
	// ID is the id that it carries: the greatest so far, or the new leader's.
	ID model.ID
	// Informer is, byInformer, the node that began, and takes the message out.
	Informer model.ID
	// Steps is the number of nodes that have passed it on. The repair counts them.
	Steps uint8
}

// The kinds of messages.
const (
	Election   model.Kind = iota // an id ("it sends its ID number to its neighboring node")
	Coordinate                   // "a coordinate message"
)

// Protocol is the algorithm: "only the message of the node with the greatest ID
// circulates in the ring thus, preventing smaller IDs from being sent". A node that has
// put an id into the ring stops smaller ones, as Chang and Roberts have it; the greatest
// id returns to the node whose it is. The two paragraphs can be read in other ways:
// readings.go. The repair is in repaired.go.
type Protocol struct{ model.Passive[P, M] }

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
	if !p.Participant {
		net.Rule(notices)
		e.put(p, net, M{ID: net.Self()})
	}
}

// put puts an id into the ring.
func (e *Protocol) put(p *P, net *model.Net[M], m M) {
	p.Participant = true
	net.Send(model.Next, m)
}

// Receive handles both kinds of messages.
func (e *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	switch {
	case m.Type == Election:
		e.compare(p, net, m)
	case m.ID == net.Self():
		net.Rule(last)
	default:
		e.learn(p, net, m)
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

	case m.ID < self && p.Participant:
		net.Rule(stops)

	case m.ID < self:
		net.Rule(substitutes)
		e.put(p, net, M{ID: self})

	default:
		// "Finally, the greatest ID returns back to the initial node. If the received
		// ID equals that of the initial sender, it declares itself as the leader by
		// sending a coordinate message into the ring."
		net.Rule(declares)
		*p = P{Leader: self}
		net.Send(model.Next, M{Type: Coordinate, ID: self})
	}
}

// learn: a leader is declared.
func (e *Protocol) learn(p *P, net *model.Net[M], m M) {
	net.Rule(told)
	*p = P{Leader: m.ID}
	net.Send(model.Next, m)
}

// Settle makes the leader known to the node.
func (*Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Leader = coordinator }

// Belief is the leader, and whether the node takes part.
func (*Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Leader, Participant: p.Participant}
}
