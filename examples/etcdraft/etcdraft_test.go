package etcdraft_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/shipped"
	"bullyproof/examples/etcdraft"
	"bullyproof/model"
)

const elections = "n=3 initiators=none timing=async detector=off"

// check asks safety, of so many steps at most; 0 is no limit.
func check(t *testing.T, m etcdraft.Nodes, setting string, depth int, opts ...shipped.Option) *checker.Report {
	t.Helper()
	p := etcdraft.New(m, opts...)
	sys, err := model.NewFrom(p, setting)
	require.NoError(t, err)
	r, err := checker.Check(context.Background(), sys, checker.Options{
		Algorithm: "etcdraft", MaxDepth: depth,
		Properties: []*checker.Property{checker.OneLeaderPerEpoch, etcdraft.LogMatching(p), etcdraft.LeaderCompleteness(p)},
	})
	require.NoError(t, err)
	t.Logf("%d states to depth %d in %v. %s", r.Distinct, r.Depth, r.Duration, r.Coverage.Remark)
	return r
}

func none(t *testing.T, r *checker.Report) {
	t.Helper()
	for _, f := range r.Findings {
		assert.NotEqual(t, checker.Violated, f.Verdict, "%s: %s", f.Property.Name, f.Explanation)
	}
}

// RawNode is a machine that can be explored.
func TestConforms(t *testing.T) {
	shipped.Test(t, etcdraft.Nodes{Terms: 2, Entries: 2}, "n=2 initiators=none timing=async detector=off crashes=1 restarts=1", shipped.LeaveOut(etcdraft.Left()...))
}

// One term of elections is seen whole, and its properties hold.
func TestElections(t *testing.T) {
	none(t, check(t, etcdraft.Nodes{Terms: 1}, elections, 0))
}

// Two entries, a crash, a loss, a duplicate, ticks, PreVote and CheckQuorum, to a depth.
func TestSafety(t *testing.T) {
	t.Parallel()
	none(t, check(t, etcdraft.Nodes{Terms: 2, Entries: 3}, elections+" crashes=1 restarts=1 losses=1 duplications=1", 6))
	none(t, check(t, etcdraft.Nodes{Terms: 2, Ticks: true, PreVote: true, CheckQuorum: true}, elections+" losses=1", 7))
}

// A node that forgets its vote in a crash gives two, and two nodes lead in one term.
func TestForgottenVote(t *testing.T) {
	t.Parallel()
	m := etcdraft.Nodes{Terms: 1, Forgets: true}
	setting := elections + " crashes=1 restarts=1"
	r := check(t, m, setting, 9)
	require.Equal(t, checker.Violated, r.Findings[0].Verdict)
	m.Forgets = false
	none(t, check(t, m, setting, 9))
}

// The two that are left of three nodes with pre-votes elect one of them where etcd 3.2.0 never
// did: with a node that is two terms behind (etcd #8243), and where the one with the higher
// term has the shorter log (#8501). TestReports in examples/etcdpast has the same disks.
func TestReportsOfThePast(t *testing.T) {
	for what, c := range map[string]struct {
		disks []etcdraft.Disk
		steps int
	}{
		"#8243": {[]etcdraft.Disk{{Term: 1}, {Term: 3}, {}}, 5},
		"#8501": {[]etcdraft.Disk{{Term: 4}, {Term: 2, Log: []uint64{2}}, {}}, 8},
	} {
		t.Run(what, func(t *testing.T) {
			nobody := checker.Always("nobody-is-elected", "Nobody is elected.", func(v *model.View) bool { return v.Leaders.Empty() })
			sys, err := model.NewFrom(etcdraft.New(etcdraft.Nodes{Disks: c.disks, PreVote: true, Terms: 5}), "n=2 initiators=none timing=async capacity=1 detector=off")
			require.NoError(t, err)
			r, err := checker.Check(t.Context(), sys, checker.Options{Algorithm: "etcdraft", Properties: []*checker.Property{nobody, checker.OneLeaderPerEpoch}})
			require.NoError(t, err)
			f := r.Finding(nobody.Name)
			require.Equal(t, checker.Violated, f.Verdict)
			assert.Len(t, f.Trace.Steps, c.steps)
			assert.Equal(t, checker.Holds, r.Finding(checker.OneLeaderPerEpoch.Name).Verdict)
		})
	}
}

// A copy finds the same states as a replay.
func TestCopiesAndReplays(t *testing.T) {
	m := etcdraft.Nodes{Terms: 2}
	a, b := check(t, m, elections, 5), check(t, m, elections, 5, shipped.Replayed())
	assert.Equal(t, a.Levels, b.Levels)
}
