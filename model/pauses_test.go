package model_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// do takes the one step from a state whose action has a text, as kinds of actions
// and processes give it: "pause 2", "tick ⊥".
func do(t *testing.T, sys *model.System, state []byte, actions ...string) []byte {
	t.Helper()
next:
	for _, want := range actions {
		var enabled []string
		for _, tr := range sys.Transitions(state) {
			text := fmt.Sprintf("%v %v", tr.Action.Kind, tr.Action.Process)
			if text == want {
				state = tr.Next
				continue next
			}
			enabled = append(enabled, text)
		}
		require.Fail(t, "not enabled", "%q; enabled are %q", want, enabled)
	}
	return state
}

func enabled(sys *model.System, state []byte) []string {
	list := []string{}
	for _, tr := range sys.Transitions(state) {
		list = append(list, fmt.Sprintf("%v %v", tr.Action.Kind, tr.Action.Process))
	}
	return list
}

// begin returns a system of two that ask each other when a timer has expired, and
// its initial state.
func begin(t *testing.T, words string) (*model.System, []byte) {
	t.Helper()
	s, err := setting.Parse("n=2 initiators=none " + words)
	require.NoError(t, err)
	sys, err := model.New(hasty{}, s)
	require.NoError(t, err)
	for state := range sys.Initial {
		return sys, state
	}
	panic("no initial state")
}

// A paused process does nothing, and nobody waits for it: its mail and its
// timers are there when it goes on, which it does sooner or later.
func TestPause(t *testing.T) {
	sys, state := begin(t, "pauses=1 detector=off")
	state = do(t, sys, state, "pause 2", "tick ⊥")
	assert.Equal(t, []string{"timeout 1", "resume 2"}, enabled(sys, state), "its timer waits")
	s := sys.Snapshot(state)
	assert.True(t, s.Processes[1].Paused)
	assert.Equal(t, model.Up, s.Processes[1].Status)
	assert.Equal(t, model.SetOf(2), sys.View(state).Paused)

	state = do(t, sys, state, "timeout 1", "tick ⊥", "timeout 1", "tick ⊥", "timeout 1")
	assert.Equal(t, []string{"resume 2"}, enabled(sys, state), "its mail waits")
	assert.Len(t, sys.Snapshot(state).InFlight, 2)
	assert.Zero(t, sys.Snapshot(state).InFlight[0].Due)
	assert.False(t, sys.View(state).Settled, "it is owed to go on")
	for _, tr := range sys.Transitions(state) {
		assert.Equal(t, "resume of position 2", tr.Class)
	}

	state = do(t, sys, state, "resume 2")
	assert.Equal(t, []string{"deliver 2"}, enabled(sys, state), "mail that is due comes before timers")
	state = do(t, sys, state, "deliver 2", "deliver 2", "timeout 2")
	assert.False(t, sys.Snapshot(state).Processes[1].Paused)
}

// A crash ends a pause.
func TestPauseAndCrash(t *testing.T) {
	sys, state := begin(t, "pauses=2 crashes=1 crashers=2 restarts=1 detector=off")
	state = do(t, sys, state, "pause 2", "crash 2", "restart 2")
	assert.False(t, sys.Snapshot(state).Processes[1].Paused)
	assert.NotContains(t, enabled(sys, state), "crash 2")
	assert.Contains(t, enabled(sys, state), "pause 2")
}

// A paused process does not answer the failure detector, and is not told.
func TestPauseAndDetector(t *testing.T) {
	pause := []model.ActionKind{model.Pauses}
	for setting, want := range map[string][]string{
		"":                                  {"suspect of 3 to 1, suspect of 3 to 2"},
		"detector=perfect":                  {},
		"detector=perfect crashes=1":        {},
		"detector=perfect suspicions=1":     {"misreport of 3 to 1", "misreport of 3 to 1, misreport of 3 to 2", "misreport of 3 to 2"},
		"detector=reach suspicions=1":       {"misreport of 3 to 1", "misreport of 3 to 2", "suspect of 3 to 1, suspect of 3 to 2"},
		"detector=reach cuts=1 cut-by=link": {"suspect of 3 to 1, suspect of 3 to 2"},
	} {
		assert.Equal(t, want, reported(t, watching{}, "n=3 start=settled pauses=1 "+setting, pause...), setting)
	}
}

func TestDrift(t *testing.T) {
	for _, tt := range []struct {
		drift       int
		ticks       uint8
		least, most int
	}{
		{0, 1, 1, 1}, {0, 250, 250, 250}, {1, 1, 1, 2}, {1, 100, 99, 102}, {10, 10, 9, 12}, {10, 11, 10, 13},
		{50, 1, 1, 2}, {50, 2, 1, 4}, {50, 3, 2, 6}, {50, 125, 83, 250},
	} {
		sys := drifting(t, tt.drift, tt.ticks)
		for state := range sys.Initial {
			var at []int // when the timer can expire
			for now := 0; ; now++ {
				list := enabled(sys, state)
				for _, what := range list {
					if what == "timeout 1" {
						at = append(at, now)
					}
				}
				if list[len(list)-1] != "tick ⊥" {
					break
				}
				timer := sys.Snapshot(state).Processes[0].Timers[0]
				assert.Equal(t, tt.most-now, timer.Ticks)
				state = do(t, sys, state, "tick ⊥")
			}
			require.NotEmpty(t, at)
			assert.Equal(t, []int{tt.least, tt.most, tt.most - tt.least + 1}, []int{at[0], at[len(at)-1], len(at)}, "%+v", tt)
		}
	}
}

// A timer that could take longer than a state can hold is a misuse.
func TestDriftOfLongTimers(t *testing.T) {
	s, err := setting.Parse("n=2 drift=50 initiators=none")
	require.NoError(t, err)
	_, err = model.New(once{ticks: 126}, s)
	assert.ErrorContains(t, err, "timer of 126 ticks: 1 to 125 are right")
}

// once has process 1 set a timer as it comes up.
type once struct {
	hasty
	ticks uint8
}

func (o once) Init(_ *beatState, net *model.Net[beat], _ model.Boot) {
	if net.Self() == 1 {
		net.SetTimer(0, int(o.ticks))
	}
}

func (once) Timeout(*beatState, *model.Net[beat], model.Timer) {}

func drifting(t *testing.T, drift int, ticks uint8) *model.System {
	t.Helper()
	s, err := setting.Parse(fmt.Sprintf("n=2 initiators=none drift=%d", drift))
	require.NoError(t, err)
	sys, err := model.New(once{ticks: ticks}, s)
	require.NoError(t, err)
	return sys
}
