package liveness

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/casecount"

	"bullyproof/explore"
)

// A naive checker is FindLasso for graphs of a few nodes and transitions,
// written from the definitions: it looks at every set of transitions.
type naive struct {
	g     *explore.Graph
	q     LassoQuery
	edges []naiveEdge // all transitions of the graph
}

type naiveEdge struct {
	from uint32
	explore.Edge
}

func newNaive(g *explore.Graph, q LassoQuery) *naive {
	c := &naive{g: g, q: q}
	for n := range uint32(g.Nodes()) {
		for _, e := range g.Out(n) {
			c.edges = append(c.edges, naiveEdge{n, e})
		}
	}
	return c
}

func (c *naive) within(n uint32) bool { return c.q.Within == nil || c.q.Within(n) }

// enabled reports whether a class is enabled in a node.
func (c *naive) enabled(n uint32, class int32) bool {
	for _, e := range c.g.Out(n) {
		if c.is(e.Label, class) {
			return true
		}
	}
	return false
}

// is reports whether a label is of a class.
func (c *naive) is(label uint32, class int32) bool {
	return int(label) < len(c.q.Fairness.Classes) && slices.Contains(c.q.Fairness.Classes[label], class)
}

// fair judges a run that visits the nodes, and takes the transitions, again and again.
func (c *naive) fair(nodes []uint32, taken []naiveEdge) bool {
	visit, take := c.q.Visit == nil, c.q.Take == nil
	takes := map[int32]bool{}
	for _, n := range nodes {
		visit = visit || c.q.Visit(n)
	}
	for _, e := range taken {
		take = take || c.q.Take(e.from, e.Edge)
		for class := range c.q.Fairness.Strength {
			takes[int32(class)] = takes[int32(class)] || c.is(e.Label, int32(class))
		}
	}
	if !visit || !take {
		return false
	}
	for class, strength := range c.q.Fairness.Strength {
		always, ever := true, false
		for _, n := range nodes {
			on := c.enabled(n, int32(class))
			always, ever = always && on, ever || on
		}
		tick := strength == Unconditional && len(taken) > 0
		if !takes[int32(class)] && (strength == Weak && always || strength == Strong && ever || tick) {
			return false
		}
	}
	return true
}

// goals returns, as bits, the nodes of the region in which a run may end, and
// those on fair cycles.
func (c *naive) goals() (ends, cycles uint64) {
	for n := range uint32(c.g.Nodes()) {
		stay := true
		for _, e := range c.g.Out(n) {
			stay = stay && int(e.Label) < len(c.q.Fairness.Optional) && c.q.Fairness.Optional[e.Label]
		}
		if c.within(n) && stay && c.fair([]uint32{n}, nil) {
			ends |= 1 << n
		}
	}
	var edges []naiveEdge
	for _, e := range c.edges {
		if c.within(e.from) && c.within(e.To) {
			edges = append(edges, e)
		}
	}
	for set := 1; set < 1<<len(edges); set++ {
		var taken []naiveEdge
		var touched uint64
		for i, e := range edges {
			if set>>i&1 != 0 {
				taken = append(taken, e)
				touched |= 1<<e.from | 1<<e.To
			}
		}
		if touched&^cycles == 0 || !connected(taken, touched) {
			continue
		}
		var nodes []uint32
		for n := range uint32(64) {
			if touched>>n&1 != 0 {
				nodes = append(nodes, n)
			}
		}
		if c.fair(nodes, taken) {
			cycles |= touched
		}
	}
	return ends, cycles
}

// connected reports whether the transitions strongly connect the nodes, so that
// some closed walk takes each of them.
func connected(edges []naiveEdge, nodes uint64) bool {
	for start := nodes; start != 0; start &= start - 1 {
		seen := start & -start
		for before := uint64(0); before != seen; {
			before = seen
			for _, e := range edges {
				if seen>>e.from&1 != 0 {
					seen |= 1 << e.To
				}
			}
		}
		if seen != nodes {
			return false
		}
	}
	return true
}

// distances returns how long the shortest way to each node is, by trying again
// and again; -1 where there is none.
func (c *naive) distances() []int {
	depth := make([]int, c.g.Nodes())
	for n := range depth {
		depth[n] = -1
		if n < len(c.g.Initial()) {
			depth[n] = 0
		}
	}
	c.relax(depth, func(uint32) bool { return true })
	for n := range depth {
		if !c.within(uint32(n)) || c.q.From != nil && !c.q.From(uint32(n)) {
			depth[n] = -1
		}
	}
	c.relax(depth, c.within)
	return depth
}

func (c *naive) relax(depth []int, within func(uint32) bool) {
	for range len(depth) + 1 {
		for _, e := range c.edges {
			if depth[e.from] >= 0 && within(e.To) && (depth[e.To] < 0 || depth[e.To] > depth[e.from]+1) {
				depth[e.To] = depth[e.from] + 1
			}
		}
	}
}

