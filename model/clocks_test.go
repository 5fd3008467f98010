package model_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/anysetting"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/plain"
	"bullyproof/model/setting"
)

// dated is the state of a process of a random protocol that reads clocks.
type dated struct {
	Phase uint8 // 0 or 1
	Clock clock.Clock
	Held  [2]clock.Instant
}

// letter is its message: an instant, and what becomes of it.
type letter struct {
	Slot uint8
	At   clock.Instant
}

func (letter) Kind() model.Kind { return 0 }

func (m letter) String() string { return fmt.Sprintf("AT(%d, %v)", m.Slot, m.At) }

// dater is a protocol whose handlers do what is in random tables.
type dater struct {
	model.Passive[dated, letter]
	ops    [5][2][]datedOp // by trigger and phase
	oldest int
	ring   bool
}

type datedOp struct{ what, arg, slot uint8 }

func (y *dater) run(trigger int, p *dated, net *model.Net[letter], m *letter) {
	for _, op := range y.ops[trigger][p.Phase] {
		held := &p.Held[op.slot]
		switch op.what {
		case 0:
			*held = p.Clock.In(int(op.arg))
		case 1:
			if m != nil {
				*held = m.At
			}
		case 2:
			net.Send(y.to(op, net), letter{op.slot, *held})
		case 3:
			net.Send(y.to(op, net), letter{op.slot, p.Clock.Now()})
		case 4:
			net.SetTimer(model.Timer(op.slot), 1+int(op.arg))
		case 5:
			p.Phase = 0
			if p.Clock.Passed(*held) {
				p.Phase = 1
			}
		case 6:
			p.Phase = 0
			if p.Clock.Since(*held) > int(op.arg) {
				p.Phase = 1
			}
		case 7:
			*held = held.Plus(int(op.arg) - 2)
		case 8: // it does not last
			p.Clock = clock.Ahead(3)
		}
	}
}

func (y *dater) to(op datedOp, net *model.Net[letter]) model.Port {
	if y.ring {
		return model.Next
	}
	return model.Peer(model.ID((int(net.Self())+int(op.arg)%(net.N()-1))%net.N() + 1))
}

func (y *dater) Init(p *dated, net *model.Net[letter], why model.Boot) {
	y.run(min(int(why), 1), p, net, nil)
}
func (y *dater) Receive(p *dated, net *model.Net[letter], _ model.Port, m letter) {
	y.run(2, p, net, &m)
}
func (y *dater) Timeout(p *dated, net *model.Net[letter], t model.Timer) {
	y.run(3+int(t), p, net, nil)
}
func (y *dater) Request(p *dated, net *model.Net[letter], r model.Request) {
	y.run(4-int(r), p, net, nil)
}
func (y *dater) Stable(p *dated) { *p = dated{Held: [2]clock.Instant{p.Held[0]}} }

func (y *dater) Settle(p *dated, _, _ model.ID, _ model.Set) {
	*p = dated{Held: [2]clock.Instant{p.Clock.In(2)}}
}
func (y *dater) Wake(p *dated, net *model.Net[letter]) { net.SetTimer(0, 1+p.Clock.Ahead()) }
func (y *dater) Oldest() int                           { return y.oldest }
func (y *dater) Belief(p *dated) model.Belief {
	return model.Belief{Elected: model.ID(p.Phase), Participant: p.Held[0].Before(p.Held[1])}
}

func (y *dater) Names() model.Names {
	return model.Names{Kinds: []string{"AT"}, Timers: []model.TimerName{{Name: "t0"}, {Name: "t1", Periodic: true}}, Requests: []string{"look", "wait"}}
}

func drawDater(t *rapid.T, s setting.Setting) *dater {
	y := &dater{oldest: rapid.IntRange(0, 3).Draw(t, "oldest"), ring: s.Topology != setting.Complete}
	op := rapid.Custom(func(t *rapid.T) datedOp {
		return datedOp{rapid.Uint8Range(0, 8).Draw(t, "what"), rapid.Uint8Range(0, 3).Draw(t, "arg"), rapid.Uint8Range(0, 1).Draw(t, "slot")}
	})
	for i := range y.ops {
		for j := range y.ops[i] {
			y.ops[i][j] = rapid.SliceOfN(op, 0, 4).Draw(t, fmt.Sprintf("ops %d %d", i, j))
		}
	}
	return y
}

// drawDated draws a protocol that reads clocks, and a setting for it.
func drawDated(t *rapid.T) (*dater, setting.Setting) {
	s := anysetting.Draw(t, rapid.IntRange(2, 3).Draw(t, "n"))
	s.Anonymous, s.Arrangement = false, nil
	if !s.Timing.Kind.Discrete() {
		s.Timing = setting.Timing{Kind: setting.Synchronous, D: 2}
	}
	if s.Skew = rapid.IntRange(0, 2).Draw(t, "more skew"); s.Skew == 0 {
		s.ClockSteps = 0
	}
	require.NoError(t, s.Validate())
	return drawDater(t, s), s.Normal()
}

