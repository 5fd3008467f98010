package electioncommission

import (
	"slices"

	"bullyproof/model"
)

// repaired has the commission announce a winner in turn.
//
// The winner is told last: all others at once, and D later itself. By then they
// have heard of it, whoever led before among them, and lead no more. So there
// are never two coordinators.
//
// Announcements are numbered, and a process ignores one that is older than the
// one that it follows. So nobody follows the wrong one for good where channels do
// not keep the order.
type repaired struct{ *Protocol }

// Repaired is the repair.
func Repaired() model.Protocol[P, M] {
	r := repaired{&Protocol{}}
	r.other = r
	return r
}

// The rules of the repair.
var (
	old      = follows + 1
	appoints = old + 1
)

// Last is the timer of the wait before the winner is told.
const Last = T + 1

// Names has the rules and the timer of the repair.
func (repaired) Names() model.Names {
	return model.Names{
		Kinds:  names.Kinds,
		Timers: append(slices.Clone(names.Timers), model.TimerName{Name: "D"}),
		Rules: append(slices.Clone(names.Rules),
			"COORDINATOR, older than the one that it follows: ignore",
			"the others have been told: tell the winner"),
	}
}

// Receive is as in Protocol, except for an announcement that is old.
func (r repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Coordinator {
		if m.Number < p.Number {
			net.Rule(old)
			return
		}
		p.Number = m.Number
	}
	r.Protocol.Receive(p, net, from, m)
}

// announce tells all but the winner.
func (r repaired) announce(p *P, net *model.Net[M]) {
	p.Number, p.Told = p.Number+1, p.Elected
	net.SendAll(net.Peers().Without(p.Told), M{Coordinator, p.Told, p.Number})
	net.SetTimer(Last, net.Bound())
}

// tell tells one process who leads, except for the winner whose turn it is not yet.
func (r repaired) tell(p *P, net *model.Net[M], who model.ID) {
	net.Rule(tells)
	if who != p.Told {
		net.SendTo(who, M{Coordinator, p.Elected, p.Number})
	}
}

// Timeout is as in Protocol, and tells the winner.
func (r repaired) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != Last {
		r.Protocol.Timeout(p, net, t)
		return
	}
	net.Rule(appoints)
	net.SendTo(p.Told, M{Coordinator, p.Told, p.Number})
	p.Told = model.None
}
