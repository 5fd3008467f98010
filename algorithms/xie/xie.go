// Package xie is the election in a bidirectional ring of Xie et al., as the
// paper on FCEABR describes it. The original was not read.
//
// Source: "Fault Tolerant Message Efficient Coordinator Election Algorithm in
// High Traffic Bidirectional Ring Network", International Journal of Information
// Technology and Computer Science 5(1), 2013, section II, on reference [23].
//
// Assumes: as FCEABR: a bidirectional ring with reliable links, unique numbers,
// processes that know their neighbours, the same time between any two of them.
//
// Guarantees, as the source has it: faster than the Ring algorithm, by as many
// messages; no fault tolerance.
//
// Deviations: the source has three sentences on it. It is "similar to ours in
// the point of view of sending election messages simultaneously by processes
// which find coordinator crash out to their successor and predecessor"; "it
// inherits the disadvantage of Ring algorithm" that each of several has an
// election of its own; "it doesn't care about coordinator failure tolerance".
// The rest is FCEABR's Election and Coordinator messages without a surrogate and
// without a rule that stops anybody's message. The announcement carries the
// informer whose election it ends, and ends what a process knows of that one.
//
// Complexity: 2N messages or a few more for each that begins; no timeouts.
package xie

import (
	"fmt"

	"bullyproof/model"
)

// P is the state of a process.
type P struct {
	Coordinator model.ID
	Seen        model.ByID[Seen] // of each informer, what the process knows of its last election
}

// Seen is what a process knows of the election of an informer.
type Seen struct {
	Phase Phase
	From  model.Port // where its message came from; none if it is the process's own
	Best  model.ID   // the coordinator section of that message
	Held  bool       // AtOnce: that message has yet to be passed on
	Round uint8      // the repair's: which of its elections it is
}

// Phase says how far an election is for a process.
type Phase uint8

// The phases.
const (
	Unknown   Phase = iota
	Electing        // one copy of the Election message was seen
	Announced       // a Coordinator message was seen, or sent
)

// M is a message: "two sections format", coordinator and informer.
type M struct {
	Kind                  Kind
	Informer, Coordinator model.ID
	Round                 uint8
}

// Kind is the kind of a message.
type Kind uint8

// The kinds of messages.
const (
	Election    Kind = iota // collects the greatest number
	Coordinator             // announces it
)

// T is the timer: of the repair it bounds the time that an election takes; of
// AtOnce it is the tick for which messages are kept.
const T model.Timer = 0

// The rules, and those of the repair.
const (
	begins model.Rule = iota
	passes
	meets
	follows
	second
	home
	outdated
	retries
)

var rules = []string{
	begins:   "1: the coordinator has crashed: send Election to the successor and the predecessor",
	passes:   "2: an Election message: put in one's own number if it is greater, pass it on in the same direction",
	meets:    "3: an informer's Election from both sides: send Coordinator both ways",
	follows:  "4: a Coordinator message: learn who is elected, pass it on",
	second:   "5: the second Coordinator message of an election: stop it",
	home:     "6: one's own Election has gone all around: do not pass it on",
	outdated: "repair: a message of an election that is over: stop it",
	retries:  "repair: an election does not end: forget it and begin one",
}

// Protocol is the algorithm.
type Protocol struct {
	// AtOnce has a process handle what arrives from both sides at the same
	// moment in one step: it keeps a message for a tick before it passes it on.
	// Otherwise a message is passed on when it arrives.
	AtOnce bool

	// Repaired has an informer number its elections, so that no late message
	// begins one that is over, and has a process begin an election when one that
	// it takes part in does not end in the time that it takes at most, so that
	// none is lost with a process that crashes. Which of several elections is
	// the latest does not matter: each finds the greatest of those that are up,
	// or a process that has crashed, which is found out again.
	Repaired bool

	model.Passive[P, M]
}

// Start begins an election.
func (x *Protocol) Start(p *P, net *model.Net[M]) { x.begin(p, net) }

// Suspect: the process finds out that the coordinator has crashed.
func (x *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Coordinator {
		x.begin(p, net)
	}
}

// begin sends "election messages simultaneously" to "their successor and
// predecessor".
func (x *Protocol) begin(p *P, net *model.Net[M]) {
	net.Rule(begins)
	self := net.Self()
	seen := Seen{Phase: Electing, Best: self}
	if x.Repaired {
		seen.Round = p.Seen.At(self).Round + 1
		net.Set(T, x.limit(net))
	}
	p.Coordinator = model.None
	p.Seen.Set(self, seen)
	net.Send(model.Next, M{Election, self, self, seen.Round})
	net.Send(model.Prev, M{Election, self, self, seen.Round})
}

