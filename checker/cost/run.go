package cost

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/trace"
)

// A Run is a run that shows a cost.
type Run struct {
	// Trace records the run. Its lasso is set if the run never ends.
	Trace *trace.Trace
	// Run is the execution that Trace records.
	Run *trace.Run
	// Before is the number of steps before counting begins.
	Before int

	spent []model.Label // of what was sent before the run, and of its steps
	kinds []string
}

// Cost returns what the run costs by a measure: what eager initiators sent
// before it, and its steps from where counting begins, with those of a lasso's
// cycle once.
func (c *Run) Cost(m Measure) int {
	sum := 0
	for i := range c.spent {
		sum += int(m.weight(&c.spent[i], c.kinds))
	}
	return sum
}

// Run returns a shortest run that costs what a measure has for the best or the
// worst case. Where the worst case is unbounded, that is a shortest way to a
// cycle that costs something, and a short one. It fails where there are no
// costs, or no run settles.
func (r *Report) Run(m Measure, c Case) (*Run, error) {
	cost := r.Cost(m)
	switch {
	case cost == nil:
		return nil, fmt.Errorf("there is no cost in %v to show a run of", m)
	case c == BestCase && cost.Best < 0:
		return nil, fmt.Errorf("no run settles: there is no best case in %v", m)
	}
	p := r.flow.newPass()
	if err := p.run(context.Background(), r.weights(m)); err != nil {
		return nil, err
	}
	if c == WorstCase && cost.Unbounded {
		return r.round(fmt.Sprintf("%v without limit", m), func(_ uint32, e explore.Edge) bool { return p.weight[e.Label] > 0 })
	}
	want := cost.Best
	value := func(n uint32) int32 { return p.cells[n].best }
	if c == WorstCase {
		want = cost.Worst
		value = func(n uint32) int32 { return p.cells[n].worst }
	}
	s := hunt{
		flow:  r.flow,
		start: func(s source) bool { return int(p.plus(p.weight[s.label], value(s.node))) == want },
		pass: func(n uint32, e explore.Edge) bool {
			return value(e.To) != math.MaxInt32 && p.weight[e.Label]+value(e.To) == value(n)
		},
		goal: r.flow.isSettled,
	}
	title := fmt.Sprintf("%v case: %d %v", c, want, m)
	path, ok := s.find()
	if !ok && c == WorstCase { // what costs most never settles
		s.goal = func(n uint32) bool { return value(n) == 0 && r.flow.isStuck(n) }
		if path, ok = s.find(); !ok {
			return r.goRound(title, s, value)
		}
	}
	if !ok {
		return nil, fmt.Errorf("no run found that costs %d %v", want, m)
	}
	return r.show(title, path, -1)
}

// EndlessRun returns a shortest way to a cycle that comes before anything has
// settled, and a short such cycle. It fails where there is none.
func (r *Report) EndlessRun() (*Run, error) {
	if !r.Endless {
		return nil, fmt.Errorf("every run settles: none goes on without end")
	}
	return r.round("a run that does not settle", func(uint32, explore.Edge) bool { return true })
}

// StuckRun returns a shortest run to a state in which nobody is owed anything
// and somebody waits. It fails where there is none.
func (r *Report) StuckRun() (*Run, error) {
	if r.Stuck == 0 {
		return nil, fmt.Errorf("no run gets stuck before it has settled")
	}
	s := hunt{flow: r.flow, goal: r.flow.isStuck}
	path, _ := s.find()
	return r.show("a run in which a process waits without end", path, -1)
}

// round returns a run into a cycle with a transition that qualifies.
func (r *Report) round(title string, qualifies func(n uint32, e explore.Edge) bool) (*Run, error) {
	f := r.flow
	var edge explore.Edge
	s := hunt{flow: f, goal: func(n uint32) bool {
		for _, e := range f.out(n) {
			if f.component[n] == f.component[e.To] && qualifies(n, e) {
				edge = e
				return true
			}
		}
		return false
	}}
	path, ok := s.find()
	if !ok {
		return nil, fmt.Errorf("no cycle found for %s", title)
	}
	return r.closed(title, path, edge)
}

// goRound returns a run by the transitions of a search to where nothing costs
// anything any more, and round there without end.
func (r *Report) goRound(title string, s hunt, value func(n uint32) int32) (*Run, error) {
	var edge explore.Edge
	s.goal = func(n uint32) bool {
		for _, e := range s.out(n) {
			if edge = e; value(n) == 0 && s.component[n] == s.component[e.To] {
				return true
			}
		}
		return false
	}
	path, ok := s.find()
	if !ok {
		return nil, fmt.Errorf("no run found: %s", title)
	}
	return r.closed(title, path, edge)
}

