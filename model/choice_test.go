package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// chooser is a protocol whose processes choose as they start: by names, and one
// more time without.
type chooser struct {
	model.Passive[chosen, flip]
	choices []model.ChoiceName
	pick    model.Choice
}

type chosen struct{ Timeout, Coin uint8 }

type flip struct{}

func (flip) Kind() model.Kind { return 0 }
func (flip) String() string   { return "flip" }

func (c chooser) Start(p *chosen, net *model.Net[flip]) {
	p.Timeout = uint8(1 + net.Pick(c.pick))
	p.Coin = uint8(1 + net.Choose(2))
}
func (chooser) Receive(*chosen, *model.Net[flip], model.Port, flip) {}
func (chooser) Belief(*chosen) model.Belief                         { return model.Belief{} }
func (c chooser) Names() model.Names {
	return model.Names{Kinds: []string{"flip"}, Choices: c.choices}
}

// Beyond has a bound.
func (c chooser) Beyond(p *chosen) string {
	if p.Timeout == 3 {
		return "timeout 3"
	}
	return ""
}

var lazy = setting.Must("n=2 initiators=2:lazy")

func TestPick(t *testing.T) {
	sys, err := model.New(chooser{choices: []model.ChoiceName{{Name: "timeout", Outcomes: []string{"short", "long"}}}}, lazy)
	require.NoError(t, err)
	var outcomes [][]string
	for state := range sys.Initial {
		for _, tr := range sys.Transitions(state) {
			outcomes = append(outcomes, tr.Action.Outcomes)
		}
	}
	assert.Equal(t, [][]string{{"timeout=short", "0"}, {"timeout=short", "1"}, {"timeout=long", "0"}, {"timeout=long", "1"}}, outcomes)

	labelled, err := sys.Labelled()
	require.NoError(t, err)
	r, err := explore.Search(t.Context(), labelled, explore.Options{Graph: true, Workers: 1})
	require.NoError(t, err)
	require.True(t, r.Complete())
	var labels [][]string
	for i := range labelled.Len() {
		l := labelled.Label(uint32(i))
		assert.Equal(t, 4, l.Ways)
		labels = append(labels, l.Outcomes)
	}
	assert.Equal(t, [][]string{{"timeout=short of position 2"}, {"timeout=long of position 2"}}, labels)
}

// The choices of processes that come up are told with who made them.
func TestPickBeforeTheStart(t *testing.T) {
	sys, err := model.NewFrom(chooser{choices: []model.ChoiceName{{Name: "timeout", Outcomes: []string{"short", "long"}}}}, "n=2 initiators=2")
	require.NoError(t, err)
	var told [][]string
	sys.Origins(func(o model.Origin) bool {
		state, err := sys.Begin(o.Choices)
		require.NoError(t, err)
		assert.Equal(t, state, o.State)
		told = append(told, o.Chosen)
		return true
	})
	assert.Equal(t, [][]string{
		{"P2 chooses timeout=short", "P2 chooses 0"}, {"P2 chooses timeout=short", "P2 chooses 1"},
		{"P2 chooses timeout=long", "P2 chooses 0"}, {"P2 chooses timeout=long", "P2 chooses 1"},
	}, told)
}

// A stepper says that what it was asked for leads beyond a bound.
func TestStepperBeyond(t *testing.T) {
	sys, err := model.New(chooser{choices: []model.ChoiceName{{Name: "timeout", Outcomes: []string{"1", "2", "3"}}}}, lazy)
	require.NoError(t, err)
	stepper := sys.Stepper()
	assert.Empty(t, stepper.Beyond())
	for state := range sys.Initial {
		steps := 0
		stepper.Steps(state, model.Action{Kind: model.Starts, Process: 2}, func(model.Transition) { steps++ })
		assert.Equal(t, 4, steps)
		assert.Equal(t, "timeout 3", stepper.Beyond())
		stepper.Steps(state, model.Action{Kind: model.Starts, Process: 1}, func(model.Transition) { steps++ })
		assert.Equal(t, 4, steps)
		assert.Empty(t, stepper.Beyond())
	}
}

func TestPickAmiss(t *testing.T) {
	short := []string{"short"}
	for _, tt := range []struct {
		choices []model.ChoiceName
		err     string
	}{
		{[]model.ChoiceName{{Outcomes: short}}, "choice 0 has no name"},
		{[]model.ChoiceName{{Name: "a", Outcomes: short}, {Name: "a", Outcomes: short}}, `names two choices "a"`},
		{[]model.ChoiceName{{Name: "a"}}, `choice "a" has 0 outcomes; 1 to 255 are right`},
		{[]model.ChoiceName{{Name: "a", Outcomes: make([]string, 256)}}, `choice "a" has 256 outcomes`},
		{[]model.ChoiceName{{Name: "a", Outcomes: []string{"x", "x"}}}, `outcome 1 of choice "a" is "x"; want different texts`},
		{make([]model.ChoiceName, 256), "names 256 choices; at most 255 are right"},
	} {
		_, err := model.New(chooser{choices: tt.choices}, lazy)
		assert.ErrorContains(t, err, tt.err)
	}
	sys, err := model.New(chooser{pick: 1, choices: []model.ChoiceName{{Name: "a", Outcomes: short}}}, lazy)
	require.NoError(t, err)
	for state := range sys.Initial {
		assert.Equal(t, "choice 1: the protocol names 1 choices, numbered from 0", sys.Transitions(state)[0].Misuse)
	}
}

// A state beyond a bound is neither explored nor taken for the end.
func TestBound(t *testing.T) {
	bounded := chooser{choices: []model.ChoiceName{{Name: "timeout", Outcomes: []string{"1", "2", "3"}}}}
	sys, err := model.New(bounded, lazy)
	require.NoError(t, err)
	settled := 0
	watched := sys.Watched(model.Watch{State: func(v *model.View) bool {
		if v.Settled {
			settled++
		}
		return false
	}})
	r, err := explore.Search(t.Context(), watched, explore.Options{Workers: 1, Targets: watched.Targets()})
	require.NoError(t, err)
	assert.Equal(t, explore.CutBySystem, r.Reason)
	assert.EqualValues(t, 5, r.Distinct)
	assert.Equal(t, 4, settled)
	require.EqualValues(t, 1<<1, r.Cuts)
	assert.Equal(t, "states of processes beyond the protocol's bound were left out: timeout 3", watched.CutReason(1))

	_, err = model.New(bounded, setting.Must("n=2"))
	assert.ErrorContains(t, err, "start of process 1: its state is beyond the bound already: timeout 3")
}

// Outside of a search the driver of a node chooses.
func TestPickOfANode(t *testing.T) {
	p := chooser{choices: []model.ChoiceName{{Name: "timeout", Outcomes: []string{"1", "2", "3"}}}}
	node, err := model.NewNode(p, lazy, 2)
	require.NoError(t, err)
	node.Choose = func(k int) int { return k - 1 }
	require.NoError(t, node.Init(model.Cold))
	require.NoError(t, node.Start())
	assert.Equal(t, chosen{Timeout: 3, Coin: 2}, node.State)
}
