package explore

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/explore/internal/visited"
	"bullyproof/internal/runfile"
	"bullyproof/internal/test/casecount"
)

// An overdue context is over where a test says so.
type overdue struct {
	context.Context
	mu  sync.Mutex
	err error
}

func (c *overdue) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// ring has the context over, and the search know it at once.
func (c *overdue) ring(s *search, err error) {
	c.mu.Lock()
	c.err = err
	c.mu.Unlock()
	s.checkContext(c)
}

// watchedSearch is Search, of which a test has the inside.
func watchedSearch(t require.TestingT, ctx context.Context, sys System, opt Options, inside **search) *Result {
	opt, err := opt.check()
	require.NoError(t, err)
	s := newSearch(sys, opt)
	if *inside = s; opt.Disk.Dir != "" {
		s.disk, err = openDisk(s)
		require.NoError(t, err)
	}
	s.run(ctx)
	require.NoError(t, s.err)
	return s.result()
}

// A logged thicket knows which of its states were expanded, and does something after so many.
type logged struct {
	thicket
	mu       sync.Mutex
	expanded []string
	after    int
	then     func()
}

func (g *logged) NewExpander() Expander { return g }

func (g *logged) Expand(state []byte, out *Successors) {
	g.mu.Lock()
	if g.expanded = append(g.expanded, string(state)); len(g.expanded) == g.after {
		g.then()
	}
	g.mu.Unlock()
	g.thicket.Expand(state, out)
}

// A way is one of ending a search early.
type way struct {
	name string
	ends []Reason // how a search may end then; it may be over before
	err  error    // of the context, where that is over in the midst
	set  func(opt *Options, after int)
}

func waysToEnd() []way {
	none := func(*Options, int) {}
	depth := func(opt *Options, after int) { opt.MaxDepth = 1 + after%12 }
	return []way{
		{"not at all", nil, nil, none},
		{"interrupt", []Reason{Cancelled}, context.Canceled, none},
		{"time", []Reason{TimeLimit}, context.DeadlineExceeded, none},
		{"states", []Reason{StateLimit}, nil, func(opt *Options, after int) { opt.MaxStates = uint64(after) }},
		{"depth", []Reason{DepthLimit}, nil, depth},
		{"depth, then time", []Reason{DepthLimit, TimeLimit}, context.DeadlineExceeded, depth},
		{"memory", []Reason{ByteLimit}, nil, func(opt *Options, after int) { opt.MaxBytes = int64(after)*40 + 1<<16 }},
		{"violation", []Reason{FirstHit}, nil, func(opt *Options, _ int) { opt.StopWhenAny = []int{1} }},
		{"all decided", []Reason{TargetsHit}, nil, func(opt *Options, _ int) { opt.Exhaustive, opt.StopWhenAll = false, []int{1} }},
	}
}

// distinct returns the states that were expanded.
func (g *logged) distinct() map[string]bool {
	states := make(map[string]bool)
	for _, state := range g.expanded {
		states[state] = true
	}
	return states
}

// found returns what was found, to a depth, by what was expanded, and how often.
func (g *logged) found(whole *reference, maxDepth int) (found map[string]int, generated int) {
	found = make(map[string]int)
	meet := func(state []byte) bool {
		generated++
		if d := whole.depth[string(state)]; d <= maxDepth {
			found[string(state)] = d
		}
		return true
	}
	g.Initial(meet)
	for _, state := range g.expanded {
		var out Successors
		g.thicket.Expand([]byte(state), &out)
		for i := range out.Len() {
			meet(out.State(i))
		}
	}
	return found, generated
}

