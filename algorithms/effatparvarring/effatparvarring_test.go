package effatparvarring_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/effatparvarring"
	"bullyproof/algorithms/internal/play"
	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/model"
	"bullyproof/setting"
)

var system = play.In(effatparvarring.Algorithm)

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 topology=ring:repaired start=coordinator-down crashes=1", effatparvarring.Readings...)
}

// Each test has a sentence of section 3 and a run that shows it. The ring is 1,
// 3, 2, 4, and 4, which was leader, has crashed: 2 sends to 1.
func TestSentences(t *testing.T) {
	sentences := []play.Sentence{
		{
			Variant: "suppresses", Says: "when a node notices that the leader has crashed, it sends its ID number to its neighboring node in the ring",
			Run:   []string{"1 suspects 4"},
			Sends: "1->3 ID 1",
			Then:  map[model.ID]string{1: "names 4, in an election"},
		},
		{
			Variant: "suppresses", Says: "the receiving node compares the received ID with its own, and forwards whichever is the greatest",
			Run:   []string{"1 suspects 4", "prev->3 ID 1"},
			Sends: "3->2 ID 3",
			Then:  map[model.ID]string{3: "names 4, in an election"},
		},
		{
			Variant: "suppresses", Says: "such that only the greatest ID remains in the ring",
			Run:   []string{"1 suspects 4", "prev->3 ID 1", "prev->2 ID 3"},
			Sends: "2->1 ID 3",
		},
		{
			Variant: "suppresses", Says: "thus, preventing smaller IDs from being sent",
			Run: []string{"1 suspects 4", "3 suspects 4", "prev->3 ID 1"},
		},
		{
			Variant: "literal", Says: "forwards whichever is the greatest",
			Run:   []string{"1 suspects 4", "3 suspects 4", "prev->3 ID 1"},
			Sends: "3->2 ID 3",
		},
		{
			Variant: "suppresses", Says: "it declares itself as the leader by sending a coordinate message into the ring",
			Run:   []string{"3 suspects 4", "prev->2 ID 3", "prev->1 ID 3", "prev->3 ID 3"},
			Sends: "3->2 coordinate 3",
			Then:  map[model.ID]string{3: "names 3"},
		},
		{
			Variant: "informer", Says: "Finally, the greatest ID returns back to the initial node",
			Run:   []string{"1 suspects 4", "prev->3 ID 1 by 1", "prev->2 ID 3 by 1", "prev->1 ID 3 by 1"},
			Sends: "1->3 coordinate 3 by 1",
			Then:  map[model.ID]string{1: "names 3", 3: "names 4"},
		},
		{
			Variant: "sender-only", Says: "If the received ID equals that of the initial sender",
			Run:  []string{"1 suspects 4", "prev->3 ID 1 by 1", "prev->2 ID 3 by 1", "prev->1 ID 3 by 1"},
			Then: map[model.ID]string{1: "names 4, in an election", 3: "names 4"},
		},
	}
	play.Show(t, effatparvarring.Algorithm, "", "n=4 topology=ring:repaired arrangement=1-3-2-4 start=coordinator-down channels=fifo timing=patient", sentences)
}

// The repair: a message that has gone N steps is taken out of the ring, and who
// hears of no leader in time sends its id again.
func TestRepaired(t *testing.T) {
	p := play.Start(t, system(t, "repaired",
		"n=4 topology=ring:repaired arrangement=1-3-2-4 start=coordinator-down channels=fifo timing=patient crashes=1"))
	p.Do("3 suspects 4")
	assert.Equal(t, "3->2 ID 3, step 1", p.Sent())
	p.Do("3 crashes", "prev->2 ID 3, step 1", "prev->1 ID 3, step 2", "prev->2 ID 3, step 3", "prev->1 ID 3, step 4")
	assert.Empty(t, p.Sent())
	p.Do("1 times out (patience)")
	assert.Equal(t, "1->2 ID 1, step 1", p.Sent())
	p.Do("prev->2 ID 1, step 1", "2 times out (patience)", "prev->1 ID 2, step 1", "prev->2 ID 2, step 2")
	assert.Equal(t, "names 2", p.Of(2))
}

// Messages at least and at most, over all arrangements, where all that are up
// may notice, one of four to one of six having crashed.
func TestCounts(t *testing.T) {
	tests := []struct {
		variant     string
		n           int
		best, worst int
	}{
		{"suppresses", 4, 6, 9},
		{"suppresses", 5, 8, 14},
		{"suppresses", 6, 10, 20},
		{"literal", 4, 6, 21},
		{"informer", 4, 6, 12},
	}
	for _, tt := range tests {
		if testing.Short() && tt.n > 5 {
			continue
		}
		setting := fmt.Sprintf("n=%d topology=ring:repaired start=coordinator-down channels=fifo timing=patient", tt.n)
		assert.Equal(t, [2]int{tt.best, tt.worst}, play.Takes(t, system(t, tt.variant, setting), cost.Measure{}), "%s, %s", tt.variant, setting)
	}
}

// Whether a leader is found where the lowest of three nodes notices, in each
// reading.
func ExampleProtocol() {
	for _, reading := range effatparvarring.Algorithm.Variants[:4] {
		sys, err := reading.New(setting.Must("n=3 topology=ring:repaired start=coordinator-down detectors=1"))
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{checker.ReElection}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s\n", reading.Name, report.Verdict())
	}
	// Output:
	// suppresses: holds
	// literal: holds
	// informer: holds
	// sender-only: violated
}
