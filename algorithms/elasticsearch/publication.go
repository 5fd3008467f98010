package elasticsearch

import (
	"slices"

	"bullyproof/model"
)

// isQuorum is VotingConfiguration.hasQuorum.
func isQuorum(configuration, votes model.Set) bool {
	return 2*(configuration&votes).Len() > configuration.Len()
}

// electionQuorum is isElectionQuorum.
func (*Node) electionQuorum(p *P, votes model.Set) bool {
	return isQuorum(p.State.Committed, votes) && isQuorum(p.State.Accepted, votes)
}

// publishQuorum is isPublishQuorum.
func (*Node) publishQuorum(p *P) bool {
	return isQuorum(p.State.Committed, p.Accepted) && isQuorum(p.State.Accepted, p.Accepted)
}

// first is the configuration that a new master publishes: that of its accepted state.
func (*Node) first(p *P, _ *model.Net[M]) model.Set { return p.State.Accepted }

// publish is handleClientValue, with the acceptance of the master itself.
func (z *Node) publish(p *P, net *model.Net[M], configuration model.Set) {
	s := &p.State
	s.Term, s.Version, s.Accepted = p.Term, s.Version+1, configuration
	if s.Cluster == model.None {
		s.Cluster = net.Self()
	}
	p.Accepted, p.Heard = model.SetOf(net.Self()), model.SetOf(net.Self())
	net.SetTimer(checkTimer, 2*net.Bound()+1)
	commits := z.steps().publishQuorum(p)
	if commits {
		s.commit()
	}
	net.SendAll(p.Members.Without(net.Self()), M{Type: Publish, Term: p.Term, State: *s})
	if commits {
		z.published(p, net)
	}
}

// accept is handlePublishRequest, and becomeFollower.
func (z *Node) accept(p *P, net *model.Net[M], from model.ID, m M) {
	if p.State.Formed && p.State.Cluster != m.State.Cluster || m.Term < p.Term {
		return
	}
	z.startJoin(p, net, m.Term, from) // ensureTermAtLeast
	if p.State.newer(m.State) || p.Role == Leader {
		return
	}
	net.Rule(acceptState)
	if m.State.newer(p.State) || m.State.Committed == m.State.Accepted {
		p.State = m.State
	}
	p.Role, p.Master, p.PreVotes = Follower, from, 0
	net.StopTimer(electionTimer)
	z.setLeaderTimer(net)
	net.Reply(M{Type: PublishResponse, Term: p.Term, Vote: p.Joined == from, State: p.State.number()})
}

func (*Node) setLeaderTimer(net *model.Net[M]) { net.SetTimer(leaderTimer, 5*net.Bound()+2) }

// accepted is handlePublishResponse.
func (z *Node) accepted(p *P, net *model.Net[M], from model.ID, m M) {
	if p.Role != Leader || m.Term != p.Term || !m.State.is(p.State) {
		return
	}
	p.Heard = p.Heard.With(from)
	if m.Vote {
		p.Joins = p.Joins.With(from)
	}
	if !p.Accepted.Empty() {
		p.Accepted = p.Accepted.With(from)
		if z.steps().publishQuorum(p) {
			p.State.commit()
			net.SendAll(p.Members.Without(net.Self()), M{Type: Commit, Term: p.Term, State: p.State.number()})
			z.published(p, net)
		}
	}
	z.steps().missingJoin(p, net, from)
}

// missingJoin is onMissingJoin: a node that has accepted and not joined has the master begin a new term.
func (z *Node) missingJoin(p *P, net *model.Net[M], who model.ID) {
	if p.Role == Leader && !p.Joins.Has(who) {
		net.Rule(missingJoin)
		z.seen(p, net, p.Term+1)
	}
}

// published ends a publication (onCompletion).
func (z *Node) published(p *P, net *model.Net[M]) {
	net.Rule(committed)
	p.Accepted = 0
	z.seen(p, net, 0)
}

// checked ends a round of checks: who did not answer is removed, and the configuration is improved.
func (z *Node) checked(p *P, net *model.Net[M]) {
	p.Members &= p.Heard
	switch next := z.steps().improved(p, net); {
	case !p.Accepted.Empty() || !z.steps().electionQuorum(p, p.Members):
		net.Rule(quorumLost)
		z.candidate(p, net)
	case next != p.State.Accepted:
		net.Rule(reconfigure)
		z.publish(p, net, next)
	default:
		p.Heard = model.SetOf(net.Self())
		net.SendAll(p.Members.Without(net.Self()), M{Type: Check, Term: p.Term, State: p.State.number()})
		net.SetTimer(checkTimer, 2*net.Bound()+1)
	}
}

// improved is improveConfiguration: the nodes are those that joined in this term.
func (z *Node) improved(p *P, net *model.Net[M]) model.Set {
	if z.Fixed {
		return p.State.Accepted
	}
	return Reconfigure(p.Members&p.Joins, net.Self(), p.State.Accepted, !z.NoShrink)
}

// Reconfigure is Reconfigurator.reconfigure, where no node is retired.
func Reconfigure(live model.Set, master model.ID, current model.Set, shrink bool) model.Set {
	var ordered []model.ID
	for _, group := range []model.Set{model.SetOf(master), live & current, live &^ current, current &^ live} {
		for id := range group.All() {
			if !slices.Contains(ordered, id) {
				ordered = append(ordered, id)
			}
		}
	}
	least := current.Len()
	if shrink && least < 3 {
		least = 1
	} else if shrink {
		least = 3
	}
	odd := live.Len() - (live.Len()+1)%2 // roundDownToOdd
	next := model.SetOf(ordered[:max(odd, least)]...)
	if !isQuorum(next, live) {
		return current
	}
	return next
}
