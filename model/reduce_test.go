package model_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
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

// TestReducedRefuses: a reason names the thing, and what would be reduced.
func TestReducedRefuses(t *testing.T) {
	type system = *model.System
	steps := model.Watch{Step: func(*model.Event) bool { return false }}
	monitored := func(t *testing.T, sys system) system {
		m := model.NewMonitor("past", 0, func(*int, *model.Event) {})
		sys, err := sys.Monitored(m)
		require.NoError(t, err)
		return sys
	}
	tabled := func(t *testing.T, s string) system {
		table := &anyprotocol.Table{Classes: 1, Faces: []anyprotocol.Face{{Trigger: anyprotocol.Start, Mode: -1}}}
		if table.Topology = setting.Ring; !strings.Contains(s, "ring") {
			table.Topology, table.Periodic = setting.Complete, 2
		}
		sys, err := model.NewFrom(table.Protocol(), s)
		require.NoError(t, err)
		return sys
	}
	tests := []struct {
		name, setting string
		make          func(t *testing.T, s string) system
		r             model.Reduction
		watches       []model.Watch
		why, remedy   string
	}{
		{"capacity", "n=3 capacity=1", upstarts, model.Reduction{}, nil, "capacity=1: ", "a setting without capacity"},
		{"drift", "n=3 drift=10 timing=sync:1", upstarts, model.Reduction{}, nil, "drift=10: ", "drift=0"},
		{"pauses", "n=3 pauses=2", upstarts, model.Reduction{}, nil, "pauses=2: ", "pauses=0"},
		{"repaired", "n=3 topology=ring:repaired", tabled, model.Reduction{}, nil, "topology=ring:repaired: ", "a ring that is not repaired"},
		{"asynchrony", "n=3 timing=async", upstarts, model.Reduction{Only: model.DeadMessages}, nil, "--reduce dead: ", "but persistent; auto"},
		{"steps", "n=3", upstarts, model.Reduction{}, []model.Watch{steps}, "about steps", "what is asked of states"},
		{"monitor", "n=3", func(t *testing.T, s string) system { return monitored(t, upstarts(t, s)) }, model.Reduction{}, nil, `monitor "past"`, "without monitors"},
		{"periodic", "n=3 timing=async", tabled, model.Reduction{}, nil, "is periodic", "timing=sync:K or timing=lockstep"},
		{"complete", "n=3", upstarts, model.Reduction{Only: model.Rotations}, nil, "rotations are of anonymous rings", "whose processes have no ids"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.make(t, test.setting).Watched(test.watches...).Reduced(test.r)
			var refused *model.IrreducibleError
			require.ErrorAs(t, err, &refused)
			assert.Contains(t, refused.Why, test.why)
			assert.Contains(t, refused.Why, test.remedy)
			assert.ErrorContains(t, err, "n=3")
		})
	}
}
