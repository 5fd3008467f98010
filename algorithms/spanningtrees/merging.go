package spanningtrees

import "bullyproof/model"

// Merging is the reading in which a tree is taken as a whole: "recursively
// reducing the number of spanning trees to one". A root asks a process outside of
// its tree, whose root gives its own tree up to a greater one. That is the plainest
// form of the merging of Gallager, Humblet and Spira (reference [3] of the paper),
// without levels, in a network in which every process can send to every other.
//
// A root that asks a greater one is not answered. It waits until that one, or
// another, asks for its tree.
type Merging struct {
	model.Passive[Member, Offer] // nothing fails
}

// Member is the state of a process.
type Member struct {
	Leader model.ID
	Parent model.ID  // itself at a root; ⊥ if it is in no tree
	Tree   model.Set // of a root: the processes that are known to be in the tree
	Asked  model.ID  // of a root: the process outside whose tree it wants
}

// Offer is a message: join(root), merge{tree} or leader(root).
type Offer struct {
	Type model.Kind
	Root model.ID
	Tree model.Set
}

// The kinds of messages.
const (
	Join  model.Kind = iota // asks for the tree of the receiver; goes on to its root
	Merge                   // gives a tree up, to a root or what was one
	Led                     // there is one tree: its root is the leader
)

var (
	mergingRules model.Rules

	begins   = mergingRules.Add("1: be the root of a tree")
	asks     = mergingRules.Add("2: a root: ask a process outside of the tree to join")
	enters   = mergingRules.Add("3: asked, and in no tree: join")
	givesUp  = mergingRules.Add("4: a root, asked by a greater one: give the tree up to it")
	keeps    = mergingRules.Add("5: a root, asked by a smaller one: do not answer")
	passesOn = mergingRules.Add("6: in a tree: pass it on to the parent")
	wins     = mergingRules.Add("7: all processes are in the tree: announce its root as leader")
	obeys    = mergingRules.Add("8: an announcement: follow it")
)

var mergingNames = model.Names{
	Kinds: []string{Join: "join", Merge: "merge", Led: "leader"},
	Rules: mergingRules,
}

// Names returns the vocabulary.
func (x *Merging) Names() model.Names { return mergingNames }

// Start makes the process a root.
func (x *Merging) Start(p *Member, net *model.Net[Offer]) {
	if p.Parent == model.None {
		net.Rule(begins)
		p.Parent, p.Tree = net.Self(), model.SetOf(net.Self())
		x.ask(p, net)
	}
}

// ask asks the next process outside of the tree, if there is one.
func (x *Merging) ask(p *Member, net *model.Net[Offer]) {
	if outside := net.Peers() &^ p.Tree; outside != 0 {
		net.Rule(asks)
		p.Asked = outside.Min()
		net.SendTo(p.Asked, Offer{Type: Join, Root: net.Self()})
		return
	}
	net.Rule(wins)
	p.Leader, p.Asked = net.Self(), model.None
	net.Broadcast(Offer{Type: Led, Root: net.Self()})
}

// Receive handles the three kinds of messages.
func (x *Merging) Receive(p *Member, net *model.Net[Offer], _ model.Port, m Offer) {
	self := net.Self()
	switch {
	case m.Type == Led:
		net.Rule(obeys)
		p.Leader = m.Root
	case p.Parent == model.None:
		net.Rule(enters)
		p.Parent = m.Root
		net.SendTo(m.Root, Offer{Type: Merge, Tree: model.SetOf(self)})
	case p.Parent != self:
		net.Rule(passesOn)
		net.SendTo(p.Parent, m)
	case m.Type == Merge:
		p.Tree |= m.Tree
		if p.Tree.Has(p.Asked) {
			x.ask(p, net)
		}
	case m.Root > self:
		net.Rule(givesUp)
		tree := p.Tree
		*p = Member{Parent: m.Root}
		net.SendTo(m.Root, Offer{Type: Merge, Tree: tree})
	default: // of itself as well: who was asked is in the tree by now, and a merge says so
		net.Rule(keeps)
	}
}

// Belief is the leader, and whether the process is in a tree of which it does not
// know whether it is the last.
func (x *Merging) Belief(p *Member) model.Belief {
	return model.Belief{Elected: p.Leader, Participant: p.Parent != model.None && p.Leader == model.None}
}

// Kind returns the kind of the message.
func (m Offer) Kind() model.Kind { return m.Type }

// String returns m as "join(3)" or "merge{1,2}".
func (m Offer) String() string {
	if m.Type == Merge {
		return "merge" + m.Tree.String()
	}
	return mergingNames.Kinds[m.Type] + "(" + m.Root.String() + ")"
}
