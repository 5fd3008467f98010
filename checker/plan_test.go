package checker_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/class"
	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// plannedSystems are systems of which a reduction has something to say.
func plannedSystems(t *testing.T) map[string]*model.System {
	t.Helper()
	systems := map[string]*model.System{}
	for name, setting := range map[string]string{
		"sync": "n=2 crashes=1 restarts=1 timing=sync:1", "lockstep": "n=3 crashes=1 restarts=1 timing=lockstep",
		"async": "n=3 crashes=1 timing=async:0", "capacity": "n=3 start=cold capacity=1 timing=lockstep", "pauses": "n=3 start=cold pauses=1",
	} {
		sys, err := model.NewFrom(&upstart.Protocol{Patient: true}, setting)
		require.NoError(t, err)
		systems[name] = sys
	}
	ring := &anyprotocol.Table{Classes: 1, Topology: setting.Ring, Anonymous: true, Faces: []anyprotocol.Face{{Trigger: anyprotocol.Start, Mode: -1, Elect: anyprotocol.Itself}}}
	beating := &anyprotocol.Table{Classes: 1, Periodic: 2, Faces: []anyprotocol.Face{{Trigger: anyprotocol.Start, Mode: -1, Elect: anyprotocol.Itself}}}
	for name, of := range map[string]struct {
		table *anyprotocol.Table
		in    string
	}{
		"ring": {ring, "n=3 start=cold initiators=all:lazy topology=ring:anonymous timing=patient"}, "beating": {beating, "n=3 start=cold timing=sync:1"},
		"beating apace": {beating, "n=2 start=cold timing=async:0"},
	} {
		sys, err := model.NewFrom(of.table.Protocol(), of.in)
		require.NoError(t, err)
		systems[name] = sys
	}
	return systems
}

// past is a monitor that nobody has to read.
var past = model.NewMonitor("past", uint8(0), func(*uint8, *model.Event) {})

// asking returns properties of every kind.
func asking() map[string][]*checker.Property {
	yes := func(*model.View) bool { return true }
	step := func(*model.Event) bool { return true }
	return map[string][]*checker.Property{
		"standard": checker.Standard(), "e1": {checker.E1}, "e2": {checker.E2}, "agreement": {checker.Agreement}, "uniqueness": {checker.Uniqueness},
		"all": {
			checker.Uniqueness, checker.E1, checker.Always("own", "", yes), checker.AlwaysStep("step", "", step), checker.SometimesStep("met", "", step),
			checker.Always("asking", "", yes).Remembering(past), checker.Eventually("late", "", yes).Remembering(past),
			checker.CanAlwaysReach("reach", "", yes), checker.Always("given", "", yes).GivenStep("a step", step), checker.Termination,
			checker.ReElection.Under(checker.WeakFairness.But(liveness.Strong, class.Where("anything", func(string) bool { return true }))),
		},
	}
}

// ways are options of checks.
func ways(t *testing.T) map[string]checker.Options {
	t.Helper()
	return map[string]checker.Options{
		"none": {}, "auto": {Reduce: checker.ReduceAuto}, "large": {Reduce: checker.ReduceAuto, ReduceBeyond: 20},
		"never large": {Reduce: checker.ReduceAuto, ReduceBeyond: 1 << 40}, "dead": {Reduce: model.DeadMessages}, "rotation": {Reduce: model.Rotations},
		"exhaustive": {Reduce: checker.ReduceAuto, ReduceBeyond: 20, Exhaustive: true}, "exact": {Reduce: checker.ReduceAuto, ReduceBeyond: 20, Exact: true},
		"depth": {Reduce: checker.ReduceAuto, ReduceBeyond: 20, MaxDepth: 4}, "states": {Reduce: checker.ReduceAuto, MaxStates: 30},
		"dfs": {Reduce: checker.ReduceAuto, Order: explore.DepthFirst}, "large dfs": {Reduce: checker.ReduceAuto, ReduceBeyond: 20, Order: explore.DepthFirst},
		"disk": {Reduce: checker.ReduceAuto, Disk: explore.Disk{Dir: t.TempDir()}}, "large disk": {Reduce: checker.ReduceAuto, ReduceBeyond: 20, Disk: explore.Disk{Dir: t.TempDir()}},
		"small graph": {Reduce: checker.ReduceAuto, ReduceBeyond: 20, MaxGraphStates: 10}, "fast": {Reduce: checker.ReduceAuto, FailFast: true},
	}
}

