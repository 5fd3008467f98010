package kalternatives_test

import (
	"context"
	"fmt"
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/kalternatives"
	"bullyproof/cost"
	"bullyproof/model"
	"bullyproof/setting"
)

func TestClaims(t *testing.T) { play.Claims(t, kalternatives.Algorithm) }

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 start=settled crashes=2 restarts=1", &kalternatives.Protocol{K: 1, Tells: true}, &kalternatives.Protocol{K: 2},
		&kalternatives.Repaired{Protocol: kalternatives.Protocol{K: 2, Tells: true}})
}

const returned = "n=3 start=settled crashes=1 restarts=1 timing=sync:1"

// Each test has a part of the sentences that describe the algorithm, or a rule
// that follows from them, and a run that shows it.
func TestTheDescription(t *testing.T) {
	const down = "n=4 start=coordinator-down crashes=2 timing=sync:1"
	sentences := []play.Sentence{
		{
			Says: "based on Bully which elects k alternatives in addition to coordinator", Setting: "n=4 initiators=1:lazy timing=sync:1",
			Run: []string{
				"1 starts an election", "1->2 ELECTION", "1->3 ELECTION", "1->4 ELECTION", "2->1 OK", "3->1 OK", "4->1 OK", "tick", "tick", "1 times out (T)",
			},
			Sends: "1->2 ALTERNATIVES(4,3,2), 1->3 ALTERNATIVES(4,3,2), 1->4 ALTERNATIVES(4,3,2)",
			Then:  map[model.ID]string{1: "names 4"},
		},
		{
			Says: "After coordinator failure, alternatives are replaced as coordinator in the system", Setting: down,
			Run: []string{"1 suspects 4"}, Sends: "1->2 NEXT(3,2), 1->3 NEXT(3,2), 1->4 NEXT(3,2)",
			Then: map[model.ID]string{1: "names 3"},
		},
		{
			Says: "so who is next leads as soon as it hears of it", Setting: down,
			Run:  []string{"1 suspects 4", "1->3 NEXT(3,2)"},
			Then: map[model.ID]string{3: "names 3"},
		},
		{
			Says: "there won't be any need to launch new election", Setting: down,
			Run:   []string{"1 suspects 4", "3 crashes", "1 suspects 3"},
			Sends: "1->2 NEXT(2), 1->3 NEXT(2), 1->4 NEXT(2)",
			Then:  map[model.ID]string{1: "names 2"},
		},
		{
			Says: "until the alternatives have failed", Setting: down,
			Run:   []string{"1 suspects 4", "3 crashes", "1 suspects 3", "2 crashes", "1 suspects 2"},
			Sends: "1->2 ELECTION, 1->3 ELECTION, 1->4 ELECTION",
			Then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says: "silent: each strikes off what its own failure detector reports", Variant: "silent", Setting: down,
			Run:  []string{"1 suspects 4"},
			Then: map[model.ID]string{1: "names 3", 2: "names 4", 3: "names 4"},
		},
		{
			Says: "one alternative: the second failure takes an election", Variant: "one", Setting: down,
			Run:   []string{"1 suspects 4", "3 crashes", "1 suspects 3"},
			Sends: "1->2 ELECTION, 1->3 ELECTION, 1->4 ELECTION",
		},
		{
			Says: "repaired: who comes back asks who leads", Variant: "repaired", Setting: returned,
			Run: []string{"3 crashes", "3 restarts"}, Sends: "3->1 WHO, 3->2 WHO",
			Then: map[model.ID]string{3: "names nobody, in an election"},
		},
		{
			Says: "repaired: and takes the shortest list", Variant: "repaired", Setting: returned,
			Run: []string{
				"3 crashes", "2 suspects 3", "3 restarts", "3->1 WHO", "3->2 WHO", "1->3 LIST(3,2,1)", "2->3 LIST(2,1)", "tick", "2->1 NEXT(2,1)",
				"2->3 NEXT(2,1)", "tick", "3 times out (T)",
			},
			Then: map[model.ID]string{3: "names 2"},
		},
	}
	play.Show(t, kalternatives.Algorithm, "", "", sentences)
}

// Four processes, of which the highest fails, and then so many alternatives: the
// number of elections that are held at worst, in which everybody is asked.
func ExampleProtocol() {
	for failures := range 3 {
		s := setting.Setting{N: 4, Needs: setting.Needs{Start: setting.CoordinatorDown}, World: setting.World{Crashes: failures}}
		sys, err := model.New(&kalternatives.Protocol{K: 2, Tells: true}, s)
		if err != nil {
			fmt.Println(err)
			return
		}
		costs, err := cost.Of(context.Background(), sys, cost.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(failures, costs.Cost(cost.Measure{Kind: "ELECTION"}).Worst/3)
	}
	// Output:
	// 0 0
	// 1 0
	// 2 1
}
