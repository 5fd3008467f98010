package heaptree

import (
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "both-win", Of: "paper", Caught: "uniqueness", Setting: usual,
		Doc: "Each child of the deleted root that hears from the other becomes the leader.",
		New: ledger.SystemOf[P, M](bothWin{&Protocol{}}),
	},
	{
		Name: "first-wins", Of: "paper", Caught: "extreme", Setting: usual,
		Doc: "A child of the deleted root that notices does not compare, and becomes the leader.",
		New: ledger.SystemOf[P, M](firstWins{&Protocol{}}),
	},
	{
		Name: "lesser-rises", Of: "paper", Caught: "linked", Setting: usual,
		Doc: "The smaller child takes the place above it, and its sibling is forgotten.",
		New: ledger.SystemOf[P, M](lesserRises{&Protocol{}}),
	},
	{
		Name: "never-swaps", Of: "paper", Caught: "heap-order", Setting: oneJoin,
		Doc: "A node that joins does not swap position with its parent.",
		New: ledger.SystemOf[P, M](neverSwaps{&Protocol{}}),
	},
	{
		Name: "tells-nobody", Of: "paper", Caught: "agreement", Setting: oneJoin,
		Doc: "A node that becomes the root by joining tells no other.",
		New: ledger.SystemOf[P, M](tellsNobody{&Protocol{}}),
	},
	{
		Name: "hasty", Of: "repaired", Caught: "uniqueness", Setting: twoCrashes,
		Doc: "The wait for the nodes that are up is one tick too short.",
		New: ledger.SystemOf[P, M](hasty{Repaired{&Protocol{}}}),
	},
	{
		Name: "echoes", Of: "paper", Caught: "termination", Setting: usual,
		Doc: "A node sends the news of a leader back to where it came from.",
		New: ledger.SystemOf[P, M](echoes{&Protocol{}}),
	},
	{
		Name: "returns-it", Of: "paper", Caught: "termination", Setting: setting.Must("n=4 start=settled crashes=1"),
		Doc: "A node sends an election message that it has had, and what it is to compare with, back to where it came from.",
		New: ledger.SystemOf[P, M](returnsIt{&Protocol{}}),
	},
	{
		Name: "places-over", Of: "paper", Caught: "complete", Setting: setting.Must("n=5 start=settled joins=1"),
		Doc: "A node hands a newcomer to the other of its children.",
		New: ledger.SystemOf[P, M](placesOver{&Protocol{}}),
	},
}

type bothWin struct{ *Protocol }

func (h bothWin) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Compare && p.Leader == m.Dead {
		h.win(p, net, m.Dead)
		return
	}
	h.Protocol.Receive(p, net, from, m)
}

type firstWins struct{ *Protocol }

func (h firstWins) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Father == who {
		h.win(p, net, who)
		return
	}
	h.Protocol.Suspect(p, net, who)
}

type lesserRises struct{ *Protocol }

func (h lesserRises) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Compare && p.Left != model.None && p.Right != model.None {
		p.Left, p.Right = min(p.Left, p.Right), model.None
	}
	h.Protocol.Receive(p, net, from, m)
}

type neverSwaps struct{ *Protocol }

func (neverSwaps) Timeout(*P, *model.Net[M], model.Timer) {}

type tellsNobody struct{ *Protocol }

func (h tellsNobody) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Leader {
		h.Protocol.Receive(p, net, from, m)
	}
}

type hasty struct{ Repaired }

func (h hasty) Timeout(p *P, net *model.Net[M], t model.Timer) {
	asking := p.Asking
	h.Repaired.Timeout(p, net, t)
	if p.Asking && !asking {
		net.SetTimer(Wait, 2*net.Bound()-1)
	}
}

type echoes struct{ *Protocol }

func (h echoes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	h.Protocol.Receive(p, net, from, m)
	if m.Type == Leader {
		net.Send(from, m)
	}
}

type returnsIt struct{ *Protocol }

func (h returnsIt) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	again := m.Type == Compare || m.Type == Election && p.Passed == m.Dead
	h.Protocol.Receive(p, net, from, m)
	if again {
		net.Send(from, m)
	}
}

type placesOver struct{ *Protocol }

func (h placesOver) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Seek {
		m.Index ^= 1
	}
	h.Protocol.Receive(p, net, from, m)
}
