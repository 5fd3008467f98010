package genleader

import "bullyproof/model"

// The repair is not of the sources. The election takes for granted that a leader leads until its end, and that
// whoever waits for a process is known to it. The repair keeps to both.

// yield has two leaders become one: the one behind ends, and its supervisor starts it again.
func (g *Protocol) yield(p *P, net *model.Net[M], other model.ID) {
	if p.pos(other) > p.pos(net.Self()) {
		g.send(p, net, other, M{Type: CheckLead})
		return
	}
	g.Stable(p)
	for t := heartbeat; t <= checkleads; t++ {
		net.StopTimer(t)
	}
	g.Init(p, net, model.Restart)
}

// lateAck answers who waits for an election that is over: it acknowledged a halt too late.
func (g *Protocol) lateAck(p *P, net *model.Net[M], from model.ID, m M) {
	switch {
	case !g.Repaired:
	case p.InLoop:
		g.send(p, net, from, g.hasLeader(p))
	default:
		g.send(p, net, from, M{Type: NotLeader, T: m.T})
	}
}

// askBack has a leader ask whoever begins to monitor it.
func (g *Protocol) askBack(p *P, net *model.Net[M], from model.ID) {
	if g.Repaired && !p.Down.Has(from) {
		g.send(p, net, from, M{Type: NormQ, T: p.Elid})
	}
}

// refusesGhost has a process not follow a leader from before a restart. It halts again whoever names one.
func (g *Protocol) refusesGhost(p *P, net *model.Net[M], m M) bool {
	if !g.Repaired || m.LdrIncarn >= p.Incarn.At(m.Ldr) {
		return false
	}
	if p.Status == Elec2 {
		g.send(p, net, p.Pend, M{Type: Halt, T: p.Elid})
	}
	return true
}
