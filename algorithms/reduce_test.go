package algorithms_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/explore"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/setting"
)

// An entry is a variant or a mutant of the catalogue.
type entry struct {
	name    string
	setting setting.Setting
	in      func(setting.Setting) (*model.System, error)
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
	limit, sizes := uint64(300), []string{"n=2 timing=sync:1", "n=2 timing=lockstep"}
	faults := []string{" crashes=1 restarts=1", " crashes=1 restarts=0"}
	if *deep {
		limit = 4_000
		sizes = append(sizes, "n=2 timing=sync:2", "n=3 timing=sync:1", "n=3 timing=lockstep", "n=3 timing=async:0")
		faults = append(faults, "", " crashes=0 restarts=0", " crashes=2 restarts=0")
	}
	compared, full, less := 0, uint64(0), uint64(0)
	for i, a := range algorithms.All {
		if i%2 > 0 && !*deep {
			continue
		}
		for _, x := range entriesOf(a) {
			for _, size := range sizes {
				for _, fault := range faults {
					before, after := compareReduced(t, x, size+fault, limit)
					if before > 0 {
						compared++
					}
					full, less = full+before, less+after
				}
			}
		}
	}
	t.Logf("%d compared: %d states instead of %d", compared, less, full)
	require.Greater(t, compared, 50)
	require.Less(t, less, full)
}

// TestReducedTwoCrashes is TestReducedCatalogue for algorithms on complete graphs with
// two crashes, among four processes, and among three under longer delays.
func TestReducedTwoCrashes(t *testing.T) {
	if !*deep {
		t.Skip("it takes minutes: -deep")
	}
	compared := 0
	for _, a := range algorithms.All {
		if a.Name != "bully" && a.Name != "kabashi" && a.Name != "assistant" {
			continue
		}
		for _, x := range entriesOf(a) {
			for _, in := range []string{"n=4 timing=sync:1", "n=4 timing=lockstep", "n=3 timing=sync:2"} {
				if before, _ := compareReduced(t, x, in+" crashes=2 restarts=0 joins=0", 60_000); before > 0 {
					compared++
				}
			}
		}
	}
	require.Greater(t, compared, 100)
}

// TestReducedRestartsInLockstep is TestReducedCatalogue for algorithms on complete graphs in
// lockstep among three, with crashes and a restart left.
func TestReducedRestartsInLockstep(t *testing.T) {
	if !*deep {
		t.Skip("it takes minutes: -deep")
	}
	compared, full, less := 0, uint64(0), uint64(0)
	for _, a := range algorithms.All {
		for _, x := range entriesOf(a) {
			if x.setting.Topology != setting.Complete {
				continue
			}
			for _, faults := range []string{" crashes=1 restarts=1", " crashes=2 restarts=1"} {
				before, after := compareReduced(t, x, "n=3 timing=lockstep joins=0"+faults, 20_000)
				if before > 0 {
					compared++
				}
				full, less = full+before, less+after
			}
		}
	}
	t.Logf("%d compared: %d states instead of %d", compared, less, full)
	require.Greater(t, compared, 50)
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
	got, less, err := outcomesOf(t, sys, true, limit)
	var refused *model.IrreducibleError
	if errors.As(err, &refused) || err != nil && strings.Contains(err.Error(), "states have at most") {
		return 0, 0
	}
	require.NoError(t, err, "%s in %q", x.name, s)
	if got == nil {
		return 0, 0
	}
	want, full, err := outcomesOf(t, sys, false, limit)
	require.NoError(t, err, "%s in %q", x.name, s)
	if want == nil {
		return 0, 0
	}
	assert.Equal(t, want, got, "%s in %q", x.name, s)
	assert.LessOrEqual(t, less, full, "%s in %q", x.name, s)
	return full, less
}
