package checker_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/thorough"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace/render"
)

func reducedSystems(t *testing.T) map[string]*model.System {
	t.Helper()
	systems := map[string]*model.System{}
	for name, p := range map[string]*upstart.Protocol{
		"plain": {}, "polite": {Polite: true}, "wild": {Wild: true}, "modest": {Modest: true}, "patient": {Patient: true},
	} {
		for _, timing := range []string{"lockstep", "sync:1", "async:0"} {
			if timing != "lockstep" && name != "plain" && !*deep {
				continue
			}
			sys, err := model.NewFrom(p, "n=3 crashes=1 restarts=1 timing="+timing)
			require.NoError(t, err)
			systems[name+" "+timing] = sys
		}
	}
	return systems
}

// TestReduceDecidesAlike holds the verdicts of reduced systems, and their shortest
// runs, against those of systems as they are.
func TestReduceDecidesAlike(t *testing.T) {
	byEnds := 0
	for name, sys := range reducedSystems(t) {
		t.Run(name, func(t *testing.T) {
			asked := [][]*checker.Property{checker.Election(), {checker.Agreement}}
			if strings.HasSuffix(name, "lockstep") {
				asked = append(asked, checker.Standard())
			}
			for _, props := range asked {
				want := check(t, sys, checker.Options{Properties: props, Exhaustive: true})
				got := check(t, sys, checker.Options{Properties: props, Exhaustive: true, Reduce: checker.ReduceAuto})
				require.Len(t, got.Findings, len(want.Findings))
				for i := range want.Findings {
					w, g := &want.Findings[i], &got.Findings[i]
					assert.Equal(t, w.Property.Name, g.Property.Name)
					if w.Verdict == checker.Incomplete && g.Verdict == checker.Violated {
						continue // a run that is over is one, whatever misuse leads to elsewhere
					}
					assert.Equal(t, w.Verdict, g.Verdict, w.Property.Name)
					assert.Equal(t, w.Why, g.Why, w.Property.Name)
					if w.Property.Temporal() {
						continue // the search is another one, and of equal runs it may show another
					}
					assert.Equal(t, w.Trace, g.Trace, w.Property.Name)
					assert.Equal(t, w.Shortest, g.Shortest, w.Property.Name)
				}
				require.NotNil(t, got.Reduction)
				if strings.HasSuffix(name, "async:0") {
					assert.Equal(t, model.PersistentSets|model.DeadMessages, got.Reduction.Made)
				}
				assert.Empty(t, got.Reduction.Refused)
				assert.True(t, got.Reduction.Complete)
				assert.LessOrEqual(t, got.Reduction.Distinct, want.Distinct)
				assert.Equal(t, len(got.Reduction.Properties) == len(props), got.Reduction.Alone)
				if len(props) > len(checker.Election()) {
					byEnds += len(got.Reduction.Properties) - len(checker.Election())
				}
			}
		})
	}
	assert.Greater(t, byEnds, 10, "properties of whole runs are decided where runs are over")
}

func TestReduceSaysWhatItIs(t *testing.T) {
	sys := reducedSystems(t)["patient lockstep"]
	text := func(props ...*checker.Property) string {
		var b strings.Builder
		r := check(t, sys, checker.Options{Properties: props, Reduce: checker.ReduceAuto, Exhaustive: true})
		require.NoError(t, r.WriteText(&b, render.TextOptions{Width: 1000}))
		data, err := json.Marshal(r)
		require.NoError(t, err)
		assert.Contains(t, string(data), `"reduction":{`)
		return b.String()
	}
	assert.Contains(t, text(checker.Agreement), "Reduced (persistent, dead, ticks): agreement, decided on ")
	assert.Contains(t, text(checker.Agreement), "may run in others")
	assert.Contains(t, text(checker.Validity), " states (reduced).")
	assert.NotContains(t, text(checker.Agreement, checker.E1), " states (reduced)")
	assert.Contains(t, text(checker.Agreement, checker.E1), ", a factor of ", "how many there are without")
	assert.Contains(t, text(checker.E1), "Not reduced: who is named on the way to the end of an election counts, and a reduction leaves such states out.")
	assert.Contains(t, text(checker.E2), "Reduced (persistent, dead, ticks): e2, decided on ")
	plain := check(t, sys, checker.Options{Properties: []*checker.Property{checker.Agreement}})
	assert.Nil(t, plain.Reduction)
	data, err := json.Marshal(plain)
	require.NoError(t, err)
	assert.NotContains(t, string(data), `"reduction"`)
}

