package algorithms_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/internal/test/play"
	"bullyproof/model"
	"bullyproof/trace/render"
)

// system returns what a reading of an algorithm is in a setting: "bully/tanenbaum".
func system(t *testing.T, reading, setting string) *model.System {
	t.Helper()
	name, variant, _ := strings.Cut(reading, "/")
	a, err := algorithms.Find(name)
	require.NoError(t, err)
	return play.System(t, a, variant, setting)
}

// Messages at least and at most of which no claim says so much, or that a claim on
// another algorithm compares with.
func TestCosts(t *testing.T) {
	t.Parallel()
	const (
		ring    = " topology=ring:repaired start=coordinator-down channels=fifo timing=patient"
		one     = " topology=biring initiators=one channels=fifo timing=patient"
		reorder = " topology=biring initiators=one channels=unordered timing=patient"
	)
	for _, tt := range []struct {
		reading, setting string
		best, worst      int
	}{
		// A word to the assistant, N-1 questions, N-2 answers and N-1 announcements.
		{"assistant", "n=3 start=coordinator-down detectors=1", 6, 6},
		{"assistant", "n=4 start=coordinator-down detectors=1", 9, 9},
		{"assistant", "n=5 start=coordinator-down detectors=1", 12, 12},
		// Where all may report.
		{"electioncommission", "n=3 channels=fifo start=coordinator-down", 6, 6},
		{"electioncommission", "n=4 channels=fifo start=coordinator-down", 7, 9},
		{"electioncommission", "n=5 channels=fifo start=coordinator-down", 8, 12},
		{"surrogatering/stands-in", "n=5 topology=ring:repaired arrangement=1-2-3-4-5 start=coordinator-down detectors=1 channels=fifo timing=lockstep", 8, 8},
		{"surrogatering/takes-over", "n=5 topology=ring:repaired arrangement=1-2-3-4-5 start=coordinator-down detectors=1 channels=fifo timing=lockstep", 11, 11},
		// All that are up may notice.
		{"effatparvarring/suppresses", "n=3" + ring, 4, 5},
		{"effatparvarring/suppresses", "n=4" + ring, 6, 9},
		{"effatparvarring/suppresses", "n=5" + ring, 8, 14},
		{"effatparvarring/suppresses", "n=6" + ring, 10, 20},
		{"effatparvarring/forwards", "n=4" + ring, 6, 21},
		{"effatparvarring/informer", "n=4" + ring, 6, 12},
		{"effatparvar", "n=3 start=coordinator-down", 3, 9},
		{"effatparvar", "n=4 start=coordinator-down", 4, 19},
		{"effatparvar", "n=5 start=coordinator-down", 5, 33},
		{"sortbully", "n=3 start=coordinator-down", 3, 9},
		{"sortbully", "n=4 start=coordinator-down", 4, 20},
		{"sortbully", "n=5 start=coordinator-down", 5, 35},
		{"heaptree", "n=3 start=coordinator-down", 2, 3},
		{"heaptree", "n=4 start=coordinator-down", 3, 5},
		{"heaptree", "n=5 start=coordinator-down", 4, 7},
		{"heaptree", "n=6 start=coordinator-down", 5, 9},
		{"murshedallen/rules", "n=4 start=coordinator-down", 4, 16},
		{"bully/tanenbaum", "n=3 start=coordinator-down", 3, 9},
		{"bully/tanenbaum", "n=4 start=coordinator-down", 4, 23},
		{"bully/tanenbaum", "n=5 start=coordinator-down detectors=1", 20, 28},
		{"bully/coulouris", "n=3 start=coordinator-down detectors=2", 2, 2},
		{"bully/coulouris", "n=4 start=coordinator-down detectors=3", 3, 3},
		// From 2N+2 on, where messages are handled one at a time.
		{"fceabr", "n=3" + one, 8, 11},
		{"fceabr", "n=4" + one, 10, 14},
		{"fceabr", "n=5" + one, 12, 18},
		{"fceabr", "n=3" + reorder, 8, 11},
		{"fceabr", "n=4" + reorder, 10, 16},
		// Where the probe of a smaller id is refused, the refusal also has to get home.
		{"hirschbergsinclair/echoes", "n=2 topology=biring channels=fifo timing=patient", 12 + 2, 12 + 2},
		{"hirschbergsinclair/echoes", "n=3 topology=biring channels=fifo timing=patient", 26 + 3, 26 + 3},
		{"hirschbergsinclair/echoes", "n=4 topology=biring channels=fifo timing=patient", 32 + 4, 40 + 4},
	} {
		if testing.Short() && tt.setting >= "n=5" {
			continue
		}
		if strings.HasPrefix(tt.setting, "n=5 start=coordinator-down") && slices.Contains([]string{"effatparvar", "sortbully"}, tt.reading) && !*play.Deep {
			continue
		}
		assert.Equal(t, [2]int{tt.best, tt.worst}, play.Takes(t, system(t, tt.reading, tt.setting), cost.Measure{}), "%s, %s", tt.reading, tt.setting)
	}
	elections := play.Takes(t, system(t, "kalternatives/told", "n=4 start=coordinator-down crashes=2"), cost.Measure{Kind: "ELECTION"})
	assert.Equal(t, 3, elections[1], "where two alternatives fail as well, one election in which all three others are asked")
}

