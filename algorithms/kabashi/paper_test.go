package kabashi_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/kabashi"
	"bullyproof/algorithms/murshedallen"
	"bullyproof/checker"
	"bullyproof/model"
)

// Each test has a sentence of the paper, where it stands, and a run that shows
// it: what its last action sends, and what processes are in then.
func TestSentencesOfThePaper(t *testing.T) {
	tests := []struct {
		says, where, variant, setting string
		run                           []string
		sends                         string
		then                          map[model.ID]string
	}{
		{
			says: "If P_i has the second minimum ID, it sends the COORDINATOR_i message to notify the other processes that P_i " +
				"is now the coordinator.",
			where: "rule 1a", setting: "n=4 start=coordinator-down",
			run:   []string{"2 suspects 1"},
			sends: "2->1 COORDINATOR(2), 2->3 COORDINATOR(2), 2->4 COORDINATOR(2)",
			then:  map[model.ID]string{2: "names 2"},
		},
		{
			says: "If P_i does not have the second minimum ID, it sends the ELECTION message to all processes (broadcasts) " +
				"and waits for responses.",
			where: "rule 1b", setting: "n=4 start=coordinator-down",
			run:   []string{"3 suspects 1"},
			sends: "3->1 ELECTION, 3->2 ELECTION, 3->4 ELECTION",
			then:  map[model.ID]string{3: "names nobody, in an election"},
		},
		{
			says: "If process P_i does not receive any responses, then it becomes the coordinator and sends COORDINATOR_i " +
				"message.",
			where: "rule 2", setting: "n=3 start=coordinator-down crashes=1",
			run:   []string{"2 crashes", "3 suspects 1", "tick", "tick", "3 times out (T)"},
			sends: "3->1 COORDINATOR(3), 3->2 COORDINATOR(3)",
			then:  map[model.ID]string{3: "names 3"},
		},
		{
			says:  "If it has the second minimum ID, it sends a COORDINATOR_j message.",
			where: "rule 3a", setting: "n=4 start=coordinator-down",
			run:   []string{"4 suspects 1", "4->2 ELECTION"},
			sends: "2->1 COORDINATOR(2), 2->3 COORDINATOR(2), 2->4 COORDINATOR(2)",
			then:  map[model.ID]string{2: "names 2"},
		},
		{
			says:  "If it does not have the second minimum ID, it sends an OK_j message.",
			where: "rule 3b", setting: "n=4 start=coordinator-down",
			run:   []string{"4 suspects 1", "4->3 ELECTION"},
			sends: "3->4 OK(3)",
			then:  map[model.ID]string{3: "names 1"},
		},
		{
			says:  "It determines that it has a smaller ID than the P_i, then",
			where: "rule 3, where it has not", setting: "n=4 start=coordinator-down",
			run: []string{"3 suspects 1", "3->4 ELECTION"},
		},
		{
			says:  "if (j is the second minimum id) then broadcast(coordinator_j)",
			where: "pseudocode, whoever asks", variant: "pseudocode", setting: "n=3 start=cold initiators=3:lazy",
			run:   []string{"3 starts an election", "3->2 ELECTION"},
			sends: "2->1 COORDINATOR(2), 2->3 COORDINATOR(2)",
		},
		{
			says:  "send(OK_i)",
			where: "pseudocode, to the letter", variant: "pseudocode-letter", setting: "n=4 start=coordinator-down",
			run:   []string{"4 suspects 1", "4->3 ELECTION"},
			sends: "3->4 OK(4)",
		},
		{
			says: "The process P_i, after receiving the responses from all processes with smaller ID, selects the process with " +
				"the smallest ID P_k as the coordinator and sends a COORDINATOR_k message to all processes.",
			where: "rule 4, Fig. 1c", variant: "sparse", setting: "n=5 start=coordinator-down crashes=1",
			run: []string{
				"2 crashes", "5 suspects 1", "5->4 ELECTION", "4->5 OK(4)", "5->3 ELECTION", "3->5 OK(3)", "tick", "tick",
				"5 times out (T)",
			},
			sends: "5->1 COORDINATOR(3), 5->2 COORDINATOR(3), 5->3 COORDINATOR(3), 5->4 COORDINATOR(3)",
			then:  map[model.ID]string{5: "names 3", 3: "names 1"},
		},
		{
			says: "It has the minimum ID, it sends a COORDINATOR_x message to all processes to notify them that it is the new " +
				"coordinator.",
			where: "rule 5a", setting: "n=3 start=settled joins=1 joiners=1",
			run:   []string{"1 joins"},
			sends: "1->2 COORDINATOR(1), 1->3 COORDINATOR(1)",
			then:  map[model.ID]string{1: "names 1", 2: "names 2"},
		},
		{
			says:  "Otherwise, it sends a QUERY message to all active processes (broadcasts).",
			where: "rule 5b", setting: "n=3 start=settled joins=1 joiners=2",
			run:   []string{"2 joins"},
			sends: "2->1 QUERY, 2->3 QUERY",
			then:  map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			says:  "The coordinator answers with CID_c message, where c is the ID of the coordinator.",
			where: "rule 5b", setting: "n=3 start=settled joins=1 joiners=2",
			run:   []string{"2 joins", "2->1 QUERY"},
			sends: "1->2 CID(1)",
		},
		{
			says:  "If the ID of P_x is smaller than c, then it becomes the coordinator and it sends the COORDINATOR_x message.",
			where: "rule 5b, Fig. 2b", variant: "sparse", setting: "n=3 start=settled joins=1 joiners=1",
			run:   []string{"1 joins", "1->2 QUERY", "2->1 CID(2)"},
			sends: "1->2 COORDINATOR(1), 1->3 COORDINATOR(1)",
			then:  map[model.ID]string{1: "names 1"},
		},
		{
			says:  "The coordinator answers with CID_c message: nobody else does.",
			where: "rule 5b, who does not answer", setting: "n=3 start=settled joins=1 joiners=2",
			run:  []string{"2 joins", "2->3 QUERY"},
			then: map[model.ID]string{3: "names 1"},
		},
		{
			says:  "If the ID of P_x is smaller than c, then it becomes the coordinator: otherwise it follows.",
			where: "rule 5b, where it is not smaller", setting: "n=3 start=settled joins=1 joiners=2",
			run:  []string{"2 joins", "2->1 QUERY", "1->2 CID(1)"},
			then: map[model.ID]string{2: "names 1"},
		},
		{
			says:  "procedure joiningTheSystem: broadcast(query)",
			where: "pseudocode, with the minimum ID", variant: "pseudocode", setting: "n=3 start=settled joins=1 joiners=1",
			run:   []string{"1 joins"},
			sends: "1->2 QUERY, 1->3 QUERY",
			then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			says:  "if (any ok message received) then find smallest id c from the responses; broadcast(coordinator_c)",
			where: "pseudocode, though it has been told", variant: "goes-on", setting: "n=4 start=coordinator-down",
			run: []string{
				"4 suspects 1", "4->2 ELECTION", "4->3 ELECTION", "3->4 OK(3)", "2->4 COORDINATOR(2)", "tick",
				"2->3 COORDINATOR(2)", "tick", "4 times out (T)",
			},
			sends: "4->1 COORDINATOR(3), 4->2 COORDINATOR(3), 4->3 COORDINATOR(3)",
			then:  map[model.ID]string{2: "names 2", 3: "names 2", 4: "names 3"},
		},
		{
			says:  "All the other processes will acknowledge the role of that process as the coordinator.",
			where: "section I, rule 6 where the ID is not higher", setting: "n=4 start=coordinator-down",
			run:  []string{"4 suspects 1", "2 suspects 1", "2->4 COORDINATOR(2)"},
			then: map[model.ID]string{4: "names 2"},
		},
		{
			says:  "Of two that notice, the lower goes first.",
			where: "the variant asks-first", variant: "asks-first", setting: "n=4 start=coordinator-down",
			run: []string{
				"4 suspects 1", "3 suspects 1", "4->3 NOTICED(1)", "3->4 HOLD", "tick", "3->2 NOTICED(1)", "3->4 NOTICED(1)",
				"4->2 NOTICED(1)", "tick", "3 times out (T)",
			},
			sends: "3->1 ELECTION, 3->2 ELECTION, 3->4 ELECTION",
			then:  map[model.ID]string{3: "names nobody, in an election", 4: "names 1"},
		},
		{
			says: "If it is true, then it sends a COORDINATOR_w message to the all processes to notify them that now P_w is " +
				"the new coordinator.",
			where: "rule 6, Fig. 3", setting: "n=4 start=cold initiators=2:lazy",
			run:   []string{"2 starts an election", "2->1 COORDINATOR(2)"},
			sends: "1->2 COORDINATOR(1), 1->3 COORDINATOR(1), 1->4 COORDINATOR(1)",
			then:  map[model.ID]string{1: "names 1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.where, func(t *testing.T) {
			p := play.Start(t, play.System(t, kabashi.Algorithm, tt.variant, tt.setting))
			p.Do(tt.run...)
			assert.Equal(t, tt.sends, p.Sent(), tt.says)
			for id, want := range tt.then {
				assert.Equal(t, want, p.Of(id), "process %v: %s", id, tt.says)
			}
		})
	}
}

