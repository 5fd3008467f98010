package heaptree

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// bothWin: each child of the deleted root that hears from the other wins.
type bothWin struct{ *Protocol }

func (h bothWin) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Compare && p.Leader == m.Dead {
		h.win(p, net, m.Dead)
		return
	}
	h.Protocol.Receive(p, net, from, m)
}

// firstWins: a child of the deleted root does not compare, and wins.
type firstWins struct{ *Protocol }

func (h firstWins) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Father == who {
		h.win(p, net, who)
		return
	}
	h.Protocol.Suspect(p, net, who)
}

// lesserRises: the smaller child takes the place above it.
type lesserRises struct{ *Protocol }

func (h lesserRises) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Compare && p.Left != model.None && p.Right != model.None {
		p.Left, p.Right = min(p.Left, p.Right), model.None
	}
	h.Protocol.Receive(p, net, from, m)
}

// neverSwaps: a node that joins does not swap position.
type neverSwaps struct{ *Protocol }

func (neverSwaps) Timeout(*P, *model.Net[M], model.Timer) {}

// tellsNobody: a node that becomes the root by joining does not say so.
type tellsNobody struct{ *Protocol }

func (h tellsNobody) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Leader {
		h.Protocol.Receive(p, net, from, m)
	}
}

// hasty: the wait for those that are up is one tick too short.
type hasty struct{ Repaired }

func (h hasty) Timeout(p *P, net *model.Net[M], t model.Timer) {
	asking := p.Asking
	h.Repaired.Timeout(p, net, t)
	if p.Asking && !asking {
		net.SetTimer(Wait, 2*net.Bound()-1)
	}
}

// echoes: a node sends the news of a leader back to where it came from.
type echoes struct{ *Protocol }

func (h echoes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	h.Protocol.Receive(p, net, from, m)
	if m.Type == Leader {
		net.Send(from, m)
	}
}

// returnsIt: a node sends an election message that it has had, and what it is to
// compare with, back to where it came from.
type returnsIt struct{ *Protocol }

func (h returnsIt) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	again := m.Type == Compare || m.Type == Election && p.Passed == m.Dead
	h.Protocol.Receive(p, net, from, m)
	if again {
		net.Send(from, m)
	}
}

// placesOver: a node hands a newcomer to the other of its children.
type placesOver struct{ *Protocol }

func (h placesOver) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Seek {
		m.Index ^= 1
	}
	h.Protocol.Receive(p, net, from, m)
}
