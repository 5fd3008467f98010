package genleader

import "bullyproof/model"

// take takes a message in the loop in which the process is.
func (g *Protocol) take(p *P, net *model.Net[M], from model.ID, m M) {
	if p.InLoop {
		g.loop(p, net, from, m)
	} else {
		g.safeLoop(p, net, from, m)
	}
}

// safeLoop is safe_loop, "the election loop".
func (g *Protocol) safeLoop(p *P, net *model.Net[M], from model.ID, m M) {
	waits := p.Status == Wait && p.Elid == m.T
	switch m.Type {
	case Halt:
		net.Rule(haltRule)
		g.halting(p, from, m.T)
		g.send(p, net, from, M{Type: AckLeader, T: m.T})
	case HasLeader:
		net.Rule(hasLeaderRule)
		g.learn(p, net, m)
	case IsLeader:
		g.send(p, net, from, M{Type: NotLeader, T: m.T})
	case NotLeader:
		if waits {
			net.Rule(notLeaderRule)
			g.startStage1(p, net)
		}
	case AckLeader:
		if p.Status == Elec2 && p.Elid == m.T && p.Pend == from {
			p.Acks = p.Acks.With(from)
			g.continStage2(p, net)
		} else {
			g.lateAck(p, net, from, m)
		}
		g.hasBecomeLeader(p, net)
	case Ldr:
		if waits {
			g.surrender(p, net, from, m)
		}
	case NormQ:
		if p.Status == Elec1 || waits {
			net.Rule(notNormRule)
			g.halting(p, from, m.T)
			g.send(p, net, from, M{Type: NotNorm, T: m.T})
		}
	case Join:
		p.Joins = p.Joins.With(from)
	case CheckLead:
		g.checkedInElection(p, net, from)
	}
}

// learn takes "hasLeader": somebody has answered a halt with the leader that there is.
func (g *Protocol) learn(p *P, net *model.Net[M], m M) {
	ldr, self := m.Ldr, net.Self()
	if ldr != self && m.LdrIncarn > p.Incarn.At(ldr) {
		g.renewed(p, net, ldr, m.LdrIncarn)
	}
	if g.refusesGhost(p, net, m) {
		return
	}
	if p.Status == Elec2 {
		g.sendAll(p, net, p.Acks, M{Type: HasLeader, T: m.T, Ldr: ldr, LdrIncarn: m.LdrIncarn})
	}
	p.Elid, p.Status, p.Leader = m.T, Wait, ldr
	p.Down = p.Down.Without(ldr)
	p.Acks, p.Pend = 0, model.None
	switch monitored := p.Monitored.Has(ldr); {
	case ldr == self: // it is told "isLeader" by itself, and answers "notLeader"
		net.Rule(notLeaderRule)
		g.startStage1(p, net)
	case m.LdrIncarn == p.Incarn.At(ldr):
		p.monitor(ldr)
		g.send(p, net, ldr, M{Type: IsLeader, T: m.T})
	case !monitored: // the pid is one from before a restart
		p.monitor(ldr)
		g.down(p, net, ldr)
	}
}

// surrender takes "ldr": the process follows its leader.
func (g *Protocol) surrender(p *P, net *model.Net[M], ldr model.ID, m M) {
	net.Rule(surrendered)
	net.StopTimer(candidate)
	p.monitor(ldr)
	p.Leader, p.Status, p.Cands, p.Down = ldr, Norm, m.Cands, 0
	g.enterLoop(p, net)
}

// loop is loop, in which there is a leader.
func (g *Protocol) loop(p *P, net *model.Net[M], from model.ID, m M) {
	leads := p.Leader == net.Self()
	switch m.Type {
	case AckLeader:
		g.lateAck(p, net, from, m)
	case Halt, Join:
		net.Rule(answerRule)
		g.send(p, net, from, g.hasLeader(p))
	case IsLeader:
		if !leads {
			g.send(p, net, from, M{Type: NotLeader, T: m.T})
			return
		}
		g.grow(p, net, from)
		g.callElected(p, net, from)
	case NotNorm:
		if leads && p.Elid == m.T {
			g.callElected(p, net, from)
		}
	case Heartbeat:
		if leads {
			g.ask(p, net)
			g.askBack(p, net, from)
		}
	case UpdateCandidates:
		if p.Elid == m.T {
			p.Cands = m.Cands
		}
	case CheckLead:
		g.checked(p, net, from)
	case Election:
		net.Rule(electionRule)
		g.startStage1(p, net)
	}
}

// hasLeader is the answer of a process that leads or follows.
func (g *Protocol) hasLeader(p *P) M {
	return M{Type: HasLeader, T: p.Elid, Ldr: p.Leader, LdrIncarn: p.Incarn.At(p.Leader)}
}

// callElected has a leader take a process in.
func (g *Protocol) callElected(p *P, net *model.Net[M], from model.ID) {
	net.Rule(callElected)
	p.Down = p.Down.Without(from)
	p.monitor(from)
	g.send(p, net, from, M{Type: Ldr, T: p.Elid, Cands: p.Cands})
}

// grow makes a process a candidate, if it was none.
func (g *Protocol) grow(p *P, net *model.Net[M], from model.ID) {
	if p.pos(from) > 0 {
		return
	}
	net.Rule(growRule)
	told := p.others(net.Self()) &^ p.Down
	p.Cands.Append(from)
	g.sendAll(p, net, told, M{Type: UpdateCandidates, T: p.Elid, Cands: p.Cands})
}

// ask is Periodically: the leader asks the candidates that are down whether they are in an election,
// except the first one, which halts others without being asked.
func (g *Protocol) ask(p *P, net *model.Net[M]) {
	net.Rule(askRule)
	g.sendAll(p, net, p.Down.Without(p.Cands.At(0)), M{Type: NormQ, T: p.Elid})
}

// Timeout is what time does.
func (g *Protocol) Timeout(p *P, net *model.Net[M], t model.Timer) {
	leads := p.InLoop && p.Leader == net.Self()
	switch {
	case t == heartbeat && leads:
		g.ask(p, net)
		if g.Asks {
			net.SetTimer(heartbeat, tau)
		}
	case t == candidate && !p.InLoop && (g.Repaired || !p.Down.Empty()):
		net.Rule(wakeRule)
		to := p.Down & p.Apart
		if g.Repaired {
			to |= p.lesser(net.Self())
		}
		g.sendAll(p, net, to, M{Type: Heartbeat})
		net.SetTimer(candidate, tau)
	case t == candidate && leads && !p.Down.Empty():
		net.SetTimer(candidate, tau)
	case t == checkleads && leads && !p.Down.Empty():
		net.Rule(checkleadRule)
		to := p.Down
		if g.Checks == SomeChecks {
			to &= p.Apart
		}
		g.sendAll(p, net, to, M{Type: CheckLead})
		net.SetTimer(checkleads, tau)
	}
}
