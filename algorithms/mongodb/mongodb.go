// Package mongodb is the election of MongoDB's replica sets, in both of its protocol versions.
//
// In version 1, which is built on Raft, a member that hears of no primary asks first whether
// it would be elected (a dry run), then begins a new term and asks for the votes. Each member
// gives one vote in a term, stores it before it answers, and refuses a candidate whose oplog
// is behind its own. A primary that hears of no majority steps down.
//
// In version 0, up to MongoDB 3.6, there are no terms. A member asks all others whether one of
// them is fresher or vetoes its election (replSetFresh), and then for their votes
// (replSetElect). A member that has voted does not vote for another one for 30 seconds.
// Entries of the oplog are ordered by the clocks of the primaries that wrote them.
//
// Sources: MongoDB, src/mongo/db/repl/README.md as of version 4.2, section Elections (the
// rules of version 1). MongoDB 3.2, src/mongo/db/repl: topology_coordinator_impl.cpp,
// freshness_checker.cpp and replication_coordinator_impl_elect.cpp (those of version 0, and
// processReplSetRequestVotes). Later versions, src/mongo/db/repl: topology_coordinator.cpp and
// vote_requester.cpp (the takeover of a primary that catches up). The MongoDB Manual, Replica
// Set Protocol Versions.
//
// Assumes: a complete graph, crashes and restarts, and a disk that keeps the oplog and the
// last vote. For there to be a primary, messages that are faster than elections.
//
// Deviations: The primary alone sends heartbeats. They carry its oplog, and a member takes
// that from its primary and from nobody else (no chaining). The term is not stored: a
// member that restarts takes it from its last vote and its oplog. An oplog has at most two
// entries of each reign. Election timeouts differ from member to member, in place of a
// random offset. All members have one configuration, unless Reconfigures is set, and learn a
// newer one from a heartbeat or its answer. Stepping down by command is left out. So is the
// sleep after a tie of version 0, since timeouts differ. A message takes a tick at most, a
// heartbeat is sent every 2 ticks, election timeouts are 5, 7 and 9 ticks, and the wait for a
// takeover is 6. By default the program has 2 s, 10 s and up to 15 percent more, and 30 s, and
// all members send heartbeats.
package mongodb

import (
	"cmp"
	"fmt"

	"bullyproof/model"
	"bullyproof/model/list"
)

// A Role is what a member does.
type Role uint8

// The roles of a member.
const (
	Secondary Role = iota
	DryRun         // it asks whether it would be elected
	Candidate      // it asks for votes
	Primary
)

// String returns the role as in the program.
func (r Role) String() string {
	return [...]string{"secondary", "dry run", "candidate", "primary"}[r]
}

// An OpTime is the time of an entry of the oplog. In version 1 it is the term and then the
// place. In version 0 it is what the clock of its primary showed. By is that primary there,
// and no part of the order.
type OpTime struct {
	Term  uint8
	Stamp uint8
	By    model.ID
}

// String returns the time as "term:stamp", or as "stamp by P3".
func (t OpTime) String() string {
	if t.By != model.None {
		return fmt.Sprintf("%d by P%d", t.Stamp, t.By)
	}
	return fmt.Sprintf("%d:%d", t.Term, t.Stamp)
}

func (t OpTime) before(other OpTime) bool {
	return cmp.Or(cmp.Compare(t.Term, other.Term), cmp.Compare(t.Stamp, other.Stamp)) < 0
}

// An Oplog is the entries of a member.
type Oplog = list.Of[OpTime, [6]OpTime]

// last returns the time of the last entry.
func last(l *Oplog) OpTime {
	if l.Len() == 0 {
		return OpTime{}
	}
	return l.At(l.Len() - 1)
}

// A Vote is whom a member voted for, and in which term.
type Vote struct {
	Term uint8
	For  model.ID
}

