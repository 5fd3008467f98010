package silberschatz_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/silberschatz"
	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/model"
	"bullyproof/setting"
	"bullyproof/trace/render"
)

var system = play.In(silberschatz.Algorithm)

func TestProtocol(t *testing.T) {
	plain := &silberschatz.Protocol{}
	play.Protocols(t, "n=3 topology=ring:repaired start=coordinator-down crashes=1", plain, &silberschatz.Book{}, silberschatz.Repaired{Protocol: plain})
}

// Each test has a sentence of a source and a run that shows it. The ring is 1,
// 2, 3, 4, and 4, which coordinated, has failed: 3 sends to 1.
func TestSentences(t *testing.T) {
	round := []string{"1 suspects 4", "prev->2 Election by 1: {1}", "prev->3 Election by 1: {1,2}"}
	sentences := []play.Sentence{
		{
			Variant: "packet", Says: "Each process which figures out the failure of the coordinator must create an Election packet",
			Run:   round[:1],
			Sends: "1->2 Election by 1: {1}",
			Then:  map[model.ID]string{1: "names 4, in an election"},
		},
		{
			Variant: "packet", Says: "and collect all active processes numbers",
			Run:   round,
			Sends: "3->1 Election by 1: {1,2,3}",
			Then:  map[model.ID]string{3: "names 4"},
		},
		{
			Variant: "packet", Says: "When the packet comes back to informer process, it'll elect coordinator, make a Coordinator packet",
			Run:   append(round[:3:3], "prev->1 Election by 1: {1,2,3}"),
			Sends: "1->2 Coordinator by 1: 3",
			Then:  map[model.ID]string{1: "names 3"},
		},
		{
			Variant: "packet", Says: "and broadcast new coordinator's number to the network",
			Run:   append(round[:3:3], "prev->1 Election by 1: {1,2,3}", "prev->2 Coordinator by 1: 3", "prev->3 Coordinator by 1: 3"),
			Sends: "3->1 Coordinator by 1: 3",
			Then:  map[model.ID]string{2: "names 3", 3: "names 3"},
		},
		{
			Variant: "packet", Says: "If two processes realize coordinator failure at the same time, the numbers of packets will be twice more",
			Run:   []string{"1 suspects 4", "3 suspects 4", "prev->2 Election by 1: {1}", "prev->3 Election by 1: {1,2}"},
			Sends: "3->1 Election by 1: {1,2,3}",
			Then:  map[model.ID]string{1: "names 4, in an election", 3: "names 4, in an election"},
		},
		{
			Variant: "book", Says: "1. it creates a new active list that is initially empty. It then sends a message elect(i) to its right neighbor",
			Run:   []string{"1 suspects 4"},
			Sends: "1->2 elect(1)",
			Then:  map[model.ID]string{1: "names 4, in an election"},
		},
		{
			Variant: "book", Says: "2a. It then sends the message elect(i), followed by the message elect(j)",
			Run:   []string{"1 suspects 4", "prev->2 elect(1)"},
			Sends: "2->3 elect(2), 2->3 elect(1)",
			Then:  map[model.ID]string{2: "names 4, in an election"},
		},
		{
			Variant: "book", Says: "2b. Pi adds j to its active list and forwards the message to its right neighbor",
			Run:   []string{"1 suspects 4", "prev->2 elect(1)", "prev->3 elect(2)", "prev->3 elect(1)"},
			Sends: "3->1 elect(1)",
		},
		{
			Variant: "book", Says: "2c. Process Pi can now determine the largest number in the active list",
			Run: []string{
				"1 suspects 4", "prev->2 elect(1)", "prev->3 elect(2)", "prev->3 elect(1)", "prev->1 elect(3)", "prev->1 elect(2)",
				"prev->1 elect(1)",
			},
			Then: map[model.ID]string{1: "names 3"},
		},
	}
	play.Show(t, silberschatz.Algorithm, "", "n=4 topology=ring:repaired arrangement=1-2-3-4 start=coordinator-down channels=fifo timing=patient", sentences)
}

// 2mn messages where m of n notice at once, in every arrangement and whatever
// the order of arrival; by the book n², if channels keep the order.
func TestCounts(t *testing.T) {
	most := 5
	if testing.Short() {
		most = 4
	}
	for n := 2; n <= most; n++ {
		who := "1"
		for m := 1; m <= min(n, 3); m++ {
			if m > 1 {
				who += fmt.Sprintf(",%d", m)
			}
			for variant, want := range map[string]int{"packet": 2 * m * n, "book": n * n} {
				setting := fmt.Sprintf("n=%d topology=ring initiators=%s channels=fifo timing=patient", n, who)
				assert.Equal(t, [2]int{want, want}, play.Takes(t, system(t, variant, setting), cost.Measure{}), "%s, %s", variant, setting)
			}
		}
	}
}

// The last one that is up on a repaired ring sends to itself: among three, the
// shortest run that goes on for ever is such a one, and it can be drawn.
func TestLastOneUp(t *testing.T) {
	sys := system(t, "packet", "n=3 topology=ring:repaired start=coordinator-down channels=fifo timing=patient crashes=1")
	r, err := checker.Check(context.Background(), sys, checker.Options{
		Algorithm: "silberschatz", Variant: "packet", Properties: []*checker.Property{checker.Termination},
	})
	require.NoError(t, err)
	found := r.Finding("termination")
	require.Equal(t, checker.Violated, found.Verdict)
	var b strings.Builder
	require.NoError(t, r.WriteTraces(&b, render.TextOptions{}))
	assert.Contains(t, b.String(), "from 1 (rule d): sends")
}

// What happens to an announcement whose sender has failed, with and without the
// repair.
func ExampleProtocol() {
	plain := &silberschatz.Protocol{}
	for _, p := range []model.Protocol[silberschatz.P, silberschatz.M]{plain, silberschatz.Repaired{Protocol: plain}} {
		sys, err := model.New(p, setting.Must("n=4 topology=ring:repaired start=coordinator-down channels=fifo crashes=1"))
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{checker.Termination}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%T: %s\n", p, report.Verdict())
	}
	// Output:
	// *silberschatz.Protocol: violated
	// silberschatz.Repaired: holds
}
