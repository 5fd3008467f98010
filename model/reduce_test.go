package model_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/explore"
	"bullyproof/model"
)

// standardReads is what the standard safety properties of an election read.
const standardReads = model.ReadsLeaders | model.ReadsEachElected

// inSetting returns a variant of an algorithm, or a mutant, in a setting.
func inSetting(t *testing.T, algorithm, variant, text string) *model.System {
	t.Helper()
	a, err := algorithms.Find(algorithm)
	require.NoError(t, err)
	v, err := a.Variant(variant)
	require.NoError(t, err)
	s, err := v.Setting.With(text)
	require.NoError(t, err)
	sys, err := v.New(s)
	require.NoError(t, err)
	return sys
}

// found is what a search finds out about a system that a reduction keeps.
type found struct {
	Leaders map[model.Set]bool   // who believe themselves coordinator at one instant
	Named   map[[2]model.ID]bool // who names whom
	Settled map[string]bool      // who names whom in settled states
	Misused bool
}

// find searches a system and returns what it finds, with the number of states.
func find(t *testing.T, sys *model.System, r *model.Reduction, workers int) (found, uint64) {
	t.Helper()
	f := found{Leaders: map[model.Set]bool{}, Named: map[[2]model.ID]bool{}, Settled: map[string]bool{}}
	var mu sync.Mutex
	w := sys.Watched(model.Watch{State: func(v *model.View) bool {
		mu.Lock()
		defer mu.Unlock()
		f.Leaders[v.Leaders] = true
		names := fmt.Sprint(v.Up, v.Present)
		for id := model.ID(1); id <= v.N; id++ {
			f.Named[[2]model.ID{id, v.Elected(id)}] = true
			names += fmt.Sprint(" ", v.Elected(id))
		}
		if v.Settled {
			f.Settled[names] = true
		}
		return false
	}})
	if r != nil {
		var err error
		w, err = w.Reduced(*r)
		require.NoError(t, err)
	}
	result, err := explore.Search(t.Context(), w, explore.Options{Targets: w.Targets(), Workers: workers, Exhaustive: true})
	require.NoError(t, err)
	require.Equal(t, explore.Complete, result.Reason)
	_, f.Misused = result.Hit(1)
	return f, result.Distinct
}

func TestReducedFindsWhatTheSystemHas(t *testing.T) {
	tests := []struct {
		algorithm, variant, setting string
		most                        uint64 // states
	}{
		{"bully", "coulouris", "n=3 crashes=1 restarts=1 timing=sync:1", 6000},
		{"bully", "coulouris", "n=3 crashes=1 restarts=1 timing=lockstep", 400},
		{"bully", "coulouris", "n=3 crashes=1 restarts=1 timing=sync:1 channels=fifo", 6000},
		{"kabashi", "prose", "n=3 crashes=1 restarts=1 timing=sync:1", 4000},
		{"dolevklawerodeh", "wakes", "n=4", 200},
		{"dolevklawerodeh", "wakes", "n=4 initiators=some:lazy", 2000},
	}
	for _, test := range tests {
		t.Run(test.algorithm+" "+test.setting, func(t *testing.T) {
			sys := inSetting(t, test.algorithm, test.variant, test.setting)
			want, all := find(t, sys, nil, 1)
			got, states := find(t, sys, &model.Reduction{Reads: standardReads}, 1)
			assert.Equal(t, want, got)
			assert.Less(t, states, all)
			assert.LessOrEqual(t, states, test.most)
			again, number := find(t, sys, &model.Reduction{Reads: standardReads}, 2)
			assert.Equal(t, got, again)
			assert.Equal(t, states, number, "with two workers")
		})
	}
}

func TestReducedStatesOfDolevKlaweRodeh(t *testing.T) {
	if testing.Short() {
		t.Skip("720 arrangements")
	}
	_, states := find(t, inSetting(t, "dolevklawerodeh", "wakes", "n=7"), &model.Reduction{Reads: standardReads}, 1)
	assert.Equal(t, uint64(30512), states, "of 946,768")
}

func TestReducedRefuses(t *testing.T) {
	tests := []struct{ name, algorithm, variant, setting, why string }{
		{"asynchrony", "bully", "coulouris", "n=3 timing=async:1", "condition on cycles"},
		{"last resort", "bully", "coulouris", "n=3 timing=last-resort", "condition on cycles"},
		{"capacity", "bully", "coulouris", "n=3 capacity=1", "capacity"},
		{"cuts", "bully", "coulouris", "n=3 cuts=1", "cuts"},
		{"pauses", "bully", "coulouris", "n=3 pauses=1", "pauses"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := inSetting(t, test.algorithm, test.variant, test.setting).Watched().Reduced(model.Reduction{})
			var refused *model.IrreducibleError
			require.ErrorAs(t, err, &refused)
			assert.Contains(t, refused.Why, test.why)
			assert.ErrorContains(t, err, "n=3")
		})
	}
	t.Run("steps", func(t *testing.T) {
		w := inSetting(t, "bully", "coulouris", "n=3").Watched(model.Watch{Step: func(*model.Event) bool { return false }})
		_, err := w.Reduced(model.Reduction{})
		assert.ErrorContains(t, err, "steps")
	})
}