// P is the state of a member. LastVote, Oplog and Config are on disk. Both versions have it, so
// that one property is about both.
type P struct {
	LastVote  Vote // local.replset.election
	Oplog     Oplog
	Config    uint8 // the version of its configuration; see Reconfigures
	Term      uint8
	Voted     Vote // LastVote, as it is in memory
	Role      Role
	Votes     model.Set // of a candidate: who has said yes; in version 0 also who has answered
	Vetoed    bool      // version 0: somebody is fresher, or vetoes
	Primary   model.ID  // whose heartbeats it hears
	Heard     model.Set // of a primary: who has answered since the last check
	Acked     model.Set // of a primary: who has its last entry
	Committed uint8     // of a primary: how many entries a majority has acknowledged
	Wrote     bool      // of a primary: it has written an entry in its reign
	Catching  bool      // of a primary: it catches up, and accepts no writes yet
	ElectedAt uint8     // version 0: the clock when it was elected
	Lease     model.ID  // version 0: whom it voted for within the last 30 seconds
	Pending   Vote      // a vote that it has yet to record; see overwrites
	Catch     Catch     // of a primary that catches up without a time limit
	Asks      model.ID  // of a dry run: the primary whose vote it needs
}

// Member is the protocol of a member in version 1. The zero value is without extras.
type Member struct {
	// Terms is how many terms of version 1 are explored.
	Terms uint8
	// Once has a primary send one heartbeat, and write nothing but that it is elected.
	Once bool
	// NoDryRun has members begin a term at once, as after replSetStepUp.
	NoDryRun bool
	// Arbiter has P1 vote only: it has no oplog.
	Arbiter bool
	// Priorities has higher ids have higher priorities.
	Priorities bool
	// CatchUp has a new primary catch up before it accepts writes.
	CatchUp bool
	// Unlimited has it fetch without a time limit, as catchUpTimeoutMillis = -1 does, and may have
	// the fetch stall.
	Unlimited bool
	// Takeover has a member that is ahead of such a primary run for election.
	Takeover bool
	// Reconfigures has a primary reconfigure when a client writes. The members stay the same.
	Reconfigures bool
}

// Init has a member come up. _finishLoadLocalConfig restores the term from the oplog and the
// last vote.
func (a *Member) Init(p *P, net *model.Net[M], _ model.Boot) {
	p.Voted = p.LastVote
	p.Term = max(p.LastVote.Term, last(&p.Oplog).Term)
	a.awaitPrimary(net)
}

// Start does nothing: elections begin by timeouts.
func (a *Member) Start(*P, *model.Net[M]) {}

// Suspect does nothing: a member has no failure detector but its timeouts.
func (a *Member) Suspect(*P, *model.Net[M], model.ID) {}

// Stable keeps what is on disk.
func (a *Member) Stable(p *P) {
	*p = P{LastVote: p.LastVote, Oplog: p.Oplog, Config: p.Config}
}

// Settle is the state after the first election.
func (a *Member) Settle(p *P, self, coordinator model.ID, _ model.Set) {
	voted := Vote{1, coordinator}
	*p = P{Term: 1, LastVote: voted, Voted: voted}
	a.settle(p, self, coordinator, OpTime{Term: 1, Stamp: 1})
}

// settle is what the first election leaves in both versions, with the first entry.
func (a *Member) settle(p *P, self, coordinator model.ID, first OpTime) {
	p.Primary = coordinator
	if !a.arbiter(self) {
		p.Oplog.Append(first)
	}
	if self == coordinator {
		p.Role, p.Heard, p.Acked = Primary, model.SetOf(self), model.SetOf(self)
	}
}

// Wake sets the timers of a member after an election.
func (a *Member) Wake(p *P, net *model.Net[M]) {
	if p.Role != Primary {
		a.awaitPrimary(net)
		return
	}
	net.SetTimer(heartbeat, 2*net.Bound())
	net.SetTimer(liveness, 7*net.Bound())
}