// Every combination of readings is a protocol that the world can run.
func TestProtocol(t *testing.T) {
	protocols := []model.Protocol[kabashi.P, kabashi.M]{
		&kabashi.Protocol{}, &kabashi.Protocol{Sparse: true}, &kabashi.Protocol{GoesOn: true}, &kabashi.Protocol{SecondOfAll: true},
		&kabashi.Protocol{KeepsSmaller: true}, &kabashi.Protocol{WaitsForCID: true}, &kabashi.Protocol{Pseudocode: true},
		&kabashi.Protocol{Pseudocode: true, AlwaysQueries: true, GoesOn: true, WaitsForCID: true},
		&kabashi.Protocol{Pseudocode: true, AlwaysQueries: true, GoesOn: true, WaitsForCID: true, OKOfInitiator: true},
		&kabashi.Repaired{Protocol: &kabashi.Protocol{KeepsSmaller: true}}, kabashi.AsksFirst{Protocol: &kabashi.Protocol{}},
	}
	for _, p := range protocols {
		for _, setting := range []string{"n=2 start=settled crashes=1 restarts=1 mid-send=yes", "n=3 start=settled joins=1", "n=2"} {
			s, err := model.ParseSetting(setting)
			require.NoError(t, err)
			assert.NoError(t, checker.TestProtocol(p, s), "%+v in %s", p, setting)
		}
	}
}

