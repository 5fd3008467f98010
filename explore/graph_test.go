package explore

import (
	"cmp"
	"context"
	"flag"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/explore/internal/frontier"
	"bullyproof/explore/internal/rows"
	"bullyproof/explore/internal/visited"
	"bullyproof/internal/test/casecount"
)

// A labelled is a small transition system with labels and marks, or without.
type labelled struct {
	initial []int
	edges   [][]labelledEdge
	plain   bool // neither labels nor marks
}

type labelledEdge struct {
	to    int
	label uint32
}

func (l *labelled) Initial(yield func([]byte) bool) {
	for _, n := range l.initial {
		if !yield(encode(n)) {
			return
		}
	}
}

func (l *labelled) NewExpander() Expander { return l }

func (l *labelled) mark(n int) uint64 {
	if l.plain {
		return 0
	}
	return uint64(n)<<40 | 7
}

func (l *labelled) Expand(state []byte, out *Successors) {
	n := decode(state)
	if !l.plain {
		out.Mark(l.mark(n))
	}
	for i, e := range l.edges[n] {
		out.Add(encode(e.to), Code(i))
		if !l.plain {
			out.Label(e.label)
		}
	}
}

// labelledGraphs generates small systems.
func labelledGraphs(maxStates, maxEdges, labels int) *rapid.Generator[*labelled] {
	return rapid.Custom(func(t *rapid.T) *labelled {
		n := rapid.IntRange(1, maxStates).Draw(t, "states")
		state := rapid.IntRange(0, n-1)
		l := &labelled{initial: rapid.SliceOfN(state, 1, 3).Draw(t, "initial"), edges: make([][]labelledEdge, n)}
		for range rapid.IntRange(0, maxEdges).Draw(t, "edges") {
			from := state.Draw(t, "from")
			l.edges[from] = append(l.edges[from], labelledEdge{state.Draw(t, "to"), uint32(rapid.IntRange(0, labels-1).Draw(t, "label"))})
		}
		return l
	})
}

var deep = flag.Bool("deep", false, "compare twenty times as many random systems with plain searches, which takes minutes")

// plainNodes returns the states of a system in the order of their nodes, with
// their depths.
func plainNodes(sys System, fingerprint func([]byte) uint64) (nodes []string, depth map[string]int) {
	depth = plain(sys, -1, nil, fingerprint).depth
	for state := range depth {
		nodes = append(nodes, state)
	}
	slices.SortFunc(nodes, func(a, b string) int {
		return cmp.Or(
			cmp.Compare(depth[a], depth[b]),
			cmp.Compare(fingerprint([]byte(a)), fingerprint([]byte(b))),
			cmp.Compare(a, b),
		)
	})
	return nodes, depth
}

// requireGraph checks every node and transition of a graph.
func requireGraph(t require.TestingT, l *labelled, r *Result) {
	g := r.Graph
	require.NotNil(t, g)
	nodes, depth := plainNodes(l, r.search.fingerprint)
	require.Equal(t, len(nodes), g.Nodes())
	edges, initial := 0, []uint32(nil)
	for n, state := range nodes {
		require.Equal(t, depth[state], g.Depth(uint32(n)))
		require.Equal(t, l.mark(decode([]byte(state))), g.Mark(uint32(n)))
		want := l.edges[decode([]byte(state))]
		out := g.Out(uint32(n))
		require.Len(t, out, len(want))
		edges += len(out)
		for i, e := range out {
			require.Equal(t, encode(want[i].to), []byte(nodes[e.To]))
			if l.plain {
				require.Zero(t, e.Label)
			} else {
				require.Equal(t, want[i].label, e.Label)
			}
		}
		if depth[state] == 0 {
			initial = append(initial, uint32(n))
		}
	}
	require.Equal(t, edges, g.Edges())
	require.Equal(t, initial, g.Initial())
}

func TestGraphIsTheSystem(t *testing.T) {
	casecount.Many(t, *deep, 400)
	rapid.Check(t, func(t *rapid.T) {
		l := labelledGraphs(60, 180, 5).Draw(t, "system")
		l.plain = rapid.Bool().Draw(t, "plain")
		opt := Options{Graph: true, Exact: rapid.Bool().Draw(t, "exact")}
		opt.buckets = rapid.IntRange(1, 5).Draw(t, "buckets")
		opt.hash = rapid.SampledFrom(hashes(opt.Exact)).Draw(t, "hash")
		for _, workers := range []int{1, 2, 8} {
			opt.Workers = workers
			r, err := Search(context.Background(), l, opt)
			require.NoError(t, err)
			requireGraph(t, l, r)
		}
	})
}

