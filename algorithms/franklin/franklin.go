// Package franklin is the bidirectional election algorithm of Franklin.
//
// Source: W. R. Franklin, "On an improved algorithm for decentralized extrema
// finding in circular configurations of processors", Communications of the ACM
// 25(5), 1982: its abstract, and the rules as the literature tells them (G. Tel,
// "Introduction to Distributed Algorithms", 2000, section 7.2.2, begins from
// it).
//
// Assumes: a bidirectional ring, asynchronous, reliable, no failures; channels
// are FIFO; ids are unique and can be compared. Nobody knows N.
//
// Guarantees: one process is elected, the one with the greatest id, and it is
// elected for good; everybody learns of it, under fairness to every message.
//
// Deviations: an active neighbour may be one round ahead: what it sends is kept
// until this process gets there, two ids a side at most. The outcome is
// announced by a message elected, once round the ring, which is counted apart. A
// process that a message reaches before it begins takes part from then on
// (wakes); in the other reading it is passive.
//
// Complexity: at most 2N floor(log2 N) + 3N messages, N of them to announce the
// outcome; no timeouts.
package franklin

import (
	"bullyproof/model"
	"bullyproof/model/list"
)

// P is the state of a process.
type P struct {
	Mode    Mode
	Prev    list.Of[model.ID, [2]model.ID] // received from the one side and not yet compared
	Next    list.Of[model.ID, [2]model.ID] // received from the other
	Elected model.ID                       // the process that is known to be elected
}

// Mode is what a process does with messages.
type Mode uint8

// The modes of a process.
const (
	Asleep  Mode = iota // has not begun
	Active              // compares itself with its active neighbours
	Passive             // passes messages on
	Won                 // is elected
)

// String returns the mode's name.
func (m Mode) String() string {
	return [...]string{"asleep", "active", "passive", "elected"}[m]
}

// M is a message: an id.
type M struct {
	Type model.Kind
	ID   model.ID
}

// The kinds of messages.
const (
	Candidate model.Kind = iota // the id of an active process
	Elected                     // announces the outcome
)

// Protocol is the algorithm. Its zero value is the reading in which everybody
// takes part.
type Protocol struct {
	model.Passive[P, M] // no failures, no timeouts

	// Initiators makes a process that a message reaches before it begins
	// passive: only those take part that begin by themselves.
	Initiators bool
}

// Start: an active process sends its id both ways.
func (c *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Mode != Asleep {
		return
	}
	net.Rule(begins)
	p.Mode = Active
	bothWays(net)
}

func bothWays(net *model.Net[M]) {
	net.Send(model.Next, M{Candidate, net.Self()})
	net.Send(model.Prev, M{Candidate, net.Self()})
}

// Receive: an active process compares itself with one id from either side in
// each round; a passive one passes on what it receives.
func (c *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Elected {
		c.elected(p, net, m.ID)
		return
	}
	if p.Mode == Asleep && c.Initiators {
		p.Mode = Passive
	}
	c.Start(p, net) // if it is still asleep
	if p.Mode != Active {
		net.Rule(passes)
		net.Send(from.Opposite(), m)
		return
	}
	side := &p.Prev
	if from == model.Next {
		side = &p.Next
	}
	side.Append(m.ID) // a third would panic, which every check reports
	if p.Prev.Len() == 0 || p.Next.Len() == 0 {
		net.Rule(waits)
		return
	}
	c.compare(p, net)
}

// compare ends a round: the process has the ids of its active neighbours.
func (c *Protocol) compare(p *P, net *model.Net[M]) {
	self := net.Self()
	greatest := max(p.Prev.Remove(0), p.Next.Remove(0))
	switch {
	case greatest < self:
		// It is greater than both its neighbours, who drop out.
		net.Rule(again)
		bothWays(net)
	case greatest == self:
		// Its id has been all round, both ways: there is no other candidate.
		net.Rule(own)
		*p = P{Mode: Won, Elected: self}
		net.Send(model.Next, M{Elected, self})
	default:
		net.Rule(gives)
		kept := *p
		*p = P{Mode: Passive}
		for _, id := range kept.Prev.All() { // of the next round already
			net.Send(model.Next, M{Candidate, id})
		}
		for _, id := range kept.Next.All() {
			net.Send(model.Prev, M{Candidate, id})
		}
	}
}

// elected: the outcome goes once round the ring.
func (c *Protocol) elected(p *P, net *model.Net[M], winner model.ID) {
	if winner == net.Self() {
		net.Rule(home)
		return
	}
	net.Rule(announced)
	*p = P{Mode: Passive, Elected: winner}
	net.Send(model.Next, M{Elected, winner})
}

// Belief: a process takes part from when it begins, or passes ids on, until it
// knows who is elected.
func (c *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Mode != Asleep && p.Elected == model.None}
}
