package model_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/upstart"
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

// A step that changes nothing is no transition of a search, and a step
// nevertheless: a system does it.
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

// A repeater counts its timeouts, to two in a search.
type repeater struct {
	model.Passive[beatState, beat]
}

func (repeater) Names() model.Names {
	return model.Names{Kinds: []string{"beat"}, Timers: []model.TimerName{{Name: "t"}}}
}

func (repeater) Init(_ *beatState, net *model.Net[beat], _ model.Boot) { net.SetTimer(0, 1) }

func (repeater) Timeout(p *beatState, net *model.Net[beat], _ model.Timer) {
	p.Times++
	net.SetTimer(0, 1)
	if net.Self() == 1 {
		net.SendTo(2, beat{})
	}
}

func (repeater) Receive(*beatState, *model.Net[beat], model.Port, beat) {}

func (repeater) Belief(*beatState) model.Belief { return model.Belief{} }

func (repeater) Beyond(p *beatState) string {
	if p.Times > 2 {
		return fmt.Sprintf("%d times", p.Times)
	}
	return ""
}

// The bound of a protocol is one of searches: whoever follows a system goes on beyond it,
// in any setting, and is told where. The same system keeps to it in a search.
func TestUnbounded(t *testing.T) {
	bounded, err := model.NewFrom(repeater{}, "n=2 timing=async")
	require.NoError(t, err)
	sys := bounded.Unbounded()
	elsewhere, err := sys.In(sys.Setting())
	require.NoError(t, err)
	for _, s := range []*model.System{sys, elsewhere} {
		var state []byte
		s.Initial(func(first []byte) bool { state = slices.Clone(first); return true })
		stepper, within := s.Stepper(), bounded.Stepper()
		for i := 1; i <= 10; i++ {
			var next []byte
			like := model.Action{Kind: model.Expires, Process: 2}
			stepper.Steps(state, like, func(tr model.Transition) {
				next = slices.Clone(tr.Next)
				require.Equal(t, i > 2, stepper.Beyond() != "", stepper.Beyond())
			})
			require.NotNil(t, next)
			found := 0
			within.Steps(state, like, func(model.Transition) { found++ })
			require.Equal(t, i > 2, found == 0)
			require.Equal(t, i > 2, within.Beyond() != "")
			require.Len(t, s.Transitions(next), 2)
			state = next
		}
		require.Empty(t, bounded.Transitions(state)[1:], "but for P1")
	}
}

// A stepper that loses freely loses any number of messages where one may be lost, and none
// where none may.
func TestLoseFreely(t *testing.T) {
	for _, losses := range []int{0, 1} {
		sys, err := model.NewFrom(repeater{}, fmt.Sprintf("n=2 timing=async channels=fifo losses=%d", losses))
		require.NoError(t, err)
		sys = sys.Unbounded()
		stepper := sys.Stepper()
		stepper.LoseFreely()
		var state []byte
		step := func(kind model.ActionKind, at model.ID) (steps int) {
			from := state
			stepper.Steps(from, model.Action{Kind: kind, Process: at}, func(tr model.Transition) {
				state, steps = slices.Clone(tr.Next), steps+1
			})
			return steps
		}
		sys.Initial(func(first []byte) bool { state = slices.Clone(first); return true })
		for range 5 {
			require.Equal(t, 1, step(model.Expires, 1))
		}
		for range 5 {
			require.Equal(t, losses, step(model.Loses, 2))
		}
		require.Len(t, sys.Snapshot(state).InFlight, 5-5*losses)
	}
}