// TestReduceTakesAPropertyAtItsWord: only what says what it reads is decided on
// a reduced system, and another occasion is another reading.
func TestReduceTakesAPropertyAtItsWord(t *testing.T) {
	own := checker.Always("own", "", func(v *model.View) bool { return v.Leaders.Len() <= 3 })
	sys := reducedSystems(t)["patient lockstep"]
	decided := func(p *checker.Property) []string {
		return check(t, sys, checker.Options{Properties: []*checker.Property{checker.Agreement, p}, Reduce: checker.ReduceAuto}).Reduction.Properties
	}
	assert.Equal(t, []string{"agreement"}, decided(own))
	assert.Equal(t, []string{"agreement", "own"}, decided(own.Reading(model.ReadsLeaders)))
	later := own.Reading(model.ReadsLeaders).Given("nothing", func(v *model.View) bool { return v.InFlight() > 0 })
	assert.Equal(t, []string{"agreement"}, decided(later))
}

// TestReduceByRotations: blind properties of an anonymous ring are decided on orbits,
// where processes name nobody but themselves.
func TestReduceByRotations(t *testing.T) {
	for name, whom := range map[string]anyprotocol.Elect{"itself": anyprotocol.Itself, "another": anyprotocol.First + 1} {
		table := &anyprotocol.Table{Classes: 1, Topology: setting.Ring, Anonymous: true, Faces: []anyprotocol.Face{
			{Trigger: anyprotocol.Start, Mode: -1, Elect: whom},
		}}
		sys, err := model.NewFrom(table.Protocol(), "n=3 start=cold initiators=all:lazy topology=ring:anonymous timing=patient")
		require.NoError(t, err)
		for _, p := range []*checker.Property{checker.Uniqueness, checker.Extreme} {
			want := check(t, sys, checker.Options{Properties: []*checker.Property{p}})
			got := check(t, sys, checker.Options{Properties: []*checker.Property{p}, Reduce: checker.ReduceAuto})
			assert.Equal(t, want.Findings[0].Verdict, got.Findings[0].Verdict, "%s, %s", name, p.Name)
			assert.Equal(t, want.Findings[0].Trace, got.Findings[0].Trace, "%s, %s", name, p.Name)
			turned := got.Reduction.Made&model.Rotations != 0
			assert.Equal(t, name == "itself" && p == checker.Uniqueness, turned, "%s, %s", name, p.Name)
		}
	}
}

func TestReduceWithinLimits(t *testing.T) {
	sys := reducedSystems(t)["plain sync:1"]
	r := check(t, sys, checker.Options{Properties: checker.Election(), Reduce: checker.ReduceAuto, MaxStates: 5})
	assert.False(t, r.Reduction.Complete)
	assert.NotEqual(t, checker.Holds, r.Verdict())
	assert.Equal(t, "auto", checker.ReduceAuto.String())
	assert.Equal(t, "none", model.Reductions(0).String())
}

