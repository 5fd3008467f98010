package heaptree

import "bullyproof/model"

// falling is the order of the IDs from the highest. Nodes that have joined in it stand in the
// array in that order.
var falling = func() (order []model.ID) {
	for id := model.MaxID; id > 0; id-- {
		order = append(order, id)
	}
	return order
}()

// numbered has each node know its number, and so which child it is: "we simply number the nodes
// in the heap from top to bottom, numbering the nodes on each level from left to right". A node
// that rises leaves the others on the sides on which they are.
type numbered struct{ *Protocol }

// Numbered is that reading, of nodes that have joined in an order.
func Numbered(order []model.ID) model.Protocol[P, M] {
	h := numbered{&Protocol{Order: order}}
	h.other = h
	return h
}

// Settle puts the node into the tree, where it knows its number.
func (h numbered) Settle(p *P, self, _ model.ID, live model.Set) {
	p.Index = uint8(h.plant(p, self, live))
}

// Receive keeps the number of a node that gets a place, or swaps position.
func (h numbered) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type == Place && p.Leader == model.None:
		p.Index = m.Size
	case m.Type == Yours:
		p.Index /= 2
	case m.Type == Swap && from.ID() == p.Left:
		p.Index *= 2
	case m.Type == Swap && from.ID() == p.Right:
		p.Index = 2*p.Index + 1
	}
	h.Protocol.Receive(p, net, from, m)
}

// rise is as in Protocol, and the node that is beside stays on its side.
func (h numbered) rise(p *P, net *model.Net[M], father, sibling, dead model.ID) {
	h.Protocol.rise(p, net, father, sibling, dead)
	if p.Index%2 == 1 {
		p.Left, p.Right = p.Right, p.Left
	}
	p.Index /= 2
}

// lastLeaf has the places filled as HEAP-EXTRACT-MAX does, so that the tree stays "completely
// filled on all levels except possibly the lowest, which is filled from the left up to a point".
// The greater child rises into the place above it, level by level. The place that is empty in
// the end is for the last leaf, which compares its ID with its parent's from there, as a node
// that joins does. (In HEAP-EXTRACT-MAX the last leaf goes into the place of the root first, and
// down past the same children. It ends in the same place.)
//
// The paper does not say who knows which leaf is the last. Here all count the nodes that join,
// and the root sends for the last leaf.
type lastLeaf struct{ numbered }

// LastLeaf is that reading, of nodes that have joined in an order.
func LastLeaf(order []model.ID) model.Protocol[P, M] {
	h := lastLeaf{numbered{&Protocol{Order: order}}}
	h.other = h
	return h
}

// Names has its messages and its rule.
func (h lastLeaf) Names() model.Names {
	return model.Names{Kinds: names.Kinds[:Ask], Timers: names.Timers[:Wait], Rules: names.Rules[:asks]}
}

// Receive handles the messages of this reading.
func (h lastLeaf) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Fill:
		h.fill(p, net, m)
	case Takes:
		h.takes(p, net, from.ID(), m)
	case Gone:
		p.Sibling = model.None
	default:
		h.numbered.Receive(p, net, from, m)
	}
}

// rise is as in numbered, unless no child takes the place of the node: then the root sends for
// the last leaf, if that is another one. The leader that has crashed no longer counts.
func (h lastLeaf) rise(p *P, net *model.Net[M], father, sibling, dead model.ID) {
	last := p.Size + 1
	if max(p.Left, p.Right) != model.None || p.Index == last {
		h.numbered.rise(p, net, father, sibling, dead)
		return
	}
	net.Rule(rises)
	m := M{Type: Fill, ID: p.Leader, Dead: dead, Father: net.Self(), Sibling: p.Sibling, Index: p.Index, Size: last}
	p.Left, p.Right = model.None, p.Sibling
	if p.Index%2 == 1 {
		p.Left, p.Right = p.Sibling, model.None
	}
	p.Index, p.Father, p.Sibling = p.Index/2, father, sibling
	if p.Leader != net.Self() {
		net.SendTo(p.Leader, m)
		return
	}
	h.fill(p, net, m)
}

// fill hands the place that is empty down to the last leaf, by its number.
func (h lastLeaf) fill(p *P, net *model.Net[M], m M) {
	if p.Index == m.Size {
		h.take(p, net, m)
		return
	}
	next := m.Size // the number of the child on the way there
	for next/2 > p.Index {
		next /= 2
	}
	child, other := &p.Left, p.Right
	if next%2 == 1 {
		child, other = &p.Right, p.Left
	}
	send(net, *child, m)
	if next == m.Size {
		*child = model.None
		send(net, other, M{Type: Gone})
	}
}

// take has the last leaf take the place that is empty.
func (h lastLeaf) take(p *P, net *model.Net[M], m M) {
	net.Rule(fills)
	h.learn(p, m.ID, m.Dead)
	p.Index, p.Father, p.Sibling = m.Index, m.Father, m.Sibling
	if m.Sibling == net.Self() {
		p.Sibling = model.None
	}
	m.Type = Takes
	send(net, p.Father, m)
	send(net, p.Sibling, m)
	h.lift(p, net)
}

// takes notes a child, or a sibling, that has been the last leaf.
func (h lastLeaf) takes(p *P, net *model.Net[M], leaf model.ID, m M) {
	switch {
	case m.Father != net.Self():
		p.Father, p.Sibling = m.Father, leaf
		h.learn(p, m.ID, m.Dead)
		h.passDown(p, net, m.Dead)
	case m.Index%2 == 1:
		p.Right = leaf
	default:
		p.Left = leaf
	}
}
