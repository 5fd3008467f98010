package franklin_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/franklin"
	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/internal/rings"
	"bullyproof/model"
)

var system = play.In(franklin.Algorithm)

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 topology=biring initiators=all:lazy channels=fifo timing=patient", &franklin.Protocol{}, &franklin.Protocol{Initiators: true})
}

// Each test has a step of the algorithm and a run that shows it. The ring is 1,
// 2, 3: next of 1 is 2, of 2 is 3, of 3 is 1.
func TestSteps(t *testing.T) {
	begin := []string{"1 starts an election", "2 starts an election", "3 starts an election"}
	sentences := []play.Sentence{
		{
			Says:  "an active process sends its id both ways",
			Run:   begin[:2],
			Rule:  "begin: send one's own id both ways",
			Sends: "2->3 candidate(2), 2->1 candidate(2)",
			Then:  map[model.ID]string{2: "names nobody, in an election", 3: "names nobody"},
		},
		{
			Says: "it compares itself with one id from either side",
			Run:  append(begin[:3:3], "prev->2 candidate(1)"),
			Rule: "an id from one side: wait for the other",
		},
		{
			Says: "one of them is greater: it is passive",
			Run:  append(begin[:3:3], "prev->2 candidate(1)", "next->2 candidate(3)"),
			Rule: "one side is greater: become passive",
		},
		{
			Says:  "both are smaller: the next round",
			Run:   append(begin[:3:3], "prev->3 candidate(2)", "next->3 candidate(1)"),
			Rule:  "both sides are smaller: begin the next round",
			Sends: "3->1 candidate(3), 3->2 candidate(3)",
		},
		{
			Says:  "a passive process passes ids on",
			Run:   append(begin[:3:3], "prev->2 candidate(1)", "next->2 candidate(3)", "prev->3 candidate(2)", "next->3 candidate(1)", "next->2 candidate(3)"),
			Rule:  "passive: pass the id on",
			Sends: "2->1 candidate(3)",
		},
		{
			Says:  "its own id comes home: it is elected",
			Run:   append(begin[:3:3], "prev->2 candidate(1)", "next->2 candidate(3)", "prev->3 candidate(2)", "next->3 candidate(1)", "next->2 candidate(3)", "next->1 candidate(2)", "prev->1 candidate(3)", "prev->1 candidate(3)", "next->1 candidate(3)", "prev->2 candidate(3)", "next->3 candidate(3)", "prev->3 candidate(3)"),
			Rule:  "one's own id arrives from both sides: announce oneself elected",
			Sends: "3->1 elected(3)",
			Then:  map[model.ID]string{1: "names nobody, in an election", 3: "names 3"},
		},
	}
	play.Show(t, franklin.Algorithm, "", "n=3 topology=biring arrangement=1-2-3 initiators=all:lazy channels=fifo timing=patient", sentences)
}

// A process that a message reaches first takes part, or is passive.
func TestReadings(t *testing.T) {
	for variant, want := range map[string]string{"wakes": "2->3 candidate(2), 2->1 candidate(2)", "initiators": "2->3 candidate(1)"} {
		p := play.Start(t, system(t, variant, "n=3 topology=biring arrangement=1-2-3 initiators=all:lazy channels=fifo timing=patient"))
		p.Do("1 starts an election", "prev->2 candidate(1)")
		assert.Equal(t, want, p.Sent(), variant)
	}
}

// In the reading initiators the greatest of those wins that begin by themselves,
// whoever they are.
func TestGreatestInitiatorWins(t *testing.T) {
	rings.GreatestInitiatorWins(t, franklin.Algorithm, "initiators")
}

// It tolerates no failures: what is lost with a process is waited for.
func TestFailures(t *testing.T) { rings.NoTolerance(t, franklin.Algorithm) }

func ExampleProtocol() {
	for n := 2; n <= 5; n++ {
		fmt.Print(rings.Range(franklin.Algorithm, n), " ")
	}
	fmt.Println()
	// Output: 8..8 12..12 16..24 20..30
}
