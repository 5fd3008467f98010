package explore

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"bullyproof/explore/internal/rows"
	"bullyproof/explore/internal/visited"
)

// A Graph is the explored graph of a complete breadth-first search with
// Options.Graph: every state that was visited and every transition.
//
// Its nodes are the states, numbered from 0 by depth and then by fingerprint
// (in an exact search, of equal ones by their bytes), so that numbers are the
// same for any number of workers. The transitions out of a node are in the
// order in which the system makes them. Several may lead to the same node, and
// one may lead to the node itself. The numbers of labels are the system's own
// and may depend on the run; nothing here is ordered by them.
//
// It takes 8 bytes for an edge and about 4 for a node, and 8 more for a node
// where the system marks its states: see Bytes. While the search goes on, and
// until the graph is made, that is at most 12 bytes for an edge, for a node 20
// and in the end at most 32, and in the end 4 for each slot of the visited set.
// An exact search makes its graph by expanding all states a second time, and is
// not held to that.
//
// All methods may be used by several goroutines at the same time. The graph
// keeps the visited set, which is how Steps knows a system that has changed.
type Graph struct {
	search *search  // for traces
	first  []uint32 // number of the first node of each depth, and of all nodes
	rows   rows.Rows
	mark   []uint64 // nil where the system marks nothing
	bytes  int64
}

// An Edge is a transition as its first node sees it: where it leads, and the
// label that the system gave to it (Successors.Label), 0 if it gave none.
type Edge = struct{ To, Label uint32 }

// A Hop is a node on a path, with the label of the transition that led to it.
// The label of the first hop means nothing.
type Hop struct{ To, Label uint32 }

// maxNodes is the largest number of nodes of a graph: what is computed on it
// needs the numbers from there on.
const maxNodes = 1<<31 - 1

// pause is how many steps of an algorithm pass between looks at the context.
const pause = 1 << 16

// Nodes returns the number of nodes, at most 2,147,483,647.
func (g *Graph) Nodes() int { return int(g.first[len(g.first)-1]) }

// Edges returns the number of transitions.
func (g *Graph) Edges() int { return g.rows.Edges }

// Bytes returns the memory that the graph takes beside the visited set.
func (g *Graph) Bytes() int64 { return g.bytes }

// Initial returns the initial states, which are the nodes of depth 0.
func (g *Graph) Initial() []uint32 {
	var initial []uint32
	for n := range g.LevelEnd(0) {
		initial = append(initial, n)
	}
	return initial
}

// InitialNodes returns the nodes of the initial states by these, encoded. The system is
// asked for them again.
func (g *Graph) InitialNodes() map[string]uint32 {
	nodes := make(map[string]uint32)
	for i, state := range g.search.initialStates() {
		nodes[string(state)] = uint32(i) // those of depth 0 come first
	}
	return nodes
}

// Depth returns the length in transitions of the shortest paths from an initial
// state to node n.
func (g *Graph) Depth(n uint32) int {
	return sort.Search(len(g.first), func(i int) bool { return g.first[i] > n }) - 1
}

// LevelEnd returns the number of the first node that is deeper than depth.
func (g *Graph) LevelEnd(depth int) uint32 { return g.first[min(depth+1, len(g.first)-1)] }

// Each calls f with all nodes, unless the context ends that.
func (g *Graph) Each(ctx context.Context, f func(n uint32)) error {
	for n := range uint32(g.Nodes()) {
		if n%pause == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		f(n)
	}
	return nil
}

// Mark returns the bits that the system put to node n (Successors.Mark), 0 if
// it put none.
func (g *Graph) Mark(n uint32) uint64 {
	if g.mark == nil {
		return 0
	}
	return g.mark[n]
}

// Out returns the transitions out of node n. They are the graph's own memory:
// nobody may change them.
func (g *Graph) Out(n uint32) []Edge { return g.rows.Out(n) }

// EdgeTo returns the first transition from one node to another.
func (g *Graph) EdgeTo(from, to uint32) (Edge, bool) {
	out := g.Out(from)
	i := slices.IndexFunc(out, func(e Edge) bool { return e.To == to })
	if i < 0 {
		return Edge{}, false
	}
	return out[i], true
}

// PathTo returns a shortest path from an initial state to node n, which is the
// last hop. Of several predecessors it takes the one with the least number, of
// several transitions the first. It takes a pass over the transitions out of
// nodes that are less deep than n.
func (g *Graph) PathTo(n uint32) []Hop {
	hops, _ := g.PathUnder(context.Background(), n)
	return hops
}

// PathUnder is PathTo under a context, of which the error is.
func (g *Graph) PathUnder(ctx context.Context, n uint32) ([]Hop, error) {
	depth := g.Depth(n)
	hops := make([]Hop, depth+1)
	for ; depth > 0; depth-- {
		for from := g.first[depth-1]; from < g.first[depth]; from++ {
			if from%pause == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if e, ok := g.EdgeTo(from, n); ok {
				hops[depth] = Hop(e)
				n = from
				break
			}
		}
	}
	hops[0].To = n
	return hops, nil
}

// Steps executes the system along a path that begins at an initial state, and
// returns its states and actions. Of several transitions between two nodes with
// the label of the hop it takes the first.
//
// An error means that the hops are not a path of the graph, or that the system
// is not deterministic: expanded again, a state had other transitions.
func (g *Graph) Steps(hops []Hop) ([]PathStep, error) {
	if len(hops) == 0 {
		return nil, nil
	}
	start := int(hops[0].To)
	initial := g.search.initialStates()
	if start >= len(initial) || len(initial) != int(g.LevelEnd(0)) {
		return nil, fmt.Errorf("explore: the path begins at node %d; the initial states are %d nodes, and %d when they are asked for again", start, g.LevelEnd(0), len(initial))
	}
	steps := []PathStep{{State: initial[start]}}
	exp := g.search.sys.NewExpander()
	var out Successors
	for i, hop := range hops[1:] {
		from, state := hops[i].To, steps[i].State
		k := slices.Index(g.Out(from), Edge(hop))
		if k < 0 {
			return nil, fmt.Errorf("explore: hop %d is no transition: none leads from node %d to node %d with label %d", i+1, from, hop.To, hop.Label)
		}
		out.Reset()
		exp.Expand(state, &out)
		if err := g.sameAgain(from, state, &out, k); err != nil {
			return nil, err
		}
		steps = append(steps, PathStep{Code: out.Code(k), State: slices.Clone(out.State(k))})
	}
	return steps, nil
}

// sameAgain checks what a state led to when it was expanded again, above all
// its transition k, if that is not negative.
func (g *Graph) sameAgain(from uint32, state []byte, out *Successors, k int) error {
	edges := g.Out(from)
	same := out.Len() == len(edges) && (len(out.label) == 0 || len(out.label) == out.Len())
	if same && k >= 0 && len(out.label) > 0 {
		same = out.label[k] == edges[k].Label
	}
	if same && k >= 0 {
		next, s := out.State(k), g.search
		meta := s.meta(s.fingerprint(next), next)
		same = meta != 0 && visited.Depth(meta) == g.Depth(edges[k].To)
	}
	if !same {
		return fmt.Errorf("explore: state %s has other transitions when it is expanded again: the system is not deterministic", shown(state))
	}
	return nil
}
