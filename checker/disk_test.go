package checker_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/filelock"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
)

// reportOf returns what of a report does not depend on the machine.
func reportOf(t *testing.T, r *checker.Report) map[string]any {
	data, err := json.Marshal(r)
	require.NoError(t, err)
	var all map[string]any
	require.NoError(t, json.Unmarshal(data, &all))
	search := all["search"].(map[string]any)
	for _, name := range []string{"seconds", "distinct_per_second", "generated_per_second", "peak_bytes", "workers", "gave_up"} {
		delete(search, name)
	}
	return all
}

// many returns a system of 20,493 states.
func many(t *testing.T) *model.System {
	return systemOf(t, &upstart.Protocol{Patient: true}, "n=3 start=settled crashes=2 restarts=2")
}

// A check that ends at limits and is resumed reports what one does that is not:
// counts, traces, what ran and which occasions came up.
func TestResumedCheckReportsTheSame(t *testing.T) {
	sys := many(t)
	props := []*checker.Property{checker.Uniqueness, checker.Agreement, checker.LiveCoordinator, checker.Extreme}
	opt := checker.Options{Algorithm: "upstart", Properties: props, Exhaustive: true}
	want, err := checker.Check(context.Background(), sys, opt)
	require.NoError(t, err)
	require.True(t, want.Complete())

	opt.Disk.Dir = filepath.Join(t.TempDir(), "new")
	for _, limit := range []uint64{100, 3000, 10_000} {
		opt.MaxStates = limit
		r, err := checker.Check(context.Background(), sys, opt)
		require.NoError(t, err)
		require.Equal(t, explore.StateLimit, r.Reason)
		assert.Contains(t, r.Remedy(), "--resume")
		opt.Disk.Resume = true
	}
	opt.MaxStates = 0

	other := opt
	other.Properties = props[:1]
	_, err = checker.Check(context.Background(), sys, other)
	require.ErrorContains(t, err, "of another search")
	other = opt
	other.Disk.Resume = false
	_, err = checker.Check(context.Background(), sys, other)
	require.ErrorContains(t, err, "there is a checkpoint")

	got, err := checker.Check(context.Background(), sys, opt)
	require.NoError(t, err)
	assert.Equal(t, reportOf(t, want), reportOf(t, got))
	assert.False(t, opt.Disk.HasCheckpoint(), "the search is over")
	assert.Empty(t, got.Remedy())
}

// So does one of a reduced system, whose reductions are a part of what it is.
func TestResumedReducedCheckReportsTheSame(t *testing.T) {
	sys := many(t)
	step := checker.AlwaysStep("steps", "", func(*model.Event) bool { return true })
	for name, props := range map[string][]*checker.Property{
		"reduced alone":        {checker.Uniqueness, checker.Agreement, checker.LiveCoordinator, checker.Extreme},
		"and another as it is": {checker.Agreement, step},
	} {
		t.Run(name, func(t *testing.T) {
			opt := checker.Options{Algorithm: "upstart", Properties: props, Exhaustive: true, Reduce: checker.ReduceAuto}
			want, err := checker.Check(t.Context(), sys, opt)
			require.NoError(t, err)
			require.True(t, want.Complete())

			opt.Disk.Dir = filepath.Join(t.TempDir(), "new")
			for _, limit := range []uint64{100, 800} {
				opt.MaxStates = limit
				r, err := checker.Check(t.Context(), sys, opt)
				require.NoError(t, err)
				require.Equal(t, explore.StateLimit, r.Reason)
				assert.Contains(t, r.Remedy(), opt.Disk.Dir+" (Resume, --resume)")
				opt.Disk.Resume = true
			}
			opt.MaxStates = 0

			other := opt
			other.Reduce = model.PersistentSets
			_, err = checker.Check(t.Context(), sys, other)
			require.ErrorContains(t, err, "of another search")
			other = opt
			other.Disk.Resume = false
			_, err = checker.Check(t.Context(), sys, other)
			require.ErrorContains(t, err, "there is a checkpoint")

			got, err := checker.Check(t.Context(), sys, opt)
			require.NoError(t, err)
			assert.Equal(t, reportOf(t, want), reportOf(t, got))
			assert.Empty(t, got.Remedy())

			opt.Disk.Dir = t.TempDir()
			_, err = checker.Check(t.Context(), sys, opt)
			assert.ErrorContains(t, err, "there is no checkpoint")
		})
	}
}

// A directory that a search cannot go to is refused before the search, though this
// one would end in memory.
func TestDiskIsLookedAtBeforeTheSearch(t *testing.T) {
	sys := systemOf(t, &upstart.Protocol{Polite: true}, "n=3 start=settled crashes=1")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	old, part, used := t.TempDir(), t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(old, "checkpoint.json"), []byte("{}"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(part, "plain"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(part, "plain", "checkpoint.json"), []byte("{}"), 0o600))
	lock, err := filelock.Make(filepath.Join(used, "lock"))
	require.NoError(t, err)
	defer lock.Close()
	for dir, want := range map[string]string{
		file: "not a directory", old: "there is a checkpoint", part: "there is a checkpoint", used: "another search is using it",
	} {
		_, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{checker.Termination}, Disk: explore.Disk{Dir: dir}})
		assert.ErrorContains(t, err, want)
	}
}

