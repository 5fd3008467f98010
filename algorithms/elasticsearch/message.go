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

var (
	rules model.Rules

	startPreVote  = rules.Add("PreVoteCollector.start: ask for pre-votes")
	refusePreVote = rules.Add("handlePreVoteRequest: there is another master: refuse")
	startElection = rules.Add("startElection: pre-votes of a quorum: begin a new term")
	startJoin     = rules.Add("handleStartJoin: a higher term: join in it")
	newerJoin     = rules.Add("handleJoin: a join of a node with a newer state: refuse it")
	wonElection   = rules.Add("handleJoin: joins of a quorum: be master, publish")
	otherCluster  = rules.Add("validateJoin: the master is of another cluster: do not join")
	acceptState   = rules.Add("handlePublishRequest: accept the state, follow the master")
	missingJoin   = rules.Add("onMissingJoin: a node has accepted and not joined: begin another term")
	committed     = rules.Add("handlePublishResponse: accepted by a quorum: commit")
	handleCommit  = rules.Add("handleCommit: the accepted state is committed")
	leaderFailed  = rules.Add("onLeaderFailure: checked by no master: be a candidate")
	quorumLost    = rules.Add("becomeCandidate: no quorum answered a master")
	bumpTerm      = rules.Add("updateMaxTermSeen: a master hears of a higher term: begin another")
	reconfigure   = rules.Add("improveConfiguration: publish a better configuration")
)

// Names gives the words of the program.
func (*Node) Names() model.Names {
	return model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "election"}, {Name: "leader check"}, {Name: "follower check", Periodic: true}},
		Rules:  rules,
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
