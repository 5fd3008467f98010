package kabashi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/kabashi"
	"bullyproof/algorithms/murshedallen"
	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
)

// Each test has a sentence of the paper, where it stands, and a run that shows
// it: what its last action sends, and what processes are in then.
func TestSentencesOfThePaper(t *testing.T) {
	sentences := []play.Sentence{
		{
			Says: "If P_i has the second minimum ID, it sends the COORDINATOR_i message to notify the other processes that P_i " +
				"is now the coordinator.",
			Where: "rule 1a", Setting: "n=4 start=coordinator-down",
			Run:   []string{"2 suspects 1"},
			Sends: "2->1 COORDINATOR(2), 2->3 COORDINATOR(2), 2->4 COORDINATOR(2)",
			Then:  map[model.ID]string{2: "names 2"},
		},
		{
			Says: "If P_i does not have the second minimum ID, it sends the ELECTION message to all processes (broadcasts) " +
				"and waits for responses.",
			Where: "rule 1b", Setting: "n=4 start=coordinator-down",
			Run:   []string{"3 suspects 1"},
			Sends: "3->1 ELECTION, 3->2 ELECTION, 3->4 ELECTION",
			Then:  map[model.ID]string{3: "names nobody, in an election"},
		},
		{
			Says: "If process P_i does not receive any responses, then it becomes the coordinator and sends COORDINATOR_i " +
				"message.",
			Where: "rule 2", Setting: "n=3 start=coordinator-down crashes=1",
			Run:   []string{"2 crashes", "3 suspects 1", "tick", "tick", "3 times out (T)"},
			Sends: "3->1 COORDINATOR(3), 3->2 COORDINATOR(3)",
			Then:  map[model.ID]string{3: "names 3"},
		},
		{
			Says:  "If it has the second minimum ID, it sends a COORDINATOR_j message.",
			Where: "rule 3a", Setting: "n=4 start=coordinator-down",
			Run:   []string{"4 suspects 1", "4->2 ELECTION"},
			Sends: "2->1 COORDINATOR(2), 2->3 COORDINATOR(2), 2->4 COORDINATOR(2)",
			Then:  map[model.ID]string{2: "names 2"},
		},
		{
			Says:  "If it does not have the second minimum ID, it sends an OK_j message.",
			Where: "rule 3b", Setting: "n=4 start=coordinator-down",
			Run:   []string{"4 suspects 1", "4->3 ELECTION"},
			Sends: "3->4 OK(3)",
			Then:  map[model.ID]string{3: "names 1"},
		},
		{
			Says:  "It determines that it has a smaller ID than the P_i, then",
			Where: "rule 3, where it has not", Setting: "n=4 start=coordinator-down",
			Run: []string{"3 suspects 1", "3->4 ELECTION"},
		},
		{
			Says:  "if (j is the second minimum id) then broadcast(coordinator_j)",
			Where: "pseudocode, whoever asks", Variant: "pseudocode", Setting: "n=3 start=cold initiators=3:lazy",
			Run:   []string{"3 starts an election", "3->2 ELECTION"},
			Sends: "2->1 COORDINATOR(2), 2->3 COORDINATOR(2)",
		},
		{
			Says:  "send(OK_i)",
			Where: "pseudocode, to the letter", Variant: "pseudocode-letter", Setting: "n=4 start=coordinator-down",
			Run:   []string{"4 suspects 1", "4->3 ELECTION"},
			Sends: "3->4 OK(4)",
		},
		{
			Says: "The process P_i, after receiving the responses from all processes with smaller ID, selects the process with " +
				"the smallest ID P_k as the coordinator and sends a COORDINATOR_k message to all processes.",
			Where: "rule 4, Fig. 1c", Variant: "sparse", Setting: "n=5 start=coordinator-down crashes=1",
			Run: []string{
				"2 crashes", "5 suspects 1", "5->4 ELECTION", "4->5 OK(4)", "5->3 ELECTION", "3->5 OK(3)", "tick", "tick",
				"5 times out (T)",
			},
			Sends: "5->1 COORDINATOR(3), 5->2 COORDINATOR(3), 5->3 COORDINATOR(3), 5->4 COORDINATOR(3)",
			Then:  map[model.ID]string{5: "names 3", 3: "names 1"},
		},
		{
			Says: "It has the minimum ID, it sends a COORDINATOR_x message to all processes to notify them that it is the new " +
				"coordinator.",
			Where: "rule 5a", Setting: "n=3 start=settled joins=1 joiners=1",
			Run:   []string{"1 joins"},
			Sends: "1->2 COORDINATOR(1), 1->3 COORDINATOR(1)",
			Then:  map[model.ID]string{1: "names 1", 2: "names 2"},
		},
		{
			Says:  "Otherwise, it sends a QUERY message to all active processes (broadcasts).",
			Where: "rule 5b", Setting: "n=3 start=settled joins=1 joiners=2",
			Run:   []string{"2 joins"},
			Sends: "2->1 QUERY, 2->3 QUERY",
			Then:  map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			Says:  "The coordinator answers with CID_c message, where c is the ID of the coordinator.",
			Where: "rule 5b", Setting: "n=3 start=settled joins=1 joiners=2",
			Run:   []string{"2 joins", "2->1 QUERY"},
			Sends: "1->2 CID(1)",
		},
		{
			Says:  "If the ID of P_x is smaller than c, then it becomes the coordinator and it sends the COORDINATOR_x message.",
			Where: "rule 5b, Fig. 2b", Variant: "sparse", Setting: "n=3 start=settled joins=1 joiners=1",
			Run:   []string{"1 joins", "1->2 QUERY", "2->1 CID(2)"},
			Sends: "1->2 COORDINATOR(1), 1->3 COORDINATOR(1)",
			Then:  map[model.ID]string{1: "names 1"},
		},
		{
			Says:  "The coordinator answers with CID_c message: nobody else does.",
			Where: "rule 5b, who does not answer", Setting: "n=3 start=settled joins=1 joiners=2",
			Run:  []string{"2 joins", "2->3 QUERY"},
			Then: map[model.ID]string{3: "names 1"},
		},
		{
			Says:  "If the ID of P_x is smaller than c, then it becomes the coordinator: otherwise it follows.",
			Where: "rule 5b, where it is not smaller", Setting: "n=3 start=settled joins=1 joiners=2",
			Run:  []string{"2 joins", "2->1 QUERY", "1->2 CID(1)"},
			Then: map[model.ID]string{2: "names 1"},
		},
		{
			Says:  "procedure joiningTheSystem: broadcast(query)",
			Where: "pseudocode, with the minimum ID", Variant: "pseudocode", Setting: "n=3 start=settled joins=1 joiners=1",
			Run:   []string{"1 joins"},
			Sends: "1->2 QUERY, 1->3 QUERY",
			Then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says:  "if (any ok message received) then find smallest id c from the responses; broadcast(coordinator_c)",
			Where: "pseudocode, though it has been told", Variant: "goes-on", Setting: "n=4 start=coordinator-down",
			Run: []string{
				"4 suspects 1", "4->2 ELECTION", "4->3 ELECTION", "3->4 OK(3)", "2->4 COORDINATOR(2)", "tick",
				"2->3 COORDINATOR(2)", "tick", "4 times out (T)",
			},
			Sends: "4->1 COORDINATOR(3), 4->2 COORDINATOR(3), 4->3 COORDINATOR(3)",
			Then:  map[model.ID]string{2: "names 2", 3: "names 2", 4: "names 3"},
		},
		{
			Says:  "All the other processes will acknowledge the role of that process as the coordinator.",
			Where: "section I, rule 6 where the ID is not higher", Setting: "n=4 start=coordinator-down",
			Run:  []string{"4 suspects 1", "2 suspects 1", "2->4 COORDINATOR(2)"},
			Then: map[model.ID]string{4: "names 2"},
		},
		{
			Says:  "Of two that notice, the lower goes first.",
			Where: "the variant asks-first", Variant: "asks-first", Setting: "n=4 start=coordinator-down",
			Run: []string{
				"4 suspects 1", "3 suspects 1", "4->3 NOTICED(1)", "3->4 HOLD", "tick", "3->2 NOTICED(1)", "3->4 NOTICED(1)",
				"4->2 NOTICED(1)", "tick", "3 times out (T)",
			},
			Sends: "3->1 ELECTION, 3->2 ELECTION, 3->4 ELECTION",
			Then:  map[model.ID]string{3: "names nobody, in an election", 4: "names 1"},
		},
		{
			Says: "If it is true, then it sends a COORDINATOR_w message to the all processes to notify them that now P_w is " +
				"the new coordinator.",
			Where: "rule 6, Fig. 3", Setting: "n=4 start=cold initiators=2:lazy",
			Run:   []string{"2 starts an election", "2->1 COORDINATOR(2)"},
			Sends: "1->2 COORDINATOR(1), 1->3 COORDINATOR(1), 1->4 COORDINATOR(1)",
			Then:  map[model.ID]string{1: "names 1"},
		},
	}
	play.Show(t, kabashi.Algorithm, "", "", sentences)
}

