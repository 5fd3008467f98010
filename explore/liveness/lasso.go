package liveness

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bullyproof/explore"
)

// A Strength says how fair runs are to a class of transitions.
type Strength uint8

// The strengths. A class is enabled in a node if a transition out of that node
// is of the class, wherever it leads.
const (
	// Unfair puts no condition on runs.
	Unfair Strength = iota

	// Weak demands that a class which is enabled in every node from some point
	// of the run on is taken again and again.
	Weak

	// Strong demands that a class which is enabled again and again is taken
	// again and again.
	Strong

	// Unconditional demands of a run without end that the class is taken again
	// and again, enabled or not: the ticks of a clock, without which infinitely
	// much would happen in no time. A run that ends is not bound.
	Unconditional
)

// String returns the name of the strength.
func (s Strength) String() string {
	switch s {
	case Unfair:
		return "unfair"
	case Weak:
		return "weak"
	case Strong:
		return "strong"
	case Unconditional:
		return "unconditional"
	}
	return fmt.Sprintf("Strength(%d)", uint8(s))
}

// FairRuns say which runs count. The zero value lets every infinite run count,
// and every finite one that ends in a node without transitions.
type FairRuns struct {
	// Classes has the classes that each label belongs to: none, one or several,
	// numbered from 0. Labels beyond its end belong to none.
	Classes [][]int32

	// Strength has how fair runs are to each class.
	Strength []Strength

	// Optional says of each label whether its transitions are optional: a run
	// may end in a node in which only such transitions are enabled, if that is
	// fair to their classes. Labels beyond its end are not optional.
	Optional []bool
}

// check returns the first thing that is wrong with the fairness.
func (f *FairRuns) check() error {
	for label, classes := range f.Classes {
		for _, class := range classes {
			if class < 0 || int(class) >= len(f.Strength) {
				return fmt.Errorf("liveness: label %d has fairness class %d; classes are numbered from 0, and Strength has %d of them", label, class, len(f.Strength))
			}
		}
	}
	for class, s := range f.Strength {
		if s > Unconditional {
			return fmt.Errorf("liveness: fairness class %d has strength %d, which is none of Unfair, Weak, Strong and Unconditional", class, s)
		}
	}
	return nil
}

// classes returns the classes of a transition.
func (f *FairRuns) classes(e explore.Edge) []int32 {
	if int(e.Label) >= len(f.Classes) {
		return nil
	}
	return f.Classes[e.Label]
}

// in reports whether a transition is of a class.
func (f *FairRuns) in(e explore.Edge, class int32) bool { return slices.Contains(f.classes(e), class) }

// optional reports whether a run may end although a transition is enabled.
func (f *FairRuns) optional(e explore.Edge) bool {
	if int(e.Label) >= len(f.Optional) || !f.Optional[e.Label] {
		return false
	}
	for _, class := range f.classes(e) {
		if s := f.Strength[class]; s == Weak || s == Strong {
			return false // it would stay enabled
		}
	}
	return true
}

// A LassoQuery asks for a fair run that reaches a region, stays in it from
// there on, and does something again and again. The functions are called by one
// goroutine and answer always the same.
type LassoQuery struct {
	// From says whether the run may enter the region at node n, having come
	// there in any way; nil lets it enter anywhere. Such a node counts only if
	// it is in the region.
	From func(n uint32) bool

	// Within says whether node n is in the region; nil if all nodes are.
	Within func(n uint32) bool

	// Visit says whether node n is one that the cycle, or the dead end, has to
	// visit: at least one; nil asks for none.
	Visit func(n uint32) bool

	// Take says whether a transition out of node n is one that the cycle has to
	// take: at least one; nil asks for none. A dead end takes nothing.
	Take func(n uint32, e explore.Edge) bool

	// MayEnd says whether a run may end in node n, if all its transitions are optional;
	// nil if it may. It is for graphs of systems that leave transitions out
	// (Successors.Cut), which the graph does not have.
	MayEnd func(n uint32) bool

	// Fairness says which runs count.
	Fairness FairRuns
}

// A Lasso is an infinite run of real transitions: a path from an initial node,
// and a cycle.
type Lasso struct {
	// Prefix begins with an initial node.
	Prefix []explore.Hop

	// Cycle leads from the end of the prefix back to it. An empty one says that
	// the run ends there: in a dead end, a node in which nothing has to happen.
	Cycle []explore.Hop
}