func TestDatedWorldIsAsPlain(t *testing.T) {
	saw := make(map[string]int)
	compare := func(t *rapid.T) {
		y, s := drawDated(t)
		for what, n := range comparePlain(t, y, s, 60) {
			saw[what] += n
		}
	}
	rapid.Check(t, compare)
	one := func(seed int) { rapid.Custom(func(t *rapid.T) bool { compare(t); return true }).Example(seed) }
	for seed := range casecount.Numbers(t, *deep, 40, 300) {
		one(int(seed))
	}
	all := []string{"clock", "tick", "restart", "forget", "wipe", "join", "settled"}
	unseen := func(what string) bool { return saw[what] == 0 }
	for seed := range 500 { // what is rare takes more cases
		if !slices.ContainsFunc(all, unseen) {
			break
		}
		one(1_000_000 + seed)
	}
	for _, what := range all {
		assert.Positive(t, saw[what], what)
	}
}

// forgetful says that instants are alike sooner than its protocol does.
type forgetful struct {
	*dater
	oldest int
}

func (f forgetful) Oldest() int { return f.oldest }

// TestComparisonNoticesClocks has the fast world take one thing of clocks for another one.
func TestComparisonNoticesClocks(t *testing.T) {
	for _, c := range []struct {
		name   string
		mutate func(s setting.Setting) setting.Setting
		oldest int
	}{
		{"skew", func(s setting.Setting) setting.Setting { s.Skew++; return s }, 0},
		{"steps", func(s setting.Setting) setting.Setting { s.ClockSteps++; return s }, 0},
		{"oldest", func(s setting.Setting) setting.Setting { return s }, 1},
	} {
		noticed := false
		for seed := 0; seed < 200 && !noticed; seed++ {
			noticed = rapid.Custom(func(t *rapid.T) bool {
				y, s := drawDated(t)
				if s.Skew == 0 || len(s.Ahead) > 0 {
					return false
				}
				if _, err := model.New(y, s); err != nil {
					return false
				}
				_, err := plain.Compare(otherClocks{plain.Of(y), forgetful{y, y.oldest + c.oldest}, c.mutate(s)}, s, 60)
				return err != nil
			}).Example(seed)
		}
		assert.True(t, noticed, c.name)
	}
}

// otherClocks is a protocol whose system is of another one, in another setting.
type otherClocks struct {
	plain.Protocol
	real    model.Protocol[dated, letter]
	setting setting.Setting
}

func (o otherClocks) System(setting.Setting) (*model.System, error) {
	return model.New(o.real, o.setting)
}

func TestClocksThatCannotBe(t *testing.T) {
	y := &dater{}
	for _, c := range []struct{ setting, want string }{
		{"n=2 timing=async", "clocks and instants of package clock count ticks: want timing=sync:D or timing=lockstep"},
		{"n=2 skew=1 timing=async", "setting: skew=1 with timing=async: clocks show ticks (want timing=sync:D or timing=lockstep)"},
		{"n=2 clock-steps=1", "setting: clock-steps=1 without skew: all clocks are right (add skew=1)"},
		{"n=2 clocks=1,1 skew=1", "setting: clocks=1,1 with skew=1: want numbers from 0 to 1, and one of them 0"},
		{"n=2 clocks=0,1,1 skew=1", "setting: clocks=0,1,1: 3 clocks with n=2"},
	} {
		_, err := model.NewFrom(y, c.setting)
		require.EqualError(t, err, c.want, c.setting)
	}
	_, err := model.NewFrom(&dater{oldest: 128}, "n=2")
	require.ErrorContains(t, err, "Oldest is 128 ticks; 0 to 127 are right")
	sys, err := model.NewFrom(y, "n=2")
	require.NoError(t, err)
	_, err = sys.Monitored(model.NewMonitor("when", clock.Instant{}, func(*clock.Instant, *model.Event) {}))
	require.ErrorContains(t, err, `monitor "when": clock.Instant holds the time`)
}

func TestClocksAtTheStart(t *testing.T) {
	sys, err := model.NewFrom(&dater{}, "n=2 skew=2")
	require.NoError(t, err)
	var ahead []string
	for state := range sys.Initial {
		s, _ := sys.Narrow(state)
		ahead = append(ahead, fmt.Sprint(s.Ahead))
	}
	slices.Sort(ahead)
	assert.Equal(t, []string{"[0 0]", "[0 1]", "[0 2]", "[1 0]", "[2 0]"}, ahead)
}

func TestClocksAreNotReduced(t *testing.T) {
	sys, err := model.NewFrom(&dater{}, "n=2")
	require.NoError(t, err)
	_, err = sys.Watched().Reduced(model.Reduction{})
	require.ErrorContains(t, err, "processes read clocks (model/clock)")
}
