// Package changroberts is the ring-based election algorithm of Chang and
// Roberts as Coulouris, Dollimore and Kindberg tell it.
//
// Source: G. Coulouris, J. Dollimore, T. Kindberg, "Distributed Systems:
// Concepts and Design", 5th edition, Pearson, 2012, section 15.3, in the words
// of the lecture slides "Co-ordinator Election Algorithms" (Ring-based Election
// Algorithm). After E. Chang and R. Roberts, "An improved algorithm for
// decentralized extrema-finding in circular configurations of processes",
// Communications of the ACM 22(5), 1979.
//
// Assumes: a unidirectional ring, asynchronous, reliable, no failures; each
// process knows its own id and its clockwise neighbour; ids are unique. The
// slides do not say that channels are FIFO, and safety does not need it.
//
// Guarantees: E1 (safety), all that learn of a coordinator learn of the
// process with the largest id; E2 (liveness), all are told, under fairness to
// every message. (Where channels are not FIFO, an election message that the
// elected message overtook can leave a process a participant for good: with
// N=4, see the tests.)
//
// Deviations: none. The slides leave implicit: a participant takes a smaller
// identifier out of the ring; a process that is asked to begin an election
// while it is a participant does nothing; the new coordinator sets its own
// elected_i when its identifier comes back, not a circuit later when its
// elected message does.
//
// Complexity: with one initiator 2N to 3N-1 messages; no timeouts.
package changroberts

import (
	"strconv"

	"bullyproof/model"
)

// P is the state of process p_i. "Initially, every process is marked as a
// non-participant in an election."
type P struct {
	Participant bool     // engaged in some run of the election algorithm
	Elected     model.ID // elected_i: ⊥, or the identifier of the elected process

	Number uint8 // of the election that it would take part in next; the repair counts them
}

// M is a message: election(id) or elected(id).
type M struct {
	Type   model.Kind
	ID     model.ID // the identifier that it carries
	Number uint8    // of the election that it belongs to, 0 except for the repair
}

// The kinds of messages.
const (
	Election model.Kind = iota // carries the identifier of a candidate
	Elected                    // announces the coordinator
)

// The rules, one for each sentence of the slides.
var (
	rules model.Rules

	begins   = rules.Add("begin an election: send one's own identifier")
	greater  = rules.Add("arrived identifier is greater: forward it")
	smaller  = rules.Add("arrived identifier is smaller, not a participant: substitute one's own")
	discards = rules.Add("arrived identifier is smaller, a participant: take it out of the ring")
	own      = rules.Add("one's own identifier: become the coordinator, send elected")
	elected  = rules.Add("elected: set elected_i and forward")
	home     = rules.Add("elected came home to the new coordinator: do not forward")
)

var names = model.Names{
	Kinds: []string{Election: "election", Elected: "elected"},
	Rules: rules,
}

// Protocol is the algorithm as the slides have it. Another reading is in readings.go,
// the repair in repaired.go.
type Protocol struct {
	model.Passive[P, M] // no failures, no timeouts
}

// Start: "Any process can begin an election. It proceeds by marking itself as
// a participant, placing its identifier in an election message and sending it
// to its clockwise neighbour."
func (c *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Participant {
		return // "An individual process does not call more than one election at a time"
	}
	net.Rule(begins)
	p.Participant = true
	net.Send(model.Next, M{Election, net.Self(), p.Number})
}

// Receive handles an election message and an elected message.
func (c *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	switch m.Type {
	case Election:
		c.election(p, net, m.ID)
	case Elected:
		c.elected(p, net, m)
	}
}

// election: "When a process receives an election message, it compares the
// identifier in the message with its own."
func (c *Protocol) election(p *P, net *model.Net[M], arrived model.ID) {
	self := net.Self()
	switch {
	case arrived > self:
		// "If the arrived identifier is greater, then it forwards the message to
		// its neighbour." "On forwarding an election message in any case, the
		// process marks itself as a participant."
		net.Rule(greater)
		p.Participant = true
		net.Send(model.Next, M{Election, arrived, p.Number})

	case arrived < self && !p.Participant:
		// "If the arrived identifier is smaller and the receiver is not a
		// participant, then it substitutes its own identifier in the message
		// and forwards it."
		net.Rule(smaller)
		p.Participant = true
		net.Send(model.Next, M{Election, self, p.Number})

	case arrived < self:
		// "For any two processes, the one with the larger identifier will not
		// pass on the other's identifier."
		net.Rule(discards)

	default:
		// "If, however, the received identifier is that of the receiver itself,
		// then this process's identifier must be the greatest, and it becomes
		// the coordinator. The coordinator marks itself as a non-participant
		// once more and sends an elected message to its neighbour, announcing
		// its election and enclosing its identity."
		net.Rule(own)
		p.Elected = self
		p.Participant = false
		net.Send(model.Next, M{Elected, self, p.Number})
	}
}

// elected: "When a process p_i receives an elected message, it marks itself as
// a non-participant, sets its variable elected_i to the identifier in the
// message and, unless it is the new coordinator, forwards the message to its
// neighbour."
func (c *Protocol) elected(p *P, net *model.Net[M], m M) {
	p.Participant, p.Elected = false, m.ID
	if m.ID == net.Self() {
		net.Rule(home)
		return
	}
	net.Rule(elected)
	net.Send(model.Next, m)
}

// Belief is elected_i and whether the process is a participant.
func (c *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Participant}
}

// Names returns the vocabulary of the slides.
func (c *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns the message as "election(3)" or "elected(3)", with the number
// of the election behind it if it has one.
func (m M) String() string { return m.text(m.Number > 0) }

func (m M) text(numbered bool) string {
	text := names.Kinds[m.Type] + "(" + strconv.Itoa(int(m.ID))
	if numbered {
		text += ", " + strconv.Itoa(int(m.Number))
	}
	return text + ")"
}
