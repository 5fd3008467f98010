// Package heaptree is the election with a heap tree of Effatparvar and others.
//
// Source: M. R. Effatparvar, N. Yazdani, M. Effatparvar, A. Dadlani,
// A. Khonsari, "Improved Algorithms for Leader Election in Distributed
// Systems", 2nd International Conference on Computer Engineering and
// Technology (ICCET), 2010, section 4, figure 3, Tables 1 and 2.
//
// Assumes: nodes form a max-heap, each knowing its parent, its left and right
// child, and its sibling, and the leader, which is the root; reliable delivery;
// the leader crashes; nodes join, one after another.
//
// Guarantees: the paper asks safety (a single node enters the elected state)
// and liveness (every node ends elected or not elected) of every election
// algorithm (section 1). It has both where the leader alone crashes, or one node
// joins (one that is greater than the leader takes the lead from it, though). A
// node between the leader and the one that notices makes the election message
// end in nothing if it has crashed before.
//
// Deviations: what the paper leaves open. The election message carries the
// leader that has crashed: by that a node tells a duplicate. The children of the
// deleted root exchange IDs. The new leader tells its children and its sibling,
// and each passes it on to its children: nobody knows the other nodes. The tree
// is rebuilt by the same messages: the winner takes the root's place, the larger
// of its children takes its own, and so on down; what is left may lack a leaf
// elsewhere than at the end. A node that joins tells all; the root, which counts
// the nodes, sends it down to the last place. After each swap it waits for one
// delay, until all neighbours have been told, before it compares again. (Without
// that they may learn of two swaps in the wrong order.) A node that becomes the
// root by joining is the leader and has that passed down. Initially the tree is
// the one in which the nodes joined in the order of their IDs.
//
// Complexity: by the paper log n to log n + (n-1) messages, O(log n) time, memory
// 4n.
package heaptree

import "bullyproof/model"

// P is the state of a node: "each node should save the information of its
// father, left and right children, and its sibling".
type P struct {
	Father, Left, Right, Sibling model.ID

	Leader model.ID // the root
	Passed model.ID // the crashed leader whose election has passed through here
	Size   uint8    // "heap-size[A]": the nodes in the tree, as far as known
	Index  uint8    // numbered and last-leaf: i, where the node is A[i]

	Asking bool      // repaired: waits for those that are up
	Live   model.Set // repaired: who is

	Had model.ID // silences: the crashed leader of whose election the last message was, or that was noticed last
	Got model.ID // silences: the crashed leader of whose election the last message was received
}

// M is a message. Its kind says what its fields mean.
type M struct {
	Type                         model.Kind
	ID, Dead                     model.ID
	Father, Left, Right, Sibling model.ID
	Index, Size                  uint8
	Live                         model.Set
}

// The kinds of messages. The paper names the first.
const (
	Election model.Kind = iota // leader Dead has crashed
	Compare                    // the sender's ID, to the other child of leader Dead
	Leader                     // ID is the leader: pass it on to the children
	Place                      // the sender is the parent, and Sibling the sibling; ID the leader of Size
	Rise                       // take the sender's old place: below it, beside Sibling; ID the leader
	Join                       // the sender joins
	Seek                       // ID joins: it is to have the place Index below, in a tree of Size
	Swap                       // the sender, with children Left and Right, is greater than its parent
	Yours                      // the place of the parent, who is among the children now
	Swapped                    // ID and Left have swapped positions

	// The reading last-leaf has these.
	Fill  // place Index is empty: it is for the last leaf, number Size, which is to have the links that the message has; ID the leader
	Takes // the sender takes that place
	Gone  // the other child of the sender has left its place
)

// Protocol is the algorithm as in the paper.
type Protocol struct {
	// Order is the order in which the nodes that are there at the start have
	// joined; nil stands for that of their IDs. Every max-heap has one.
	Order []model.ID

	other steps // those of another reading; nil: the methods below
}

// steps are those that a reading takes in another way (readings.go).
type steps interface {
	across(p *P, net *model.Net[M], dead model.ID)
	rise(p *P, net *model.Net[M], father, sibling, dead model.ID)
}

// steps returns those of the reading.
func (h *Protocol) steps() steps {
	if h.other != nil {
		return h.other
	}
	return h
}

// Init: "each node that joins the group records the information about its
// parent and children".
func (h *Protocol) Init(_ *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		net.Rule(joins)
		net.Broadcast(M{Type: Join})
	}
}

// Start does nothing: an election begins with the crash of the leader.
func (h *Protocol) Start(*P, *model.Net[M]) {}

