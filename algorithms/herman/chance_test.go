package herman

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/chance"
	"bullyproof/internal/test/play"
)

// One token is left after as many steps as are published (PRISM's and Storm's herman), from the worst
// start.
func TestSteps(t *testing.T) {
	for n, want := range map[string]string{"n=3": "4/3", "n=5": "16/5", "n=7": "48/7", "n=9": "12", "n=11": "192/11"} {
		if n != "n=3" && n != "n=5" && n != "n=7" && !*play.Deep {
			continue
		}
		sys, err := of(&Ring{BitsAlone: true})(ring.MustWith(n))
		require.NoError(t, err)
		r, err := chance.Of(t.Context(), sys, chance.Options{Goal: oneToken, ExactStates: 100_000})
		require.NoError(t, err)
		require.Empty(t, r.Why)
		assert.Equal(t, "1", r.Reached.Least.String())
		assert.Equal(t, want, r.Cost("ticks").Most.String())
		assert.Equal(t, "0", r.Cost("ticks").Least.String(), "it may begin with one token")
	}
}
