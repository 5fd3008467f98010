package kabashi_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/kabashi"
	"bullyproof/checker"
	"bullyproof/setting"
)

// The minimum-ID algorithm while one process fails and comes back, as the paper
// has it and repaired.
func Example() {
	s := setting.Must("n=3 start=settled crashes=1 restarts=1")
	for _, name := range []string{"prose", "repaired"} {
		v, err := kabashi.Algorithm.Variant(name)
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
	// prose violated
	// repaired holds
}
