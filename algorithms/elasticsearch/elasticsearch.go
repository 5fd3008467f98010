// Package elasticsearch is the election of Elasticsearch from version 7 on, with its voting
// configuration, which changes as nodes come and go.
//
// A node that finds no master asks for pre-votes, and with those of a quorum it begins a new term
// (StartJoin). A node joins another one once in a term, which it keeps on disk, and its join says how
// new its cluster state is. Joins of newer nodes do not count. The joins of a quorum elect, and a quorum
// is a majority of the configuration that is committed and of the one that was accepted last. A master
// publishes a state in two phases: it is committed if a majority of the committed configuration and of
// its own has accepted it. Once no reconfiguration is under way, a master publishes the configuration
// that Reconfigurator computes from the nodes that joined it in this term.
//
// Sources: classes Coordinator, CoordinationState, Reconfigurator, PreVoteCollector and
// ElectionSchedulerFactory of package org.elasticsearch.cluster.coordination; Elasticsearch reference
// 7.x, "Quorum-based decision making", "Voting configurations" and "Bootstrapping a cluster". Beside its
// rules stand the methods. Of these reconfigure is one of Reconfigurator, handlePreVoteRequest of
// PreVoteCollector; handleStartJoin, handleJoin, handlePublishRequest, handlePublishResponse and
// handleCommit are of CoordinationState, and the others of Coordinator.
//
// Assumes: a complete graph; a disk that keeps the term and the accepted state.
//
// Deviations: A node waits longer for an election the higher its id, in place of a random time. A request
// for pre-votes stands for a search for the master also. A master publishes a state when it is elected, and
// when it changes the configuration; who joins later is sent the latest one. A follower that has not the
// state of its master's check does not answer it, in place of LagDetector. All nodes are master-eligible,
// and none is excluded from the configuration. A node sets the initial configuration when it starts.
package elasticsearch

import "bullyproof/model"

// A Role is the mode of a node.
type Role uint8

// The modes.
const (
	Candidate Role = iota
	Follower
	Leader
)

// String returns the mode in a word.
func (r Role) String() string { return [...]string{"candidate", "follower", "leader"}[r] }

// P is the state of a node. Term and State are on disk.
type P struct {
	Term  uint8
	State State
	// Joined is whom it has joined in that term since it was started last.
	Joined model.ID
	// MaxTerm is the highest term that it heard of, if it is above its own.
	MaxTerm uint8
	Role    Role
	Master  model.ID
	// PreVotes are those of its round, Joins those in its term.
	PreVotes, Joins model.Set
	// Members are the nodes of a master, and Heard those that answered lately.
	Members, Heard model.Set
	// Accepted are the nodes that accepted what a master publishes; none if nothing is under way.
	Accepted model.Set
}

const (
	electionTimer model.Timer = iota // ElectionSchedulerFactory
	leaderTimer                      // LeaderChecker
	checkTimer                       // FollowersChecker
)

// Node is the protocol of a node.
type Node struct {
	model.Passive[P, M]
	// Terms is how many are explored; 0 is as many as a term counts.
	Terms uint8
	// Initial is cluster.initial_master_nodes of all nodes, all nodes if it is empty.
	Initial model.Set
	// OwnLists has each node list itself alone there.
	OwnLists bool
	// Fixed has no reconfiguration.
	Fixed bool
	// NoShrink is cluster.auto_shrink_voting_configuration: false.
	NoShrink bool
	// NoDisk has a node keep nothing, and set the initial configuration whenever it starts.
	NoDisk bool

	other steps // those of a mutant; nil: the methods of Node
}

// Init has a node set its initial configuration (setInitialConfiguration), and look for a master.
func (z *Node) Init(p *P, net *model.Net[M], why model.Boot) {
	initial := z.initial(net.Self(), net.Peers().With(net.Self()))
	if (why != model.Restart || z.NoDisk) && initial.Has(net.Self()) {
		p.State.Committed, p.State.Accepted = initial, initial
	}
	z.candidate(p, net)
}

