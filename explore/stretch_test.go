package explore

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore/internal/visited"
)

// TestTransitionsAreLeft: transitions move to their nodes until building ends, chunk by
// chunk of states.
func TestTransitionsAreLeft(t *testing.T) {
	const states = 3 * maxChunkSources
	log := func() (*graphLog, *rows) {
		l := &graphLog{bytes: new(atomic.Int64)}
		var out Successors
		for n := range states {
			require.NoError(t, l.add(&out, []uint64{uint64(n)}, []int{1}, []uint64{uint64(n)}))
		}
		r := newRows(states)
		for n := range uint32(states) {
			r.setDegree(n, 1)
		}
		require.NoError(t, r.sum())
		r.room(0, len(r.blocks))
		return l, &r
	}
	l, r := log()
	looks := 0
	l.moveTo(r, states, func() bool { looks++; return true })
	require.EqualValues(t, states-1, r.out(states - 1)[0].To)
	require.GreaterOrEqual(t, looks, 2*states/maxChunkSources)
	for end := 1; end < looks/2; end++ {
		l, r := log()
		n := 0
		l.moveTo(r, states, func() bool { n++; return n < end })
		assert.Equal(t, end, n, "it ends at once")
		assert.Zero(t, r.out(states - 1)[0].To)
	}
}

// TestGrowthIsLeft: where the search has ended, the table does not grow any more.
func TestGrowthIsLeft(t *testing.T) {
	opt, err := Options{Workers: 2}.check()
	require.NoError(t, err)
	s := newSearch(grid{side: 3}, opt)
	var q visited.Quota
	fp := uint64(0)
	for full := false; !full; { // the first segment
		fp++
		full = s.table.Insert(fp, visited.Origin(0, 0), &q) == visited.Full
	}
	s.stop(Cancelled)
	assert.False(t, s.grow(fp))
	assert.True(t, s.table.LacksRoom(fp), "nothing has grown")
}
