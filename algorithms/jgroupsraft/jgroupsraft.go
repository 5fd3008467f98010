// Package jgroupsraft is the election of jgroups-raft, by its program: the coordinator of the view
// asks all members for their votes, and says who leads.
//
// The process with the highest id is the group's membership service. The others are the members. The
// service tells them views: lists of those that are connected, of which the first is the
// coordinator. A coordinator whose view has a majority runs a voting thread. In each round it begins a
// new term and asks the members of its view for the terms and lengths of their logs. The leader is
// the member with the longest log, of those that answered, if they are a majority. A member votes
// once in a term.
//
// Source: jgroups-extras/jgroups-raft, ELECTION, BaseElection and Utils, after pull requests 263, 286
// and the mending of issue 306.
//
// Assumes: a membership service whose views all members get in one order; messages that arrive while
// their sender is in the view of the receiver.
//
// Deviations: the service cuts one member off from the others at a time, and brings it back; JGroups
// has any number of parts, and finds them out by its own failure detection. A member that is cut off
// is up, and no process crashes. The member with the highest id has the longest log, always. The voting
// thread says who leads in a step after that in which it decides, as other threads can come between.
// Terms are explored up to a bound. ELECTION2, with its pre-votes, is left out.
package jgroupsraft

import (
	"fmt"

	"bullyproof/model"
)

// most is the number of members at most.
const most = 3

// A View is a list of members, of which the first is the coordinator; None stands behind its end.
type View [most]model.ID

// Members are those in the view.
func (v View) Members() (s model.Set) {
	for _, id := range v {
		s = s.With(id)
	}
	return s
}

// Coordinator is the first one.
func (v View) Coordinator() model.ID { return v[0] }

// P is the state of a member or of the service.
type P struct {
	// View is the last view, and Term the current term, in which VotedFor has the member's vote.
	View     View
	Term     uint8
	VotedFor model.ID
	// Leader is the leader that the member knows of.
	Leader model.ID
	// Voting: the voting thread runs, in a round of a term of its own. Votes are the members that have
	// answered it, and Decided is the leader that it is about to tell.
	Voting  bool
	Round   uint8
	Votes   model.Set
	Decided model.ID

	// Apart is the member that the service has cut off, and Changes is how many views it has made.
	Apart   model.ID
	Changes uint8
}

// The kinds of messages.
const (
	NewView model.Kind = iota // of the service
	VoteRequest
	VoteResponse
	LeaderElected
)

