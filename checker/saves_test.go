package checker

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
)

// TestWhetherItPaysMayStayOpen: a search that ended early says nothing of the reduced
// system.
func TestWhetherItPaysMayStayOpen(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{}, "n=3 crashes=1 restarts=1 timing=lockstep")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	soFar := &explore.Result{Levels: []uint64{1, 1_000_000, 1_000_000}, CompleteDepth: 2}
	opt := Options{Reduce: ReduceAuto}
	why, err := (&reducedStage{opt: opt, sys: sys, soFar: soFar}).saves(ctx, model.Reduction{Reads: model.ReadsSettled})
	require.NoError(t, err)
	assert.Equal(t, "whether the reduced system has fewer states was not found out: the search was cancelled", why)
	why, err = (&reducedStage{opt: opt, sys: sys, soFar: soFar}).saves(context.Background(), model.Reduction{Reads: model.ReadsSettled})
	require.NoError(t, err)
	assert.Empty(t, why)
}

// TestVast: of levels as Kabashi's among five no end is in sight, of those of Hirschberg
// and Sinclair's among five there is one; too few levels say nothing.
func TestVast(t *testing.T) {
	tests := []struct {
		name   string
		levels []uint64
		vast   bool
	}{
		{"kabashi", []uint64{1, 5, 9, 55, 239, 1052, 4809, 21567, 92047}, true},
		{"growing", []uint64{1, 2, 4, 9, 20, 46, 110, 270}, true},
		{"few levels", []uint64{1, 20, 4_000, 210_000}, false},
		{"slowing", []uint64{1, 20, 200, 1350, 7018, 30296, 113757}, false},
		{"shrinking", []uint64{1, 100, 300, 900, 800, 500, 100, 20}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			soFar := &explore.Result{Levels: test.levels, CompleteDepth: len(test.levels) - 1}
			assert.Equal(t, test.vast, vast(soFar))
			soFar.Levels = append(slices.Clone(test.levels), 1) // of a level that is not whole
			assert.Equal(t, test.vast, vast(soFar))
		})
	}
}

// TestVastIsReduced: where no end of the system as it is is in sight, its reduced system
// is searched whatever it has.
func TestVastIsReduced(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{}, "n=3 crashes=1 restarts=1 timing=lockstep")
	require.NoError(t, err)
	opt := Options{Reduce: ReduceAuto, Properties: []*Property{SettledUniqueness}}
	stages, left := planner{Options: opt, sys: sys}.reducible(opt.Properties)
	require.Empty(t, left)
	soFar := &explore.Result{Levels: []uint64{2, 2, 2, 2, 2, 2, 2, 1}, CompleteDepth: 7}
	found, err := planner{Options: opt, sys: sys}.reduced(context.Background(), stages, soFar)
	require.NoError(t, err)
	assert.Nil(t, found.report)
	require.Len(t, found.left, 1)
	assert.Contains(t, found.left[0].Why, "more than a quarter")
	soFar.Levels = []uint64{1, 1, 2, 4, 9, 20, 46, 110}
	found, err = planner{Options: opt, sys: sys}.reduced(context.Background(), stages, soFar)
	require.NoError(t, err)
	assert.Empty(t, found.left)
	require.NotNil(t, found.report)
	assert.NotEqual(t, Incomplete, found.report.Findings[0].Verdict)
}