// lassos returns the goals in reach with the shortest prefix, and how long that
// is, -1 if there is none.
func (c *naive) lassos() (ends, cycles uint64, prefix int) {
	ends, cycles = c.goals()
	prefix = -1
	distances := c.distances()
	for n, d := range distances {
		if (ends|cycles)>>n&1 != 0 && d >= 0 && (prefix < 0 || d < prefix) {
			prefix = d
		}
	}
	for n, d := range distances {
		if d < 0 || d > prefix {
			ends, cycles = ends&^(1<<n), cycles&^(1<<n)
		}
	}
	return ends, cycles, prefix
}

// requireLasso checks a lasso against the definitions.
func (c *naive) requireLasso(t require.TestingT, lasso *Lasso) {
	ends, cycles, length := c.lassos()
	require.Len(t, lasso.Prefix, length+1, "the prefix is the shortest")
	require.Contains(t, c.g.Initial(), lasso.Prefix[0].To)
	run := append(append([]explore.Hop{}, lasso.Prefix...), lasso.Cycle...)
	for i := 1; i < len(run); i++ {
		require.Contains(t, c.g.Out(run[i-1].To), explore.Edge(run[i]), "hop %d is a transition", i)
	}
	stays := len(run)
	for stays > 0 && c.within(run[stays-1].To) {
		stays--
	}
	enters := false
	for i := stays; i < len(lasso.Prefix); i++ {
		enters = enters || c.q.From == nil || c.q.From(run[i].To)
	}
	require.True(t, enters, "the run enters the region, and stays there")

	last := lasso.Prefix[length].To
	if len(lasso.Cycle) == 0 {
		require.NotZero(t, ends>>last&1, "the run may end there")
		return
	}
	require.NotZero(t, cycles>>last&1)
	require.Equal(t, last, lasso.Cycle[len(lasso.Cycle)-1].To, "the cycle is closed")
	var nodes []uint32
	var taken []naiveEdge
	for i, hop := range lasso.Cycle {
		nodes = append(nodes, hop.To)
		taken = append(taken, naiveEdge{run[length+i].To, explore.Edge(hop)})
	}
	require.True(t, c.fair(nodes, taken), "the cycle is fair")
	c.requireShort(t, lasso, last)
}

// requireShort checks the length of a cycle: that of the shortest cycle through
// its node if any of those is as short and fair with first transitions, and in
// any case a path for each thing that it needs, and one back.
func (c *naive) requireShort(t require.TestingT, lasso *Lasso, last uint32) {
	if f := c.q.Fairness; len(f.Strength) == 0 && c.q.Take == nil && c.q.Visit == nil {
		dist := make([]int, c.g.Nodes())
		for n := range dist {
			dist[n] = -1
		}
		for _, e := range c.g.Out(last) {
			if c.within(e.To) {
				dist[e.To] = 1
			}
		}
		c.relax(dist, c.within)
		require.Len(t, lasso.Cycle, dist[last])
	}
	needs := 3 + len(c.q.Fairness.Strength)
	require.LessOrEqual(t, len(lasso.Cycle), (needs+1)*c.g.Nodes()+len(c.q.Fairness.Strength)*c.g.Nodes())
}

// queries generates questions about graphs of at most 8 nodes and 4 labels.
func queries() *rapid.Generator[LassoQuery] {
	return rapid.Custom(func(t *rapid.T) LassoQuery {
		nodes := func(name string) func(uint32) bool {
			if rapid.Bool().Draw(t, name+" is nil") {
				return nil
			}
			set := rapid.Uint8().Draw(t, name)
			return func(n uint32) bool { return set>>n&1 != 0 }
		}
		q := LassoQuery{From: nodes("from"), Visit: nodes("visit")}
		if within := nodes("without"); within != nil {
			other := rapid.Uint8().Draw(t, "thinned")
			q.Within = func(n uint32) bool { return within(n) || other>>n&1 != 0 }
		}
		if rapid.IntRange(0, 3).Draw(t, "take") == 0 {
			from, label := nodes("take from"), rapid.Uint32Range(0, 3).Draw(t, "take label")
			q.Take = func(n uint32, e explore.Edge) bool { return e.Label == label && (from == nil || from(n)) }
		}
		f := &q.Fairness
		classes := rapid.IntRange(0, 3).Draw(t, "classes")
		for range classes {
			f.Strength = append(f.Strength, Strength(rapid.SampledFrom([]int{0, 1, 2, 1, 2, 3}).Draw(t, "strength")))
		}
		for range rapid.IntRange(0, 4).Draw(t, "labels with classes") {
			var of []int32
			if classes > 0 {
				of = rapid.SliceOfN(rapid.Int32Range(0, int32(classes-1)), 0, 2).Draw(t, "classes of a label")
			}
			f.Classes = append(f.Classes, of)
		}
		f.Optional = rapid.SliceOfN(rapid.Bool(), 0, 4).Draw(t, "optional")
		return q
	})
}

