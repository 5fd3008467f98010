// Package etcdelection is the election of etcd's clients: Election of the Go package
// client/v3/concurrency, on a Session.
//
// The process with the highest id is etcd, a store that is up. The others are its clients. A
// client has a session: a lease that it keeps alive. It campaigns by a key with that lease, and
// leads once there is no older key. When the lease expires, etcd deletes the key. The revision by
// which a key was created is a fencing token: a proclamation is a transaction that compares it.
//
// A client begins a new session when it knows that its own is over: by its own clock, which it
// sets by the answers of etcd, or because etcd says so.
//
// Source: etcd, client/v3/concurrency/election.go, key.go and session.go, and client/v3/lease.go,
// version 3.5 and later; the functions are named beside the rules.
package etcdelection

import (
	"fmt"

	"bullyproof/model"
	"bullyproof/model/list"
)

// A Key is one of a candidate, in etcd.
type Key struct {
	Client   model.ID
	Session  bool  // of the client
	Revision uint8 // by which it was created
}

// P is the state of etcd or of a client.
type P struct {
	// Keys are the keys of the candidates by revision, Revision is the highest, and Watched has
	// for whose deletion a client waits. Proclaimed is the revision of the key by which somebody
	// proclaimed last. All are on the disks of etcd.
	Keys       list.Of[Key, [2 * most]Key]
	Revision   uint8
	Watched    [most]uint8
	Proclaimed uint8

	// Session numbers the sessions of a client, by turns, and Phase is what it does in it.
	// Mine is the revision of its key (leaderRev).
	// Before is that of the key for whose deletion it waits, 0 where it does not know.
	Session bool
	Phase   Phase
	Mine    uint8
	Before  uint8
}

// most is the number of clients at most.
const most = 3

// Phase is what a client does.
type Phase uint8

// The phases of a client.
const (
	Asks   Phase = iota // for a session and a key
	Waits               // for older keys to go
	Leads               // Campaign has returned
	Orphan              // its session is over, and Campaign goes on (Unguarded)
)

// String returns the phase's name.
func (p Phase) String() string { return [...]string{"asks", "waits", "leads", "orphan"}[p] }

// The kinds of messages: requests, and what etcd says.
const (
	Campaign  model.Kind = iota // Grant, and the transaction of Campaign
	Older                       // waitDeletes: the last key before this one
	KeepAlive                   // of the session
	Proclaim                    // the transaction of Proclaim
	Created                     // the key is there
	Next                        // the key to wait for, or none
	Deleted                     // that key is gone
	Alive                       // the session is
	Expired                     // it is not
)

// M is a message.
type M struct {
	Type     model.Kind
	Session  bool
	Revision uint8
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "Next(2)". An apostrophe is for every other session.
func (m M) String() string {
	text := kinds[m.Type]
	if m.Revision > 0 {
		text += fmt.Sprintf("(%d)", m.Revision)
	}
	if m.Session {
		text += "'"
	}
	return text
}

// The timers: of clients, and etcd's leases, two of each client.
const (
	keep  model.Timer = iota // TTL/3
	done                     // the session is over by the client's clock
	lease                    // of P1, and so on
)

// leaseOf is the timer of a client's session.
func leaseOf(client model.ID, session bool) model.Timer {
	t := lease + 2*model.Timer(client-1)
	if session {
		t++
	}
	return t
}

var (
	rules model.Rules

	grant      = rules.Add("NewSession, Campaign: ask for a lease, and a key with it")
	created    = rules.Add("Txn: create the key")
	waits      = rules.Add("Get: the last key before a revision")
	leads      = rules.Add("waitDeletes: no older key: Campaign returns")
	expires    = rules.Add("a lease expires: delete its key")
	over       = rules.Add("Session.Done")
	proclaimed = rules.Add("Proclaim: the key is there: put")
	refused    = rules.Add("Proclaim: the key is gone: ErrElectionNotLeader")
	again      = rules.Add("waitDeletes: an older key is deleted: look again")
)

// An Election is the protocol of etcd and its clients.
type Election struct {
	model.Passive[P, M]
	// TTL is that of sessions, in ticks: 3 or more.
	TTL int
	// Proclaims has a leader proclaim something each time that it keeps its session alive, and
	// Unfenced leaves out what that compares.
	Proclaims, Unfenced bool
	// Margin is by how much sooner a client takes its session to be over than its TTL says.
	Margin int
	// Unguarded has a client campaign on when its session is over.
	Unguarded bool
	// Revisions is how many keys are explored; 0 is as many as a revision counts.
	Revisions uint8
}

func etcd(net *model.Net[M]) model.ID { return model.ID(net.N()) }

// Init has a client ask for a session.
func (e *Election) Init(p *P, net *model.Net[M], why model.Boot) {
	if net.Self() == etcd(net) {
		return
	}
	if why != model.Restart {
		p.Session = true
	}
	e.session(p, net)
}

// Stable keeps etcd's keys, and the number of a client's session, which is new each time.
func (e *Election) Stable(p *P) { p.Phase, p.Mine = Asks, 0 }

// session is NewSession, and the beginning of Campaign.
func (e *Election) session(p *P, net *model.Net[M]) {
	net.Rule(grant)
	*p = P{Session: !p.Session}
	net.SendTo(etcd(net), M{Type: Campaign, Session: p.Session})
	net.SetTimer(keep, max(1, e.TTL/3))
	net.SetTimer(done, e.TTL)
}

// Timeout is what time does.
func (e *Election) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t == keep: // sendKeepAliveLoop
		if p.Phase == Asks { // the request or its answer is late
			net.SetTimer(keep, max(1, e.TTL/3))
			return
		}
		if p.Phase == Leads && e.Proclaims {
			net.SendTo(etcd(net), M{Type: Proclaim, Session: p.Session, Revision: p.Mine})
		}
		if p.Phase == Waits && p.Before == 0 { // the answer is late
			e.older(p, net)
		}
		net.SendTo(etcd(net), M{Type: KeepAlive, Session: p.Session, Revision: p.Mine})
		net.SetTimer(keep, max(1, e.TTL/3))
	case t == done: // deadlineLoop
		e.over(p, net)
	default: // a lease has expired: revoke
		net.Rule(expires)
		e.delete(p, net, model.ID(t-lease)/2+1, (t-lease)%2 == 1)
	}
}

