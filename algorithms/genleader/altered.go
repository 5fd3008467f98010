package genleader

import "bullyproof/model"

// hasty is the program of 2005 with a fault: a candidate enters stage 2 when one of those
// before it is down.
type hasty struct{ *Protocol }

func (a hasty) Suspect(p *P, net *model.Net[M], who model.ID) {
	a.Protocol.Suspect(p, net, who)
	a.hurry(p, net)
}

func (a hasty) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	passes := a.passes(p, net, from.ID(), m)
	a.hurry(p, net)
	if passes {
		a.take(p, net, from.ID(), m)
	}
}

func (a hasty) hurry(p *P, net *model.Net[M]) {
	lesser := p.lesser(net.Self())
	if p.InLoop || p.Status != Elec1 || (lesser & p.Down).Empty() {
		return
	}
	p.Down = lesser
	a.startStage2(p, net)
	a.hasBecomeLeader(p, net)
}

// agrees is the program of 2005 with a fault: a process that has a leader acknowledges a
// halt, and keeps its leader.
type agrees struct{ *Protocol }

func (a agrees) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch j := from.ID(); {
	case !a.passes(p, net, j, m):
	case p.InLoop && m.Type == Halt:
		net.Rule(answerRule)
		a.send(p, net, j, M{Type: AckLeader, T: m.T})
	default:
		a.take(p, net, j, m)
	}
}

// silent is the program of 2005 with a fault: a leader does not ask those that are down.
type silent struct{ *Protocol }

func (a silent) Timeout(p *P, net *model.Net[M], t model.Timer) {
	down := p.Down
	p.Down = 0
	a.Protocol.Timeout(p, net, t)
	p.Down = down
}
