package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore/internal/visited"
)

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
