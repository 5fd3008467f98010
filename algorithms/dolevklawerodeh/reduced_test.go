package dolevklawerodeh_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/dolevklawerodeh"
	"bullyproof/explore"
	"bullyproof/model"
)

// TestReducedStates: every process reads a single channel, so that a reduced
// system has hardly more than one run for each arrangement.
func TestReducedStates(t *testing.T) {
	tests := []struct {
		setting string
		states  uint64 // of 58,232 and 946,768
		short   bool
	}{{"n=6", 4248, true}, {"n=7", 30512, false}}
	for _, test := range tests {
		t.Run(test.setting, func(t *testing.T) {
			if testing.Short() && !test.short {
				t.Skip("many arrangements")
			}
			v, err := dolevklawerodeh.Algorithm.Variant("wakes")
			require.NoError(t, err)
			s, err := v.Setting.With(test.setting)
			require.NoError(t, err)
			sys, err := v.New(s)
			require.NoError(t, err)
			w, err := sys.Watched().Reduced(model.Reduction{Reads: model.ReadsLeaders | model.ReadsEachElected})
			require.NoError(t, err)
			result, err := explore.Search(t.Context(), w, explore.Options{Targets: w.Targets(), Exhaustive: true})
			require.NoError(t, err)
			assert.Equal(t, test.states, result.Distinct)
		})
	}
}
