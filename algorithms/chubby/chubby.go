// Package chubby is a lock of Chubby, by which its clients elect a primary.
//
// The process with the highest id is the cell. Its master is one process here, and a fail-over is a
// crash and a restart of it: the database is on disk, and the timers of leases are not. The others are
// clients that compete for one lock. A client has a session, whose lease the master extends before it
// answers a KeepAlive. A client that holds the lock leads while its own lease runs, which is shorter.
//
// Deviations: calls are retried after a time without an answer, and a KeepAlive that is retried
// acknowledges an event as a new one does. A client that begins anew has no session before its old one
// is over. A client tries to acquire the lock at each answer to a KeepAlive, and a call of TryAcquire
// that fails has no answer. A new master begins a lock-delay anew. There are neither shared locks nor
// files. Of two sessions of a client the number tells which is the later one, and no more: a third one
// is taken for the first, if that is still open.
//
// Source: M. Burrows, The Chubby lock service for loosely-coupled distributed systems, OSDI 2006;
// sections are named beside the rules.
package chubby

import (
	"fmt"

	"bullyproof/model"
)

// P is the state of the cell or of a client.
type P struct {
	// Of the cell. On disk are the client epoch number, which sessions are open, who holds the lock,
	// its generation, and whether the lock-delay runs. Observed is the generation of the last
	// sequencer that a server saw.
	Epoch      uint8
	Sessions   [most]Session
	Holder     model.ID
	Generation uint8
	Delayed    bool
	Observed   uint8

	// Of a client: its session, and how it stands to the lock. Mine is the generation of its
	// sequencer, and Seen the epoch that it knows.
	Odd   bool
	Seen  uint8
	Phase Phase
	Lock  Lock
	Mine  uint8
}

// most is the number of clients at most.
const most = 3

// A Session is that of a client in the database, with what a master knows of it: whether it blocks a
// KeepAlive, whether the lease is close to expiring, and how far the news of a fail-over is.
type Session struct {
	Open, Odd    bool
	Blocked, Due bool
	News         News
}

// News is how far the news of a fail-over is.
type News uint8

// The steps of the news.
const (
	Known News = iota
	Untold
	Told // and the next KeepAlive acknowledges it
)

// String returns the step's name.
func (n News) String() string { return [...]string{"known", "untold", "told"}[n] }

// Phase is how a client stands to its session.
type Phase uint8

// The phases of a client.
const (
	Opening Phase = iota
	Safe
	Jeopardy
)

// String returns the phase's name.
func (p Phase) String() string { return [...]string{"opening", "safe", "jeopardy"}[p] }

// Lock is what a client has of the lock.
type Lock uint8

// How a client stands to the lock.
const (
	Wanted Lock = iota
	Held
	Releasing
)

// String returns its name.
func (l Lock) String() string { return [...]string{"wanted", "held", "releasing"}[l] }

// The kinds of messages: calls, what the master answers, and a request to a server that is in the
// cell here.
const (
	Open model.Kind = iota
	KeepAlive
	TryAcquire
	Release
	Alive
	Expired
	Acquired
	Released
	WrongEpoch
	Request
)

// M is a message.
type M struct {
	Type       model.Kind
	Odd        bool // the session
	Epoch      uint8
	Generation uint8
	FailOver   bool // the event
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "Acquired(2) in epoch 1". An apostrophe is for every other session.
func (m M) String() string {
	text := kinds[m.Type]
	if m.Generation > 0 {
		text += fmt.Sprintf("(%d)", m.Generation)
	}
	if m.Odd {
		text += "'"
	}
	if m.FailOver {
		text += " with a fail-over event"
	}
	if m.Epoch > 0 {
		text += fmt.Sprintf(" in epoch %d", m.Epoch)
	}
	return text
}

// The timers: of clients, and the cell's.
const (
	retry model.Timer = iota // no answer to a call
	local                    // the local lease, and then the grace period
	delay                    // the lock-delay
	lease                    // of P1, and so on, until it is close to expiring, and then until it does
)

// A Chubby is the protocol of the cell and its clients. All times are in ticks.
type Chubby struct {
	model.Passive[P, M]
	// Lease is by how much a lease is extended, Margin by how much a client's is shorter, Hold for how
	// long a KeepAlive is blocked, and Retry when a call is retried.
	Lease, Margin, Hold, Retry int
	// Grace is the grace period, and Delay the lock-delay.
	Grace, Delay int
	// Forgets has a new master know of no lock-delay.
	Forgets bool
	// Releases has a holder release the lock when it has led for a while. Requests has it send a
	// request with its sequencer then, and Unchecked has the server serve whatever it gets.
	Releases, Requests, Unchecked bool
	// GoesOn has a client lead in jeopardy.
	GoesOn bool
	// Generations is how many generations are explored.
	Generations uint8
}

func cell(net *model.Net[M]) model.ID { return model.ID(net.N()) }

// Init has a client open a session, and a new master begin.
func (c *Chubby) Init(p *P, net *model.Net[M], why model.Boot) {
	switch {
	case net.Self() != cell(net):
		p.Odd = p.Odd || why != model.Restart
		c.open(p, net)
	case why == model.Restart:
		c.failOver(p, net)
	}
}

// Stable keeps the database of the cell, and the number of a client's session, which is new each
// time.
func (c *Chubby) Stable(p *P) {
	p.Seen, p.Phase, p.Lock, p.Mine = 0, Opening, Wanted, 0
	for i := range p.Sessions {
		p.Sessions[i] = Session{Open: p.Sessions[i].Open, Odd: p.Sessions[i].Odd}
	}
}

// Timeout is what time does.
func (c *Chubby) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t == retry:
		c.call(p, net)
	case t == local:
		c.doubt(p, net)
	case t == delay:
		net.Rule(free)
		p.Delayed = false
	default:
		c.expire(p, net, model.ID(t-lease)+1)
	}
}

// Receive is the master's side of calls, and the client's of answers.
func (c *Chubby) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if net.Self() == cell(net) {
		c.serve(p, net, from.ID(), m)
	} else {
		c.answer(p, net, m)
	}
}

// Beyond bounds the generations.
func (c *Chubby) Beyond(p *P) string {
	if c.Generations > 0 && p.Generation > c.Generations {
		return fmt.Sprintf("generation %d", p.Generation)
	}
	return ""
}

// Belief says who leads: a client that holds the lock, and is sure of its session.
func (c *Chubby) Belief(p *P) model.Belief {
	if p.Lock == Held && (p.Phase == Safe || c.GoesOn) {
		return model.Belief{Elected: model.Me, Epoch: uint64(p.Mine)}
	}
	return model.Belief{}
}
