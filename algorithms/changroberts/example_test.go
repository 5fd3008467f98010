package changroberts_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/changroberts"
	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/setting"
)

// All 24 arrangements of five processes, one of them initiator.
func ExampleProtocol() {
	sys, err := model.New(&changroberts.Protocol{}, setting.Must("n=5 topology=ring initiators=one channels=fifo timing=patient"))
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
