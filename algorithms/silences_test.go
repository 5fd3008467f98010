package algorithms_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/ledger/silence"
)

// What can happen to a process is what a sentence of the source is about, or a silence of it
// with its answers, and not both.
func TestEachCellIsSaidOrSilent(t *testing.T) {
	for _, a := range algorithms.All {
		for _, s := range a.Silent {
			t.Run(a.Name+s.Source, func(t *testing.T) {
				cells, err := a.Cells(t.Context(), s.Source, silence.Options{MaxStates: 20_000})
				require.NoError(t, err)
				require.NotEmpty(t, cells)
				t.Logf("%d cells", len(cells))
				for _, c := range cells {
					assert.True(t, c.Covered(), "nothing is said of %q, and no question is about it", c.String())
					assert.False(t, c.Said && c.Silence != silence.Open, "a sentence is about %q, and a question too", c.String())
				}
			})
		}
	}
}
