package rows

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
	log := func() (*Log, *Rows) {
		l := NewLog(new(atomic.Int64))
		for n := range states {
			require.NoError(t, l.Add(Batch{Sources: []uint64{uint64(n)}, Last: []int{1}, FPs: []uint64{uint64(n)}}))
		}
		r := New(states)
		for n := range uint32(states) {
			r.SetDegree(n, 1)
		}
		require.NoError(t, r.Sum())
		r.room(0, len(r.blocks))
		return l, &r
	}
	l, r := log()
	looks := 0
	l.moveTo(r, states, func() bool { looks++; return true })
	require.EqualValues(t, states-1, r.Out(states - 1)[0].To)
	require.GreaterOrEqual(t, looks, 2*states/maxChunkSources)
	for end := 1; end < looks/2; end++ {
		l, r := log()
		n := 0
		l.moveTo(r, states, func() bool { n++; return n < end })
		assert.Equal(t, end, n, "it ends at once")
		assert.Zero(t, r.Out(states - 1)[0].To)
	}
}
