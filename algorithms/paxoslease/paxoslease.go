// Package paxoslease is PaxosLease: an election for a while, by a form of Paxos whose acceptors
// have nothing on disk.
//
// Each process is an acceptor, and those that initiate are proposers also. A proposer with an
// answer of a majority to each of two requests holds the lease, and leads, until its own timer
// expires.
//
// Deviations: a proposer's own acceptor answers it at once. An acceptor discards what it does not
// accept, as in the pseudocode; the text also allows an answer that rejects. Timers of one moment
// expire in any order here, so that acceptors hold a proposal for a tick longer than T (More). The
// small and random wait before another attempt is a fixed one, longer for P2 than for P1. A node
// that restarts still wishes to hold the lease. Run counters are explored up to a bound (Runs), or
// stand in a circle of eight numbers, of which the next three are higher (CatchesUp).
//
// Source: M. Trencseni, A. Gazso and H. Reinhardt, PaxosLease: Diskless Paxos for Leases, 2012, by
// the text in the repository scalien/keyspace (doc/PaxosLease); steps and functions are named
// beside the rules.
package paxoslease

import (
	"cmp"
	"fmt"

	"bullyproof/model"
)

// A Ballot is a ballot number: "made up of a proposer id field, a restart counter field and a run
// counter field (at the most significant end)". Without a proposer it is empty.
type Ballot struct {
	Run, Restart uint8
	Proposer     model.ID
}

// circle is how many run counters there are in a circle.
const circle = 8

// less reports whether a ballot number is lower than another one.
func (b Ballot) less(other Ballot) bool {
	if b.Proposer == model.None || other.Proposer == model.None {
		return b.Proposer < other.Proposer
	}
	if b.Run != other.Run {
		return (other.Run-b.Run)%circle < circle/2
	}
	return cmp.Or(cmp.Compare(b.Restart, other.Restart), cmp.Compare(b.Proposer, other.Proposer)) < 0
}

// String returns b as in "2.P1", or "2.0.P1" where its proposer has restarted.
func (b Ballot) String() string {
	switch {
	case b.Proposer == model.None:
		return "empty"
	case b.Restart > 0:
		return fmt.Sprintf("%d.%d.%s", b.Run, b.Restart, b.Proposer.Name())
	}
	return fmt.Sprintf("%d.%s", b.Run, b.Proposer.Name())
}

// P is the state of a node.
type P struct {
	// An acceptor's: state.highestPromised and state.acceptedProposal. Silent says that the node
	// has restarted and waits before it rejoins.
	Promised, Accepted Ballot
	Silent             bool

	// A proposer's: Restarts is on disk, and Run counts the attempts since. Ballot is
	// state.ballotNumber; Open and Yes are the acceptors behind numOpen and numAccepted.
	Wishes        bool
	Restarts, Run uint8
	Phase         Phase
	Ballot        Ballot
	Open, Yes     model.Set
	// Held is the lease that the proposer holds (state.leaseOwner), Second which of two timers is
	// that of the lease, and Extended how often it was extended.
	Held     Ballot
	Second   bool
	Extended uint8
}

// Phase is how far an attempt is.
type Phase uint8

// The phases of an attempt.
const (
	Idle Phase = iota
	Preparing
	Proposing
)

// String returns the phase's name.
func (p Phase) String() string { return [...]string{"idle", "preparing", "proposing"}[p] }

// The kinds of messages.
const (
	PrepareRequest model.Kind = iota
	PrepareResponse
	ProposeRequest
	ProposeResponse
	Release
)

