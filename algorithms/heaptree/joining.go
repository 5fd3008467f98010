package heaptree

import (
	"math/bits"

	"bullyproof/model"
)

// joining handles the messages by which nodes join.
func (h *Protocol) joining(p *P, net *model.Net[M], from model.ID, m M) {
	switch m.Type {
	case Join:
		if p.Leader == model.None {
			return // it joins itself
		}
		p.Size++
		if p.Leader == net.Self() {
			h.seek(p, net, from, p.Size, p.Size)
		}
	case Seek:
		h.seek(p, net, m.ID, m.Index, m.Size)
	case Swap:
		h.swap(p, net, from, m)
	case Yours:
		p.Father, p.Sibling, p.Left, p.Right = m.Father, m.Sibling, m.Left, m.Right
		h.lift(p, net)
	case Swapped:
		for _, link := range []*model.ID{&p.Father, &p.Left, &p.Right, &p.Sibling} {
			switch *link {
			case m.ID:
				*link = m.Left
			case m.Left:
				*link = m.ID
			}
		}
	}
}

// seek finds the place at an index, counted from the top of this node's
// subtree, for a node that joins: the tree "is filled from the left up to a
// point". Where a place above is empty it is taken.
func (h *Protocol) seek(p *P, net *model.Net[M], who model.ID, index, size uint8) {
	level := bits.Len8(index) - 2 // the bit that says left or right
	child, other := &p.Left, p.Right
	if level >= 0 && index>>level&1 != 0 {
		child, other = &p.Right, p.Left
	}
	if *child != model.None {
		rest := uint8(1)
		if level > 0 {
			rest = index&(1<<level-1) | 1<<level
		}
		send(net, *child, M{Type: Seek, ID: who, Index: rest, Size: size})
		return
	}
	net.Rule(seated)
	*child = who
	send(net, who, M{Type: Place, ID: p.Leader, Sibling: other, Size: size})
	send(net, other, M{Type: Place, ID: p.Leader, Sibling: who})
}

// lift: "nodes are added to the tree by joining each node and then comparing its
// ID with its father's ID". It waits until the neighbours know of where it is.
func (h *Protocol) lift(p *P, net *model.Net[M]) {
	if p.Father == model.None {
		net.Rule(becomesRoot)
		h.learn(p, net.Self(), model.None)
		h.passDown(p, net, model.None)
		return
	}
	net.SetTimer(Told, net.Bound())
}

// Timeout compares the node's ID with its parent's.
func (h *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	// "If its ID is greater than that of its father's, the node swaps position
	// with the father thus, resulting in a tree reconstruction."
	if p.Father == model.None || net.Self() < p.Father {
		net.Rule(stays)
		return
	}
	net.Rule(swaps)
	send(net, p.Father, M{Type: Swap, Left: p.Left, Right: p.Right})
}

// swap gives a child the node's place and takes the child's.
func (h *Protocol) swap(p *P, net *model.Net[M], child model.ID, m M) {
	self := net.Self()
	yours := M{Type: Yours, Father: p.Father, Sibling: p.Sibling, Left: self, Right: p.Right}
	other := p.Right
	switch child {
	case p.Left:
	case p.Right:
		other = p.Left
		yours.Left, yours.Right = other, self
	default:
		return // no child of this node any more
	}
	net.SendTo(child, yours)
	for _, neighbour := range []model.ID{p.Father, p.Sibling, other, m.Left, m.Right} {
		send(net, neighbour, M{Type: Swapped, ID: child, Left: self})
	}
	p.Father, p.Sibling, p.Left, p.Right = child, other, m.Left, m.Right
	if p.Leader == self {
		h.learn(p, child, model.None)
		h.passDown(p, net, model.None)
	}
}

// plant puts the node into the tree of a set of nodes that have joined in order, and returns i
// where it is A[i].
func (h *Protocol) plant(p *P, self model.ID, live model.Set) (at int) {
	var a [2*model.MaxID + 2]model.ID // A[1..heap-size[A]]
	size := 0
	add := func(id model.ID) {
		if !live.Has(id) {
			return
		}
		size++
		i := size
		for a[i] = id; i > 1 && a[i/2] < a[i]; i /= 2 {
			a[i], a[i/2] = a[i/2], a[i]
		}
	}
	for id := range live.All() {
		if h.Order == nil {
			add(id)
		}
	}
	for _, id := range h.Order {
		add(id)
	}
	*p = P{Leader: a[1], Size: uint8(size)}
	for i := 1; i <= size; i++ {
		if a[i] != self {
			continue
		}
		at = i
		p.Left, p.Right = a[2*i], a[2*i+1] // LEFT(i), RIGHT(i)
		if i > 1 {
			p.Father, p.Sibling = a[i/2], a[i^1] // PARENT(i)
		}
	}
	return at
}