func TestLassosAgreeWithNaiveChecker(t *testing.T) {
	casecount.Many(t, *deep, 3000)
	found := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		l := labelledGraphs(7, 11, 4).Draw(t, "system")
		agree(t, l, mustGraph(t, l), queries().Draw(t, "query"), found)
	})
	for _, what := range []string{"none", "dead end", "cycle of 1", "cycle of 2", "cycle of 3"} {
		// The few cases of a short run need not have every kind.
		require.True(t, found[what] > 0 || testing.Short(), "cases with %s", what)
	}
	t.Log(found)
}

// TestLassosOfKnotsAgreeWithNaiveChecker is about graphs that are mostly one
// component, and runs that are mostly strongly fair: generated evenly, since
// shrinkable data prefers few transitions and components that are trivial.
func TestLassosOfKnotsAgreeWithNaiveChecker(t *testing.T) {
	casecount.Many(t, *deep, 3000)
	found := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n := 2 + random.IntN(5)
		l := &labelled{initial: []int{0}, edges: make([][]labelledEdge, n+1)}
		for range random.IntN(4) { // ways out
			from := random.IntN(n)
			l.edges[from] = append(l.edges[from], labelledEdge{n, 4 + random.Uint32N(2)})
		}
		for i := range n + random.IntN(10-n) {
			from := i // a way around and transitions across it
			if i >= n {
				from = random.IntN(n)
			}
			to := (from + 1 + random.IntN(2)*random.IntN(n)) % n
			l.edges[from] = append(l.edges[from], labelledEdge{to, random.Uint32N(5)})
		}
		g := mustGraph(t, l)
		q := LassoQuery{}
		if random.IntN(3) == 0 { // the way out is not in the region
			q.Within = func(n uint32) bool { return len(g.Out(n)) > 0 }
		}
		for range 4 {
			q.Fairness.Strength = append(q.Fairness.Strength, []Strength{Weak, Strong, Strong}[random.IntN(3)])
		}
		for label := range 6 {
			var classes []int32
			if class := random.IntN(3) - 1; class >= 0 {
				classes = append(classes, int32(class))
			}
			if label >= 4 || random.IntN(8) == 0 {
				classes = append(classes, int32(2+random.IntN(2))) // seldom taken within
			}
			q.Fairness.Classes = append(q.Fairness.Classes, classes)
		}
		agree(t, l, g, q, found)
	})
	for _, what := range []string{"none", "cycle of 1", "cycle of 2", "cycle of 3", "again"} {
		require.True(t, found[what] > 0 || testing.Short(), "cases with %s", what)
	}
	t.Log(found)
}

// agree compares what FindLasso and the naive checker say, and counts what they
// find.
func agree(t *rapid.T, l *labelled, g *explore.Graph, q LassoQuery, found map[string]int) {
	c := newNaive(g, q)
	_, _, prefix := c.lassos()
	lasso, err := FindLasso(context.Background(), g, q)
	require.NoError(t, err)
	require.Equal(t, prefix >= 0, lasso != nil, "there is a lasso")
	if lasso == nil {
		found["none"]++
		return
	}
	c.requireLasso(t, lasso)
	if len(lasso.Cycle) == 0 {
		found["dead end"]++
	} else {
		found[fmt.Sprint("cycle of ", min(3, len(lasso.Cycle)))]++
		if c.starves(lasso) {
			found["again"]++
		}
	}
	steps, err := g.Steps(append(lasso.Prefix, lasso.Cycle...))
	require.NoError(t, err)
	require.Equal(t, steps[len(lasso.Prefix)-1].State, steps[len(steps)-1].State)
	for _, workers := range []int{2, 8} {
		r, err := explore.Search(context.Background(), l, explore.Options{Graph: true, Workers: workers})
		require.NoError(t, err)
		again, err := FindLasso(context.Background(), r.Graph, q)
		require.NoError(t, err)
		require.Equal(t, lasso, again)
	}
}

// starves reports whether a strong class is enabled somewhere in the component
// of the cycle that no transition within the component is of: the cycle can
// only be found when those nodes have been taken out.
func (c *naive) starves(lasso *Lasso) bool {
	k, err := FindComponents(context.Background(), c.g, c.q.Within, nil)
	if err != nil {
		return false
	}
	id := k.Of[lasso.Cycle[0].To]
	for class, strength := range c.q.Fairness.Strength {
		enabled, taken := false, false
		for _, e := range c.edges {
			if k.Of[e.from] == id && c.is(e.Label, int32(class)) {
				enabled, taken = true, taken || k.Of[e.To] == id
			}
		}
		if strength == Strong && enabled && !taken {
			return true
		}
	}
	return false
}