// M is a message.
type M struct {
	Type   model.Kind
	Term   uint8
	Leader model.ID
	View   View
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "LeaderElected(2: P1)" or "View(P1 P2)".
func (m M) String() string {
	switch m.Type {
	case NewView:
		return "View(" + m.View.String() + ")"
	case LeaderElected:
		return fmt.Sprintf("%s(%d: %s)", kinds[m.Type], m.Term, m.Leader.Name())
	}
	return fmt.Sprintf("%s(%d)", kinds[m.Type], m.Term)
}

// The timers: of members, and that of the service.
const (
	voteTimeout model.Timer = iota
	publish                 // the next step of the voting thread
	change
)

var (
	rules model.Rules

	asks      = rules.Add("runVotingProcess: a new term, ask all for votes")
	gathers   = rules.Add("runVotingProcess: not all have answered, and no majority: another round")
	decides   = rules.Add("determineLeader: the longest log of those that answered")
	tells     = rules.Add("sendLeaderElectedMessage, setLeaderAndTerm")
	leftGroup = rules.Add("the leader left the group: another round")
	votes     = rules.Add("handleVoteRequest: vote")
	refuses   = rules.Add("handleVoteRequest: a lower term, or a vote for another one: no answer")
	counts    = rules.Add("handleVoteResponse")
	elected   = rules.Add("handleLeaderElected: a leader")
	outdated  = rules.Add("handleLeaderElected: a lower term, or not in the view")
	reached   = rules.Add("handleView: reached")
	leader    = rules.Add("handleView: leader_lost")
	lost      = rules.Add("handleView: lost")
	resends   = rules.Add("handleView: no_change, the leader tells new members")
	succeeds  = rules.Add("handleView: no_change, a new coordinator and no leader")
	parts     = rules.Add("the service: a member is cut off")
	merges    = rules.Add("the service: the group is whole again")
)

// Election is the protocol of the members and of the service.
type Election struct {
	model.Passive[P, M]
	// Flush has members take every message that was sent to them, as where JGroups flushes before it
	// installs a view. Otherwise they discard those of senders that are no longer in their view.
	Flush bool
	// Views is how many times the service changes the view, and Terms how many terms are explored.
	Views, Terms uint8
}

func service(net *model.Net[M]) model.ID { return model.ID(net.N()) }

// majority is how many members are enough, whoever is in the view.
func majority(net *model.Net[M]) int { return (net.N()-1)/2 + 1 }

// Init: all members begin in one view.
func (e *Election) Init(p *P, net *model.Net[M], _ model.Boot) {
	var all View
	for i := range net.N() - 1 {
		all[i] = model.ID(i + 1)
	}
	if net.Self() == service(net) {
		p.View = all
		net.SetTimer(change, 1)
		return
	}
	e.view(p, net, all)
}

// Timeout is what time does.
func (e *Election) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case voteTimeout:
		e.conclude(p, net)
	case publish:
		e.publish(p, net)
	case change:
		e.change(p, net)
	}
}

// Receive is what a member does with messages.
func (e *Election) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type == NewView:
		e.view(p, net, m.View)
	case !e.Flush && !p.View.Members().Has(from.ID()):
	case m.Type == VoteRequest:
		if e.votes(p, net, from.ID(), m.Term) {
			net.Reply(M{Type: VoteResponse, Term: m.Term})
		}
	case m.Type == LeaderElected:
		e.elected(p, net, m)
	case p.Decided == model.None:
		net.Rule(counts)
		e.count(p, net, from.ID())
	}
}

// view is handleView, by computeMajority.
func (e *Election) view(p *P, net *model.Net[M], v View) {
	old, was, now := p.View, p.View.Members(), v.Members()
	p.View = v
	coordinates := v.Coordinator() == net.Self()
	switch {
	case was.Len() < majority(net) && now.Len() >= majority(net):
		net.Rule(reached)
		if coordinates {
			e.restart(p, net)
		}
	case was.Len() >= majority(net) && now.Len() < majority(net):
		net.Rule(lost)
		e.stop(p, net)
		p.Leader = model.None
	case p.Leader != model.None && !now.Has(p.Leader):
		net.Rule(leader)
		if coordinates {
			e.restart(p, net)
		}
	default:
		e.noChange(p, net, old)
	}
}

// noChange is what a view changes that neither brings nor takes a majority or the leader.
func (e *Election) noChange(p *P, net *model.Net[M], old View) {
	was, now := old.Members(), p.View.Members()
	switch self := net.Self(); {
	case p.Leader == self && !(now &^ was).Empty():
		net.Rule(resends)
		e.toOthers(p, net, M{Type: LeaderElected, Term: p.Term, Leader: self})
	case old.Coordinator() != p.View.Coordinator() && p.View.Coordinator() == self && now.Len() >= majority(net) && p.Leader == model.None:
		net.Rule(succeeds)
		e.ask(p, net)
	}
}

// restart stops the voting thread before it starts it, "where the leader is lost before the voting mechanism has
// stopped".
func (e *Election) restart(p *P, net *model.Net[M]) {
	e.stop(p, net)
	e.ask(p, net)
}

func (e *Election) stop(p *P, net *model.Net[M]) {
	p.Voting, p.Round, p.Votes, p.Decided = false, 0, 0, model.None
	net.StopTimer(voteTimeout)
	net.StopTimer(publish)
}

