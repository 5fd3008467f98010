package paxoslease

import "bullyproof/model"

// fromAnswer is the lease with a fault: the proposer's timer starts when it has the lease.
type fromAnswer struct{ *Lease }

func (l fromAnswer) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	held := p.Held
	l.Lease.Receive(p, net, from, m)
	if p.Held != held {
		net.SetTimer(p.timer(), l.Span)
	}
}

// minority is the lease with a fault: one acceptor is enough in step 5.
type minority struct{ *Lease }

func (l minority) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	before := p.Phase
	l.Lease.Receive(p, net, from, m)
	if before != Proposing && p.Phase == Proposing {
		l.accepted(p, net, from.ID(), M{Type: ProposeResponse, Ballot: p.Ballot})
	}
}

// blind is the lease with a fault: a proposer does not look at accepted proposals.
type blind struct{ *Lease }

func (l blind) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	m.Accepted = Ballot{}
	l.Lease.Receive(p, net, from, m)
}

// faithless is the lease with a fault: an acceptor breaks its promises.
type faithless struct{ *Lease }

func (l faithless) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == ProposeRequest {
		p.Promised = m.Ballot
	}
	l.Lease.Receive(p, net, from, m)
}

// keeps is the lease with a fault: accepted proposals do not expire.
type keeps struct{ *Lease }

func (l keeps) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	l.Lease.Receive(p, net, from, m)
	net.StopTimer(expiry)
}

// releasesFirst is the lease with a fault: an owner that releases its lease leads on.
type releasesFirst struct{ *Lease }

func (l releasesFirst) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == work {
		net.Broadcast(M{Type: Release, Ballot: p.Held})
		l.clear(p, net, p.Held)
		return
	}
	l.Lease.Timeout(p, net, t)
}

// mute is the lease with a fault: an owner is not open to itself.
type mute struct{ *Lease }

func (l mute) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == PrepareResponse && m.Accepted != (Ballot{}) {
		return
	}
	l.Lease.Receive(p, net, from, m)
}

// tardy is the lease with a fault: an acceptor takes its time.
type tardy struct{ *Lease }

func (l tardy) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != ProposeRequest {
		l.Lease.Receive(p, net, from, m)
		return
	}
	if _, ok := l.accept(p, net, m); ok {
		net.SetTimer(rejoin, 3)
	}
}

func (l tardy) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != rejoin {
		l.Lease.Timeout(p, net, t)
		return
	}
	if by := p.Accepted.Proposer; by != model.None && by != net.Self() {
		net.SendTo(by, M{Type: ProposeResponse, Ballot: p.Accepted})
	}
}
