package assistant_test

import (
	"context"
	"fmt"
	"testing"

	"bullyproof/algorithms/assistant"
	"bullyproof/algorithms/internal/play"
	"bullyproof/cost"
	"bullyproof/model"
	"bullyproof/setting"
)

func TestClaims(t *testing.T) { play.Claims(t, assistant.Algorithm) }

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 start=settled crashes=2 restarts=1", &assistant.Protocol{}, &assistant.Repaired{})
}

// Each test has a part of the sentence that describes the algorithm, or a rule
// that follows from it, and a run that shows it.
func TestTheDescription(t *testing.T) {
	const down = "n=4 start=coordinator-down timing=sync:1"
	reported := []string{"1 suspects 4", "1->3 CRASH"}
	asked := append(reported[:2:2], "tick", "3->1 QUERY", "3->2 QUERY", "tick", "1->3 ANSWER", "2->3 ANSWER")
	sentences := []play.Sentence{
		{
			Says: "so if the coordinator failed: who notices tells the assistant", Setting: down,
			Run: []string{"1 suspects 4"}, Sends: "1->3 CRASH",
			Then: map[model.ID]string{1: "names 4, in an election"},
		},
		{
			Says: "the assistant takes over, and looks for an assistant of its own", Setting: down,
			Run: reported, Sends: "3->1 QUERY, 3->2 QUERY, 3->4 QUERY",
			Then: map[model.ID]string{3: "names 4, in an election"},
		},
		{
			Says: "who is asked answers", Setting: down,
			Run: append(reported[:2:2], "tick", "3->2 QUERY"), Sends: "2->3 ANSWER",
		},
		{
			Says: "it won't be necessary to launch new election", Setting: down,
			Run:   append(asked[:len(asked):len(asked)], "3 times out (collect)"),
			Sends: "3->1 COORDINATOR(3,2), 3->2 COORDINATOR(3,2), 3->4 COORDINATOR(3,2)",
			Then:  map[model.ID]string{3: "names 3"},
		},
		{
			Says: "COORDINATOR: follow it, and know its assistant", Setting: down,
			Run:  append(asked[:len(asked):len(asked)], "3 times out (collect)", "3->1 COORDINATOR(3,2)"),
			Then: map[model.ID]string{1: "names 3"},
		},
		{
			Says: "elects assistant for the coordinator as well", Setting: "n=3 initiators=1:lazy timing=sync:1",
			Run: []string{
				"1 starts an election", "1->2 ELECTION", "1->3 ELECTION", "2->1 ANSWER", "3->1 ANSWER", "tick", "tick", "1 times out (collect)",
			},
			Sends: "1->2 COORDINATOR(3,2), 1->3 COORDINATOR(3,2)",
			Then:  map[model.ID]string{1: "names 3"},
		},
		{
			Says: "where the assistant does not take over there is an election", Setting: "n=3 start=coordinator-down timing=last-resort crashes=1",
			Run:   []string{"1 suspects 3", "2 crashes", "1 times out (patience)"},
			Sends: "1->2 ELECTION, 1->3 ELECTION",
			Then:  map[model.ID]string{1: "names 3, in an election"},
		},
		{
			Says: "repaired: who comes back asks who leads", Variant: "repaired", Setting: returned,
			Run: []string{"3 crashes", "3 restarts"}, Sends: "3->1 WHO, 3->2 WHO",
			Then: map[model.ID]string{3: "names nobody, in an election"},
		},
		{
			Says: "repaired: and leads again where nobody has noticed", Variant: "repaired", Setting: returned,
			Run: []string{
				"3 crashes", "3 restarts", "3->1 WHO", "3->2 WHO", "1->3 LEADS(3,2)", "2->3 LEADS(3,2)", "tick", "tick", "3 times out (collect)",
			},
			Then: map[model.ID]string{3: "names 3"},
		},
		{
			Says: "repaired: but asks again as long as anybody is about a succession", Variant: "repaired", Setting: returned,
			Run: []string{
				"3 crashes", "2 suspects 3", "3 restarts", "tick", "3->1 WHO", "3->2 WHO", "2->1 QUERY", "2->3 QUERY", "1->2 ANSWER", "3->2 ANSWER",
				"1->3 LEADS(3,2)", "2->3 LEADS(3,2, busy)", "tick", "3 times out (collect)",
			},
			Sends: "3->1 WHO, 3->2 WHO",
		},
	}
	play.Show(t, assistant.Algorithm, "", "", sentences)
}

const returned = "n=3 start=settled crashes=1 restarts=1 timing=sync:1"

// What a failure costs where process 1 notices it: a word to the assistant, N-1
// questions, N-2 answers and N-1 announcements.
func ExampleProtocol() {
	for n := 3; n <= 5; n++ {
		s := setting.Setting{N: n, Needs: setting.Needs{Start: setting.CoordinatorDown}, World: setting.World{Detectors: model.SetOf(1)}}
		sys, err := model.New(&assistant.Protocol{}, s)
		if err != nil {
			fmt.Println(err)
			return
		}
		costs, err := cost.Of(context.Background(), sys, cost.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(n, costs.Cost(cost.Measure{}).Best, costs.Cost(cost.Measure{}).Worst)
	}
	// Output:
	// 3 6 6
	// 4 9 9
	// 5 12 12
}
