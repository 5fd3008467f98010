package cost_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/cost"
	"bullyproof/internal/test/garbage"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// Searches are most of what these tests do.
var _ = garbage.Seldom()

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file under testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(name, got, 0o666))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err, "run with -update to make it")
	assert.Equal(t, string(want), string(got))
}

func costs(t testing.TB, sys *model.System, opt cost.Options) *cost.Report {
	t.Helper()
	r, err := cost.Of(context.Background(), sys, opt)
	require.NoError(t, err)
	return r
}

func lookup(t testing.TB, r *cost.Report, m cost.Measure) *cost.Cost {
	t.Helper()
	c := r.Cost(m)
	require.NotNil(t, c, m.String())
	return c
}

// A flipper claims to be coordinator when a coin says so, and asks the coin
// again when it does not. Each flip and each claim is told to everybody.
type flipper struct {
	model.Passive[flip, toss]
	sides int
	stuck bool // after one flip that fails it waits without end
}

type flip struct {
	Elected model.ID
	Waiting bool
}

// A toss says that a flip failed, or who claims.
type toss struct{ Who model.ID }

func (f *flipper) Start(p *flip, net *model.Net[toss]) {
	p.Waiting = true
	net.SetTimer(0, 1)
}

func (f *flipper) Timeout(p *flip, net *model.Net[toss], _ model.Timer) {
	if net.Choose(f.sides) == 0 {
		p.Waiting, p.Elected = false, net.Self()
		net.Broadcast(toss{Who: net.Self()})
		return
	}
	net.SendTo(1+net.Self()%model.ID(net.N()), toss{})
	if !f.stuck {
		net.SetTimer(0, 1)
	}
}

func (f *flipper) Receive(p *flip, _ *model.Net[toss], _ model.Port, m toss) {
	if m.Who != 0 {
		p.Elected = m.Who
	}
}

func (f *flipper) Belief(p *flip) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Waiting}
}

func (f *flipper) Names() model.Names {
	return model.Names{Kinds: []string{"FLIP", "CLAIM"}, Timers: []model.TimerName{{Name: "coin"}}}
}

func (m toss) Kind() model.Kind { return min(model.Kind(m.Who), 1) }

func (m toss) String() string { return fmt.Sprint(m.Who) }

func newFlipper(t testing.TB, f *flipper, text string) *model.System {
	t.Helper()
	s, err := setting.Parse(text)
	require.NoError(t, err)
	sys, err := model.New(f, s)
	require.NoError(t, err)
	return sys
}

// A walker follows every run of a system, one after the other, and counts what
// is sent as traces tell it.
type walker struct {
	sys         *model.System
	measure     cost.Measure
	best, worst int
	mean        *big.Rat
}

// walk follows the runs that go on from a state, which have cost so much and
// are as likely as that.
func (w *walker) walk(state []byte, cost int, likely *big.Rat) {
	v := w.sys.View(state)
	if v.Settled {
		w.best = min(w.best, cost)
	}
	ts := w.sys.Transitions(state)
	odds, sum := make([]*big.Rat, len(ts)), new(big.Rat)
	for i := range ts {
		odds[i] = w.odds(state, &ts[i], ts)
		sum.Add(sum, odds[i])
	}
	if v.Settled || sum.Sign() == 0 {
		w.worst = max(w.worst, cost)
		w.mean.Add(w.mean, new(big.Rat).Mul(likely, big.NewRat(int64(cost), 1)))
		return
	}
	for i := range ts {
		share := odds[i].Quo(odds[i], sum)
		w.walk(ts[i].Next, cost+w.cost(v.Up, &ts[i]), share.Mul(share, likely))
	}
}

// odds returns the share of a transition: one for each message that it may be
// of, divided by the outcomes of its choices.
func (w *walker) odds(state []byte, t *model.Transition, all []model.Transition) *big.Rat {
	a := t.Action
	if !a.Kind.Owed() || a.Crash || a.Premature {
		return new(big.Rat)
	}
	times, ways := 1, 0
	if a.Kind == model.Delivers || a.Kind == model.Drops {
		times = 0
		for _, m := range w.sys.Snapshot(state).InFlight {
			if m.To == a.Process && m.Port == a.Port && m.Text == a.Message && m.Due == a.Due {
				times++
			}
		}
	}
	for i := range all { // the flippers make one choice at most
		b := all[i].Action
		b.Choices = a.Choices
		if trace.SameAction(a, b) {
			ways++
		}
	}
	return big.NewRat(int64(times), int64(ways))
}

