package shirali_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/shirali"
	"bullyproof/cost"
	"bullyproof/setting"
)

// What an election costs in groups, where one of four processes begins it.
func ExampleAlgorithm() {
	sys, err := shirali.Algorithm.Variants[0].In(setting.Must("n=4 topology=biring initiators=1 channels=fifo timing=lockstep"))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := cost.Of(context.Background(), sys, cost.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, kind := range []string{"Election", "Result", "Compare", "Coordinator", ""} {
		c := report.Cost(cost.Measure{Kind: kind})
		fmt.Printf("%s: %d to %d\n", c.Measure, c.Best, c.Worst)
	}
	// Output:
	// Election messages: 6 to 6
	// Result messages: 6 to 6
	// Compare messages: 6 to 6
	// Coordinator messages: 4 to 4
	// messages: 22 to 22
}
