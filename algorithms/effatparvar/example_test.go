package effatparvar_test

import (
	"context"
	"fmt"

	"bullyproof/algorithms/effatparvar"
	"bullyproof/checker"
	"bullyproof/setting"
)

// What one lost message does to three nodes whose leader has crashed.
func ExampleAlgorithm() {
	in := setting.Must("n=3 start=coordinator-down losses=1")
	for _, name := range []string{"to-all", "repaired"} {
		variant, err := effatparvar.Algorithm.Variant(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		sys, err := variant.In(in)
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := checker.Check(context.Background(), sys, checker.Options{Properties: checker.Election()})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d states\n", name, report.Distinct)
		for _, f := range report.Findings {
			if f.Verdict == checker.Violated {
				fmt.Printf("  %s: %d steps, %s\n", f.Property.Name, len(f.Trace.Steps), f.Explanation)
			}
		}
	}
	// Output:
	// to-all: 136 states
	//   uniqueness: 7 steps, 1 and 2 both believe themselves coordinator
	//   agreement: 9 steps, 1 follows 2; 2 follows 1
	//   extreme: 6 steps, 1 names 1, although 2 is up; 2 names 1, although 2 is up
	// repaired: 659 states
}