func (z *Node) initial(self model.ID, all model.Set) model.Set {
	switch {
	case z.OwnLists:
		return model.SetOf(self)
	case z.Initial.Empty():
		return all
	}
	return z.Initial
}

// Settle is the state in the term of the first master, which has committed its first state.
func (z *Node) Settle(p *P, self, coordinator model.ID, live model.Set) {
	initial := z.initial(coordinator, live)
	first := State{Term: 1, Version: 1, Committed: initial, Accepted: initial, Cluster: coordinator, Formed: true}
	*p = P{Term: 1, State: first, Joined: coordinator, Role: Follower, Master: coordinator}
	if self == coordinator {
		p.Role, p.Joins, p.Members, p.Heard = Leader, live, live, live
	}
}

// Wake sets the timer of a master, or of a follower.
func (z *Node) Wake(p *P, net *model.Net[M]) {
	if p.Role == Leader {
		net.SetTimer(checkTimer, 2*net.Bound()+1)
	} else {
		z.setLeaderTimer(net)
	}
}

// Stable keeps the term and the accepted state.
func (z *Node) Stable(p *P) {
	kept := P{Term: p.Term, State: p.State}
	if z.NoDisk {
		kept = P{}
	}
	*p = kept
}

// candidate is becomeCandidate.
func (z *Node) candidate(p *P, net *model.Net[M]) {
	p.Role, p.Master, p.PreVotes, p.Members, p.Heard, p.Accepted = Candidate, model.None, 0, 0, 0, 0
	net.StopTimer(leaderTimer)
	net.StopTimer(checkTimer)
	net.SetTimer(electionTimer, z.wait(net))
}

// wait differs from node to node by more than an election takes: it stands for a random time.
func (*Node) wait(net *model.Net[M]) int { return (7*int(net.Self()) - 1) * net.Bound() }

// Timeout begins a round of pre-votes, or ends the trust in a master, or a round of a master's checks.
func (z *Node) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case electionTimer:
		net.Rule(startPreVote)
		p.PreVotes = model.SetOf(net.Self())
		net.SetTimer(electionTimer, z.wait(net))
		net.Broadcast(M{Type: PreVote, Term: p.Term})
		z.preVoted(p, net)
	case leaderTimer:
		net.Rule(leaderFailed)
		z.candidate(p, net)
	case checkTimer:
		z.checked(p, net)
	}
}

// Receive handles a message.
func (z *Node) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case PreVote:
		z.preVote(p, net, from.ID(), m)
	case PreVoteResponse: // PreVotingRound.handlePreVoteResponse
		z.seen(p, net, m.Term)
		if p.PreVotes.Empty() || m.State.newer(p.State) {
			return // its round is over, or the other node is fresher
		}
		p.PreVotes = p.PreVotes.With(from.ID())
		z.preVoted(p, net)
	case PeersResponse:
		z.found(p, net, from.ID(), m)
	case StartJoin: // joinLeaderInTerm
		if z.startJoin(p, net, m.Term, from.ID()) {
			net.Reply(z.joining(p, from.ID()))
		}
	case Join:
		z.join(p, net, from.ID(), m)
	case Publish:
		z.accept(p, net, from.ID(), m)
	case PublishResponse:
		z.accepted(p, net, from.ID(), m)
	case Commit:
		if m.Term == p.Term && m.State.is(p.State) {
			net.Rule(handleCommit)
			p.State.commit()
		}
	case Check: // onFollowerCheckRequest
		if m.Term == p.Term && p.Master == from.ID() && m.State.is(p.State) && p.State.Committed == p.State.Accepted {
			z.setLeaderTimer(net)
			net.Reply(M{Type: CheckResponse, Term: p.Term})
		}
	case CheckResponse:
		if p.Role == Leader && m.Term == p.Term {
			p.Heard = p.Heard.With(from.ID())
		}
	}
}
