package model_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/upstart"
	"bullyproof/model"
)

// A stepper takes exactly those of all steps that are asked for, and besides them
// those that lead nowhere.
func TestStepper(t *testing.T) {
	for _, setting := range []string{
		"n=3 timing=async crashes=2 restarts=1 suspicions=1 losses=1",
		"n=3 timing=async start=cold:interleaved initiators=any:lazy crashes=1 mid-send=yes reports=always",
		"n=3 timing=sync:1 joins=1 crashes=1 start=settled mail-down=lost",
		"n=4 timing=patient channels=fifo crashes=1 restarts=1",
		"n=3 timing=async cuts=1 heals=1 pauses=1 suspicions=1",
	} {
		t.Run(setting, func(t *testing.T) {
			sys, err := model.NewFrom(&upstart.Protocol{Patient: true}, setting)
			require.NoError(t, err)
			stepper := sys.Stepper()
			rapid.Check(t, func(t *rapid.T) { walkSteps(t, sys, stepper) })
		})
	}
}

func walkSteps(t *rapid.T, sys *model.System, stepper *model.Stepper) {
	var states [][]byte
	sys.Initial(func(s []byte) bool { states = append(states, slices.Clone(s)); return len(states) < 20 })
	state := rapid.SampledFrom(states).Draw(t, "initial")
	for range 6 {
		all := sys.Transitions(state)
		for _, like := range likes(sys, all) {
			var got []string
			stepper.Steps(state, like, func(tr model.Transition) {
				if string(tr.Next) != string(state) {
					got = append(got, shown(tr))
				}
			})
			var want []string
			for _, tr := range all {
				if isLike(tr.Action, like) && string(tr.Next) != string(state) {
					want = append(want, shown(tr))
				}
			}
			require.Equal(t, want, got, "%+v", like)
		}
		snapshot := sys.Snapshot(state)
		for _, p := range snapshot.Processes {
			require.Equal(t, p, stepper.Process(state, p.ID))
		}
		if len(all) == 0 {
			return
		}
		state = rapid.SampledFrom(all).Draw(t, "step").Next
	}
}

// likes returns what a stepper may be asked for: each action that is enabled, as a
// whole and by its kind and process alone, and one that is not.
func likes(sys *model.System, all []model.Transition) []model.Action {
	out := []model.Action{{Kind: model.Expires, Process: 1, Timer: "nothing"}, {Kind: model.Delivers, Process: 1, Message: "?"}}
	for _, tr := range all {
		switch a := tr.Action; a.Kind {
		case model.Ticks, model.CutsOff, model.Heals, model.Duplicates, model.Pauses, model.Resumes:
		default:
			out = append(out, model.Action{Kind: a.Kind, Process: a.Process},
				model.Action{Kind: a.Kind, Process: a.Process, Port: a.Port, Message: a.Message, Timer: a.Timer, Who: a.Who})
		}
	}
	return out
}

func isLike(a, like model.Action) bool {
	return a.Kind == like.Kind && a.Process == like.Process && (like.Port == 0 || a.Port == like.Port) &&
		(like.Message == "" || a.Message == like.Message) && (like.Timer == "" || a.Timer == like.Timer) &&
		(like.Who == model.None || a.Who == like.Who)
}

func shown(t model.Transition) string {
	return fmt.Sprintf("%+v %v %v %v %x", t.Action, t.Rules, t.Sent, t.Dropped, t.Next)
}

// A step that changes nothing is no transition of a search, and a step all the
// same: a system does it.
func TestStepperStaysInPlace(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{Modest: true}, "n=3 timing=async start=coordinator-down")
	require.NoError(t, err)
	state, err := sys.Begin(nil)
	require.NoError(t, err)
	like := model.Action{Kind: model.Suspects, Process: 1, Who: 3}
	for _, tr := range sys.Transitions(state) {
		require.False(t, isLike(tr.Action, like))
	}
	found := 0
	sys.Stepper().Steps(state, like, func(tr model.Transition) {
		found++
		require.Equal(t, state, tr.Next)
	})
	require.Equal(t, 1, found)
}
