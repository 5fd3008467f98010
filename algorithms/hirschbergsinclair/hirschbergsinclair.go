// Package hirschbergsinclair is the bidirectional election algorithm of
// Hirschberg and Sinclair.
//
// Source: D. S. Hirschberg, J. B. Sinclair, "Decentralized extrema-finding in
// circular configurations of processors", Communications of the ACM 23(11),
// 1980, by the rules as the literature tells them (H. Attiya, J. Welch,
// "Distributed Computing", 2004, section 3.3.2; N. A. Lynch, "Distributed
// Algorithms", 1996, section 3.4).
//
// Assumes: a bidirectional ring, asynchronous, reliable, no failures; ids are
// unique and can be compared. Nobody knows N. Channels need not be FIFO: every
// message says which phase it belongs to.
//
// Guarantees: one process is elected, the one with the greatest id, and it is
// elected for good; everybody learns of it, under fairness to every message.
//
// Deviations: the outcome is announced by a message elected, once round the
// ring, which is counted apart. A process that a message reaches before it begins
// takes part from then on (textbook, echoes); a reading in which it does not is
// bystanders.
//
// Complexity: at most 8N + 8 ceil(N lg N) messages, and N to announce; no
// timeouts.
package hirschbergsinclair

import "bullyproof/model"

// P is the state of a process.
type P struct {
	Mode    Mode
	Phase   uint8    // probes go 2^Phase links far
	Replies uint8    // replies that came in this phase, 0 to 2
	Refused bool     // one of them was a refusal (echoes)
	Elected model.ID // the process that is known to be elected
}

// Mode is where a process stands.
type Mode uint8

// The modes of a process.
const (
	Asleep    Mode = iota // has not begun
	Candidate             // sends probes, phase after phase
	Lost                  // sends no more probes
	Won                   // is elected
)

// String returns the mode's name.
func (m Mode) String() string {
	return [...]string{"asleep", "candidate", "lost", "elected"}[m]
}

// M is a message. A probe carries the id of a candidate, the phase, and how many
// links it has come; replies carry the id and the phase.
type M struct {
	Type  model.Kind
	ID    model.ID
	Phase uint8
	Hop   uint8
}

// The kinds of messages.
const (
	Probe   model.Kind = iota
	Reply              // the probe went as far as it was to go
	Elected            // announces the outcome
	No                 // the probe met a greater id (echoes)
)

// Protocol is the algorithm. Its zero value is the textbooks' reading.
type Protocol struct {
	model.Passive[P, M] // no failures, no timeouts

	// Echoes has a process answer the probe of a smaller id with no, and drop out
	// of the election where it sees a greater id or is told no.
	Echoes bool
	// Bystanders has processes that do not begin by themselves judge probes and
	// send none.
	Bystanders bool
}

// Start: a candidate probes both ways, one link far at first.
func (c *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Mode != Asleep {
		return
	}
	net.Rule(begins)
	p.Mode = Candidate
	probe(p, net)
}

func probe(p *P, net *model.Net[M]) {
	m := M{Type: Probe, ID: net.Self(), Phase: p.Phase, Hop: 1}
	net.Send(model.Prev, m)
	net.Send(model.Next, m)
}

// Receive handles a message by its kind.
func (c *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Elected {
		c.elected(p, net, m.ID)
		return
	}
	if !c.Bystanders {
		c.Start(p, net) // if it is still asleep
	}
	switch {
	case m.Type == Probe:
		c.probed(p, net, from, m)
	case m.ID != net.Self():
		net.Rule(pass)
		net.Send(from.Opposite(), m)
	default:
		c.replied(p, net, m)
	}
}

// probed: the probe of a smaller id goes no further; that of a greater one goes
// as far as it is to go, 2^phase links, and is then answered; one's own has been
// all round the ring.
func (c *Protocol) probed(p *P, net *model.Net[M], from model.Port, m M) {
	self := net.Self()
	if c.Echoes && m.ID > self && p.Mode == Candidate {
		p.Mode = Lost // "status := lost"
	}
	switch {
	case m.ID < self && c.Echoes:
		net.Rule(stop)
		net.Reply(M{Type: No, ID: m.ID, Phase: m.Phase})
	case m.ID < self:
		net.Rule(stop)
	case m.ID > self && m.Hop < 1<<m.Phase:
		net.Rule(forward)
		m.Hop++
		net.Send(from.Opposite(), m)
	case m.ID > self:
		net.Rule(turn)
		net.Reply(M{Type: Reply, ID: m.ID, Phase: m.Phase})
	case p.Mode == Won:
		net.Rule(late) // it comes home from either side
	default:
		net.Rule(own)
		*p = P{Mode: Won, Elected: self}
		net.Send(model.Next, M{Type: Elected, ID: self})
	}
}

// replied: two replies end a phase. The textbooks' candidate that met a greater
// id gets less than two, and waits until it hears who is elected.
func (c *Protocol) replied(p *P, net *model.Net[M], m M) {
	if p.Elected != model.None {
		net.Rule(late)
		return
	}
	p.Replies++
	p.Refused = p.Refused || m.Type == No
	switch {
	case p.Replies < 2:
		net.Rule(wait)
	case p.Refused || p.Mode == Lost:
		net.Rule(lost)
		*p = P{Mode: Lost}
	default:
		net.Rule(next)
		*p = P{Mode: Candidate, Phase: p.Phase + 1}
		probe(p, net)
	}
}

// elected: the outcome goes once round the ring.
func (c *Protocol) elected(p *P, net *model.Net[M], winner model.ID) {
	if winner == net.Self() {
		net.Rule(home)
		return
	}
	net.Rule(announced)
	*p = P{Mode: Lost, Elected: winner}
	net.Send(model.Next, M{Type: Elected, ID: winner})
}

// Belief: a process takes part from when it begins until it knows who is elected.
func (c *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Mode != Asleep && p.Elected == model.None}
}
