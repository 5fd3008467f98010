// Package river is the election of River, a job queue in Go: one row of a SQL table, with a time to
// live, says who leads.
//
// The process with the highest id is the database, a store of that row. The others are clients. A
// client inserts the row if there is none, and leads. It extends the expiry of its row each
// ElectInterval. The pair of leader_id and elected_at is a term: each insert begins one, and only
// its own term is extended or deleted. The client trusts the row for a second less than the time to live,
// counted from when it asked. When that is over, it deletes the row, and then no longer leads.
//
// The idea is older: a lease is a lock that ends by itself, and the number of the term is a fencing token by
// which whoever is written to can tell an old leader. (C. Gray and D. Cheriton, Leases, SOSP 1989;
// M. Kleppmann, Designing Data-Intensive Applications, 2017, chapter 8.)
//
// A tick is a second. The table is UNLOGGED, so that a crash of the database empties it.
//
// Deviations: a term has a number, where River has the time of the insert. A follower that had no answer tries
// again after a second, where River waits for 1, 2, 4 seconds and so on. Its interval has two lengths
// where River's is random. A request that was given up may still be carried out. Neither the shutdown of a client nor a
// request to resign is there. A database that comes back with its row gives it a whole time to live.
//
// Source: github.com/riverqueue/river, internal/leadership/elector.go and doc.go, as of commit c31936c (July 2026), and
// riverdriver/riverpgxv5/internal/dbsqlc/river_leader.sql; the functions and queries are named beside the rules.
package river

import (
	"fmt"

	"bullyproof/model"
)

// P is the state of the database or of a client.
type P struct {
	// Leader has the row (leader_id), if there is one, and Issued is the number of the last term
	// (elected_at). Both are the database's.
	Leader model.ID
	Issued uint8

	// Leads says that the client's subscribers take it for the leader (publishLeadershipState), and
	// Term is its term.
	Leads bool
	Term  uint8
	// Waits is the request that it waits for, and Attempt numbers its requests, by turns: an
	// answer to one that was given up is no answer.
	Waits   model.Kind
	Attempt bool
	// Errors counts the requests in a row that had no answer. If it waits for none, it sleeps then.
	Errors uint8
	// Resigns is the attempt to resign that it makes, or before which it sleeps (attemptResignLoop).
	Resigns uint8
	// Other says which timer is its trust in the row: the second one.
	Other bool
	// Woken says that somebody has resigned (wakeupChan).
	Woken bool
}

// The kinds of messages: requests of clients, and what the database says.
const (
	None model.Kind = iota // no request: no message has it
	Elect
	Elected
	Reelect
	Reelected
	Resign
	Deleted
	Resigned // to the others
)

