package chance_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/chance"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// One order of events, and one state of several in which processes have changed places, have the
// answers of all of them, in random protocols on FIFO rings and in lockstep.
func TestOneOrderHasTheAnswersOfAll(t *testing.T) {
	leads := func(v *model.View) bool { return !v.Leaders.Empty() }
	compared, fewer := 0, 0
	var orbits [2]int // on rings, and on complete graphs
	compare := func(name string, sys *model.System, opt chance.Options) {
		t.Helper()
		opt.MaxStates, opt.ExactStates = 3_000, -1
		one, err := chance.Of(t.Context(), sys, opt)
		require.NoError(t, err, name)
		opt.Exhaustive = true
		all, err := chance.Of(t.Context(), sys, opt)
		require.NoError(t, err, name)
		require.False(t, all.OneOrder || all.Orbits)
		if !one.OneOrder || one.Why != "" || all.Why != "" {
			return
		}
		compared++
		require.LessOrEqual(t, one.Distinct, all.Distinct, name)
		if one.Distinct < all.Distinct {
			fewer++
		}
		if one.Orbits {
			orbits[btoi(sys.Setting().Topology == setting.Complete)]++
		}
		alike(t, name+": reached", one.Reached, all.Reached)
		for _, c := range all.Costs {
			alike(t, name+": "+c.Unit, one.Cost(c.Unit).Range, c.Range)
		}
	}
	for seed := range casecount.Numbers(t, *chance.Deep, 120, 4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		ring := drawn(r)
		s := fmt.Sprintf("n=%d topology=%s channels=fifo timing=patient initiators=%s",
			2+r.IntN(3), oneOf(r, "ring", "ring:anonymous"), oneOf(r, "all", "all:lazy", "one:lazy"))
		sys, err := model.NewFrom(ring, s)
		require.NoError(t, err)
		opt := chance.Options{}
		if seed%4 == 0 {
			opt.Goal, opt.Blind = leads, true
		}
		compare(fmt.Sprintf("seed %d, ring: %v in %s", seed, *ring, s), sys, opt)

		ticks, err := setting.Parse(fmt.Sprintf("n=%d timing=lockstep topology=%s channels=%s initiators=%s",
			2+r.IntN(2), oneOf(r, "complete", "ring", "biring"), oneOf(r, "fifo", "unordered"), oneOf(r, "all", "all:lazy")))
		require.NoError(t, err)
		c := anyprotocol.Draw(r, ticks)
		c.Symmetric = ticks.Topology == setting.Complete && r.IntN(2) == 0
		c.Periodic = oneOf[uint8](r, 0, 0, 1, 2)
		sys, err = model.New(c.Protocol(), ticks)
		require.NoError(t, err)
		opt = chance.Options{}
		if seed%2 == 0 {
			opt.Goal, opt.Blind = leads, true
		}
		compare(fmt.Sprintf("seed %d, lockstep: %v in %v", seed, c, ticks), sys, opt)
	}
	t.Logf("%d compared, %d with fewer states, %v by orbits", compared, fewer, orbits)
	assert.Positive(t, fewer)
	assert.Positive(t, orbits[0])
	assert.Positive(t, orbits[1])
}

// A goal that names a process is none of a state that stands for others: whoever says that it is
// blind is told another number.
func TestOrbitsAreForBlindGoals(t *testing.T) {
	first := func(v *model.View) bool { return v.Leaders.Has(1) }
	sys, err := model.NewFrom(&voting{Base: 2, Window: 2, Majority: 2}, "n=3 timing=lockstep detector=off initiators=none")
	require.NoError(t, err)
	for _, blind := range []bool{false, true} {
		r, err := chance.Of(t.Context(), sys, chance.Options{Goal: first, Blind: blind})
		require.NoError(t, err)
		assert.Equal(t, blind, r.Orbits)
		assert.Equal(t, !blind, r.Reached.Least.String() == "1/8", "%v", r.Reached.Least)
	}
}

// The run that is shown is one of the system, whatever stands for what.
func TestRunsAreOfTheSystem(t *testing.T) {
	leads := func(v *model.View) bool { return !v.Leaders.Empty() }
	sys, err := model.NewFrom(&voting{Base: 2, Window: 2, Majority: 2}, "n=3 timing=lockstep detector=off initiators=none")
	require.NoError(t, err)
	r, err := chance.Of(t.Context(), sys, chance.Options{Goal: leads, Blind: true})
	require.NoError(t, err)
	require.True(t, r.Orbits)
	run, err := r.Failure(t.Context())
	require.NoError(t, err)
	assert.InDelta(t, 1.0/8, run.Odds, 1e-9, "all toss one number of two")
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// alike requires that bounds of two numbers overlap.
func alike(t testing.TB, name string, a, b chance.Range) {
	t.Helper()
	for i, of := range []struct{ a, b chance.Value }{{a.Least, b.Least}, {a.Most, b.Most}} {
		which := []string{"least", "most"}[i]
		if of.a.Infinite() || of.b.Infinite() {
			require.Equal(t, of.b.Infinite(), of.a.Infinite(), "%s, %s: %v, %v of all orders", name, which, of.a, of.b)
			continue
		}
		const slack = 1e-9
		require.True(t, of.a.Low <= of.b.High+slack && of.b.Low <= of.a.High+slack, "%s, %s: %v, %v of all orders", name, which, of.a, of.b)
	}
}

func oneOf[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// A tossing ring does by a table what comes to a process: in each mode, for each of two messages.
type tossing struct {
	model.Passive[tosser, word]
	Table  [4][2]reaction
	Epochs bool // the mode is the epoch
}

// A reaction is what a process does by a toss: the mode in which it is then, and what it sends,
// 0 for nothing.
type reaction struct {
	Of         uint8 // outcomes, 1 or 2
	Chosen     bool  // by the scheduler
	Mode, Send [2]uint8
}

type tosser struct{ Mode uint8 }

type word struct{ V uint8 }

func (m word) Kind() model.Kind { return model.Kind(m.V) }
func (m word) String() string   { return fmt.Sprint(m.V) }

// drawn draws a table.
func drawn(r *rand.Rand) *tossing {
	c := tossing{Epochs: r.IntN(4) == 0}
	for mode := range c.Table {
		for v := range c.Table[mode] {
			x := &c.Table[mode][v]
			x.Of, x.Chosen = uint8(1+r.IntN(2)), r.IntN(12) == 0
			for i := range x.Mode {
				x.Mode[i], x.Send[i] = uint8(r.IntN(4)), oneOf[uint8](r, 0, 0, 1, 1, 2)
			}
		}
	}
	return &c
}

func (*tossing) Names() model.Names { return model.Names{Kinds: []string{"left", "right"}} }

func (c *tossing) Belief(p *tosser) model.Belief {
	b := model.Belief{Participant: p.Mode == 3}
	if p.Mode == 2 {
		b.Elected = model.Me
	}
	if c.Epochs {
		b.Epoch = uint64(p.Mode)
	}
	return b
}

func (c *tossing) Start(p *tosser, net *model.Net[word]) { c.do(0, p, net) }

func (c *tossing) Receive(p *tosser, net *model.Net[word], _ model.Port, m word) { c.do(m.V, p, net) }

func (c *tossing) do(v uint8, p *tosser, net *model.Net[word]) {
	x := c.Table[p.Mode][v]
	i := 0
	if x.Chosen {
		i = net.Choose(int(x.Of))
	} else {
		i = net.Toss(int(x.Of))
	}
	p.Mode = x.Mode[i]
	if x.Send[i] > 0 {
		net.Send(model.Next, word{x.Send[i] - 1})
	}
}
