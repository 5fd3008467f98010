package etcdpast_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/shipped"
	"bullyproof/examples/etcdpast"
	"bullyproof/model"
)

const elections = "n=2 initiators=none timing=async capacity=1 detector=off"

var all = model.Upto(3)

// RawNode of 2017 is a machine that can be explored.
func TestConforms(t *testing.T) {
	m := etcdpast.Nodes{Disks: make([]etcdpast.Disk, 3), PreVote: all, Terms: 2}
	shipped.Test(t, m, elections+" crashes=1 restarts=1", shipped.LeaveOut(etcdpast.Left...))
}

// Of three nodes with pre-votes, P3 is down. The other two, a quorum, never elect one of
// them if one is two terms behind, whatever they do (etcd #8243), or if the one with the higher
// term has the shorter log (#8501). One term behind they do. TestReportsOfThePast in
// examples/etcdraft has the same disks.
func TestReports(t *testing.T) {
	for _, c := range []struct {
		what    string
		disks   []etcdpast.Disk
		preVote model.Set
		elected int // in so many steps, 0 for never
	}{
		{"#8243", []etcdpast.Disk{{Term: 1}, {Term: 3}, {}}, all, 0},
		{"one term behind", []etcdpast.Disk{{Term: 1}, {Term: 2}, {}}, all, 5},
		{"without pre-votes", []etcdpast.Disk{{Term: 1}, {Term: 3}, {}}, 0, 3},
		{"#8501", []etcdpast.Disk{{Term: 4}, {Term: 2, Log: []uint64{2}}, {}}, all, 0},
		{"#8501 before the last one is upgraded", []etcdpast.Disk{{Term: 4}, {Term: 2, Log: []uint64{2}}, {}}, model.SetOf(1), 5},
	} {
		t.Run(c.what, func(t *testing.T) {
			nobody := checker.Always("nobody-is-elected", "Nobody is elected.", func(v *model.View) bool { return v.Leaders.Empty() })
			sys, err := model.NewFrom(etcdpast.New(etcdpast.Nodes{Disks: c.disks, PreVote: c.preVote, Terms: 6}), elections)
			require.NoError(t, err)
			r, err := checker.Check(t.Context(), sys, checker.Options{Algorithm: "etcdpast", Properties: []*checker.Property{nobody, checker.OneLeaderPerEpoch}})
			require.NoError(t, err)
			t.Logf("%d states", r.Distinct)
			f := r.Finding(nobody.Name)
			if c.elected == 0 {
				assert.Equal(t, checker.Holds, f.Verdict, "%s", f.Why)
				return
			}
			require.Equal(t, checker.Violated, f.Verdict)
			assert.Len(t, f.Trace.Steps, c.elected)
		})
	}
}