// M is a message.
type M struct {
	Type    model.Kind
	Attempt bool
	OK      bool  // of Elected and Reelected: there is a row
	Term    uint8 // of these, and of Reelect and Resign
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "Reelect(1)". An apostrophe is for every other attempt.
func (m M) String() string {
	text := kinds[m.Type]
	switch {
	case (m.Type == Elected || m.Type == Reelected) && !m.OK:
		text = "No" + text
	case m.Term > 0:
		text += fmt.Sprintf("(%d)", m.Term)
	}
	if m.Attempt {
		text += "'"
	}
	return text
}

// The timers of a client, and the last one of the database.
const (
	wait    model.Timer = iota // for the next attempt
	request                    // an answer is no longer waited for
	trust                      // trustedUntil, of an attempt
	other                      // and of the next one
	expiry                     // expires_at
)

var (
	rules model.Rules

	electRule    = rules.Add("runFollowerState: attempt to gain leadership")
	denied       = rules.Add("runFollowerState: the bid was unsuccessful")
	gained       = rules.Add("runFollowerState: gained leadership")
	electError   = rules.Add("runFollowerState: error attempting to elect")
	reelectRule  = rules.Add("runLeaderState: attempt reelection")
	maintained   = rules.Add("runLeaderState: maintained leadership")
	lost         = rules.Add("runLeaderState: not found: lost leadership")
	reelectError = rules.Add("runLeaderState: error attempting reelection")
	elapsed      = rules.Add("runLeaderState: step down, the reelection deadline elapsed")
	resignRule   = rules.Add("attemptResignLoop: attempt to resign")
	resignError  = rules.Add("attemptResignLoop: error attempting to resign")
	published    = rules.Add("publishLeadershipState: no longer the leader")
	woken        = rules.Add("handleLeadershipNotification: another client resigned")
	insert       = rules.Add("LeaderAttemptElect: no row: insert it")
	conflict     = rules.Add("LeaderAttemptElect: on conflict do nothing")
	extend       = rules.Add("LeaderAttemptReelect: the row of this term: extend it")
	notFound     = rules.Add("LeaderAttemptReelect: no such row")
	deleteRow    = rules.Add("LeaderResign: delete the row, and notify")
	expire       = rules.Add("LeaderDeleteExpired: the row has expired")
)

// An Elector is the protocol of the database and its clients. Times are in ticks.
type Elector struct {
	model.Passive[P, M]
	// Interval is ElectInterval, and Padding is how much longer the row lives
	// (electIntervalTTLPaddingDefault).
	Interval, Padding int
	// Margin is how much earlier than the row's end the trust in it ends
	// (leaderLocalDeadlineSafetyMargin).
	Margin int
	// PollOnly has no notifications.
	PollOnly bool
	// StopsFirst has a client tell its subscribers before it resigns, not after that.
	StopsFirst bool
	// Logged has a crash of the database keep the row.
	Logged bool
	// BeforeTerms is the program before pull request 1213.
	BeforeTerms bool
	// Terms is how many terms are explored; 0 is as many as a term counts.
	Terms uint8
}

// deadlineTimeout is how long a client waits for an answer, and maxResigns how often it tries to
// resign. (attemptResignLoop)
const (
	deadlineTimeout = 5
	maxResigns      = 3
)

// backoff is ExponentialBackoff with a reset after three attempts.
func backoff(attempt uint8) int { return 1 << ((attempt - 1) % 3) }

// ttl is leaderTTL: "at least the reelect run interval [...] plus a little padding".
func (e *Elector) ttl() int { return e.Interval + e.Padding }

func database(net *model.Net[M]) model.ID { return model.ID(net.N()) }

// Init has a client try to be elected. (Start)
func (e *Elector) Init(p *P, net *model.Net[M], _ model.Boot) {
	switch {
	case net.Self() != database(net):
		e.elect(p, net)
	case p.Leader != model.None:
		net.SetTimer(expiry, e.ttl())
	}
}

// Stable keeps the clock of the database, and its row if the table is logged. Clients have nothing on disk.
func (e *Elector) Stable(p *P) {
	leader := p.Leader
	if *p = (P{Issued: p.Issued}); e.Logged {
		p.Leader = leader
	}
}

// Timeout is what time does.
func (e *Elector) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case expiry: // LeaderDeleteExpired
		net.Rule(expire)
		p.Leader = model.None
	case wait:
		e.next(p, net)
	case request:
		e.fail(p, net)
	case p.trusts(): // a leader's, who does not resign: an attempt and a sleep end with it, a wait does not
		if p.Waits != None || p.Errors > 0 {
			e.leave(p, net)
		}
	}
}

// next is what follows when a wait or a sleep is over.
func (e *Elector) next(p *P, net *model.Net[M]) {
	switch {
	case p.Resigns > maxResigns:
		e.publish(p, net)
	case p.Resigns > 0:
		e.resign(p, net)
	case p.Leads:
		e.reelect(p, net)
	default:
		e.elect(p, net)
	}
}

// trusts is the timer of the client's trust in its row (trustedUntil), and anchors that of the
// attempt that it makes, which counts from when it asks (attemptStarted).
func (p *P) trusts() model.Timer {
	if p.Other {
		return other
	}
	return trust
}

