package model_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/internal/upstart"
	"bullyproof/model"
)

// standardReads is what the standard safety properties of an election read.
const standardReads = model.ReadsLeaders | model.ReadsEachElected

// upstarts returns a system of upstarts that wait before they claim.
func upstarts(t *testing.T, text string) *model.System {
	t.Helper()
	sys, err := model.NewFrom(&upstart.Protocol{Patient: true}, text)
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
	fewer := false
	for _, setting := range []string{
		"n=3 crashes=1 restarts=1 timing=sync:1",
		"n=3 crashes=1 restarts=1 timing=sync:1 channels=fifo",
		"n=3 crashes=1 restarts=1 timing=sync:2",
		"n=3 crashes=1 restarts=1 timing=lockstep",
		"n=3 crashes=1 restarts=1 timing=lockstep channels=fifo",
		"n=3 crashes=2 mid-send=yes timing=lockstep",
		"n=3 start=cold initiators=all:lazy timing=sync:1",
		"n=3 joins=1 losses=1 timing=sync:1",
		"n=3 crashes=1 restarts=1 timing=last-resort",
		"n=3 crashes=1 timing=async:1",
	} {
		t.Run(setting, func(t *testing.T) {
			sys := upstarts(t, setting)
			want, all := find(t, sys, nil, 1)
			got, states := find(t, sys, &model.Reduction{Reads: standardReads}, 1)
			assert.Equal(t, want, got)
			assert.LessOrEqual(t, states, all)
			fewer = fewer || states < all
			again, number := find(t, sys, &model.Reduction{Reads: standardReads}, 2)
			assert.Equal(t, got, again)
			assert.Equal(t, states, number, "with two workers")
		})
	}
	assert.True(t, fewer, "nothing was reduced")
}

func TestReducedRefuses(t *testing.T) {
	tests := []struct{ name, setting, why string }{
		{"capacity", "n=3 capacity=1", "capacity"},
		{"cuts", "n=3 cuts=1", "cuts"},
		{"pauses", "n=3 pauses=1", "pauses"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := upstarts(t, test.setting).Watched().Reduced(model.Reduction{})
			var refused *model.IrreducibleError
			require.ErrorAs(t, err, &refused)
			assert.Contains(t, refused.Why, test.why)
			assert.ErrorContains(t, err, "n=3")
		})
	}
	t.Run("asynchrony", func(t *testing.T) {
		_, err := upstarts(t, "n=3 timing=async").Watched().Reduced(model.Reduction{Only: model.DeadMessages})
		assert.ErrorContains(t, err, "there is none by the name of dead in this setting, but persistent")
	})
	t.Run("steps", func(t *testing.T) {
		w := upstarts(t, "n=3").Watched(model.Watch{Step: func(*model.Event) bool { return false }})
		_, err := w.Reduced(model.Reduction{})
		assert.ErrorContains(t, err, "steps")
	})
}
