package bully_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/internal/play"
	"bullyproof/model"
)

// Each test has a sentence of a source, where it stands, and a run that shows
// it: what its last action sends, and what processes are in then.
func TestSentencesOfTheSources(t *testing.T) {
	tests := []struct {
		says, where string
		of          *bully.Protocol
		setting     string
		run         []string
		sends       string
		then        map[model.ID]string
	}{
		{
			says:    "A process begins an election when it notices, through timeouts, that the coordinator has failed.",
			where:   "C, Bully Algorithm, second slide",
			of:      bully.Coulouris,
			setting: "n=3 start=coordinator-down",
			run:     []string{"1 suspects 3"},
			sends:   "1->2 election, 1->3 election",
			then:    map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			says:    "Several processes may discover this concurrently.",
			where:   "C, Bully Algorithm, second slide",
			of:      bully.Coulouris,
			setting: "n=3 start=coordinator-down",
			run:     []string{"1 suspects 3", "2 suspects 3"},
			sends:   "2->3 election",
			then:    map[model.ID]string{1: "names nobody, in an election", 2: "names nobody, in an election"},
		},
		{
			says: "The process that knows it has the highest identifier can elect itself as the coordinator simply by " +
				"sending a coordinator message to all processes with lower identifiers.",
			where:   "C, Bully Algorithm, fourth slide",
			of:      bully.Coulouris,
			setting: "n=3 start=cold initiators=3:lazy",
			run:     []string{"3 starts an election"},
			sends:   "3->1 coordinator, 3->2 coordinator",
			then:    map[model.ID]string{3: "names 3"},
		},
		{
			says: "A process with a lower identifier can begin an election by sending an election message to those " +
				"processes that have a higher identifier and awaiting answer messages in response.",
			where:   "C, Bully Algorithm, fourth slide",
			of:      bully.Coulouris,
			setting: "n=4 start=cold initiators=2:lazy",
			run:     []string{"2 starts an election"},
			sends:   "2->3 election, 2->4 election",
			then:    map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			says: "If none arrives within time T, the process considers itself the coordinator and sends a coordinator " +
				"message to all processes with lower identifiers announcing this.",
			where:   "C, Bully Algorithm, fourth slide",
			of:      bully.Coulouris,
			setting: "n=3 start=coordinator-down",
			run:     []string{"2 suspects 3", "tick", "tick", "2 times out (T)"},
			sends:   "2->1 coordinator",
			then:    map[model.ID]string{2: "names 2"},
		},
		{
			says: "If a process p_i receives a coordinator message, it sets its variable elected_i to the identifier of " +
				"the coordinator.",
			where:   "C, Bully Algorithm, fourth slide",
			of:      bully.Coulouris,
			setting: "n=3 start=coordinator-down",
			run:     []string{"2 suspects 3", "tick", "tick", "2 times out (T)", "2->1 coordinator"},
			then:    map[model.ID]string{1: "names 2"},
		},
		{
			says: "If a process receives an election message, it sends back an answer message and begins another " +
				"election.",
			where:   "C, Bully Algorithm, fourth slide",
			of:      bully.Coulouris,
			setting: "n=3 start=coordinator-down",
			run:     []string{"1 suspects 3", "1->2 election"},
			sends:   "2->1 answer, 2->3 election",
			then:    map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			says:    "An individual process does not call more than one election at a time.",
			where:   "C, Election Introduction, first slide",
			of:      bully.Coulouris,
			setting: "n=3 start=coordinator-down",
			run:     []string{"2 suspects 3", "1 suspects 3", "1->2 election"},
			sends:   "2->1 answer",
		},
		{
			says: "The process with the second-highest identifier notices the coordinator's failure. Then it can " +
				"immediately elect itself and send N-2 coordinator messages.",
			where:   "C, Bully Algorithm, last slide but one",
			of:      bully.CoulourisKnows,
			setting: "n=5 start=coordinator-down",
			run:     []string{"4 suspects 5"},
			sends:   "4->1 coordinator, 4->2 coordinator, 4->3 coordinator",
			then:    map[model.ID]string{4: "names 4"},
		},
		{
			says:    "Best case performance N-1.",
			where:   "C, Ring-based vs Bully: the election message to the failed process counts",
			of:      bully.Coulouris,
			setting: "n=5 start=coordinator-down",
			run:     []string{"4 suspects 5"},
			sends:   "4->5 election",
		},
		{
			says: "A process that replaces a crashed process p may decide that it has the highest identifier just as " +
				"another process (which has detected p's crash) decides that it has the highest identifier.",
			where:   "C, Bully Algorithm, fifth slide",
			of:      bully.Coulouris,
			setting: "n=3 start=coordinator-down restarts=1",
			run:     []string{"2 suspects 3", "tick", "2->3 election is dropped", "tick", "2 times out (T)", "3 restarts"},
			sends:   "3->1 coordinator, 3->2 coordinator",
			then:    map[model.ID]string{2: "names 2", 3: "names 3"},
		},
		{
			says:    "If P has the highest process id, it sends a Victory message to all other processes and becomes the new Coordinator.",
			where:   "W, rule 1, when P recovers from failure",
			of:      bully.Wikipedia,
			setting: "n=3 start=settled crashes=1 restarts=1",
			run:     []string{"3 crashes", "3 restarts"},
			sends:   "3->1 Victory, 3->2 Victory",
			then:    map[model.ID]string{3: "names 3"},
		},
		{
			says:    "Otherwise, P broadcasts an Election message to all other processes with higher process IDs than itself.",
			where:   "W, rule 1, when P recovers from failure",
			of:      bully.Wikipedia,
			setting: "n=3 start=settled crashes=1 restarts=1",
			run:     []string{"2 crashes", "2 restarts"},
			sends:   "2->3 Election",
			then:    map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			says: "If P receives no Answer after sending an Election message, then it broadcasts a Victory message to all " +
				"other processes and becomes the Coordinator.",
			where:   "W, rule 2",
			of:      bully.Wikipedia,
			setting: "n=3 start=coordinator-down",
			run:     []string{"2 suspects 3", "tick", "tick", "2 times out (T)"},
			sends:   "2->1 Victory, 2->3 Victory",
			then:    map[model.ID]string{2: "names 2"},
		},
		{
			says: "If P receives an Answer from a process with a higher ID, P waits a certain amount of time for another " +
				"process with a higher ID to broadcast a Victory message.",
			where:   "W, rule 3",
			of:      bully.Wikipedia,
			setting: "n=3 start=coordinator-down timing=last-resort",
			run:     []string{"1 suspects 3", "1->2 Election", "2->1 Answer"},
			then:    map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			says:    "If it does not receive a Victory message in time, it re-broadcasts the Election message.",
			where:   "W, rule 3",
			of:      bully.Wikipedia,
			setting: "n=3 start=coordinator-down crashes=1 timing=last-resort",
			run:     []string{"1 suspects 3", "1->2 Election", "2->1 Answer", "2 crashes", "1 times out (T')"},
			sends:   "1->2 Election, 1->3 Election",
		},
		{
			says: "If P receives an Election message from another process with a lower ID it sends an Answer message back " +
				"and starts a new election.",
			where:   "W, rule 4, to the letter",
			of:      bully.WikipediaAgain,
			setting: "n=3 start=coordinator-down",
			run:     []string{"2 suspects 3", "1 suspects 3", "1->2 Election"},
			sends:   "2->1 Answer, 2->3 Election",
		},
		{
			says:    "If P receives a Coordinator message, it treats the sender as the coordinator.",
			where:   "W, rule 5, whatever its id",
			of:      bully.Wikipedia,
			setting: "n=2 start=coordinator-down restarts=1",
			run: []string{
				"1 suspects 2", "tick", "1->2 Election is dropped", "tick", "1 times out (T)", "2 restarts", "1->2 Victory", "2->1 Victory",
			},
			then: map[model.ID]string{1: "names 2", 2: "names 1"},
		},
		{
			says:    "The process P sends an ELECTION message to all processes with higher numbers and waits for responses.",
			where:   "K, 1)",
			of:      bully.Tanenbaum,
			setting: "n=3 start=coordinator-down",
			run:     []string{"1 suspects 3"},
			sends:   "1->2 ELECTION, 1->3 ELECTION",
		},
		{
			says:    "If no one responds, P wins the election and becomes coordinator.",
			where:   "K, 2)",
			of:      bully.Tanenbaum,
			setting: "n=3 start=coordinator-down timing=last-resort restarts=1",
			run:     []string{"2 suspects 3", "2->3 ELECTION is dropped", "2 times out (T)"},
			sends:   "2->1 COORDINATOR, 2->3 COORDINATOR",
			then:    map[model.ID]string{2: "names 2"},
		},
		{
			says: "If one process, Q, with a higher number answers with OK, P's job is done and the process Q will continue " +
				"the election procedure.",
			where:   "K, 3)",
			of:      bully.Tanenbaum,
			setting: "n=3 start=coordinator-down",
			run:     []string{"1 suspects 3", "1->2 ELECTION", "2->1 OK"},
			then:    map[model.ID]string{1: "names nobody", 2: "names nobody, in an election"},
		},
		{
			says: "If it happens to be the highest-numbered process currently running, it will win the election and take " +
				"over the coordinator's job.",
			where:   "K, section II",
			of:      bully.Tanenbaum,
			setting: "n=3 start=coordinator-down crashes=2 restarts=1 timing=last-resort",
			run:     []string{"2 crashes", "2 restarts", "2 times out (T)"},
			sends:   "2->1 COORDINATOR, 2->3 COORDINATOR",
			then:    map[model.ID]string{2: "names 2"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.where, func(t *testing.T) {
			p := play.Start(t, system(t, tt.of, tt.setting))
			p.Do(tt.run...)
			assert.Equal(t, tt.sends, p.Sent(), tt.says)
			for id, want := range tt.then {
				assert.Equal(t, want, p.Of(id), "process %v: %s", id, tt.says)
			}
		})
	}
}

// system returns the system that a reading is in a setting.
func system(t testing.TB, b model.Protocol[bully.P, bully.M], setting string) *model.System {
	t.Helper()
	s, err := model.ParseSetting(setting)
	require.NoError(t, err)
	sys, err := model.New(b, s)
	require.NoError(t, err)
	return sys
}
