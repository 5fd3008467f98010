package shipped_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/shipped"
	"bullyproof/model"
)

// A looker sets a timer, and notes what it has left when it is asked to begin, or for a look.
type (
	looker struct {
		shipped.Passive[*looked, string]
	}
	looked struct {
		Left int
		Set  bool
	}
)

func (looker) Init(s **looked, net *shipped.Net[string], _ model.Boot) {
	*s = &looked{}
	net.SetTimer(0, 3)
}

func (looker) Start(s **looked, net *shipped.Net[string]) { (*s).Left, (*s).Set = net.Left(0) }

func (l looker) Request(s **looked, net *shipped.Net[string], _ model.Request) { l.Start(s, net) }

func (looker) Timeout(s **looked, net *shipped.Net[string], _ model.Timer) {
	(*s).Left, (*s).Set = net.Left(0)
}
func (looker) Receive(**looked, *shipped.Net[string], model.Port, string) {}
func (looker) Belief(**looked) model.Belief                               { return model.Belief{} }
func (looker) Kind(string) model.Kind                                     { return 0 }
func (looker) Text(m string) string                                       { return m }
func (looker) Names() model.Names {
	return model.Names{Kinds: []string{"none"}, Timers: []model.TimerName{{Name: "t"}}, Requests: []string{"look"}}
}

// Code as it ships can ask what a timer has left, and be asked for something; both are repeated
// with its history.
func TestMachinesLookAndAreAsked(t *testing.T) {
	p := shipped.New(looker{}, shipped.Replayed(), shipped.Audited())
	sys, err := model.NewFrom(p, "n=2 initiators=1 requests=1")
	require.NoError(t, err)
	var state []byte
	for first := range sys.Initial {
		state = append(state[:0], first...)
	}
	assert.Equal(t, looked{3, true}, **p.Of(sys.View(state), 1))
	step := func(kind model.ActionKind) {
		for _, tr := range sys.Transitions(state) {
			if tr.Action.Kind == kind && (kind == model.Ticks || tr.Action.Process == 1) {
				require.Empty(t, tr.Misuse)
				state = tr.Next
				return
			}
		}
		require.Fail(t, "it cannot happen", "%v", kind)
	}
	step(model.Ticks)
	step(model.Requests)
	assert.Equal(t, looked{2, true}, **p.Of(sys.View(state), 1))
	step(model.Ticks)
	step(model.Ticks)
	step(model.Expires)
	assert.Equal(t, looked{}, **p.Of(sys.View(state), 1))
}
