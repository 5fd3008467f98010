package liveness

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/casecount"

	"bullyproof/explore"
)

// reaches returns which nodes are reached from which, by Warshall's algorithm,
// along the transitions that a part of the graph has. A node reaches itself.
func reaches(g *explore.Graph, within func(uint32) bool, along func(uint32, explore.Edge) bool) [][]bool {
	n := g.Nodes()
	r := make([][]bool, n)
	for i := range r {
		r[i] = make([]bool, n)
		r[i][i] = true
		for _, e := range g.Out(uint32(i)) {
			if within(uint32(i)) && within(e.To) && along(uint32(i), e) {
				r[i][e.To] = true
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				r[i][j] = r[i][j] || r[i][k] && r[k][j]
			}
		}
	}
	return r
}

func TestComponentsAgreeWithReachability(t *testing.T) {
	casecount.Many(t, *deep, 2000)
	rapid.Check(t, func(t *rapid.T) {
		l := labelledGraphs(12, 30, 4).Draw(t, "system")
		g := mustGraph(t, l)
		within, along := func(uint32) bool { return true }, func(uint32, explore.Edge) bool { return true }
		var askWithin func(uint32) bool
		var askAlong func(uint32, explore.Edge) bool
		if rapid.Bool().Draw(t, "part of the nodes") {
			set := rapid.Uint32().Draw(t, "nodes")
			within = func(n uint32) bool { return set>>n&1 != 0 }
			askWithin = within
		}
		if rapid.Bool().Draw(t, "part of the transitions") {
			label, from := rapid.Uint32Range(0, 3).Draw(t, "label"), rapid.Uint32Range(0, 11).Draw(t, "from")
			along = func(n uint32, e explore.Edge) bool { return e.Label != label && (n != from || e.To > n) }
			askAlong = along
		}
		c, err := FindComponents(context.Background(), g, askWithin, askAlong)
		require.NoError(t, err)
		reach := reaches(g, within, along)
		seen := map[uint32]bool{}
		for n := range uint32(g.Nodes()) {
			if !within(n) {
				require.EqualValues(t, uint32(NoComponent), c.Of[n])
				continue
			}
			require.Less(t, c.Of[n], uint32(c.Count))
			seen[c.Of[n]] = true
			for m := range uint32(g.Nodes()) {
				if !within(m) {
					continue
				}
				require.Equal(t, reach[n][m] && reach[m][n], c.Of[n] == c.Of[m])
				if reach[n][m] {
					require.GreaterOrEqual(t, c.Of[n], c.Of[m], "lower numbers come later")
				}
			}
		}
		require.Len(t, seen, c.Count)
	})
}

// A longPath is a path of states, in both directions where it is a cycle, on
// which a recursive algorithm would go as deep as there are states.
type longPath struct {
	end  uint64
	back bool
}

func (d longPath) Initial(yield func([]byte) bool) { yield(make([]byte, 8)) }
func (d longPath) NewExpander() explore.Expander   { return d }

func (d longPath) Expand(state []byte, out *explore.Successors) {
	n := binary.LittleEndian.Uint64(state)
	if n < d.end {
		out.End(binary.LittleEndian.AppendUint64(out.Begin(), n+1), 0)
	}
	if d.back && n > 0 {
		out.End(binary.LittleEndian.AppendUint64(out.Begin(), n-1), 1)
	}
}

func TestComponentsOfDeepGraphs(t *testing.T) {
	if testing.Short() {
		t.Skip("is about what is large")
	}
	const n = 60_000
	c, err := FindComponents(context.Background(), mustGraph(t, longPath{end: n}), nil, nil)
	require.NoError(t, err)
	assert.Equal(t, n+1, c.Count)
	c, err = FindComponents(context.Background(), mustGraph(t, longPath{end: n, back: true}), nil, nil)
	require.NoError(t, err)
	assert.Equal(t, 1, c.Count)
}

func TestAlgorithmsEndWithTheContext(t *testing.T) {
	g := mustGraph(t, longPath{end: 60_000, back: true})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := FindComponents(ctx, g, nil, nil)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = FindLasso(ctx, g, LassoQuery{})
	assert.ErrorIs(t, err, context.Canceled)
}

func TestNothingIsFoundInNothing(t *testing.T) {
	g := mustGraph(t, &labelled{})
	lasso, err := FindLasso(context.Background(), g, LassoQuery{})
	require.NoError(t, err)
	assert.Nil(t, lasso)
	c, err := FindComponents(context.Background(), g, nil, nil)
	require.NoError(t, err)
	assert.Zero(t, c.Count)
}