func TestGraphPaths(t *testing.T) {
	casecount.Many(t, *deep, 200)
	rapid.Check(t, func(t *rapid.T) {
		l := labelledGraphs(30, 90, 2).Draw(t, "system")
		opt := Options{Graph: true, Exact: rapid.Bool().Draw(t, "exact"), Workers: 2}
		opt.hash = rapid.SampledFrom(hashes(opt.Exact)).Draw(t, "hash")
		r, err := Search(context.Background(), l, opt)
		require.NoError(t, err)
		g := r.Graph
		nodes, depth := plainNodes(l, r.search.fingerprint)
		for n, state := range nodes {
			hops := g.PathTo(uint32(n))
			require.Len(t, hops, depth[state]+1)
			require.Equal(t, uint32(n), hops[len(hops)-1].To)
			for i := 1; i < len(hops); i++ {
				require.Contains(t, g.Out(hops[i-1].To), Edge(hops[i]))
				for m := range hops[i-1].To { // no lesser predecessor
					if g.Depth(m) == i-1 {
						_, ok := g.EdgeTo(m, hops[i].To)
						require.False(t, ok)
					}
				}
			}
			steps, err := g.Steps(hops)
			require.NoError(t, err)
			require.Len(t, steps, len(hops))
			require.Equal(t, state, string(steps[len(steps)-1].State))
			requirePath(t, l, steps, Hit{State: []byte(state)})
		}
	})
}

// TestGraphOfManyBlocks makes logs of several chunks and rows of several blocks,
// all the states at three depths.
func TestGraphOfManyBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("is about what is large")
	}
	const n = 30_000
	l := &labelled{initial: []int{0}, edges: make([][]labelledEdge, n)}
	for i := range n - 1 {
		l.edges[0] = append(l.edges[0], labelledEdge{i + 1, uint32(i)})
		for k := range i % 8 {
			l.edges[i+1] = append(l.edges[i+1], labelledEdge{(i*7919 + k*104729) % n, uint32(k)})
		}
	}
	var bytes int64
	for _, workers := range []int{3, 1} {
		if workers == 1 && !*deep {
			continue
		}
		r := mustSearch(t, l, Options{Graph: true, Workers: workers})
		requireGraph(t, l, r)
		if bytes == 0 {
			bytes = r.Graph.Bytes()
		}
		assert.Equal(t, bytes, r.Graph.Bytes())
	}
	if *deep {
		requireGraph(t, l, mustSearch(t, l, Options{Graph: true, Exact: true}))
	}
}

// TestGraphBytes holds what is kept to the bound that is documented: 12 bytes a
// transition at any time beside the visited set, and what nodes take.
func TestGraphBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("is about what is large")
	}
	const states = 200 * 200
	for _, wide := range []bool{false, true} {
		for _, workers := range []int{2, 1} {
			if workers == 1 && !*deep {
				continue
			}
			var sys System = labels{grid{side: 200}}
			if wide {
				sys = fan{states, 20}
			}
			without := mustSearch(t, sys, Options{Workers: workers, ExpectStates: states})
			with := mustSearch(t, sys, Options{Workers: workers, ExpectStates: states, Graph: true})
			g := with.Graph
			edges := int64(g.Edges())
			slack := int64(workers) * (rows.MaxLogBytes + 2*frontier.MaxChunkBytes)
			slots := without.TableBytes / visited.EntryBytes
			assert.LessOrEqual(t, with.PeakBytes, without.PeakBytes+12*edges+32*states+4*slots+slack)
			assert.LessOrEqual(t, g.Bytes(), 8*edges+12*states+2*rows.BlockBytes)
			assert.Equal(t, g.Bytes(), with.search.graphBytes.Load())
		}
	}
}

// Labels labels and marks a grid.
type labels struct{ grid }

func (l labels) NewExpander() Expander { return l }

func (l labels) Expand(state []byte, out *Successors) {
	out.Mark(uint64(state[0]))
	var inner Successors
	l.grid.Expand(state, &inner)
	for i := range inner.Len() {
		out.Add(inner.State(i), inner.Code(i))
		out.Label(uint32(inner.Code(i)))
	}
}

// A fan has states in one level that each lead back to so many of them, so that
// one level has almost all transitions.
type fan struct{ states, back int }

func (f fan) Initial(yield func([]byte) bool) {
	for n := range f.states {
		if !yield([]byte{byte(n >> 16), byte(n >> 8), byte(n)}) {
			return
		}
	}
}

func (f fan) NewExpander() Expander { return f }

func (f fan) Expand(state []byte, out *Successors) {
	n := int(state[0])<<16 | int(state[1])<<8 | int(state[2])
	out.Mark(0)
	for k := range f.back {
		m := (n + k*k) % f.states
		out.End(append(out.Begin(), byte(m>>16), byte(m>>8), byte(m)), Code(k))
		out.Label(uint32(k))
	}
}

