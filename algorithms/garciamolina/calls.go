package garciamolina

import "bullyproof/model"

// Step is the place in a procedure where a node waits for an answer.
type Step uint8

// The steps.
const (
	Nowhere    Step = iota
	Election1       // Election: are higher nodes up?
	Election2       // Election: halt lower nodes
	Election3       // Election: inform them of the new coordinator
	Election4       // Election: hand out the task
	TimingOut       // Timeout: is the coordinator up?
	CheckingUp      // Check: are the others Normal?
)

// String returns the place in the procedure.
func (s Step) String() string {
	return [...]string{"none", "Election 1", "Election 2", "Election 3", "Election 4", "Timeout", "Check"}[s]
}

// question returns the call that a step makes.
func (g *Protocol) question(p *P, at Step) M {
	switch at {
	case Election3:
		return M{Type: NewCoordinator}
	case Election4:
		return M{Type: Ready, Task: p.D}
	case CheckingUp:
		return M{Type: AreYouNormal}
	}
	return M{Type: AreYouUp}
}

// answerTo is the kind of answer that each step waits for.
var answerTo = [...]model.Kind{
	Nowhere:   AreYouUp, // none
	Election1: IAmUp, Election2: Halted, Election3: Informed, Election4: IsReady, TimingOut: IAmUp, CheckingUp: Answer,
}

// next makes the next call of a step, to the first of the nodes that are left,
// and goes on to the next step where none is.
func (g *Protocol) next(p *P, net *model.Net[M], at Step, left model.Set) {
	switch {
	case at == Election2 && !left.Empty():
		g.call(p, net, at, left.Max(), M{Type: Halt})
	case !left.Empty():
		g.call(p, net, at, left.Min(), g.question(p, at))
	case at == Election1:
		g.halt(p, net)
	case at == Election2:
		g.inform(p, net)
	case at == Election3:
		g.reorganize(p, net)
	case at == Election4:
		g.normal(p, net)
	default: // the end of Check
		g.rest(p, net)
	}
}

// call calls node to, "ONTIMEOUT(T)".
func (g *Protocol) call(p *P, net *model.Net[M], at Step, to model.ID, m M) {
	p.At, p.To, m.Life = at, to, p.Life
	net.SendTo(to, m)
	net.StopTimer(LongTime)
	net.StopTimer(Period)
	net.SetTimer(T, 2*net.Bound())
}

// left returns the nodes that a step has yet to call.
func (g *Protocol) left(p *P, net *model.Net[M]) model.Set {
	above := ^model.Upto(p.To)
	switch p.At {
	case Election2:
		return model.Upto(p.To - 1)
	case Election3, Election4:
		return p.Up & above
	}
	return net.Peers() & above
}

// answered goes on where the node waits, with the answer to its call.
func (g *Protocol) answered(p *P, net *model.Net[M], m M) {
	switch {
	case p.At == Election1:
		net.Rule(gives)
		g.rest(p, net) // "If any such node is up, quit"
	case p.At == TimingOut:
		net.Rule(finds)
		g.rest(p, net)
	case p.At == CheckingUp && !m.Normal:
		net.Rule(notNormal)
		g.election(p, net)
	default:
		if p.At == Election2 {
			p.Up = p.Up.With(p.To)
		}
		g.next(p, net, p.At, g.left(p, net))
	}
}

// Timeout handles the end of a call, of a long time, and of a period.
func (g *Protocol) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t == LongTime:
		g.timeout(p, net)
	case t == Period:
		g.check(p, net)
	case p.At == TimingOut: // "on timeout Election(i)"
		g.election(p, net)
	case p.At == Election3 || p.At == Election4: // "ONTIMEOUT(T): Election(i), return"
		net.Rule(again)
		g.election(p, net)
	default: // "ONTIMEOUT(T): NEXT ITERATION"
		g.next(p, net, p.At, g.left(p, net))
	}
}

// stop is STOP: what the node was doing ends.
func (g *Protocol) stop(p *P, net *model.Net[M]) {
	p.At, p.To = Nowhere, model.None
	net.StopTimer(T)
	net.StopTimer(LongTime)
	net.StopTimer(Period)
}

// rest ends a procedure: the node does not wait without end.
func (g *Protocol) rest(p *P, net *model.Net[M]) {
	g.stop(p, net)
	switch {
	case p.S != Normal:
		net.SetTimer(LongTime, 4*net.Bound()*int(net.N())) // an election takes no longer to reach it
	case p.C == net.Self():
		net.SetTimer(Period, 2*net.Bound())
	}
}
