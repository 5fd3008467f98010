// Package peterson is the unidirectional election algorithm of Peterson.
//
// Source: G. L. Peterson, "An O(n log n) unidirectional algorithm for the
// circular extrema problem", ACM Transactions on Programming Languages and
// Systems 4(4), 1982: the first of its two algorithms, by the rules as the
// literature tells them (N. A. Lynch, "Distributed Algorithms", 1996, section
// 15.1.3, has the same).
//
// Assumes: a unidirectional ring, asynchronous, reliable, no failures; channels
// are FIFO; ids are unique and can be compared. Nobody knows N.
//
// Guarantees: one process is elected, the one with the greatest id, and it is
// elected for good; everybody learns of it, under fairness to every message.
//
// Deviations: the paper leaves open how the outcome is announced: here by one
// more message, elected, once round the ring, which is counted apart. A process
// that a message reaches before it begins takes part from then on (wakes); in
// the other reading it is a relay. A process that has learned of the outcome is
// a relay, and one that is elected takes whatever still arrives out of the
// ring.
//
// Complexity: at most 2N floor(log2 N) + N messages, and N to announce; no
// timeouts.
package peterson

import "bullyproof/model"

// P is the state of a process.
type P struct {
	Mode    Mode
	Second  bool     // an active process that has received ntid, and waits for nntid
	TID     model.ID // tid, the temporary id that an active process speaks for
	NTID    model.ID // ntid, that of its active neighbour upstream
	Elected model.ID // the process that is known to be elected
}

// Mode is what a process does with messages.
type Mode uint8

// The modes of a process.
const (
	Asleep Mode = iota // has not begun
	Active             // speaks for a temporary id
	Relay              // passes messages on
	Won                // is elected
)

// String returns the mode's name.
func (m Mode) String() string {
	return [...]string{"asleep", "active", "relay", "elected"}[m]
}

// M is a message: an id.
type M struct {
	Type model.Kind
	ID   model.ID
}

// The kinds of messages.
const (
	Value   model.Kind = iota // send(tid), and send(max(tid, ntid))
	Elected                   // announces the outcome
)

// Protocol is the algorithm. Its zero value is the reading in which everybody
// takes part.
type Protocol struct {
	model.Passive[P, M] // no failures, no timeouts

	// Relays makes a process that a message reaches before it begins a relay:
	// only those take part that begin by themselves.
	Relays bool
}

// Start: "tid := initial value; send(tid)".
func (c *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Mode != Asleep {
		return
	}
	net.Rule(begins)
	p.Mode = Active
	p.TID = net.Self()
	net.Send(model.Next, M{Value, p.TID})
}

// Receive is one "receive" of the program, whichever it is that the process has
// come to.
func (c *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	if m.Type == Elected {
		c.elected(p, net, m.ID)
		return
	}
	if p.Mode == Asleep && c.Relays {
		p.Mode = Relay
	}
	c.Start(p, net) // if it is still asleep
	switch {
	case p.Mode == Won:
		net.Rule(late)
	case m.ID == net.Self():
		// "if ntid = initial value then announce elected": the same after each
		// of the three receives.
		net.Rule(own)
		*p = P{Mode: Won, Elected: net.Self()}
		net.Send(model.Next, M{Elected, net.Self()})
	case p.Mode == Relay:
		// "receive(tid); send(tid)".
		net.Rule(relays)
		net.Send(model.Next, m)
	case !p.Second:
		// "receive(ntid); if tid > ntid then send(tid) else send(ntid)".
		net.Rule(first)
		p.Second, p.NTID = true, m.ID
		net.Send(model.Next, M{Value, max(p.TID, p.NTID)})
	default:
		net.Rule(second)
		c.decide(p, net, m.ID)
	}
}

// decide: "receive(nntid); if ntid >= max(tid, nntid) then tid := ntid else
// goto relay". The phase is over, and the next begins with send(tid).
func (c *Protocol) decide(p *P, net *model.Net[M], nntid model.ID) {
	if p.NTID >= max(p.TID, nntid) {
		net.Rule(survives)
		*p = P{Mode: Active, TID: p.NTID}
		net.Send(model.Next, M{Value, p.TID})
		return
	}
	net.Rule(gives)
	*p = P{Mode: Relay}
}

// elected: the outcome goes once round the ring.
func (c *Protocol) elected(p *P, net *model.Net[M], winner model.ID) {
	if winner == net.Self() {
		net.Rule(home)
		return
	}
	net.Rule(announced)
	*p = P{Mode: Relay, Elected: winner}
	net.Send(model.Next, M{Elected, winner})
}

// Belief: a process takes part from when it begins, or relays, until it knows
// who is elected.
func (c *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Mode != Asleep && p.Elected == model.None}
}
