package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/model"
)

// tally counts deliveries, and remembers who has ever led.
type tally struct {
	Delivered uint8
	Led       model.Set
}

func TestMonitorKeepsHistory(t *testing.T) {
	setting, err := model.ParseSetting("n=3 initiators=2,3 timing=patient crashes=1")
	require.NoError(t, err)
	plain, err := model.New(heralds{}, setting)
	require.NoError(t, err)
	m, err := model.NewMonitor("tally", tally{}, func(q *tally, e model.Event) {
		if e.Kind == model.Delivers {
			q.Delivered++
		}
		q.Led |= e.To.Leaders
		assert.Equal(t, e.Kind == model.Crashes, e.From.Up != e.To.Up)
	})
	require.NoError(t, err)
	sys := plain.Monitored(m)

	both, most := model.SetOf(2, 3), uint8(0)
	broken := sys.Watched(model.Watch{State: func(v *model.View) bool {
		q, ok := model.History[tally](v, m)
		assert.True(t, ok)
		most = max(most, q.Delivered)
		// Eager initiators have led before anything else happens, whatever came
		// of it since.
		return q.Led != both
	}})
	result, err := explore.Search(t.Context(), broken, explore.Options{Targets: broken.Targets(), Workers: 1})
	require.NoError(t, err)
	_, hit := result.Hit(0)
	assert.False(t, hit)
	assert.Equal(t, uint8(4), most)

	_, ok := model.History[uint8](sys.View(firstState(sys)), m)
	assert.False(t, ok, "a value of another type")
	_, ok = model.History[tally](plain.View(firstState(plain)), m)
	assert.False(t, ok, "a system without the monitor")

	alone, err := explore.Search(t.Context(), plain, explore.Options{Workers: 1})
	require.NoError(t, err)
	assert.Greater(t, result.Distinct, alone.Distinct, "states tell histories apart")
}

func firstState(sys *model.System) []byte {
	for s := range sys.Initial {
		return s
	}
	return nil
}

func TestMonitorIsFlat(t *testing.T) {
	_, err := model.NewMonitor("names", struct{ Names []string }{}, nil)
	assert.ErrorContains(t, err, `monitor "names": field Names`)
}
