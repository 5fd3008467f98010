package hirschbergsinclair_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/hirschbergsinclair"
	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/internal/rings"
	"bullyproof/model"
)

var system = play.In(hirschbergsinclair.Algorithm)

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 topology=biring initiators=all:lazy channels=fifo timing=patient", &hirschbergsinclair.Protocol{}, &hirschbergsinclair.Protocol{Echoes: true}, &hirschbergsinclair.Protocol{Bystanders: true})
}

// Each test has a step of the algorithm and a run that shows it. The ring is 1,
// 2, 3: next of 1 is 2, of 2 is 3, of 3 is 1.
func TestSteps(t *testing.T) {
	begin := []string{"1 starts an election", "2 starts an election", "3 starts an election"}
	sentences := []play.Sentence{
		{
			Says:  "phase 0: probe both neighbours",
			Run:   begin[:2],
			Rule:  "begin: probe both ways, phase 0",
			Sends: "2->1 probe(2, phase 0, hop 1), 2->3 probe(2, phase 0, hop 1)",
			Then:  map[model.ID]string{2: "names nobody, in an election", 3: "names nobody"},
		},
		{
			Says: "the probe of a smaller id is swallowed",
			Run:  append(begin[:3:3], "prev->2 probe(1, phase 0, hop 1)"),
			Rule: "probe of a smaller id: swallow it",
		},
		{
			Says:  "at the end of its way a probe is answered",
			Run:   append(begin[:3:3], "prev->1 probe(3, phase 0, hop 1)"),
			Rule:  "probe of a greater id, at its end: reply",
			Sends: "1->3 reply(3, phase 0)",
		},
		{
			Says: "one reply is not enough",
			Run:  append(begin[:3:3], "prev->1 probe(3, phase 0, hop 1)", "next->3 probe(1, phase 0, hop 1)", "next->3 reply(3, phase 0)"),
			Rule: "one reply: wait for the other",
		},
		{
			Says:  "two replies: the next phase, twice as far",
			Run:   append(begin[:3:3], "prev->1 probe(3, phase 0, hop 1)", "next->3 probe(1, phase 0, hop 1)", "next->3 reply(3, phase 0)", "next->2 probe(3, phase 0, hop 1)", "prev->3 probe(2, phase 0, hop 1)", "prev->3 reply(3, phase 0)"),
			Rule:  "both replies: begin the next phase, twice as far",
			Sends: "3->2 probe(3, phase 1, hop 1), 3->1 probe(3, phase 1, hop 1)",
		},
		{
			Says:  "before that it is passed on",
			Run:   append(begin[:3:3], "prev->1 probe(3, phase 0, hop 1)", "next->3 probe(1, phase 0, hop 1)", "next->3 reply(3, phase 0)", "next->2 probe(3, phase 0, hop 1)", "prev->3 probe(2, phase 0, hop 1)", "prev->3 reply(3, phase 0)", "prev->1 probe(3, phase 1, hop 1)"),
			Rule:  "probe of a greater id, not yet at its end: pass it on",
			Sends: "1->2 probe(3, phase 1, hop 2)",
		},
		{
			Says:  "and then answered",
			Run:   append(begin[:3:3], "prev->1 probe(3, phase 0, hop 1)", "next->3 probe(1, phase 0, hop 1)", "next->3 reply(3, phase 0)", "next->2 probe(3, phase 0, hop 1)", "prev->3 probe(2, phase 0, hop 1)", "prev->3 reply(3, phase 0)", "prev->1 probe(3, phase 1, hop 1)", "prev->2 probe(1, phase 0, hop 1)", "prev->2 probe(3, phase 1, hop 2)"),
			Rule:  "probe of a greater id, at its end: reply",
			Sends: "2->1 reply(3, phase 1)",
		},
	}
	play.Show(t, hirschbergsinclair.Algorithm, "", "n=3 topology=biring arrangement=1-2-3 initiators=all:lazy channels=fifo timing=patient", sentences)
}

// The end of an election on a ring of two, where the second phase goes all the way
// round.
func TestLastSteps(t *testing.T) {
	run := []string{
		"1 starts an election", "2 starts an election", "prev->1 probe(2, phase 0, hop 1)", "next->1 probe(2, phase 0, hop 1)",
		"prev->2 probe(1, phase 0, hop 1)", "next->2 probe(1, phase 0, hop 1)", "prev->2 reply(2, phase 0)", "next->2 reply(2, phase 0)",
		"prev->1 probe(2, phase 1, hop 1)", "prev->2 probe(2, phase 1, hop 2)", "prev->1 elected(2)", "prev->2 elected(2)",
	}
	sentences := []play.Sentence{
		{
			Says:  "a candidate whose own probe arrives is elected",
			Run:   run[:10],
			Rule:  "one's own probe arrives: announce oneself elected",
			Sends: "2->1 elected(2)",
			Then:  map[model.ID]string{2: "names 2", 1: "names nobody, in an election"},
		},
		{
			Says:  "others learn of it",
			Run:   run[:11],
			Rule:  "elected: note who it is and pass it on",
			Sends: "1->2 elected(2)",
			Then:  map[model.ID]string{1: "names 2"},
		},
		{
			Says: "the announcement ends where it began",
			Run:  run,
			Rule: "elected came home",
		},
	}
	play.Show(t, hirschbergsinclair.Algorithm, "", "n=2 topology=biring arrangement=1-2 initiators=all:lazy channels=fifo timing=patient", sentences)
}

// The probe of a smaller id is swallowed, or answered with no; who has not begun
// does, or does not.
func TestReadings(t *testing.T) {
	for variant, want := range map[string]string{
		"textbook":   "2->1 probe(2, phase 0, hop 1), 2->3 probe(2, phase 0, hop 1)",
		"echoes":     "2->1 probe(2, phase 0, hop 1), 2->3 probe(2, phase 0, hop 1), 2->1 no(1, phase 0)",
		"bystanders": "",
	} {
		p := play.Start(t, system(t, variant, "n=3 topology=biring arrangement=1-2-3 initiators=all:lazy channels=fifo timing=patient"))
		p.Do("1 starts an election", "prev->2 probe(1, phase 0, hop 1)")
		assert.Equal(t, want, p.Sent(), variant)
	}
}

// It tolerates no failures: what is lost with a process is waited for.
func TestFailures(t *testing.T) { rings.NoTolerance(t, hirschbergsinclair.Algorithm) }

func ExampleProtocol() {
	for n := 2; n <= 4; n++ {
		fmt.Print(rings.Range(hirschbergsinclair.Algorithm, n), " ")
	}
	fmt.Println()
	// Output: 10..10 23..23 28..32
}