// cost counts what a transition sends.
func (w *walker) cost(up model.Set, t *model.Transition) int {
	if w.measure.Unit == cost.Ticks {
		if t.Action.Kind == model.Ticks {
			return 1
		}
		return 0
	}
	type operation struct {
		kind      string
		broadcast int
	}
	seen := make(map[operation]bool)
	n := 0
	for _, m := range t.Sent {
		op := operation{m.Kind, m.Broadcast}
		if w.measure.Kind != "" && m.Kind != w.measure.Kind || w.measure.Live && !up.Has(m.To) {
			continue
		}
		if w.measure.Unit == cost.Operations && m.Broadcast != 0 && seen[op] {
			continue
		}
		seen[op] = true
		n++
	}
	return n
}

// Costs are those of all runs of a system, each one walked.
func TestCostsAreThoseOfAllRuns(t *testing.T) {
	systems := map[string]*model.System{
		"claims": upstart.System(&upstart.Protocol{}, setting.Must("n=3 start=coordinator-down")),
		"polite, patient": upstart.System(&upstart.Protocol{Polite: true, Patient: true},
			setting.Must("n=3 start=coordinator-down")),
		"one more crash": upstart.System(&upstart.Protocol{}, setting.Must("n=3 start=coordinator-down crashes=1 mid-send=yes")),
		"last resort": upstart.System(&upstart.Protocol{Patient: true},
			setting.Must("n=3 start=coordinator-down timing=last-resort")),
		"cold, eager":    upstart.System(&upstart.Protocol{Polite: true}, setting.Must("n=3 timing=lockstep")),
		"a loss":         upstart.System(&upstart.Protocol{Polite: true}, setting.Must("n=2 losses=1")),
		"a flip fails":   newFlipper(t, &flipper{sides: 3, stuck: true}, "n=2 initiators=1,2"),
		"doubled, async": newFlipper(t, &flipper{sides: 2, stuck: true}, "n=2 initiators=all:lazy duplications=1 timing=patient"),
	}
	for name, sys := range systems {
		t.Run(name, func(t *testing.T) {
			r := costs(t, sys, cost.Options{})
			require.Empty(t, r.Why)
			var initial [][]byte
			sys.Initial(func(state []byte) bool {
				initial = append(initial, slices.Clone(state))
				return true
			})
			labels, err := sys.Labelled()
			require.NoError(t, err)
			require.Equal(t, len(initial), r.Starts)
			for _, c := range r.Costs {
				w := &walker{sys: sys, measure: c.Measure, best: math.MaxInt, mean: new(big.Rat)}
				for _, state := range initial {
					w.walk(state, startCost(labels, state, c.Measure, sys.Names().Kinds), big.NewRat(1, int64(len(initial))))
				}
				assert.Equal(t, w.best, c.Best, c.Measure)
				assert.Equal(t, w.worst, c.Worst, c.Measure)
				mean, _ := w.mean.Float64()
				assert.InDelta(t, mean, c.Uniform, 1e-12, c.Measure)
				assert.Zero(t, c.Residual)
				for _, extreme := range []cost.Case{cost.BestCase, cost.WorstCase} {
					run, err := r.Run(c.Measure, extreme)
					require.NoError(t, err)
					want := c.Best
					if extreme == cost.WorstCase {
						want = c.Worst
					}
					assert.Equal(t, want, run.Cost(c.Measure), "%v %v", extreme, c.Measure)
				}
			}
		})
	}
}

// startCost returns what was sent on the way to an initial state. All receivers
// are up there.
func startCost(l *model.Labels, state []byte, m cost.Measure, kinds []string) (n int) {
	err := l.Lots(func(lot model.Lot) bool {
		if string(lot.State) != string(state) {
			return true
		}
		for _, s := range lot.Sent {
			switch {
			case m.Kind != "" && m.Kind != kinds[s.Kind], m.Unit == cost.Ticks:
			case m.Unit == cost.Operations:
				n += s.Operations
			default:
				n += s.Messages
			}
		}
		return false
	})
	if err != nil {
		panic(err)
	}
	return n
}

