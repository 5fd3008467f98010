package electioncommission_test

import (
	"context"
	"fmt"
	"testing"

	"bullyproof/algorithms/electioncommission"
	"bullyproof/algorithms/internal/play"
	"bullyproof/cost"
	"bullyproof/model"
	"bullyproof/setting"
)

func TestClaims(t *testing.T) { play.Claims(t, electioncommission.Algorithm) }

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 start=settled crashes=2 restarts=1", &electioncommission.Protocol{}, electioncommission.Repaired())
}

// Each test has a rule as the literature tells it, and a run that shows it. 1 is
// the commission.
func TestRules(t *testing.T) {
	const (
		down = "n=4 start=coordinator-down channels=fifo timing=sync:1 restarts=1"
		up   = "n=4 start=settled channels=fifo timing=sync:1 crashes=1 restarts=1 suspicions=1"
	)
	asked := []string{"2 suspects 4", "2->1 REPORT(4)", "tick", "1->4 VERIFY is dropped", "tick", "1 times out (T)"}
	after := func(more ...string) []string { return append(asked[:len(asked):len(asked)], more...) }
	sentences := []play.Sentence{
		{Says: "1. A process that finds the coordinator down reports it to the commission.", Setting: down, Run: asked[:1], Sends: "2->1 REPORT(4)"},
		{Says: "2. The commission asks the coordinator whether it is up.", Setting: down, Run: asked[:2], Sends: "1->4 VERIFY"},
		{
			Says: "2. If it is, the report was false: no election.", Setting: up,
			Run:   []string{"2 wrongly suspects 4", "2->1 REPORT(4)", "1->4 VERIFY", "4->1 ALIVE"},
			Sends: "1->2 COORDINATOR(4), 1->3 COORDINATOR(4), 1->4 COORDINATOR(4)",
			Then:  map[model.ID]string{4: "names 4"},
		},
		{Says: "3. If it is not, the commission asks the next highest.", Setting: down, Run: asked, Sends: "1->3 VERIFY"},
		{
			Says: "4. Who answers is announced to all.", Setting: down,
			Run:   after("1->3 VERIFY", "3->1 ALIVE"),
			Sends: "1->2 COORDINATOR(3), 1->3 COORDINATOR(3), 1->4 COORDINATOR(3)",
		},
		{
			Says: "5. Another report of the same failure changes nothing.", Setting: down,
			Run: after("3 suspects 4", "3->1 REPORT(4)"),
		},
		{
			Says: "6. A process that comes up asks the commission, and a higher one than the coordinator is announced.", Setting: down,
			Run:   after("1->3 VERIFY", "3->1 ALIVE", "1->2 COORDINATOR(3)", "1->3 COORDINATOR(3)", "4 restarts", "4->1 RECOVERED"),
			Sends: "1->2 COORDINATOR(4), 1->3 COORDINATOR(4), 1->4 COORDINATOR(4)",
			Then:  map[model.ID]string{2: "names 3", 3: "names 3", 4: "names nobody, in an election"},
		},
		{
			Says: "6. A lower one is told who leads.", Setting: up,
			Run: []string{"2 crashes", "2 restarts", "2->1 RECOVERED"}, Sends: "1->2 COORDINATOR(4)",
		},
		{
			Says: "repaired: the winner is told last", Variant: "repaired", Setting: down,
			Run: after("1->3 VERIFY", "3->1 ALIVE"), Sends: "1->2 COORDINATOR(3) no. 1, 1->4 COORDINATOR(3) no. 1",
		},
		{
			Says: "repaired: when all others have heard of it", Variant: "repaired", Setting: down,
			Run:   after("1->3 VERIFY", "3->1 ALIVE", "tick", "1->2 COORDINATOR(3) no. 1", "1->4 COORDINATOR(3) no. 1 is dropped", "1 times out (D)"),
			Sends: "1->3 COORDINATOR(3) no. 1",
			Then:  map[model.ID]string{2: "names 3", 3: "names 4"},
		},
	}
	play.Show(t, electioncommission.Algorithm, "", "", sentences)
}

// What an election costs where one process reports, and where all do.
func ExampleProtocol() {
	for n := 3; n <= 5; n++ {
		var worst []int
		for _, detectors := range []model.Set{model.SetOf(2), 0} {
			s := setting.Setting{N: n, Needs: setting.Needs{FIFO: true, Start: setting.CoordinatorDown}, World: setting.World{Detectors: detectors}}
			sys, err := model.New(&electioncommission.Protocol{}, s)
			if err != nil {
				fmt.Println(err)
				return
			}
			costs, err := cost.Of(context.Background(), sys, cost.Options{})
			if err != nil {
				fmt.Println(err)
				return
			}
			worst = append(worst, costs.Cost(cost.Measure{}).Worst)
		}
		fmt.Println(n, worst)
	}
	// Output:
	// 3 [6 6]
	// 4 [7 9]
	// 5 [8 12]
}