func TestGraphOfCutSearchIsNil(t *testing.T) {
	for name, opt := range map[string]Options{
		"states": {MaxStates: 100}, "depth": {MaxDepth: 5}, "bytes": {MaxBytes: 1}, "time": {MaxTime: 1},
		"bytes of the graph": {MaxBytes: 1_700_000, inside: inside{memory: &plenty{}}},
	} {
		opt.Graph = true
		r := mustSearch(t, grid{side: 200}, opt)
		assert.Nil(t, r.Graph, name)
		assert.False(t, r.Complete(), name)
	}
	r := mustSearch(t, grid{side: 5}, Options{Graph: true, MaxDepth: 8})
	require.True(t, r.Complete())
	assert.Equal(t, 25, r.Graph.Nodes())
	assert.Equal(t, 40, r.Graph.Edges(), "with those out of states at the limit")

	r = mustSearch(t, grid{side: 5}, Options{})
	assert.Nil(t, r.Graph, "not asked for")

	ctx, cancel := context.WithCancel(context.Background())
	r, err := Search(ctx, counter{end: 1000, target: -1, at: func(n int64, _ *Successors) {
		if n == 1000 {
			cancel()
		}
	}}, Options{Graph: true})
	require.NoError(t, err)
	assert.Equal(t, Cancelled, r.Reason)
	assert.Nil(t, r.Graph)
}

func TestGraphGoesOnPastTargets(t *testing.T) {
	r := mustSearch(t, counter{end: 100, target: 3}, Options{Targets: 1, Graph: true})
	assert.Equal(t, 101, r.Graph.Nodes())
	_, hit := r.Hit(0)
	assert.True(t, hit)
}

func TestGraphOfNothing(t *testing.T) {
	r := mustSearch(t, &labelled{}, Options{Graph: true})
	require.NotNil(t, r.Graph)
	assert.Zero(t, r.Graph.Nodes())
	assert.Zero(t, r.Graph.Edges())
	assert.Empty(t, r.Graph.Initial())
}

func TestGraphMisuse(t *testing.T) {
	ctx := context.Background()
	_, err := Search(ctx, grid{side: 3}, Options{Graph: true, Order: DepthFirst})
	assert.ErrorContains(t, err, "depth-first")

	some := counter{end: 600, target: -1, at: func(n int64, out *Successors) {
		if n > 0 && n%2 == 0 {
			out.Add(make([]byte, 8), 1)
			out.Label(1)
		}
	}}
	marks := counter{end: 600, target: -1, at: func(n int64, out *Successors) {
		if n > 300 {
			out.Mark(1)
		}
	}}
	for _, exact := range []bool{false, true} {
		_, err = Search(ctx, some, Options{Graph: true, Exact: exact})
		assert.ErrorContains(t, err, "all or none")
		_, err = Search(ctx, marks, Options{Graph: true, Exact: exact})
		assert.ErrorContains(t, err, "all or none")
	}
}

func TestStepsErrors(t *testing.T) {
	changed := 0
	sys := counter{end: 5, target: -1, at: func(_ int64, out *Successors) {
		for range changed {
			out.Add(make([]byte, 8), 9)
		}
	}}
	g := mustSearch(t, sys, Options{Graph: true}).Graph
	steps, err := g.Steps(g.PathTo(3))
	require.NoError(t, err)
	require.Len(t, steps, 4)
	steps, err = g.Steps(nil)
	require.NoError(t, err)
	require.Empty(t, steps)
	_, err = g.Steps([]Hop{{To: 1}})
	assert.ErrorContains(t, err, "begins at node 1")
	_, err = g.Steps([]Hop{{To: 0}, {To: 2}})
	assert.ErrorContains(t, err, "no transition")
	_, err = g.Steps([]Hop{{To: 0}, {To: 1, Label: 4}})
	assert.ErrorContains(t, err, "label 4")
	changed = 1
	_, err = g.Steps(g.PathTo(3))
	assert.ErrorContains(t, err, "not deterministic")
}

func TestGraphReportsItsPhase(t *testing.T) {
	opt, err := Options{Workers: 1, Graph: true}.check()
	require.NoError(t, err)
	s := newSearch(grid{side: 3}, opt)
	s.run(context.Background())
	assert.Equal(t, PhaseGraph, s.snapshot(Progress{}).Phase)
	assert.Equal(t, s.graph.Bytes(), s.graphBytes.Load())
}

func TestStatesOfAGraph(t *testing.T) {
	r := mustSearch(t, grid{side: 20}, Options{Graph: true})
	n := uint32(0)
	require.NoError(t, r.Graph.States(func(m uint32, state []byte) bool {
		require.Equal(t, n, m)
		require.Equal(t, r.Graph.Depth(n), int(state[0])+int(state[1]))
		if n%37 == 0 {
			alone, err := r.Graph.State(n)
			require.NoError(t, err)
			require.Equal(t, state, alone)
		}
		n++
		return true
	}))
	assert.EqualValues(t, 400, n)
	require.NoError(t, r.Graph.States(func(m uint32, _ []byte) bool { n--; return m < 9 }))
	assert.EqualValues(t, 390, n, "it ends when it is told to")
	_, err := r.Graph.State(400)
	assert.ErrorContains(t, err, "there is no node 400")

	more := false
	changing := counter{end: 5, target: -1, at: func(_ int64, out *Successors) {
		if more {
			out.Add(make([]byte, 8), 9)
		}
	}}
	g := mustSearch(t, changing, Options{Graph: true}).Graph
	more = true
	assert.ErrorContains(t, g.States(func(uint32, []byte) bool { return true }), "not deterministic")
}
