package mongodb

import (
	"fmt"

	"bullyproof/model"
)

// Version0 is the protocol of a member in version 0. Of the fields of Member it knows
// Priorities.
type Version0 struct {
	*Member
	// Stamps is how far clocks go that are explored.
	Stamps uint8
}

// Settle is the state after the first election.
func (a Version0) Settle(p *P, self, coordinator model.ID, _ model.Set) {
	*p = P{}
	a.settle(p, self, coordinator, OpTime{Stamp: 1, By: coordinator})
	if self == coordinator {
		p.ElectedAt = 1
	}
}

// Beyond bounds the clocks.
func (a Version0) Beyond(p *P) string {
	if at := max(p.ElectedAt, last(&p.Oplog).Stamp); at > a.Stamps {
		return fmt.Sprintf("clock %d", at)
	}
	return ""
}

// Belief says whom a member takes for the primary. There are no terms.
func (a Version0) Belief(p *P) model.Belief {
	b := a.Member.Belief(p)
	b.Epoch = 0
	return b
}

// Timeout has a timer of a member expire.
func (a Version0) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if a.leads(p, net, t) {
		announce(p, net, p.ElectedAt)
	}
}

// leads has a timer expire, and reports whether the member is a primary that sends a heartbeat
// then.
func (a Version0) leads(p *P, net *model.Net[M], t model.Timer) bool {
	switch t {
	case election:
		p.Primary = model.None
		a.startElectSelf(p, net)
	case answers:
		if !a.decide(p, net) {
			return false
		}
		a.win(p, net)
		a.mayWrite(p, net)
		return true
	case heartbeat:
		a.mayWrite(p, net)
		return true
	case lease:
		p.Lease = model.None
	case liveness:
		a.Member.Timeout(p, net, t)
	}
	return false
}

// announce has a primary say who it is, and when it was elected.
func announce(p *P, net *model.Net[M], electedAt uint8) {
	net.Broadcast(M{Type: Heartbeat, Oplog: p.Oplog, ElectedAt: electedAt})
	net.SetTimer(heartbeat, 2*net.Bound())
}

// mayWrite has a primary perhaps write an entry before a heartbeat. Its clock may have moved
// on.
func (a Version0) mayWrite(p *P, net *model.Net[M]) {
	net.Rule(beats)
	if p.Wrote {
		return
	}
	if chosen := net.Pick(writes); chosen > 0 {
		p.Wrote = true
		moved := uint8(chosen-1) * 2
		add(p, net, OpTime{Stamp: max(last(&p.Oplog).Stamp, p.ElectedAt) + 1 + moved, By: net.Self()})
	}
}

// win has a member become primary.
func (a Version0) win(p *P, net *model.Net[M]) {
	lead(p, net)
	p.ElectedAt = last(&p.Oplog).Stamp + 1
	net.SetTimer(liveness, 7*net.Bound())
}

// startElectSelf is ReplicationCoordinatorImpl::_startElectSelf: a member asks all others
// whether one of them is fresher (replSetFresh).
func (a Version0) startElectSelf(p *P, net *model.Net[M]) {
	a.awaitPrimary(net)
	net.Rule(standsV0)
	p.Role, p.Votes, p.Vetoed = DryRun, model.SetOf(net.Self()), false
	net.Broadcast(M{Type: Fresh, Last: last(&p.Oplog)})
	net.SetTimer(answers, 2*net.Bound())
}

// decide ends the wait for answers: _onFreshnessCheckComplete, or _onElectCmdRunnerComplete. It
// reports whether the member is elected.
func (a Version0) decide(p *P, net *model.Net[M]) bool {
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
		return true
	}
	return false
}

// vote has a member vote, and for nobody else for 30 seconds (VoteLease::leaseTime).
func (a Version0) vote(p *P, net *model.Net[M], candidate model.ID) {
	p.Lease = candidate
	net.SetTimer(lease, 15*net.Bound())
}

// Receive has a message arrive.
func (a Version0) Receive(p *P, net *model.Net[M], port model.Port, m M) {
	from := port.ID()
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
func (a Version0) prepareFreshResponse(p *P, net *model.Net[M], candidate model.ID, m M) {
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

// outranks reports whether a member has a higher priority than a candidate.
func (a Version0) outranks(net *model.Net[M], candidate model.ID) bool {
	return a.priority(net.Self()) > a.priority(candidate)
}

// prepareElectResponse is TopologyCoordinatorImpl::prepareElectResponse. It does not ask who is
// fresher.
func (a Version0) prepareElectResponse(p *P, net *model.Net[M], candidate model.ID) {
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
func (a Version0) updatePrimary(p *P, net *model.Net[M], primary model.ID, m M) {
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