// TestPlansAreFollowed compares reports with the plans of their checks: what was decided on
// which system, by which reductions, and what was not and why.
func TestPlansAreFollowed(t *testing.T) {
	reduced, left := 0, map[string]bool{}
	for system, sys := range plannedSystems(t) {
		for asked, props := range asking() {
			for way, opt := range ways(t) {
				at := system + ", " + asked + ", " + way
				if !casecount.Takes(t, *deep, 2, at) {
					continue
				}
				opt.Properties = slices.DeleteFunc(checker.InSetting(slices.Clone(props), sys.Setting()), func(p *checker.Property) bool {
					return p.Name == "re-election-fair" && strings.HasPrefix(system, "beating") // nothing happens there
				})
				plan, err := checker.PlanOf(sys, opt)
				require.NoError(t, err, at)
				r, err := checker.Check(context.Background(), sys, opt)
				require.NoError(t, err, at)
				follows(t, at, plan, r, opt)
				if d := r.Reduction; d != nil {
					reduced += len(d.Properties)
					for _, u := range d.Left {
						left[u.Why] = true
					}
				}
			}
		}
	}
	assert.Greater(t, reduced, 100)
	assert.Greater(t, len(left), 20, "reasons")
}

// TestMisuseAlone: where nothing is asked but that no handler does what it cannot do, a search ends with
// all states, or says that it did not.
func TestMisuseAlone(t *testing.T) {
	for system, sys := range plannedSystems(t) {
		all, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{checker.Misuse}})
		require.NoError(t, err)
		require.Equal(t, explore.Complete, all.Reason, system)
		for way, opt := range ways(t) {
			opt.Properties = []*checker.Property{checker.Misuse}
			r, err := checker.Check(t.Context(), sys, opt)
			require.NoError(t, err)
			if r.Why != "" {
				assert.Contains(t, []string{"depth", "states"}, way, system)
				continue
			}
			assert.Equal(t, all.Distinct, r.Distinct, "%s, %s", system, way)
			assert.Contains(t, r.Headline(), "misuse holds, in ", "%s, %s", system, way)
		}
	}
}

// follows asserts that a report is that of a check that follows a plan.
func follows(t *testing.T, at string, plan *checker.Plan, r *checker.Report, opt checker.Options) {
	t.Helper()
	var states, runs, plain []string // decided on reduced systems, and as the system is
	made, beyond := model.Reductions(0), uint64(0)
	var note func(list []*checker.Stage)
	note = func(list []*checker.Stage) {
		for _, s := range list {
			if s.Reductions == 0 {
				plain = slices.Concat(plain, namesOf(s.States), namesOf(s.Runs))
				beyond = max(beyond, s.Beyond)
			} else {
				states, runs = append(states, namesOf(s.States)...), append(runs, namesOf(s.Runs)...)
			}
			made |= s.Reductions
			note(s.Turns)
			for _, p := range s.Runs {
				if f := r.Finding(p.Name); s.NoGraph != "" && f.Verdict == checker.Incomplete && r.Why == "" {
					assert.Equal(t, s.NoGraph, f.Why, at)
				}
			}
		}
	}
	note(plan.Stages)
	var never []string
	why := map[string]string{}
	for _, u := range plan.Unreduced {
		never = append(never, u.Properties...)
		for _, name := range u.Properties {
			why[name] = u.Why
		}
	}
	for _, f := range r.Findings {
		if name := f.Property.Name; name != checker.Misuse.Name {
			assert.Contains(t, slices.Concat(states, runs, plain), name, at)
			assert.Equal(t, opt.Reduce == 0 || slices.Contains(slices.Concat(states, runs), name), !slices.Contains(never, name), "%s: %s is reduced or there is a reason", at, name)
		}
	}
	d := r.Reduction
	if d == nil {
		assert.True(t, opt.Reduce == 0 || opt.ReduceBeyond > 0 && r.Why == "", at)
		return
	}
	assert.Zero(t, d.Made&^made, at)
	assert.Equal(t, len(d.Properties) == 0, d.Refused != "", at)
	for _, name := range d.Properties {
		assert.Contains(t, slices.Concat(states, runs), name, at)
	}
	if d.Refused == "" {
		assert.Equal(t, beyond, d.Beyond, at)
	}
	for _, u := range d.Left {
		for _, name := range u.Properties {
			assert.NotContains(t, d.Properties, name, at)
			if slices.Contains(never, name) {
				assert.Equal(t, why[name], u.Why, at)
			}
			delete(why, name)
		}
	}
	if beyond == 0 {
		assert.Empty(t, why, "%s: the report has each reason of the plan", at)
	}
}

func namesOf(props []*checker.Property) (names []string) {
	for _, p := range props {
		names = append(names, p.Name)
	}
	return names
}

