package algorithms_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/itairodeh"
	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// An entry is a variant or a mutant of the catalogue.
type entry struct {
	name    string
	setting setting.Setting
	in      func(setting.Setting) (*model.System, error)
}

func allEntries() (all []entry) {
	for _, a := range algorithms.All {
		all = append(all, entriesOf(a)...)
	}
	return all
}

func entriesOf(a *ledger.Algorithm) (all []entry) {
	for _, v := range a.Variants {
		all = append(all, entry{a.Name + "/" + v.Name, v.Setting, v.In})
	}
	for _, m := range a.Mutants {
		all = append(all, entry{a.Name + "/" + m.Name, m.Setting, m.In})
	}
	return all
}

// Outcomes are what a search finds that a reduction must preserve: for each set of
// leaders, each process that names another, both with who is up, and each settled
// state in terms of who names whom, whether there is one.
type outcomes map[string]bool

// outcomesOf searches a system, reduced or not. It returns nil where there are more
// states than the limit.
func outcomesOf(t *testing.T, sys *model.System, reduced bool, limit uint64) (outcomes, uint64, error) {
	t.Helper()
	found := outcomes{}
	var mu sync.Mutex
	w := sys.Watched(model.Watch{State: func(v *model.View) bool {
		mu.Lock()
		defer mu.Unlock()
		found[fmt.Sprintf("up %v, leaders %v", v.Up, v.Leaders)] = true
		names := fmt.Sprintf("settled: up %v, present %v", v.Up, v.Present)
		for id := model.ID(1); id <= v.N; id++ {
			found[fmt.Sprintf("up %v, %v names %v", v.Up, id, v.Elected(id))] = true
			names += fmt.Sprintf(" %v", v.Elected(id))
		}
		if v.Settled {
			found[names] = true
		}
		return false
	}})
	if reduced {
		var err error
		if w, err = w.Reduced(model.Reduction{Reads: model.ReadsLeaders | model.ReadsEachElected}); err != nil {
			return nil, 0, err
		}
	}
	result, err := explore.Search(t.Context(), w, explore.Options{Targets: w.Targets(), Workers: 1, Exhaustive: true, MaxStates: limit})
	if err != nil {
		return nil, 0, err
	}
	if !result.Complete() {
		return nil, result.Distinct, nil
	}
	_, found["misuse"] = result.Hit(1)
	return found, result.Distinct, nil
}

// TestReducedCatalogue holds every algorithm, variant and mutant, reduced, against
// itself as it is, among two processes, and in a deep run among three.
func TestReducedCatalogue(t *testing.T) {
	if testing.Short() {
		t.Skip("searches what TestConformance has run")
	}
	limit, least, sizes := uint64(300), 25, []string{"n=2 timing=sync:1", "n=2 timing=lockstep"}
	faults := []string{" crashes=1 restarts=1", " crashes=1 restarts=0"}
	if *play.Deep {
		limit, least = 4_000, 50
		sizes = append(sizes, "n=2 timing=sync:2", "n=3 timing=sync:1", "n=3 timing=lockstep", "n=3 timing=async:0")
		faults = append(faults, "", " crashes=0 restarts=0", " crashes=2 restarts=0")
	}
	var entries []entry
	for _, a := range algorithms.All {
		if casecount.Takes(t, *play.Deep, 8, a.Name) {
			entries = append(entries, entriesOf(a)...)
		}
	}
	c := compareAllReduced(t, entries, sizes, faults, limit)
	require.Greater(t, c.compared, least)
	require.Less(t, c.less, c.full)
}

// TestReducedTwoCrashes is TestReducedCatalogue for algorithms on complete graphs with
// two crashes, among four processes, and among three under longer delays.
func TestReducedTwoCrashes(t *testing.T) {
	takesMinutes(t)
	var entries []entry
	for _, a := range algorithms.All {
		if a.Name == "bully" || a.Name == "kabashi" || a.Name == "assistant" {
			entries = append(entries, entriesOf(a)...)
		}
	}
	c := compareAllReduced(t, entries,
		[]string{"n=4 timing=sync:1", "n=4 timing=lockstep", "n=3 timing=sync:2"}, []string{" crashes=2 restarts=0 joins=0"}, 60_000)
	require.Greater(t, c.compared, 100)
}

// TestReducedRestartsInLockstep is TestReducedCatalogue for algorithms on complete graphs in
// lockstep among three, with crashes and a restart left.
func TestReducedRestartsInLockstep(t *testing.T) {
	takesMinutes(t)
	entries := slices.DeleteFunc(allEntries(), func(x entry) bool { return x.setting.Topology != setting.Complete })
	c := compareAllReduced(t, entries,
		[]string{"n=3 timing=lockstep joins=0"}, []string{" crashes=1 restarts=1", " crashes=2 restarts=1"}, 20_000)
	require.Greater(t, c.compared, 50)
}

