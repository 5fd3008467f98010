package invitation

import "bullyproof/model"

// Step is the place in a procedure where a node waits.
type Step uint8

// The steps.
const (
	Nowhere   Step = iota
	Checking       // Check: AreYouCoordinator
	Pausing        // Check: somebody of higher priority may be faster
	Gathering      // Merge: who accepts?
	Readying       // Merge: hand out the task
	Accepting      // Invitation: Accept
	TimingOut      // Timeout: AreYouThere
)

// String returns the place in the procedure.
func (s Step) String() string {
	return [...]string{"none", "Check", "Check, pausing", "Merge, gathering", "Merge, Ready", "Invitation, Accept", "Timeout"}[s]
}

// question is the call of each step.
var question = [...]model.Kind{Checking: AreYouCoordinator, Readying: Ready, Accepting: Accept, TimingOut: AreYouThere}

// next makes the next call of a step, to the first of the nodes that are left,
// and goes on where none is.
func (v *Protocol) next(p *P, net *model.Net[M], at Step, left model.Set) {
	switch {
	case !left.Empty():
		v.call(p, net, at, left.Min())
	case at == Readying:
		v.normal(p, net)
	default:
		v.checked(p, net)
	}
}

// call calls node to, "ONTIMEOUT(T)".
func (v *Protocol) call(p *P, net *model.Net[M], at Step, to model.ID) {
	v.stop(p, net)
	p.At, p.To = at, to
	net.SendTo(to, M{Type: question[at], G: p.G, Task: handedOut(p, at)})
	net.SetTimer(T, 2*net.Bound())
}

// handedOut is the task that the call of a step has with it.
func handedOut(p *P, at Step) uint8 {
	if at == Readying {
		return p.D
	}
	return 0
}

// answered goes on where the node waits, with the answer to its call.
func (v *Protocol) answered(p *P, net *model.Net[M], m M) {
	rest := ^model.Upto(p.To)
	switch p.At {
	case Checking:
		if m.Yes {
			net.Rule(finds)
			p.Found = p.Found.With(p.To)
		}
		v.next(p, net, Checking, net.Peers()&rest)
	case Readying:
		v.next(p, net, Readying, p.Up&rest)
	case Accepting:
		net.Rule(waits)
		p.S = Reorganization
		v.rest(p, net)
	case TimingOut:
		if !m.Yes {
			net.Rule(notThere)
			v.recovery(p, net)
			return
		}
		v.rest(p, net)
	}
}

// Timeout handles what is over: a call, a pause, the wait for acceptances, and
// what the operating system calls from time to time.
func (v *Protocol) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case Period:
		v.check(p, net)
	case LongTime:
		v.timeout(p, net)
	case Pause:
		v.merge(p, net)
	case Gather:
		v.reorganize(p, net)
	case T:
		if p.At == Checking {
			v.next(p, net, Checking, net.Peers()&^model.Upto(p.To))
			return
		}
		net.Rule(unanswered) // Ready, Accept, AreYouThere: Recovery(i)
		v.recovery(p, net)
	}
}

// stop is STOP: what the node was doing ends.
func (v *Protocol) stop(p *P, net *model.Net[M]) {
	p.At, p.To = Nowhere, model.None
	for t := range model.Timer(len(names.Timers)) {
		net.StopTimer(t)
	}
}

// rest ends a procedure: a coordinator waits for the next Check, a member for
// word from its coordinator.
func (v *Protocol) rest(p *P, net *model.Net[M]) {
	v.stop(p, net)
	if p.C == net.Self() {
		p.Found = 0
		net.SetTimer(Period, 2*net.Bound())
		return
	}
	net.SetTimer(LongTime, 2*net.Bound())
}

// Start does nothing: nobody asks for an election, Check comes round.
func (v *Protocol) Start(*P, *model.Net[M]) {}

// Suspect does nothing: nobody detects failures but by calls.
func (v *Protocol) Suspect(*P, *model.Net[M], model.ID) {}

// Watches: nobody has a failure detector.
func (v *Protocol) Watches(*P, model.ID) model.Set { return 0 }
