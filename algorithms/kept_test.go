package algorithms_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/heaptree"
	"bullyproof/algorithms/invitation"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/internal/test/play"
	"bullyproof/model"
)

// Readings that keep all standard properties, whatever processes do; the second list is
// for -deep.
func TestAllKept(t *testing.T) {
	for name, tt := range map[string]struct {
		variant        string
		settings, deep []string
	}{
		"garciamolina": {"original", []string{
			"n=3 channels=fifo start=cold:interleaved timing=sync:1",
			"n=4 channels=fifo start=coordinator-down timing=sync:1",
			"n=3 channels=fifo start=settled timing=sync:1 crashes=1 restarts=1",
			"n=3 channels=fifo start=settled timing=sync:2 crashes=3",
		}, nil},
		"kabashi": {"repaired", []string{
			"n=3 start=settled crashes=1 joins=1 mid-send=yes",
			"n=3 start=settled joins=2 timing=sync:2",
			"n=3 start=cold initiators=all:lazy",
			"n=3 start=settled crashes=1 restarts=1 mail-down=lost mail-old=lost",
		}, []string{
			"n=3 start=settled crashes=2 restarts=1 mid-send=yes",
			"n=3 start=settled crashes=1 restarts=1 joins=1 mid-send=yes",
			"n=3 start=settled crashes=1 restarts=1 mid-send=yes timing=sync:2",
			"n=4 start=settled crashes=2 mid-send=yes timing=sync:2",
			"n=4 start=coordinator-down joins=1 timing=sync:2",
			"n=4 start=settled joins=2",
		}},
		"murshedallen": {"repaired", []string{
			"n=3 start=settled crashes=1 joins=1 mid-send=yes",
			"n=3 start=settled joins=2 timing=sync:2",
			"n=3 start=cold initiators=all:lazy",
			"n=3 start=settled crashes=1 restarts=1 mail-down=lost mail-old=lost",
			"n=4 start=settled joins=2",
		}, []string{
			"n=3 start=settled crashes=2 restarts=1 mid-send=yes",
			"n=3 start=settled crashes=1 restarts=1 joins=1 mid-send=yes",
			"n=3 start=settled crashes=2 restarts=1 timing=sync:2",
			"n=4 start=settled crashes=3 mid-send=yes timing=sync:2",
			"n=4 start=coordinator-down joins=1 timing=sync:2",
			"n=4 start=coordinator-down restarts=1",
		}},
	} {
		a, err := algorithms.Find(name)
		require.NoError(t, err)
		play.AllKept(t, a, tt.variant, tt.settings, tt.deep)
	}
}

// The pause is what ends the invitations: the same nodes, with pauses of three lengths.
func TestPausesOfInvitation(t *testing.T) {
	concludes, err := invitation.Algorithm.Property("assertion-4")
	require.NoError(t, err)
	for _, tt := range []struct {
		variant, setting string
		want             checker.Verdict
	}{
		{"equal-waits", "n=2", checker.Violated},
		{"short-pauses", "n=2", checker.Holds},
		{"short-pauses", "n=3", checker.Holds},
		{"short-pauses", "n=3 start=settled joins=1", checker.Violated},
		{"original", "n=3 start=settled joins=1", checker.Holds},
	} {
		sys := system(t, "invitation/"+tt.variant, tt.setting+" channels=fifo detector=off timing=sync:1")
		assert.Equal(t, tt.want, play.Check(t, sys, concludes).Verdict(), "%s, %s", tt.variant, tt.setting)
	}
}

// The claims on one heap for each n are true of all of them: whoever notices,
// an election takes at most log n + (n-1) messages, and somewhere just that;
// the greatest node wins, all learn of it, and the tree is right.
func TestEveryHeap(t *testing.T) {
	counts := map[int]int{3: 2, 4: 3, 5: 8, 6: 20, 7: 80}
	logs := map[int]int{3: 1, 4: 2, 5: 2, 6: 2, 7: 2}
	for n := 3; n <= 7; n++ {
		if n == 7 && !*play.Deep {
			continue
		}
		all := heaps(n)
		require.Len(t, all, counts[n])
		worst := 0
		for _, order := range all {
			h := &heaptree.Protocol{Order: order}
			for i := 1; i < n; i++ {
				sys, err := model.NewFrom(h, fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, i))
				require.NoError(t, err)
				worst = max(worst, play.Takes(t, sys, cost.Measure{})[1])
			}
			heapHolds(t, h, order, fmt.Sprintf("n=%d start=settled joins=1", n), "heap-order", "linked", "complete")
			fills := heaptree.LastLeaf(order)
			heapHolds(t, fills, order, fmt.Sprintf("n=%d start=settled crashes=1 crashers=%d", n, n), "heap-order", "linked", "once-elected", "complete")
			if n <= 5 || *play.Deep {
				heapHolds(t, h, order, fmt.Sprintf("n=%d start=settled crashes=1", n), "heap-order", "linked", "once-elected")
				heapHolds(t, fills, order, fmt.Sprintf("n=%d start=settled joins=1", n), "heap-order", "linked", "complete")
			}
		}
		assert.Equal(t, logs[n]+n-1, worst, "n=%d", n)
	}
}

// heaps returns every max-heap of the nodes 1 to n, as the array A[1..n]. Nodes
// that join in the order of the array stay where they are.
func heaps(n int) (all [][]model.ID) {
	var fill func(a []model.ID, used model.Set)
	fill = func(a []model.ID, used model.Set) {
		if len(a) == n {
			all = append(all, append([]model.ID(nil), a...))
			return
		}
		for id := range (model.Upto(model.ID(n)) &^ used).All() {
			if i := len(a) + 1; i > 1 && a[i/2-1] < id {
				continue
			}
			fill(append(a[:len(a):len(a)], id), used.With(id))
		}
	}
	fill(nil, 0)
	return all
}

// heapHolds checks that the standard properties and some of the algorithm's own hold.
func heapHolds(t *testing.T, h model.Protocol[heaptree.P, heaptree.M], order []model.ID, setting string, own ...string) {
	t.Helper()
	sys, err := model.NewFrom(h, setting)
	require.NoError(t, err)
	properties := checker.InSetting(checker.Standard(), sys.Setting())
	for _, name := range own {
		p, err := heaptree.Algorithm.Property(name)
		require.NoError(t, err)
		properties = append(properties, p)
	}
	for _, f := range play.Check(t, sys, properties...).Findings {
		want := checker.Holds
		if f.Property == checker.E2 && sys.Setting().Crashes == 0 {
			want = checker.Vacuous // whoever joins is put in its place, without an election
		}
		assert.Equal(t, want, f.Verdict, "%v, %s: %s %s", order, setting, f.Property.Name, f.Line())
	}
}