// TestReducedWithoutTicks is TestReducedCatalogue where time does not bound runs.
func TestReducedWithoutTicks(t *testing.T) {
	takesMinutes(t)
	c := compareAllReduced(t, allEntries(),
		[]string{"n=2 timing=last-resort", "n=3 timing=last-resort", "n=3 timing=async", "n=3 timing=patient", "n=3 timing=async:1"},
		[]string{"", " crashes=0 restarts=0 joins=0", " crashes=1 restarts=1"}, 5_000)
	require.Greater(t, c.compared, 100)
}

// TestReducedLosses is TestReducedCatalogue where messages may be lost, and nothing else
// happens.
func TestReducedLosses(t *testing.T) {
	takesMinutes(t)
	c := compareAllReduced(t, allEntries(),
		[]string{"n=2 timing=sync:1", "n=3 timing=sync:1", "n=3 timing=lockstep", "n=3 timing=last-resort", "n=3 timing=patient"},
		[]string{" crashes=0 restarts=0 joins=0 losses=1", " crashes=0 restarts=0 joins=0 losses=2"}, 5_000)
	require.Greater(t, c.compared, 100)
}

func takesMinutes(t *testing.T) {
	t.Helper()
	if !*play.Deep {
		t.Skip("it takes minutes: -deep")
	}
}

// A comparison says of how many entries in settings the states were counted, and how
// many there are, as they are and reduced.
type comparison struct {
	compared   int
	full, less uint64
}

// compareAllReduced compares entries in some settings with themselves reduced.
func compareAllReduced(t *testing.T, entries []entry, settings, faults []string, limit uint64) (c comparison) {
	t.Helper()
	for _, x := range entries {
		for _, in := range settings {
			for _, fault := range faults {
				before, after := compareReduced(t, x, in+fault, limit)
				if before > 0 {
					c.compared++
				}
				c.full, c.less = c.full+before, c.less+after
			}
		}
	}
	t.Logf("%d compared: %d states instead of %d", c.compared, c.less, c.full)
	return c
}

// TestRotationsOfTheCatalogue holds verdicts and runs of anonymous rings, searched by
// orbits, against those of the rings as they are.
func TestRotationsOfTheCatalogue(t *testing.T) {
	sizes := []string{"n=2", "n=3 timing=sync:1"}
	if *play.Deep {
		sizes = append(sizes, "n=3", "n=4 timing=sync:1", "n=4", "n=3 crashes=1 detector=off")
	}
	compared, violated := 0, 0
	for _, x := range entriesOf(itairodeh.Algorithm) {
		for _, size := range sizes {
			s, err := x.setting.With(size)
			require.NoError(t, err)
			sys, err := x.in(s)
			require.NoError(t, err)
			opt := checker.Options{Properties: []*checker.Property{checker.Uniqueness, itairodeh.Algorithm.Properties[0]}, MaxStates: 20_000, Workers: 1}
			want, err := checker.Check(t.Context(), sys, opt)
			require.NoError(t, err)
			opt.Reduce = model.Rotations
			got, err := checker.Check(t.Context(), sys, opt)
			require.NoError(t, err)
			if want.Reason == explore.StateLimit {
				continue
			}
			require.NotNil(t, got.Reduction)
			require.Equal(t, model.Rotations, got.Reduction.Made)
			for i := range want.Findings {
				w, g := &want.Findings[i], &got.Findings[i]
				assert.Equal(t, w.Verdict, g.Verdict, "%s in %q: %s", x.name, s, w.Property.Name)
				assert.Equal(t, w.Trace, g.Trace, "%s in %q: %s", x.name, s, w.Property.Name)
				if w.Verdict == checker.Violated {
					violated++
				}
			}
			compared++
		}
	}
	require.NotZero(t, violated)
	require.Greater(t, compared, 10)
}

// compareReduced compares an entry in a setting as it is with itself reduced, and
// returns the numbers of states: zeros where they are beyond the limit, or the
// setting is not one of the entry, or not one of a reduction.
func compareReduced(t *testing.T, x entry, change string, limit uint64) (full, less uint64) {
	t.Helper()
	s, err := x.setting.With(change)
	if err != nil {
		return 0, 0
	}
	sys, err := x.in(s)
	if err != nil {
		return 0, 0 // it needs more processes, or another timing
	}
	want, full, err := outcomesOf(t, sys, false, limit)
	if err == nil && want == nil {
		return 0, 0 // before it is reduced, which can take long where messages pile up
	}
	require.NoError(t, err, "%s in %q", x.name, s)
	got, less, err := outcomesOf(t, sys, true, limit)
	var refused *model.IrreducibleError
	if errors.As(err, &refused) {
		return 0, 0
	}
	require.NoError(t, err, "%s in %q", x.name, s)
	assert.Equal(t, want, got, "%s in %q", x.name, s)
	assert.LessOrEqual(t, less, full, "%s in %q", x.name, s)
	return full, less
}
