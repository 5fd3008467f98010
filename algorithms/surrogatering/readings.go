package surrogatering

import "bullyproof/model"

// TakesOver has the surrogate remain coordinator: whoever notices tells it, and the packet
// that it sends round looks for another surrogate.
type TakesOver struct{ *Protocol }

// Reported is the mode of a process that has told the surrogate.
const Reported = Elects + 1

// Crash tells the surrogate that the coordinator has failed.
const Crash = Coordinator + 1

// Names has the message and the rules of the reading.
func (x TakesOver) Names() model.Names { return names }

// Suspect tells the surrogate.
func (x TakesOver) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who != p.Coordinator || p.Mode != Idle {
		return
	}
	p.replace(who)
	switch surrogate := p.Coordinator; surrogate {
	case model.None:
		x.create(p, net, M{Down: who})
	case net.Self():
		x.takeOver(p, net, who)
	default:
		net.Rule(reports)
		p.Mode = Reported
		net.Send(model.Next, M{Type: Crash, Informer: net.Self(), Down: who, Surrogate: surrogate})
	}
}

// takeOver makes the surrogate coordinator, which looks for a surrogate.
func (x TakesOver) takeOver(p *P, net *model.Net[M], down model.ID) {
	net.Rule(takesOver)
	x.create(p, net, M{Down: down, Coordinator: net.Self()})
}

// Receive is as in Protocol, except for Crash, and for the return of the packet of a
// surrogate that has taken over.
func (x TakesOver) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch self := net.Self(); {
	case m.Type == Crash:
		x.crash(p, net, m)
	case m.Type == Election && m.Informer == self && m.Coordinator != model.None:
		net.Rule(elects)
		*p = P{Coordinator: m.Coordinator, Surrogate: m.List.Without(m.Coordinator).Max()}
		net.Send(model.Next, M{Type: Coordinator, Informer: self, Coordinator: p.Coordinator, Surrogate: p.Surrogate})
	default:
		x.Protocol.Receive(p, net, from, m)
		if m.Type == Coordinator && m.Informer != self && p.Mode == Reported {
			p.Mode = Idle
		}
	}
}

// crash handles Crash: it goes to the surrogate, or comes back if that one has failed as
// well.
func (x TakesOver) crash(p *P, net *model.Net[M], m M) {
	p.replace(m.Down)
	switch {
	case m.Surrogate == net.Self():
		if p.Mode == Idle && p.Surrogate == model.None {
			x.takeOver(p, net, m.Down)
		}
	case m.Informer != net.Self():
		net.Rule(tells)
		net.Send(model.Next, m)
	case p.Mode == Reported:
		net.Rule(nobody)
		x.create(p, net, M{Down: m.Surrogate})
	}
}
