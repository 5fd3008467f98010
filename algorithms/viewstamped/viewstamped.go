// Package viewstamped is the view change of Viewstamped Replication, with its recovery of
// replicas that have no disk.
//
// Replicas move through views, which have numbers. The primary of a view follows from its
// number, round robin. A replica that does not hear of its primary begins the next view
// (StartViewChange). Once f others of the 2f+1 replicas do so too, it sends its log to the
// new primary (DoViewChange), and who has f+1 logs starts the view (StartView). A replica that
// comes back after a crash has forgotten all. It asks the others, and is none of those that
// count until f+1 of them have answered, the primary of the latest view among them.
//
// Source: Barbara Liskov and James Cowling, "Viewstamped Replication Revisited",
// MIT-CSAIL-TR-2012-021, sections 4.2, 4.3, 5.2 and 8; of section 4.1 what views rest on.
// Its critics: Ellis Michael, Dan Ports, Naveen Sharma and Adriana Szekeres, "Recovering Shared
// Objects Without Stable Storage", DISC 2017, section 6, and "Providing Stable Storage for the
// Diskless Crash-Recovery Failure Model", UW-CSE-16-08-02, appendix A.1.
//
// Assumes: a complete graph, messages that are late, lost or out of order, crashes and
// restarts of at most f replicas at once, no disk (a nonce needs a counter or a clock).
//
// Deviations: Views count from 1, so that a replica that recovers and has learnt of none has 0. An
// operation is the number of the view in which it was taken, and a primary takes one in each view
// (Requests). Its messages have its whole log, so that state transfer takes no message of its own.
// There are no clients, and no reconfiguration.
package viewstamped

import (
	"fmt"

	"bullyproof/model"
	"bullyproof/model/list"
)

// A Status is that of a replica.
type Status uint8

// The statuses.
const (
	Normal Status = iota
	ViewChange
	Recovering
)

// String returns the status as in the paper.
func (s Status) String() string { return [...]string{"normal", "view-change", "recovering"}[s] }

// A Log has the operations by op-number, each as the view in which it was taken.
type Log = list.Of[uint8, [most]uint8]

// most is the number of operations at most.
const most = 4

// P is the state of a replica. The nonce alone outlives a crash.
type P struct {
	View   uint8 // view-number
	Status Status
	Normal uint8 // the latest view in which its status was normal
	Log    Log   // as long as op-number
	Commit uint8 // commit-number
	Nonce  uint8 // of its last recovery
	// Primary is that of the view, where its status is normal.
	Primary model.ID

	// Heard are, in a view change, whose StartViewChange it has; in a recovery, who has
	// responded; of a primary, whose PrepareOK for its last operation.
	Heard model.Set
	// Done are, in a view change, whose DoViewChange the new primary has; in a recovery, the
	// primary of the latest view, once that has responded. Best is the log to take.
	Done model.Set
	Best Logged
	Sent bool // it has sent its DoViewChange
}

// A Logged is the log of a replica whose status was last normal in a view.
type Logged struct {
	Normal uint8
	Log    Log
	Commit uint8
}

// The kinds of messages.
const (
	StartViewChange model.Kind = iota
	DoViewChange
	StartView
	Recovery
	RecoveryResponse
	Prepare
	PrepareOK
	Commit
)