// cost returns what an election costs by a measure, at best and at worst.
func cost(t *testing.T, a *checker.Algorithm, variant, setting string, m checker.Measure) [2]int {
	t.Helper()
	r, err := checker.Costs(context.Background(), play.System(t, a, variant, setting), checker.CostOptions{})
	require.NoError(t, err)
	c := r.Cost(m)
	return [2]int{c.Best, c.Worst}
}

// What is sent where process p alone notices that 1 has failed, whatever
// happens: p below the second minimum ID asks once, p-3 answer OK, 2 announces
// itself. Where p goes on all the same, it announces its choice and 2 objects.
func TestCostOfOneDetector(t *testing.T) {
	most := 5
	if *deep {
		most = 7
	}
	for n := 3; n <= most; n++ {
		for p := 2; p <= n; p++ {
			ops, sent, extra := 1, n-1, 0
			if p > 2 {
				ops, sent, extra = p-1, 2*(n-1)+p-3, 2
			}
			setting := fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, p)
			operations := checker.Measure{Unit: checker.Operations}
			assert.Equal(t, [2]int{ops, ops}, cost(t, kabashi.Algorithm, "prose", setting, operations), setting)
			assert.Equal(t, [2]int{sent, sent}, cost(t, kabashi.Algorithm, "prose", setting, checker.Measure{}), setting)
			assert.Equal(t, [2]int{ops + extra, ops + extra}, cost(t, kabashi.Algorithm, "goes-on", setting, operations), setting)
		}
	}
}

