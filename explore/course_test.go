package explore

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGraphIsGivenUp where it has too many states: the search goes on, counts all, and
// ends when its targets are hit.
func TestGraphIsGivenUp(t *testing.T) {
	for _, workers := range []int{1, 2} {
		for _, exact := range []bool{false, true} {
			opt := Options{Workers: workers, Exact: exact, Graph: true, GraphOptional: true, MaxGraphStates: 300}
			r := mustSearch(t, grid{side: 30}, opt)
			assert.Nil(t, r.Graph)
			assert.Equal(t, StateLimit, r.NoGraph)
			assert.Equal(t, Complete, r.Reason)
			assert.EqualValues(t, mustSearch(t, grid{side: 30}, Options{}).Distinct, r.Distinct)

			opt.MaxGraphStates = r.Distinct
			r = mustSearch(t, grid{side: 30}, opt)
			require.NotNil(t, r.Graph, "it has as many as it may")
			assert.Zero(t, r.NoGraph)
			assert.EqualValues(t, r.Distinct, r.Graph.Nodes())

			opt.Targets, opt.MaxGraphStates = 1, 10
			r = mustSearch(t, counter{end: 100, target: 30}, opt)
			assert.Equal(t, TargetsHit, r.Reason)
			assert.EqualValues(t, 32, r.Distinct, "it ends when it has no graph to make")
			opt.GraphOptional = false
			r = mustSearch(t, counter{end: 100, target: 30}, opt)
			assert.NotNil(t, r.Graph, "the limit is of optional graphs")
		}
	}
}

// TestGraphIsGivenUpForMemory where memory for it runs out and the states have enough.
func TestGraphIsGivenUpForMemory(t *testing.T) {
	plain := mustSearch(t, cube{}, Options{Workers: 2})
	opt := Options{Workers: 2, Graph: true, GraphOptional: true, inside: inside{memory: &fakeMemory{total: 60 << 20}}}
	r := mustSearch(t, cube{}, opt)
	assert.Equal(t, Complete, r.Reason)
	assert.Nil(t, r.Graph)
	assert.Equal(t, ByteLimit, r.NoGraph)
	assert.Equal(t, plain.Levels, r.Levels)
	opt.memory = &fakeMemory{total: math.MaxInt64 / 4}
	assert.NotNil(t, mustSearch(t, cube{}, opt).Graph)
}

// A cube has 80*80*80 states, and steps along its three sides.
type cube struct{}

func (c cube) Initial(yield func([]byte) bool) { yield(make([]byte, 3)) }
func (c cube) NewExpander() Expander           { return c }

func (c cube) Expand(state []byte, out *Successors) {
	for i, x := range state {
		if x < 79 {
			b := append(out.Begin(), state...)
			b[len(b)-3+i]++
			out.End(b, Code(i))
		}
	}
}

// fakeMemory is a machine of so many bytes, of which the process takes next to nothing.
type fakeMemory struct{ total int64 }

func (m *fakeMemory) used() int64           { return 1 << 20 }
func (m *fakeMemory) room() (int64, string) { return m.total - 1<<20, "what a test says" }
func (m *fakeMemory) free()                 {}

// TestGraphThatTakesTooLong leaves the search complete. (An exact search expands each
// state again to make its graph.)
func TestGraphThatTakesTooLong(t *testing.T) {
	for _, optional := range []bool{true, false} {
		ctx, cancel := context.WithCancel(context.Background())
		expanded := 0
		sys := grid{side: 5, at: func(*Successors) {
			if expanded++; expanded > 25 {
				cancel()
			}
		}}
		r, err := Search(ctx, sys, Options{Workers: 1, Exact: true, Graph: true, GraphOptional: optional})
		require.NoError(t, err)
		assert.Nil(t, r.Graph)
		want, why := Complete, Cancelled
		if !optional {
			want, why = Cancelled, 0
		}
		assert.Equal(t, want, r.Reason)
		assert.Equal(t, why, r.NoGraph)
	}
}

