package murshedallen_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/murshedallen"
	"bullyproof/checker"
	"bullyproof/setting"
)

// The improved Bully algorithm while one process fails and comes back, as its rules
// have it and repaired.
func Example() {
	s := setting.Must("n=3 start=settled crashes=1 restarts=1")
	for _, name := range []string{"rules", "repaired"} {
		v, err := murshedallen.Algorithm.Variant(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		sys, err := v.In(s)
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := checker.Check(context.Background(), sys, checker.Options{Properties: checker.Election()})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(name, report.Verdict())
	}
	// Output:
	// rules violated
	// repaired holds
}