// Receive handles Election and Coordinator.
func (x *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	seen := p.Seen.At(m.Informer)
	switch {
	case x.Repaired && (m.Round < seen.Round || m.Round == seen.Round && m.Kind == Election && seen.Phase == Announced):
		net.Rule(outdated)
	case m.Kind == Coordinator:
		x.follow(p, net, from, m)
	case seen.Phase == Electing && seen.Round == m.Round && seen.From == from:
		// the copy that was seen, again
	case seen.Phase == Electing && seen.Round == m.Round && seen.From != 0:
		net.Rule(meets)
		p.Coordinator = max(m.Coordinator, seen.Best, net.Self())
		x.end(p, net, m)
		net.Send(model.Next, M{Coordinator, m.Informer, p.Coordinator, m.Round})
		net.Send(model.Prev, M{Coordinator, m.Informer, p.Coordinator, m.Round})
	case m.Informer == net.Self():
		net.Rule(home)
		if seen.Phase == Electing {
			p.Seen.Set(m.Informer, Seen{Phase: Electing, From: from, Best: m.Coordinator, Round: m.Round})
		}
	default:
		net.Rule(passes)
		if x.Repaired {
			net.Set(T, x.limit(net))
		}
		x.pass(p, net, m.Informer, Seen{Phase: Electing, From: from, Best: m.Coordinator, Round: m.Round})
	}
}

// pass remembers a message of an informer and passes it on in the direction in
// which it came; or keeps it for a tick, to see what comes from the other side.
func (x *Protocol) pass(p *P, net *model.Net[M], informer model.ID, seen Seen) {
	if x.AtOnce && !seen.Held {
		seen.Held = true
		net.Set(T, 1)
		p.Seen.Set(informer, seen)
		return
	}
	seen.Held = false
	p.Seen.Set(informer, seen)
	m := M{Coordinator, informer, seen.Best, seen.Round}
	if seen.Phase == Electing {
		m = M{Election, informer, max(seen.Best, net.Self()), seen.Round}
	}
	net.Send(seen.From.Opposite(), m)
}

// follow handles Coordinator.
func (x *Protocol) follow(p *P, net *model.Net[M], from model.Port, m M) {
	if seen := p.Seen.At(m.Informer); seen.Phase == Announced && seen.Round == m.Round {
		net.Rule(second)
		seen.Held = false
		p.Seen.Set(m.Informer, seen)
		return
	}
	net.Rule(follows)
	p.Coordinator = m.Coordinator
	x.end(p, net, m)
	x.pass(p, net, m.Informer, Seen{Phase: Announced, From: from, Best: m.Coordinator, Round: m.Round})
}

// end is the end of an informer's election for the process.
func (x *Protocol) end(p *P, net *model.Net[M], m M) {
	p.Seen.Set(m.Informer, Seen{Phase: Announced, Round: m.Round})
	if x.Repaired && !engaged(p) {
		net.Stop(T)
	}
}

// engaged reports whether the process takes part in an election.
func engaged(p *P) bool {
	for id := range model.MaxID {
		if p.Seen.At(id+1).Phase == Electing {
			return true
		}
	}
	return false
}

// limit is T: Election goes round the ring at most once, and so does Coordinator.
func (x *Protocol) limit(net *model.Net[M]) int { return 2*net.N()*net.Bound() + 1 }

// Timeout is the end of T.
func (x *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	if x.AtOnce {
		for id := range model.ID(net.N()) {
			if seen := p.Seen.At(id + 1); seen.Held {
				x.pass(p, net, id+1, seen)
			}
		}
		return
	}
	net.Rule(retries)
	for id := range model.ID(net.N()) {
		if seen := p.Seen.At(id + 1); seen.Phase == Electing {
			p.Seen.Set(id+1, Seen{Phase: Announced, Round: seen.Round})
		}
	}
	x.begin(p, net)
}

// Settle makes the coordinator known to the process.
func (x *Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Coordinator = coordinator }

// Belief is the coordinator, and whether an election is under way.
func (x *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Coordinator, Participant: engaged(p)}
}

// Names returns the vocabulary of the source.
func (x *Protocol) Names() model.Names {
	n := model.Names{Kinds: []string{Election: "Election", Coordinator: "Coordinator"}, Rules: rules[:outdated]}
	if x.Repaired {
		n.Rules, n.Timers = rules, []model.TimerName{{Name: "T"}}
	}
	if x.AtOnce {
		n.Timers = []model.TimerName{{Name: "pass on"}}
	}
	return n
}

// Kind returns the kind of m.
func (x *Protocol) Kind(m M) int { return int(m.Kind) }

// Format returns m with its two sections, informer and coordinator:
// "Election(3,5)"; with the repair also the number of the informer's election.
func (x *Protocol) Format(m M) string {
	text := fmt.Sprintf("%s(%d,%d)", [...]string{"Election", "Coordinator"}[m.Kind], m.Informer, m.Coordinator)
	if m.Round > 0 {
		text += fmt.Sprintf(" of %d", m.Round)
	}
	return text
}
