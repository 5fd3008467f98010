package spanningtrees

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "stays", Of: "ring", Caught: "e2", Setting: ring, New: of(stays{&Protocol{Ring: true}}),
		Doc: "A process never leaves a tree.",
	},
	{
		Name: "joins-all", Of: "ring", Caught: "termination", Setting: ringTwo, New: of(joinsAll{&Protocol{Ring: true}}),
		Doc: "A process joins trees with smaller roots as well.",
	},
	{
		Name: "hasty", Of: "ring", Caught: "uniqueness", Setting: ring4, New: of(hasty{&Protocol{Ring: true}}),
		Doc: "A process that joins a tree does not wait for its neighbours.",
	},
	{
		Name: "keeps-it", Of: "complete", Caught: "e2", Setting: usual, New: of(keepsIt{&Protocol{}}),
		Doc: "The leader does not announce itself.",
	},
	{
		Name: "gives-up-to-all", Of: "merges", Caught: "e2", Setting: usual, New: ledger.SystemOf[Member, Offer](givesUpToAll{&Merging{}}),
		Doc: "A root gives its tree up to smaller ones as well.",
	},
	{
		Name: "comes-alone", Of: "merges", Caught: "e2", Setting: usual, New: ledger.SystemOf[Member, Offer](comesAlone{&Merging{}}),
		Doc: "A root that gives its tree up does not say who is in it.",
	},
}

type stays struct{ *Protocol }

func (x stays) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Tree || p.Root == model.None || m.Root <= p.Root {
		x.Protocol.Receive(p, net, from, m)
	}
}

type joinsAll struct{ *Protocol }

func (x joinsAll) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Tree && m.Root < p.Root {
		p.Root = model.None
	}
	x.Protocol.Receive(p, net, from, m)
}

type hasty struct{ *Protocol }

func (x hasty) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	root := p.Root
	x.Protocol.Receive(p, net, from, m)
	if m.Type == Tree && m.Root > root && p.Waits != 0 {
		net.Reply(M{Echo, m.Root})
	}
}

type keepsIt struct{ *Protocol }

func (x keepsIt) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Echo {
		p.Children = 0
		p.Waits = p.Waits.Without(x.link(from))
		m = M{Tree, m.Root}
	}
	x.Protocol.Receive(p, net, from, m)
}

type givesUpToAll struct{ *Merging }

func (x givesUpToAll) Receive(p *Member, net *model.Net[Offer], from model.Port, m Offer) {
	if m.Type == Join && p.Parent == net.Self() && m.Root < net.Self() {
		tree := p.Tree
		*p = Member{Parent: m.Root}
		net.SendTo(m.Root, Offer{Type: Merge, Tree: tree})
		return
	}
	x.Merging.Receive(p, net, from, m)
}

type comesAlone struct{ *Merging }

func (x comesAlone) Receive(p *Member, net *model.Net[Offer], from model.Port, m Offer) {
	if m.Type == Join && p.Parent == net.Self() && m.Root > net.Self() {
		p.Tree = model.SetOf(net.Self())
	}
	x.Merging.Receive(p, net, from, m)
}