// over is Session.Done: a program that listens to it leads and campaigns no longer, and begins
// anew. One that does not is told only by what it asks for next.
func (e *Election) over(p *P, net *model.Net[M]) {
	net.Rule(over)
	net.StopTimer(keep)
	net.StopTimer(done)
	if e.Unguarded && p.Phase == Waits {
		p.Phase = Orphan
		return
	}
	e.session(p, net)
}

// Receive is etcd's side of requests, and the client's of what etcd says.
func (e *Election) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if net.Self() == etcd(net) {
		e.serve(p, net, from.ID(), m)
		return
	}
	if m.Session != p.Session && m.Type != Deleted {
		return
	}
	switch m.Type {
	case Created: // the rest of Campaign
		if p.Phase == Asks {
			p.Phase, p.Mine = Waits, m.Revision
			net.SetTimer(done, e.TTL-e.Margin)
			e.older(p, net)
		}
	case Deleted: // waitDeletes goes on
		if m.Revision == p.Before && (p.Phase == Waits || p.Phase == Orphan) {
			net.Rule(again)
			e.older(p, net)
		}
	case Next:
		if p.Phase != Waits && p.Phase != Orphan {
			return
		}
		if p.Before = m.Revision; p.Before == 0 {
			net.Rule(leads)
			p.Phase = Leads
		}
	case Alive: // recvKeepAlive
		if p.Phase != Asks && p.Phase != Orphan {
			net.SetTimer(done, e.TTL-e.Margin)
		}
	case Expired:
		if p.Phase != Asks && p.Phase != Orphan {
			e.over(p, net)
		}
	}
}

// older asks for the last key before the client's.
func (e *Election) older(p *P, net *model.Net[M]) {
	p.Before = 0
	net.SendTo(etcd(net), M{Type: Older, Session: p.Session, Revision: p.Mine})
}

// serve is what etcd does.
func (e *Election) serve(p *P, net *model.Net[M], client model.ID, m M) {
	alive := false
	for _, k := range p.Keys.All() {
		alive = alive || k == Key{client, m.Session, m.Revision}
	}
	answer := M{Session: m.Session}
	switch m.Type {
	case Campaign:
		net.Rule(created)
		e.delete(p, net, client, m.Session) // of the session before last
		p.Revision++
		p.Keys.Append(Key{client, m.Session, p.Revision})
		p.Watched[client-1] = 0
		net.SetTimer(leaseOf(client, m.Session), e.TTL)
		answer.Type, answer.Revision = Created, p.Revision
	case Older:
		net.Rule(waits)
		for _, k := range p.Keys.All() {
			if k.Revision < m.Revision {
				answer.Revision = k.Revision
			}
		}
		p.Watched[client-1] = answer.Revision
		answer.Type = Next
	case KeepAlive:
		answer.Type = Expired
		if alive {
			net.SetTimer(leaseOf(client, m.Session), e.TTL)
			answer.Type = Alive
		}
		e.resume(p, net, client)
	case Proclaim:
		if !alive && !e.Unfenced {
			net.Rule(refused)
		} else {
			net.Rule(proclaimed)
			p.Proclaimed = m.Revision
		}
		return
	}
	net.Reply(answer)
}

// resume tells a client again that what it waits for is gone: a watch that was interrupted
// goes on where it was.
func (e *Election) resume(p *P, net *model.Net[M], client model.ID) {
	gone := p.Watched[client-1]
	for _, k := range p.Keys.All() {
		if k.Revision == gone {
			return
		}
	}
	if gone > 0 {
		net.SendTo(client, M{Type: Deleted, Revision: gone})
	}
}

// delete takes out the key of a client's session, and tells who waits for that.
func (e *Election) delete(p *P, net *model.Net[M], client model.ID, session bool) {
	for i, k := range p.Keys.All() {
		if k.Client != client || k.Session != session {
			continue
		}
		p.Keys.Remove(i)
		for c := range model.Upto(etcd(net) - 1).All() {
			if p.Watched[c-1] == k.Revision {
				net.SendTo(c, M{Type: Deleted, Revision: k.Revision})
			}
		}
		return
	}
}

// Role is "etcd" or "client".
func (*Election) Role(id model.ID, n int) string {
	if int(id) == n {
		return "etcd"
	}
	return "client"
}

// Beyond bounds the revisions.
func (e *Election) Beyond(p *P) string {
	if e.Revisions > 0 && p.Revision > e.Revisions {
		return fmt.Sprintf("revision %d", p.Revision)
	}
	return ""
}

// Belief says who leads, by which revision.
func (e *Election) Belief(p *P) model.Belief {
	b := model.Belief{Participant: p.Phase == Orphan}
	if p.Phase == Leads {
		b.Elected, b.Epoch = model.Me, uint64(p.Mine)
	}
	return b
}
