package heaptree_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/heaptree"
	"bullyproof/cost"
	"bullyproof/setting"
)

// The messages of an election among six nodes, whose root has crashed and whose
// last leaf notices.
func ExampleAlgorithm() {
	sys, err := heaptree.Algorithm.Variants[0].In(setting.Must("n=6 start=coordinator-down detectors=2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := cost.Of(context.Background(), sys, cost.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, kind := range []string{"election", "compare", "rise", "place", "leader", ""} {
		c := report.Cost(cost.Measure{Kind: kind})
		fmt.Printf("%s: %d to %d\n", c.Measure, c.Best, c.Worst)
	}
	// Output:
	// election messages: 1 to 1
	// compare messages: 2 to 2
	// rise messages: 1 to 1
	// place messages: 1 to 1
	// leader messages: 2 to 2
	// messages: 7 to 7
}