// Role is "arbiter" of P1, if it votes only.
func (a *Member) Role(id model.ID, _ int) string {
	if a.Arbiter && id == 1 {
		return "arbiter"
	}
	return ""
}

// Beyond bounds the terms.
func (a *Member) Beyond(p *P) string {
	if p.Term > a.Terms {
		return fmt.Sprintf("term %d", p.Term)
	}
	return ""
}

// arbiter reports whether a member is one.
func (a *Member) arbiter(id model.ID) bool { return a.Arbiter && id == 1 }

// priority returns that of a member.
func (a *Member) priority(id model.ID) model.ID {
	if !a.Priorities {
		return 1
	}
	return id
}

// awaitPrimary begins the election timeout, in which a member has to hear of a primary. It
// differs from member to member, and the shortest is longer than a heartbeat takes.
func (a *Member) awaitPrimary(net *model.Net[M]) {
	net.SetTimer(election, (3+2*int(net.Self()))*net.Bound())
}

// Timeout has a timer of a member expire.
func (a *Member) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t == election:
		p.Primary = model.None
		a.stand(p, net)
	case t == heartbeat:
		a.beat(p, net)
	case t == liveness && p.Heard.Len() <= net.N()/2:
		net.Rule(cannotSeeMajority)
		a.stepDown(p, net)
	case t == liveness:
		if p.Catching && a.Unlimited {
			a.nextRound(p, net)
		}
		p.Heard = model.SetOf(net.Self())
		net.SetTimer(liveness, 7*net.Bound())
	case t == takeover:
		net.Rule(takesOver)
		a.stand(p, net)
	case t == catchUp:
		a.acceptWrites(p, net)
	case t == catchUpTakeover:
		a.takeOverCatchUp(p, net)
	}
}

// stand has a member run for election: "If it hasn't seen a primary within the election
// timeout".
func (a *Member) stand(p *P, net *model.Net[M]) {
	if p.Role == Primary {
		return
	}
	a.awaitPrimary(net)
	p.Asks = model.None
	switch {
	case a.arbiter(net.Self()):
	case a.NoDryRun:
		a.run(p, net)
	default:
		net.Rule(dryRun)
		p.Role, p.Votes = DryRun, model.SetOf(net.Self())
		net.Broadcast(M{Type: RequestVotes, Dry: true, Term: p.Term, Last: last(&p.Oplog), Config: p.Config})
	}
}

// run has a member begin the real election: "the node first increments its term and votes for
// itself".
func (a *Member) run(p *P, net *model.Net[M]) {
	net.Rule(realElection)
	p.Term++
	p.Asks = model.None
	net.StopTimer(catchUpTakeover)
	p.Voted = Vote{p.Term, net.Self()}
	p.LastVote, p.Role, p.Primary, p.Votes = p.Voted, Candidate, model.None, model.SetOf(net.Self())
	a.awaitPrimary(net)
	net.Broadcast(M{Type: RequestVotes, Term: p.Term, Last: last(&p.Oplog), Config: p.Config})
}

// beat has a primary say who it is, and perhaps write an entry before.
func (a *Member) beat(p *P, net *model.Net[M]) {
	net.Rule(beats)
	if !a.Once && !p.Catching && !p.Wrote {
		if net.Pick(writes) == 1 {
			p.Wrote = true
			if a.Reconfigures {
				p.Config++
			}
			a.write(p, net)
		}
	}
	net.Broadcast(M{Type: Heartbeat, Term: p.Term, Oplog: p.Oplog, Catching: p.Catching, Config: p.Config})
	if !a.Once {
		net.SetTimer(heartbeat, 2*net.Bound())
	}
}

// write has a primary add an entry of its term.
func (a *Member) write(p *P, net *model.Net[M]) {
	add(p, net, OpTime{Term: p.Term, Stamp: uint8(p.Oplog.Len()) + 1})
}

