package electioncommission

import (
	"slices"

	"bullyproof/model"
)

// announceInTurn is the repair of how the commission announces a winner.
//
// The winner is told last: all others at once, and D later itself. By then they
// have heard of it, whoever led before among them, and lead no more. So there
// are never two coordinators.
//
// Announcements are numbered, and a process ignores one that is older than the
// one that it follows. So nobody follows the wrong one for good where channels do
// not keep the order.
func (c *Protocol) announceInTurn(p *P, net *model.Net[M]) {
	p.Number, p.Told = p.Number+1, p.Elected
	net.SendAll(net.Peers().Without(p.Told), M{Coordinator, p.Told, p.Number})
	net.SetTimer(Last, net.Bound())
}

// appoint tells the winner.
func (c *Protocol) appoint(p *P, net *model.Net[M]) {
	net.Rule(appoints)
	net.SendTo(p.Told, M{Coordinator, p.Told, p.Number})
	p.Told = model.None
}

var repairedNames = model.Names{
	Kinds:  names.Kinds,
	Timers: append(slices.Clone(names.Timers), model.TimerName{Name: "D"}),
	Rules: append(slices.Clone(names.Rules),
		"COORDINATOR, older than the one that it follows: ignore",
		"the others have been told: tell the winner"),
}
