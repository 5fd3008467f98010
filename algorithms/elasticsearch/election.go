package elasticsearch

import "bullyproof/model"

// preVoted begins an election if the pre-votes are enough.
func (z *Node) preVoted(p *P, net *model.Net[M]) {
	if z.steps().electionQuorum(p, p.PreVotes) {
		z.elect(p, net)
	}
}

// preVote is handlePreVoteRequest, and the answer of a master to a node that looks for one.
func (z *Node) preVote(p *P, net *model.Net[M], from model.ID, m M) {
	z.seen(p, net, m.Term)
	switch {
	case p.Role == Leader:
		net.Reply(M{Type: PeersResponse, Term: p.Term, State: State{Cluster: p.State.Cluster, Formed: p.State.Formed}})
	case p.Master != model.None && p.Master != from:
		net.Rule(refusePreVote)
	default:
		net.Reply(M{Type: PreVoteResponse, Term: p.Term, State: p.State.number()})
	}
}

// found is onActiveMasterFound: it joins the master. A node of another cluster does not (JoinHelper.validateJoin).
func (z *Node) found(p *P, net *model.Net[M], master model.ID, m M) {
	if p.Role != Candidate || m.Term < p.Term {
		return
	}
	if p.State.Formed && m.State.Formed && p.State.Cluster != m.State.Cluster {
		net.Rule(otherCluster)
		return
	}
	z.startJoin(p, net, m.Term, master)
	net.Reply(z.joining(p, master))
}

// joining is a join request, with a vote if the node has joined that master in the term.
func (z *Node) joining(p *P, master model.ID) M {
	return M{Type: Join, Term: p.Term, Vote: p.Joined == master, State: p.State.number()}
}

// seen is updateMaxTermSeen: a master of an older term begins a new one, once nothing is published.
func (z *Node) seen(p *P, net *model.Net[M], term uint8) {
	if term > max(p.Term, p.MaxTerm) {
		p.MaxTerm = term
	}
	if p.Role == Leader && p.MaxTerm > p.Term && p.Accepted.Empty() {
		net.Rule(bumpTerm)
		z.elect(p, net)
	}
}

// elect is startElection: all are to join in a term above all that were seen.
func (z *Node) elect(p *P, net *model.Net[M]) {
	net.Rule(startElection)
	z.startJoin(p, net, max(p.Term, p.MaxTerm)+1, net.Self())
	p.PreVotes = 0
	net.Broadcast(M{Type: StartJoin, Term: p.Term})
	z.join(p, net, net.Self(), z.joining(p, net.Self()))
}

// startJoin is handleStartJoin: it joins in a term that is above its own, and only then.
func (z *Node) startJoin(p *P, net *model.Net[M], term uint8, master model.ID) bool {
	if term <= p.Term {
		return false
	}
	net.Rule(startJoin)
	p.Term, p.Joined, p.Joins = term, master, 0
	if p.MaxTerm <= term {
		p.MaxTerm = 0
	}
	if p.Role != Candidate {
		z.candidate(p, net)
	}
	return true
}

// join is handleJoinRequest, with CoordinationState.handleJoin and becomeLeader. A node that has
// won the election in its term, and leads no more, does not win it again.
func (z *Node) join(p *P, net *model.Net[M], from model.ID, m M) {
	won := z.steps().electionQuorum(p, p.Joins)  // electionWon
	if z.startJoin(p, net, m.Term, net.Self()) { // ensureTermAtLeast
		p.Joins, won = model.SetOf(net.Self()), false
	}
	if m.Term != p.Term {
		return
	}
	switch {
	case !m.Vote || p.Joined == model.None || p.State.Accepted.Empty():
	case m.State.newer(p.State):
		net.Rule(newerJoin)
	default:
		p.Joins = p.Joins.With(from)
	}
	switch {
	case p.Role == Leader:
		p.Members, p.Heard = p.Members.With(from), p.Heard.With(from)
		net.SendTo(from, M{Type: Publish, Term: p.Term, State: p.State})
	case p.Role == Candidate && !won && z.steps().electionQuorum(p, p.Joins):
		net.Rule(wonElection)
		p.Role, p.Master, p.PreVotes, p.Members = Leader, net.Self(), 0, p.Joins
		net.StopTimer(electionTimer)
		z.publish(p, net, z.steps().first(p, net))
	}
}
