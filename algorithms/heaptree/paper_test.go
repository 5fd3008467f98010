package heaptree_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/effatparvar"
	"bullyproof/algorithms/effatparvarring"
	"bullyproof/algorithms/heaptree"
	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/sortbully"
	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/setting"
)

func system(t testing.TB, h model.Protocol[heaptree.P, heaptree.M], text string) *model.System {
	t.Helper()
	s, err := setting.Parse(text)
	require.NoError(t, err)
	sys, err := model.New[heaptree.P, heaptree.M](h, s)
	require.NoError(t, err)
	return sys
}

// Each test has a sentence of section 4 and a run that shows it. The tree of six
// nodes is 6; 4, 5; 1, 3, 2: 1 and 3 are the children of 4, and 2 of 5.
func TestSentencesOfThePaper(t *testing.T) {
	const (
		crash = "n=6 start=coordinator-down"
		join  = "n=4 start=settled joins=1 joiners=4"
	)
	sentences := []play.Sentence{
		{
			Says:    "when a node realizes that the leader has crashed, it sends the election message to its father.",
			Setting: crash,
			Run:     []string{"1 suspects 6"},
			Sends:   "1->4 election(6)",
			Then:    map[model.ID]string{1: "names 6, in an election"},
		},
		{
			Says: "This message traverses up to the children of the deleted root where the left and right children of the deleted root " +
				"compare their IDs with each other",
			Setting: crash,
			Run:     []string{"1 suspects 6", "1->4 election(6)"},
			Sends:   "4->5 compare(4, 6 crashed)",
			Then:    map[model.ID]string{4: "names 6, in an election"},
		},
		{
			Says:    "to determine the new leader.",
			Setting: crash,
			Run:     []string{"1 suspects 6", "1->4 election(6)", "4->5 compare(4, 6 crashed)"},
			Sends:   "5->4 place(5, 6 crashed, beside 2), 5->2 rise(5, 6 crashed, beside 4)",
			Then:    map[model.ID]string{5: "names 5"},
		},
		{
			Says:    "compare their IDs with each other: the greater child is the first to notice",
			Setting: crash,
			Run:     []string{"5 suspects 6", "5->4 compare(5, 6 crashed)"},
			Sends:   "4->5 compare(4, 6 crashed)",
			Then:    map[model.ID]string{4: "names 6, in an election"},
		},
		{
			Says:    "If duplicate, it is dropped by that node, otherwise it is sent to the next father in the tree.",
			Setting: crash,
			Run:     []string{"1 suspects 6", "3 suspects 6", "1->4 election(6)", "3->4 election(6)"},
		},
		{
			Says:    "all the other nodes will acknowledge the role of that node as the leader (section 1)",
			Setting: crash,
			Run: []string{
				"4 suspects 6", "4->5 compare(4, 6 crashed)", "5->4 place(5, 6 crashed, beside 2)",
			},
			Sends: "4->1 leader(5, 6 crashed), 4->3 leader(5, 6 crashed)",
			Then:  map[model.ID]string{4: "names 5"},
		},
		{
			Says:    "each node that joins the group records the information about its parent and children.",
			Setting: join,
			Run:     []string{"4 joins", "4->3 join"},
			Sends:   "3->1 seek(4 at 2 of 4)",
		},
		{
			Says:    "nodes are added to the tree by joining each node",
			Setting: join,
			Run:     []string{"4 joins", "4->3 join", "3->1 seek(4 at 2 of 4)"},
			Sends:   "1->4 place(3 of 4, beside ⊥)",
		},
		{
			Says: "If its ID is greater than that of its father's, the node swaps position with the father thus, resulting in a tree " +
				"reconstruction.",
			Setting: join,
			Run: []string{
				"4 joins", "4->3 join", "3->1 seek(4 at 2 of 4)", "4->1 join", "4->2 join", "1->4 place(3 of 4, beside ⊥)", "tick",
				"4 times out (told)", "4->1 swap(above ⊥, ⊥)",
			},
			Sends: "1->4 yours(below 3, beside 2, above 1, ⊥), 1->3 swapped(4, 1), 1->2 swapped(4, 1)",
		},
	}
	play.Show(t, heaptree.Algorithm, "", "", sentences)
}

// "The left and right children of the deleted root compare their IDs": by the
// reading that each has recorded the other's.
func TestRecordedSibling(t *testing.T) {
	recorded := heaptree.Recorded()
	p := play.Start(t, system(t, recorded, "n=6 start=coordinator-down"))
	p.Do("2 suspects 6", "2->5 election(6)")
	assert.Equal(t, "5->4 place(5, 6 crashed, beside 2), 5->2 rise(5, 6 crashed, beside 4)", p.Sent())
	assert.Equal(t, "names 5", p.Of(5))

	p = play.Start(t, system(t, recorded, "n=6 start=coordinator-down"))
	p.Do("1 suspects 6", "1->4 election(6)")
	assert.Equal(t, "4->5 compare(4, 6 crashed)", p.Sent())
	p.Do("4->5 compare(4, 6 crashed)")
	assert.Equal(t, "names 5", p.Of(5))
}

// Who waits in vain asks all who is up, and hands out their tree.
func TestRepaired(t *testing.T) {
	p := play.Start(t, system(t, heaptree.Repaired{Protocol: &heaptree.Protocol{}}, "n=4 start=coordinator-down timing=patient crashes=1"))
	p.Do("1 suspects 4", "3 crashes", "1 times out (wait)")
	assert.Equal(t, "1->2 ask, 1->3 ask, 1->4 ask", p.Sent())
	p.Do("1->2 ask", "2->1 here", "1 times out (wait)")
	assert.Equal(t, "1->2 tree{1,2}", p.Sent())
	p.Do("1->2 tree{1,2}")
	assert.Equal(t, "names 2", p.Of(1))
	assert.Equal(t, "names 2", p.Of(2))
}