// However a search ends, and wherever its states are, its figures are those of the states that it
// has expanded: no state counts twice, and each level is that of a search of the whole, the last
// one a part of it.
func TestFiguresOfASearchThatEndedEarly(t *testing.T) {
	casecount.Many(t, *deep, 1500)
	states := uint32(1500)
	if *deep {
		states = 6000
	}
	type engine struct {
		name string
		set  func(opt *Options)
	}
	engines := []engine{
		{"memory", func(*Options) {}},
		{"whole states", func(opt *Options) { opt.Exact = true }},
		{"graph", func(opt *Options) { opt.Graph, opt.GraphOptional = true, true }},
		{"depth first", func(opt *Options) { opt.Order, opt.Workers = DepthFirst, 1 }},
		{"disk", func(opt *Options) { *opt = onDiskOf(*opt, new(runfile.Memory), 100) }},
		{"disk, never spilled", func(opt *Options) { *opt = onDiskOf(*opt, new(runfile.Memory), 1<<20) }},
	}
	looked, within := make(map[string]int), 0
	rapid.Check(t, func(t *rapid.T) {
		g := &logged{thicket: thickets(states).Draw(t, "graph")}
		e := rapid.SampledFrom(engines).Draw(t, "engine")
		how := rapid.SampledFrom(waysToEnd()).Draw(t, "way")
		after := rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1, int(states))).Draw(t, "after") // most graphs are small
		opt := Options{Targets: 2, Exhaustive: true, Workers: rapid.IntRange(1, 3).Draw(t, "workers"), inside: inside{memory: &plenty{}}}
		e.set(&opt)
		how.set(&opt, after)
		for again := 0; ; again++ {
			var s *search
			ctx := &overdue{Context: context.Background()}
			g.after, g.then = len(g.expanded)+after, func() {
				if how.err != nil {
					ctx.ring(s, how.err)
				}
			}
			r := watchedSearch(t, ctx, g, opt, &s)
			name := e.name + " ended by " + r.Reason.String()
			looked[name]++
			require.Contains(t, append(slices.Clone(how.ends), Complete, DepthLimit), r.Reason)
			partial := requireFigures(t, g, r, opt, name)
			if partial {
				within++
			}
			require.NoError(t, r.Close())
			if opt.Disk.Dir == "" || how.err == nil || !r.Reason.Resumable() || again == 2 {
				return
			}
			opt.Disk.Resume = true // and once more
		}
	})
	names := make([]string, 0, len(looked))
	for name, n := range looked {
		names = append(names, fmt.Sprintf("%s %d", name, n))
	}
	slices.Sort(names)
	if !testing.Short() {
		require.Greater(t, within, 0)
	}
	t.Logf("%d within a level; %d engines and ends: %q", within, len(names), names)
}

// requireFigures checks the figures of a search by what it expanded, and reports whether it
// ended within a level.
func requireFigures(t require.TestingT, g *logged, r *Result, opt Options, name string) (partial bool) {
	whole := plain(g.thicket, -1, nil, func([]byte) uint64 { return 0 })
	most := opt.MaxDepth
	if most == 0 {
		most = visited.MaxDepth
	}
	found, generated := g.found(whole, most)
	switch r.Reason {
	case Cancelled, TimeLimit, ByteLimit: // there may have been no room any more for the last batches
		lost := opt.Workers * (batchSuccessors + int(g.degree))
		least := len(found)
		if opt.Order == DepthFirst && opt.MaxDepth > 0 { // successors of a state at the limit count if it has met them on a shorter way
			least = len(g.distinct())
		}
		require.LessOrEqual(t, int(r.Distinct), len(found), name)
		require.GreaterOrEqual(t, int(r.Distinct), least-lost, name)
	case DepthLimit:
		if opt.Order == DepthFirst {
			break // it expands states again
		}
		fallthrough
	default:
		require.EqualValues(t, len(found), r.Distinct, name)
	}
	require.EqualValues(t, generated, r.Generated, name)
	require.EqualValues(t, len(g.expanded), r.Expanded, name)
	require.InDelta(t, float64(generated-3)/float64(max(1, len(g.expanded))), r.OutDegree(), 1e-9, name)
	if opt.Order == DepthFirst {
		require.Nil(t, r.Levels)
		return false
	}
	sum, levels := uint64(0), make([]uint64, len(whole.levels))
	for _, d := range found {
		levels[d]++
	}
	for d, n := range r.Levels {
		sum += n
		if d+1 < len(r.Levels) || d <= r.CompleteDepth+1 {
			require.Equal(t, whole.levels[d], n, "%s: depth %d of %v", name, d, r.Levels)
		}
		require.LessOrEqual(t, n, levels[d], "%s: depth %d of %v", name, d, r.Levels)
	}
	require.Equal(t, r.Distinct, sum, "%s: %v", name, r.Levels)
	require.Equal(t, len(r.Levels)-1, r.Depth, name)
	open := len(whole.levels) - 1
	expanded := g.distinct()
	for state, d := range whole.depth {
		if !expanded[state] {
			open = min(open, d-1)
		}
	}
	require.LessOrEqual(t, r.CompleteDepth, open, "%s: %v", name, r.Levels)
	require.GreaterOrEqual(t, r.CompleteDepth, open-1, "%s: %v", name, r.Levels) // where it ended as a level did
	last := len(r.Levels) - 1
	return r.Levels[last] < whole.levels[last]
}
