package explore

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeySet(t *testing.T) {
	for _, n := range []int{1, 2, 100, pageKeys, pageKeys + 1, 3*pageKeys + 7} {
		var keys keyList
		for i := range n {
			keys.add(uint64(i)*0x9e3779b97f4a + 3)
		}
		set := newKeySet(keys)
		require.GreaterOrEqual(t, set.bytes(), int64(8*n))
		for i := range n {
			key := uint64(i)*0x9e3779b97f4a + 3
			require.True(t, set.has(key))
			require.False(t, set.has(key+1))
		}
	}
}

// A pass over table and runs, in which the accounts stay as they are, has garbage
// collected before it is too much, and what it gathers is on the account.
func TestPassesKeepWithinTheLimit(t *testing.T) {
	m := &small{live: 50 << 20, garbage: 60 << 20, left: math.MaxInt64}
	opt, err := Options{MaxBytes: 100 << 20, Workers: 1, memory: m}.check()
	require.NoError(t, err)
	s := newSearch(thicket{}, opt)
	s.pool.Account(minMeasured)
	m.freed = 0
	m.garbage = 60 << 20
	d := &disk{s: s}
	var keys keyList
	for key := range uint64(stepsMeasured - 1) {
		d.leaveOut(&keys, key)
	}
	require.Zero(t, m.freed)
	require.InDelta(t, keys.bytes(), d.bytes.Load(), pageKeys*8)
	d.leaveOut(&keys, stepsMeasured)
	require.Equal(t, 1, m.freed)
	require.Equal(t, int64(50<<20), m.used())
}
