package checker_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/setting"
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

// A check that ends at limits and is resumed reports what one does that is not:
// counts, traces, what ran and which occasions came up.
func TestResumedCheckReportsTheSame(t *testing.T) {
	sys, err := model.New(bully.Coulouris, setting.Must("n=3 start=settled crashes=1 restarts=1"))
	require.NoError(t, err)
	props := []*checker.Property{checker.Uniqueness, checker.Agreement, checker.LiveCoordinator, checker.Extreme}
	opt := checker.Options{Algorithm: "bully", Properties: props, Exhaustive: true}
	want, err := checker.Check(context.Background(), sys, opt)
	require.NoError(t, err)
	require.True(t, want.Complete())

	opt.Disk = filepath.Join(t.TempDir(), "new")
	for _, limit := range []uint64{100, 3000, 10_000} {
		opt.MaxStates = limit
		r, err := checker.Check(context.Background(), sys, opt)
		require.NoError(t, err)
		require.Equal(t, explore.StateLimit, r.Reason)
		assert.Contains(t, r.Remedy(), "--resume")
		opt.Resume = true
	}
	opt.MaxStates = 0

	other := opt
	other.Properties = props[:1]
	_, err = checker.Check(context.Background(), sys, other)
	require.ErrorContains(t, err, "of another search")
	other = opt
	other.Resume = false
	_, err = checker.Check(context.Background(), sys, other)
	require.ErrorContains(t, err, "there is a checkpoint")

	got, err := checker.Check(context.Background(), sys, opt)
	require.NoError(t, err)
	assert.Equal(t, reportOf(t, want), reportOf(t, got))
	assert.False(t, explore.HasCheckpoint(opt.Disk), "the search is over")
	assert.Empty(t, got.Remedy())
}

// So does one of a reduced system, whose reductions are a part of what it is.
func TestResumedReducedCheckReportsTheSame(t *testing.T) {
	sys, err := model.New(bully.Coulouris, setting.Must("n=3 start=settled crashes=1 restarts=1"))
	require.NoError(t, err)
	step := checker.AlwaysStep("steps", "", func(*model.Event) bool { return true })
	for name, props := range map[string][]*checker.Property{
		"reduced alone":        {checker.Uniqueness, checker.Agreement, checker.LiveCoordinator, checker.Extreme},
		"and another as it is": {checker.Agreement, step},
	} {
		t.Run(name, func(t *testing.T) {
			opt := checker.Options{Algorithm: "bully", Properties: props, Exhaustive: true, Reduce: checker.ReduceAuto}
			want, err := checker.Check(t.Context(), sys, opt)
			require.NoError(t, err)
			require.True(t, want.Complete())

			opt.Disk = filepath.Join(t.TempDir(), "new")
			for _, limit := range []uint64{100, 800} {
				opt.MaxStates = limit
				r, err := checker.Check(t.Context(), sys, opt)
				require.NoError(t, err)
				require.Equal(t, explore.StateLimit, r.Reason)
				assert.Contains(t, r.Remedy(), opt.Disk+" (Resume, --resume)")
				opt.Resume = true
			}
			opt.MaxStates = 0

			other := opt
			other.Reduce = model.PersistentSets
			_, err = checker.Check(t.Context(), sys, other)
			require.ErrorContains(t, err, "of another search")
			other = opt
			other.Resume = false
			_, err = checker.Check(t.Context(), sys, other)
			require.ErrorContains(t, err, "there is a checkpoint")

			got, err := checker.Check(t.Context(), sys, opt)
			require.NoError(t, err)
			assert.Equal(t, reportOf(t, want), reportOf(t, got))
			assert.Empty(t, got.Remedy())

			opt.Disk = t.TempDir()
			_, err = checker.Check(t.Context(), sys, opt)
			assert.ErrorContains(t, err, "there is no checkpoint")
		})
	}
}

// Liveness on a graph that does not fit is refused, with the size that it would
// have.
func TestGraphBeyondMemoryIsRefused(t *testing.T) {
	sys, err := model.New(bully.Coulouris, setting.Must("n=3 start=settled crashes=1 restarts=1"))
	require.NoError(t, err)
	r, err := checker.Check(context.Background(), sys, checker.Options{
		Properties: []*checker.Property{checker.Uniqueness, checker.Termination}, Disk: t.TempDir(), MaxGraphStates: 1000, Exhaustive: true,
	})
	require.NoError(t, err)
	assert.Equal(t, checker.Incomplete, r.Findings[1].Verdict)
	assert.Regexp(t, `kept for at most 1,000 states .*; that of these [0-9,]+ states would take about .*iB of memory`, r.Findings[1].Why)
}
