package murshedallen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/murshedallen"
	"bullyproof/cost"
	"bullyproof/model"
)

// Each test has a sentence of section III, its rule, and a run that shows it:
// what its last action sends, and what processes are in then. Of four processes
// 3 and 4 are Candidates, of five 3, 4 and 5.
func TestSentencesOfThePaper(t *testing.T) {
	sentences := []play.Sentence{
		{
			Says: "If it belongs to the Ordinary set it sends the election message to Candidate processes and waits to " +
				"receive an OK message.",
			Where: "rule 1a", Setting: "n=4 start=coordinator-down",
			Run:   []string{"1 suspects 4"},
			Sends: "1->3 election(1,4), 1->4 election(1,4)",
			Then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says: "If it does not receive any answer from any Candidate process, then it sends the election message to the " +
				"Ordinary processes that have higher IDs.",
			Where: "rule 1a, second phase", Setting: "n=4 start=coordinator-down crashes=1",
			Run:   []string{"3 crashes", "1 suspects 4", "tick", "tick", "1 times out (T)"},
			Sends: "1->2 election(1,4)",
			Then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says: "If it belongs to the Candidate set it sends an election message to the Candidate processes that have " +
				"higher IDs.",
			Where: "rule 1b", Setting: "n=5 start=coordinator-down",
			Run:   []string{"3 suspects 5"},
			Sends: "3->4 election(3,5), 3->5 election(3,5)",
			Then:  map[model.ID]string{3: "names nobody, in an election"},
		},
		{
			Says:  "When a process receives the election message, it answers with an OK message and attaches its ID to it.",
			Where: "rule 2", Setting: "n=4 start=coordinator-down",
			Run:   []string{"1 suspects 4", "1->3 election(1,4)"},
			Sends: "3->1 OK(3)",
			Then:  map[model.ID]string{3: "names 4"},
		},
		{
			Says:  "The respective answer message contains the process IDs of the leader and Candidate set.",
			Where: "rule 1, as an answer to election", Variant: "answers-leader", Setting: "n=4 start=coordinator-down",
			Run: []string{
				"3 suspects 4", "tick", "tick", "3 times out (T)", "2 suspects 4", "2->3 election(2,4)",
			},
			Sends: "3->2 answer(3,{3,4})",
		},
		{
			Says: "The electioneer process, after receiving all OK messages, selects the process with the highest ID as the " +
				"coordinator and sends the coordinator message, to which it attaches the ID of the coordinator and the Candidate " +
				"set, to all processes.",
			Where: "rule 3", Setting: "n=5 start=coordinator-down",
			Run: []string{
				"1 suspects 5", "1->3 election(1,5)", "3->1 OK(3)", "1->4 election(1,5)", "4->1 OK(4)", "tick", "tick",
				"1 times out (T)",
			},
			Sends: "1->2 coordinator(4,{3,4,5}), 1->3 coordinator(4,{3,4,5}), 1->4 coordinator(4,{3,4,5}), 1->5 coordinator(4,{3,4,5})",
			Then:  map[model.ID]string{1: "names 4", 4: "names 5"},
		},
		{
			Says:  "If it belongs to the Ordinary set it sends a query message to the Candidate processes;",
			Where: "rule 4a", Setting: "n=4 start=settled joins=1 joiners=1",
			Run:   []string{"1 joins"},
			Sends: "1->3 query, 1->4 query",
			Then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says: "otherwise, if it belongs to the Candidate set, it sends a query message to the Candidate processes that " +
				"have higher IDs.",
			Where: "rule 4a, Candidate", Setting: "n=4 start=settled joins=1 joiners=3",
			Run:   []string{"3 joins"},
			Sends: "3->4 query",
		},
		{
			Says: "When a process receives a query message, it answers with an answer message, to which it attaches the ID of " +
				"the coordinator and the Candidate set.",
			Where: "rule 4b", Setting: "n=4 start=settled joins=1 joiners=1",
			Run:   []string{"1 joins", "1->3 query"},
			Sends: "3->1 answer(4,{3,4})",
		},
		{
			Says: "If the process which receives the answer message has a higher ID than the ID of the current coordinator, it " +
				"initiates a new election procedure.",
			Where: "rule 4c, where nobody answers", Setting: "n=4 start=settled joins=2 joiners=3,4",
			Run:   []string{"3 joins", "3->4 query is dropped", "tick", "tick", "3 times out (T)"},
			Sends: "3->4 election(3,0)",
		},
		{
			Says: "If the process which receives the answer message has a higher ID than the ID of the current coordinator, it " +
				"initiates a new election procedure.",
			Where: "rule 4c, where a Candidate follows a lower process", Setting: "n=4 start=settled joins=3 joiners=2,3,4",
			Run: []string{
				"2 joins", "2->3 query is dropped", "2->4 query is dropped", "tick", "tick", "2 times out (T)",
				"2->3 election(2,0) is dropped", "2->4 election(2,0) is dropped", "tick", "tick", "2 times out (T)",
				"2->3 coordinator(2,{3,4}) is dropped", "4 joins", "2->4 coordinator(2,{3,4})",
				"3 joins", "3->4 query", "4->3 answer(2,{3,4})",
			},
			Sends: "3->4 election(3,0)",
			Then:  map[model.ID]string{3: "names nobody, in an election", 4: "names 2"},
		},
		{
			Says: "Any Candidate process has a higher identifier than any Ordinary process; the set cardinality must be " +
				"rearranged.",
			Where: "section III.A", Variant: "rearranges", Setting: "n=4 start=coordinator-down",
			Run:   []string{"3 suspects 4", "tick", "tick", "3 times out (T)"},
			Sends: "3->1 coordinator(3,{2,3}), 3->2 coordinator(3,{2,3}), 3->4 coordinator(3,{2,3})",
		},
	}
	play.Show(t, murshedallen.Algorithm, "", "", sentences)
}

