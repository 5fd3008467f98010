package spanningtrees_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/spanningtrees"
	"bullyproof/cost"
	"bullyproof/setting"
)

// What an election costs among four processes, of which one begins it: two
// messages by each of the six links, and three announcements.
func ExampleAlgorithm() {
	sys, err := spanningtrees.Algorithm.Variants[0].In(setting.Must("n=4 initiators=1 channels=fifo timing=lockstep"))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := cost.Of(context.Background(), sys, cost.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, kind := range []string{"tree", "echo", "leader", ""} {
		c := report.Cost(cost.Measure{Kind: kind})
		fmt.Printf("%s: %d to %d\n", c.Measure, c.Best, c.Worst)
	}
	// Output:
	// tree messages: 9 to 9
	// echo messages: 3 to 3
	// leader messages: 3 to 3
	// messages: 15 to 15
}