// Rings on which the number of messages depends on nothing but how many are up, and how many
// begin: N² tokens, or 2MN packets, or N² numbers.
func TestFixedCosts(t *testing.T) {
	most := 5
	if testing.Short() {
		most = 4
	}
	for n := 2; n <= most; n++ {
		who := ""
		for m := 1; m <= n; m++ {
			who = strings.TrimPrefix(fmt.Sprintf("%s,%d", who, m), ",")
			want := make(map[string]int)
			if m == n {
				want["lelann/tel"], want["lelann/collects"] = n*n, n*n
			}
			if m <= 3 {
				want["silberschatz/packet"], want["silberschatz/book"] = 2*m*n, n*n
			}
			for reading, want := range want {
				setting := fmt.Sprintf("n=%d topology=ring initiators=%s channels=fifo timing=patient", n, who)
				assert.Equal(t, [2]int{want, want}, play.Takes(t, system(t, reading, setting), cost.Measure{}), "%s, %s", reading, setting)
			}
		}
	}
}

// The claims on other algorithms that are about the Bully algorithm, with which they
// compare.
func TestTheBullyThatOthersAreComparedWith(t *testing.T) {
	ticks := cost.Measure{Unit: cost.Ticks}
	for n := 3; n <= 4; n++ {
		for i := 1; i < n; i++ {
			for d := 1; d <= 2; d++ {
				sys := system(t, "bully/tanenbaum", fmt.Sprintf("n=%d start=coordinator-down detectors=%d timing=sync:%d", n, i, d))
				time := 4 * d
				if i == n-1 {
					time = 3 * d
				}
				want := (n-i)*(n-i) + n - 1
				assert.Equal(t, time, play.Takes(t, sys, ticks)[1], sys.Setting())
				assert.Equal(t, [2]int{want, want}, play.Takes(t, sys, cost.Measure{}), sys.Setting())
			}
		}
	}
	for reading, want := range map[string]int{"bully/tanenbaum": 8, "bully/coulouris": 8, "murshedallen/rules": 5} {
		assert.Equal(t, want, play.Takes(t, system(t, reading, "n=4 start=coordinator-down"), ticks)[1], reading)
	}
	// Where one more node crashes the Bully waits longer for the announcement.
	for d, want := range map[int]map[string]int{
		1: {"bully/coulouris": 13, "sortbully/waits": 8, "sortbully/trusts": 10},
		2: {"bully/coulouris": 27, "sortbully/waits": 16, "sortbully/trusts": 20},
	} {
		for reading, want := range want {
			sys := system(t, reading, fmt.Sprintf("n=4 start=coordinator-down detectors=1 timing=sync:%d crashes=1", d))
			assert.Equal(t, want, play.Takes(t, sys, ticks)[1], reading)
		}
	}
}