// Who joins and is greater than all stays below the leader, and is the leader
// after it.
func TestTenure(t *testing.T) {
	tenured := heaptree.Tenured{Protocol: &heaptree.Protocol{}}
	p := play.Start(t, system(t, tenured, "n=4 start=settled joins=1 joiners=4 crashes=1"))
	p.Do("4 joins", "4->3 join", "3->1 seek(4 at 2 of 4)", "4->1 join", "4->2 join", "1->4 place(3 of 4, beside ⊥)", "tick",
		"4 times out (told)", "4->1 swap(above ⊥, ⊥)", "1->4 yours(below 3, beside 2, above 1, ⊥)",
		"1->3 swapped(4, 1)", "1->2 swapped(4, 1)", "tick", "4 times out (told)")
	assert.Empty(t, p.Sent())
	assert.Equal(t, "names 3", p.Of(4))
	p.Do("3 crashes", "2 suspects 3", "2->4 compare(2, 3 crashed)")
	assert.Equal(t, "names 4", p.Of(4))
}

func TestProtocol(t *testing.T) {
	paper := &heaptree.Protocol{}
	for _, in := range []string{"n=3 start=settled crashes=2", "n=3 start=settled joins=1", "n=2 start=settled crashes=1 joins=1"} {
		play.Protocols(t, in, paper, heaptree.Recorded(), heaptree.Repaired{Protocol: paper}, heaptree.Tenured{Protocol: paper})
	}
}

// What the claims say of the algorithms with which the paper compares this one:
// the most messages of an election where any number of nodes notice.
func TestTheOthersOfThePaper(t *testing.T) {
	tests := []struct {
		of      *ledger.Algorithm
		setting string
		most    map[int]int
	}{
		{effatparvar.Algorithm, "n=%d start=coordinator-down", map[int]int{3: 9, 4: 19, 5: 33}},
		{sortbully.Algorithm, "n=%d start=coordinator-down", map[int]int{3: 9, 4: 20, 5: 35}},
		{effatparvarring.Algorithm, "n=%d topology=ring:repaired start=coordinator-down channels=fifo timing=patient",
			map[int]int{3: 5, 4: 9, 5: 14}},
		{heaptree.Algorithm, "n=%d start=coordinator-down", map[int]int{3: 3, 4: 5, 5: 7, 6: 9}},
	}
	for _, tt := range tests {
		for n, most := range tt.most {
			if n == 5 && tt.of == effatparvar.Algorithm && !*play.Deep || n == 5 && tt.of == sortbully.Algorithm && !*play.Deep {
				continue
			}
			setting := fmt.Sprintf(tt.setting, n)
			r := play.Costs(t, play.System(t, tt.of, "", setting))
			assert.Equal(t, most, r.Cost(cost.Measure{}).Worst, "%s, %s", tt.of.Name, setting)
		}
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

// What the claims say of one tree for each n is true of all of them: whoever
// notices, an election takes at most log n + (n-1) messages, and somewhere just
// that; the greatest node wins, all learn of it, and the tree is right.
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
				sys := system(t, h, fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, i))
				r := play.Costs(t, sys)
				worst = max(worst, r.Cost(cost.Measure{}).Worst)
			}
			for _, faults := range []string{"crashes=1", "joins=1"} {
				if n > 5 && faults == "crashes=1" && !*play.Deep {
					continue
				}
				own := []string{"heap-order", "linked"}
				if faults == "joins=1" {
					own = append(own, "complete")
				} else {
					own = append(own, "once-elected")
				}
				holds(t, h, fmt.Sprintf("n=%d start=settled %s", n, faults), own)
			}
		}
		assert.Equal(t, logs[n]+n-1, worst, "n=%d", n)
	}
}

// holds checks that the standard properties and some of the algorithm's own hold.
func holds(t *testing.T, h *heaptree.Protocol, setting string, own []string) {
	t.Helper()
	sys := system(t, h, setting)
	properties := checker.InSetting(checker.Standard(), sys.Setting())
	for _, name := range own {
		p, err := heaptree.Algorithm.Property(name)
		require.NoError(t, err)
		properties = append(properties, p)
	}
	r := play.Check(t, sys, properties...)
	for _, f := range r.Findings {
		want := checker.Holds
		if f.Property == checker.E2 && sys.Setting().Crashes == 0 {
			want = checker.Vacuous // whoever joins is put in its place, without an election
		}
		assert.Equal(t, want, f.Verdict, "%v, %s: %s %s", h.Order, setting, f.Property.Name, f.Line())
	}
}

// A leader that was elected crashes in turn, in the tree that was rebuilt.
func TestOneLeaderAfterAnother(t *testing.T) {
	p := play.Start(t, system(t, &heaptree.Protocol{}, "n=4 start=settled timing=patient crashes=3"))
	p.Do("4 crashes", "1 suspects 4", "1->3 election(4)", "3->2 compare(3, 4 crashed)", "2->3 compare(2, 4 crashed)")
	assert.Equal(t, "3->2 place(3, 4 crashed, beside 1), 3->1 rise(3, 4 crashed, beside 2)", p.Sent())
	p.Do("3->2 place(3, 4 crashed, beside 1)", "3->1 rise(3, 4 crashed, beside 2)")
	p.Do("3 crashes", "1 suspects 3", "1->2 compare(1, 3 crashed)", "2->1 place(2, 3 crashed, beside ⊥)")
	p.Do("2 crashes", "1 suspects 2")
	assert.Equal(t, "names 1", p.Of(1))
}
