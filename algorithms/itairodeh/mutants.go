package itairodeh

import "bullyproof/model"

// Each type below is the algorithm with one line broken.

// forgetsClash: a message that meets its own identity is not marked.
type forgetsClash struct{ *Protocol }

func (c forgetsClash) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	m.Clash = false
	c.Protocol.Receive(p, net, from, m)
}

// noHops: a process takes a message with its identity for its own.
type noHops struct{ *Protocol }

func (c noHops) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.Mode == Active && m.ID == p.ID {
		m.Hop = uint8(net.N())
	}
	c.Protocol.Receive(p, net, from, m)
}

// equalNeighbours: on the bidirectional ring, a process takes a message with its
// identity for its own.
type equalNeighbours struct{ *Bidirectional }

func (c equalNeighbours) Receive(p *Member, net *model.Net[Letter], from model.Port, m Letter) {
	if p.Mode == Active && m.ID == p.ID {
		m.Hop = uint8(net.N())
	}
	c.Bidirectional.Receive(p, net, from, m)
}
