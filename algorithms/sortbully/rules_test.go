package sortbully_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/sortbully"
	"bullyproof/cost"
	"bullyproof/model"
)

// Each test has a rule of the reconstruction and a run that shows it.
func TestRules(t *testing.T) {
	collected := []string{
		"1 suspects 4", "1->2 election", "1->3 election", "3->1 OK(3)", "2->1 OK(2)", "tick", "tick", "1 times out (wait)",
	}
	collected = collected[:len(collected):len(collected)]
	sentences := []play.Sentence{
		{
			Says:  "A node that notices the crash asks all higher nodes.",
			Run:   collected[:1],
			Sends: "1->2 election, 1->3 election, 1->4 election",
			Then:  map[model.ID]string{1: "names 4, in an election"},
		},
		{
			Says:  "They respond with their ids, and do nothing else.",
			Run:   collected[:2],
			Sends: "2->1 OK(2)",
			Then:  map[model.ID]string{2: "names 4"},
		},
		{
			Says:  "It sorts the responses and grants the highest.",
			Run:   collected,
			Sends: "1->3 grant",
			Then:  map[model.ID]string{1: "names 4, in an election"},
		},
		{
			Says: "It grants the highest, and is done.", Variant: "trusts",
			Run:   collected,
			Sends: "1->3 grant",
			Then:  map[model.ID]string{1: "names 3"},
		},
		{
			Says:  "Who is granted announces itself to all.",
			Run:   append(collected, "1->3 grant"),
			Sends: "3->1 coordinator(3), 3->2 coordinator(3), 3->4 coordinator(3)",
			Then:  map[model.ID]string{3: "names 3"},
		},
		{
			Says:  "If no announcement comes, the next of the list is granted.",
			Run:   append(collected, "3 crashes", "tick", "tick", "1 times out (wait)"),
			Sends: "1->2 grant",
		},
		{
			Says: "After the last of the list the node announces itself.",
			Run: append(collected, "3 crashes", "tick", "tick", "1 times out (wait)", "2 crashes", "tick", "tick",
				"1 times out (wait)"),
			Sends: "1->2 coordinator(1), 1->3 coordinator(1), 1->4 coordinator(1)",
			Then:  map[model.ID]string{1: "names 1"},
		},
		{
			Says:  "If nobody responds, it announces itself.",
			Run:   []string{"3 suspects 4", "tick", "tick", "3 times out (wait)"},
			Sends: "3->1 coordinator(3), 3->2 coordinator(3), 3->4 coordinator(3)",
			Then:  map[model.ID]string{3: "names 3"},
		},
	}
	play.Show(t, sortbully.Algorithm, "", "n=4 start=coordinator-down crashes=2", sentences)
}

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=4 start=settled crashes=2", &sortbully.Protocol{}, &sortbully.Protocol{Trusts: true})
}

// What the claims say of the Bully algorithm, with which they compare.
func TestTheBullyThatItIsComparedWith(t *testing.T) {
	for n := 3; n <= 4; n++ {
		for i := 1; i < n; i++ {
			for d := 1; d <= 2; d++ {
				setting := fmt.Sprintf("n=%d start=coordinator-down detectors=%d timing=sync:%d", n, i, d)
				r := play.Costs(t, play.System(t, bully.Algorithm, "tanenbaum", setting))
				time := 4 * d
				if i == n-1 {
					time = 3 * d
				}
				assert.Equal(t, time, r.Cost(cost.Measure{Unit: cost.Ticks}).Worst, setting)
				c := r.Cost(cost.Measure{})
				want := (n-i)*(n-i) + n - 1
				assert.Equal(t, []int{want, want}, []int{c.Best, c.Worst}, setting)
			}
		}
	}
}

// The same where one more node crashes: the Bully with a longer wait for the
// announcement.
func TestTheBullyWithOneMoreCrash(t *testing.T) {
	for d, want := range map[int]map[string]int{1: {"bully": 13, "waits": 8, "trusts": 10}, 2: {"bully": 27, "waits": 16, "trusts": 20}} {
		setting := fmt.Sprintf("n=4 start=coordinator-down detectors=1 timing=sync:%d crashes=1", d)
		systems := map[string]*model.System{
			"bully":  play.System(t, bully.Algorithm, "coulouris", setting),
			"waits":  play.System(t, sortbully.Algorithm, "waits", setting),
			"trusts": play.System(t, sortbully.Algorithm, "trusts", setting),
		}
		for name, sys := range systems {
			r := play.Costs(t, sys)
			assert.Equal(t, want[name], r.Cost(cost.Measure{Unit: cost.Ticks}).Worst, "%s, %s", name, setting)
		}
	}
}
