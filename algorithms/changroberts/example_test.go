package changroberts_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/changroberts"
	"bullyproof/checker"
	"bullyproof/model"
)

// All 24 arrangements of five processes, one of them initiator.
func ExampleProtocol() {
	sys, err := model.New(&changroberts.Protocol{}, model.Setting{
		N: 5, Topology: model.Ring, FIFO: true,
		Initiators: model.Initiators{Which: model.EachOne},
		Timing:     model.Timing{Kind: model.Patient},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := checker.Check(context.Background(), sys, checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict(), report.Distinct)
	// Output: holds 744
}
