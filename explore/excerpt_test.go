package explore

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shownBy returns what a search shows of each level, as texts.
func shownBy(t *testing.T, sys System, opt Options) (shown []string) {
	opt.Inspect = func(depth int, distinct uint64, states [][]byte) bool {
		shown = append(shown, fmt.Sprintf("%d %d %x", depth, distinct, states))
		assert.LessOrEqual(t, len(states), mostExcerpted)
		return true
	}
	require.Equal(t, Complete, mustSearch(t, sys, opt).Reason)
	return shown
}

// The excerpt of a level is the same for any number of workers, and on disk.
func TestExcerptsAreTheSame(t *testing.T) {
	sys := grid{side: 120}
	want := shownBy(t, sys, Options{Workers: 1})
	require.Len(t, want, 2*120-1, "each level has an excerpt")
	for _, workers := range []int{2, 3, 8} {
		assert.Equal(t, want, shownBy(t, sys, Options{Workers: workers}), "%d workers", workers)
	}
	assert.Equal(t, want, shownBy(t, sys, Options{Workers: 2, Exact: true}))
	for _, inMemory := range []int{100, 1_000} {
		assert.Equal(t, want, shownBy(t, sys, Options{Workers: 2, Disk: Disk{Dir: t.TempDir(), InMemory: inMemory}}), "%d in memory", inMemory)
	}
}

// A depth-first search shows some states, each with its depth.
func TestExcerptsOfADive(t *testing.T) {
	shown := shownBy(t, grid{side: 200}, Options{Order: DepthFirst})
	assert.NotEmpty(t, shown)
	assert.Less(t, len(shown), 200*200/256, "about one state in 1,024")
}

// Inspect ends a search at the end of a level. A search that has seen everything is complete.
func TestInspectEnds(t *testing.T) {
	for _, opt := range []Options{{}, {Disk: Disk{Dir: t.TempDir()}}} {
		opt.Inspect = func(depth int, _ uint64, _ [][]byte) bool { return depth < 50 }
		r := mustSearch(t, grid{side: 120}, opt)
		assert.Equal(t, GivenUp, r.Reason)
		assert.Equal(t, 50, r.CompleteDepth)
		assert.Equal(t, uint64(52*53/2), r.Distinct, "the next level is whole")
		assert.Len(t, r.Levels, 52)
		if opt.Disk.Dir != "" {
			opt.Disk.Dir = t.TempDir()
		}
		opt.Inspect = func(int, uint64, [][]byte) bool { return false }
		assert.Equal(t, Complete, mustSearch(t, grid{side: 1}, opt).Reason)
	}
}
