package bully_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/bully"
	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A reading of one's own embeds one that is there and overrides a handler, as
// KnowsDown does: does Wikipedia's break less if a process does not ask the dead?
func ExampleProtocol() {
	reading := bully.KnowsDown{Protocol: bully.Wikipedia}
	sys, err := model.New(reading, setting.Must("n=2 start=settled crashes=1 restarts=1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := checker.Check(context.Background(), sys, checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		if f.Verdict == checker.Violated {
			fmt.Printf("%s: %d steps, %s\n", f.Property.Name, len(f.Trace.Steps), f.Explanation)
		}
	}
	// Output:
	// uniqueness: 3 steps, P1 and P2 both believe themselves coordinator
	// agreement: 5 steps, P1 follows P2; P2 follows P1
	// extreme: 5 steps, P2 names P1, although P2 is up
	// stable-leadership: 5 steps, P1 follows P2; P2 follows P1
}