// TestReconsider has a search go on as it is told: for other targets, without its graph,
// or not at all.
func TestReconsider(t *testing.T) {
	asked := 0
	reconsider := func(course Course) func(*Result) (Course, error) {
		return func(soFar *Result) (Course, error) {
			asked++
			assert.EqualValues(t, 21, soFar.Distinct)
			assert.Equal(t, 19, soFar.CompleteDepth)
			_, hit := soFar.Hit(0)
			assert.True(t, hit)
			path, err := soFar.Path(0)
			assert.NoError(t, err)
			assert.Len(t, path, 6)
			_, hit = soFar.Hit(1)
			assert.False(t, hit)
			return course, nil
		}
	}
	for _, workers := range []int{1, 2} {
		for _, exact := range []bool{false, true} {
			asked = 0
			opt := Options{Workers: workers, Exact: exact, Targets: 2, Graph: true}
			opt.Reconsider.At = 21
			opt.Reconsider.Ask = reconsider(Course{Over: true})
			r := mustSearch(t, twoTargets{}, opt)
			assert.Equal(t, Reconsidered, r.Reason)
			assert.EqualValues(t, 21, r.Distinct)

			opt.Reconsider.Ask = reconsider(Course{StopWhenAll: []int{0}})
			r = mustSearch(t, twoTargets{}, opt)
			assert.Equal(t, TargetsHit, r.Reason)
			assert.EqualValues(t, 22, r.Distinct, "the level is made, and then nothing is left to ask")

			opt.Reconsider.Ask = reconsider(Course{StopWhenAll: []int{1}})
			r = mustSearch(t, twoTargets{}, opt)
			assert.Equal(t, TargetsHit, r.Reason)
			assert.EqualValues(t, 42, r.Distinct)
			assert.Nil(t, r.Graph)

			opt.Reconsider.Ask = reconsider(Course{})
			r = mustSearch(t, twoTargets{}, opt)
			assert.Equal(t, Complete, r.Reason)
			assert.Nil(t, r.Graph)
			assert.Zero(t, r.NoGraph, "nobody wants it any more")

			opt.Reconsider.Ask = reconsider(Course{Graph: true})
			r = mustSearch(t, twoTargets{}, opt)
			assert.Equal(t, Complete, r.Reason)
			assert.EqualValues(t, 101, r.Graph.Nodes())
			assert.Equal(t, 5, asked, "once each time")
		}
	}

	failed := errors.New("no more")
	fails := Options{Targets: 2}
	fails.Reconsider.Ask = func(*Result) (Course, error) { return Course{}, failed }
	_, err := Search(context.Background(), twoTargets{}, fails)
	assert.ErrorIs(t, err, failed)
	deep := Options{Order: DepthFirst}
	deep.Reconsider.Ask = fails.Reconsider.Ask
	_, err = Search(context.Background(), twoTargets{}, deep)
	assert.ErrorContains(t, err, "Reconsider is asked between the levels of a breadth-first search")
	fails.Exhaustive, fails.Reconsider.At = true, 1_000
	r := mustSearch(t, twoTargets{}, fails)
	assert.Equal(t, Complete, r.Reason, "a search that ends before is not reconsidered")

	// While it is reconsidered, others tell how far they are.
	away := false
	watched := Options{Targets: 2, ProgressEvery: time.Nanosecond, Progress: func(Progress) { assert.False(t, away) }}
	watched.Reconsider.At, watched.Reconsider.Ask = 21, func(*Result) (Course, error) {
		away = true // the race detector sees who tells meanwhile
		for range 10_000 {
			runtime.Gosched()
		}
		away = false
		return Course{}, nil
	}
	mustSearch(t, twoTargets{}, watched)
	assert.False(t, away)
}

// TestProgressTellsHits: a snapshot says in how many steps each target was hit so far.
func TestProgressTellsHits(t *testing.T) {
	told := make(chan []int, 1)
	r := mustSearch(t, waitsAt50{twoTargets{}, func() { assert.Equal(t, []int{5, 40}, <-told) }}, Options{
		Workers: 1, Targets: 2, Exhaustive: true, ProgressEvery: time.Nanosecond, Progress: func(p Progress) {
			if p.Depth > 40 {
				select {
				case told <- p.Hits:
				default:
				}
			}
		},
	})
	assert.Equal(t, 40, r.hits[1].Depth)
}

// waitsAt50 waits for something in its fiftieth state.
type waitsAt50 struct {
	twoTargets
	wait func()
}

func (s waitsAt50) NewExpander() Expander { return s }

func (s waitsAt50) Expand(state []byte, out *Successors) {
	if state[0] == 50 {
		s.wait()
	}
	s.twoTargets.Expand(state, out)
}

// twoTargets counts to 100, and hits targets at 5 and at 40.
type twoTargets struct{}

func (s twoTargets) Initial(yield func(state []byte) bool) { yield([]byte{0}) }
func (s twoTargets) NewExpander() Expander                 { return s }

func (s twoTargets) Expand(state []byte, out *Successors) {
	switch state[0] {
	case 5:
		out.Hit(0, 0)
	case 40:
		out.Hit(1, 0)
	case 100:
		return
	}
	out.End(append(out.Begin(), state[0]+1), 0)
}
