package mongodb

import "bullyproof/model"

// votesTwice is version 1 with a fault: a member votes again in a term.
type votesTwice struct{ *Member }

func (a votesTwice) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == RequestVotes {
		p.Voted = Vote{}
	}
	a.Member.Receive(p, net, from, m)
}

// anyOplog is version 1 with a fault: a member votes for a candidate that is behind.
type anyOplog struct{ *Member }

func (a anyOplog) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == RequestVotes {
		m.Last = last(&p.Oplog)
	}
	a.Member.Receive(p, net, from, m)
}

// stays is version 1 with a fault: a primary does not look who has answered.
type stays struct{ *Member }

func (a stays) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == liveness {
		p.Heard = net.Peers().With(net.Self())
	}
	a.Member.Timeout(p, net, t)
}

// noTakeover is version 1 with a fault: no priority takeover.
type noTakeover struct{ *Member }

func (a noTakeover) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != takeover {
		a.Member.Timeout(p, net, t)
	}
}

// unanimous is version 1 with a fault: a candidate needs the votes of all.
type unanimous struct{ *Member }

func (a unanimous) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	others := p.Votes.With(from.ID()) != net.Peers().With(net.Self())
	if m.Type == VoteResponse && m.Granted && m.Term == p.Term && others {
		p.Votes = p.Votes.With(from.ID())
		return
	}
	a.Member.Receive(p, net, from, m)
}

// noPrimaryVote is version 1 with a fault: a catch-up takeover takes any majority.
type noPrimaryVote struct{ *Member }

func (a noPrimaryVote) Timeout(p *P, net *model.Net[M], t model.Timer) {
	a.Member.Timeout(p, net, t)
	p.Asks = model.None
}

// volatile is version 1 with a fault: a member does not wait until its vote is durable.
type volatile struct{ *Member }

func (a volatile) Stable(p *P) {
	a.Member.Stable(p)
	p.LastVote = Vote{}
}

// overwrites is version 1 with a fault: a member may record a vote after it has decided on the
// next one.
type overwrites struct{ *Member }

func (a overwrites) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == RequestVotes && !m.Dry && p.Pending == (Vote{}) {
		a.updateTerm(p, net, m.Term)
		if a.judge(p, net.Self(), from.ID(), m) == grants && net.Pick(recording) == 1 {
			net.Rule(grants)
			p.Voted = Vote{m.Term, from.ID()}
			p.Pending = p.Voted
			net.SetTimer(recordTimer, net.Bound())
			return
		}
	}
	a.Member.Receive(p, net, from, m)
}

func (a overwrites) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != recordTimer {
		a.Member.Timeout(p, net, t)
		return
	}
	net.Rule(records)
	v := p.Pending
	p.LastVote, p.Pending = v, Vote{}
	net.SendTo(v.For, M{Type: VoteResponse, Term: v.Term, Granted: true})
}

// arbiterVotes is version 1 with a fault: an arbiter votes although it sees a healthy primary.
type arbiterVotes struct{ *Member }

func (a arbiterVotes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != RequestVotes {
		a.Member.Receive(p, net, from, m)
		return
	}
	a.updateTerm(p, net, m.Term)
	primary := p.Primary
	p.Primary = model.None
	a.processRequestVotes(p, net, from.ID(), m)
	p.Primary = primary
}

// sameConfig is version 1 with a fault: a member votes for candidates of its own configuration
// only, and not for those of a newer one.
type sameConfig struct{ *Member }

func (a sameConfig) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != RequestVotes || m.Term < p.Term || m.Config == p.Config {
		a.Member.Receive(p, net, from, m)
		return
	}
	a.updateTerm(p, net, m.Term)
	net.Rule(otherConfig)
	net.Reply(M{Type: VoteResponse, Dry: m.Dry, Term: p.Term})
}

// noLease is version 0 with a fault: a vote binds nobody.
type noLease struct{ Version0 }

func (a noLease) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	p.Lease = model.None
	a.Version0.Receive(p, net, from, m)
}

func (a noLease) Timeout(p *P, net *model.Net[M], t model.Timer) {
	p.Lease = model.None
	a.Version0.Timeout(p, net, t)
}

// noElectionTime is version 0 with a fault: heartbeats do not say when their primary was
// elected. A primary that hears of such a primary steps down.
type noElectionTime struct{ Version0 }

func (a noElectionTime) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if a.leads(p, net, t) {
		announce(p, net, 0)
	}
}
