package checker

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
)

// A search that follows others tells in its snapshots what those have found as well: a reduced
// search what the search has found that waits for it, and each stage what those before it have.
func TestBesides(t *testing.T) {
	s := upstart.Settled(4)
	s.Crashes = 2
	down := func(v *model.View) int { return int(v.N) - v.Up.Len() }
	calm := Always("calm", "No process is down.", func(v *model.View) bool { return down(v) == 0 })
	pair := Always("pair", "At most one process is down.", func(v *model.View) bool { return down(v) <= 1 })
	three := Always("three", "At most two processes are down.", func(v *model.View) bool { return down(v) <= 2 })
	sys := upstart.System(&upstart.Protocol{}, s)
	opt := Options{Properties: []*Property{three, calm, pair}}
	sub := newSubject(sys, opt, &Stage{States: opt.Properties})
	soFar, err := sub.run(t.Context(), opt)
	require.NoError(t, err)

	var told explore.Progress
	show := func(now explore.Progress) { told = now }
	sub.tellingAlso(soFar.Result, show)(explore.Progress{Phase: explore.PhaseSearch, Broken: map[string]int{"other": 3}})
	assert.Equal(t, map[string]int{"calm": 1, "pair": 2, "other": 3}, told.Broken)
	assert.Equal(t, "3 violated, calm in 1 step", told.Found)
	assert.Equal(t, explore.Phase("reduced"), told.Phase)

	r, err := Check(t.Context(), sys, opt)
	require.NoError(t, err)
	before := r.broken()
	assert.Equal(t, map[string]int{"calm": 1, "pair": 2}, before)
	next := besides(before, show)
	before["three"] = 3 // of a search after that one
	next(explore.Progress{})
	assert.Equal(t, "2 violated, calm in 1 step", told.Found)
	next(explore.Progress{Broken: map[string]int{"pair": 1}, Found: "pair violated in 1 step"})
	assert.Equal(t, "2 violated, calm in 1 step", told.Found)
	assert.Equal(t, map[string]int{"calm": 1, "pair": 1}, told.Broken)

	assert.Empty(t, (*Report)(nil).broken())
	assert.Nil(t, besides(before, nil))
	assert.Empty(t, violated(nil))
	assert.Equal(t, "calm violated in 1 step", violated(map[string]int{"calm": 1}))
}