// M is a message: a response has an accepted proposal, and a propose request a timespan.
type M struct {
	Type             model.Kind
	Ballot, Accepted Ballot
	Span             uint8
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "PrepareResponse(1.P1,empty)".
func (m M) String() string {
	switch m.Type {
	case PrepareResponse:
		return fmt.Sprintf("%s(%v,%v)", kinds[m.Type], m.Ballot, m.Accepted)
	case ProposeRequest:
		return fmt.Sprintf("%s(%v,T=%d)", kinds[m.Type], m.Ballot, m.Span)
	}
	return fmt.Sprintf("%s(%v)", kinds[m.Type], m.Ballot)
}

// The timers: of proposers, and the last two of acceptors.
const (
	again  model.Timer = iota // the sleep before another attempt
	giveUp                    // answers are no longer waited for
	lease                     // T, of an attempt and then of the lease
	other                     // the same, of an attempt to extend the lease
	work                      // the owner extends the lease, or releases it
	expiry                    // T, of the accepted proposal
	rejoin                    // M
)

var (
	rules model.Rules

	propose = rules.Add("step 1: prepare requests")
	promise = rules.Add("step 2: promise, with the accepted proposal")
	passed  = rules.Add("step 2: the ballot number is lower than one promised: discard")
	open    = rules.Add("step 3: a majority is open: propose requests")
	accept  = rules.Add("step 4: accept the proposal")
	refuse  = rules.Add("step 4: the ballot number is lower than one promised: discard")
	acquire = rules.Add("step 5: a majority has accepted: I have the lease")
	timeout = rules.Add("the proposer's timer expires: I do not have the lease")
	empty   = rules.Add("the acceptor's timer expires: empty")
	failed  = rules.Add("no majority: sleep for a while")
	waits   = rules.Add("restart: wait before rejoining")
	extend  = rules.Add("extend the lease")
	release = rules.Add("release the lease")
	cleared = rules.Add("a release of the accepted proposal: empty")
)

// A Lease is the protocol of the nodes.
type Lease struct {
	model.Passive[P, M]
	// Span is T, for which proposers acquire the lease, and First that of P1 if it is not 0.
	Span, First int
	// More is how much longer acceptors hold a proposal.
	More int
	// Wait is how long a node waits when it has restarted, or 0.
	Wait int
	// AtPropose has a proposer start its timer in step 3, and not before its prepare requests.
	AtPropose bool
	// Patience is how long a proposer waits for a majority; 0 is two round trips.
	Patience int
	// Delay is how long P1 sleeps before another attempt. P2 sleeps for a tick more, unless it
	// is the SameDelay, or for 1 to Delay ticks where it is Random.
	Delay             int
	SameDelay, Random bool
	// Extensions is how often an owner extends its lease, and Always that it does so without end.
	Extensions uint8
	Always     bool
	// Own has any proposal of its own be the "existing proposal" of a proposer, and OneTimer has
	// the attempt to extend a lease set the timer of the lease.
	Own, OneTimer bool
	// Releases has an owner release its lease early.
	Releases bool
	// NoCounter has no restart counter on disk.
	NoCounter bool
	// Raises has an acceptor promise what it accepts.
	Raises bool
	// CatchesUp has a ballot number be higher than those that the node has promised.
	CatchesUp bool
	// Runs is up to which run counter is explored, or 0.
	Runs uint8
}

// Init has a node that restarts wait: "nodes wait M seconds before rejoining the network".
func (l *Lease) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Restart {
		return
	}
	if p.Wishes && !l.NoCounter { // "incremented each time the proposer starts up"
		p.Restarts++
	}
	switch {
	case l.Wait > 0:
		net.Rule(waits)
		p.Silent = true
		net.SetTimer(rejoin, l.Wait)
	case p.Wishes:
		net.SetTimer(again, 1)
	}
}

// Stable keeps the restart counter, which is "written to stable storage".
func (l *Lease) Stable(p *P) { *p = P{Wishes: p.Wishes, Restarts: p.Restarts} }

// Start has a proposer wish to acquire the lease.
func (l *Lease) Start(p *P, net *model.Net[M]) {
	p.Wishes = true
	l.propose(p, net)
}