// ask begins a round of the voting thread. Its own request comes to itself as well.
func (e *Election) ask(p *P, net *model.Net[M]) {
	net.Rule(asks)
	p.Voting, p.Votes, p.Decided, p.Leader = true, 0, model.None, model.None
	p.Term++
	p.Round = p.Term
	p.VotedFor = net.Self()
	net.SetTimer(voteTimeout, 3*net.Bound())
	e.toOthers(p, net, M{Type: VoteRequest, Term: p.Term})
	e.count(p, net, net.Self())
}

// toOthers sends to the members of the view.
func (e *Election) toOthers(p *P, net *model.Net[M], m M) {
	net.SendAll(p.View.Members().Without(net.Self()), m)
}

// votes is handleVoteRequest: whether a member votes for another one in a term.
func (e *Election) votes(p *P, net *model.Net[M], candidate model.ID, term uint8) bool {
	if term > p.Term {
		p.Term, p.VotedFor, p.Leader = term, model.None, model.None
	}
	if term < p.Term || p.VotedFor != model.None && p.VotedFor != candidate {
		net.Rule(refuses)
		return false
	}
	net.Rule(votes)
	p.VotedFor = candidate
	return true
}

// count takes the answer of a member. When all have answered there is nothing to wait for.
func (e *Election) count(p *P, net *model.Net[M], of model.ID) {
	p.Votes = p.Votes.With(of)
	if p.View.Members()&^p.Votes == 0 {
		e.conclude(p, net)
	}
}

// conclude ends a round: with a leader, or with another round.
func (e *Election) conclude(p *P, net *model.Net[M]) {
	net.StopTimer(voteTimeout)
	if p.Votes.Len() < majority(net) {
		net.Rule(gathers)
		e.again(p, net)
		return
	}
	net.Rule(decides)
	p.Decided = p.longest()
	net.SetTimer(publish, 1)
}

// longest is the member of the view with the longest log that has answered.
func (p *P) longest() model.ID {
	if (p.Votes & p.View.Members()).Has(most) {
		return most
	}
	return p.View.Coordinator()
}

// again begins another round, unless the majority is gone.
func (e *Election) again(p *P, net *model.Net[M]) {
	if p.View.Members().Len() < majority(net) {
		e.stop(p, net)
		return
	}
	e.ask(p, net)
}

// publish is the end of the voting thread, unless the leader has left the view.
func (e *Election) publish(p *P, net *model.Net[M]) {
	if !p.View.Members().Has(p.Decided) {
		net.Rule(leftGroup)
		e.again(p, net)
		return
	}
	e.tell(p, net)
}

// tell has the voting thread tell of the leader, and end.
func (e *Election) tell(p *P, net *model.Net[M]) {
	net.Rule(tells)
	m := M{Type: LeaderElected, Term: p.Round, Leader: p.Decided}
	e.toOthers(p, net, m)
	e.stop(p, net)
	if m.Term == p.Term {
		e.follow(p, m)
	}
}

// elected is handleLeaderElected. The voting thread stops if the member takes the leader.
func (e *Election) elected(p *P, net *model.Net[M], m M) {
	if m.Term < p.Term || !p.View.Members().Has(m.Leader) {
		net.Rule(outdated)
		return
	}
	net.Rule(elected)
	e.stop(p, net)
	e.follow(p, m)
}

// follow is setLeaderAndTerm.
func (e *Election) follow(p *P, m M) {
	if m.Term > p.Term {
		p.VotedFor = model.None
	}
	p.Leader, p.Term = m.Leader, m.Term
}

// Belief says whom a member takes for the leader. The service believes nothing.
func (e *Election) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Leader, Participant: p.Voting, Epoch: uint64(p.Term)}
}

// Beyond bounds the terms.
func (e *Election) Beyond(p *P) string {
	if p.Term <= e.Terms {
		return ""
	}
	return fmt.Sprintf("term %d", p.Term)
}