// add has a primary add an entry, which it alone has.
func add(p *P, net *model.Net[M], at OpTime) {
	net.Rule(appends)
	p.Oplog.Append(at)
	p.Acked = model.SetOf(net.Self())
}

// win has a member become primary: it "notifies all nodes that it won the election via a round
// of heartbeats".
func (a *Member) win(p *P, net *model.Net[M]) {
	lead(p, net)
	p.Catching = a.CatchUp
	switch {
	case a.Unlimited: // a round of heartbeats comes first
	case a.CatchUp:
		net.SetTimer(catchUp, 4*net.Bound())
	default:
		a.write(p, net)
	}
	a.beat(p, net)
	if !a.Once {
		net.SetTimer(liveness, 7*net.Bound())
	}
}

// lead has a member be primary, in both versions.
func lead(p *P, net *model.Net[M]) {
	net.Rule(wins)
	p.Role, p.Votes, p.Primary = Primary, 0, net.Self()
	p.Heard, p.Acked, p.Committed, p.Wrote = model.SetOf(net.Self()), model.SetOf(net.Self()), 0, false
	net.StopTimer(election)
	net.StopTimer(takeover)
}

// acceptWrites ends the catch-up. The primary "writes a "new primary" noop oplog entry so that it
// can commit older writes as soon as possible".
func (a *Member) acceptWrites(p *P, net *model.Net[M]) {
	net.Rule(caughtUp)
	net.StopTimer(catchUp)
	p.Catching, p.Catch = false, Catch{}
	a.write(p, net)
}

// stepDown has a primary be a secondary.
func (a *Member) stepDown(p *P, net *model.Net[M]) {
	net.StopTimer(heartbeat)
	net.StopTimer(liveness)
	net.StopTimer(catchUp)
	p.Role, p.Primary, p.Heard, p.Acked, p.Committed, p.Wrote, p.Catching, p.ElectedAt = Secondary, model.None, 0, 0, 0, false, false, 0
	p.Catch = Catch{}
	a.awaitPrimary(net)
}

// updateTerm has a member learn of a higher term: "If the primary learns of a higher term", it
// steps down.
func (a *Member) updateTerm(p *P, net *model.Net[M], term uint8) {
	if term <= p.Term {
		return
	}
	net.Rule(higherTerm)
	if p.Role == Primary {
		a.stepDown(p, net)
	}
	p.Term, p.Role, p.Primary, p.Votes, p.Asks = term, Secondary, model.None, 0, model.None
	net.StopTimer(takeover)
	net.StopTimer(catchUpTakeover)
	a.awaitPrimary(net)
}

// Receive has a message arrive.
func (a *Member) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.updateTerm(p, net, m.Term)
	if (m.Type == Heartbeat || m.Type == Ack) && !p.Catching { // a primary that catches up installs none
		p.Config = max(p.Config, m.Config)
	}
	switch {
	case m.Type == RequestVotes:
		a.processRequestVotes(p, net, from.ID(), m)
	case m.Type == Heartbeat && m.Term < p.Term:
		net.Reply(M{Type: Ack, Term: p.Term, Config: p.Config})
	case m.Type == Heartbeat:
		a.follow(p, net, from.ID(), m)
	case m.Term < p.Term:
	case m.Type == Ack:
		a.acknowledge(p, net, from.ID(), m)
	case m.Type == Fetch:
		net.Reply(M{Type: Batch, Term: p.Term, Oplog: p.Oplog})
	case m.Type == Batch:
		a.fetched(p, net, m)
	case m.Granted && m.Dry && p.Role == DryRun && a.counts(p, net, from.ID()):
		a.run(p, net)
	case m.Granted && !m.Dry && p.Role == Candidate && a.counts(p, net, from.ID()):
		a.win(p, net)
	}
}