// Messages and ticks of an election that one process begins on a ring, in every
// arrangement: 2N+3 in N+1; 2N or, for odd N, 2N+2 where what comes at once is
// handled at once.
func TestCostsOfXie(t *testing.T) {
	for n, want := range map[int]map[string][2]int{
		2: {"xie/fceabr-describes": {6, 3}, "xie/at-once": {4, 3}},
		3: {"xie/fceabr-describes": {9, 4}, "xie/at-once": {8, 5}},
		4: {"xie/fceabr-describes": {11, 5}, "xie/at-once": {8, 7}},
		5: {"xie/fceabr-describes": {13, 6}, "xie/at-once": {12, 9}},
	} {
		for reading, want := range want {
			sys := system(t, reading, fmt.Sprintf("n=%d topology=biring initiators=one channels=fifo timing=lockstep", n))
			assert.Equal(t, [2]int{want[0], want[0]}, play.Takes(t, sys, cost.Measure{}), "%s, N=%d", reading, n)
			assert.Equal(t, [2]int{want[1], want[1]}, play.Takes(t, sys, cost.Measure{Unit: cost.Ticks}), "%s, N=%d", reading, n)
		}
	}
}

// The messages if one process alone notices the crash of the coordinator, and no
// other fails: the same number of messages whatever the order in which they arrive.
func TestCostsOfOneDetector(t *testing.T) {
	most := 6
	if *play.Deep {
		most = 8
	}
	for n := 3; n <= most; n++ {
		for i := 1; i <= n; i++ {
			want := make(map[string]int)
			if i < n { // n has failed
				// The paper also counts a response of the crashed leader, which is never sent; without
				// anyone between them, node i asks the leader and tells all others.
				base := 2*(n-i) + n - 2
				want["effatparvar/unverified"], want["effatparvar/to-all"], want["effatparvar/to-one"] = base, base+1, base+2
				if i == n-1 {
					want["effatparvar/unverified"], want["effatparvar/to-all"], want["effatparvar/to-one"] = n, n, n
				}
				// Election to all Candidates above i, an OK from each but n, coordinator to all others.
				above := n - max(i, n/2)
				all := above + above - 1 + n - 1
				want["murshedallen/rules"], want["murshedallen/goes-on"], want["murshedallen/tie-breaker"] = all, all, all
				want["murshedallen/knows-down"] = all - 1
			}
			if i == 2 { // 1 has failed, and 2 announces itself
				want["kabashi/prose"] = n - 1
			} else if i > 2 { // i asks all, i-3 answer OK, and 2 announces itself
				want["kabashi/prose"] = 2*(n-1) + i - 3
			}
			for reading, want := range want {
				sys := system(t, reading, fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, i))
				assert.Equal(t, [2]int{want, want}, play.Takes(t, sys, cost.Measure{}), "%s: %d of %d", reading, i, n)
			}
			if i < n {
				sys := system(t, "effatparvar/to-all", fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, i))
				assert.Equal(t, n-1-i, play.Takes(t, sys, cost.Measure{Kind: "OK"})[1], "%d of %d", i, n)
			}
			if i < 2 {
				continue
			}
			// In operations, with and without the announcement of i, to which 2 objects.
			ops, extra := 1, 0
			if i > 2 {
				ops, extra = i-1, 2
			}
			for reading, want := range map[string]int{"kabashi/prose": ops, "kabashi/goes-on": ops + extra} {
				sys := system(t, reading, fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, i))
				assert.Equal(t, [2]int{want, want}, play.Takes(t, sys, cost.Measure{Unit: cost.Operations}), "%s: %d of %d", reading, i, n)
			}
		}
	}
}

// The last one that is up on a repaired ring sends to itself: among three, the
// shortest run without end is such a one, and it can be drawn.
func TestLastOneUp(t *testing.T) {
	sys := system(t, "silberschatz/packet", "n=3 topology=ring:repaired start=coordinator-down channels=fifo timing=patient crashes=1")
	r, err := checker.Check(t.Context(), sys, checker.Options{
		Algorithm: "silberschatz", Variant: "packet", Properties: []*checker.Property{checker.Termination},
	})
	require.NoError(t, err)
	require.Equal(t, checker.Violated, r.Finding("termination").Verdict)
	var b strings.Builder
	require.NoError(t, r.WriteTraces(&b, render.TextOptions{}))
	assert.Contains(t, b.String(), "from P2 (rule d):")
}