// closed returns the run of a path that goes on with a transition of a cycle,
// and round by a shortest way.
func (r *Report) closed(title string, path *route, edge explore.Edge) (*Run, error) {
	f := r.flow
	back, _ := (&hunt{
		flow: f, roots: []uint32{edge.To},
		pass: func(n uint32, e explore.Edge) bool { return f.component[n] == f.component[e.To] },
		goal: func(n uint32) bool { return n == path.end() },
	}).find()
	loop := len(path.hops)
	path.hops = append(append(path.hops, explore.Hop(edge)), back.hops...)
	return r.show(title, path, loop)
}

// A hunt looks, breadth first, for a shortest path in a flow.
type hunt struct {
	*flow
	roots []uint32                            // where it begins, or, if there are none,
	start func(s source) bool                 // which sources do; nil: all
	pass  func(n uint32, e explore.Edge) bool // which transitions it takes; nil: all
	goal  func(n uint32) bool                 // where it ends
}

// A route is a path in a flow: from a source, unless it begins at a root.
type route struct {
	source source
	first  uint32
	hops   []explore.Hop // those behind the first node
}

// end returns the last node.
func (r *route) end() uint32 {
	if len(r.hops) == 0 {
		return r.first
	}
	return r.hops[len(r.hops)-1].To
}

// A visit is how a search came to a node: number is that of the source.
type visit struct {
	node, before, label uint32 // before is the number of another visit
}

// atRoot stands for no visit before.
const atRoot = math.MaxUint32

// find returns a shortest path, and whether there is one.
func (s *hunt) find() (*route, bool) {
	seen := make([]uint64, (s.g.Nodes()+63)/64)
	var visits []visit
	var from []source
	add := func(n, before, label uint32) {
		if seen[n/64]>>(n%64)&1 == 0 {
			seen[n/64] |= 1 << (n % 64)
			visits = append(visits, visit{n, before, label})
		}
	}
	for _, root := range s.roots {
		add(root, atRoot, 0)
	}
	for _, src := range s.sources {
		if s.roots == nil && (s.start == nil || s.start(src)) {
			if add(src.node, atRoot, 0); len(visits) > len(from) {
				from = append(from, src)
			}
		}
	}
	for i := 0; i < len(visits); i++ {
		n := visits[i].node
		if s.goal(n) {
			return s.route(visits, uint32(i), from), true
		}
		for _, e := range s.out(n) {
			if s.pass == nil || s.pass(n, e) {
				add(e.To, uint32(i), e.Label)
			}
		}
	}
	return nil, false
}

// route returns the path to a visit. The first visits are those of the sources.
func (s *hunt) route(visits []visit, at uint32, from []source) *route {
	r := &route{}
	for ; visits[at].before != atRoot; at = visits[at].before {
		r.hops = append(r.hops, explore.Hop{To: visits[at].node, Label: visits[at].label})
	}
	slices.Reverse(r.hops)
	r.first = visits[at].node
	if len(from) > 0 {
		r.source = from[at]
	}
	return r
}

// show makes the trace of a path by executing the system. A loop that is not
// negative is the number of hops before the cycle.
func (r *Report) show(title string, path *route, loop int) (*Run, error) {
	f := r.flow
	c := &Run{kinds: r.sys.Names().Kinds, spent: []model.Label{f.labels[path.source.label]}}
	hops := []explore.Hop{{To: path.source.node}}
	if path.source.entered {
		hops = append(f.g.PathTo(path.source.from), explore.Hop{To: path.source.node, Label: path.source.label})
		c.Before = len(hops) - 2
	}
	before := len(hops) - 1
	for _, h := range path.hops {
		hops = append(hops, h)
		c.spent = append(c.spent, f.labels[h.Label])
	}
	steps, err := f.g.Steps(hops)
	if err != nil {
		return nil, err
	}
	if c.Run, err = trace.Follow(r.sys, steps); err != nil {
		return nil, fmt.Errorf("%s, %w", title, err)
	}
	c.Trace = c.Run.Record(trace.Header{Algorithm: r.Algorithm, Variant: r.Variant, Title: title})
	if loop >= 0 {
		c.Trace.Lasso = before + loop + 1
	}
	return c, c.Trace.Validate()
}
