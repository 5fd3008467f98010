package effatparvar_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/effatparvar"
	"bullyproof/algorithms/internal/play"
	"bullyproof/cost"
	"bullyproof/model"
)

var system = play.In(effatparvar.Algorithm)

// Each test has a sentence of section 2 and a run that shows it: what its last
// action sends, and what nodes are in then. The run of figure 1 comes last.
func TestSentencesOfThePaper(t *testing.T) {
	verifying := []string{
		"2 suspects 6", "2->3 election", "2->4 election", "2->5 election", "3->2 OK(3)", "4->2 OK(4)", "5->2 OK(5) is lost",
		"tick", "tick", "2 times out (wait)", "2->4 selected(4)",
	}
	sentences := []play.Sentence{
		{
			Says: "when a node, say N, notices that the leader has crashed, it sends an election message to all nodes with higher " +
				"ID numbers.",
			Setting: "n=4 start=coordinator-down",
			Run:     []string{"2 suspects 4"},
			Sends:   "2->3 election, 2->4 election",
			Then:    map[model.ID]string{2: "names 4, in an election"},
		},
		{
			Says:    "Each node that receives the election message sends its ID as a response to N.",
			Setting: "n=4 start=coordinator-down",
			Run:     []string{"2 suspects 4", "2->3 election"},
			Sends:   "3->2 OK(3)",
			Then:    map[model.ID]string{3: "names 4"},
		},
		{
			Says:    "If no node responses to N, it will broadcast a coordinator message to all nodes.",
			Setting: "n=4 start=coordinator-down",
			Run:     []string{"3 suspects 4", "tick", "tick", "3 times out (wait)"},
			Sends:   "3->1 coordinator(3), 3->2 coordinator(3), 3->4 coordinator(3)",
			Then:    map[model.ID]string{3: "names 3"},
		},
		{
			Says: "If some nodes respond to N, it will select the node with the highest ID number as coordinator and will send a new " +
				"message with the selected ID number to all nodes, informing them about the new leader.",
			Setting: "n=4 start=coordinator-down",
			Run: []string{
				"1 suspects 4", "1->2 election", "1->3 election", "3->1 OK(3)", "2->1 OK(2)", "tick", "tick", "1 times out (wait)",
			},
			Sends: "1->2 selected(3), 1->3 selected(3), 1->4 selected(3)",
			Then:  map[model.ID]string{1: "names 3"},
		},
		{
			Says: "Table 2: one message more than its columns add up to", Variant: "to-one",
			Setting: "n=4 start=coordinator-down",
			Run: []string{
				"1 suspects 4", "1->2 election", "1->3 election", "3->1 OK(3)", "2->1 OK(2)", "tick", "tick", "1 times out (wait)",
			},
			Sends: "1->3 selected(3)",
			Then:  map[model.ID]string{1: "names 3"},
		},
		{
			Says: "The newly elected leader then sends an election message to nodes with greater ID numbers: figure 1, (a) to (d).",
			// The figure has the nodes up to 5 and a coordinator that has crashed.
			Setting: "n=6 start=coordinator-down losses=1",
			Run:     verifying,
			Sends:   "4->5 election, 4->6 election",
			Then:    map[model.ID]string{2: "names 4", 4: "names 4, in an election"},
		},
		{
			Says: "If the leader receives a response from nodes with ID numbers greater than its own, it introduces the greatest one " +
				"as the new leader: figure 1, (e) and (f).",
			Setting: "n=6 start=coordinator-down losses=1",
			Run: append(verifying[:len(verifying):len(verifying)],
				"4->5 election", "5->4 OK(5)", "2->1 selected(4)", "2->3 selected(4)", "2->5 selected(4)", "tick", "tick",
				"4 times out (wait)"),
			Sends: "4->1 coordinator(5), 4->2 coordinator(5), 4->3 coordinator(5), 4->5 coordinator(5), 4->6 coordinator(5)",
			Then:  map[model.ID]string{4: "names 5", 5: "names 4"},
		},
		{
			Says:    "Otherwise, it remains unchanged.",
			Setting: "n=3 start=coordinator-down",
			Run: []string{
				"1 suspects 3", "1->2 election", "2->1 OK(2)", "tick", "tick", "1 times out (wait)", "1->2 selected(2)", "tick", "tick",
				"2 times out (wait)",
			},
			Then: map[model.ID]string{1: "names 2", 2: "names 2"},
		},
	}
	play.Show(t, effatparvar.Algorithm, "", "", sentences)
}

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 start=settled losses=1 crashes=1", effatparvar.Readings...)
}

// Where one node notices and nothing is lost, an election takes the same number
// of messages whatever the order in which they arrive. Of those that section
// 5.1 counts, the crashed leader's response is never sent.
func TestMessagesOfOneNode(t *testing.T) {
	tests := []struct {
		variant  string
		messages func(n, i int) int
	}{
		{"unverified", func(n, i int) int { return 2*(n-i) + n - 2 }},
		{"to-all", func(n, i int) int { return 2*(n-i) + n - 1 }},
		{"to-one", func(n, i int) int { return 2*(n-i) + n }},
	}
	for _, tt := range tests {
		for n := 2; n <= 6; n++ {
			for i := 1; i < n; i++ {
				setting := fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, i)
				r := play.Costs(t, system(t, tt.variant, setting))
				want := tt.messages(n, i)
				if i == n-1 {
					want = n // it asks the crashed leader and tells all others
				}
				c := r.Cost(cost.Measure{})
				assert.Equal(t, []int{want, want}, []int{c.Best, c.Worst}, "%s: %s", tt.variant, setting)
				assert.Equal(t, n-1-i, r.Cost(cost.Measure{Kind: "OK"}).Worst, "%s: %s", tt.variant, setting)
			}
		}
	}
}