// What claims say of other algorithms for comparison.
func TestFiguresOfOthers(t *testing.T) {
	for d := 1; d <= 2; d++ {
		setting := fmt.Sprintf("n=4 start=coordinator-down timing=sync:%d", d)
		for _, v := range []string{"tanenbaum", "coulouris"} {
			assert.Equal(t, 8*d, cost(t, bully.Algorithm, v, setting, checker.Measure{Unit: checker.Ticks})[1], v)
		}
	}
	for n := 3; n <= 4; n++ {
		setting := fmt.Sprintf("n=%d start=coordinator-down detectors=1", n)
		assert.Equal(t, (n-1)*(n-1)+n-1, cost(t, bully.Algorithm, "tanenbaum", setting, checker.Measure{})[0], n)
		setting = fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, n-1)
		assert.Equal(t, n-1, cost(t, bully.Algorithm, "coulouris", setting, checker.Measure{})[0], n)
	}
	for n, want := range map[int]int{3: 9, 4: 23} {
		assert.Equal(t, want, cost(t, bully.Algorithm, "tanenbaum", fmt.Sprintf("n=%d start=coordinator-down", n), checker.Measure{})[1], n)
	}
	five := cost(t, murshedallen.Algorithm, "rules", "n=5 start=coordinator-down detectors=1", checker.Measure{})
	assert.Equal(t, [2]int{9, 9}, five)
	four := "n=4 start=coordinator-down"
	assert.Equal(t, 16, cost(t, murshedallen.Algorithm, "rules", four, checker.Measure{})[1])
	assert.Equal(t, 5, cost(t, murshedallen.Algorithm, "rules", four, checker.Measure{Unit: checker.Ticks})[1])
}

// verdict returns the standard properties that are violated.
func verdict(t *testing.T, variant, setting string) (broken []string) {
	t.Helper()
	r, err := checker.Check(context.Background(), play.System(t, kabashi.Algorithm, variant, setting), checker.Options{})
	require.NoError(t, err)
	for _, f := range r.Findings {
		require.NotEqual(t, checker.Incomplete, f.Verdict, "%s in %s", f.Property.Name, setting)
		if f.Verdict == checker.Violated {
			broken = append(broken, f.Property.Name)
		}
	}
	return broken
}

// The repaired variant has every standard property, whatever processes do.
func TestRepaired(t *testing.T) {
	tests := []struct {
		setting string
		deep    bool
	}{
		{"n=3 start=settled crashes=1 joins=1 mid-send=yes", false},
		{"n=3 start=settled joins=2 timing=sync:2", false},
		{"n=3 start=cold initiators=all:lazy", false},
		{"n=3 start=settled crashes=1 restarts=1 mail-down=lost mail-old=lost", false},
		{"n=3 start=settled crashes=2 restarts=1 mid-send=yes", true},
		{"n=3 start=settled crashes=1 restarts=1 joins=1 mid-send=yes", true},
		{"n=3 start=settled crashes=1 restarts=1 mid-send=yes timing=sync:2", true},
		{"n=4 start=settled crashes=2 mid-send=yes timing=sync:2", true},
		{"n=4 start=coordinator-down joins=1 timing=sync:2", true},
		{"n=4 start=settled joins=2", true},
	}
	for _, tt := range tests {
		if tt.deep && !*deep {
			continue // takes long
		}
		assert.Empty(t, verdict(t, "repaired", tt.setting), tt.setting)
	}
}
