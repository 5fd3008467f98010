package algorithms_test

import (
	"fmt"

	"bullyproof/algorithms"
)

// The catalogue.
func Example() {
	for _, a := range algorithms.All {
		fmt.Printf("%s: %s\n", a.Name, a.Title)
		for _, v := range a.Variants {
			fmt.Printf("  %s\n", v.Name)
		}
	}
	// Output:
	// bully: Bully algorithm
	//   coulouris
	//   coulouris-knows
	//   coulouris-noretry
	//   coulouris-keeps-waiting
	//   wikipedia
	//   wikipedia-again
	//   wikipedia-refuses
	//   tanenbaum
	// changroberts: Ring algorithm of Chang and Roberts
	//   coulouris
	//   once
}
