package explore_test

import (
	"context"
	"fmt"

	"bullyproof/explore"
)

// Jugs are two jugs without marks, of three litres and of five. They can be filled, emptied, and poured into each other.
type jugs struct{}

func (jugs) Initial(yield func(state []byte) bool) { yield([]byte{0, 0}) }
func (jugs) NewExpander() explore.Expander         { return jugs{} }

func (jugs) Expand(state []byte, out *explore.Successors) {
	three, five := state[0], state[1]
	if five == 4 {
		out.Hit(0, 0) // target 0: there are four litres
	}
	poured, back := min(three, 5-five), min(five, 3-three)
	for code, next := range [][]byte{{3, five}, {three, 5}, {0, five}, {three, 0},
		{three - poured, five + poured}, {three + back, five - back}} {
		out.Add(next, explore.Code(code))
	}
}

// Which is the shortest way to four litres?
func ExampleSearch() {
	result, err := explore.Search(context.Background(), jugs{}, explore.Options{Targets: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	path, err := result.Path(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range path {
		fmt.Print(step.State, " ")
	}
	// Output: [0 0] [0 5] [3 2] [0 2] [2 0] [2 5] [3 4]
}
