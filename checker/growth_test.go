package checker_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/thorough"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A sown protocol is a random one whose processes have an alarm each tick, at which something
// grows without end.
type sown struct {
	table *anyprotocol.Table
	what  model.Counted
}

type sownState struct {
	anyprotocol.State
	Rings uint16
}

const alarm model.Timer = 2 // behind those of the table

func (s sown) Init(p *sownState, net *model.Net[anyprotocol.Message], why model.Boot) {
	s.table.Init(&p.State, net, why)
	net.SetTimer(alarm, 1)
}

func (s sown) Start(p *sownState, net *model.Net[anyprotocol.Message]) { s.table.Start(&p.State, net) }

func (s sown) Suspect(p *sownState, net *model.Net[anyprotocol.Message], who model.ID) {
	s.table.Suspect(&p.State, net, who)
}

func (s sown) Receive(p *sownState, net *model.Net[anyprotocol.Message], from model.Port, m anyprotocol.Message) {
	s.table.Receive(&p.State, net, from, m)
}

func (s sown) Timeout(p *sownState, net *model.Net[anyprotocol.Message], t model.Timer) {
	if t != alarm {
		s.table.Timeout(&p.State, net, t)
		return
	}
	ticks := 1
	switch s.what {
	case model.CountedField:
		p.Rings++
	case model.CountedTimer:
		p.Rings++
		ticks = min(int(p.Rings), 200)
	case model.CountedLink:
		net.SendTo(model.ID(1+int(net.Self())%net.N()), anyprotocol.Message{Text: 3})
	}
	net.SetTimer(alarm, ticks)
}

func (s sown) Belief(p *sownState) model.Belief { return s.table.Belief(&p.State) }

func (s sown) Names() model.Names {
	names := s.table.Names()
	names.Timers = append(names.Timers, model.TimerName{Name: "alarm"})
	return names
}

// A field, a timer and the mail to a process that pauses grow without end, each in ten random
// protocols: they are named, and end the searches.
func TestGrowthIsNamed(t *testing.T) {
	thorough.Only(t)
	anything := checker.Always("anything", "Anything may be.", func(*model.View) bool { return true })
	for _, c := range []struct {
		what    model.Counted
		name    string
		setting string
	}{
		{model.CountedField, "Rings", "n=2 start=cold timing=sync:1"},
		{model.CountedTimer, "alarm", "n=2 start=cold timing=sync:1"},
		{model.CountedLink, "", "n=2 start=cold timing=sync:1 pauses=1 pausers=2"},
	} {
		t.Run(c.what.String(), func(t *testing.T) {
			s := setting.Must(c.setting)
			for seed := range casecount.Numbers(t, *deep, 6, 10) { // a quick test draws three
				table := anyprotocol.Draw(rand.New(rand.NewPCG(seed, 7)), s)
				table.Hops = max(table.Hops, 1)
				table.Protocol() // puts the faces in their places
				sys, err := model.New[sownState, anyprotocol.Message](sown{table, c.what}, s)
				require.NoError(t, err)
				r, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{anything}})
				require.NoError(t, err)
				named := slices.ContainsFunc(r.Growth, func(g model.Growth) bool { return g.Of == c.what && g.Name == c.name })
				assert.True(t, named, "seed %d after %d states to depth %d: %v", seed, r.Distinct, r.Depth, r.Growth)
				assert.Equal(t, explore.GivenUp, r.Reason)
				assert.Contains(t, r.Remedy(), r.Growth[0].Bound)
			}
		})
	}
}
