// Package k8scoordinated is Kubernetes' coordinated leader election: candidates say which version they
// are of, and a controller of the API server gives the lease to the best one.
//
// The process with the highest id is the API server: a store with one Lease and a LeaseCandidate
// of each candidate, and the controller beside it. The others are candidates. The controller asks all
// candidates whether they are there (PingTime) before it elects. It elects the one of the oldest emulation
// version, then of the oldest binary version, and then the one whose LeaseCandidate is the oldest, of those
// that answered. If nobody holds the lease, or it has expired, the elected one is its holder. Otherwise it
// is the PreferredHolder, and the holder does not renew the lease any more. A holder begins to lead when it
// has renewed the lease, and does not lead once it could not renew it for RenewDeadline.
//
// Source: kubernetes/kubernetes, pkg/controlplane/controller/leaderelection (leaderelection_controller.go
// and election.go, as of version 1.31: later ones were not at hand), and client-go, tools/leaderelection
// (leasecandidate.go, tryCoordinatedRenew); KEP-4355.
//
// Assumes: a store that is up, and a controller that sees what the store has; clocks that show the same time.
//
// Deviations: the controller's own election among API servers is left out, as are strategies (all
// candidates have OldestEmulationVersion), and the election every 15 minutes. The LeaseCandidate of a program
// that has begun anew under another name is gone at once. A candidate renews its LeaseCandidate every ten ticks,
// and it expires after 60: of the five and thirty minutes there, a thirtieth.
package k8scoordinated

import (
	"bullyproof/model"
	"bullyproof/model/clock"
)

// most is the number of candidates at most, and former stands for a name that nobody has any more.
const (
	most   = 3
	former = model.ID(most + 2)
)

// A Version is that of a candidate's program.
type Version struct{ Emulation, Binary uint8 }

// P is the state of the API server or of a candidate.
type P struct {
	Clock clock.Clock
	// Holder and Preferred are the Lease's holder and PreferredHolder, and Until is when it expires: its
	// renewTime and duration. Of a candidate they are what it has read last, and Until is counted from
	// when it saw the change.
	Holder, Preferred model.ID
	Until             clock.Instant
	// Lasts is the Lease's duration, in seconds.
	Lasts uint8
	// Seen are the candidates that have read the Lease as it is.
	Seen model.Set
	// Candidates are the LeaseCandidates by their owners, and Order has the owners by the times of creation.
	Candidates [most]LeaseCandidate
	Order      [most]model.ID

	// Again says that a candidate's program has begun before. Leads says that it leads, and Renews
	// that a renewal has begun.
	Again, Leads, Renews bool
	// Waits is the request that it waits for, if it does; Began is when it began to renew. Lost says that
	// its last Get had no answer.
	Waits model.Kind
	Began clock.Instant
	Lost  bool
}

// A LeaseCandidate is that of the store.
type LeaseCandidate struct {
	Exists  bool
	Version Version
	// Renewed and Pinged are its renewTime and pingTime. Asked says that the pingTime is the later one.
	Renewed, Pinged clock.Instant
	Asked           bool
}

// The kinds of messages.
const (
	None      model.Kind = iota // no request: no message has it
	Candidate                   // a program has begun
	Ping                        // the API server's watch: a PingTime is set
	Ack                         // a LeaseCandidate is renewed
	Get
	Record
	Update
	Updated
)

// M is a message.
type M struct {
	Type model.Kind
	// Version is of Candidate and Ack, and Now, also of Update, is the renewTime.
	Version Version
	Now     clock.Instant
	// Lost, of Get, says that the Get before it had no answer.
	Lost bool
	// Changed, of Record, says that the Lease is another one than the candidate has read, and OK, of
	// Updated, that it was written.
	Changed, OK bool
	// Holder, Preferred and Lasts, a duration, are of Record.
	Holder, Preferred model.ID
	Lasts             uint8
}

// The timers: of candidates, and of the controller.
const (
	request  model.Timer = iota // an answer is no longer waited for
	retry                       // RetryPeriod
	deadline                    // RenewDeadline, since the renewal began
	renew                       // requeueInterval of a LeaseCandidate
	requeue                     // defaultRequeueInterval
)

var (
	rules model.Rules

	becomes    = rules.Add("Run: a candidate, by a LeaseCandidate")
	acks       = rules.Add("ensureLease: renew the LeaseCandidate")
	reminds    = rules.Add("NewCandidate: PingTime is after renewTime: renew again")
	gets       = rules.Add("tryCoordinatedRenew, 1: get the record")
	observes   = rules.Add("tryCoordinatedRenew, 2: the record has changed: observe it")
	expired    = rules.Add("tryCoordinatedRenew, 2: the lease has expired")
	others     = rules.Add("tryCoordinatedRenew, 2: another one holds it")
	endOfTerm  = rules.Add("tryCoordinatedRenew, 2b: marked as end of term: do not renew")
	updates    = rules.Add("tryCoordinatedRenew, 3: update")
	acquired   = rules.Add("acquire: became leader")
	renewed    = rules.Add("renew: renewed the lease")
	stops      = rules.Add("renew: failed until RenewDeadline: stop leading")
	optimal    = rules.Add("electionNeeded: the holder is the best one")
	pings      = rules.Add("reconcileElectionStep: set PingTime")
	waits      = rules.Add("reconcileElectionStep: wait for those that were pinged")
	nobody     = rules.Add("reconcileElectionStep: no available candidates")
	creates    = rules.Add("reconcileElectionStep: create the lease")
	takes      = rules.Add("reconcileElectionStep: expired, set another holder")
	prefers    = rules.Add("reconcileElectionStep: set PreferredHolder")
	unchanged  = rules.Add("reconcileElectionStep: already has the most optimal leader")
	clears     = rules.Add("clear a PreferredHolder without a LeaseCandidate")
	renewsAnew = rules.Add("expired, the same holder: renew the lease for it")
	swaps      = rules.Add("store: the Lease is as the candidate has read it: write")
	conflicts  = rules.Add("store: the Lease has changed: refuse")
)