// propose is step 1: a ballot number, and prepare requests. (Proposer::Propose)
func (l *Lease) propose(p *P, net *model.Net[M]) {
	net.Rule(propose)
	if l.CatchesUp && p.Promised.Proposer != model.None {
		p.Run = p.Promised.Run
	}
	p.Run = (p.Run + 1) % circle
	p.Ballot = Ballot{p.Run, p.Restarts, net.Self()}
	p.Phase, p.Open, p.Yes = Preparing, 0, 0
	if !l.AtPropose {
		net.SetTimer(l.attempt(p), l.span(net))
	}
	patience := l.Patience
	if patience == 0 {
		patience = 4 * net.Bound()
	}
	net.SetTimer(giveUp, patience)
	net.Broadcast(M{Type: PrepareRequest, Ballot: p.Ballot})
	if r, ok := l.prepare(p, net, p.Ballot); ok {
		l.prepared(p, net, net.Self(), r)
	}
}

// span is T.
func (l *Lease) span(net *model.Net[M]) int {
	if net.Self() == 1 && l.First > 0 {
		return l.First
	}
	return l.Span
}

// timer is that of the lease, and attempt that of an attempt, which an owner has beside it.
func (p *P) timer() model.Timer {
	if p.Second {
		return other
	}
	return lease
}

func (l *Lease) attempt(p *P) model.Timer {
	if p.Held == (Ballot{}) || l.OneTimer {
		return p.timer()
	}
	return lease + other - p.timer()
}

// Receive passes requests to the acceptor, and responses to the proposer. A node that has yet to
// rejoin takes no part.
func (l *Lease) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.Silent {
		return
	}
	switch m.Type {
	case PrepareRequest:
		if r, ok := l.prepare(p, net, m.Ballot); ok {
			net.Reply(r)
		}
	case PrepareResponse:
		l.prepared(p, net, from.ID(), m)
	case ProposeRequest:
		if r, ok := l.accept(p, net, m); ok {
			net.Reply(r)
		}
	case ProposeResponse:
		l.accepted(p, net, from.ID(), m)
	case Release:
		l.clear(p, net, m.Ballot)
	}
}

// prepare is step 2. (Acceptor::OnPrepareRequest)
func (l *Lease) prepare(p *P, net *model.Net[M], b Ballot) (M, bool) {
	if b.less(p.Promised) {
		net.Rule(passed)
		return M{}, false
	}
	net.Rule(promise)
	p.Promised = b
	return M{Type: PrepareResponse, Ballot: b, Accepted: p.Accepted}, true
}

// prepared is step 3: a majority is open, and the proposer proposes itself.
// (Proposer::OnPrepareResponse)
func (l *Lease) prepared(p *P, net *model.Net[M], from model.ID, m M) {
	if p.Phase != Preparing || m.Ballot != p.Ballot || !l.open(p, net, m.Accepted) {
		return
	}
	p.Open = p.Open.With(from)
	if !majority(net, p.Open) {
		return
	}
	net.Rule(open)
	p.Phase, p.Open = Proposing, 0
	if l.AtPropose {
		net.SetTimer(l.attempt(p), l.span(net))
	}
	request := M{Type: ProposeRequest, Ballot: p.Ballot, Span: uint8(l.span(net))}
	net.Broadcast(request)
	if r, ok := l.accept(p, net, request); ok {
		l.accepted(p, net, net.Self(), r)
	}
}

// open reports whether an acceptor is open to a proposer: its proposal is empty, or, "Extending
// leases", it is the proposer's "existing proposal".
func (l *Lease) open(p *P, net *model.Net[M], b Ballot) bool {
	switch {
	case b == Ballot{}:
		return true
	case l.Own:
		return b.Proposer == net.Self()
	}
	return l.extends() && b == p.Held
}

func (l *Lease) extends() bool { return l.Always || l.Extensions > 0 }

func majority(net *model.Net[M], s model.Set) bool { return s.Len() > net.N()/2 }

// accept is step 4: "if it has stored a previous proposal, it discards it".
// (Acceptor::OnProposeRequest)
func (l *Lease) accept(p *P, net *model.Net[M], m M) (M, bool) {
	if m.Ballot.less(p.Promised) {
		net.Rule(refuse)
		return M{}, false
	}
	net.Rule(accept)
	p.Accepted = m.Ballot
	if l.Raises {
		p.Promised = m.Ballot
	}
	net.SetTimer(expiry, int(m.Span)+l.More)
	return M{Type: ProposeResponse, Ballot: m.Ballot}, true
}

