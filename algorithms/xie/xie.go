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
// Guarantees, as in the source: faster than the Ring algorithm, by as many
// messages; no fault tolerance.
//
// Deviations: the source has three sentences on it. It is "similar to ours in
// the point of view of sending election messages simultaneously by processes
// which find coordinator crash out to their successor and predecessor"; "it
// inherits the disadvantage of Ring algorithm" that each of several has an
// election of its own; "it doesn't care about coordinator failure tolerance".
// The rest is FCEABR's Election and Coordinator messages (sections IV and V)
// without a surrogate and without a rule that stops anybody's message. The announcement carries the
// informer whose election it ends, and ends what a process knows of that one.
//
// Complexity: 2N messages or a few more for each that begins; no timeouts.
package xie

import "bullyproof/model"

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
	Held  bool       // that message has yet to be passed on
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

// String returns the phase's name.
func (p Phase) String() string { return [...]string{"unknown", "electing", "announced"}[p] }

// M is a message, in the "two sections format" (IV): "Coordinator and informer
// numbers are placed in the message".
type M struct {
	Type                  model.Kind
	Informer, Coordinator model.ID
	Round                 uint8 // the repair's
}

// The kinds of messages.
const (
	Election    model.Kind = iota // collects the greatest number
	Coordinator                   // announces it
)

// The rules.
var (
	rules model.Rules

	begins   = rules.Add("1: the coordinator has crashed: send Election to the successor and the predecessor")
	passes   = rules.Add("2: an Election message: put in one's own number if it is greater, pass it on in the same direction")
	meets    = rules.Add("3: an informer's Election from both sides: send Coordinator both ways")
	follows  = rules.Add("4: a Coordinator message: learn who is elected, pass it on")
	second   = rules.Add("5: the second Coordinator message of an election: stop it")
	home     = rules.Add("6: one's own Election has gone all around: do not pass it on")
	outdated = rules.Add("repair: a message of an election that is over: stop it")
	retries  = rules.Add("repair: an election does not end: forget it and begin one")
)

// Protocol is the algorithm, which handles what arrives from both sides at the same
// moment in one step: a process keeps a message for a tick before it passes it on.
// Another reading is in readings.go, the repair in repaired.go.
type Protocol struct {
	model.Passive[P, M]

	other steps // those of another reading; nil: the methods below
}

// steps are those that another reading takes otherwise.
type steps interface {
	pass(p *P, net *model.Net[M], informer model.ID, seen Seen)
}

// steps returns those of the reading.
func (x *Protocol) steps() steps {
	if x.other != nil {
		return x.other
	}
	return x
}

// keep is the timer of the tick for which messages are kept.
const keep model.Timer = 0

// Start begins an election.
func (x *Protocol) Start(p *P, net *model.Net[M]) { x.begin(p, net) }

// Suspect: the process finds out that the coordinator has crashed.
func (x *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Coordinator {
		x.begin(p, net)
	}
}

// begin, II: "sending election messages simultaneously by processes which find
// coordinator crash out to their successor and predecessor". V.1: it "puts its
// number in informer section and coordinator message's sections".
func (x *Protocol) begin(p *P, net *model.Net[M]) {
	net.Rule(begins)
	self := net.Self()
	m := M{Election, self, self, p.Seen.At(self).Round}
	p.Coordinator = model.None
	p.Seen.Set(self, Seen{Phase: Electing, Best: self, Round: m.Round})
	net.Send(model.Next, m)
	net.Send(model.Prev, m)
}

// Receive handles Election and Coordinator. II: "It inherits the disadvantage of
// Ring algorithm": each informer's messages are an election of their own.
func (x *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch seen := p.Seen.At(m.Informer); {
	case m.Type == Coordinator:
		x.follow(p, net, from, m)
	case seen.Phase == Electing && seen.From != 0:
		// V.2: a process that receives "Election messages (which have the same
		// informer number) from its two sides".
		if seen.From != from {
			x.announce(p, net, m)
		}
	case m.Informer == net.Self():
		// V: it "has gone all around the network".
		net.Rule(home)
		if seen.Phase == Electing {
			p.Seen.Set(m.Informer, Seen{Phase: Electing, From: from, Best: m.Coordinator, Round: m.Round})
		}
	default:
		net.Rule(passes)
		x.steps().pass(p, net, m.Informer, Seen{Phase: Electing, From: from, Best: m.Coordinator, Round: m.Round})
	}
}

// pass remembers a message of an informer, and keeps it for a tick to see what comes
// from the other side.
func (x *Protocol) pass(p *P, net *model.Net[M], informer model.ID, seen Seen) {
	seen.Held = true
	p.Seen.Set(informer, seen)
	net.SetTimer(keep, 1)
}

// Timeout is the end of the tick.
func (x *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	for id := range model.ID(net.N()) {
		if seen := p.Seen.At(id + 1); seen.Held {
			x.passOn(p, net, id+1, seen)
		}
	}
}

// passOn passes a message on "in the same direction it received" (V.3). IV: "If process
// number be larger than coordinator's number, it'll be placed in coordinator number
// section."
func (x *Protocol) passOn(p *P, net *model.Net[M], informer model.ID, seen Seen) {
	seen.Held = false
	p.Seen.Set(informer, seen)
	m := M{Coordinator, informer, seen.Best, seen.Round}
	if seen.Phase == Electing {
		m = M{Election, informer, max(seen.Best, net.Self()), seen.Round}
	}
	net.Send(seen.From.Opposite(), m)
}

// announce, V.2: "it doesn't allow the messages to throw again in the network.
// Next it compares the two messages coordinators ..., and then it selects greater
// ones as coordinator ... After, this process creates a message, labels it as
// Coordinator message, ... throws this message into the network."
func (x *Protocol) announce(p *P, net *model.Net[M], m M) {
	net.Rule(meets)
	p.Coordinator = max(m.Coordinator, p.Seen.At(m.Informer).Best, net.Self())
	p.Seen.Set(m.Informer, Seen{Phase: Announced, Round: m.Round})
	out := M{Coordinator, m.Informer, p.Coordinator, m.Round}
	net.Send(model.Next, out)
	net.Send(model.Prev, out)
}

// follow handles Coordinator. IV: "if a process receives two Coordinator ...
// message, it'll stop one of them."
func (x *Protocol) follow(p *P, net *model.Net[M], from model.Port, m M) {
	if seen := p.Seen.At(m.Informer); seen.Phase == Announced {
		net.Rule(second)
		seen.Held = false
		p.Seen.Set(m.Informer, seen)
		return
	}
	net.Rule(follows)
	p.Coordinator = m.Coordinator
	p.Seen.Set(m.Informer, Seen{Phase: Announced, Round: m.Round})
	x.steps().pass(p, net, m.Informer, Seen{Phase: Announced, From: from, Best: m.Coordinator, Round: m.Round})
}

// engaged reports whether the process is in an election.
func engaged(p *P) bool {
	for id := range model.MaxID {
		if p.Seen.At(id+1).Phase == Electing {
			return true
		}
	}
	return false
}

// Settle makes the coordinator known to the process.
func (x *Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Coordinator = coordinator }

// Belief is the coordinator, and whether an election is under way.
func (x *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Coordinator, Participant: engaged(p)}
}
