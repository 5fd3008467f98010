package fceabr_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/fceabr"
	"bullyproof/algorithms/internal/play"
	"bullyproof/cost"
	"bullyproof/model"
)

var system = play.In(fceabr.Algorithm)

// The ring of the figures, or one like it: 3 begins, and of six processes the
// one across the ring is 6.
const (
	six  = "n=6 topology=biring arrangement=1-3-2-4-6-5 initiators=3 channels=fifo timing=lockstep"
	five = "n=5 topology=biring arrangement=1-2-3-4-5 initiators=3 channels=fifo timing=lockstep"
	down = "n=5 topology=biring:repaired arrangement=1-2-3-4-5 start=coordinator-down channels=fifo timing=lockstep"
)

// Each test has a sentence of the paper and a run that shows it.
func TestSentencesOfThePaper(t *testing.T) {
	sentences := []play.Sentence{
		{
			Says: "V.1: one process such as process 3 in Fig. 4 creates an Election message, and then puts its number in informer " +
				"section and coordinator message's sections, after it puts zero in the surrogate coordinator section",
			Setting: five,
			Run:     []string{"tick", "next->2 Election(3,3,0)"},
			Sends:   "2->1 Election(3,3,2)",
			Then:    map[model.ID]string{3: "names nobody, in an election", 2: "names nobody, in an election", 1: "names nobody"},
		},
		{
			Says: "IV: during election each process should check its number with surrogate coordinator number in addition to " +
				"coordinator",
			Setting: five,
			Run:     []string{"tick", "prev->4 Election(3,3,0)"},
			Sends:   "4->5 Election(3,4,3)",
		},
		{
			Says: "V.2: at least one process such as process 6 in Fig. 5 will receive Election messages (which have the same " +
				"informer number) from its two sides; it doesn't allow the messages to throw again in the network",
			Variant: "at-once", Setting: six,
			Run: []string{
				"tick", "prev->2 Election(3,3,0)", "next->1 Election(3,3,0)", "tick",
				"1 times out (pass Election on)", "2 times out (pass Election on)", "tick",
				"prev->4 Election(3,3,2)", "next->5 Election(3,3,1)", "tick",
				"4 times out (pass Election on)", "5 times out (pass Election on)", "tick",
				"prev->6 Election(3,4,3)", "next->6 Election(3,5,3)",
			},
			Sends: "6->5 Coordinator(6,6,5), 6->4 Coordinator(6,6,5)",
			Then:  map[model.ID]string{6: "names 6", 3: "names nobody, in an election"},
		},
		{
			Says: "IV: if the number of process is odd at the end two neighbor processes will send messages to each other; they " +
				"make Coordinator messages simultaneously (same as each other)",
			Setting: five,
			Run: []string{
				"tick", "prev->4 Election(3,3,0)", "next->2 Election(3,3,0)", "tick",
				"prev->5 Election(3,4,3)", "next->1 Election(3,3,2)", "tick", "prev->1 Election(3,5,4)",
				"next->5 Election(3,3,2)",
			},
			Sends: "5->1 Coordinator(5,5,4), 5->4 Coordinator(5,5,4)",
			Then:  map[model.ID]string{1: "names 5", 5: "names 5"},
		},
		{
			Says: "V.3: they'll tolerate it by replacing the surrogate coordinator to coordinator; it puts the last surrogate " +
				"coordinator into coordinator section, zero into surrogate coordinator section and its own number into informer",
			Setting: down,
			Run:     []string{"3 suspects 5"},
			Sends:   "3->4 SElection(3,4,0), 3->2 SElection(3,4,0)",
			Then:    map[model.ID]string{3: "names 4", 4: "names 5"},
		},
		{
			Says: "V.3: each process in the network which didn't notice about coordinator crash will replace the surrogate " +
				"coordinator to coordinator by receiving this message and then compares its own number with message's surrogate",
			Setting: down,
			Run:     []string{"3 suspects 5", "tick", "next->2 SElection(3,4,0)"},
			Sends:   "2->1 SElection(3,4,2)",
			Then:    map[model.ID]string{2: "names 4", 4: "names 5"},
		},
		{
			Says: "V.4: same as the Coordinator message, at least one process receives message with same label and initiator " +
				"from its two sides",
			Setting: down,
			Run: []string{
				"3 suspects 5", "tick", "next->2 SElection(3,4,0)", "prev->4 SElection(3,4,0)", "tick",
				"next->1 SElection(3,4,2)", "prev->1 SElection(3,4,0)",
			},
			Sends: "1->2 SCoordinator(1,4,2), 1->4 SCoordinator(1,4,2)",
		},
		{
			Says: "V.4: each process which receives two messages with identical labels but different initiators will check the " +
				"initiator numbers and will stop the message with lower initiator",
			Setting: down,
			Run:     []string{"3 suspects 5", "2 suspects 5", "tick", "prev->3 SElection(2,4,0)"},
		},
		{
			Says: "IV: if a process receives two Coordinator or Surrogate coordinator message, it'll stop one of them; V.4: the one " +
				"with lower initiator",
			Setting: five,
			Run: []string{
				"tick", "prev->4 Election(3,3,0)", "next->2 Election(3,3,0)", "tick",
				"prev->5 Election(3,4,3)", "next->1 Election(3,3,2)", "tick", "prev->1 Election(3,5,4)",
				"next->5 Election(3,3,2)", "tick", "next->5 Coordinator(1,5,4)",
			},
			Then: map[model.ID]string{1: "names 5", 5: "names 5"},
		},
		{
			Says:    "V.4: throw it in the network to inform other processes about new surrogate coordinator",
			Setting: down,
			Run: []string{
				"3 suspects 5", "tick", "next->2 SElection(3,4,0)", "prev->4 SElection(3,4,0)", "tick",
				"next->1 SElection(3,4,2)", "prev->1 SElection(3,4,0)", "tick", "prev->2 SCoordinator(1,4,2)",
			},
			Sends: "2->3 SCoordinator(1,4,2)",
			Then:  map[model.ID]string{2: "names 4"},
		},
		{
			Says: "V.1: when there is no coordinator in the system (here: it has crashed, and its surrogate, too) one process " +
				"creates an Election message",
			Setting: down + " crashes=1",
			Run:     []string{"4 crashes", "3 suspects 5", "3 suspects 4"},
			Sends:   "3->1 Election(3,3,0), 3->2 Election(3,3,0)",
			Then:    map[model.ID]string{3: "names nobody, in an election"},
		},
	}
	play.Show(t, fceabr.Algorithm, "", "", sentences)
}

func TestProtocol(t *testing.T) {
	play.Protocols(t, fceabr.Algorithm.Variants[0].Setting.String(), fceabr.Readings...)
}

// What one election costs where messages are handled one at a time, over all
// arrangements and orders of arrival: from 2N+2 messages on.
func TestCostOfOneInitiator(t *testing.T) {
	tests := []struct {
		n, best, worst int
		channels       string
	}{
		{3, 8, 11, "fifo"},
		{4, 10, 14, "fifo"},
		{5, 12, 18, "fifo"},
		{3, 8, 11, "unordered"},
		{4, 10, 16, "unordered"},
	}
	for _, tt := range tests {
		if testing.Short() && tt.n > 4 {
			continue
		}
		setting := fmt.Sprintf("n=%d topology=biring initiators=one channels=%s timing=patient", tt.n, tt.channels)
		r := play.Costs(t, system(t, "", setting))
		require.Empty(t, r.Why)
		c := r.Cost(cost.Measure{})
		assert.Equal(t, []int{tt.best, tt.worst}, []int{c.Best, c.Worst}, setting)
	}
}