// counts adds a vote, and reports whether there is a majority, with the vote that is needed.
func (a *Member) counts(p *P, net *model.Net[M], voter model.ID) bool {
	p.Votes = p.Votes.With(voter)
	return p.Votes.Len() > net.N()/2 && (p.Asks == model.None || p.Votes.Has(p.Asks))
}

// processRequestVotes is TopologyCoordinator::processReplSetRequestVotes. A vote is stored
// before it is granted, unless it is that of a dry run.
func (a *Member) processRequestVotes(p *P, net *model.Net[M], candidate model.ID, m M) {
	why := a.judge(p, net.Self(), candidate, m)
	net.Rule(why)
	if why == grants && !m.Dry {
		p.Voted = Vote{m.Term, candidate}
		p.LastVote = p.Voted
	}
	net.Reply(M{Type: VoteResponse, Dry: m.Dry, Term: p.Term, Granted: why == grants})
}

// judge says by which rule a voter rejects or grants: "The vote is rejected if" one of its
// reasons holds. (There is one set.)
func (a *Member) judge(p *P, self, candidate model.ID, m M) model.Rule {
	switch {
	case m.Term < p.Term:
		return olderTerm
	case m.Config < p.Config:
		return otherConfig
	case m.Last.before(last(&p.Oplog)):
		return stale
	case !m.Dry && p.Voted.Term == m.Term:
		return alreadyVoted
	case a.arbiter(self) && p.Primary != model.None && a.priority(p.Primary) >= a.priority(candidate):
		return healthyPrimary
	}
	return grants
}

// follow has a member hear a heartbeat of the primary of its term, and take its oplog.
func (a *Member) follow(p *P, net *model.Net[M], primary model.ID, m M) {
	net.Rule(follows)
	if p.Role == Candidate { // another one has won the term
		p.Role, p.Votes = Secondary, 0
	}
	p.Primary = primary
	a.awaitPrimary(net)
	ahead := last(&m.Oplog).before(last(&p.Oplog))
	if !ahead {
		a.fetch(p, net, m.Oplog)
	}
	a.considerTakeover(p, net, primary, ahead)
	answer := M{Type: Ack, Term: p.Term, Last: last(&p.Oplog), Config: p.Config}
	if m.Catching && ahead && !a.Unlimited {
		answer.Oplog = p.Oplog
	}
	net.Reply(answer)
}

// fetch has a member take the oplog of its sync source. Entries that it alone has are rolled
// back.
func (a *Member) fetch(p *P, net *model.Net[M], source Oplog) {
	if a.arbiter(net.Self()) || source.Len() == 0 {
		return
	}
	if mine := last(&p.Oplog); mine != (OpTime{}) && source.Index(mine) < 0 {
		net.Rule(rollsBack)
	}
	p.Oplog = source
}

// acknowledge has a primary hear that a member is up, and which entries it has.
func (a *Member) acknowledge(p *P, net *model.Net[M], member model.ID, m M) {
	if p.Role != Primary {
		return
	}
	p.Heard = p.Heard.With(member)
	if p.Catching && a.Unlimited {
		a.hear(p, net, member, m.Last)
		return
	}
	if p.Catching {
		if m.Oplog.Len() > 0 && last(&p.Oplog).before(last(&m.Oplog)) {
			a.fetch(p, net, m.Oplog)
		}
		if p.Heard == net.Peers().With(net.Self()) {
			a.acceptWrites(p, net)
		}
		return
	}
	if m.Last != last(&p.Oplog) || int(p.Committed) == p.Oplog.Len() {
		return
	}
	p.Acked = p.Acked.With(member)
	if p.Acked.Len() > net.N()/2 {
		net.Rule(acknowledged)
		p.Committed = uint8(p.Oplog.Len())
	}
}

// Belief says whom a member takes for the primary, in which term.
func (a *Member) Belief(p *P) model.Belief {
	asking := p.Role == DryRun || p.Role == Candidate
	return model.Belief{Elected: p.Primary, Participant: asking, Epoch: uint64(p.Term)}
}
