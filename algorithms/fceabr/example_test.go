package fceabr_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/fceabr"
	"bullyproof/cost"
	"bullyproof/model"
	"bullyproof/setting"
)

// Four processes, one of which begins: what an election takes if a process
// handles what comes from both sides at the same moment in one step.
func ExampleProtocol() {
	sys, err := model.New(&fceabr.Protocol{}, setting.Must("n=4 topology=biring initiators=one channels=fifo timing=lockstep"))
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := cost.Of(context.Background(), sys, cost.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := r.Cost(cost.Measure{})
	fmt.Println(c.Best, c.Worst)
	// Output: 8 8
}