// While a check is in memory its directory is its own: no other one takes it between
// the look and the use.
func TestDiskIsKeptFromOtherChecks(t *testing.T) {
	sys := systemOf(t, &upstart.Protocol{Polite: true}, "n=3 start=settled crashes=1")
	dir := t.TempDir()
	opt := checker.Options{Properties: []*checker.Property{checker.Termination}, Disk: explore.Disk{Dir: dir}}
	var once sync.Once
	second := func(*model.View) bool {
		once.Do(func() {
			_, err := checker.Check(t.Context(), sys, opt)
			assert.ErrorContains(t, err, "another check is using it")
		})
		return true
	}
	first := opt
	first.Properties = []*checker.Property{checker.Termination, checker.Always("second", "", second)}
	r, err := checker.Check(t.Context(), sys, first)
	require.NoError(t, err)
	require.Equal(t, explore.Complete, r.Reason)
	_, err = checker.Check(t.Context(), sys, opt)
	assert.NoError(t, err, "the directory is free again")
}

// A search with a graph is in memory alone, so its end leaves no checkpoint, and
// the report names none.
func TestNoCheckpointIsPromisedThatIsNotThere(t *testing.T) {
	sys := many(t)
	opt := checker.Options{Properties: []*checker.Property{checker.Termination}, MaxStates: 100, Disk: explore.Disk{Dir: t.TempDir()}}
	r, err := checker.Check(t.Context(), sys, opt)
	require.NoError(t, err)
	require.Equal(t, explore.StateLimit, r.Reason)
	require.False(t, opt.Disk.HasCheckpoint())
	assert.NotContains(t, r.Remedy(), "--resume")
}

// A directory that is lost before memory is full costs nothing that was found.
func TestDiskThatIsLostCostsNoReport(t *testing.T) {
	sys := many(t)
	dir := filepath.Join(t.TempDir(), "d")
	var once sync.Once
	lost := checker.Always("lost", "", func(*model.View) bool {
		once.Do(func() {
			assert.NoError(t, os.RemoveAll(dir))
			assert.NoError(t, os.WriteFile(dir, nil, 0o666))
		})
		return true
	})
	r, err := checker.Check(t.Context(), sys, checker.Options{
		Properties: []*checker.Property{checker.Uniqueness, checker.Termination, lost}, Disk: explore.Disk{Dir: dir}, MaxGraphStates: 2000,
	})
	require.NoError(t, err)
	assert.Equal(t, explore.DiskFailure, r.Reason)
	assert.Equal(t, checker.Violated, r.Findings[0].Verdict)
	assert.GreaterOrEqual(t, r.Distinct, uint64(2000))
	assert.Contains(t, r.Why, "the search ended since the disk failed it: ")
}

// Resumed or not, a search says the same of its graph and of what to raise.
func TestResumedSearchSaysTheSameOfItsGraph(t *testing.T) {
	sys := many(t)
	opt := checker.Options{Properties: []*checker.Property{checker.Validity, checker.Termination}, MaxGraphStates: 1000}
	opt.Disk.Dir = t.TempDir()
	whole, err := checker.Check(t.Context(), sys, opt)
	require.NoError(t, err)
	opt.Disk.Dir, opt.MaxStates = t.TempDir(), 5000
	_, err = checker.Check(t.Context(), sys, opt)
	require.NoError(t, err)
	require.True(t, opt.Disk.HasCheckpoint())
	opt.Disk.Resume, opt.MaxStates = true, 0
	resumed, err := checker.Check(t.Context(), sys, opt)
	require.NoError(t, err)
	require.Equal(t, whole.Distinct, resumed.Distinct)
	assert.Equal(t, whole.Findings[1].Why, resumed.Findings[1].Why)
	assert.Equal(t, whole.GaveUp, resumed.GaveUp)
	assert.Equal(t, whole.Remedy(), resumed.Remedy())
	assert.Equal(t, "raise MaxGraphStates (--max-graph-states) or MaxBytes (--max-bytes), or lower n, crashes or restarts", whole.Remedy())
}

// Liveness on a graph that does not fit is refused, with the size that it would
// have.
func TestGraphBeyondMemoryIsRefused(t *testing.T) {
	sys := many(t)
	r, err := checker.Check(context.Background(), sys, checker.Options{
		Properties: []*checker.Property{checker.Uniqueness, checker.Termination}, Disk: explore.Disk{Dir: t.TempDir()}, MaxGraphStates: 1000, Exhaustive: true,
	})
	require.NoError(t, err)
	assert.Equal(t, checker.Incomplete, r.Findings[1].Verdict)
	assert.Regexp(t, `kept for at most 1,000 states and in memory alone .*; that of these [0-9,]+ states would take about .*iB of memory`, r.Findings[1].Why)
}
