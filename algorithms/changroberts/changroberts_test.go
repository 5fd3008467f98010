package changroberts_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/changroberts"
	"bullyproof/algorithms/internal/play"
	"bullyproof/checker"
	"bullyproof/model"
)

var system = play.In(changroberts.Algorithm)

// Each test has a sentence of the slides and a run that shows it. The ring is
// 1, 2, 3: 1 sends to 2, 2 to 3, 3 to 1.
func TestSentencesOfTheSlides(t *testing.T) {
	sentences := []play.Sentence{
		{
			Says: "Initially, every process is marked as a non-participant in an election.",
			Then: map[model.ID]string{1: "names nobody", 2: "names nobody", 3: "names nobody"},
		},
		{
			Says: "Any process can begin an election. It proceeds by marking itself as a participant, placing its identifier " +
				"in an election message and sending it to its clockwise neighbour.",
			Run:   []string{"2 starts an election"},
			Sends: "2->3 election(2)",
			Then:  map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			Says: "If the arrived identifier is greater, then it forwards the message to its neighbour. On forwarding an " +
				"election message in any case, the process marks itself as a participant.",
			Run:   []string{"3 starts an election", "prev->1 election(3)"},
			Sends: "1->2 election(3)",
			Then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says: "If the arrived identifier is smaller and the receiver is not a participant, then it substitutes its own " +
				"identifier in the message and forwards it.",
			Run:   []string{"1 starts an election", "prev->2 election(1)"},
			Sends: "2->3 election(2)",
			Then:  map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			Says: "For any two processes, the one with the larger identifier will not pass on the other's identifier.",
			Run:  []string{"1 starts an election", "2 starts an election", "prev->2 election(1)"},
			Then: map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			Says: "If, however, the received identifier is that of the receiver itself, then this process's identifier must be " +
				"the greatest, and it becomes the coordinator. The coordinator marks itself as a non-participant once more and " +
				"sends an elected message to its neighbour.",
			Run:   []string{"3 starts an election", "prev->1 election(3)", "prev->2 election(3)", "prev->3 election(3)"},
			Sends: "3->1 elected(3)",
			Then:  map[model.ID]string{3: "names 3"},
		},
		{
			Says: "When a process p_i receives an elected message, it marks itself as a non-participant, sets its variable " +
				"elected_i to the identifier in the message and forwards the message to its neighbour.",
			Run: []string{
				"3 starts an election", "prev->1 election(3)", "prev->2 election(3)", "prev->3 election(3)", "prev->1 elected(3)",
			},
			Sends: "1->2 elected(3)",
			Then:  map[model.ID]string{1: "names 3", 2: "names nobody, in an election"},
		},
		{
			Says: "unless it is the new coordinator",
			Run: []string{
				"3 starts an election", "prev->1 election(3)", "prev->2 election(3)", "prev->3 election(3)", "prev->1 elected(3)",
				"prev->2 elected(3)", "prev->3 elected(3)",
			},
			Then: map[model.ID]string{1: "names 3", 2: "names 3", 3: "names 3"},
		},
	}
	play.Show(t, changroberts.Algorithm, "", "n=3 topology=ring arrangement=1-2-3 initiators=all:lazy timing=patient", sentences)
}

var (
	slides   = &changroberts.Protocol{}
	readings = []model.Protocol[changroberts.P, changroberts.M]{slides, changroberts.Once{Protocol: slides}, changroberts.Numbered{Protocol: slides}}
)

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 topology=ring timing=patient", readings...)
}

// "Condition E1 is met." Every arrangement, any initiators, eager and lazy.
func TestSafety(t *testing.T) {
	most := 4
	if *play.Deep {
		most = 5
	}
	for _, v := range changroberts.Algorithm.Variants {
		for n := 2; n <= most; n++ {
			for _, initiators := range []string{"one", "one:lazy", "any", "all", "all:lazy"} {
				for _, channels := range []string{"fifo", "unordered"} {
					if testing.Short() && n > 3 && channels == "unordered" {
						continue
					}
					setting := fmt.Sprintf("n=%d topology=ring initiators=%s channels=%s timing=patient", n, initiators, channels)
					_, broken := play.Searched(t, system(t, v.Name, setting), checker.Election()...)
					assert.Empty(t, broken, "%s, %s", v.Name, setting)
				}
			}
		}
	}
}

// The states that others have counted: every process started before anything
// is delivered, unordered channels, ids that fall in sending direction. A state
// is participant and elected_i of each process and the messages.
//
// That is the reading in which smaller ids are stopped for good. As the slides
// have it, an election message that the elected message has overtaken makes a
// non-participant begin one more election.
func TestCounts(t *testing.T) {
	tests := []struct {
		variant, arrangement, channels string
		states                         uint64
		deep                           bool
	}{
		{"once", "3-2-1", "unordered", 50, false},
		{"once", "4-3-2-1", "unordered", 342, false},
		{"once", "5-4-3-2-1", "unordered", 3_058, false},
		{"once", "6-5-4-3-2-1", "unordered", 34_262, false},
		{"once", "8-7-6-5-4-3-2-1", "unordered", 7_284_070, true},
		{"coulouris", "3-2-1", "unordered", 374, false},
		{"coulouris", "4-3-2-1", "unordered", 7_244, false},
		{"coulouris", "5-4-3-2-1", "unordered", 168_672, false},
		{"coulouris", "6-5-4-3-2-1", "unordered", 4_489_095, true},
		{"coulouris", "5-4-3-2-1", "fifo", 137, false},
		{"once", "5-4-3-2-1", "fifo", 137, false},
	}
	for _, tt := range tests {
		t.Run(tt.variant+" "+tt.arrangement+" "+tt.channels, func(t *testing.T) {
			if testing.Short() && tt.states > 50_000 {
				t.Skip("takes long")
			}
			if tt.deep && !*play.Deep {
				t.Skip("takes long: run with -deep")
			}
			n := (len(tt.arrangement) + 1) / 2
			setting := fmt.Sprintf("n=%d topology=ring arrangement=%s initiators=all channels=%s timing=patient",
				n, tt.arrangement, tt.channels)
			states, broken := play.Searched(t, system(t, tt.variant, setting), checker.Election()...)
			assert.Equal(t, tt.states, states)
			assert.Empty(t, broken)
		})
	}
}
