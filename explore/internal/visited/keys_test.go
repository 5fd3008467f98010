package visited

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeySet(t *testing.T) {
	for _, n := range []int{1, 2, 100, PageKeys, PageKeys + 1, 3*PageKeys + 7} {
		var keys KeyList
		for i := range n {
			keys.Add(uint64(i)*0x9e3779b97f4a + 3)
		}
		set := NewKeySet(keys)
		require.GreaterOrEqual(t, set.Bytes(), int64(8*n))
		for i := range n {
			key := uint64(i)*0x9e3779b97f4a + 3
			require.True(t, set.Has(key))
			require.False(t, set.Has(key+1))
		}
	}
}
