package model_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
)

// TestRestoredRunsAreRunsOfTheSystem follows runs of reduced systems, of random
// protocols in random settings, to where nothing is owed and to the last state
// of the search in which somebody names somebody: with the deliveries put back that
// the reduction has dropped, each step is one of the system.
func TestRestoredRunsAreRunsOfTheSystem(t *testing.T) {
	followed, longer := 0, 0
	for seed := range casecount.Numbers(t, *deep, 20, 3000) {
		x := []func(uint64) suspect{calmSuspectOf, patientSuspectOf, fallingSuspectOf, lockedSuspectOf, risingSuspectOf}[seed%5](seed)
		sys := x.system(t)
		for _, goal := range []func(v *model.View) bool{
			func(v *model.View) bool { return v.Settled },
			func(v *model.View) bool { return v.Quiet },
			func(v *model.View) bool { return v.Leaders.Len() == int(v.N) },
			func(v *model.View) bool { return v.Participants == v.Up },
		} {
			w, err := sys.Watched(model.Watch{State: goal}).Reduced(model.Reduction{Reads: model.ReadsLeaders | model.ReadsParticipants})
			var why *model.IrreducibleError
			if errors.As(err, &why) {
				continue
			}
			require.NoError(t, err)
			run, path := restoredTo(t, x, sys, w, uint64(cases(200, 1000)))
			if run == nil {
				continue
			}
			v := sys.View(run[len(run)-1].State)
			assert.True(t, goal(v), "%v", x)
			followed++
			if len(run) > len(path) {
				longer++
			}
		}
	}
	t.Logf("%d runs, %d of them longer by what was dropped", followed, longer)
	require.NotZero(t, longer)
}

// restoredTo returns the run of a system to the goal that a reduced one comes to within
// so many states, and the way of the reduced one; none where it does not come to it.
func restoredTo(t *testing.T, x suspect, sys *model.System, w *model.Watched, most uint64) (run, path []explore.PathStep) {
	t.Helper()
	result, err := explore.Search(t.Context(), w, explore.Options{Targets: w.Targets(), StopWhenAll: []int{0}, MaxStates: most, Workers: 1})
	if err != nil {
		return nil, nil // its messages pile up
	}
	if _, hit := result.Hit(0); !hit {
		return nil, nil
	}
	path, err = result.Path(0)
	require.NoError(t, err, "%v", x)
	run, err = w.Restored(path)
	require.NoError(t, err, "%v", x)
	requireRun(t, sys, run)
	return run, path
}

// requireRun requires that a path is a run of a system.
func requireRun(t *testing.T, sys *model.System, path []explore.PathStep) {
	t.Helper()
	require.NoError(t, noRun(sys, path))
}

func TestRestoredTellsWhatIsNoRun(t *testing.T) {
	sys := upstarts(t, "n=2 timing=sync:1")
	plain := sys.Watched()
	var start []byte
	sys.Initial(func(state []byte) bool { start = bytes.Clone(state); return false })
	path := []explore.PathStep{{State: start}, {Code: 12345, State: start}}
	same, err := plain.Restored(path)
	require.NoError(t, err)
	assert.Equal(t, path, same, "a system that is not reduced")
	w, err := plain.Reduced(model.Reduction{})
	require.NoError(t, err)
	_, err = w.Restored(path)
	assert.ErrorContains(t, err, "step 1: the run of the reduced system is none of the system")
}