// M is a message. Of a RecoveryResponse only that of the primary has a log.
type M struct {
	Type  model.Kind
	View  uint8
	Nonce uint8
	Op    uint8 // of PrepareOK
	Logged
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m with its view: "StartViewChange(1)".
func (m M) String() string {
	text := fmt.Sprintf("%s(%d", kinds[m.Type], m.View)
	switch m.Type {
	case Recovery, RecoveryResponse:
		text += fmt.Sprintf(",nonce %d", m.Nonce)
	case DoViewChange:
		text += fmt.Sprintf(",normal in %d", m.Normal)
	case PrepareOK:
		text += fmt.Sprintf(",%d", m.Op)
	}
	if m.Log.Len() > 0 {
		text += fmt.Sprintf(",log %v,%d", m.Log, m.Commit)
	}
	return text + ")"
}

const (
	viewTimer model.Timer = iota
	commitTimer
)

var (
	rules model.Rules

	notice    = rules.Add("4.2, 1: notice the need for a view change")
	sendLog   = rules.Add("4.2, 2: f others do: send the log to the new primary")
	begin     = rules.Add("4.2, 3: f+1 logs: start the view")
	started   = rules.Add("4.2, 5: the view has started")
	behind    = rules.Add("5.2: the sender is ahead: take its state")
	recovers  = rules.Add("4.3, 1: ask the others")
	responds  = rules.Add("4.3, 2: respond")
	recovered = rules.Add("4.3, 3: f+1 responses, one of the latest primary: recovered")
	request   = rules.Add("4.1, 3: take a request")
	prepare   = rules.Add("4.1, 4: prepare")
	commit    = rules.Add("4.1, 6: tell of the latest commit")
	commits   = rules.Add("4.1, 5: f others have it: commit")
	old       = rules.Add("4.1: the sender is behind: drop")
)

// VR is the protocol of a replica. The zero value is the paper's, with no more than view
// changes and recovery.
type VR struct {
	// Views is the last view that is explored; 0 is as many as a log has room for.
	Views uint8
	// Heartbeats has a primary send Commit as long as it is one (4.1, 6), and a replica that
	// recovers ask again.
	Heartbeats bool
	// Requests has a primary take a request in each view (4.1).
	Requests bool
	// OneExchange leaves out StartViewChange (8.2).
	OneExchange bool
	// Disk has a replica write its view-number to disk (8.2).
	Disk bool
	// NoNonce leaves out nonces (8.2).
	NoNonce bool
	// GoesOn has a replica accept what the old primary prepares during a view change (8.1).
	GoesOn bool
}

// primary is who leads in a view: "chosen round-robin, starting with replica 1".
func primary(n int, view uint8) model.ID { return model.ID((int(view)-1)%n) + 1 }

// leads reports whether the replica is the primary of a view.
func leads(net *model.Net[M], view uint8) bool { return primary(net.N(), view) == net.Self() }

// f is how many replicas may fail.
func f(net *model.Net[M]) int { return (net.N() - 1) / 2 }

// patience is how long a replica waits for its primary, for a view to start, or for responses.
func patience(net *model.Net[M]) int { return 5 * net.Bound() }

// Init begins in view 1, or with the recovery (4.3, 1).
func (r *VR) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Restart {
		p.View, p.Normal, p.Primary = 1, 1, primary(net.N(), 1)
		r.Wake(p, net)
		return
	}
	p.Status = Recovering
	if !r.NoNonce {
		p.Nonce++
	}
	r.ask(p, net)
}

// Start does nothing: view changes begin by timeouts.
func (r *VR) Start(*P, *model.Net[M]) {}

// Suspect does nothing: a replica has no failure detector but its timeout.
func (r *VR) Suspect(*P, *model.Net[M], model.ID) {}

// Stable keeps the nonce, "a counter on disk".
func (r *VR) Stable(p *P) {
	kept := P{Nonce: p.Nonce}
	if r.Disk {
		kept.View = p.View
	}
	*p = kept
}

// Settle is the state in the first view of a primary.
func (r *VR) Settle(p *P, _, coordinator model.ID, _ model.Set) {
	*p = P{View: uint8(coordinator), Normal: uint8(coordinator), Primary: coordinator}
}

// Wake sets the timers of a replica whose status is normal.
func (r *VR) Wake(p *P, net *model.Net[M]) {
	if !leads(net, p.View) {
		net.SetTimer(viewTimer, patience(net))
	} else if r.Heartbeats || r.Requests {
		net.SetTimer(commitTimer, 2*net.Bound())
	}
}

