package dolevklawerodeh_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/dolevklawerodeh"
	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/internal/rings"
	"bullyproof/model"
)

var system = play.In(dolevklawerodeh.Algorithm)

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 topology=ring initiators=all:lazy channels=fifo timing=patient", &dolevklawerodeh.Protocol{}, &dolevklawerodeh.Protocol{Initiators: true}, &dolevklawerodeh.Protocol{Sorts: true})
}

// Each test has a step of the algorithm and a run that shows it. The ring is 1,
// 2, 3: next of 1 is 2, of 2 is 3, of 3 is 1.
func TestSteps(t *testing.T) {
	begin := []string{"1 starts an election", "2 starts an election", "3 starts an election"}
	sentences := []play.Sentence{
		{
			Says:  "A0: max := own number; send one(max)",
			Run:   begin[:2],
			Rule:  "A0: max := own number, send one(max)",
			Sends: "2->3 one(2)",
			Then:  map[model.ID]string{2: "names nobody, in an election", 3: "names nobody"},
		},
		{
			Says:  "A1: one(q), q is not max: left := q, send two(q)",
			Run:   append(begin[:3:3], "prev->1 one(3)"),
			Rule:  "A1: one(q), q is not max: left := q, send two(q)",
			Sends: "1->2 two(3)",
		},
		{
			Says:  "A2: two(q), left is greater than q and max: max := left, send one(max)",
			Run:   append(begin[:3:3], "prev->1 one(3)", "prev->3 one(2)", "prev->1 two(2)"),
			Rule:  "A2: two(q), left is greater than q and max: max := left, send one(max)",
			Sends: "1->2 one(3)",
		},
		{
			Says: "A2: otherwise become passive",
			Run:  append(begin[:3:3], "prev->1 one(3)", "prev->2 one(1)", "prev->2 two(3)"),
			Rule: "A2: two(q), otherwise: become passive",
		},
		{
			Says:  "a passive process passes messages on",
			Run:   append(begin[:3:3], "prev->1 one(3)", "prev->3 one(2)", "prev->1 two(2)", "prev->2 one(1)", "prev->2 two(3)", "prev->2 one(3)"),
			Rule:  "passive: pass the message on",
			Sends: "2->3 one(3)",
		},
		{
			Says:  "A1: q is max: it is the greatest; it was 1 that found it, not 3",
			Run:   append(begin[:3:3], "prev->1 one(3)", "prev->3 one(2)", "prev->1 two(2)", "prev->2 one(1)", "prev->2 two(3)", "prev->2 one(3)", "prev->3 two(1)", "prev->3 one(3)", "prev->1 one(3)"),
			Rule:  "A1: one(q), q is max: it is the greatest of all; announce it",
			Sends: "1->2 elected(3)",
			Then:  map[model.ID]string{1: "names 3", 3: "names nobody, in an election"},
		},
		{
			Says:  "its owner recognises itself",
			Run:   append(begin[:3:3], "prev->1 one(3)", "prev->3 one(2)", "prev->1 two(2)", "prev->2 one(1)", "prev->2 two(3)", "prev->2 one(3)", "prev->3 two(1)", "prev->3 one(3)", "prev->1 one(3)", "prev->2 elected(3)", "prev->3 elected(3)"),
			Rule:  "elected: note who it is and pass it on",
			Sends: "3->1 elected(3)",
			Then:  map[model.ID]string{2: "names 3", 3: "names 3"},
		},
	}
	play.Show(t, dolevklawerodeh.Algorithm, "", "n=3 topology=ring arrangement=1-2-3 initiators=all:lazy channels=fifo timing=patient", sentences)
}

// A process that a message reaches first takes part, or is passive.
func TestReadings(t *testing.T) {
	for variant, want := range map[string]string{"wakes": "2->3 one(2), 2->3 two(1)", "initiators": "2->3 one(1)"} {
		p := play.Start(t, system(t, variant, "n=3 topology=ring arrangement=1-2-3 initiators=all:lazy channels=fifo timing=patient"))
		p.Do("1 starts an election", "prev->2 one(1)")
		assert.Equal(t, want, p.Sent(), variant)
	}
}

// Of messages that come out of order one kind and then the other is used, as it
// came or after waiting for it.
func TestSorts(t *testing.T) {
	p := play.Start(t, system(t, "sorts", "n=2 topology=ring arrangement=1-2 timing=patient"))
	p.Do("prev->1 one(2)", "prev->2 two(2)")
	assert.Equal(t, []string{"a message of the other kind: keep it until its turn"}, p.Rules())
	p.Do("prev->2 one(1)")
	assert.Equal(t, "2->1 two(1)", p.Sent(), "A1; then A2, with what was kept: passive")
	assert.Contains(t, p.Rules(), "A2: two(q), otherwise: become passive")
	p.Do("prev->1 two(1)")
	assert.Equal(t, "1->2 one(2)", p.Sent(), "1 goes on with the number of 2")
}

// In the reading initiators the greatest of those wins that begin by themselves,
// whoever they are.
func TestGreatestInitiatorWins(t *testing.T) {
	rings.GreatestInitiatorWins(t, dolevklawerodeh.Algorithm, "initiators")
}

// It tolerates no failures: what is lost with a process is waited for.
func TestFailures(t *testing.T) { rings.NoTolerance(t, dolevklawerodeh.Algorithm) }

func ExampleProtocol() {
	for n := 2; n <= 6; n++ {
		fmt.Print(rings.Range(dolevklawerodeh.Algorithm, n), " ")
	}
	fmt.Println()
	// Output: 6..6 9..9 12..20 15..25 18..30
}
