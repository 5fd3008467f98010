// Package advisorylock is an election by a lock of a database session: the client whose session
// holds an advisory lock of PostgreSQL leads. It is the election that most people write who have a
// database.
//
// The process with the highest id is the database. The others are its clients, each with a
// connection, which is a session there. A client tries to take the lock at each poll, and leads when
// it is granted. The lock goes with its session: when the client closes the connection, when
// the database learns that the client is gone (a report of the failure detector stands for a
// connection that is reset or whose keepalive is not answered), and when the database restarts.
//
// Source: PostgreSQL 17 documentation, section 13.3.5, Advisory Locks, and programs of public reports:
// JasperFx/wolverine 2602 and 2607, GreptimeTeam/greptimedb 7670, skypilot-org/skypilot 10347, heymrun/heym
// 436, and those that incidents.go names.
package advisorylock

import "bullyproof/model"

// most is the number of clients at most.
const most = 3

// A Session is one of a client: its connections are numbered by turns.
type Session struct {
	Client model.ID
	Other  bool
}

// P is the state of the database or of a client.
type P struct {
	// Open are the sessions of each client, and Holder is that which has the lock. Times is how often
	// it has taken it, and 2 is more often also. The database forgets all of it in a crash.
	Open   [most]Connections
	Holder Session
	Times  uint8

	// Pool are the connections of a client that it takes to be open, and Other says which of
	// them it uses. Asks says that it waits for an answer on it, and Leads that it has the lock.
	Pool  Connections
	Other bool
	Asks  bool
	Leads bool
	// Stopped is set of a client that was asked to stop (Unlocking). It tries no more.
	Stopped bool
}

// Connections says which of two are open, the first and the other.
type Connections [2]bool

// at returns the place of a connection.
func at(other bool) int {
	if other {
		return 1
	}
	return 0
}

// The kinds of messages: statements and the end of a connection, and what the database says.
const (
	Try     model.Kind = iota // SELECT pg_try_advisory_lock(k)
	Ping                      // SELECT 1
	Close                     // the client closes the connection
	Unlock                    // SELECT pg_advisory_unlock(k), whose answer nobody reads
	Granted                   // true
	Refused                   // false
	Pong                      // 1
	Broken                    // there is no such session
)

// M is a message on a connection.
type M struct {
	Type model.Kind
	// New opens the connection first, and Only says that the client has no other: one before
	// that is left over is reset.
	New, Only bool
	Other     bool
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "try on its only connection". An apostrophe is for the other connection.
func (m M) String() string {
	text := kinds[m.Type]
	if m.Other {
		text += "'"
	}
	switch {
	case m.Only:
		text += " on its only connection"
	case m.New:
		text += " on a new connection"
	}
	return text
}

// The timers of a client.
const (
	poll   model.Timer = iota
	answer             // to a statement
)

var (
	rules model.Rules

	tries    = rules.Add("pg_try_advisory_lock")
	trusts   = rules.Add("the flag says that it has the lock")
	asks     = rules.Add("ask the connection that has the lock")
	gaveUp   = rules.Add("no answer in time")
	lost     = rules.Add("the connection is broken")
	granted  = rules.Add("the lock is free, or the session has it")
	refused  = rules.Add("another session has the lock")
	unknown  = rules.Add("the session is over")
	released = rules.Add("the lock goes with its session")
	unlocked = rules.Add("pg_advisory_unlock, as often as it was taken")
)

// A Lock is the protocol of the database and its clients.
type Lock struct {
	model.Passive[P, M]
	// Pings: a client that leads asks its connection at each poll (wolverine 2607).
	Pings bool
	// Pools: a client that gives up a statement puts the connection back into its pool, and goes
	// on with the other one (greptimedb 7670).
	Pools bool
}

func database(net *model.Net[M]) model.ID { return model.ID(net.N()) }

// limit is how long a client waits for an answer: a round trip.
func limit(net *model.Net[M]) int { return 2 * net.Bound() }

// Init has a client poll.
func (l *Lock) Init(p *P, net *model.Net[M], _ model.Boot) {
	if net.Self() != database(net) {
		net.SetTimer(poll, 1)
	}
}

// Timeout is what a client does.
func (l *Lock) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t == answer:
		net.Rule(gaveUp)
		l.giveUp(p, net)
		return
	case p.Leads && !l.Pings:
		net.Rule(trusts)
	case p.Leads:
		net.Rule(asks)
		l.ask(p, net, Ping)
	default:
		net.Rule(tries)
		l.ask(p, net, Try)
	}
	net.SetTimer(poll, limit(net)+1)
}