// Beyond bounds the views.
func (r *VR) Beyond(p *P) string {
	if p.View > most || r.Views > 0 && p.View > r.Views {
		return fmt.Sprintf("view %d", p.View)
	}
	return ""
}

// Timeout is what a replica does that waits in vain, and a primary whose turn it is to say
// something.
func (r *VR) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t == commitTimer:
		r.say(p, net)
	case p.Status == Recovering:
		r.ask(p, net)
	default:
		r.change(p, net, p.View+1)
	}
}

// ask has a replica recover: 4.3, 1.
func (r *VR) ask(p *P, net *model.Net[M]) {
	net.Rule(recovers)
	net.Broadcast(M{Type: Recovery, Nonce: p.Nonce})
	if r.Heartbeats {
		net.SetTimer(viewTimer, patience(net))
	}
}

// say has a primary take a request, or tell of the latest commit: 4.1, 3 and 6.
func (r *VR) say(p *P, net *model.Net[M]) {
	m := M{Type: Commit, View: p.View}
	taken := p.Log.Len() > 0 && p.Log.At(p.Log.Len()-1) == p.View
	if r.Requests && !taken && int(p.Commit) == p.Log.Len() {
		net.Rule(request)
		p.Log.Append(p.View)
		p.Heard = 0
		m.Type = Prepare
	} else {
		net.Rule(commit)
	}
	m.Logged = Logged{Log: p.Log, Commit: p.Commit}
	net.Broadcast(m)
	if r.Heartbeats {
		net.SetTimer(commitTimer, 2*net.Bound())
	}
}

// change has a replica begin a view: 4.2, 1.
func (r *VR) change(p *P, net *model.Net[M], view uint8) {
	net.Rule(notice)
	*p = P{View: view, Status: ViewChange, Normal: p.Normal, Log: p.Log, Commit: p.Commit, Nonce: p.Nonce}
	net.StopTimer(commitTimer)
	net.SetTimer(viewTimer, patience(net))
	if r.OneExchange {
		r.send(p, net)
		return
	}
	net.Broadcast(M{Type: StartViewChange, View: view})
}

// send has a replica send its log to the new primary: 4.2, 2.
func (r *VR) send(p *P, net *model.Net[M]) {
	net.Rule(sendLog)
	p.Sent = true
	own := Logged{p.Normal, p.Log, p.Commit}
	if leads(net, p.View) {
		r.count(p, net, net.Self(), own)
		return
	}
	net.SendTo(primary(net.N(), p.View), M{Type: DoViewChange, View: p.View, Logged: own})
}

// count has the new primary take a log, and start the view once it has f+1: 4.2, 3.
func (r *VR) count(p *P, net *model.Net[M], of model.ID, log Logged) {
	if p.Done.Empty() || log.Normal > p.Best.Normal || log.Normal == p.Best.Normal && log.Log.Len() > p.Best.Log.Len() {
		p.Best.Normal, p.Best.Log = log.Normal, log.Log
	}
	p.Best.Commit = max(p.Best.Commit, log.Commit)
	p.Done = p.Done.With(of)
	if p.Done.Len() <= f(net) {
		return
	}
	net.Rule(begin)
	net.StopTimer(viewTimer)
	r.enter(p, net, p.View, p.Best)
	net.Broadcast(M{Type: StartView, View: p.View, Logged: Logged{Log: p.Log, Commit: p.Commit}})
}

// enter has the status of a replica be normal in a view.
func (r *VR) enter(p *P, net *model.Net[M], view uint8, log Logged) {
	*p = P{View: view, Normal: view, Primary: primary(net.N(), view), Log: log.Log, Commit: max(p.Commit, log.Commit), Nonce: p.Nonce}
	net.StopTimer(commitTimer)
	r.Wake(p, net)
}