// TestReduceBeyond has searches go on with the reduced system where there are more
// states than so many, and many times fewer of the reduced system: the verdicts and
// runs are those of the system as it is.
func TestReduceBeyond(t *testing.T) {
	thorough.Only(t)
	beyond := func(o checker.Options) checker.Options {
		o.Reduce, o.ReduceBeyond = checker.ReduceAuto, 300
		return o
	}
	for setting, pays := range map[string]bool{
		"n=4 start=cold timing=lockstep":             true,
		"n=4 start=coordinator-down timing=lockstep": false,
		"n=3 crashes=1 restarts=1 timing=lockstep":   true,
		"n=2 start=coordinator-down timing=lockstep": false, // it has 25 states
	} {
		sys, err := model.NewFrom(&upstart.Protocol{}, setting)
		require.NoError(t, err)
		made := false
		for _, p := range checker.Election() {
			opt := checker.Options{Properties: []*checker.Property{p}}
			want, got := check(t, sys, opt), check(t, sys, beyond(opt))
			assert.Equal(t, want.Findings[0].Verdict, got.Findings[0].Verdict, "%s, %s", setting, p.Name)
			assert.Equal(t, want.Findings[0].Trace, got.Findings[0].Trace, "%s, %s", setting, p.Name)
			if got.Reduction == nil || got.Reduction.Refused != "" {
				assert.Equal(t, want.Distinct, got.Distinct, "%s, %s", setting, p.Name)
				continue
			}
			made = true
			assert.Greater(t, want.Distinct, uint64(300))
			assert.EqualValues(t, 300, got.Reduction.Beyond)
			assert.True(t, got.Reduction.Alone)
		}
		assert.Equal(t, pays, made, setting)
	}

	sys := reducedSystems(t)["plain sync:1"]
	for why, opt := range map[string]checker.Options{
		"Exhaustive (--exhaustive)":    {Properties: checker.Election(), Exhaustive: true},
		"Exact (--exact)":              {Properties: checker.Election(), Exact: true},
		"MaxDepth (--max-depth)":       {Properties: checker.Election(), MaxDepth: 1000},
		"(--order dfs)":                {Properties: checker.Election(), Order: explore.DepthFirst},
		"ended before it turned":       {Properties: checker.Election(), MaxStates: 50},
		"(--disk) does not turn":       {Properties: checker.Election(), Disk: explore.Disk{Dir: t.TempDir()}},
		"--reduce auto begins with":    {Properties: checker.Election(), MaxStates: 50},
		"a search that may go to Disk": {Properties: checker.Election(), Disk: explore.Disk{Dir: t.TempDir()}},
	} {
		t.Run(why, func(t *testing.T) {
			got := check(t, sys, beyond(opt))
			require.NotNil(t, got.Reduction)
			assert.Contains(t, got.Reduction.Refused, why)
			assert.Equal(t, check(t, sys, opt).Distinct, got.Distinct)
		})
	}
	for why, p := range map[string]*checker.Property{
		"the reduced system (persistent, least-due, postpone, dead) has more than a quarter of the states to depth 3; --reduce auto takes it whatever it has": checker.E2,
		"what it reads of states is not said (Property.Reading)": checker.Always("own", "", func(*model.View) bool { return true }),
	} {
		opt := checker.Options{Properties: []*checker.Property{p}}
		got := check(t, sys, beyond(opt))
		assert.Equal(t, &checker.Reduction{Refused: why, Left: []checker.Unreduced{{Properties: []string{p.Name}, Why: why}}}, got.Reduction)
		assert.Equal(t, check(t, sys, opt).Distinct, got.Distinct, "the search goes on")
	}
}

// TestReduceIsSuggested where it would decide what a search has left open.
func TestReduceIsSuggested(t *testing.T) {
	sys := reducedSystems(t)["plain sync:1"]
	ask := func(opt checker.Options) string {
		opt.Properties, opt.MaxStates = []*checker.Property{checker.Agreement, checker.E2}, 50
		return check(t, sys, opt).Remedy()
	}
	assert.Contains(t, ask(checker.Options{Reduce: checker.ReduceAuto, ReduceBeyond: 60}), "decide what is open on fewer states (--reduce auto), or raise")
	assert.NotContains(t, ask(checker.Options{}), "--reduce")
	assert.NotContains(t, ask(checker.Options{Reduce: checker.ReduceAuto, ReduceBeyond: 60, Order: explore.DepthFirst}), "--reduce")
}

// TestReducedKnowsNoDepth: what a reduced search has not seen may take fewer steps
// than what it has.
func TestReducedKnowsNoDepth(t *testing.T) {
	r := check(t, reducedSystems(t)["plain sync:1"], checker.Options{Properties: checker.Election(), Reduce: checker.ReduceAuto, MaxStates: 100})
	assert.Equal(t, -1, r.CompleteDepth)
	var b strings.Builder
	require.NoError(t, r.WriteText(&b, render.TextOptions{Width: 1000}))
	assert.Contains(t, b.String(), "undecided")
	assert.NotContains(t, b.String(), "no run of up to")
}

// TestReduceSharesTheTime: a limit of time is for both searches, and the counts are of one
// that had its share. On a busy machine a share may be too short for a state, and so the
// limit grows.
func TestReduceSharesTheTime(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{}, "n=6 crashes=2 restarts=2 timing=sync:2")
	require.NoError(t, err)
	var r *checker.Report
	for limit := 400 * time.Millisecond; limit < time.Minute; limit *= 4 {
		r = check(t, sys, checker.Options{Properties: []*checker.Property{checker.Validity, checker.E1, checker.StableLeadership}, Reduce: checker.ReduceAuto, MaxTime: limit})
		require.Equal(t, explore.TimeLimit, r.Reason)
		if r.Distinct > 100 && !strings.Contains(r.Why, "µs") {
			break
		}
	}
	assert.Greater(t, r.Distinct, uint64(100), "the second search had time, too")
	assert.Positive(t, r.Reduction.Distinct)
	assert.NotContains(t, r.Why, "µs")
}
