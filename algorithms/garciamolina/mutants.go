package garciamolina

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// noHalter: a node is informed by anybody, whoever halted it last.
type noHalter struct{ *Protocol }

func (g noHalter) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == NewCoordinator {
		p.H = from.ID()
	}
	g.Protocol.Receive(p, net, from, m)
}

// anyReady: a node takes its task from anybody, in any state.
type anyReady struct{ *Protocol }

func (g anyReady) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Ready && p.At == Nowhere {
		p.S, p.C = Reorganization, from.ID()
	}
	g.Protocol.Receive(p, net, from, m)
}

// goesOn: a node that is halted goes on with its own election.
type goesOn struct{ *Protocol }

func (g goesOn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Halt && p.At != Nowhere {
		p.S, p.H = Election, from.ID()
		net.Reply(M{Type: Halted})
		return
	}
	g.Protocol.Receive(p, net, from, m)
}

// skipsHalt: a candidate takes lower nodes for halted that it has only begun to
// halt.
type skipsHalt struct{ *Protocol }

func (g skipsHalt) Timeout(p *P, net *model.Net[M], t model.Timer) {
	g.Protocol.Timeout(p, net, t)
	if p.At == Election2 {
		p.Up = net.Lower()
		p.To = 1
		g.next(p, net, Election2, 0)
	}
}

// wakesNormal: a node that recovers is Normal at once, and its own coordinator.
type wakesNormal struct{ *Protocol }

func (g wakesNormal) Init(p *P, net *model.Net[M], why model.Boot) {
	if why == model.Restart {
		p.S, p.C = Normal, net.Self()
		g.rest(p, net)
		return
	}
	g.Protocol.Init(p, net, why)
}

// hasty: T is one tick too short for an answer to arrive.
type hasty struct{ *Protocol }

func (g hasty) Suspect(p *P, net *model.Net[M], who model.ID) {
	g.Protocol.Suspect(p, net, who)
	g.shorten(p, net)
}

func (g hasty) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	g.Protocol.Receive(p, net, from, m)
	if m.Type == IAmUp || m.Type == Halted || m.Type == Informed || m.Type == IsReady || m.Type == Answer {
		g.shorten(p, net)
	}
}

func (g hasty) Timeout(p *P, net *model.Net[M], t model.Timer) {
	g.Protocol.Timeout(p, net, t)
	g.shorten(p, net)
}

func (g hasty) shorten(p *P, net *model.Net[M]) {
	if p.At != Nowhere {
		net.SetTimer(T, 2*net.Bound()-1)
	}
}

// asksNobody: a candidate does not ask whether a higher node is up.
type asksNobody struct{ *Protocol }

func (g asksNobody) Init(p *P, net *model.Net[M], why model.Boot) {
	g.Protocol.Init(p, net, why)
	if p.At == Election1 {
		g.next(p, net, Election1, 0)
	}
}
