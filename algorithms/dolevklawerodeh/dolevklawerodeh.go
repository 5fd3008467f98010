// Package dolevklawerodeh is the unidirectional election algorithm of Dolev,
// Klawe and Rodeh.
//
// Source: D. Dolev, M. Klawe, M. Rodeh, "An O(n log n) unidirectional
// distributed algorithm for extrema finding in a circle", Journal of Algorithms
// 3(3), 1982: its basic algorithm, by the rules as the literature tells them (G.
// Tel, "Introduction to Distributed Algorithms", 2000, section 7.2.2).
//
// Assumes: a unidirectional ring, asynchronous, reliable, no failures; channels
// are FIFO; ids are unique and can be compared. Nobody knows N.
//
// Guarantees: one process finds out the greatest id, which need not be its own;
// once that is announced everybody knows the same coordinator, under fairness to
// every message.
//
// Deviations: the paper looks for the greatest number and stops where it is
// found. For an election its owner has to learn of it: here the process that
// stops sends the number once round the ring, in a message elected, which is
// counted apart. A process that a message reaches before it begins takes part
// from then on (wakes); in the other reading it is passive.
//
// Complexity: at most 2N floor(log2 N) + N messages, and N to announce; no
// timeouts.
package dolevklawerodeh

import "bullyproof/model"

// P is the state of a process.
type P struct {
	Mode    Mode
	Max     model.ID // max: the number that an active process holds
	Left    model.ID // left: the one that its active neighbour upstream held
	Elected model.ID // the greatest number of all, once it is known

	Ones, Twos early // Sorts: numbers of messages that came before their turn
}

// Mode is what a process does with messages.
type Mode uint8

// The modes of a process.
const (
	Asleep  Mode = iota // has not begun
	Active              // holds a number
	Passive             // passes messages on
	Done                // has found the greatest number
)

// String returns the mode's name.
func (m Mode) String() string {
	return [...]string{"asleep", "active", "passive", "knows the maximum"}[m]
}

// M is a message: a number, and which of the two of a phase it is.
type M struct {
	Type model.Kind
	ID   model.ID
}

// The kinds of messages.
const (
	One     model.Kind = iota // M1: the number that the sender holds
	Two                       // M2: the one that its neighbour upstream holds
	Elected                   // announces the outcome
)

// Protocol is the algorithm. Its zero value is the reading in which everybody
// takes part.
type Protocol struct {
	model.Passive[P, M] // no failures, no timeouts

	// Initiators makes a process that a message reaches before it begins
	// passive: only those take part that begin by themselves.
	Initiators bool
	// Sorts has an active process keep a message that is not of the kind that it
	// waits for until its turn comes. Otherwise it acts on messages as they
	// come, which is the same where channels are FIFO.
	Sorts bool
}

// Start is step A0: max is the process's own number, and it sends one(max).
func (c *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Mode != Asleep {
		return
	}
	net.Rule(begins)
	p.Mode, p.Max = Active, net.Self()
	net.Send(model.Next, M{One, p.Max})
}

// Receive is steps A1 and A2 of an active process; a passive one passes on what
// it receives.
func (c *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	if m.Type == Elected {
		c.elected(p, net, m.ID)
		return
	}
	if p.Mode == Asleep && c.Initiators {
		p.Mode = Passive
	}
	c.Start(p, net) // if it is still asleep
	switch {
	case p.Mode == Done:
		// Nothing arrives any more where channels are FIFO.
	case p.Mode == Passive:
		net.Rule(passes)
		net.Send(model.Next, m)
	case c.Sorts:
		c.sort(p, net, m)
	case m.Type == One:
		c.one(p, net, m.ID)
	default:
		c.two(p, net, m.ID)
	}
}

// one is step A1. If q is not max, the process keeps it and tells the next one:
// that has to know both who is upstream of it and who is upstream of that. If q
// is max, the number has come all the way round from nobody but this process.
func (c *Protocol) one(p *P, net *model.Net[M], q model.ID) {
	if q != p.Max {
		net.Rule(one)
		p.Left = q
		net.Send(model.Next, M{Two, q})
		return
	}
	net.Rule(found)
	*p = P{Mode: Done, Elected: q}
	net.Send(model.Next, M{Elected, q})
}

// two is step A2. The number of the neighbour upstream lives on, and moves here,
// if it is greater than those on both sides of it.
func (c *Protocol) two(p *P, net *model.Net[M], q model.ID) {
	if p.Left > q && p.Left > p.Max {
		net.Rule(takes)
		*p = P{Mode: Active, Max: p.Left}
		net.Send(model.Next, M{One, p.Max})
		return
	}
	net.Rule(passive)
	*p = P{Mode: Passive}
}

// elected: the outcome goes once round the ring, and its owner recognises itself.
func (c *Protocol) elected(p *P, net *model.Net[M], winner model.ID) {
	if p.Mode == Done {
		net.Rule(home)
		return
	}
	net.Rule(announced)
	*p = P{Mode: Passive, Elected: winner}
	net.Send(model.Next, M{Elected, winner})
}

// Belief: a process takes part from when it begins, or passes messages on, until
// it knows the greatest number.
func (c *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Mode != Asleep && p.Elected == model.None}
}
