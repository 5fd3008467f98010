// Package k8slease is the election of Kubernetes' clients: client-go's package
// tools/leaderelection, by which controllers, schedulers and operators take turns.
//
// The process with the highest id is the API server, a store of one record with
// compare and swap. The others are clients. A client that sees the record unchanged for
// the LeaseDuration in the record, by its own clock, takes it over. The holder renews it every
// RetryPeriod, and no longer leads when RenewDeadline has passed without a renewal. Clients never
// compare clocks, so that only their rates matter.
//
// Deviations: a store that misses a request takes the client to have missed the answer, and
// calls the record changed next time. A client that has acquired the lease begins to renew it after
// a RetryPeriod, and there at once. It asks whether a lease is over when the record arrives, and
// there the time counts at which it asked for the record. By these two a client here leads for
// longer, or takes a lease over sooner. A try of a renewal that fails after a RetryPeriod or more
// is followed by another RetryPeriod, and there by the next try. When a leader reads a record of its
// own, it goes on, and there its lease begins anew, since it compares with the last one that it has
// read. (examples/clientgo explores the program beside this model, and has a shortest pair of runs
// for each of these.) A client that has stopped begins again with what it has observed, as does a
// LeaderElector that runs again; RunOrDie makes a new one. tryRelease gets the record before it
// empties it; here both are one request. As there, it is whoever holds the lease by then that loses
// it.
//
// Source: k8s.io/client-go, version 1.34 and later, tools/leaderelection/leaderelection.go; the
// functions are named beside the rules.
package k8slease

import (
	"fmt"

	"bullyproof/model"
)

// P is the state of the store or of a client.
type P struct {
	// Holder is who holds the lease: in the store's record; of a client, in the record
	// that it observed last (observedRecord).
	Holder model.ID
	// Term counts the changes of the holder (leaderTransitions), in the record or as
	// observed.
	Term uint8
	// Seen are the clients that have the record as it is, and Given those that were sent it
	// or have written it: what resourceVersion tells. Both are the store's.
	Seen, Given model.Set

	// Self is the client, and Leads says that it leads: its program has been told to
	// start and not to stop. Renews says that a renewal has begun.
	Self          model.ID
	Leads, Renews bool
	// Mine is the term for which it has asked last. A record of that term which names it is
	// its own; one of another term is of a start before, when it had another identity.
	Mine uint8
	// Held says that less than LeaseDuration has passed since it observed a change.
	Held bool
	// Waits is the request that it waits for, and Attempt numbers its requests, by
	// turns: an answer to one that was given up is no answer.
	Waits   model.Kind
	Attempt bool
	// Fast says that it waits for an Update without a Get before.
	Fast bool
	// Lost says that the last request had no answer.
	Lost bool
	// Late says that the deadline has passed in a request (blocks).
	Late bool
}

// The kinds of messages: requests of clients, and the store's answers.
const (
	None model.Kind = iota // no request: no message has it
	Get
	Record
	Update
	Updated
	Release
)

