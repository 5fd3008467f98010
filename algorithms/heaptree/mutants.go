package heaptree

import (
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "both-win", Of: "paper", Caught: "uniqueness", Setting: usual, New: of(bothWin{&Protocol{}}),
		Doc: "Each child of the deleted root that hears from the other becomes the leader.",
	},
	{
		Name: "first-wins", Of: "paper", Caught: "extreme", Setting: usual, New: of(firstWins{&Protocol{}}),
		Doc: "A child of the deleted root that notices does not compare, and becomes the leader.",
	},
	{
		Name: "lesser-rises", Of: "paper", Caught: "linked", Setting: usual, New: of(lesserRises{&Protocol{}}),
		Doc: "The smaller child takes the place above it, and its sibling is forgotten.",
	},
	{
		Name: "never-swaps", Of: "paper", Caught: "heap-order", Setting: oneJoin, New: of(neverSwaps{&Protocol{}}),
		Doc: "A node that joins does not swap position with its parent.",
	},
	{
		Name: "tells-nobody", Of: "paper", Caught: "agreement", Setting: oneJoin, New: of(tellsNobody{&Protocol{}}),
		Doc: "A node that becomes the root by joining tells no other.",
	},
	{
		Name: "hasty", Of: "repaired", Caught: "uniqueness", Setting: twoCrashes, New: of(hasty{Repaired{&Protocol{}}}),
		Doc: "The wait for the nodes that are up is one tick too short.",
	},
	{
		Name: "echoes", Of: "paper", Caught: "termination", Setting: usual, New: of(echoes{&Protocol{}}),
		Doc: "A node sends the news of a leader back to where it came from.",
	},
	{
		Name: "returns-it", Of: "paper", Caught: "termination", Setting: setting.Must("n=4 start=settled crashes=1"), New: of(returnsIt{&Protocol{}}),
		Doc: "A node sends an election message that it has had, and what it is to compare with, back to where it came from.",
	},
	{
		Name: "places-over", Of: "paper", Caught: "complete", Setting: setting.Must("n=5 start=settled joins=1"), New: of(placesOver{&Protocol{}}),
		Doc: "A node hands a newcomer to the other of its children.",
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
