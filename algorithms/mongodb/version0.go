package mongodb

import "bullyproof/model"

// startElectSelf is ReplicationCoordinatorImpl::_startElectSelf: a member asks all others
// whether one of them is fresher (replSetFresh).
func (a *Member) startElectSelf(p *P, net *model.Net[M]) {
	net.Rule(standsV0)
	p.Role, p.Votes, p.Vetoed = DryRun, model.SetOf(net.Self()), false
	net.Broadcast(M{Type: Fresh, Last: last(&p.Oplog)})
	net.SetTimer(answers, 2*net.Bound())
}

// decide ends the wait for answers: _onFreshnessCheckComplete, or _onElectCmdRunnerComplete.
func (a *Member) decide(p *P, net *model.Net[M]) {
	switch {
	case p.Role == DryRun && (p.Vetoed || p.Votes.Len() <= net.N()/2):
		net.Rule(notFreshest)
		p.Role = Secondary
	case p.Role == DryRun && p.Lease != model.None && p.Lease != net.Self():
		net.Rule(leaseHeld)
		p.Role = Secondary
	case p.Role == DryRun:
		net.Rule(electsSelf)
		a.vote(p, net, net.Self())
		p.Role, p.Votes = Candidate, model.SetOf(net.Self())
		net.Broadcast(M{Type: Elect})
		net.SetTimer(answers, 2*net.Bound())
	case p.Role == Candidate && (p.Vetoed || p.Votes.Len() <= net.N()/2):
		// processLoseElection: "Clear voteLease time, if we voted for ourselves"
		net.Rule(loses)
		p.Role, p.Lease = Secondary, model.None
		net.StopTimer(lease)
	case p.Role == Candidate:
		a.win(p, net)
	}
}

// vote has a member vote, and for nobody else for 30 seconds (VoteLease::leaseTime).
func (a *Member) vote(p *P, net *model.Net[M], candidate model.ID) {
	p.Lease = candidate
	net.SetTimer(lease, 15*net.Bound())
}

// receiveV0 has a message of version 0 arrive.
func (a *Member) receiveV0(p *P, net *model.Net[M], from model.ID, m M) {
	switch m.Type {
	case Fresh:
		a.prepareFreshResponse(p, net, from, m)
	case Elect:
		a.prepareElectResponse(p, net, from)
	case FreshResponse:
		if p.Role == DryRun {
			p.Votes, p.Vetoed = p.Votes.With(from), p.Vetoed || !m.Granted
		}
	case ElectResponse:
		if p.Role == Candidate {
			p.Vetoed = p.Vetoed || m.Veto
			if m.Granted {
				p.Votes = p.Votes.With(from)
			}
		}
	case Heartbeat:
		a.updatePrimary(p, net, from, m)
	case Ack:
		a.acknowledge(p, net, from, m)
	case StepDown:
		if p.Role == Primary {
			net.Rule(askedToStepDown)
			a.stepDown(p, net)
		}
	}
}

// prepareFreshResponse is TopologyCoordinatorImpl::prepareFreshResponse, with
// _shouldVetoMember. The answer is yes if the member is not fresher, and does not veto.
func (a *Member) prepareFreshResponse(p *P, net *model.Net[M], candidate model.ID, m M) {
	mine := last(&p.Oplog)
	switch {
	case m.Last.before(mine):
		net.Rule(fresher)
	case (p.Role == Primary || p.Primary != model.None && p.Primary != candidate) && !mine.before(m.Last):
		net.Rule(vetoesPrimary)
	case a.outranks(net, candidate):
		net.Rule(vetoesPriority)
	default:
		net.Rule(notFresher)
		net.Reply(M{Type: FreshResponse, Granted: true})
		return
	}
	net.Reply(M{Type: FreshResponse})
}

// outranks reports whether a member has a higher priority than a candidate, and could be
// elected itself.
func (a *Member) outranks(net *model.Net[M], candidate model.ID) bool {
	return !a.arbiter(net.Self()) && a.priority(net.Self()) > a.priority(candidate)
}

// prepareElectResponse is TopologyCoordinatorImpl::prepareElectResponse. It does not ask who is
// fresher.
func (a *Member) prepareElectResponse(p *P, net *model.Net[M], candidate model.ID) {
	answer := M{Type: ElectResponse}
	switch {
	case p.Role == Primary || p.Primary != model.None:
		net.Rule(vetoesPrimary)
		answer.Veto = true
	case a.outranks(net, candidate):
		net.Rule(vetoesPriority)
		answer.Veto = true
	case p.Lease != model.None && p.Lease != candidate:
		net.Rule(leaseHeld)
	default:
		net.Rule(votesYea)
		a.vote(p, net, candidate)
		answer.Granted = true
	}
	net.Reply(answer)
}

// updatePrimary is TopologyCoordinatorImpl::_updatePrimaryFromHBData, after a heartbeat of a
// primary.
func (a *Member) updatePrimary(p *P, net *model.Net[M], primary model.ID, m M) {
	switch {
	case p.Role == Primary && (m.ElectedAt > p.ElectedAt || m.ElectedAt == 0):
		net.Rule(electedEarlier)
		a.stepDown(p, net)
		p.Primary = primary
	case p.Role == Primary:
		net.Rule(electedLater)
		net.Reply(M{Type: StepDown})
		return
	case p.Primary != model.None && p.Primary != primary:
		net.Rule(twoRemote)
		return
	case a.outranks(net, primary) && !last(&p.Oplog).before(last(&m.Oplog)):
		net.Rule(asksToStepDown)
		net.Reply(M{Type: StepDown})
		return
	}
	net.Rule(follows)
	p.Primary = primary
	a.awaitPrimary(net)
	if !last(&m.Oplog).before(last(&p.Oplog)) {
		a.fetch(p, net, m.Oplog)
	}
	net.Reply(M{Type: Ack, Last: last(&p.Oplog)})
}
