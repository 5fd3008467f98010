package zen

import (
	"fmt"

	"bullyproof/model"
)

// C is the state of a node from version 7 on.
type C struct {
	// Term is the current one, and is on disk (PersistedState).
	Term uint8
	// Started says that it has joined in that term since it was started last.
	Started bool
	// MaxTerm is the highest term that it heard of, if it is above its own.
	MaxTerm uint8
	// Role is Electing (a candidate), Follower or Master, and Master whom it follows.
	Role   Role
	Master model.ID
	// PreVotes are those of its round, Joins those in its term, and Heard who answered the
	// last checks of a master.
	PreVotes, Joins, Heard model.Set
}

// V is a message from version 7 on.
type V struct {
	Type model.Kind
	Term uint8
}

// The kinds of messages from version 7 on. TooOld stands for a join request with a minimum term.
const (
	PreVote model.Kind = iota
	PreVoteResponse
	StartJoin
	Join
	Check // a cluster state, or a check of a follower
	CheckResponse
	TooOld
)

var coordinationKinds = []string{"PreVote", "PreVoteResponse", "StartJoin", "Join", "Check", "CheckResponse", "TooOld"}

// Kind returns the kind of m.
func (m V) Kind() model.Kind { return m.Type }

// String returns m as in "StartJoin(2)".
func (m V) String() string { return fmt.Sprintf("%s(%d)", coordinationKinds[m.Type], m.Term) }

const (
	electionTimer model.Timer = iota // ElectionSchedulerFactory
	leaderTimer                      // LeaderChecker
	checkTimer                       // FollowersChecker
)

const (
	startPreVote model.Rule = iota
	refusePreVote
	startElection
	startJoin
	wonElection
	followMaster
	leaderFailed
	quorumLost
	bumpTerm
)

// Coordination is the election from version 7 on, of a voting configuration that has all nodes
// and does not change. All cluster states are equally new.
type Coordination struct {
	model.Passive[C, V]
	// Terms is how many are explored; 0 is as many as a term counts.
	Terms uint8
}

// Init has a node look for a master.
func (z *Coordination) Init(p *C, net *model.Net[V], _ model.Boot) { z.candidate(p, net) }

// Stable keeps the term.
func (*Coordination) Stable(p *C) { *p = C{Term: p.Term} }

// candidate is becomeCandidate.
func (z *Coordination) candidate(p *C, net *model.Net[V]) {
	p.Role, p.Master, p.PreVotes, p.Heard = Electing, model.None, 0, 0
	net.StopTimer(leaderTimer)
	net.StopTimer(checkTimer)
	net.SetTimer(electionTimer, z.wait(net))
}

// wait differs from node to node by more than an election takes: it stands for a random time.
func (*Coordination) wait(net *model.Net[V]) int { return (7*int(net.Self()) - 1) * net.Bound() }

// Timeout begins a round of pre-votes, or ends the trust in a master or in followers.
func (z *Coordination) Timeout(p *C, net *model.Net[V], t model.Timer) {
	switch t {
	case electionTimer:
		net.Rule(startPreVote)
		p.PreVotes = model.SetOf(net.Self())
		net.Broadcast(V{PreVote, p.Term})
		net.SetTimer(electionTimer, z.wait(net))
	case leaderTimer:
		net.Rule(leaderFailed)
		z.candidate(p, net)
	case checkTimer:
		if !quorum(p.Heard, net) {
			net.Rule(quorumLost)
			z.candidate(p, net)
			return
		}
		z.check(p, net)
	}
}

// quorum reports whether nodes are a majority of the voting configuration (isElectionQuorum).
func quorum(nodes model.Set, net *model.Net[V]) bool { return nodes.Len() > net.N()/2 }

func (*Coordination) check(p *C, net *model.Net[V]) {
	p.Heard = model.SetOf(net.Self())
	net.Broadcast(V{Check, p.Term})
	net.SetTimer(checkTimer, 2*net.Bound()+1)
}

