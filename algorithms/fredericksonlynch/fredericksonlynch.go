// Package fredericksonlynch is the election of Frederickson and Lynch in a
// synchronous ring, in which identifiers travel at different speeds.
//
// Source: G. N. Frederickson, N. A. Lynch, "Electing a Leader in a Synchronous
// Ring", Journal of the ACM 34(1), 1987, by the rules as the literature tells them
// (N. A. Lynch, "Distributed Algorithms", 1996, section 3.5, as VariableSpeeds; H.
// Attiya, J. Welch, "Distributed Computing", 2004, section 3.4.1, with the wake-up).
//
// Assumes: a unidirectional ring in which time passes in rounds: a message that is
// sent in one round arrives in the next, and all clocks run alike. Identifiers are
// positive integers, and unique. No process fails, and no process knows N. All
// begin in the same round, except in the reading wake-up.
//
// Guarantees: safety, at most one process is elected, the one with the smallest
// identifier (wake-up: the smallest of those that woke up by themselves); liveness,
// one is elected, under fairness to every message and timer. Neither needs rounds.
// The number of messages does.
//
// Deviations: identifiers are those of the model, 1 to N, plus a number that a
// variant adds. The outcome is announced by a message leader, once round the ring,
// which is counted apart: in the textbooks the others learn of no outcome. A process
// stops a waiting token when a smaller identifier comes, so that it holds one token
// at most. A token also waits where it begins.
//
// Complexity: fewer than 2N tokens, and N messages to announce; N times 2 to the power of the
// smallest identifier rounds, and N to announce. With the wake-up up to 4N tokens.
package fredericksonlynch

import "bullyproof/model"

// P is the state of a process.
type P struct {
	Role   Role
	Least  model.ID // the smallest identifier that it has seen, its own among them if it is in the election
	Token  model.ID // the token that waits here, if one does
	Leader model.ID // the process that is known to be elected
}

// Role says whether a process is in the election.
type Role uint8

// The roles of a process.
const (
	Asleep       Role = iota // it has not begun
	Participates             // it has begun by itself
	Relays                   // a message reached it before it began
)

// String returns the role's name.
func (r Role) String() string { return [...]string{"asleep", "participant", "relay"}[r] }

// M is a message: token(3), wake-up(3) or leader(3).
type M struct {
	Type model.Kind
	ID   model.ID
}

// The kinds of messages.
const (
	Token  model.Kind = iota // an identifier, at the speed that it has
	Leader                   // announces the outcome
	WakeUp                   // an identifier that has met nobody yet who woke up by itself, at full speed
)

// Protocol is the algorithm. Its zero value has all processes begin in one round.
type Protocol struct {
	model.Passive[P, M] // no failures

	// WakeUp has processes begin in different rounds: an identifier travels one
	// link a round until it meets a process that has begun.
	WakeUp bool
	// Above is added to the id of each process to have its identifier.
	Above int
}

// wait is the timer of the token that waits at a process.
const wait model.Timer = 0

// rounds is how many rounds the token of a process takes for a link: two to the
// power of its identifier.
func (f *Protocol) rounds(id model.ID) int { return 1 << (int(id) + f.Above) }

// Wanted is the process with the smallest identifier.
func (f *Protocol) Wanted(live model.Set) model.ID { return live.Min() }

// Start: each process initiates a token that carries its identifier.
func (f *Protocol) Start(p *P, net *model.Net[M]) {
	self := net.Self()
	net.Rule(begins)
	*p = P{Role: Participates, Least: self}
	if f.WakeUp {
		net.Send(model.Next, M{WakeUp, self})
		return
	}
	f.hold(p, net, self)
}

// Receive handles a message by its kind.
func (f *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	if p.Role == Asleep {
		// A process that did not begin by itself has no identifier in the election.
		net.Rule(relays)
		p.Role = Relays
	}
	if m.Type == Leader {
		f.announced(p, net, m.ID)
		return
	}
	switch {
	case m.ID == net.Self():
		// The token is back with the process that initiated it, which is elected.
		net.Rule(own)
		*p = P{Role: p.Role, Least: p.Least, Leader: m.ID}
		net.Send(model.Next, M{Leader, m.ID})
	case p.Least != model.None && p.Least < m.ID:
		// A process knows the smallest identifier that it has seen, and discards
		// a token that carries a larger one.
		net.Rule(discards)
	case m.Type == WakeUp && p.Role == Relays:
		net.Rule(hurries)
		f.stop(p, net)
		p.Least = m.ID
		net.Send(model.Next, m)
	default:
		// A token of identifier v takes 2^v rounds for each link.
		net.Rule(waits)
		f.stop(p, net)
		p.Least = m.ID
		f.hold(p, net, m.ID)
	}
}

// hold has a token wait: it arrives at the next process 2^v rounds from now, the last
// of them on its way.
func (f *Protocol) hold(p *P, net *model.Net[M], token model.ID) {
	p.Token = token
	net.SetTimer(wait, f.rounds(token)-1)
}

// stop discards the token that waits, which is larger than the one that has come.
func (*Protocol) stop(p *P, net *model.Net[M]) {
	if p.Token != model.None {
		net.Rule(overtakes)
		p.Token = model.None
		net.StopTimer(wait)
	}
}

// Timeout sends the token that has waited.
func (f *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	net.Rule(sends)
	net.Send(model.Next, M{Token, p.Token})
	p.Token = model.None
}

// announced: the outcome goes once round the ring.
func (f *Protocol) announced(p *P, net *model.Net[M], leader model.ID) {
	if leader == net.Self() {
		net.Rule(home)
		return
	}
	net.Rule(learns)
	p.Leader = leader
	net.Send(model.Next, M{Leader, leader})
}

// Belief: a process is in the election from when it begins until it knows who is
// elected. A relay is not.
func (f *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Leader, Participant: p.Role == Participates && p.Leader == model.None}
}