// Receive takes a message. A replica that recovers takes part in nothing else (4.3).
func (r *VR) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type == Recovery:
		r.respond(p, net, m)
	case m.Type == RecoveryResponse:
		r.learn(p, net, from.ID(), m)
	case p.Status == Recovering:
	case r.GoesOn && m.Type == Prepare && p.Status == ViewChange && m.View == p.Normal:
		p.Log = m.Log
		net.Reply(M{Type: PrepareOK, View: m.View, Op: uint8(p.Log.Len())})
	case m.View < p.View:
		net.Rule(old)
	case m.Type == StartViewChange || m.Type == DoViewChange:
		r.join(p, net, from.ID(), m)
	case m.Type == PrepareOK:
		r.prepared(p, net, from.ID(), m)
	default:
		r.follow(p, net, m)
	}
}

// join has a replica take part in a view change.
func (r *VR) join(p *P, net *model.Net[M], from model.ID, m M) {
	if m.View > p.View {
		r.change(p, net, m.View)
	}
	switch {
	case p.Status != ViewChange:
	case m.Type == DoViewChange:
		r.count(p, net, from, m.Logged)
	default:
		p.Heard = p.Heard.With(from)
		if p.Heard.Len() >= f(net) && !p.Sent {
			r.send(p, net)
		}
	}
}

// follow has a replica take what the primary of its view says, or that of a later view: 4.1, 4
// and 7, 4.2, 5, and 5.2.
func (r *VR) follow(p *P, net *model.Net[M], m M) {
	switch {
	case m.View == p.View && p.Status == Normal:
		if m.Log.Len() > p.Log.Len() {
			net.Rule(prepare)
			p.Log = m.Log
		}
		p.Commit = max(p.Commit, m.Commit)
		net.SetTimer(viewTimer, patience(net))
	case m.Type == StartView:
		net.Rule(started)
		r.enter(p, net, m.View, m.Logged)
	default:
		net.Rule(behind)
		r.enter(p, net, m.View, m.Logged)
	}
	if p.Log.Len() > int(p.Commit) {
		net.Reply(M{Type: PrepareOK, View: p.View, Op: uint8(p.Log.Len())})
	}
}

// prepared has a primary commit what f others have: 4.1, 5.
func (r *VR) prepared(p *P, net *model.Net[M], from model.ID, m M) {
	if m.View != p.View || p.Status != Normal || int(m.Op) != p.Log.Len() {
		return
	}
	p.Heard = p.Heard.With(from)
	if p.Heard.Len() == f(net) {
		net.Rule(commits)
		p.Commit = m.Op
	}
}

// respond answers a replica that recovers: 4.3, 2.
func (r *VR) respond(p *P, net *model.Net[M], m M) {
	if p.Status != Normal {
		return
	}
	net.Rule(responds)
	response := M{Type: RecoveryResponse, View: p.View, Nonce: m.Nonce}
	if leads(net, p.View) {
		response.Logged = Logged{Log: p.Log, Commit: p.Commit}
	}
	net.Reply(response)
}

// learn has a replica that recovers take a response: 4.3, 3.
func (r *VR) learn(p *P, net *model.Net[M], from model.ID, m M) {
	if p.Status != Recovering || m.Nonce != p.Nonce {
		return
	}
	p.Heard = p.Heard.With(from)
	if m.View > p.View {
		p.View, p.Done, p.Best = m.View, 0, Logged{}
	}
	if m.View == p.View && from == primary(net.N(), m.View) {
		p.Done, p.Best = model.SetOf(from), m.Logged
	}
	if p.Heard.Len() > f(net) && !p.Done.Empty() {
		net.Rule(recovered)
		r.enter(p, net, p.View, p.Best)
	}
}

// Belief says who is the primary of the replica's view.
func (r *VR) Belief(p *P) model.Belief {
	b := model.Belief{Participant: p.Status != Normal, Epoch: uint64(p.View)}
	if p.Status == Normal {
		b.Elected = p.Primary
	}
	return b
}
