package sortbully_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/sortbully"
	"bullyproof/cost"
	"bullyproof/setting"
)

// What an election costs where the lowest of five nodes notices the crash.
func ExampleAlgorithm() {
	sys, err := sortbully.Algorithm.Variants[0].In(setting.Must("n=5 start=coordinator-down detectors=1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := cost.Of(context.Background(), sys, cost.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, kind := range []string{"election", "OK", "grant", "coordinator", ""} {
		c := report.Cost(cost.Measure{Kind: kind})
		fmt.Printf("%s: %d to %d\n", c.Measure, c.Best, c.Worst)
	}
	// Output:
	// election messages: 4 to 4
	// OK messages: 3 to 3
	// grant messages: 1 to 1
	// coordinator messages: 4 to 4
	// messages: 12 to 12
}
