package peterson_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/internal/rings"
	"bullyproof/algorithms/peterson"
	"bullyproof/model"
)

var system = play.In(peterson.Algorithm)

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 topology=ring initiators=all:lazy channels=fifo timing=patient", &peterson.Protocol{}, &peterson.Protocol{Relays: true})
}

// Each test has a line of the program and a run that shows it. The ring is 1,
// 2, 3: 1 sends to 2, 2 to 3, 3 to 1.
func TestLinesOfTheProgram(t *testing.T) {
	begin := []string{"1 starts an election", "2 starts an election", "3 starts an election"}
	sentences := []play.Sentence{
		{
			Says:  "tid := initial value; send(tid)",
			Run:   begin[:2],
			Rule:  "begin: tid := own id, send tid",
			Sends: "2->3 value(2)",
			Then:  map[model.ID]string{2: "names nobody, in an election", 3: "names nobody"},
		},
		{
			Says:  "receive(ntid); if tid > ntid then send(tid)",
			Run:   append(begin[:3:3], "prev->2 value(1)"),
			Rule:  "receive ntid: send the greater of tid and ntid",
			Sends: "2->3 value(2)",
		},
		{
			Says:  "else send(ntid)",
			Run:   append(begin[:3:3], "prev->1 value(3)"),
			Rule:  "receive ntid: send the greater of tid and ntid",
			Sends: "1->2 value(3)",
		},
		{
			Says:  "receive(nntid); if ntid >= max(tid, nntid) then tid := ntid",
			Run:   append(begin[:3:3], "prev->1 value(3)", "prev->3 value(2)", "prev->1 value(3)"),
			Rule:  "ntid is no less than tid and nntid: tid := ntid, send tid",
			Sends: "1->2 value(3)",
		},
		{
			Says: "else goto relay",
			Run:  append(begin[:3:3], "prev->1 value(3)", "prev->2 value(1)", "prev->2 value(3)"),
			Rule: "otherwise: become a relay",
		},
		{
			Says: "relay: receive(tid); send(tid)",
			Run: append(begin[:3:3], "prev->1 value(3)", "prev->3 value(2)", "prev->1 value(3)", "prev->2 value(1)", "prev->2 value(3)",
				"prev->2 value(3)"),
			Rule:  "relay: pass the id on",
			Sends: "2->3 value(3)",
		},
		{
			Says: "if tid = initial value then announce elected",
			Run: append(begin[:3:3], "prev->1 value(3)", "prev->3 value(2)", "prev->1 value(3)", "prev->2 value(1)", "prev->2 value(3)",
				"prev->2 value(3)", "prev->3 value(2)", "prev->3 value(3)"),
			Rule:  "one's own id arrives: announce oneself elected",
			Sends: "3->1 elected(3)",
			Then:  map[model.ID]string{1: "names nobody, in an election", 3: "names 3"},
		},
	}
	play.Show(t, peterson.Algorithm, "", "n=3 topology=ring arrangement=1-2-3 initiators=all:lazy channels=fifo timing=patient", sentences)
}

// A process that a message reaches first takes part, or relays.
func TestReadings(t *testing.T) {
	for variant, want := range map[string]string{"wakes": "2->3 value(2), 2->3 value(2)", "relays": "2->3 value(1)"} {
		p := play.Start(t, system(t, variant, "n=3 topology=ring arrangement=1-2-3 initiators=all:lazy channels=fifo timing=patient"))
		p.Do("1 starts an election", "prev->2 value(1)")
		assert.Equal(t, want, p.Sent(), variant)
	}
}

// In the reading relays the greatest of those wins that begin by themselves,
// whoever they are.
func TestGreatestInitiatorWins(t *testing.T) {
	rings.GreatestInitiatorWins(t, peterson.Algorithm, "relays")
}

// It tolerates no failures: what is lost with a process is waited for.
func TestFailures(t *testing.T) { rings.NoTolerance(t, peterson.Algorithm) }

func ExampleProtocol() {
	for n := 2; n <= 6; n++ {
		fmt.Print(rings.Range(peterson.Algorithm, n), " ")
	}
	fmt.Println()
	// Output: 5..5 8..8 11..16 14..21 17..27
}
