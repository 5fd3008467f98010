// Package leaselock is a lock with a lease, an example of a protocol whose
// processes have roles and whose safety is a matter of clocks.
//
// The process with the highest id is a store with one operation, compare and
// swap: the lock is yours for Lease ticks if it is free or yours already. The
// others are clients: each asks for the lock again and again, and who has it so
// renews it. A client leads from the answer on, until its own clock says that
// the lease is over. The store began to count earlier, when it answered; a
// client that does not give up a Margin before the end of the lease leads on
// while the store gives the lock to another.
//
// With each change of hands the store counts up the number of the lease, the
// fencing token. A client that was asleep when its lease ended leads beside its
// successor whatever the margin is, but its number is lower: who is written to
// can tell.
//
// Sources: Cary Gray and David Cheriton, "Leases: An Efficient Fault-Tolerant
// Mechanism for Distributed File Cache Consistency", SOSP 1989; fencing tokens as
// in Martin Kleppmann, "Designing Data-Intensive Applications", 2017, chapter 8.
package leaselock

import (
	"fmt"

	"bullyproof/model"
)

// P is the state of the store or of a client.
type P struct {
	// Holder is who has the lock: to the store, whoever it is; to a client,
	// itself or nobody.
	Holder model.ID
	// Token is the number of the last lease given (store), or of its own (client).
	Token uint8
}

// The kinds of messages.
const (
	Acquire model.Kind = iota
	Granted
	Denied
)

// M is a message.
type M struct {
	Type  model.Kind
	Token uint8 // of Granted
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "Granted(1)".
func (m M) String() string {
	if m.Type == Granted {
		return fmt.Sprintf("Granted(%d)", m.Token)
	}
	return kinds[m.Type]
}

var kinds = []string{"Acquire", "Granted", "Denied"}

const (
	renewTimer  model.Timer = iota // of a client: ask again
	leaseTimer                     // of a client: lead no longer
	expiryTimer                    // of the store: the lock is free
)

const (
	grant model.Rule = iota
	renew
	deny
	expire
	lead
	giveUp
)

// A Lock is the protocol of the store and its clients. All times are in ticks.
type Lock struct {
	model.Passive[P, M]
	// Lease is how long the lock is given for.
	Lease int
	// Renew is how often a client asks.
	Renew int
	// Margin is how much earlier than the lease ends a client gives up, from the
	// answer on: at least the time that the answer took and one tick, since
	// clocks tell no order within a tick.
	Margin int
}

// store returns the id of the store.
func store(net *model.Net[M]) model.ID { return model.ID(net.N()) }

// Init has a client ask at once. A store that comes back gives the holder that it
// has on disk a whole lease.
func (l *Lock) Init(p *P, net *model.Net[M], _ model.Boot) {
	switch {
	case net.Self() != store(net):
		*p = P{} // a client has nothing on disk
		net.SetTimer(renewTimer, 1)
	case p.Holder != model.None:
		net.SetTimer(expiryTimer, l.Lease)
	}
}

// Stable keeps everything: what a store has is on disk.
func (l *Lock) Stable(*P) {}

// Timeout ends a lease, on either side, or asks for the lock.
func (l *Lock) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case renewTimer:
		net.SendTo(store(net), M{Type: Acquire})
		net.SetTimer(renewTimer, l.Renew)
	case leaseTimer:
		net.Rule(giveUp)
		*p = P{}
	case expiryTimer:
		net.Rule(expire)
		p.Holder = model.None
	}
}

// Receive is the compare and swap of the store, and its answer at a client.
func (l *Lock) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Acquire:
		l.swap(p, net, from.ID())
	case Granted:
		net.Rule(lead)
		*p = P{Holder: net.Self(), Token: m.Token}
		net.SetTimer(leaseTimer, l.Lease-l.Margin)
	}
}

// swap gives the lock to a client if it is free, or the client's already.
func (l *Lock) swap(p *P, net *model.Net[M], client model.ID) {
	switch p.Holder {
	case model.None:
		net.Rule(grant)
		p.Holder, p.Token = client, p.Token+1
	case client:
		net.Rule(renew)
	default:
		net.Rule(deny)
		net.Reply(M{Type: Denied})
		return
	}
	net.SetTimer(expiryTimer, l.Lease)
	net.Reply(M{Type: Granted, Token: p.Token})
}

// Belief says who has the lock; the number of its lease is the epoch.
func (l *Lock) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Holder, Epoch: uint64(p.Token)}
}

// Names gives the words of a lock service.
func (l *Lock) Names() model.Names {
	return model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "renewal", Periodic: true}, {Name: "lease"}, {Name: "expiry"}},
		Rules: []string{
			"store: the lock is free: give it",
			"store: the lock is the client's: prolong it",
			"store: the lock is another's: deny it",
			"store: the lease has expired: the lock is free",
			"client: granted: lead",
			"client: the lease is over: lead no longer",
		},
	}
}
