package xie_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/xie"
	"bullyproof/cost"
	"bullyproof/model"
	"bullyproof/setting"
)

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=4 topology=biring:repaired start=coordinator-down channels=fifo timing=lockstep crashes=1", xie.Readings...)
}

// down is the ring 1, 2, 3, 4, of which 4 has crashed.
const down = "n=4 topology=biring:repaired arrangement=1-2-3-4 start=coordinator-down channels=fifo timing=lockstep"

// Each test has a sentence of the paper on FCEABR, of its section II or of those
// on Election and Coordinator messages, and a run that shows it.
func TestSentencesOfThePaper(t *testing.T) {
	sentences := []play.Sentence{
		{
			Says: "sending election messages simultaneously by processes which find coordinator crash out to their successor " +
				"and predecessor",
			Run:   []string{"2 suspects 4"},
			Rule:  "1: the coordinator has crashed: send Election to the successor and the predecessor",
			Sends: "2->3 Election(2,2), 2->1 Election(2,2)",
			Then:  map[model.ID]string{2: "names nobody, in an election", 1: "names 4"},
		},
		{
			Says: "two sections format: if process number be larger than coordinator's number, it'll be placed in coordinator " +
				"number section",
			Run:   []string{"2 suspects 4", "tick", "prev->3 Election(2,2)"},
			Sends: "3->1 Election(2,3)",
		},
		{
			Says:  "if it is not larger, it is not",
			Run:   []string{"2 suspects 4", "tick", "next->1 Election(2,2)"},
			Sends: "1->3 Election(2,2)",
		},
		{
			Says:  "more than one process find out that coordinator crashed: nobody's message is stopped",
			Run:   []string{"2 suspects 4", "1 suspects 4", "tick", "prev->2 Election(1,1)"},
			Sends: "2->3 Election(1,2)",
		},
		{
			Says: "at least one process will receive Election messages (which have the same informer number) from its two sides; " +
				"it selects greater ones as coordinator",
			Run: []string{
				"2 suspects 4", "tick", "prev->3 Election(2,2)", "next->1 Election(2,2)", "tick", "prev->1 Election(2,3)",
			},
			Rule:  "3: an informer's Election from both sides: send Coordinator both ways",
			Sends: "1->2 Coordinator(2,3), 1->3 Coordinator(2,3)",
			Then:  map[model.ID]string{1: "names 3", 2: "names nobody, in an election"},
		},
		{
			Says: "if the number of process is odd two neighbor processes make Coordinator messages simultaneously (same as each " +
				"other)",
			Run: []string{
				"2 suspects 4", "tick", "prev->3 Election(2,2)", "next->1 Election(2,2)", "tick", "prev->1 Election(2,3)",
				"next->3 Election(2,2)",
			},
			Sends: "3->1 Coordinator(2,3), 3->2 Coordinator(2,3)",
			Then:  map[model.ID]string{1: "names 3", 3: "names 3"},
		},
		{
			Says: "to inform other processes",
			Run: []string{
				"2 suspects 4", "tick", "prev->3 Election(2,2)", "next->1 Election(2,2)", "tick", "prev->1 Election(2,3)",
				"next->3 Election(2,2)", "tick", "prev->2 Coordinator(2,3)",
			},
			Sends: "2->3 Coordinator(2,3)",
			Then:  map[model.ID]string{2: "names 3"},
		},
		{
			Says: "if a process receives two Coordinator message, it'll stop one of them",
			Run: []string{
				"2 suspects 4", "tick", "prev->3 Election(2,2)", "next->1 Election(2,2)", "tick", "prev->1 Election(2,3)",
				"next->3 Election(2,2)", "tick", "prev->2 Coordinator(2,3)", "next->2 Coordinator(2,3)",
			},
			Rule: "5: the second Coordinator message of an election: stop it",
		},
	}
	play.Show(t, xie.Algorithm, "", down, sentences)
}