// A coin that is flipped until it shows heads: no number of flips is enough at
// worst, and 2 are enough on average.
func TestCostsWithoutLimit(t *testing.T) {
	sys := newFlipper(t, &flipper{sides: 2}, "n=3 initiators=1 timing=last-resort")
	r := costs(t, sys, cost.Options{Algorithm: "flips"})
	require.Empty(t, r.Why)
	assert.True(t, r.Endless)
	assert.Zero(t, r.Stuck)
	c := lookup(t, r, cost.Measure{})
	assert.True(t, c.Unbounded)
	assert.Equal(t, 2, c.Best)
	assert.Nil(t, c.MeanWorst)
	assert.InDelta(t, 3, c.Uniform, 1e-9, "one flip that fails on average, then a claim to two")
	assert.Less(t, c.Residual, 1e-9)
	assert.InDelta(t, 2, lookup(t, r, cost.Measure{Unit: cost.Operations}).Uniform, 1e-9)
	assert.Equal(t, 2, lookup(t, r, cost.Measure{Kind: "CLAIM"}).Worst, "claims come once")

	run, err := r.Run(cost.Measure{}, cost.WorstCase)
	require.NoError(t, err)
	assert.Positive(t, run.Trace.Lasso)
	first := run.Run.States[run.Trace.Lasso-1]
	assert.Equal(t, first, run.Run.States[len(run.Run.States)-1], "the cycle closes")
	endless, err := r.EndlessRun()
	require.NoError(t, err)
	assert.Equal(t, run.Trace.Lasso, endless.Trace.Lasso)
	best, err := r.Run(cost.Measure{}, cost.BestCase)
	require.NoError(t, err)
	assert.Equal(t, 2, best.Cost(cost.Measure{}))
	_, err = r.StuckRun()
	assert.Error(t, err)

	// A coin with one side that is always wrong: no end, but at a cost.
	sys = newFlipper(t, &flipper{sides: 2, stuck: true}, "n=2 initiators=1 timing=last-resort")
	r = costs(t, sys, cost.Options{})
	assert.Equal(t, 1, r.Stuck)
	stuck, err := r.StuckRun()
	require.NoError(t, err)
	assert.Equal(t, 1, stuck.Cost(cost.Measure{Kind: "FLIP"}))
	assert.Equal(t, 1, lookup(t, r, cost.Measure{}).Best)
}

// Counting may begin anywhere: with the crash of the coordinator it is what
// begins with the crash behind it.
func TestCostsFromAStep(t *testing.T) {
	u := &upstart.Protocol{Polite: true, Patient: true}
	after := costs(t, upstart.System(u, setting.Must("n=3 start=coordinator-down")), cost.Options{})
	before := costs(t, upstart.System(u, setting.Must("n=3 start=settled crashes=1")), cost.Options{
		From: func(v *model.View) bool { return !v.Up.Has(3) },
	})
	require.Empty(t, before.Why)
	assert.True(t, before.Triggered)
	assert.Equal(t, 1, before.Starts)
	require.Len(t, before.Costs, len(after.Costs))
	for i := range after.Costs {
		assert.Equal(t, after.Costs[i], before.Costs[i])
	}
	run, err := before.Run(cost.Measure{}, cost.WorstCase)
	require.NoError(t, err)
	assert.Zero(t, run.Before)
	assert.Equal(t, model.Crashes, run.Trace.Steps[0].Action.Kind)
	assert.Equal(t, lookup(t, after, cost.Measure{}).Worst, run.Cost(cost.Measure{}))

	r := costs(t, upstart.System(u, upstart.Settled(3)), cost.Options{From: func(v *model.View) bool { return false }})
	assert.Equal(t, "no run gets to where counting begins", r.Why)
	assert.Empty(t, r.Costs)
}

// Counting may end anywhere: where it ends with what is true at once it costs
// nothing, and where that is what settled means, what it costs otherwise.
func TestCostsUntilAState(t *testing.T) {
	sys := upstart.System(&upstart.Protocol{Polite: true, Patient: true}, setting.Must("n=3 start=coordinator-down"))
	usual := costs(t, sys, cost.Options{})
	same := costs(t, sys, cost.Options{Until: func(v *model.View) bool { return v.Settled }})
	assert.Equal(t, usual.Costs, same.Costs)
	led := costs(t, sys, cost.Options{Until: func(v *model.View) bool { return !v.Leaders.Empty() }})
	assert.Less(t, lookup(t, led, cost.Measure{}).Worst, lookup(t, usual, cost.Measure{}).Worst)
	for _, c := range costs(t, sys, cost.Options{Until: func(v *model.View) bool { return true }}).Costs {
		assert.Zero(t, c.Worst, "%v", c.Measure)
	}
}