// Receive handles a message.
func (z *Coordination) Receive(p *C, net *model.Net[V], from model.Port, m V) {
	switch m.Type {
	case PreVote: // PreVoteCollector.handlePreVoteRequest
		z.seen(p, net, m.Term)
		if p.Master != model.None && p.Master != from.ID() {
			net.Rule(refusePreVote)
			return
		}
		net.Reply(V{PreVoteResponse, p.Term})
	case PreVoteResponse: // PreVotingRound.handlePreVoteResponse
		z.seen(p, net, m.Term)
		if p.PreVotes.Empty() {
			return // its round is over
		}
		if p.PreVotes = p.PreVotes.With(from.ID()); quorum(p.PreVotes, net) {
			z.elect(p, net)
		}
	case StartJoin: // joinLeaderInTerm
		if z.startJoin(p, net, m.Term) {
			net.Reply(V{Join, m.Term})
		}
	case Join: // handleJoin
		if z.startJoin(p, net, m.Term) { // ensureTermAtLeast
			p.Joins = model.SetOf(net.Self())
		}
		z.join(p, net, from.ID(), m.Term)
	case Check: // onFollowerCheckRequest, handlePublishRequest
		z.follow(p, net, from.ID(), m.Term)
	case CheckResponse:
		if p.Role == Master && m.Term == p.Term {
			p.Heard = p.Heard.With(from.ID())
		}
	case TooOld:
		z.seen(p, net, m.Term)
	}
}

// seen is updateMaxTermSeen: a master of an older term begins a new one.
func (z *Coordination) seen(p *C, net *model.Net[V], term uint8) {
	if term <= max(p.Term, p.MaxTerm) {
		return
	}
	p.MaxTerm = term
	if p.Role == Master {
		net.Rule(bumpTerm)
		z.elect(p, net)
	}
}

// elect is startElection: all are to join in a term above all that were seen.
func (z *Coordination) elect(p *C, net *model.Net[V]) {
	net.Rule(startElection)
	z.startJoin(p, net, max(p.Term, p.MaxTerm)+1)
	p.PreVotes = 0
	net.Broadcast(V{StartJoin, p.Term})
	z.join(p, net, net.Self(), p.Term)
}

// startJoin is handleStartJoin: it joins in a term that is above its own, and only then.
func (z *Coordination) startJoin(p *C, net *model.Net[V], term uint8) bool {
	if term <= p.Term {
		return false
	}
	net.Rule(startJoin)
	p.Term, p.Started, p.Joins = term, true, 0
	if p.MaxTerm <= term {
		p.MaxTerm = 0
	}
	if p.Role != Electing {
		z.candidate(p, net)
	}
	return true
}

// join is CoordinationState.handleJoin, and becomeLeader.
func (z *Coordination) join(p *C, net *model.Net[V], from model.ID, term uint8) {
	if term != p.Term || !p.Started {
		return
	}
	p.Joins = p.Joins.With(from)
	if p.Role != Electing || !quorum(p.Joins, net) {
		return
	}
	net.Rule(wonElection)
	p.Role, p.Master, p.PreVotes = Master, net.Self(), 0
	net.StopTimer(electionTimer)
	z.check(p, net)
}

// follow is becomeFollower, unless the term of the master is an old one.
func (z *Coordination) follow(p *C, net *model.Net[V], master model.ID, term uint8) {
	z.startJoin(p, net, term)
	if term < p.Term {
		net.Reply(V{TooOld, p.Term})
		return
	}
	net.Rule(followMaster)
	p.Role, p.Master, p.PreVotes = Follower, master, 0
	net.StopTimer(electionTimer)
	net.SetTimer(leaderTimer, 5*net.Bound()+2)
	net.Reply(V{CheckResponse, p.Term})
}

// Beyond bounds the terms.
func (z *Coordination) Beyond(p *C) string {
	if z.Terms > 0 && max(p.Term, p.MaxTerm) > z.Terms {
		return fmt.Sprintf("term %d", p.Term)
	}
	return ""
}

// Belief says which master a node follows, and in which term.
func (*Coordination) Belief(p *C) model.Belief {
	return model.Belief{Elected: p.Master, Participant: p.Role == Electing, Epoch: uint64(p.Term)}
}

// Names gives the words of the program.
func (*Coordination) Names() model.Names {
	return model.Names{
		Kinds:  coordinationKinds,
		Timers: []model.TimerName{{Name: "election"}, {Name: "leader check"}, {Name: "follower check", Periodic: true}},
		Rules: []string{
			"PreVoteCollector.start: ask for pre-votes",
			"handlePreVoteRequest: there is another master: refuse",
			"startElection: pre-votes of a quorum: begin a new term",
			"handleStartJoin: a higher term: join in it",
			"handleJoin: joins of a quorum: be master",
			"becomeFollower: checked by a master: follow it",
			"onLeaderFailure: checked by no master: be a candidate",
			"becomeCandidate: no quorum answered a master's checks",
			"updateMaxTermSeen: a master hears of a higher term: begin another",
		},
	}
}
