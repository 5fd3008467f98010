package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/model"
)

// A drummer leads when its periodic timer has expired, and then tells P2 twice.
type (
	drummer struct{ model.Passive[drum, beat] }
	drum    struct{ Led bool }
	beat    struct{ N uint8 }
)

func (m beat) Kind() model.Kind { return 0 }
func (m beat) String() string   { return [...]string{"one", "two"}[m.N] }

func (drummer) Init(_ *drum, net *model.Net[beat], _ model.Boot) {
	if net.Self() == 1 {
		net.SetTimer(0, 1)
	}
}

func (drummer) Timeout(p *drum, net *model.Net[beat], _ model.Timer) {
	p.Led = true
	net.SendTo(2, beat{0})
	net.SendTo(2, beat{1})
}

func (drummer) Receive(*drum, *model.Net[beat], model.Port, beat) {}
func (drummer) Belief(p *drum) (b model.Belief) {
	if p.Led {
		b.Elected = model.Me
	}
	return b
}

func (drummer) Names() model.Names {
	return model.Names{Kinds: []string{"beat"}, Timers: []model.TimerName{{Name: "drum", Periodic: true}}}
}

// A run whose next step lies beyond the bound is not over, even if a periodic timer alone
// begins that step: no run within the bound ends there, and none breaks the property.
func TestPeriodicTimersBeyondTheBound(t *testing.T) {
	led := checker.Eventually("led", "P1 leads in the end.", func(v *model.View) bool { return v.Leaders.Has(1) })
	for setting, want := range map[string]checker.Verdict{
		"n=2 timing=sync:1 start=cold detector=off initiators=none":            checker.Holds,
		"n=2 timing=sync:1 start=cold detector=off initiators=none capacity=2": checker.Holds,
		"n=2 timing=sync:1 start=cold detector=off initiators=none capacity=1": checker.Holds,
	} {
		sys, err := model.NewFrom[drum, beat](drummer{}, setting)
		require.NoError(t, err)
		r, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{led}})
		require.NoError(t, err)
		assert.Equal(t, want, r.Finding("led").Verdict, "%s: %s", setting, r.Finding("led").Why)
	}
}