// ask sends a statement on the connection, which it opens where that is not done.
func (l *Lock) ask(p *P, net *model.Net[M], what model.Kind) {
	opens := !p.Pool[at(p.Other)]
	net.SendTo(database(net), M{Type: what, New: opens, Only: p.Pool == Connections{}, Other: p.Other})
	net.SetTimer(answer, limit(net))
	p.Pool[at(p.Other)], p.Asks = true, true
}

// giveUp ends a statement that is not answered in time, and what depends on it.
func (l *Lock) giveUp(p *P, net *model.Net[M]) {
	if !l.Pools {
		net.SendTo(database(net), M{Type: Close, Other: p.Other})
		p.Pool[at(p.Other)] = false
	}
	p.Other, p.Asks, p.Leads = !p.Other, false, false
}

// Receive is the database's side of statements, and the client's of answers.
func (l *Lock) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if net.Self() == database(net) {
		l.serve(p, net, Session{from.ID(), m.Other}, m)
		return
	}
	if !p.Asks || m.Other != p.Other {
		return
	}
	p.Asks = false
	net.StopTimer(answer)
	switch m.Type {
	case Granted:
		p.Leads = true
	case Broken:
		net.Rule(lost)
		p.Pool[at(p.Other)], p.Leads = false, false
	}
}

// serve is what the database does with what comes on a connection.
func (l *Lock) serve(p *P, net *model.Net[M], s Session, m M) {
	open := &p.Open[s.Client-1][at(s.Other)]
	if m.Only {
		l.reset(p, net, s.Client)
	}
	*open = *open || m.New
	answer := M{Other: m.Other}
	switch {
	case m.Type == Close:
		l.end(p, net, s)
		return
	case m.Type == Unlock:
		l.unlock(p, net, s)
		return
	case !*open:
		net.Rule(unknown)
		answer.Type = Broken
	case m.Type == Ping:
		answer.Type = Pong
	case p.Holder == Session{} || p.Holder == s:
		net.Rule(granted)
		p.Holder, p.Times, answer.Type = s, min(p.Times+1, 2), Granted
	default:
		net.Rule(refused)
		answer.Type = Refused
	}
	net.Reply(answer)
}

// unlock takes one of the times back for which a session has the lock.
func (l *Lock) unlock(p *P, net *model.Net[M], s Session) {
	if p.Holder != s {
		return
	}
	if p.Times--; p.Times == 0 {
		net.Rule(unlocked)
		p.Holder = Session{}
	}
}

// Suspect is how the database learns that the connections of a client are reset.
func (l *Lock) Suspect(p *P, net *model.Net[M], who model.ID) { l.reset(p, net, who) }

// reset ends all sessions of a client.
func (l *Lock) reset(p *P, net *model.Net[M], client model.ID) {
	l.end(p, net, Session{client, false})
	l.end(p, net, Session{client, true})
}

// end ends a session, and releases the lock of it.
func (l *Lock) end(p *P, net *model.Net[M], s Session) {
	p.Open[s.Client-1][at(s.Other)] = false
	if p.Holder == s {
		net.Rule(released)
		p.Holder, p.Times = Session{}, 0
	}
}

// Watches has the database learn of the clients that have a session.
func (l *Lock) Watches(p *P, _ model.ID) (clients model.Set) {
	for i, c := range p.Open {
		if c[0] || c[1] {
			clients = clients.With(model.ID(i + 1))
		}
	}
	return clients
}

// Belief says whether a client believes that it has the lock.
func (l *Lock) Belief(p *P) model.Belief {
	if p.Leads {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}

// Role is "database" or "client".
func (l *Lock) Role(id model.ID, n int) string {
	if int(id) == n {
		return "database"
	}
	return "client"
}