// Every reading is a protocol that the world can run.
func TestProtocol(t *testing.T) {
	for _, in := range []string{"n=2 start=settled crashes=1 restarts=1 mid-send=yes", "n=2 start=settled joins=1", "n=2"} {
		play.Protocols(t, in, kabashi.Readings...)
	}
}

// takes returns what an election takes by a measure, at best and at worst.
func takes(t *testing.T, a *ledger.Algorithm, variant, setting string, m cost.Measure) [2]int {
	t.Helper()
	return play.Takes(t, play.System(t, a, variant, setting), m)
}

// What is sent where process p alone notices that 1 has failed, whatever
// happens: p below the second minimum ID asks once, p-3 answer OK, 2 announces
// itself. Where p goes on all the same, it announces its choice and 2 objects.
func TestCostOfOneDetector(t *testing.T) {
	most := 5
	if *play.Deep {
		most = 7
	}
	for n := 3; n <= most; n++ {
		for p := 2; p <= n; p++ {
			ops, sent, extra := 1, n-1, 0
			if p > 2 {
				ops, sent, extra = p-1, 2*(n-1)+p-3, 2
			}
			setting := fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, p)
			operations := cost.Measure{Unit: cost.Operations}
			assert.Equal(t, [2]int{ops, ops}, takes(t, kabashi.Algorithm, "prose", setting, operations), setting)
			assert.Equal(t, [2]int{sent, sent}, takes(t, kabashi.Algorithm, "prose", setting, cost.Measure{}), setting)
			assert.Equal(t, [2]int{ops + extra, ops + extra}, takes(t, kabashi.Algorithm, "goes-on", setting, operations), setting)
		}
	}
}