func (p *P) anchors() model.Timer { return trust + other - p.trusts() }

// ask sends a request to the database, and begins to wait for its answer.
func (e *Elector) ask(p *P, net *model.Net[M], m M, timeout int) {
	p.Waits, m.Attempt = m.Type, p.Attempt
	net.SendTo(database(net), m)
	net.SetTimer(request, timeout)
	if m.Type != Resign && !e.BeforeTerms {
		net.SetTimer(p.anchors(), e.ttl()-e.Margin)
	}
}

// giveUp ends the wait for an answer.
func (p *P) giveUp(net *model.Net[M]) {
	if p.Waits != None {
		p.Waits, p.Attempt = None, !p.Attempt
		net.StopTimer(request)
		net.StopTimer(p.anchors())
	}
}

// elect is an attempt to be elected: LeaderDeleteExpired and LeaderAttemptElect, in one
// transaction. (runFollowerState, attemptElect)
func (e *Elector) elect(p *P, net *model.Net[M]) {
	net.Rule(electRule)
	p.Woken = false
	e.ask(p, net, M{Type: Elect}, deadlineTimeout)
}

// reelect is one to be elected again. Without trust in the row there is none. (runLeaderState)
func (e *Elector) reelect(p *P, net *model.Net[M]) {
	if !e.BeforeTerms && !net.IsSet(p.trusts()) {
		e.leave(p, net)
		return
	}
	net.Rule(reelectRule)
	e.ask(p, net, M{Type: Reelect, Term: p.Term}, deadlineTimeout)
}

// Receive is the database's side of requests, and the client's of what that says.
func (e *Elector) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case net.Self() == database(net):
		e.serve(p, net, from.ID(), m)
	case m.Type == Resigned:
		e.wake(p, net)
	case p.Attempt != m.Attempt || p.Waits == None: // the request was given up
	case p.Waits == Resign:
		p.giveUp(net)
		e.publish(p, net)
	case m.OK:
		e.succeed(p, net, m.Term)
	case p.Waits == Elect:
		net.Rule(denied)
		p.giveUp(net)
		e.rest(p, net, e.Interval+net.Toss(2)) // ElectIntervalJitter
	default: // ErrNotFound
		net.Rule(lost)
		net.StopTimer(p.trusts())
		p.giveUp(net)
		p.Leads, p.Term, p.Errors = false, 0, 0
		e.elect(p, net)
	}
}

// succeed is newLeadershipTerm: the client leads, or goes on to.
func (e *Elector) succeed(p *P, net *model.Net[M], term uint8) {
	if p.Leads {
		net.Rule(maintained)
	} else {
		net.Rule(gained)
	}
	net.StopTimer(request)
	net.StopTimer(p.trusts())
	p.Waits, p.Attempt, p.Other = None, !p.Attempt, !p.Other
	p.Leads, p.Term = true, term
	e.rest(p, net, e.Interval)
}

// rest waits for the next attempt. A leader that has resigned meanwhile ends a follower's wait,
// and did end a leader's before pull request 1213.
func (e *Elector) rest(p *P, net *model.Net[M], ticks int) {
	net.SetTimer(wait, ticks)
	p.Errors = 0
	if p.Woken {
		e.wake(p, net)
	}
}

// wake is the notification that another client has resigned. (handleLeadershipNotification)
func (e *Elector) wake(p *P, net *model.Net[M]) {
	net.Rule(woken)
	switch {
	case p.Waits != None || p.Errors > 0 || p.Resigns > 0:
		p.Woken = true
	case p.Leads && !e.BeforeTerms:
		p.Woken = false
		net.SetTimer(wait, e.Interval) // resetTimer
	default:
		p.Woken = false
		net.StopTimer(wait)
		e.next(p, net)
	}
}

