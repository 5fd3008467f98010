package liveness

import (
	"context"
	"math"

	"bullyproof/explore"
)

// NoComponent is the component of nodes that are left out.
const NoComponent = math.MaxUint32

// Components are the strongly connected components of a graph or of a part of
// it. A component that has a single node may have no transition.
type Components struct {
	// Of has the component of each node, from 0, or NoComponent. Transitions
	// from one component to another lead to the one with the lower number.
	Of []uint32

	// Count is the number of components.
	Count int
}

// FindComponents returns the strongly connected components of the part of the graph
// that has the nodes within and the transitions along, where n is the node that
// the transition leaves; nil stands for all. The functions are called by one
// goroutine and answer always the same. It takes time in proportion to the
// part, and at most 16 bytes for each node of the graph, of which the result
// keeps 4.
//
// The error is that of the context, if that ends it.
func FindComponents(ctx context.Context, g *explore.Graph, within func(n uint32) bool, along func(n uint32, e explore.Edge) bool) (*Components, error) {
	c := &Components{Of: make([]uint32, g.Nodes())}
	if within != nil {
		for n := range c.Of {
			if !within(uint32(n)) {
				c.Of[n] = leftOut
			}
		}
	}
	k := connector{ctx: ctx, g: g, at: c.Of, along: along, emit: func(nodes []uint32) {
		for _, n := range nodes {
			c.Of[n] = leftOut - 1 - uint32(c.Count)
		}
		c.Count++
	}}
	for n := range c.Of {
		if err := k.from(uint32(n)); err != nil {
			return nil, err
		}
	}
	for n, at := range c.Of {
		c.Of[n] = leftOut - 1 - at // leftOut becomes NoComponent
	}
	return c, nil
}

// leftOut is at the nodes that a connector leaves out.
const leftOut = math.MaxUint32

// A connector finds strongly connected components with David Pearce's form of
// Tarjan's algorithm, which needs one number for a node, with a stack in place
// of recursion.
//
// Source: David J. Pearce, "A space-efficient algorithm for finding strongly
// connected components", Information Processing Letters 116, 2016.
type connector struct {
	ctx   context.Context
	g     *explore.Graph
	along func(n uint32, e explore.Edge) bool // nil for all transitions

	// at is 0 for nodes not yet visited, the number of the first node known to
	// be in the same component for those being visited (in the order of visits,
	// from 1), and above all numbers of nodes for those that are done or left out.
	at []uint32

	// emit is called with the nodes of each component, behind all those that it
	// leads to, and sets at for them: above all numbers of nodes. The slice is lent.
	emit func(nodes []uint32)

	visits uint32 // nodes being visited
	frames []frameOut
	done   []uint32 // nodes without unvisited successors whose component is not complete
	steps  uint
}

// A frameOut is a node on the path from the root, and the next of its
// transitions to follow. The top bit of the node is set if an earlier node on
// the path is in the same component.
type frameOut struct{ node, next uint32 }

const notRoot = 1 << 31

// pause is how many steps of an algorithm pass between looks at the context.
const pause = 1 << 16

// from finds the components that can be reached from a node and are not done.
func (k *connector) from(root uint32) error {
	if k.at[root] != 0 {
		return nil
	}
	k.enter(root)
	for len(k.frames) > 0 {
		if k.steps++; k.steps%pause == 0 && k.ctx.Err() != nil {
			return k.ctx.Err()
		}
		if to, ok := k.follow(&k.frames[len(k.frames)-1]); ok {
			k.enter(to)
		} else {
			k.leave()
		}
	}
	return nil
}

func (k *connector) enter(n uint32) {
	k.visits++
	k.at[n] = k.visits
	k.frames = append(k.frames, frameOut{node: n})
}

// follow returns the next node to visit from the top of the path. The
// transition to it is looked at again when it has been visited.
func (k *connector) follow(f *frameOut) (to uint32, ok bool) {
	n := f.node &^ notRoot
	low := k.at[n]
	out := k.g.Out(n)
	for ; int(f.next) < len(out); f.next++ {
		e := out[f.next]
		at := k.at[e.To]
		if k.along != nil && !k.along(n, e) {
			continue
		}
		if at == 0 {
			k.at[n] = low
			return e.To, true
		}
		if at < low {
			low = at
			f.node |= notRoot
		}
	}
	k.at[n] = low
	return 0, false
}

// leave takes the top off the path, and emits its component if it is complete.
func (k *connector) leave() {
	f := k.frames[len(k.frames)-1]
	k.frames = k.frames[:len(k.frames)-1]
	n := f.node &^ notRoot
	if f.node&notRoot != 0 {
		k.done = append(k.done, n)
		return
	}
	first := len(k.done)
	for first > 0 && k.at[k.done[first-1]] >= k.at[n] {
		first--
	}
	k.done = append(k.done, n)
	k.emit(k.done[first:])
	k.visits -= uint32(len(k.done) - first)
	k.done = k.done[:first]
}
