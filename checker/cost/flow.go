package cost

import (
	"context"
	"errors"
	"math"
	"slices"

	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/model"
)

// A flow is the part of an explored graph that lies between where costs begin
// and the first settled states, ready for passes over it from its ends to its
// beginnings.
type flow struct {
	g       *explore.Graph
	settled uint64 // the mark of settled states

	// labels are those of the search, and behind them what the starts have
	// sent. Index by number.
	labels []model.Label
	// odds are, by label, the share of the uniform scheduler that a transition
	// has; 0 if nobody is owed it.
	odds []float64

	sources []source
	// order has the nodes of the flow, each component in one piece and behind
	// all components that it leads to.
	order []uint32
	// bounds has where each component begins in order, and the length of order.
	bounds []uint32
	// component has the number of each node's component, or
	// liveness.NoComponent for the nodes that are not in the flow.
	component []uint32
	// knotted has the components with cycles as bits. place has where each of
	// their nodes is in order, and is nil where there is none.
	knotted []uint64
	place   []uint32
}

// A source is where costs begin: at a node, with what a label sends already
// spent. Entered says that it was entered from a node by a transition, rather
// than be initial.
type source struct {
	node, label uint32
	from        uint32
	entered     bool
}

// out returns the transitions out of a node of the flow; settled ones end it.
func (f *flow) out(n uint32) []explore.Edge {
	if f.g.Mark(n)&f.settled != 0 {
		return nil
	}
	return f.g.Out(n)
}

// isSettled reports whether a node ends the flow as it should.
func (f *flow) isSettled(n uint32) bool { return f.g.Mark(n)&f.settled != 0 }

// isStuck reports whether nobody is owed anything in a node, and somebody waits.
func (f *flow) isStuck(n uint32) bool {
	if f.isSettled(n) {
		return false
	}
	for _, e := range f.g.Out(n) {
		if f.odds[e.Label] > 0 {
			return false
		}
	}
	return true
}

// arrange finds the nodes of the flow and their components. It takes 8 bytes a
// node, and at most 16 more in between.
func (f *flow) arrange(ctx context.Context) error {
	reached, err := f.reach(ctx)
	if err != nil {
		return err
	}
	c, err := liveness.FindComponents(ctx, f.g,
		func(n uint32) bool { return reached[n/64]>>(n%64)&1 != 0 },
		func(n uint32, _ explore.Edge) bool { return !f.isSettled(n) },
	)
	if err != nil {
		return err
	}
	f.component = c.Of
	f.bounds = make([]uint32, c.Count+1)
	for _, of := range c.Of {
		if of != liveness.NoComponent {
			f.bounds[of+1]++
		}
	}
	for i := range c.Count {
		f.bounds[i+1] += f.bounds[i]
	}
	f.order = make([]uint32, f.bounds[c.Count])
	next := slices.Clone(f.bounds)
	for n, of := range c.Of {
		if of != liveness.NoComponent {
			f.order[next[of]] = uint32(n)
			next[of]++
		}
	}
	f.locate()
	return nil
}

// reach returns the nodes of the flow as bits.
func (f *flow) reach(ctx context.Context) ([]uint64, error) {
	reached := make([]uint64, (f.g.Nodes()+63)/64)
	var todo []uint32
	add := func(n uint32) {
		if reached[n/64]>>(n%64)&1 == 0 {
			reached[n/64] |= 1 << (n % 64)
			todo = append(todo, n)
		}
	}
	for _, s := range f.sources {
		add(s.node)
	}
	for i := 0; i < len(todo); i++ { // by depth, as nodes are numbered
		if i%stretch == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, e := range f.out(todo[i]) {
			add(e.To)
		}
	}
	return reached, nil
}

// locate fills in what is to be known of cycles.
func (f *flow) locate() {
	f.knotted = make([]uint64, (f.components()+63)/64)
	for c := range f.components() {
		nodes := f.nodes(c)
		if len(nodes) == 1 && !slices.ContainsFunc(f.out(nodes[0]), func(e explore.Edge) bool { return e.To == nodes[0] }) {
			continue
		}
		f.knotted[c/64] |= 1 << (c % 64)
		if f.place == nil {
			f.place = make([]uint32, f.g.Nodes())
		}
		for i, n := range nodes {
			f.place[n] = f.bounds[c] + uint32(i)
		}
	}
}

// isCyclic reports whether a component has a cycle.
func (f *flow) isCyclic(c int) bool { return f.knotted[c/64]>>(c%64)&1 != 0 }

// components returns the number of components.
func (f *flow) components() int { return len(f.bounds) - 1 }

// nodes returns the nodes of the component that is number c of order.
func (f *flow) nodes(c int) []uint32 { return f.order[f.bounds[c]:f.bounds[c+1]] }

// Values that are no numbers.
const (
	noSettling = math.MaxInt32     // best: no run from here settles
	unbounded  = math.MaxInt32     // worst: a cycle costs something
	mostCost   = math.MaxInt32 - 1 // of one run
)

// A cell is what runs from a node cost: the least of those that settle, the most
// of all, and the mean under the uniform scheduler.
type cell struct {
	best, worst int32
	mean        float64
}

// A pass is the costs of one measure from each node of a flow.
type pass struct {
	*flow
	weight []int32 // by label
	cells  []cell  // by node
	// residual is by how much, at most, the mean of a node on a cycle differs
	// from what those behind it make it.
	residual float64
	err      error

	ctx   context.Context
	steps uint
	ended bool // by the context
}

// stretch is how many nodes a pass looks at between two looks at the context.
const stretch = 1 << 16

// over reports, for each node that is looked at, whether the context has ended the pass.
func (p *pass) over() bool {
	if p.steps++; p.steps%stretch == 0 && p.ctx.Err() != nil {
		p.err, p.ended = p.ctx.Err(), true
	}
	return p.ended
}

func (f *flow) newPass() *pass {
	return &pass{flow: f, cells: make([]cell, f.g.Nodes())}
}

// run computes the costs of a measure whose weights are given by label.
func (p *pass) run(ctx context.Context, weight []int32) error {
	p.ctx, p.weight, p.residual, p.err = ctx, weight, 0, ctx.Err()
	p.ended = p.err != nil
	for c := range p.components() {
		if p.over() {
			break
		}
		if p.isCyclic(c) {
			p.cycle(c, p.nodes(c))
		} else {
			p.node(p.order[p.bounds[c]])
		}
	}
	return p.err
}

// node computes the costs of a node that is on no cycle.
func (p *pass) node(n uint32) {
	c := &p.cells[n]
	if p.isSettled(n) {
		*c = cell{}
		return
	}
	best, worst, sum, odds := int32(noSettling), int32(0), 0.0, 0.0
	for _, e := range p.g.Out(n) {
		w, to := p.weight[e.Label], p.cells[e.To]
		best = min(best, p.plus(w, to.best))
		worst = max(worst, p.plus(w, to.worst))
		if o := p.odds[e.Label]; o > 0 {
			sum += o * (float64(w) + to.mean)
			odds += o
		}
	}
	if odds > 0 {
		sum /= odds
	}
	*c = cell{best, worst, sum}
}

// plus adds a weight to a cost.
func (p *pass) plus(w, cost int32) int32 {
	switch {
	case cost == math.MaxInt32:
		return cost
	case cost > mostCost-w:
		p.err = errors.New("a run costs more than 2147483646: that is more than costs can be")
		return mostCost
	}
	return cost + w
}
