package explore

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// TestGrowthIsLeft: where the search has ended, no more segments grow, and those that
// have are whole.
func TestGrowthIsLeft(t *testing.T) {
	tab := newTable(4, never)
	want := map[uint64]uint64{}
	var q quota
	var which, buckets []int
	for n := range segments {
		fp := uint64(n)<<(64-segmentBits) | 12345
		want[fp] = uint64(n + 1)
		require.Equal(t, fresh, tab.insert(fp, want[fp], &q))
		which, buckets = append(which, n), append(buckets, 9)
	}
	rounds := 0
	grown := tab.growTogether(which, buckets, 2, func() bool { rounds++; return rounds < 3 })
	assert.Equal(t, 2*2*growRound, grown)
	for n := range segments {
		assert.Equal(t, n < grown, len(tab.segment[n].buckets) == 9)
	}
	requireHolds(t, tab, want)

	opt, err := Options{Workers: 2}.check()
	require.NoError(t, err)
	s := newSearch(grid{side: 3}, opt)
	s.table.segment[0].limit = 0
	s.stop(Cancelled)
	assert.False(t, s.grow(1))
	assert.True(t, s.table.lacksRoom(1), "nothing has grown")
}
