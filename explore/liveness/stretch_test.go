package liveness

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/internal/test/thorough"
)

// A looked context counts how often it is looked at, and is cancelled from the look of a
// number on. It notes the most steps between two looks.
type looked struct {
	context.Context
	end, looks     int
	steps, longest int
}

func (c *looked) Err() error {
	c.looks, c.longest, c.steps = c.looks+1, max(c.longest, c.steps), 0
	if c.end > 0 && c.looks >= c.end {
		return context.Canceled
	}
	return nil
}

// TestLassosAreLeft: the search for a lasso looks at its context within so many steps,
// whatever it is at, and ends with the first look at one that is cancelled.
func TestLassosAreLeft(t *testing.T) {
	thorough.Only(t)
	const nodes = 4 * pause
	g := mustSearch(t, fan{nodes, 2}, explore.Options{Graph: true, Workers: 2}).Graph
	for name, ask := range map[string]func(step func() bool) LassoQuery{
		"nothing again and again": func(step func() bool) LassoQuery {
			return LassoQuery{
				From: func(uint32) bool { return step() }, Within: func(uint32) bool { return step() },
				Visit: func(uint32) bool { return !step() }, Take: func(uint32, explore.Edge) bool { return !step() },
			}
		},
		"nowhere": func(step func() bool) LassoQuery {
			return LassoQuery{From: func(uint32) bool { return !step() }}
		},
		"at the end": func(step func() bool) LassoQuery {
			return LassoQuery{From: func(n uint32) bool { return step() && n == nodes-1 }, Within: func(n uint32) bool { return step() && n == nodes-1 }}
		},
	} {
		t.Run(name, func(t *testing.T) {
			find := func(end int) (*looked, error) {
				ctx := &looked{Context: context.Background(), end: end}
				_, err := FindLasso(ctx, g, ask(func() bool { ctx.steps++; return true }))
				ctx.longest = max(ctx.longest, ctx.steps)
				return ctx, err
			}
			whole, err := find(0)
			require.NoError(t, err)
			assert.LessOrEqual(t, whole.longest, 4*pause)
			assert.GreaterOrEqual(t, whole.looks, nodes/pause)
			for end := 1; end <= whole.looks; end++ {
				ctx, err := find(end)
				assert.ErrorIs(t, err, context.Canceled)
				assert.LessOrEqual(t, ctx.looks, end+1, "it ends at once")
			}
		})
	}
}

// A tree has so many states, each of which leads to the two below it.
type tree struct{ states uint32 }

func (t tree) Initial(yield func([]byte) bool) { yield([]byte{0, 0, 0, 1}) }

func (t tree) NewExpander() explore.Expander { return t }

func (t tree) Expand(state []byte, out *explore.Successors) {
	n := 2 * binary.BigEndian.Uint32(state)
	for i := n; i <= n+1 && i <= t.states; i++ {
		out.Add(binary.BigEndian.AppendUint32(nil, i), 0)
	}
}

// TestGraphsAreLeft: what looks for cycles and for distances looks at its context within
// so many nodes, and ends with the first look at one that is cancelled.
func TestGraphsAreLeft(t *testing.T) {
	const nodes = 3 * pause
	g := mustSearch(t, tree{nodes}, explore.Options{Graph: true}).Graph
	cyclic, err := Cyclic(context.Background(), mustSearch(t, fan{9, 2}, explore.Options{Graph: true}).Graph)
	require.NoError(t, err)
	assert.True(t, cyclic)
	r, err := Reversed(context.Background(), g)
	require.NoError(t, err)
	for name, look := range map[string]func(ctx *looked) error{
		"cycles": func(ctx *looked) error {
			yes, err := Cyclic(ctx, g)
			assert.Equal(t, ctx.end > 0, yes, "where it is not known there may be one")
			return err
		},
		"reversed": func(ctx *looked) error { _, err := Reversed(ctx, g); return err },
		"distances": func(ctx *looked) error {
			step := func(yes bool) bool { ctx.steps++; return yes }
			dist, err := r.Distances(ctx, func(n uint32) bool { return step(n == nodes-1) }, func(uint32) bool { return step(true) })
			if err == nil {
				assert.EqualValues(t, g.Depth(nodes-1), dist[0])
				assert.Equal(t, Far, dist[nodes-2])
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			whole := &looked{Context: context.Background()}
			require.NoError(t, look(whole))
			assert.GreaterOrEqual(t, whole.looks, nodes/pause)
			assert.LessOrEqual(t, whole.longest, 2*pause)
			for end := 1; end <= whole.looks; end++ {
				ctx := &looked{Context: context.Background(), end: end}
				assert.ErrorIs(t, look(ctx), context.Canceled)
				assert.LessOrEqual(t, ctx.looks, end+1, "it ends at once")
			}
		})
	}
}
