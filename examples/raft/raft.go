// Package raft is the leader election of Raft, an example of a protocol with
// terms and with heartbeats.
//
// A server that hears nothing of a leader for as long as its election timeout
// begins a new term and asks all others for their votes. Each server gives one
// vote in a term, and whoever has those of a majority leads in it. Terms are
// what makes old messages harmless: a server that learns of a higher one
// follows it. For that, a server has its term and its vote on disk before it
// answers; one that forgets its vote in a crash votes twice (forgetsVote).
//
// Servers have no log here, so that any log is up to date, and AppendEntries is
// a heartbeat. What its receiver answers is left out where it says success, as
// nobody would read it.
//
// Source: Diego Ongaro and John Ousterhout, "In Search of an Understandable
// Consensus Algorithm", USENIX ATC 2014, figure 2, sections 5.1 and 5.2.
package raft

import (
	"fmt"
	"math"

	"bullyproof/model"
)

// A Role is what a server does in its term.
type Role uint8

// The roles of a server.
const (
	Follower Role = iota
	Candidate
	Leader
)

// String returns the role as the paper has it.
func (r Role) String() string { return [...]string{"follower", "candidate", "leader"}[r] }

// P is the state of a server. The first two fields are on disk.
type P struct {
	Term     uint8    // currentTerm
	VotedFor model.ID // in that term
	Role     Role
	Votes    model.Set // of a candidate: who granted one
	Leader   model.ID  // who sent the last heartbeat of the term
}

// The kinds of messages.
const (
	RequestVote model.Kind = iota
	Vote                   // the answer to RequestVote
	AppendEntries
	Refusal // the answer to AppendEntries of an old term
)

// M is a message.
type M struct {
	Type    model.Kind
	Term    uint8
	Granted bool // voteGranted
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m with its term: "RequestVote(2)".
func (m M) String() string {
	switch m.Type {
	case RequestVote:
		return fmt.Sprintf("RequestVote(%d)", m.Term)
	case Vote:
		return fmt.Sprintf("Vote(%d,%t)", m.Term, m.Granted)
	case AppendEntries:
		return fmt.Sprintf("AppendEntries(%d)", m.Term)
	default:
		return fmt.Sprintf("Refusal(%d)", m.Term)
	}
}

const (
	electionTimer model.Timer = iota
	heartbeatTimer
)

const (
	beginElection model.Rule = iota
	grantVote
	refuseVote
	becomeLeader
	follow
	higherTerm
	oldTerm
	beat
)

// Raft is the protocol of a server.
type Raft struct {
	// Terms is how many terms are explored, since there is no end of them; 0 is
	// without a bound, to 255.
	Terms uint8
	// Heartbeats says that a leader sends them as long as it leads. Otherwise it
	// sends the first alone.
	Heartbeats bool
}

// Init begins as a follower.
func (r *Raft) Init(_ *P, net *model.Net[M], _ model.Boot) { r.setElectionTimer(net) }

// Start does nothing: elections begin by timeouts.
func (r *Raft) Start(*P, *model.Net[M]) {}

// Suspect does nothing: a server has no failure detector but its timeout.
func (r *Raft) Suspect(*P, *model.Net[M], model.ID) {}

// Stable keeps what figure 2 calls persistent state.
func (r *Raft) Stable(p *P) { *p = P{Term: p.Term, VotedFor: p.VotedFor} }

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

// setElectionTimer sets a timeout that differs from server to server. (The
// paper draws it at random.) The shortest is longer than a heartbeat takes.
func (r *Raft) setElectionTimer(net *model.Net[M]) {
	net.SetTimer(electionTimer, (3+2*int(net.Self()))*net.Bound())
}

// Timeout is the rules for followers, for candidates and for leaders of figure 2.
func (r *Raft) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == heartbeatTimer {
		r.heartbeat(p, net)
		return
	}
	net.Rule(beginElection)
	*p = P{Term: p.Term + 1, VotedFor: net.Self(), Role: Candidate, Votes: model.SetOf(net.Self())}
	r.setElectionTimer(net)
	net.Broadcast(M{Type: RequestVote, Term: p.Term})
}

// heartbeat says who leads: "upon election, and during idle periods".
func (r *Raft) heartbeat(p *P, net *model.Net[M]) {
	net.Rule(beat)
	net.Broadcast(M{Type: AppendEntries, Term: p.Term})
	if r.Heartbeats {
		net.SetTimer(heartbeatTimer, 2*net.Bound())
	}
}

// Receive is the rules for all servers, and then those of the message.
func (r *Raft) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Term > p.Term {
		net.Rule(higherTerm)
		if p.Role == Leader {
			net.StopTimer(heartbeatTimer)
			r.setElectionTimer(net)
		}
		*p = P{Term: m.Term}
	}
	switch m.Type {
	case RequestVote:
		r.vote(p, net, from.ID(), m)
	case Vote:
		if m.Term == p.Term && m.Granted && p.Role == Candidate {
			r.count(p, net, from.ID())
		}
	case AppendEntries:
		if m.Term < p.Term {
			net.Rule(oldTerm)
			net.Reply(M{Type: Refusal, Term: p.Term})
			return
		}
		net.Rule(follow)
		p.Role, p.Votes, p.Leader = Follower, 0, from.ID()
		r.setElectionTimer(net)
	}
}

// vote is the receiver's implementation of RequestVote.
func (r *Raft) vote(p *P, net *model.Net[M], candidate model.ID, m M) {
	granted := m.Term == p.Term && (p.VotedFor == model.None || p.VotedFor == candidate)
	if granted {
		net.Rule(grantVote)
		p.VotedFor = candidate
		r.setElectionTimer(net)
	} else {
		net.Rule(refuseVote)
	}
	net.Reply(M{Type: Vote, Term: p.Term, Granted: granted})
}

// count has a candidate lead that has the votes of a majority.
func (r *Raft) count(p *P, net *model.Net[M], voter model.ID) {
	p.Votes = p.Votes.With(voter)
	if p.Votes.Len() <= net.N()/2 {
		return
	}
	net.Rule(becomeLeader)
	p.Role, p.Votes, p.Leader = Leader, 0, net.Self()
	net.StopTimer(electionTimer)
	r.heartbeat(p, net)
}

// Belief says whom a server follows in which term.
func (r *Raft) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Leader, Participant: p.Role == Candidate, Epoch: uint64(p.Term)}
}

// Names gives the words of figure 2.
func (r *Raft) Names() model.Names {
	return model.Names{
		Kinds:  []string{"RequestVote", "Vote", "AppendEntries", "Refusal"},
		Timers: []model.TimerName{{Name: "election timeout"}, {Name: "heartbeat", Periodic: true}},
		Rules: []string{
			"candidates, 1: election timeout: begin a new term",
			"RequestVote, 2: grant the vote",
			"RequestVote, 1: refuse the vote",
			"candidates, 2: votes from a majority: become leader",
			"candidates, 3: AppendEntries from the leader: follow it",
			"all servers: higher term: become follower",
			"AppendEntries, 1: old term: reply false",
			"leaders, 1: heartbeat",
		},
	}
}
