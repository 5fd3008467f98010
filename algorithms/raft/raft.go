// Package raft is the leader election of Raft, with the extensions of the dissertation,
// each of them a switch. Types that embed it are variants of programs (programs.go), and
// faults (altered.go).
//
// A server that hears nothing of a leader for as long as its election timeout
// begins a new term and asks all others for their votes. Each server gives one
// vote in a term, and whoever has those of a majority leads in it. Terms are
// what makes old messages harmless: a server that learns of a higher one
// follows it. For that, a server has its term and its vote on disk before it
// answers; one that forgets its vote in a crash votes twice (forgetsVote).
//
// Sources: Diego Ongaro and John Ousterhout, "In Search of an Understandable
// Consensus Algorithm", USENIX ATC 2014, figure 2, sections 5.1, 5.2 and 5.4.1.
// Diego Ongaro, "Consensus: Bridging Theory and Practice", dissertation, Stanford
// 2014, sections 4.2.3 (stickiness), 6.2 (check of the quorum), and 9.6 (pre-vote).
//
// Assumes: a complete graph, crashes and restarts, disks that keep the term and the
// vote. For there to be a leader at all, messages that are faster than elections.
//
// Deviations: A log is its length and the term of its last entry (Log), and a leader
// adds one entry when it is elected and sends its whole log with each heartbeat.
// Without a log all logs are equal. The answer of a follower to a heartbeat is left
// out where nobody reads it. A server "hears of a leader" until its own election
// timeout expires, which differs from server to server; the dissertation has the
// minimum of all timeouts.
package raft

