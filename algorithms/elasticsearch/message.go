package elasticsearch

import (
	"fmt"

	"bullyproof/model"
)

// M is a message. The State of one that is published is whole; that of a PeersResponse says the cluster, and that of
// others has the term and the version.
type M struct {
	Type model.Kind
	Term uint8
	// Vote says that the sender has joined the receiver in the term.
	Vote  bool
	State State
}

// The kinds of messages. PeersResponse is the answer of a master to a node that looks for one.
const (
	PreVote model.Kind = iota
	PreVoteResponse
	PeersResponse
	StartJoin
	Join
	Publish
	PublishResponse
	Commit
	Check
	CheckResponse
)

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m with its term, and its state as in "Publish(2,1.3{P1,P2}>{P1,P2,P3})".
func (m M) String() string {
	text := fmt.Sprintf("%s(%d", kinds[m.Type], m.Term)
	switch m.Type {
	case PreVoteResponse, Join, PublishResponse, Commit, Check:
		text += fmt.Sprintf(",%d.%d", m.State.Term, m.State.Version)
	case PeersResponse:
		text += ",cluster of " + m.State.Cluster.Name()
	case Publish:
		text += "," + m.State.String()
	}
	if m.Type == PeersResponse && !m.State.Formed || (m.Type == Join || m.Type == PublishResponse) && !m.Vote {
		text += "?"
	}
	return text + ")"
}

var kinds = []string{"PreVote", "PreVoteResponse", "PeersResponse", "StartJoin", "Join", "Publish", "PublishResponse", "Commit", "Check", "CheckResponse"}

const (
	startPreVote model.Rule = iota
	refusePreVote
	startElection
	startJoin
	newerJoin
	wonElection
	otherCluster
	acceptState
	missingJoin
	committed
	handleCommit
	leaderFailed
	quorumLost
	bumpTerm
	reconfigure
)

// Names gives the words of the program.
func (*Node) Names() model.Names {
	return model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "election"}, {Name: "leader check"}, {Name: "follower check", Periodic: true}},
		Rules: []string{
			"PreVoteCollector.start: ask for pre-votes",
			"handlePreVoteRequest: there is another master: refuse",
			"startElection: pre-votes of a quorum: begin a new term",
			"handleStartJoin: a higher term: join in it",
			"handleJoin: a join of a node with a newer state: refuse it",
			"handleJoin: joins of a quorum: be master, publish",
			"validateJoin: the master is of another cluster: do not join",
			"handlePublishRequest: accept the state, follow the master",
			"onMissingJoin: a node has accepted and not joined: begin another term",
			"handlePublishResponse: accepted by a quorum: commit",
			"handleCommit: the accepted state is committed",
			"onLeaderFailure: checked by no master: be a candidate",
			"becomeCandidate: no quorum answered a master",
			"updateMaxTermSeen: a master hears of a higher term: begin another",
			"improveConfiguration: publish a better configuration",
		},
	}
}

// Beyond bounds the terms.
func (z *Node) Beyond(p *P) string {
	if z.Terms > 0 && max(p.Term, p.MaxTerm) > z.Terms {
		return fmt.Sprintf("term %d", p.Term)
	}
	return ""
}

// Belief says which master a node follows, and in which term.
func (*Node) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Master, Participant: p.Role == Candidate, Epoch: uint64(p.Term)}
}