// FindLasso returns a run that the query asks for, nil if there is none, and
// always the same one for the same graph.
//
// A run is fair if it satisfies the strength of every class with the nodes that
// it visits and the transitions that it takes again and again. A run that ends
// stays in its last node and takes nothing; all transitions out of that node, in
// the whole graph and not just in the region, are optional. Optional transitions
// may be taken anywhere, in cycles too.
//
// With all labels optional runs may stutter as those of TLA+ do: nothing but
// fairness keeps a run from ending anywhere.
//
// The prefix is the shortest there is: a shortest path from an initial node to
// where the run enters the region, and from there within the region to a dead
// end or to a node that lies on a fair cycle. The cycle is a short one through
// that node: the shortest if that one is fair, else one that is put together of
// shortest paths to what is missing.
//
// It takes time in proportion to the graph for each round of removing nodes, of
// which there are at most one more than classes of strength Strong, and at most
// 32 bytes for each node. An error means that the query does not fit, or is
// that of the context.
func FindLasso(ctx context.Context, g *explore.Graph, q LassoQuery) (*Lasso, error) {
	if err := q.Fairness.check(); err != nil {
		return nil, err
	}
	r := &region{ctx: ctx, g: g, q: &q}
	if err := r.reach(); err != nil {
		return nil, err
	}
	judge := newJudge(r)
	if err := judge.components(); err != nil {
		return nil, err
	}
	for i, n := range r.order {
		if i%pause == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if judge.fair(n) {
			prefix, err := r.path(n) // before the parents are overwritten
			if err != nil {
				return nil, err
			}
			cycle, err := judge.cycle(n)
			if err != nil {
				return nil, err
			}
			return &Lasso{Prefix: prefix, Cycle: cycle}, nil
		}
		if judge.deadEnd(n) {
			prefix, err := r.path(n)
			if err != nil {
				return nil, err
			}
			return &Lasso{Prefix: prefix}, nil
		}
	}
	return nil, nil
}

// A region is the nodes that a run of the query can be in once it has entered.
type region struct {
	ctx context.Context
	g   *explore.Graph
	q   *LassoQuery

	// parent has the node before each node on the shortest way to it, or one of
	// the values below.
	parent []uint32

	// order has the nodes of the region by the length of the shortest way.
	order []uint32
}

// Values of parent above all numbers of nodes.
const (
	unseen  = math.MaxUint32 - iota
	outside // not within
	entered // the run enters here
)

// in reports whether node n is in the region, and asks Within at most once.
func (r *region) in(n uint32) bool {
	if r.parent[n] == unseen && r.q.Within != nil && !r.q.Within(n) {
		r.parent[n] = outside
	}
	return r.parent[n] != outside
}

// reach finds the nodes of the region: a breadth-first search in which a node
// where runs may enter is given the depth that it has in the graph.
func (r *region) reach() error {
	g := r.g
	r.parent = slices.Repeat([]uint32{unseen}, g.Nodes())
	last := 0 // nodes of order whose successors are not yet in it
	for depth, n := 0, uint32(0); int(n) < g.Nodes(); depth++ {
		end := g.LevelEnd(depth)
		err := r.enter(n, end)
		if err != nil {
			return err
		}
		if last, err = r.extend(last); err != nil {
			return err
		}
		n = end
	}
	for last < len(r.order) {
		var err error
		if last, err = r.extend(last); err != nil {
			return err
		}
	}
	return nil
}

// enter adds the nodes from first up to end in which runs enter.
func (r *region) enter(first, end uint32) error {
	for n := first; n < end; n++ {
		if n%pause == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if r.parent[n] == unseen && (r.q.From == nil || r.q.From(n)) && r.in(n) {
			r.parent[n] = entered
			r.order = append(r.order, n)
		}
	}
	return nil
}

// extend adds the successors of the nodes from index first on that are there,
// and returns the index behind those.
func (r *region) extend(first int) (int, error) {
	end := len(r.order)
	for i := first; i < end; i++ {
		if i%pause == 0 && r.ctx.Err() != nil {
			return 0, r.ctx.Err()
		}
		n := r.order[i]
		for _, e := range r.g.Out(n) {
			if r.parent[e.To] == unseen && r.in(e.To) {
				r.parent[e.To] = n
				r.order = append(r.order, e.To)
			}
		}
	}
	return end, nil
}

// path returns the shortest way to a node of the region.
func (r *region) path(n uint32) ([]explore.Hop, error) {
	var back []explore.Hop
	for r.parent[n] != entered {
		e, _ := r.g.EdgeTo(r.parent[n], n)
		back = append(back, explore.Hop(e))
		n = r.parent[n]
	}
	slices.Reverse(back)
	way, err := r.g.PathUnder(r.ctx, n)
	return append(way, back...), err
}
