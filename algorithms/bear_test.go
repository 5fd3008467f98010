package algorithms_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/internal/test/play"
)

// Everybody may crash in a comparison, and between two sends as well. An algorithm's own properties bear that, even where
// its usual setting spares somebody: they do not look into the state of a process that is down.
func TestPropertiesBearCrashes(t *testing.T) {
	asked, most := 0, uint64(150)
	if *play.Deep {
		most = 1_500
	}
	for _, a := range algorithms.All {
		if len(a.Properties) == 0 {
			continue
		}
		for _, v := range a.Variants {
			for _, midSend := range []bool{false, true} {
				text := v.Setting
				text.Crashes, text.Restarts, text.Crashers, text.MidSend = 1, 1, 0, midSend
				sys, err := v.New(text)
				if err != nil {
					continue // a world that it cannot have
				}
				asked++
				assert.NotPanics(t, func() {
					_, err = checker.Check(t.Context(), sys, checker.Options{Properties: a.Properties, MaxStates: most})
				}, "%s/%s in %v", a.Name, v.Name, text)
				assert.NoError(t, err, "%s/%s in %v", a.Name, v.Name, text)
			}
		}
	}
	assert.Greater(t, asked, 30)
}