// The times, in seconds: those of core components and of the controller. A request is given up after
// half a RenewDeadline. A program that has ended asks for the lease again after its downtime, when no answer to the
// one before it is under way.
const (
	leaseDuration, renewDeadline, retryPeriod, requestTimeout = 15, 10, 2, 5
	electionDuration, requeueInterval, electedFor             = 5, 5, 5
	renewInterval, validDuration, downtime                    = 10, 60, 3
)

// Election is the protocol of the API server and the candidates.
type Election struct {
	model.Passive[P, M]
	// First are the versions of P1, P2 and P3, and Later those of programs that began before.
	First, Later [most]Version
	// Renewals has LeaseCandidates expire that are not renewed, and candidates renew them.
	Renewals bool
	// Clears has the controller clear a PreferredHolder that is not the one elected, as pull request
	// 138066 does. RenewsAnew has it renew an expired lease also for the holder it had.
	Clears, RenewsAnew bool
}

func server(net *model.Net[M]) model.ID { return model.ID(net.N()) }

// Init begins a candidate's program.
func (e *Election) Init(p *P, net *model.Net[M], _ model.Boot) {
	if net.Self() != server(net) {
		e.begin(p, net)
		net.SetTimer(retry, 1)
	}
}

// Stable: a candidate has nothing on disk, and its program may be another one when it begins again. The
// store is up.
func (e *Election) Stable(p *P) { *p = P{Again: true} }

// Oldest is the longest time for which a renewal counts.
func (e *Election) Oldest() int {
	if e.Renewals {
		return validDuration + 1
	}
	return electionDuration + 1
}

// begin is Run: the program announces its candidacy and tries to acquire the lease.
func (e *Election) begin(p *P, net *model.Net[M]) {
	net.Rule(becomes)
	*p = P{Clock: p.Clock, Again: p.Again, Lost: true}
	e.renew(p, net, Candidate)
}

// renew is ensureLease: create the LeaseCandidate or renew it.
func (e *Election) renew(p *P, net *model.Net[M], kind model.Kind) {
	m := M{Type: kind, Version: e.First[net.Self()-1], Now: p.Clock.Now()}
	if p.Again {
		m.Version = e.Later[net.Self()-1]
	}
	net.SendTo(server(net), m)
	if e.Renewals {
		net.SetTimer(renew, renewInterval)
	}
}

// Timeout is what time does.
func (e *Election) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case retry:
		e.get(p, net)
	case request:
		e.again(p, net)
	case deadline:
		net.Rule(stops)
		net.StopTimer(request)
		e.begin(p, net)
		net.SetTimer(retry, downtime)
	case renew:
		net.Rule(acks)
		e.renew(p, net, Ack)
	case requeue:
		e.reconcile(p, net)
	}
}

// get is tryCoordinatedRenew, 1.
func (e *Election) get(p *P, net *model.Net[M]) {
	net.Rule(gets)
	if p.Leads && !p.Renews {
		p.Renews = true
		net.SetTimer(deadline, renewDeadline)
	}
	p.Began = p.Clock.Now()
	e.ask(p, net, M{Type: Get, Lost: p.Lost})
	p.Lost = true
}

// ask sends a request to the store and waits for its answer.
func (e *Election) ask(p *P, net *model.Net[M], m M) {
	p.Waits = m.Type
	net.SendTo(server(net), m)
	net.SetTimer(request, requestTimeout)
}

// Receive is what candidates do with messages; that of the API server is serve.
func (e *Election) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case net.Self() == server(net):
		e.serve(p, net, from.ID(), m)
	case m.Type == Ping:
		net.Rule(acks)
		e.renew(p, net, Ack)
	case p.Waits == None: // the request was given up
	case m.Type == Record:
		p.Lost = false
		net.StopTimer(request)
		e.check(p, net, m)
	case m.OK:
		net.StopTimer(request)
		e.succeed(p, net)
	default:
		net.StopTimer(request)
		e.again(p, net)
	}
}

// check is tryCoordinatedRenew, 2 and 3.
func (e *Election) check(p *P, net *model.Net[M], m M) {
	if m.Changed {
		net.Rule(observes)
		p.Holder, p.Preferred, p.Until = m.Holder, m.Preferred, p.Clock.In(int(m.Lasts))
	}
	switch {
	case p.expired():
		net.Rule(expired)
		p.Until = clock.Instant{}
	case p.Holder != net.Self():
		net.Rule(others)
	case p.Preferred != model.None:
		net.Rule(endOfTerm)
	default:
		net.Rule(updates)
		e.ask(p, net, M{Type: Update, Now: p.Began})
		return
	}
	e.again(p, net)
}

// succeed is the end of tryCoordinatedRenew with true: acquire returns, or a renewal is over.
func (e *Election) succeed(p *P, net *model.Net[M]) {
	if p.Leads {
		net.Rule(renewed)
	} else {
		net.Rule(acquired)
	}
	p.Leads, p.Renews = true, false
	net.StopTimer(deadline)
	e.again(p, net)
}

// again is the end of tryCoordinatedRenew, with true or false: the next one is in a while.
func (e *Election) again(p *P, net *model.Net[M]) {
	p.Waits, p.Began = None, clock.Instant{}
	net.SetTimer(retry, retryPeriod)
}

// Belief says who leads. A candidate does not learn here that another one does.
func (e *Election) Belief(p *P) model.Belief {
	if p.Leads {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}
