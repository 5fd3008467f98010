// Package consul is the election of Consul's clients: a lock on a key, which is held by a session.
//
// The process with the highest id is Consul, a store that is up. The others are its clients. A client
// creates a session, acquires the key with it, and renews the session before its TTL expires. It leads
// while it has the key. A session is invalidated when its TTL expires, and when a health check says
// that its client is gone (a report of the failure detector, which may be wrong). The key is free then,
// but nobody acquires it for the lock-delay, in which the old leader may learn of it.
//
// A client that waits asks for the key again and again, where the guide has it watch the key. It takes
// its session to be over when it has heard no answer to a renewal for as long as the TTL.
//
// Source: Consul documentation, Sessions and distributed locks overview, and Application leader
// election.
package consul

import (
	"fmt"

	"bullyproof/model"
)

// most is the number of clients at most.
const most = 3

// A Session is one of a client: its sessions are numbered by turns.
type Session struct {
	Client model.ID
	Other  bool
}

// P is the state of Consul or of a client.
type P struct {
	// Live are the sessions of each client, Holder is that which has the key, and Index is the
	// LockIndex of the key.
	Live   [most][2]bool
	Holder Session
	Index  uint8

	// Other is the number of a client's session, Phase what it does, and Mine the LockIndex by
	// which it leads.
	Other bool
	Phase Phase
	Mine  uint8
}

// Phase is what a client does.
type Phase uint8

// The phases of a client.
const (
	Creates Phase = iota // it waits for a session
	Waits                // for the key
	Leads
)

// String returns the phase's name.
func (p Phase) String() string { return [...]string{"creates", "waits", "leads"}[p] }

// The kinds of messages: requests, and what Consul says.
const (
	Create   model.Kind = iota // session/create
	Renew                      // session/renew
	Acquire                    // kv?acquire
	Created                    // the session is there
	Renewed                    // its TTL begins anew
	Acquired                   // true
	Refused                    // false
	Invalid                    // there is no such session
)

// M is a message.
type M struct {
	Type  model.Kind
	Other bool
	Index uint8
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "acquired(2)". An apostrophe is for every other session.
func (m M) String() string {
	text := kinds[m.Type]
	if m.Index > 0 {
		text += fmt.Sprintf("(%d)", m.Index)
	}
	if m.Other {
		text += "'"
	}
	return text
}

// The timers: of clients, and Consul's, two TTLs for each client.
const (
	renew model.Timer = iota
	over              // the session, by the client's clock
	delay             // lock-delay
	ttl               // of P1, and so on
)

func at(other bool) int {
	if other {
		return 1
	}
	return 0
}

// ttlOf is the timer of a session.
func ttlOf(s Session) model.Timer { return ttl + 2*model.Timer(s.Client-1) + model.Timer(at(s.Other)) }

var (
	rules model.Rules

	creates    = rules.Add("create a session")
	renews     = rules.Add("renew the session")
	acquires   = rules.Add("acquire the key")
	done       = rules.Add("the session is over")
	leads      = rules.Add("the key is acquired: lead")
	acquired   = rules.Add("no lock holder: LockIndex is incremented")
	held       = rules.Add("there is a lock holder")
	tooEarly   = rules.Add("lock-delay")
	expires    = rules.Add("TTL expires")
	critical   = rules.Add("a health check goes to the critical state")
	invalidate = rules.Add("the session of the lock is invalidated")
)

// Consul is the protocol of Consul and its clients.
type Consul struct {
	model.Passive[P, M]
	// TTL is that of sessions, in ticks, 4 or more; 0 is none.
	TTL int
	// Delay is the lock-delay, in ticks.
	Delay int
	// Checks: a session has the health check of its client's node.
	Checks bool
	// Indexes is how many acquisitions are explored.
	Indexes uint8
}

func store(net *model.Net[M]) model.ID { return model.ID(net.N()) }

// Init has a client create a session.
func (c *Consul) Init(p *P, net *model.Net[M], _ model.Boot) {
	if net.Self() != store(net) {
		c.create(p, net)
	}
}

// Stable keeps the number of a client's session, since no two have one id.
func (c *Consul) Stable(p *P) { p.Phase, p.Mine = Creates, 0 }

// create has a client begin anew, with another session.
func (c *Consul) create(p *P, net *model.Net[M]) {
	net.Rule(creates)
	*p = P{Other: !p.Other}
	net.SendTo(store(net), M{Type: Create, Other: p.Other})
	net.SetTimer(over, 4*net.Bound())
}

// Timeout is what time does.
func (c *Consul) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case renew:
		c.ask(p, net)
	case over:
		c.over(p, net)
	case delay: // the key can be acquired
	default:
		net.Rule(expires)
		c.invalidate(p, net, Session{model.ID(t-ttl)/2 + 1, (t-ttl)%2 == 1})
	}
}

