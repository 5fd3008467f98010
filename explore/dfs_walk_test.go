package explore

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/casecount"
)

func TestDepthFirstAgreesWithPlainSearch(t *testing.T) {
	casecount.Many(t, *deep, 100)
	rapid.Check(t, func(t *rapid.T) {
		g := graphs().Draw(t, "graph")
		opt := Options{Order: DepthFirst, Targets: graphTargets, Exhaustive: true}
		opt.MaxDepth = rapid.IntRange(0, 6).Draw(t, "max depth")
		opt.Exact = rapid.Bool().Draw(t, "exact")
		opt.buckets = rapid.IntRange(1, 5).Draw(t, "buckets")
		opt.inPlaceFrom = rapid.SampledFrom([]int{math.MaxInt, 1, 4}).Draw(t, "in place from")
		opt.hash = rapid.SampledFrom(hashes(opt.Exact)).Draw(t, "hash")
		limit := opt.MaxDepth
		if limit == 0 {
			limit = -1
		}
		want := plain(g, limit, nil, func([]byte) uint64 { return 0 })

		r, err := Search(context.Background(), g, opt)
		require.NoError(t, err)
		depths := depthsOf(r, g)
		if opt.MaxDepth > 0 {
			require.Equal(t, want.depth, depths, "with a limit on depth, the depths are the least")
		}
		require.Len(t, depths, len(want.depth))
		require.EqualValues(t, len(want.depth), r.Distinct)
		if want.beyond {
			require.Equal(t, DepthLimit, r.Reason)
		} else if opt.MaxDepth == 0 {
			require.True(t, r.Complete())
		}
		if opt.MaxDepth == 0 {
			require.Equal(t, want.generated, r.Generated, "each state is expanded once")
		}
		opt.origins = true
		remembering, err := Search(context.Background(), g, opt)
		require.NoError(t, err)
		opt.origins = false
		require.Equal(t, summary(t, remembering), summary(t, r))
		for state := range depths {
			got, err := r.PathTo([]byte(state))
			require.NoError(t, err)
			want, err := remembering.PathTo([]byte(state))
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		for n := range g.edges {
			if _, ok := depths[string(encode(n))]; !ok {
				_, err := r.PathTo(encode(n))
				require.ErrorContains(t, err, "was not visited")
			}
		}
		for target := range graphTargets {
			h, ok := r.Hit(target)
			_, hit := want.hits[target]
			require.Equal(t, hit, ok)
			if ok {
				steps, err := r.Path(target)
				require.NoError(t, err)
				require.LessOrEqual(t, len(steps), h.Depth+1)
				requirePath(t, g, steps, h)
			}
		}

		// Unless it is to be exhaustive, it stops at the last hit.
		opt.Exhaustive, opt.MaxDepth = false, 0
		early, err := Search(context.Background(), g, opt)
		require.NoError(t, err)
		all := plain(g, -1, nil, func([]byte) uint64 { return 0 })
		require.LessOrEqual(t, early.Generated, all.generated)
		if len(all.hits) == graphTargets {
			require.Contains(t, []Reason{TargetsHit, Complete}, early.Reason)
		} else {
			require.Equal(t, Complete, early.Reason)
		}
	})
}

// A path takes the search once more, in more memory.
func TestDepthFirstPathIsRefusedMemory(t *testing.T) {
	const length = 30_000
	opt := Options{Order: DepthFirst, Targets: 2, MaxBytes: 600_000, inside: inside{memory: &plenty{}}}
	r := mustSearch(t, counter{end: length, target: length}, opt)
	require.True(t, r.Complete())
	_, err := r.Path(0)
	require.ErrorContains(t, err, "takes the search once more")
	require.ErrorContains(t, err, "limit on bytes")

	opt.MaxBytes = 0
	r = mustSearch(t, counter{end: length, target: length / 2}, opt)
	for range 2 {
		steps, err := r.Path(0)
		require.NoError(t, err)
		require.Len(t, steps, length/2+1)
	}
	assert.Less(t, r.search.back.trail.dive.w.expanded, uint64(length/2+2*batchSuccessors), "as far as it takes")
}

// TestDepthFirstBeyondDepthsOfTheTable runs along a chain much longer than the
// depths that an entry can hold.
func TestDepthFirstBeyondDepthsOfTheTable(t *testing.T) {
	if testing.Short() {
		t.Skip("is about what is large")
	}
	const length = 100_000
	r, err := Search(context.Background(), counter{end: length, target: length}, Options{Order: DepthFirst, Targets: 1})
	require.NoError(t, err)
	require.True(t, r.Complete())
	require.EqualValues(t, length+1, r.Distinct)
	require.Equal(t, length, r.Depth)
	steps, err := r.Path(0)
	require.NoError(t, err)
	require.Len(t, steps, length+1)
}

func TestBreadthFirstEndsAtTheDepthsOfTheTable(t *testing.T) {
	if testing.Short() {
		t.Skip("is about what is large")
	}
	r, err := Search(context.Background(), counter{end: 100_000, target: maxDepth}, Options{Targets: 1})
	require.NoError(t, err)
	require.Equal(t, DepthLimit, r.Reason)
	require.Equal(t, maxDepth, r.Depth)
	require.EqualValues(t, maxDepth+1, r.Distinct)
	steps, err := r.Path(0)
	require.NoError(t, err)
	require.Len(t, steps, maxDepth+1)
}

func TestWalk(t *testing.T) {
	casecount.Many(t, *deep, 100)
	rapid.Check(t, func(t *rapid.T) {
		g := graphs().Draw(t, "graph")
		want := plain(g, -1, nil, func([]byte) uint64 { return 0 })
		opt := WalkOptions{
			Seed:     rapid.Uint64().Draw(t, "seed"),
			Walks:    rapid.Uint64Range(1, 600).Draw(t, "walks"),
			MaxSteps: rapid.IntRange(0, 40).Draw(t, "max steps"),
			Targets:  graphTargets,
		}
		var first *WalkResult
		for _, workers := range []int{1, 2, 8} {
			opt.Workers = workers
			r, err := Walk(context.Background(), g, opt)
			require.NoError(t, err)
			require.Contains(t, []Reason{Sampled, TargetsHit}, r.Reason)
			if r.Reason == Sampled {
				require.Equal(t, opt.Walks, r.Walks)
			}
			for target := range graphTargets {
				h, ok := r.Hit(target)
				if !ok {
					continue
				}
				require.Contains(t, want.hits, target)
				steps, err := r.Path(target)
				require.NoError(t, err)
				require.Len(t, steps, h.Depth+1)
				requirePath(t, g, steps, h)
				shrunk, err := r.Shrunk(context.Background(), target)
				require.NoError(t, err)
				require.LessOrEqual(t, len(shrunk), len(steps))
				require.GreaterOrEqual(t, len(shrunk)-1, want.hits[target].Depth, "shorter than the shortest")
				requireEnd(t, g, shrunk, target)
				if first != nil {
					again, err := first.Shrunk(context.Background(), target)
					require.NoError(t, err)
					require.Equal(t, again, shrunk)
				}
			}
			if first == nil {
				first = r
			}
			require.Equal(t, first.hits, r.hits)
			require.Equal(t, []any{first.Reason, first.Walks, first.Steps, first.Longest}, []any{r.Reason, r.Walks, r.Steps, r.Longest})
		}
	})
}

// TestWalkKeepsTheLowestWalk makes the walks one at a time.
func TestWalkKeepsTheLowestWalk(t *testing.T) {
	g := &graph{initial: []int{0}, edges: make([][]edge, 60)}
	for n := range 59 {
		g.edges[n] = []edge{{to: 0, target: -1}, {to: n + 1, target: -1}}
	}
	g.hits = []mark{{state: 10, target: 0}}
	opt := WalkOptions{Seed: 7, MaxSteps: 100, Targets: 1, Workers: 2}
	r, err := Walk(context.Background(), g, opt)
	require.NoError(t, err)
	require.Equal(t, TargetsHit, r.Reason)
	w := newWalker(g, opt, initialStates(g))
	for n := uint64(0); ; n++ {
		depth, at := 0, -1
		w.walk(n, func(_ Code, state []byte) bool {
			if decode(state) == 10 && at < 0 {
				at = depth
			}
			depth++
			return true
		})
		if at >= 0 {
			h, _ := r.Hit(0)
			require.Equal(t, n, h.walk)
			require.Equal(t, at, h.Depth)
			steps, err := r.Shrunk(context.Background(), 0)
			require.NoError(t, err)
			require.Len(t, steps, 11, "straight on")
			over, cancel := context.WithCancel(context.Background())
			cancel()
			steps, err = r.Shrunk(over, 0)
			require.NoError(t, err)
			require.Len(t, steps, h.Depth+1, "nothing is left out without time")
			_, err = r.Shrunk(over, 1)
			require.ErrorContains(t, err, "no target 1")
			return
		}
	}
}

// TestWalkIsUniform walks one step from a state with three successors.
func TestWalkIsUniform(t *testing.T) {
	g := &graph{initial: []int{0}, edges: [][]edge{{{to: 1, target: -1}, {to: 2, target: -1}, {to: 3, target: -1}}, {}, {}, {}}}
	opt := WalkOptions{Seed: 1, MaxSteps: 1}
	w := newWalker(g, opt, initialStates(g))
	count := make([]int, 4)
	for n := range uint64(3000) {
		w.walk(n, func(_ Code, state []byte) bool { count[decode(state)]++; return true })
	}
	require.Equal(t, 3000, count[0])
	require.Greater(t, slices.Min(count[1:]), 900)
}

func TestWalkWithoutInitialState(t *testing.T) {
	_, err := Walk(context.Background(), &graph{}, WalkOptions{Walks: 1})
	require.ErrorContains(t, err, "no initial state")
	_, err = Walk(context.Background(), &graph{}, WalkOptions{MaxSteps: -1})
	require.ErrorContains(t, err, "-1 steps")
}

// requireEnd checks that steps are a path of the system, and that it ends with a
// hit of the target.
func requireEnd(t require.TestingT, sys System, steps []PathStep, target int) {
	last := steps[len(steps)-1]
	var out Successors
	if last.State != nil {
		sys.NewExpander().Expand(last.State, &out)
		for _, h := range out.hits {
			if h.target == target && h.step < 0 && !h.dead {
				requirePath(t, sys, steps, Hit{Target: target, State: last.State})
				return
			}
		}
	}
	before := steps[len(steps)-2].State
	out.Reset()
	sys.NewExpander().Expand(before, &out)
	found := false
	for _, h := range out.hits {
		if h.target == target && h.dead && last.State == nil {
			found = true
			requirePath(t, sys, steps, Hit{Target: target, kind: deadEndHit, State: before})
		}
		if h.target == target && h.step >= 0 && out.Code(h.step) == last.Code && bytes.Equal(out.State(h.step), last.State) {
			found = true
			requirePath(t, sys, steps, Hit{Target: target, kind: stepHit, State: before})
		}
	}
	require.True(t, found, "the last step hits the target")
}

// A questioned counter has two targets, of which one is a question.
type questioned struct{ counter }

func (questioned) Questions() int { return 1 }

func TestNobodyWaitsForMisuse(t *testing.T) {
	sys := questioned{counter{end: 1000, target: 3}}
	r := mustSearch(t, sys, Options{Targets: 2})
	require.Equal(t, TargetsHit, r.Reason)
	w, err := Walk(context.Background(), sys, WalkOptions{Targets: 2})
	require.NoError(t, err)
	require.Equal(t, TargetsHit, w.Reason)
	w, err = Walk(context.Background(), sys, WalkOptions{Targets: 2, StopWhenAll: []int{0, 1}, Walks: 3})
	require.NoError(t, err)
	require.Equal(t, Sampled, w.Reason, "unless it is told to")
}
