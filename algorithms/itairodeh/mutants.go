package itairodeh

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "forgets-clash", Of: "itai-rodeh", Caught: "uniqueness", Setting: ring, New: of(forgetsClash{&Protocol{}}),
		Doc: "A message that meets its own identity is passed on without a mark.",
	},
	{
		Name: "no-hops", Of: "fokkink-pang", Caught: "uniqueness", Setting: ring, New: of(noHops{&Protocol{Rounds: Without}}),
		Doc: "A process takes every message with its identity for its own, however far it has come.",
	},
	{
		Name: "equal-neighbours", Of: "bakhshi", Caught: "uniqueness", Setting: biring,
		Doc: "On the bidirectional ring, a process takes a message with its identity for its own.",
		New: ledger.SystemOf[Member, Letter](equalNeighbours{&Bidirectional{}}),
	},
}

type forgetsClash struct{ *Protocol }

func (c forgetsClash) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	m.Clash = false
	c.Protocol.Receive(p, net, from, m)
}

type noHops struct{ *Protocol }

func (c noHops) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.Mode == Active && m.ID == p.ID {
		m.Hop = uint8(net.N())
	}
	c.Protocol.Receive(p, net, from, m)
}

type equalNeighbours struct{ *Bidirectional }

func (c equalNeighbours) Receive(p *Member, net *model.Net[Letter], from model.Port, m Letter) {
	if p.Mode == Active && m.ID == p.ID {
		m.Hop = uint8(net.N())
	}
	c.Bidirectional.Receive(p, net, from, m)
}
