package surrogatering_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/surrogatering"
	"bullyproof/cost"
	"bullyproof/setting"
)

// What it costs, in both readings, where the lowest of five processes alone finds
// out that the coordinator has failed.
func ExampleAlgorithm() {
	in := setting.Must("n=5 topology=ring:repaired arrangement=1-2-3-4-5 start=coordinator-down detectors=1 channels=fifo timing=lockstep")
	for _, v := range surrogatering.Algorithm.Variants {
		sys, err := v.In(in)
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := cost.Of(context.Background(), sys, cost.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v.Name, report.Cost(cost.Measure{}).Worst)
	}
	// Output:
	// stands-in 8
	// takes-over 11
}
