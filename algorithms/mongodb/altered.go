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

// noLease is version 0 with a fault: a vote binds nobody.
type noLease struct{ *Member }

func (a noLease) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	p.Lease = model.None
	a.Member.Receive(p, net, from, m)
}

func (a noLease) Timeout(p *P, net *model.Net[M], t model.Timer) {
	p.Lease = model.None
	a.Member.Timeout(p, net, t)
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
