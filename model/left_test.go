package model_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/roles"
)

// A watchman sets a timer of three ticks, and notes what is left of it when somebody asks: what it
// was and, after it is set anew, what it is.
type (
	watchman struct {
		model.Passive[member, gavel]
	}
	watch struct {
		Left, Anew uint8
		Set, Runs  bool
	}
)

func (watchman) Init(_ *member, net *model.Net[gavel], _ model.Boot) { net.SetTimer(1, 3) }
func (watchman) Start(at *member, net *model.Net[gavel]) {
	p := &at.Saw
	left, set := net.Left(1)
	p.Left, p.Set = uint8(left), set
	_, p.Runs = net.Left(0)
	net.SetTimer(0, 2)
	left, _ = net.Left(0)
	p.Anew = uint8(left)
}
func (watchman) Receive(*member, *model.Net[gavel], model.Port, gavel) {}
func (watchman) Belief(*member) model.Belief                           { return model.Belief{} }
func (watchman) Names() model.Names {
	return model.Names{Kinds: []string{"gavel"}, Timers: []model.TimerName{{Name: "short"}, {Name: "long"}}}
}

// looked has P1 asked after some ticks, and returns what it saw, or why that is a misuse.
func looked(t *testing.T, p model.Protocol[member, gavel], setting string, ticks int) (watch, string) {
	t.Helper()
	sys, err := model.NewFrom(p, setting)
	require.NoError(t, err)
	var state []byte
	for first := range sys.Initial {
		state = slices.Clone(first)
	}
	step := func(kind model.ActionKind) (misuse string) {
		for _, tr := range sys.Transitions(state) {
			if tr.Action.Kind == kind && (kind == model.Ticks || tr.Action.Process == 1) {
				if tr.Misuse == "" {
					state = tr.Next
				}
				return tr.Misuse
			}
		}
		require.Fail(t, "it cannot happen", "%v", kind)
		return ""
	}
	if sys.Setting().Pauses > 0 {
		step(model.Pauses)
	}
	for range ticks {
		step(model.Ticks)
	}
	if sys.Setting().Pauses > 0 {
		step(model.Resumes)
	}
	if misuse := step(model.Requests); misuse != "" {
		return watch{}, misuse
	}
	return model.State[member](sys.View(state), 1).Saw, ""
}

func TestLeft(t *testing.T) {
	for _, c := range []struct {
		setting string
		ticks   int
		want    watch
	}{
		{"n=2 initiators=none requests=1", 0, watch{Left: 3, Set: true, Anew: 2}},
		{"n=2 initiators=none requests=1", 2, watch{Left: 1, Set: true, Anew: 2}},
		{"n=2 initiators=none requests=1", 3, watch{Left: 0, Set: true, Anew: 2}},
		{"n=2 initiators=none requests=1 timing=lockstep", 1, watch{Left: 2, Set: true, Anew: 2}},
		{"n=2 initiators=none requests=1 pauses=1", 3, watch{Left: 0, Set: true, Anew: 2}},
	} {
		saw, misuse := looked(t, watchman{}, c.setting, c.ticks)
		assert.Empty(t, misuse)
		assert.Equal(t, c.want, saw, "%s, %d ticks", c.setting, c.ticks)
	}
	for setting, want := range map[string]string{
		"timing=async":       "Left: timing=async has no ticks (want timing=sync:D or timing=lockstep)",
		"timing=patient":     "Left: timing=patient has no ticks (want timing=sync:D or timing=lockstep)",
		"timing=last-resort": "Left: timing=last-resort has no ticks (want timing=sync:D or timing=lockstep)",
		"drift=10":           "Left: drift=10: the clock of a process does not tell (want drift=0)",
	} {
		_, misuse := looked(t, watchman{}, "n=2 initiators=none requests=1 "+setting, 0)
		assert.Equal(t, want, misuse)
	}
}

// A role asks for its own timers, by its own numbers.
func TestLeftOfARole(t *testing.T) {
	two := roles.Two(roles.Role[member, gavel]{Protocol: watchman{}}, roles.Role[member, gavel]{Protocol: watchman{}}, model.SetOf(1))
	sys, err := model.NewFrom(two, "n=2 initiators=1")
	require.NoError(t, err)
	for state := range sys.Initial {
		assert.Equal(t, watch{Left: 3, Set: true, Anew: 2}, model.State[roles.State[member, member]](sys.View(state), 1).Other.Saw)
	}
}

// A node outside of searches has no ticks: its driver says what is left, or it is a misuse.
func TestLeftOfANode(t *testing.T) {
	sys, err := model.NewFrom(watchman{}, "n=2")
	require.NoError(t, err)
	d, err := model.NewNode(watchman{}, sys.Setting(), 1)
	require.NoError(t, err)
	require.NoError(t, d.Init(model.Cold))
	assert.EqualError(t, d.Start(), "Left: no search runs the process, and no ticks pass")
	d.Left = func(model.Timer) int { return 2 }
	require.NoError(t, d.Start())
	assert.Equal(t, uint8(2), d.State.Saw.Left)
}
