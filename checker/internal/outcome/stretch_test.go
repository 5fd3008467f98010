package outcome_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/internal/outcome"
	"bullyproof/explore"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A ring has so many states, all initial, of which each leads to the next one.
type ring struct{ states uint32 }

func (r ring) NewExpander() explore.Expander { return r }

func (r ring) Initial(yield func(state []byte) bool) {
	for n := range r.states {
		if !yield(binary.BigEndian.AppendUint32(nil, n)) {
			return
		}
	}
}

func (r ring) Expand(state []byte, out *explore.Successors) {
	out.Mark(0)
	out.Add(binary.BigEndian.AppendUint32(nil, (binary.BigEndian.Uint32(state)+1)%r.states), 0)
}

// A looked context counts how often it is looked at, and is cancelled from the look of a
// number on.
type looked struct {
	context.Context
	end, looks int
}

func (c *looked) Err() error {
	if c.looks++; c.end > 0 && c.looks >= c.end {
		return context.Canceled
	}
	return nil
}

// TestGraphsAreLeft: whatever looks through a graph looks at its context now and then, and
// ends with the first look at one that is cancelled.
func TestGraphsAreLeft(t *testing.T) {
	const stretch = 1 << 16 // of explore
	const nodes = 3 * stretch
	r, err := explore.Search(context.Background(), ring{nodes}, explore.Options{Graph: true})
	require.NoError(t, err)
	closed := r.Graph
	for name, look := range map[string]struct {
		passes int // over all nodes
		f      func(ctx *looked) error
	}{
		"out of reach": {3, func(ctx *looked) error { _, _, err := outcome.OutOfReach(ctx, closed, 0); return err }},
		"outcomes":     {4, func(ctx *looked) error { _, err := outcome.Find(ctx, closed, 0, setting.Setting{N: 2}); return err }},
	} {
		t.Run(name, func(t *testing.T) {
			whole := &looked{Context: context.Background()}
			require.NoError(t, look.f(whole))
			assert.GreaterOrEqual(t, whole.looks, look.passes*nodes/stretch)
			for end := 1; end <= whole.looks; end++ {
				ctx := &looked{Context: context.Background(), end: end}
				assert.ErrorIs(t, look.f(ctx), context.Canceled)
				assert.LessOrEqual(t, ctx.looks, end+1, "it ends at once")
			}
		})
	}
}

// TestReachIsLeft: whether a state is out of reach is searched as long as the context
// lasts.
func TestReachIsLeft(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{}, "n=3 crashes=1 restarts=1 timing=lockstep")
	require.NoError(t, err)
	never := func(*model.View) bool { return false }
	sys.Initial(func(state []byte) bool {
		require.NoError(t, outcome.JudgeReach(context.Background(), sys, state, never))
		ctx := &looked{Context: context.Background(), end: 1}
		assert.ErrorIs(t, outcome.JudgeReach(ctx, sys, state, never), context.Canceled)
		assert.LessOrEqual(t, ctx.looks, 4)
		return false
	})
}
