package bully_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/internal/play"
	"bullyproof/model"
	"bullyproof/setting"
)

// Each test has a sentence of a source, where it stands, and a run that shows
// it: what its last action sends, and what processes are in then.
func TestSentencesOfTheSources(t *testing.T) {
	sentences := []play.Sentence{
		{
			Says:    "A process begins an election when it notices, through timeouts, that the coordinator has failed.",
			Where:   "C, Bully Algorithm, second slide",
			Variant: "coulouris",
			Setting: "n=3 start=coordinator-down",
			Run:     []string{"1 suspects 3"},
			Sends:   "1->2 election, 1->3 election",
			Then:    map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says:    "Several processes may discover this concurrently.",
			Where:   "C, Bully Algorithm, second slide",
			Variant: "coulouris",
			Setting: "n=3 start=coordinator-down",
			Run:     []string{"1 suspects 3", "2 suspects 3"},
			Sends:   "2->3 election",
			Then:    map[model.ID]string{1: "names nobody, in an election", 2: "names nobody, in an election"},
		},
		{
			Says: "The process that knows it has the highest identifier can elect itself as the coordinator simply by " +
				"sending a coordinator message to all processes with lower identifiers.",
			Where:   "C, Bully Algorithm, fourth slide",
			Variant: "coulouris",
			Setting: "n=3 start=cold initiators=3:lazy",
			Run:     []string{"3 starts an election"},
			Sends:   "3->1 coordinator, 3->2 coordinator",
			Then:    map[model.ID]string{3: "names 3"},
		},
		{
			Says: "A process with a lower identifier can begin an election by sending an election message to those " +
				"processes that have a higher identifier and awaiting answer messages in response.",
			Where:   "C, Bully Algorithm, fourth slide",
			Variant: "coulouris",
			Setting: "n=4 start=cold initiators=2:lazy",
			Run:     []string{"2 starts an election"},
			Sends:   "2->3 election, 2->4 election",
			Then:    map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			Says: "If none arrives within time T, the process considers itself the coordinator and sends a coordinator " +
				"message to all processes with lower identifiers announcing this.",
			Where:   "C, Bully Algorithm, fourth slide",
			Variant: "coulouris",
			Setting: "n=3 start=coordinator-down",
			Run:     []string{"2 suspects 3", "tick", "tick", "2 times out (T)"},
			Sends:   "2->1 coordinator",
			Then:    map[model.ID]string{2: "names 2"},
		},
		{
			Says: "If a process p_i receives a coordinator message, it sets its variable elected_i to the identifier of " +
				"the coordinator.",
			Where:   "C, Bully Algorithm, fourth slide",
			Variant: "coulouris",
			Setting: "n=3 start=coordinator-down",
			Run:     []string{"2 suspects 3", "tick", "tick", "2 times out (T)", "2->1 coordinator"},
			Then:    map[model.ID]string{1: "names 2"},
		},
		{
			Says: "If a process receives an election message, it sends back an answer message and begins another " +
				"election.",
			Where:   "C, Bully Algorithm, fourth slide",
			Variant: "coulouris",
			Setting: "n=3 start=coordinator-down",
			Run:     []string{"1 suspects 3", "1->2 election"},
			Sends:   "2->1 answer, 2->3 election",
			Then:    map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			Says:    "An individual process does not call more than one election at a time.",
			Where:   "C, Election Introduction, first slide",
			Variant: "coulouris",
			Setting: "n=3 start=coordinator-down",
			Run:     []string{"2 suspects 3", "1 suspects 3", "1->2 election"},
			Sends:   "2->1 answer",
		},
		{
			Says: "The process with the second-highest identifier notices the coordinator's failure. Then it can " +
				"immediately elect itself and send N-2 coordinator messages.",
			Where:   "C, Bully Algorithm, last slide but one",
			Variant: "coulouris-knows",
			Setting: "n=5 start=coordinator-down",
			Run:     []string{"4 suspects 5"},
			Sends:   "4->1 coordinator, 4->2 coordinator, 4->3 coordinator",
			Then:    map[model.ID]string{4: "names 4"},
		},
		{
			Says:    "Best case performance N-1.",
			Where:   "C, Ring-based vs Bully: the election message to the failed process counts",
			Variant: "coulouris",
			Setting: "n=5 start=coordinator-down",
			Run:     []string{"4 suspects 5"},
			Sends:   "4->5 election",
		},
		{
			Says: "A process that replaces a crashed process p may decide that it has the highest identifier just as " +
				"another process (which has detected p's crash) decides that it has the highest identifier.",
			Where:   "C, Bully Algorithm, fifth slide",
			Variant: "coulouris",
			Setting: "n=3 start=coordinator-down restarts=1",
			Run:     []string{"2 suspects 3", "tick", "2->3 election is dropped", "tick", "2 times out (T)", "3 restarts"},
			Sends:   "3->1 coordinator, 3->2 coordinator",
			Then:    map[model.ID]string{2: "names 2", 3: "names 3"},
		},
		{
			Says:    "If P has the highest process id, it sends a Victory message to all other processes and becomes the new Coordinator.",
			Where:   "W, rule 1, when P recovers from failure",
			Variant: "wikipedia",
			Setting: "n=3 start=settled crashes=1 restarts=1",
			Run:     []string{"3 crashes", "3 restarts"},
			Sends:   "3->1 Victory, 3->2 Victory",
			Then:    map[model.ID]string{3: "names 3"},
		},
		{
			Says:    "Otherwise, P broadcasts an Election message to all other processes with higher process IDs than itself.",
			Where:   "W, rule 1, when P recovers from failure",
			Variant: "wikipedia",
			Setting: "n=3 start=settled crashes=1 restarts=1",
			Run:     []string{"2 crashes", "2 restarts"},
			Sends:   "2->3 Election",
			Then:    map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			Says: "If P receives no Answer after sending an Election message, then it broadcasts a Victory message to all " +
				"other processes and becomes the Coordinator.",
			Where:   "W, rule 2",
			Variant: "wikipedia",
			Setting: "n=3 start=coordinator-down",
			Run:     []string{"2 suspects 3", "tick", "tick", "2 times out (T)"},
			Sends:   "2->1 Victory, 2->3 Victory",
			Then:    map[model.ID]string{2: "names 2"},
		},
		{
			Says: "If P receives an Answer from a process with a higher ID, P waits a certain amount of time for another " +
				"process with a higher ID to broadcast a Victory message.",
			Where:   "W, rule 3",
			Variant: "wikipedia",
			Setting: "n=3 start=coordinator-down timing=last-resort",
			Run:     []string{"1 suspects 3", "1->2 Election", "2->1 Answer"},
			Then:    map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says:    "If it does not receive a Victory message in time, it re-broadcasts the Election message.",
			Where:   "W, rule 3",
			Variant: "wikipedia",
			Setting: "n=3 start=coordinator-down crashes=1 timing=last-resort",
			Run:     []string{"1 suspects 3", "1->2 Election", "2->1 Answer", "2 crashes", "1 times out (T')"},
			Sends:   "1->2 Election, 1->3 Election",
		},
		{
			Says: "If P receives an Election message from another process with a lower ID it sends an Answer message back " +
				"and starts a new election.",
			Where:   "W, rule 4, to the letter",
			Variant: "wikipedia-again",
			Setting: "n=3 start=coordinator-down",
			Run:     []string{"2 suspects 3", "1 suspects 3", "1->2 Election"},
			Sends:   "2->1 Answer, 2->3 Election",
		},
		{
			Says:    "If P receives a Coordinator message, it treats the sender as the coordinator.",
			Where:   "W, rule 5, whatever its id",
			Variant: "wikipedia",
			Setting: "n=2 start=coordinator-down restarts=1",
			Run: []string{
				"1 suspects 2", "tick", "1->2 Election is dropped", "tick", "1 times out (T)", "2 restarts", "1->2 Victory", "2->1 Victory",
			},
			Then: map[model.ID]string{1: "names 2", 2: "names 1"},
		},
		{
			Says:    "The process P sends an ELECTION message to all processes with higher numbers and waits for responses.",
			Where:   "K, 1)",
			Variant: "tanenbaum",
			Setting: "n=3 start=coordinator-down",
			Run:     []string{"1 suspects 3"},
			Sends:   "1->2 ELECTION, 1->3 ELECTION",
		},
		{
			Says:    "If no one responds, P wins the election and becomes coordinator.",
			Where:   "K, 2)",
			Variant: "tanenbaum",
			Setting: "n=3 start=coordinator-down timing=last-resort restarts=1",
			Run:     []string{"2 suspects 3", "2->3 ELECTION is dropped", "2 times out (T)"},
			Sends:   "2->1 COORDINATOR, 2->3 COORDINATOR",
			Then:    map[model.ID]string{2: "names 2"},
		},
		{
			Says: "If one process, Q, with a higher number answers with OK, P's job is done and the process Q will continue " +
				"the election procedure.",
			Where:   "K, 3)",
			Variant: "tanenbaum",
			Setting: "n=3 start=coordinator-down",
			Run:     []string{"1 suspects 3", "1->2 ELECTION", "2->1 OK"},
			Then:    map[model.ID]string{1: "names nobody", 2: "names nobody, in an election"},
		},
		{
			Says: "If it happens to be the highest-numbered process currently running, it will win the election and take " +
				"over the coordinator's job.",
			Where:   "K, section II",
			Variant: "tanenbaum",
			Setting: "n=3 start=coordinator-down crashes=2 restarts=1 timing=last-resort",
			Run:     []string{"2 crashes", "2 restarts", "2 times out (T)"},
			Sends:   "2->1 COORDINATOR, 2->3 COORDINATOR",
			Then:    map[model.ID]string{2: "names 2"},
		},
	}
	play.Show(t, bully.Algorithm, "", "", sentences)
}

// system returns the system that a reading is in a setting.
func system(t testing.TB, b model.Protocol[bully.P, bully.M], text string) *model.System {
	t.Helper()
	s, err := setting.Parse(text)
	require.NoError(t, err)
	sys, err := model.New(b, s)
	require.NoError(t, err)
	return sys
}