// accepted is step 5: "I am the lease owner". (Proposer::OnProposeResponse)
func (l *Lease) accepted(p *P, net *model.Net[M], from model.ID, m M) {
	if p.Phase != Proposing || m.Ballot != p.Ballot {
		return
	}
	p.Yes = p.Yes.With(from)
	if !majority(net, p.Yes) {
		return
	}
	net.Rule(acquire)
	net.StopTimer(giveUp)
	if p.Held != (Ballot{}) && !l.Always {
		p.Extended++
	}
	if t := l.attempt(p); t != p.timer() {
		net.StopTimer(p.timer())
		p.Second = !p.Second
	}
	p.Held, p.Ballot, p.Phase, p.Yes = p.Ballot, Ballot{}, Idle, 0
	l.setWork(p, net)
}

func (l *Lease) setWork(p *P, net *model.Net[M]) {
	if l.Releases || l.Always || p.Extended < l.Extensions {
		net.SetTimer(work, 1)
	}
}

// Timeout is what time does.
func (l *Lease) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case again:
		l.propose(p, net)
	case giveUp:
		l.abandon(p, net)
	case lease, other: // Proposer::OnTimeout
		if p.Held == (Ballot{}) || t != p.timer() {
			l.abandon(p, net)
			return
		}
		net.Rule(timeout)
		l.sleep(p, net)
	case work:
		if l.Releases {
			l.release(p, net)
			return
		}
		net.Rule(extend)
		l.propose(p, net)
	case expiry: // Acceptor::OnTimeout
		net.Rule(empty)
		p.Accepted = Ballot{}
	case rejoin:
		p.Silent = false
		if p.Wishes {
			l.propose(p, net)
		}
	}
}

// abandon is for a proposer that "cannot get a majority": it "may sleep for a while and then
// restart its algorithm at step 1". An owner that could not extend its lease tries again.
func (l *Lease) abandon(p *P, net *model.Net[M]) {
	net.Rule(failed)
	if p.Held == (Ballot{}) {
		l.sleep(p, net)
		return
	}
	net.StopTimer(giveUp)
	if t := l.attempt(p); t != p.timer() {
		net.StopTimer(t)
	}
	p.Ballot, p.Phase, p.Open, p.Yes = Ballot{}, Idle, 0, 0
	l.setWork(p, net)
}

// sleep ends attempts and leases, until the next attempt.
func (l *Lease) sleep(p *P, net *model.Net[M]) {
	for _, t := range []model.Timer{giveUp, lease, other, work} {
		net.StopTimer(t)
	}
	p.Ballot, p.Phase, p.Open, p.Yes = Ballot{}, Idle, 0, 0
	p.Held, p.Second, p.Extended = Ballot{}, false, 0
	delay := l.Delay
	switch {
	case l.Random:
		delay = 1 + net.Toss(l.Delay)
	case net.Self() == 2 && !l.SameDelay:
		delay++
	}
	if delay == 0 {
		l.propose(p, net)
		return
	}
	net.SetTimer(again, delay)
}

// release is what "Releasing leases" says: the owner "switches its internal state" before it sends
// the release messages.
func (l *Lease) release(p *P, net *model.Net[M]) {
	net.Rule(release)
	b := p.Held
	l.sleep(p, net)
	net.Broadcast(M{Type: Release, Ballot: b})
	l.clear(p, net, b)
}

// clear is the acceptor's side: it "checks whether its accepted ballot number matches".
func (l *Lease) clear(p *P, net *model.Net[M], b Ballot) {
	if p.Accepted == b {
		net.Rule(cleared)
		p.Accepted = Ballot{}
		net.StopTimer(expiry)
	}
}

// Beyond bounds the run counters.
func (l *Lease) Beyond(p *P) string {
	if l.Runs > 0 && p.Run > l.Runs {
		return fmt.Sprintf("run counter %d", p.Run)
	}
	return ""
}

// Belief says who leads: "only the proposer which has the lease knows it has the lease."
func (l *Lease) Belief(p *P) model.Belief {
	if p.Held != (Ballot{}) {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{Participant: p.Phase != Idle}
}
