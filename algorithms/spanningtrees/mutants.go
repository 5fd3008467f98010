package spanningtrees

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// stays: a process never leaves a tree.
type stays struct{ *Protocol }

func (x stays) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Tree || p.Root == model.None || m.Root <= p.Root {
		x.Protocol.Receive(p, net, from, m)
	}
}

// joinsAll: a process joins trees with smaller roots, too.
type joinsAll struct{ *Protocol }

func (x joinsAll) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Tree && m.Root < p.Root {
		p.Root = model.None
	}
	x.Protocol.Receive(p, net, from, m)
}

// hasty: a process that joins a tree does not wait for its neighbours.
type hasty struct{ *Protocol }

func (x hasty) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	root := p.Root
	x.Protocol.Receive(p, net, from, m)
	if m.Type == Tree && m.Root > root && p.Waits != 0 {
		net.Reply(M{Echo, m.Root})
	}
}

// keepsIt: the leader tells nobody.
type keepsIt struct{ *Protocol }

func (x keepsIt) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Echo {
		p.Children = 0
		p.Waits = p.Waits.Without(x.link(from))
		m = M{Tree, m.Root}
	}
	x.Protocol.Receive(p, net, from, m)
}

// givesUpToAll: a root gives its tree up to smaller ones, too.
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

// comesAlone: a root that gives its tree up forgets its members.
type comesAlone struct{ *Merging }

func (x comesAlone) Receive(p *Member, net *model.Net[Offer], from model.Port, m Offer) {
	if m.Type == Join && p.Parent == net.Self() && m.Root > net.Self() {
		p.Tree = model.SetOf(net.Self())
	}
	x.Merging.Receive(p, net, from, m)
}