// Suspect: "when a node realizes that the leader has crashed, it sends the
// election message to its father".
func (h *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Leader && p.Passed != who {
		net.Rule(notices)
		h.up(p, net, who)
	}
}

// Receive handles all kinds of messages.
func (h *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type >= Leader && m.Type <= Rise && old(p, m) {
		return
	}
	switch m.Type {
	case Election:
		h.election(p, net, m.Dead)
	case Compare:
		h.compare(p, net, from.ID(), m.Dead)
	case Leader:
		h.learn(p, m.ID, m.Dead)
		h.passDown(p, net, m.Dead)
	case Place:
		h.place(p, net, from.ID(), m)
	case Rise:
		h.learn(p, m.ID, m.Dead)
		h.steps().rise(p, net, from.ID(), m.Sibling, m.Dead)
	default:
		h.joining(p, net, from.ID(), m)
	}
}

// election: "at this moment, the receiving node analyzes this message to
// determine whether it is a duplicate message or not. If duplicate, it is
// dropped by that node, otherwise it is sent to the next father in the tree."
func (h *Protocol) election(p *P, net *model.Net[M], dead model.ID) {
	if p.Passed == dead || p.Leader != dead {
		net.Rule(duplicate)
		return
	}
	net.Rule(passes)
	h.up(p, net, dead)
}

// up: "This message traverses up to the children of the deleted root where the
// left and right children of the deleted root compare their IDs with each other
// to determine the new leader."
func (h *Protocol) up(p *P, net *model.Net[M], dead model.ID) {
	p.Passed = dead
	switch {
	case p.Father != dead:
		send(net, p.Father, M{Type: Election, Dead: dead})
	case p.Sibling == model.None:
		net.Rule(alone)
		h.win(p, net, dead)
	default:
		h.steps().across(p, net, dead)
	}
}

// across sends the node's ID to its sibling.
func (h *Protocol) across(p *P, net *model.Net[M], dead model.ID) {
	net.Rule(compares)
	send(net, p.Sibling, M{Type: Compare, ID: net.Self(), Dead: dead})
}

// compare has the greater child of the deleted root win.
func (h *Protocol) compare(p *P, net *model.Net[M], sibling, dead model.ID) {
	switch {
	case p.Leader != dead:
		net.Rule(duplicate)
	case net.Self() > sibling:
		net.Rule(wins)
		h.win(p, net, dead)
	case p.Passed != dead:
		net.Rule(replies)
		h.up(p, net, dead)
	}
}

// win makes the node the leader, in the place of the deleted root.
func (h *Protocol) win(p *P, net *model.Net[M], dead model.ID) {
	h.learn(p, net.Self(), dead)
	h.steps().rise(p, net, model.None, model.None, dead)
}

// rise moves the node into the place above it, and the larger of its children
// into its own: "good during tree reconstruction". The messages that do that
// carry the outcome of the election.
func (h *Protocol) rise(p *P, net *model.Net[M], father, sibling, dead model.ID) {
	net.Rule(rises)
	beside, below := p.Sibling, max(p.Left, p.Right)
	p.Father, p.Sibling = father, sibling
	p.Left, p.Right = below, beside
	send(net, beside, M{Type: Place, ID: p.Leader, Dead: dead, Sibling: below})
	send(net, below, M{Type: Rise, ID: p.Leader, Dead: dead, Sibling: beside})
}

// learn names a leader. Leader dead, if there is one, is no longer in the tree.
func (h *Protocol) learn(p *P, leader, dead model.ID) {
	if dead != model.None && p.Leader == dead && p.Size > 0 {
		p.Size--
	}
	p.Leader, p.Passed = leader, model.None
}

// passDown tells the children who the leader is.
func (h *Protocol) passDown(p *P, net *model.Net[M], dead model.ID) {
	net.Rule(told)
	send(net, p.Left, M{Type: Leader, ID: p.Leader, Dead: dead})
	send(net, p.Right, M{Type: Leader, ID: p.Leader, Dead: dead})
}

// place gives the node a parent and a sibling.
func (h *Protocol) place(p *P, net *model.Net[M], father model.ID, m M) {
	known := p.Leader
	p.Father, p.Sibling = father, m.Sibling
	h.learn(p, m.ID, m.Dead)
	switch known {
	case m.ID:
	case model.None:
		p.Size = m.Size
		h.lift(p, net)
	default:
		h.passDown(p, net, m.Dead)
	}
}

// Settle puts the node into the tree.
func (h *Protocol) Settle(p *P, self, _ model.ID, live model.Set) { h.plant(p, self, live) }

// Belief is the leader, and whether an election has passed through the node of
// which it has not heard the outcome.
func (h *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Leader, Participant: p.Passed != model.None}
}