// fail is a request without an answer in time.
func (e *Elector) fail(p *P, net *model.Net[M]) {
	resigning := p.Waits == Resign
	p.giveUp(net)
	switch {
	case resigning:
		net.Rule(resignError)
		net.SetTimer(wait, backoff(p.Resigns))
		p.Resigns++
	case !p.Leads:
		net.Rule(electError)
		p.Errors = 1
		net.SetTimer(wait, 1)
	case !e.BeforeTerms:
		net.Rule(reelectError)
		p.Errors++
		net.SetTimer(wait, backoff(p.Errors))
	case p.Errors+1 >= 5:
		e.leave(p, net)
	default: // a sleep, and a whole interval
		net.Rule(reelectError)
		p.Errors++
		net.SetTimer(wait, backoff(p.Errors)+e.Interval)
	}
}

// leave is the end of runLeaderState when the reelection deadline has elapsed. Its deferred calls
// run last-in-first-out: the attempts to resign come first, and the subscribers learn after them.
func (e *Elector) leave(p *P, net *model.Net[M]) {
	net.Rule(elapsed)
	net.StopTimer(wait)
	net.StopTimer(p.trusts())
	p.giveUp(net)
	p.Errors, p.Resigns, p.Leads = 0, 1, !e.StopsFirst
	e.resign(p, net)
}

// resign is attemptResign: "Wait one second longer each time we try".
func (e *Elector) resign(p *P, net *model.Net[M]) {
	net.Rule(resignRule)
	e.ask(p, net, M{Type: Resign, Term: p.Term}, int(p.Resigns))
}

// publish is publishLeadershipState(false), and the client is a follower again.
func (e *Elector) publish(p *P, net *model.Net[M]) {
	net.Rule(published)
	p.Leads, p.Term, p.Resigns = false, 0, 0
	e.elect(p, net)
}

// serve is what the queries do.
func (e *Elector) serve(p *P, net *model.Net[M], client model.ID, m M) {
	answer := M{Attempt: m.Attempt}
	switch m.Type {
	case Elect: // LeaderAttemptElect: INSERT ... ON CONFLICT DO NOTHING
		answer.Type, answer.OK = Elected, p.Leader == model.None
		if answer.OK {
			e.insert(p, net, client)
		} else {
			net.Rule(conflict)
		}
	case Reelect: // LeaderAttemptReelect
		answer.Type, answer.OK = Reelected, true
		switch {
		case p.Leader == model.None && e.BeforeTerms: // INSERT
			e.insert(p, net, client)
		case p.Leader == client && (p.Issued == m.Term || e.BeforeTerms):
			net.Rule(extend)
			net.SetTimer(expiry, e.ttl())
		default:
			net.Rule(notFound)
			answer.OK = false
		}
	case Resign: // LeaderResign
		answer.Type = Deleted
		if p.Leader == client && (p.Issued == m.Term || e.BeforeTerms) {
			net.Rule(deleteRow)
			p.Leader = model.None
			net.StopTimer(expiry)
			if !e.PollOnly { // pg_notify
				net.SendAll(net.Peers().Without(client), M{Type: Resigned})
			}
		}
	}
	if answer.OK {
		answer.Term = p.Issued
	}
	net.Reply(answer)
}

func (e *Elector) insert(p *P, net *model.Net[M], client model.ID) {
	net.Rule(insert)
	p.Leader, p.Issued = client, p.Issued+1
	net.SetTimer(expiry, e.ttl())
}

// Role is "database" or "client".
func (*Elector) Role(id model.ID, n int) string {
	if int(id) == n {
		return "database"
	}
	return "client"
}

// Beyond bounds the terms.
func (e *Elector) Beyond(p *P) string {
	if e.Terms > 0 && p.Issued > e.Terms {
		return fmt.Sprintf("term %d", p.Issued)
	}
	return ""
}

// Belief says who leads, as its subscribers learn it. A follower does not learn who does.
func (e *Elector) Belief(p *P) model.Belief {
	if p.Leads {
		return model.Belief{Elected: model.Me, Epoch: uint64(p.Term)}
	}
	return model.Belief{}
}