// A system of which not all was seen has no costs. Where no election begins
// none costs nothing.
func TestCostsOfNoElection(t *testing.T) {
	r, err := cost.Of(t.Context(), newFlipper(t, &flipper{sides: 2}, "n=3 initiators=none"), cost.Options{})
	require.NoError(t, err)
	assert.Contains(t, r.Headline(), "there is no election: every initial state is settled")
	r, err = cost.Of(t.Context(), newFlipper(t, &flipper{sides: 1}, "n=3 initiators=one"), cost.Options{})
	require.NoError(t, err)
	assert.NotContains(t, r.Headline(), "no election")
}

func TestCostsAreIncomplete(t *testing.T) {
	sys := upstart.System(&upstart.Protocol{}, setting.Must("n=3 start=coordinator-down"))
	r := costs(t, sys, cost.Options{MaxStates: 3})
	assert.Contains(t, r.Why, "limit of 3 states")
	assert.Nil(t, r.Cost(cost.Measure{}))
	_, err := r.Run(cost.Measure{}, cost.BestCase)
	assert.Error(t, err)
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text, render.TextOptions{Width: 200}))
	assert.Contains(t, text.String(), "INCOMPLETE: what protocol costs is not known: the search ended at the limit of 3 states.")

	r = costs(t, upstart.System(&upstart.Protocol{Wild: true}, setting.Must("n=3 start=coordinator-down")), cost.Options{})
	assert.Contains(t, r.Why, "misuse")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err = cost.Of(ctx, sys, cost.Options{})
	require.NoError(t, err)
	assert.NotEmpty(t, r.Why)

	_, err = cost.Of(context.Background(), upstart.System(&upstart.Protocol{}, setting.Must("n=17")), cost.Options{})
	assert.ErrorContains(t, err, "n=17")
}

// The costs and the runs do not depend on the number of workers.
func TestCostsAreTheSameForAnyWorkers(t *testing.T) {
	sys := upstart.System(&upstart.Protocol{Polite: true}, setting.Must("n=4 start=coordinator-down"))
	var want []byte
	for _, workers := range []int{1, 2, 5} {
		r := costs(t, sys, cost.Options{Workers: workers})
		run, err := r.Run(cost.Measure{}, cost.WorstCase)
		require.NoError(t, err)
		got, err := run.Trace.Encode()
		require.NoError(t, err)
		data, err := json.Marshal(r.Costs)
		require.NoError(t, err)
		if got = append(got, data...); want == nil {
			want = got
		}
		assert.Equal(t, string(want), string(got))
	}
}

func TestCostsAsTextAndJSON(t *testing.T) {
	in := func(s setting.Setting) (*model.System, error) { return model.New(&upstart.Protocol{Polite: true}, s) }
	figures := []cost.Figure{
		{
			Name: "at worst", Formula: "2N", Source: "nowhere", Case: cost.WorstCase, Note: "Nobody has counted.",
			Value: func(n int, _ model.ID) (int, bool) { return 2 * n, true },
		},
		{
			Name: "turnaround", Formula: "1", Source: "nowhere", Measure: cost.Measure{Unit: cost.Ticks},
			Value: func(int, model.ID) (int, bool) { return 1, true },
		},
		{
			Name: "of one", Formula: "N", Source: "nowhere",
			Value: func(n int, p model.ID) (int, bool) { return n, p != model.None },
		},
	}
	r, err := cost.OfElection(context.Background(), in, setting.Must("n=3 start=coordinator-down"), figures,
		cost.Options{Algorithm: "upstart"})
	require.NoError(t, err)
	r.Duration, r.Lockstep.Duration = 0, 0
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text, render.TextOptions{}))
	golden(t, "costs.txt", text.Bytes())
	data, err := json.MarshalIndent(r, "", "  ")
	require.NoError(t, err)
	golden(t, "costs.json", append(data, '\n'))
}