import (
	"fmt"
	"math"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Role is what a server does in its term.
type Role uint8

// The roles of a server.
const (
	Follower Role = iota
	Candidate
	Leader
	PreCandidate // it asks whether it would get the votes
)

// String returns the role as in the paper.
func (r Role) String() string {
	return [...]string{"follower", "candidate", "leader", "pre-candidate"}[r]
}

// P is the state of a server. The first three fields are on disk.
type P struct {
	Term     uint8    // currentTerm
	VotedFor model.ID // in that term
	Log      Log
	Role     Role
	Votes    model.Set // of a candidate: who granted one
	Leader   model.ID  // who sent the last heartbeat of the term
	Heard    model.Set // of a leader: who answered since the last check of its quorum
	// Was and Upgraded are of the types that embed Raft, which never sets them: leadsOn and
	// goesBack, and Rollout. They are here since each method would need a second version for a
	// state of another type.
	Was      uint8
	Upgraded bool
}

// A Log is how up to date a log is, section 5.4.1.
type Log struct {
	Term uint8 // of the last entry
	Len  uint8
}

// behind reports whether another log is more up to date: "If the logs have last entries
// with different terms, then the log with the later term is more up-to-date. If the logs
// end with the same term, then whichever log is longer is more up-to-date."
func (l Log) behind(other Log) bool {
	return l.Term < other.Term || l.Term == other.Term && l.Len < other.Len
}

// The kinds of messages.
const (
	RequestVote model.Kind = iota
	Vote                   // the answer to RequestVote
	AppendEntries
	Refusal  // the answer to AppendEntries of an old term
	PreVote  // asks for what would be the answer to RequestVote
	PreVoted // the answer to PreVote
	Success  // the answer to AppendEntries, where somebody reads it
)

// M is a message.
type M struct {
	Type    model.Kind
	Term    uint8
	Granted bool // voteGranted
	Log     Log  // of a candidate, or a leader
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m with its term: "RequestVote(2)". A log follows, where there is one.
func (m M) String() string {
	text := fmt.Sprintf("%s(%d", kinds[m.Type], m.Term)
	if m.Type == Vote || m.Type == PreVoted {
		text += fmt.Sprintf(",%t", m.Granted)
	}
	if m.Log.Len > 0 {
		text += fmt.Sprintf(",log %d:%d", m.Log.Term, m.Log.Len)
	}
	return text + ")"
}

const (
	electionTimer model.Timer = iota
	heartbeatTimer
	quorumTimer
)

var (
	rules model.Rules

	beginElection = rules.Add("candidates, 1: election timeout: begin a new term")
	grantVote     = rules.Add("RequestVote, 2: grant the vote")
	refuseVote    = rules.Add("RequestVote, 1: refuse the vote")
	becomeLeader  = rules.Add("candidates, 2: votes from a majority: become leader")
	follow        = rules.Add("candidates, 3: AppendEntries from the leader: follow it")
	higherTerm    = rules.Add("all servers: higher term: become follower")
	oldTerm       = rules.Add("AppendEntries, 1: old term: reply false")
	beat          = rules.Add("leaders, 1: heartbeat")
	askFirst      = rules.Add("9.6: election timeout: ask for pre-votes")
	grantPreVote  = rules.Add("9.6: grant the pre-vote")
	refusePreVote = rules.Add("9.6: refuse the pre-vote")
	ignoreVote    = rules.Add("4.2.3: hears of a leader: ignore the request for a vote")
	lostQuorum    = rules.Add("6.2: no majority has answered: step down")
)

// Raft is the protocol of a server. The zero value is figure 2 of the paper, without
// logs, and with one heartbeat.
type Raft struct {
	// Terms is how many terms are explored, since there is no end of them; 0 is
	// without a bound, to 255.
	Terms uint8
	// Drawn is the shortest election timeout in delays, and from how many values the ticks
	// above it are drawn (5.2); with 0 timeouts differ from server to server.
	Drawn int
	// Heartbeats says that a leader sends them as long as it leads. Otherwise it
	// sends the first alone.
	Heartbeats bool
	// Logs has a leader add an entry when it is elected, and candidates refused whose
	// log is behind (5.4.1).
	Logs bool
	// PreVote has a server ask whether it would get the votes before it begins a term
	// (9.6).
	PreVote bool
	// CheckQuorum has a leader step down that hears of no majority (6.2).
	CheckQuorum bool
	// Sticky has a server that hears of a leader ignore requests for votes (4.2.3).
	Sticky bool
}

// Init begins as a follower.
func (r *Raft) Init(_ *P, net *model.Net[M], _ model.Boot) { r.setElectionTimer(net) }

// Start does nothing: elections begin by timeouts.
func (r *Raft) Start(*P, *model.Net[M]) {}

// Suspect does nothing: a server has no failure detector but its timeout.
func (r *Raft) Suspect(*P, *model.Net[M], model.ID) {}

// Stable keeps what figure 2 calls persistent state.
func (r *Raft) Stable(p *P) { *p = P{Term: p.Term, VotedFor: p.VotedFor, Log: p.Log} }

// Settle is the state after the first election, in term 1.
func (r *Raft) Settle(p *P, self, coordinator model.ID, _ model.Set) {
	*p = P{Term: 1, VotedFor: coordinator, Leader: coordinator}
	if self == coordinator {
		p.Role, p.Heard = Leader, r.heard(self)
	}
	if r.Logs {
		p.Log = Log{1, 1}
	}
}

// Wake sets the timers of a server after an election.
func (r *Raft) Wake(p *P, net *model.Net[M]) {
	if p.Role != Leader {
		r.setElectionTimer(net)
		return
	}
	r.setLeaderTimers(net)
}

// Beyond bounds the terms: to Terms, and to what a term has bits for in any case.
func (r *Raft) Beyond(p *P) string {
	bound := r.Terms
	if bound == 0 {
		bound = math.MaxUint8 - 1
	}
	if p.Term <= bound {
		return ""
	}
	return fmt.Sprintf("term %d", p.Term)
}

// Symmetric says that ids decide nothing but how long election timeouts are.
func (r *Raft) Symmetric(s setting.Setting) bool {
	return r.Drawn > 0 || s.Timing.Kind == setting.Asynchronous || s.Timing.Kind == setting.Patient
}

func (r *Raft) setElectionTimer(net *model.Net[M]) { net.SetTimer(electionTimer, r.timeout(net)) }

// timeout is how long a server waits until it begins an election: "election timeouts are
// chosen randomly from a fixed interval (e.g., 150–300ms)" (5.2), or they differ from server
// to server. The shortest is longer than a heartbeat takes.
func (r *Raft) timeout(net *model.Net[M]) int {
	if r.Drawn > 0 {
		return r.Drawn*net.Bound() + net.Toss(r.Drawn)
	}
	return (3 + 2*int(net.Self())) * net.Bound()
}

func (r *Raft) setLeaderTimers(net *model.Net[M]) {
	if r.Heartbeats {
		net.SetTimer(heartbeatTimer, 2*net.Bound())
	}
	if r.CheckQuorum && !net.IsSet(quorumTimer) {
		net.SetTimer(quorumTimer, 5*net.Bound())
	}
}

// heard is who has answered a leader when it begins to count.
func (r *Raft) heard(self model.ID) model.Set {
	if !r.CheckQuorum {
		return 0
	}
	return model.SetOf(self)
}

// Timeout is the rules for followers, for candidates and for leaders of figure 2.
func (r *Raft) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t == heartbeatTimer:
		r.heartbeat(p, net)
	case t == quorumTimer && p.Heard.Len() <= net.N()/2:
		net.Rule(lostQuorum)
		r.stepDown(p, net)
		p.Role, p.Leader, p.Heard = Follower, model.None, 0
	case t == quorumTimer:
		p.Heard = model.SetOf(net.Self())
		net.SetTimer(quorumTimer, 5*net.Bound())
	case r.PreVote:
		r.ask(p, net)
	default:
		r.begin(p, net)
	}
}

