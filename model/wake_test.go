package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// beating has a coordinator whose heart also beats after an election.
type beating struct {
	model.Passive[beatState, beat]
	sends bool
}

// beatState and beat are also those of other protocols: each pair of types takes long to compile.
type beatState struct {
	Elected model.ID
	Times   uint8
}

type beat struct{}

func (beating) Receive(*beatState, *model.Net[beat], model.Port, beat) {}
func (beating) Belief(p *beatState) model.Belief                       { return model.Belief{Elected: p.Elected} }
func (beat) Kind() model.Kind                                          { return 0 }
func (beat) String() string                                            { return "beat" }

func (beating) Names() model.Names {
	return model.Names{Kinds: []string{"beat"}, Timers: []model.TimerName{{Name: "heart", Periodic: true}}}
}

func (beating) Settle(p *beatState, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }

func (b beating) Wake(p *beatState, net *model.Net[beat]) {
	if p.Elected == net.Self() {
		net.SetTimer(0, 2*net.Bound())
	}
	if b.sends {
		net.Broadcast(beat{})
	}
}

func TestWake(t *testing.T) {
	in, err := setting.Parse("n=3 start=settled timing=sync:2")
	require.NoError(t, err)
	sys, err := model.New(beating{}, in)
	require.NoError(t, err)
	sys.Initial(func(state []byte) bool {
		s := sys.Snapshot(state)
		assert.Empty(t, s.Processes[0].Timers)
		assert.Equal(t, []model.TimerSnapshot{{Name: "heart", Ticks: 4}}, s.Processes[2].Timers)
		assert.True(t, s.Settled)
		return true
	})
	_, err = model.New(beating{sends: true}, in)
	assert.ErrorContains(t, err, "settled start of process 1: Wake: it is to set timers")
}

// Properties see which processes a cut separates, after a step too.
func TestViewHasTheCut(t *testing.T) {
	in, err := setting.Parse("n=3 start=settled cuts=1 heals=1")
	require.NoError(t, err)
	sys, err := model.New(beating{}, in)
	require.NoError(t, err)
	var initial []byte
	sys.Initial(func(state []byte) bool {
		initial = state
		return false
	})
	assert.Zero(t, sys.View(initial).Side)
	sides := map[model.Set]bool{}
	for _, tr := range sys.Transitions(initial) {
		if tr.Action.Kind == model.CutsOff {
			sides[sys.View(tr.Next).Side] = true
			assert.Equal(t, tr.Action.Side, sys.View(tr.Next).Side)
		}
	}
	assert.Len(t, sides, 3)
}

// Looking at all subsets of 64 processes would never end.
func TestASystemOf64IsMadeAtOnce(t *testing.T) {
	for _, text := range []string{"n=64", "n=64 joins=2", "n=64 joins=32", "n=64 initiators=one", "n=64 initiators=any"} {
		s, err := setting.Parse(text)
		require.NoError(t, err)
		sys, err := model.New(beating{}, s)
		require.NoError(t, err, text)
		for state := range sys.Initial {
			require.NotEmpty(t, state)
			break
		}
	}
}