// system returns the system that a variant is in a setting.
var system = play.In(murshedallen.Algorithm)

// Each reading is a protocol that the world can run.
func TestProtocol(t *testing.T) {
	for _, in := range []string{"n=2 start=settled crashes=1 restarts=1 mid-send=yes", "n=3 start=settled joins=1", "n=2"} {
		play.Protocols(t, in, murshedallen.Readings...)
	}
}

// What is sent where p alone detects that n has failed, and no other fails,
// whatever happens: election to all Candidates above p, an OK from each but n,
// coordinator to all others.
func TestCostOfOneDetector(t *testing.T) {
	most := 6
	if *play.Deep {
		most = 9
	}
	for n := 3; n <= most; n++ {
		for p := 1; p < n; p++ {
			above := n - max(p, n/2)
			want := above + above - 1 + n - 1
			for variant, fewer := range map[string]int{"rules": 0, "goes-on": 0, "tie-breaker": 0, "knows-down": 1} {
				sys := system(t, variant, fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, p))
				assert.Equal(t, [2]int{want - fewer, want - fewer}, play.Takes(t, sys, cost.Measure{}), "%s: %d of %d", variant, p, n)
			}
		}
	}
}

// The repaired variant has every standard property, whatever processes do.
func TestRepaired(t *testing.T) {
	play.AllKept(t, murshedallen.Algorithm, "repaired", []string{
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
	})
}

// What claims say of the Bully algorithm for comparison.
func TestFiguresOfTheBully(t *testing.T) {
	for setting, want := range map[string][2]int{
		"n=5 start=coordinator-down detectors=1": {20, 28},
		"n=3 start=coordinator-down":             {3, 9},
		"n=4 start=coordinator-down":             {4, 23},
	} {
		assert.Equal(t, want, play.Takes(t, play.System(t, bully.Algorithm, "tanenbaum", setting), cost.Measure{}), setting)
	}
}