// ask has a server ask whether it would get the votes: section 9.6, "a candidate only
// increments its term if it first learns from a majority of the cluster that they would
// be willing to grant the candidate their votes".
func (r *Raft) ask(p *P, net *model.Net[M]) {
	net.Rule(askFirst)
	p.Role, p.Votes, p.Leader = PreCandidate, model.SetOf(net.Self()), model.None
	r.setElectionTimer(net)
	net.Broadcast(M{Type: PreVote, Term: p.Term + 1, Log: p.Log})
}

// begin has a server begin a new term.
func (r *Raft) begin(p *P, net *model.Net[M]) {
	net.Rule(beginElection)
	*p = P{Term: p.Term + 1, VotedFor: net.Self(), Log: p.Log, Role: Candidate, Votes: model.SetOf(net.Self())}
	r.setElectionTimer(net)
	net.Broadcast(M{Type: RequestVote, Term: p.Term, Log: p.Log})
}

// heartbeat says who leads: "upon election, and during idle periods".
func (r *Raft) heartbeat(p *P, net *model.Net[M]) {
	if p.Role != Leader {
		return // of two leaders in a term, which a fault may have elected, it follows the other
	}
	net.Rule(beat)
	net.Broadcast(M{Type: AppendEntries, Term: p.Term, Log: p.Log})
	r.setLeaderTimers(net)
}

// stepDown stops what a leader does, if the server is one.
func (r *Raft) stepDown(p *P, net *model.Net[M]) {
	if p.Role != Leader {
		return
	}
	net.StopTimer(heartbeatTimer)
	if r.CheckQuorum {
		net.StopTimer(quorumTimer)
	}
	r.setElectionTimer(net)
}

// Receive is the rules for all servers, and then those of the message.
func (r *Raft) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type == PreVote && refuses(p, m):
		refuse(p, net)
		return
	case m.Type == PreVote:
		grant(net, m.Term)
		return
	case m.Type == PreVoted && m.Granted:
		if wouldElect(p, net, from.ID(), m.Term) {
			r.begin(p, net)
		}
		return
	case m.Type == RequestVote && r.Sticky && p.Leader != model.None:
		net.Rule(ignoreVote)
		return
	}
	r.learn(p, net, m.Term)
	switch m.Type {
	case RequestVote:
		r.vote(p, net, from.ID(), m)
	case Vote:
		if elects(p, net, from.ID(), m) {
			r.lead(p, net)
			r.heartbeat(p, net)
		}
	case AppendEntries:
		r.append(p, net, from.ID(), m)
	case Success:
		if m.Term == p.Term && p.Role == Leader {
			p.Heard = p.Heard.With(from.ID())
		}
	}
}

