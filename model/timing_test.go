package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// hasty has a process ask the others, and a timer that runs meanwhile.
type hasty struct {
	model.Passive[beatState, beat]
}

func (hasty) Init(_ *beatState, net *model.Net[beat], _ model.Boot) { net.SetTimer(0, 1) }

func (hasty) Timeout(p *beatState, net *model.Net[beat], _ model.Timer) {
	if p.Times++; p.Times < 3 {
		net.Broadcast(beat{})
		net.SetTimer(0, 1)
	}
}

func (hasty) Receive(*beatState, *model.Net[beat], model.Port, beat) {}
func (hasty) Belief(*beatState) model.Belief                         { return model.Belief{} }

func (hasty) Names() model.Names {
	return model.Names{Kinds: []string{"beat"}, Timers: []model.TimerName{{Name: "round"}}}
}

// How often a timer can come before a message that is under way depends on the
// timing alone.
func TestPremature(t *testing.T) {
	for _, tt := range []struct {
		timing string
		want   int // premature expiries of one run at most
	}{
		{"patient", 0}, {"async:0", 0}, {"async:1", 1}, {"async:2", 2}, {"async:9", 5}, {"async", 5}, {"last-resort", 0}, {"sync:1", 0},
	} {
		t.Run(tt.timing, func(t *testing.T) {
			in, err := setting.Parse("n=2 initiators=none timing=" + tt.timing)
			require.NoError(t, err)
			sys, err := model.New(hasty{}, in)
			require.NoError(t, err)
			most := 0
			met := map[string]int{} // the most premature expiries on a way to a state
			var walk func(state []byte, hasty int)
			walk = func(state []byte, hasty int) {
				if before, ok := met[string(state)]; ok && before >= hasty {
					return
				}
				met[string(state)] = hasty
				most = max(most, hasty)
				for _, tr := range sys.Transitions(state) {
					more := 0
					if tr.Action.Premature {
						more = 1
					}
					walk(tr.Next, hasty+more)
				}
			}
			sys.Initial(func(state []byte) bool {
				walk(state, 0)
				return true
			})
			assert.Equal(t, tt.want, most)
		})
	}
}
