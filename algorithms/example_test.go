package algorithms_test

import (
	"fmt"

	"bullyproof/algorithms"
)

// The readings and repairs of an algorithm in the catalogue.
func Example() {
	a, err := algorithms.Find("bully")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Title)
	for _, v := range a.Variants {
		fmt.Printf("  %s\n", v.Name)
	}
	// Output:
	// Bully algorithm
	//   coulouris
	//   coulouris-knows
	//   coulouris-noretry
	//   coulouris-keeps-waiting
	//   repaired
	//   wikipedia
	//   wikipedia-again
	//   wikipedia-sends
	//   wikipedia-remembers
	//   wikipedia-sends-remembers
	//   wikipedia-refuses
	//   tanenbaum
	//   tanenbaum-remembers
	//   tanenbaum-lower
	//   tanenbaum-once
}