// TestPlansSayWhy: what is not reduced has a reason that names what would change it.
func TestPlansSayWhy(t *testing.T) {
	systems, ask := plannedSystems(t), asking()["all"]
	why := func(system string, opt checker.Options, props ...*checker.Property) map[string]string {
		opt.Properties, opt.Reduce = props, checker.ReduceAuto
		plan, err := checker.PlanOf(systems[system], opt)
		require.NoError(t, err)
		reasons := map[string]string{}
		for _, u := range plan.Unreduced {
			for _, name := range u.Properties {
				reasons[name] = u.Why
			}
		}
		return reasons
	}
	for name, word := range map[string]string{
		"e1": "on the way to the end of an election", "own": "(Property.Reading)", "step": "(Always, Sometimes)", "met": "(Always, Sometimes)",
		"asking": "a monitor is asked", "late": "a monitor is asked", "reach": "can be reached from each state", "given": "(GivenStep)", "re-election-fair": "(Fairness.But)",
	} {
		assert.Contains(t, why("sync", checker.Options{}, ask...)[name], word, name)
	}
	assert.Contains(t, why("beating", checker.Options{}, checker.E2)["e2"], "a timer is periodic")
	assert.Contains(t, why("beating apace", checker.Options{}, checker.Uniqueness)["uniqueness"], "timing=sync:K or timing=lockstep")
	assert.Contains(t, why("capacity", checker.Options{}, checker.Uniqueness)["uniqueness"], "capacity=1")
	assert.Contains(t, why("pauses", checker.Options{}, checker.E2)["e2"], "pauses=0")
	assert.Contains(t, why("sync", checker.Options{Order: explore.DepthFirst}, checker.E2)["e2"], "(--order dfs)")
	assert.Empty(t, why("sync", checker.Options{}, checker.Standard()...))
}

// TestPlansAreText: the text of a plan has its searches in order, and its limits.
func TestPlansAreText(t *testing.T) {
	sys := plannedSystems(t)["sync"]
	text := func(opt checker.Options) string {
		opt.Workers = 2
		plan, err := checker.PlanOf(sys, opt)
		require.NoError(t, err)
		return plan.Text(1000)
	}
	large := text(checker.Options{Reduce: checker.ReduceAuto, ReduceBeyond: 200_000})
	assert.Equal(t, `PLAN: protocol. Nothing has been searched.
  setting: n=2 channels=unordered timing=sync:1 crashes=1 restarts=1

  1. The system as it is, breadth first with 2 workers, in memory:
     in each state and step: uniqueness, settled-uniqueness, agreement, live-coordinator, validity and extreme
     on the graph of all states, at most half of the memory: e2, stable-leadership, re-election and termination
     from 200,000 states on searches 2 and 3 are made for what is open, and this one goes on with the rest
  2. The system reduced (persistent, least-due, postpone, dead), breadth first with 2 workers, in memory, if it has at most a quarter of the states to the same depth, or at it, or if no end of 1 is in sight:
     in each state and step: settled-uniqueness, agreement, live-coordinator and extreme
     where runs are over, if none goes on without end: e2, stable-leadership, re-election and termination
  3. The system reduced (persistent, least-due, postpone, dead), breadth first with 2 workers, in memory, if it has at most a quarter of the states to the same depth, or at it, or if no end of 1 is in sight:
     in each state and step: uniqueness and validity

  Limits: what the machine has left of memory. A search ends where all its properties are decided.
`, large)
	for word, opt := range map[string]checker.Options{
		"1. The system reduced (dead)":   {Reduce: model.DeadMessages},
		", for what is open then:":       {Reduce: model.DeadMessages},
		"depth first with 1 worker":      {Order: explore.DepthFirst},
		"undecided (it takes the graph":  {Order: explore.DepthFirst},
		"Not reduced: that is not asked": {},
		"Limits: 5 states in each search, runs of 3 steps, 7.0 s in all and 1 GiB of memory": {MaxStates: 5, MaxDepth: 3, MaxTime: 7 * time.Second, MaxBytes: 1 << 30},
		"(--fail-fast)":  {FailFast: true},
		"(--exhaustive)": {Exhaustive: true},
		"in memory and, where that is full, in d/plain": {Reduce: checker.ReduceAuto, Disk: explore.Disk{Dir: "d"}},
		"at most 9 states, in memory:":                  {Disk: explore.Disk{Dir: "d"}, MaxGraphStates: 9},
		"at most 9 states:":                             {MaxGraphStates: 9},
	} {
		assert.Contains(t, text(opt), word)
	}
	assert.NotContains(t, text(checker.Options{}), "reduced (")
	assert.Equal(t, 1, strings.Count(text(checker.Options{MaxTime: time.Second}), "Limits"))
	_, err := checker.PlanOf(sys, checker.Options{Properties: []*checker.Property{nil}})
	assert.ErrorContains(t, err, "a property is nil")
	_, err = checker.PlanOf(sys, checker.Options{Properties: []*checker.Property{checker.Agreement.Remembering(nil)}})
	assert.ErrorContains(t, err, "monitor 1 of its Remembering is nil")
}