// M is a message.
type M struct {
	Type    model.Kind
	Attempt bool
	// Lost says that the request before it had no answer. Changed, of Record, says that
	// the record is another one than the client has, and OK, of Updated, that it was swapped.
	Lost, Changed, OK bool
	Holder            model.ID // of Record
	Term              uint8    // of Record and Update
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "Record(P1,2,new)". An apostrophe is for every other attempt.
func (m M) String() string {
	text := kinds[m.Type]
	switch {
	case m.Type == Record:
		text += fmt.Sprintf("(%s,%d", m.Holder.Name(), m.Term)
		if m.Changed {
			text += ",new"
		}
		text += ")"
	case m.Type == Update && m.Lost:
		text += fmt.Sprintf("(%d,again)", m.Term)
	case m.Type == Update:
		text += fmt.Sprintf("(%d)", m.Term)
	case m.Type == Updated && !m.OK:
		text = "Conflict"
	case m.Lost:
		text += "(again)"
	}
	if m.Attempt {
		text += "'"
	}
	return text
}

// The timers of a client. The times of the last three are those of the configuration.
const (
	request  model.Timer = iota // an answer is no longer waited for
	retry                       // RetryPeriod
	lease                       // LeaseDuration, since a change was observed
	deadline                    // RenewDeadline, since the renewal began
	shutdown                    // the work of a leader ends (slowShutdown)
)

var (
	rules model.Rules

	fastPath    = rules.Add("tryAcquireOrRenew, 1: leader: update without a get")
	getRecord   = rules.Add("tryAcquireOrRenew, 2: get the record")
	observe     = rules.Add("tryAcquireOrRenew, 3: the record has changed: observe it")
	heldByOther = rules.Add("tryAcquireOrRenew, 3: held by another, and not yet expired")
	tryUpdate   = rules.Add("tryAcquireOrRenew, 4: try to update")
	swap        = rules.Add("store: the record is as the client has it: swap it")
	conflict    = rules.Add("store: the record has changed: refuse")
	acquired    = rules.Add("acquire: became leader")
	renewed     = rules.Add("renew: renewed the lease")
	failed      = rules.Add("tryAcquireOrRenew: failed: try again")
	stop        = rules.Add("renew: failed until RenewDeadline: stop leading")
	release     = rules.Add("release: give the lease up")
	leaseOver   = rules.Add("LeaseDuration without a change has passed")
)

// Times are those of a LeaderElectionConfig, in ticks.
type Times struct {
	// LeaseDuration, RenewDeadline and RetryPeriod are by default 15, 10 and 2 seconds.
	LeaseDuration, RenewDeadline, RetryPeriod int
	// RequestTimeout is how long a client waits for an answer.
	RequestTimeout int
}

// A Lease is the protocol of the store and its clients.
type Lease struct {
	model.Passive[P, M]
	Times
	// First are the times of P1, if it is configured in another way.
	First Times
	// GetFirst has a leader renew as it did before version 1.30: with a Get before the Update.
	GetFirst bool
	// ReleaseOnCancel empties the record when the leader stops, and StopsFirst has it stop
	// before that.
	ReleaseOnCancel, StopsFirst bool
	// Terms is how many changes of the holder are explored; 0 is as many as a term counts.
	Terms uint8
}

// times returns those of a client.
func (l *Lease) times(client model.ID) Times {
	if client == 1 && l.First != (Times{}) {
		return l.First
	}
	return l.Times
}

func store(net *model.Net[M]) model.ID { return model.ID(net.N()) }

// Init has a client begin to acquire the lease. (acquire)
func (l *Lease) Init(p *P, net *model.Net[M], _ model.Boot) {
	if net.Self() != store(net) {
		*p = P{Self: net.Self()}
		net.SetTimer(retry, 1)
	}
}

// Stable keeps the store's record. Clients have nothing on disk.
func (l *Lease) Stable(p *P) {
	*p = P{Holder: p.Holder, Term: p.Term, Seen: p.Seen, Given: p.Given}
}

// Timeout is what clients do as time passes.
func (l *Lease) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case retry:
		if p.Leads && !p.Renews {
			p.Renews = true
			net.SetTimer(deadline, l.times(p.Self).RenewDeadline) // renew: timeoutCtx
		}
		l.tryAcquireOrRenew(p, net)
	case request:
		if p.Waits == Release {
			l.end(p, net)
			return
		}
		l.fail(p, net)
	case lease:
		net.Rule(leaseOver)
		p.Held = false
	case deadline:
		l.quit(p, net)
	}
}

// tryAcquireOrRenew, 1: "fast path for the leader to update optimistically".
func (l *Lease) tryAcquireOrRenew(p *P, net *model.Net[M]) {
	if p.Fast = !l.GetFirst && p.Held && p.isLeader(net); p.Fast {
		net.Rule(fastPath)
		l.send(p, net, M{Type: Update, Term: p.Mine})
		return
	}
	l.get(p, net)
}

// get is tryAcquireOrRenew, 2: "obtain or create the ElectionRecord".
func (l *Lease) get(p *P, net *model.Net[M]) {
	net.Rule(getRecord)
	l.send(p, net, M{Type: Get})
}

// send sends a request to the store, and begins to wait for its answer.
func (l *Lease) send(p *P, net *model.Net[M], m M) {
	p.Waits, m.Attempt, m.Lost = m.Type, p.Attempt, p.Lost
	p.Lost = true
	net.SendTo(store(net), m)
	net.SetTimer(request, l.times(p.Self).RequestTimeout)
}

// Receive is the store's side of requests, and the client's of answers.
func (l *Lease) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if net.Self() == store(net) {
		l.serve(p, net, from.ID(), m)
		return
	}
	if p.Attempt != m.Attempt || p.Waits == None {
		return // the request was given up
	}
	net.StopTimer(request)
	p.Lost = false
	switch {
	case p.Waits == Release:
		p.Holder = model.None
		l.end(p, net)
	case p.Waits == Get && m.Type == Record:
		l.check(p, net, m)
	case p.Waits == Update && m.Type == Updated && m.OK:
		l.succeed(p, net)
	default:
		l.fail(p, net)
	}
}

