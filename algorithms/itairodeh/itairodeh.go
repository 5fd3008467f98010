// Package itairodeh is the election on an anonymous ring of Itai and Rodeh, and
// what Fokkink and Pang, and Bakhshi and others, made of it.
//
// Source: A. Itai, M. Rodeh, "Symmetry breaking in distributive networks",
// FOCS 1981, and "Symmetry breaking in distributed networks", Information and
// Computation 88(1), 1990, by the rules as the literature tells them. The
// variants without round numbers: W. Fokkink, J. Pang, "Variations on Itai-Rodeh
// leader election for anonymous rings and their analysis in PRISM", Journal of
// Universal Computer Science 12(8), 2006. File bakhshi.go has the bidirectional
// one.
//
// Assumes: a unidirectional ring, asynchronous, reliable, no failures; processes
// have no ids, and every one knows N. Each can flip coins. The variants without
// round numbers need FIFO channels.
//
// Guarantees: there are never two leaders; with probability 1 there is one in
// the end. (It has runs without end: those where the coins of two processes
// agree each time.) The others know that they are not the leader, and that is
// all: nobody has a name by which they could know it.
//
// Deviations: the leader takes out of the ring what still arrives, which nothing
// does where channels are FIFO. A coin is a choice between all outcomes, of
// which every one is looked at; "with probability 1" is judged as: wherever a
// run has come to, it can still come to one leader. Round numbers grow without
// bound and are kept modulo 4 (itai-rodeh): where channels are FIFO, those that
// meet differ by one at most, so that nothing is lost by it. A process that met
// another difference would panic, which every check reports. Variant counted has
// plain numbers. Identities are 1 to K; the source has 1 to N. Variants
// one-identity and wrong-size leave out what the source says cannot be done
// without: coins, and the size of the ring.
//
// Complexity: O(N log N) messages on average, no bound at worst; no timeouts.
package itairodeh

import (
	"cmp"

	"bullyproof/model"
)

// P is the state of a process.
type P struct {
	Mode  Mode
	ID    uint8  // the random identity of an active process, 1 to K
	Round uint16 // the round in which it was chosen, modulo 4 (or plain: counted)
}

// Mode is what a process does with messages.
type Mode uint8

// The modes of a process.
const (
	Asleep  Mode = iota // has not begun
	Active              // has chosen an identity
	Passive             // passes messages on, and is not the leader
	Leader
)

// String returns the mode's name.
func (m Mode) String() string {
	return [...]string{"asleep", "active", "passive", "leader"}[m]
}

// belief is that of a process of an anonymous ring.
func (m Mode) belief() model.Belief {
	b := model.Belief{Participant: m == Active}
	if m == Leader {
		b.Elected = model.Me
	}
	return b
}

// M is the message (id, round, hop, bit).
type M struct {
	ID    uint8
	Round uint16
	Hop   uint8 // how many links it has come
	Clash bool  // "bit = false": it met another active process with its identity
}

// Rounds says what becomes of round numbers.
type Rounds uint8

// The treatments of round numbers.
const (
	Modulo4 Rounds = iota
	Counted        // plain numbers
	Without        // none
)

// Protocol is the algorithm. Its zero value is that of Itai and Rodeh, with
// identities 1 to 3.
type Protocol struct {
	model.Passive[P, M] // no failures, no timeouts

	// K is the number of identities; 0 stands for 3.
	K int
	// Rounds says what becomes of round numbers.
	Rounds Rounds
	// NoBit has an active process that meets its own identity in another's
	// message choose a new one at once, and take the message out of the ring:
	// the second algorithm of Fokkink and Pang.
	NoBit bool
	// Size is the size that processes take the ring to have; 0 is the right one.
	Size int
}

// Start: "choose an identity at random, and send (id, 1, 1, true)".
func (c *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Mode != Asleep {
		return
	}
	net.Rule(begins)
	p.Mode = Active
	c.choose(p, net)
}

// choose chooses an identity at random and sends it.
func (c *Protocol) choose(p *P, net *model.Net[M]) {
	p.ID = 1 + uint8(net.Toss(cmp.Or(c.K, 3)))
	net.Send(model.Next, M{ID: p.ID, Round: p.Round, Hop: 1})
}

// Receive handles a message (id, round, hop, bit). One that has come N hops is
// the process's own.
func (c *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	c.Start(p, net) // if it is still asleep
	n, order := uint8(cmp.Or(c.Size, net.N())), 0
	if p.Mode == Active {
		order = c.compare(m, p)
	}
	switch {
	case p.Mode == Leader:
		// Nothing arrives any more where channels are FIFO.
	case p.Mode == Passive:
		net.Rule(passes)
		pass(net, m)
	case m.Hop == n && !m.Clash:
		net.Rule(home)
		*p = P{Mode: Leader}
	case m.Hop == n:
		net.Rule(alone)
		c.next(p)
		c.choose(p, net)
	case order == 0 && c.NoBit:
		net.Rule(clash)
		c.choose(p, net)
	case order == 0:
		net.Rule(clash)
		m.Clash = true
		pass(net, m)
	case order < 0:
		net.Rule(purges)
	default:
		net.Rule(yields)
		*p = P{Mode: Passive}
		pass(net, m)
	}
}

// pass passes a message on, "increasing hop by one".
func pass(net *model.Net[M], m M) {
	m.Hop++
	net.Send(model.Next, m)
}

// next begins a round.
func (c *Protocol) next(p *P) {
	switch c.Rounds {
	case Modulo4:
		p.Round = (p.Round + 1) % 4
	case Counted:
		p.Round++
	}
}

// compare compares (round, id) of a message with those of a process: by round,
// then by identity.
func (c *Protocol) compare(m M, p *P) int {
	ahead := int(m.Round) - int(p.Round)
	if c.Rounds == Modulo4 {
		ahead = (ahead+5)%4 - 1 // -1, 0, 1 or 2
		if ahead == 2 {
			panic("a message is two rounds from the process it meets")
		}
	}
	if ahead != 0 {
		return ahead
	}
	return int(m.ID) - int(p.ID)
}

// Belief: the leader knows that it is the leader; others know of nobody.
func (c *Protocol) Belief(p *P) model.Belief { return p.Mode.belief() }