// A process keeps a message for a tick, and what comes from the other side in
// that tick meets it.
func TestAtOnce(t *testing.T) {
	sentences := []play.Sentence{
		{
			Says: "it keeps a message",
			Run:  []string{"tick", "prev->2 Election(1,1)"},
		},
		{
			Says:  "after a tick it passes it on",
			Run:   []string{"tick", "prev->2 Election(1,1)", "next->4 Election(1,1)", "tick", "2 times out (pass on)"},
			Sends: "2->3 Election(1,2)",
		},
		{
			Says: "two copies that come in one tick meet",
			Run: []string{
				"tick", "prev->2 Election(1,1)", "next->4 Election(1,1)", "tick", "2 times out (pass on)", "4 times out (pass on)",
				"tick", "prev->3 Election(1,2)", "next->3 Election(1,4)",
			},
			Sends: "3->4 Coordinator(1,4), 3->2 Coordinator(1,4)",
		},
	}
	play.Show(t, xie.Algorithm, "at-once",
		"n=4 topology=biring arrangement=1-2-3-4 initiators=1 channels=fifo timing=lockstep", sentences)
}

// The run of the recorded counterexample goes on with the repair: an election
// that does not end is given up, and another begins.
func TestRepair(t *testing.T) {
	p := play.Start(t, play.System(t, xie.Algorithm, "repaired", down+" crashes=1 detectors=1"))
	p.Do("1 suspects 4", "tick", "prev->2 Election(1,1) of 1", "3 crashes")
	for range 8 {
		p.Do("tick")
	}
	p.Do("1 times out (T)")
	assert.Contains(t, p.Rules(), "repair: an election does not end: forget it and begin one")
	assert.Equal(t, "1->2 Election(1,1) of 2, 1->2 Election(1,1) of 2", p.Sent())
}

// costs returns the least and the most messages and ticks of an election that
// one process begins, over all arrangements.
func costs(variant, text string) (string, error) {
	v, err := xie.Algorithm.Variant(variant)
	if err != nil {
		return "", err
	}
	s, err := setting.Parse(text)
	if err != nil {
		return "", err
	}
	sys, err := v.In(s)
	if err != nil {
		return "", err
	}
	r, err := cost.Of(context.Background(), sys, cost.Options{})
	if err != nil {
		return "", err
	}
	messages, ticks := r.Cost(cost.Measure{}), r.Cost(cost.Measure{Unit: cost.Ticks})
	return fmt.Sprintf("%d..%d in %d..%d", messages.Best, messages.Worst, ticks.Best, ticks.Worst), nil
}

// 2N+3 messages in N+1 ticks, whatever the arrangement; 2N or, for odd N, 2N+2
// where what comes at once is handled at once.
func TestCosts(t *testing.T) {
	tests := []struct {
		n               int
		describes, once string
	}{
		{2, "6..6 in 3..3", "4..4 in 3..3"},
		{3, "9..9 in 4..4", "8..8 in 5..5"},
		{4, "11..11 in 5..5", "8..8 in 7..7"},
		{5, "13..13 in 6..6", "12..12 in 9..9"},
	}
	for _, tt := range tests {
		setting := fmt.Sprintf("n=%d topology=biring initiators=one channels=fifo timing=lockstep", tt.n)
		for variant, want := range map[string]string{"fceabr-describes": tt.describes, "at-once": tt.once} {
			got, err := costs(variant, setting)
			require.NoError(t, err)
			assert.Equal(t, want, got, "%s, N=%d", variant, tt.n)
		}
	}
}

// Four processes, one of which begins: an election takes 2N+3 messages if a
// process passes on what comes first, and N+1 ticks.
func ExampleProtocol() {
	fmt.Println(costs("fceabr-describes", "n=4 topology=biring initiators=one channels=fifo timing=lockstep"))
	// Output: 11..11 in 5..5 <nil>
}