// ask renews the session, and asks for the key for which the client waits.
func (c *Consul) ask(p *P, net *model.Net[M]) {
	if c.TTL > 0 {
		net.Rule(renews)
		net.SendTo(store(net), M{Type: Renew, Other: p.Other})
	}
	if p.Phase == Waits {
		net.Rule(acquires)
		net.SendTo(store(net), M{Type: Acquire, Other: p.Other})
	}
	if c.TTL > 0 || p.Phase == Waits {
		net.SetTimer(renew, 2*net.Bound()+1)
	}
}

// over is what a client does whose session is over.
func (c *Consul) over(p *P, net *model.Net[M]) {
	net.Rule(done)
	net.StopTimer(renew)
	c.create(p, net)
}

// trust has a client trust its session from now on for as long as the TTL.
func (c *Consul) trust(net *model.Net[M]) {
	if c.TTL > 0 {
		net.SetTimer(over, c.TTL)
	} else {
		net.StopTimer(over)
	}
}

// Receive is Consul's side of requests, and the client's of answers.
func (c *Consul) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if net.Self() == store(net) {
		c.serve(p, net, Session{from.ID(), m.Other}, m)
		return
	}
	if m.Other != p.Other {
		return // of a session that is over
	}
	switch m.Type {
	case Created:
		if p.Phase == Creates {
			p.Phase = Waits
			c.trust(net)
			c.ask(p, net)
		}
	case Renewed:
		c.trust(net)
	case Acquired:
		net.Rule(leads)
		p.Phase, p.Mine = Leads, m.Index
	case Invalid:
		c.over(p, net)
	}
}

// serve is what Consul does.
func (c *Consul) serve(p *P, net *model.Net[M], s Session, m M) {
	live := &p.Live[s.Client-1][at(s.Other)]
	answer := M{Type: Invalid, Other: m.Other}
	switch {
	case m.Type == Create:
		c.invalidate(p, net, s) // that before the last one
		*live = true
		c.extend(net, s)
		answer.Type = Created
	case !*live:
	case m.Type == Renew:
		c.extend(net, s)
		answer.Type = Renewed
	default:
		answer.Type, answer.Index = c.acquire(p, net, s)
	}
	net.Reply(answer)
}

// extend begins the TTL of a session anew.
func (c *Consul) extend(net *model.Net[M], s Session) {
	if c.TTL > 0 {
		net.SetTimer(ttlOf(s), c.TTL)
	}
}

// acquire returns the answer to a request for the key.
func (c *Consul) acquire(p *P, net *model.Net[M], s Session) (answer model.Kind, index uint8) {
	switch {
	case p.Holder == s: // "LockIndex is not incremented"
		return Acquired, p.Index
	case p.Holder != Session{}:
		net.Rule(held)
		return Refused, 0
	case net.IsSet(delay):
		net.Rule(tooEarly)
		return Refused, 0
	}
	net.Rule(acquired)
	p.Holder = s
	p.Index++
	return Acquired, p.Index
}

// invalidate ends a session. The key that it holds is released.
func (c *Consul) invalidate(p *P, net *model.Net[M], s Session) {
	p.Live[s.Client-1][at(s.Other)] = false
	net.StopTimer(ttlOf(s))
	if p.Holder != s {
		return
	}
	net.Rule(invalidate)
	p.Holder = Session{}
	if c.Delay > 0 {
		net.SetTimer(delay, c.Delay)
	}
}

// Suspect is a health check that goes to the critical state.
func (c *Consul) Suspect(p *P, net *model.Net[M], who model.ID) {
	net.Rule(critical)
	c.invalidate(p, net, Session{who, false})
	c.invalidate(p, net, Session{who, true})
}

// Watches are the clients with a session, where sessions have health checks.
func (c *Consul) Watches(p *P, _ model.ID) (clients model.Set) {
	for i, live := range p.Live {
		if c.Checks && live != [2]bool{} {
			clients = clients.With(model.ID(i + 1))
		}
	}
	return clients
}

// Belief says that a client leads, by which LockIndex.
func (c *Consul) Belief(p *P) model.Belief {
	if p.Phase != Leads {
		return model.Belief{}
	}
	return model.Belief{Elected: model.Me, Epoch: uint64(p.Mine)}
}

// Beyond bounds the acquisitions.
func (c *Consul) Beyond(p *P) string {
	if p.Index <= c.Indexes {
		return ""
	}
	return fmt.Sprintf("LockIndex %d", p.Index)
}

// Role is "Consul" or "client".
func (c *Consul) Role(id model.ID, n int) string {
	if int(id) == n {
		return "Consul"
	}
	return "client"
}