// learn is the rule for all servers: "If RPC request or response contains term T >
// currentTerm: set currentTerm = T, convert to follower".
func (r *Raft) learn(p *P, net *model.Net[M], term uint8) {
	if term <= p.Term {
		return
	}
	net.Rule(higherTerm)
	r.stepDown(p, net)
	*p = P{Term: term, Log: p.Log}
}

// append is the receiver's implementation of AppendEntries.
func (r *Raft) append(p *P, net *model.Net[M], leader model.ID, m M) {
	if m.Term < p.Term {
		net.Rule(oldTerm)
		net.Reply(M{Type: Refusal, Term: p.Term})
		return
	}
	r.setElectionTimer(net)
	r.follow(p, net, leader, m)
}

// follow has a server follow a leader, and take its log.
func (r *Raft) follow(p *P, net *model.Net[M], leader model.ID, m M) {
	net.Rule(follow)
	p.Role, p.Votes, p.Leader, p.Log = Follower, 0, leader, m.Log
	if r.CheckQuorum {
		net.Reply(M{Type: Success, Term: p.Term})
	}
}

// vote is the receiver's implementation of RequestVote.
func (r *Raft) vote(p *P, net *model.Net[M], candidate model.ID, m M) {
	granted := m.Term == p.Term && (p.VotedFor == model.None || p.VotedFor == candidate) && !m.Log.behind(p.Log)
	if granted {
		net.Rule(grantVote)
		p.VotedFor = candidate
		r.setElectionTimer(net)
	} else {
		net.Rule(refuseVote)
	}
	net.Reply(M{Type: Vote, Term: p.Term, Granted: granted})
}

// refuses reports whether a server refuses a pre-vote, as it would refuse its vote. One that
// hears of a leader does, "in the absence of leader failures".
func refuses(p *P, m M) bool {
	return m.Term <= p.Term || p.Leader != model.None || m.Log.behind(p.Log)
}

func refuse(p *P, net *model.Net[M]) {
	net.Rule(refusePreVote)
	net.Reply(M{Type: PreVoted, Term: p.Term})
}

func grant(net *model.Net[M], term uint8) {
	net.Rule(grantPreVote)
	net.Reply(M{Type: PreVoted, Term: term, Granted: true})
}

// wouldElect counts a pre-vote that was granted, and reports whether the server still asks and
// would have the votes of a majority.
func wouldElect(p *P, net *model.Net[M], voter model.ID, term uint8) bool {
	if term != p.Term+1 || p.Role != PreCandidate {
		return false
	}
	p.Votes = p.Votes.With(voter)
	return p.Votes.Len() > net.N()/2
}

// elects counts a vote, and reports whether the candidate has those of a majority.
func elects(p *P, net *model.Net[M], voter model.ID, m M) bool {
	if m.Term != p.Term || !m.Granted || p.Role != Candidate {
		return false
	}
	p.Votes = p.Votes.With(voter)
	return p.Votes.Len() > net.N()/2
}

// lead has a candidate lead that is elected.
func (r *Raft) lead(p *P, net *model.Net[M]) {
	net.Rule(becomeLeader)
	p.Role, p.Votes, p.Leader, p.Heard = Leader, 0, net.Self(), r.heard(net.Self())
	if r.Logs {
		p.Log = Log{p.Term, p.Log.Len + 1}
	}
	net.StopTimer(electionTimer)
}

// Belief says whom a server follows in which term.
func (r *Raft) Belief(p *P) model.Belief {
	asking := p.Role == Candidate || p.Role == PreCandidate
	return model.Belief{Elected: p.Leader, Participant: asking, Epoch: uint64(p.Term)}
}
