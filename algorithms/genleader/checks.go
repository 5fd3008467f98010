package genleader

import "bullyproof/model"

// checkedInElection is "checklead" in safe_loop: "in the very exceptional case when a candidate
// comes up when the elected leader is *behind* it in the candidate list".
func (g *Protocol) checkedInElection(p *P, net *model.Net[M], from model.ID) {
	behind := p.pos(from) > p.pos(net.Self())
	if g.Checks == AllChecks && p.Status == Elec1 && (behind || g.Repaired) {
		net.Rule(quagmire)
		g.send(p, net, from, M{Type: Heartbeat})
	}
}

// checked is "checklead" in loop.
func (g *Protocol) checked(p *P, net *model.Net[M], from model.ID) {
	if from == p.Leader || p.Leader != net.Self() {
		return
	}
	net.Rule(disagreeRule)
	if g.Repaired {
		g.yield(p, net, from)
		return
	}
	g.sendAll(p, net, p.others(net.Self()), M{Type: Election})
	g.startStage1(p, net)
}