// check is tryAcquireOrRenew, 3, "Record obtained, check the Identity & Time", and 4, "We're
// going to try to update".
func (l *Lease) check(p *P, net *model.Net[M], m M) {
	if m.Changed || p.Holder != m.Holder {
		net.Rule(observe)
		p.Holder, p.Term, p.Held = m.Holder, m.Term, true
		net.SetTimer(lease, l.leaseOf(p))
	}
	if p.Holder != model.None && p.Held && !p.isLeader(net) {
		net.Rule(heldByOther)
		l.fail(p, net)
		return
	}
	net.Rule(tryUpdate)
	if !p.isLeader(net) {
		p.Mine = p.Term + 1
	}
	l.send(p, net, M{Type: Update, Term: p.Mine})
}

// isLeader reports whether the client is the holder of the record that it observed.
// (IsLeader)
func (p *P) isLeader(net *model.Net[M]) bool {
	return p.Holder == net.Self() && p.Mine == p.Term
}

// succeed is the end of tryAcquireOrRenew with true: acquire returns, or a renewal is over.
func (l *Lease) succeed(p *P, net *model.Net[M]) {
	if p.Leads {
		net.Rule(renewed)
	} else {
		net.Rule(acquired)
	}
	p.Holder, p.Term, p.Held, p.Leads = net.Self(), p.Mine, true, true
	p.Waits, p.Fast, p.Renews = None, false, false
	net.StopTimer(deadline)
	net.SetTimer(lease, l.leaseOf(p))
	net.SetTimer(retry, l.times(p.Self).RetryPeriod)
}

// fail is the end of a request without success: of an optimistic one, "falling back to slow
// path", and otherwise of tryAcquireOrRenew with false: try again in a while.
func (l *Lease) fail(p *P, net *model.Net[M]) {
	p.Attempt = !p.Attempt
	if p.Fast {
		p.Fast = false
		l.get(p, net)
		return
	}
	net.Rule(failed)
	p.Waits = None
	net.SetTimer(retry, l.times(p.Self).RetryPeriod)
}

// quit is what renew does when RenewDeadline has passed: "Failed to renew lease". It releases
// the lease before it returns, and only then the program is told to stop.
func (l *Lease) quit(p *P, net *model.Net[M]) {
	net.Rule(stop)
	if p.Waits != None {
		p.Waits, p.Attempt = None, !p.Attempt
	}
	p.Fast, p.Renews = false, false
	net.StopTimer(request)
	net.StopTimer(retry)
	if !l.ReleaseOnCancel || !p.isLeader(net) {
		l.end(p, net)
		return
	}
	net.Rule(release)
	p.Leads = !l.StopsFirst
	l.send(p, net, M{Type: Release})
}

// end is the end of Run: the program stops to lead (OnStoppedLeading), and begins anew.
func (l *Lease) end(p *P, net *model.Net[M]) {
	p.Leads = false
	if p.Waits != None {
		p.Waits, p.Attempt = None, !p.Attempt
	}
	net.SetTimer(retry, l.times(p.Self).RetryPeriod)
}

// leaseOf is the LeaseDuration of the record that a client observed, which is its holder's
// (isLeaseValid).
func (l *Lease) leaseOf(p *P) int { return l.times(p.Holder).LeaseDuration }

// serve answers a request: the store's side of Get, Create and Update.
func (l *Lease) serve(p *P, net *model.Net[M], client model.ID, m M) {
	if !m.Lost && p.Given.Has(client) {
		p.Seen = p.Seen.With(client)
	}
	switch m.Type {
	case Get:
		net.Reply(M{Type: Record, Attempt: m.Attempt, Changed: !p.Seen.Has(client), Holder: p.Holder, Term: p.Term})
		p.Given = p.Given.With(client)
	case Update:
		if !p.Seen.Has(client) {
			net.Rule(conflict)
			net.Reply(M{Type: Updated, Attempt: m.Attempt})
			return
		}
		net.Rule(swap)
		*p = P{Holder: client, Term: m.Term, Given: model.SetOf(client)}
		net.Reply(M{Type: Updated, Attempt: m.Attempt, OK: true})
	case Release:
		*p = P{Term: p.Term, Given: model.SetOf(client)}
		net.Reply(M{Type: Updated, Attempt: m.Attempt, OK: true})
	}
}

// Role is "API server" or "client".
func (*Lease) Role(id model.ID, n int) string {
	if int(id) == n {
		return "API server"
	}
	return "client"
}

// Beyond bounds the terms.
func (l *Lease) Beyond(p *P) string {
	if l.Terms > 0 && p.Term > l.Terms {
		return fmt.Sprintf("term %d", p.Term)
	}
	return ""
}

// Belief says who leads: of a client that does, itself, and otherwise the holder that it
// observed. The store follows nobody.
func (l *Lease) Belief(p *P) model.Belief {
	switch {
	case p.Leads:
		return model.Belief{Elected: p.Self, Epoch: uint64(p.Mine)}
	case p.Held && p.Holder != p.Self:
		return model.Belief{Elected: p.Holder, Epoch: uint64(p.Term)}
	}
	return model.Belief{}
}