// What claims say of other algorithms for comparison.
func TestFiguresOfOthers(t *testing.T) {
	for d := 1; d <= 2; d++ {
		setting := fmt.Sprintf("n=4 start=coordinator-down timing=sync:%d", d)
		for _, v := range []string{"tanenbaum", "coulouris"} {
			assert.Equal(t, 8*d, takes(t, bully.Algorithm, v, setting, cost.Measure{Unit: cost.Ticks})[1], v)
		}
	}
	for n := 3; n <= 4; n++ {
		setting := fmt.Sprintf("n=%d start=coordinator-down detectors=1", n)
		assert.Equal(t, (n-1)*(n-1)+n-1, takes(t, bully.Algorithm, "tanenbaum", setting, cost.Measure{})[0], n)
		setting = fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, n-1)
		assert.Equal(t, n-1, takes(t, bully.Algorithm, "coulouris", setting, cost.Measure{})[0], n)
	}
	for n, want := range map[int]int{3: 9, 4: 23} {
		assert.Equal(t, want, takes(t, bully.Algorithm, "tanenbaum", fmt.Sprintf("n=%d start=coordinator-down", n), cost.Measure{})[1], n)
	}
	five := takes(t, murshedallen.Algorithm, "rules", "n=5 start=coordinator-down detectors=1", cost.Measure{})
	assert.Equal(t, [2]int{9, 9}, five)
	four := "n=4 start=coordinator-down"
	assert.Equal(t, 16, takes(t, murshedallen.Algorithm, "rules", four, cost.Measure{})[1])
	assert.Equal(t, 5, takes(t, murshedallen.Algorithm, "rules", four, cost.Measure{Unit: cost.Ticks})[1])
}

// The repaired variant has every standard property, whatever processes do.
func TestRepaired(t *testing.T) {
	play.AllKept(t, kabashi.Algorithm, "repaired", []string{
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
	})
}
