package explore_test

import (
	"context"
	"fmt"

	"bullyproof/explore"
)

// A lamp can be switched on and off, and breaks when it is on.
type lamp struct{}

const (
	off = iota
	on
	broken
)

func (lamp) Initial(yield func(uint8) bool) { yield(off) }

func (lamp) Next(s uint8, yield func(string, uint8) bool) {
	switch s {
	case off:
		yield("switch on", on)
	case on:
		yield("switch off", off)
		yield("break", broken)
	}
}

// Does every lamp break eventually? Not one that is switched on and off for
// ever, where nothing is said about how fair that is to breaking.
func ExampleGraph_FindLasso() {
	system, err := explore.Encode(lamp{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := explore.Search(context.Background(), system, explore.Options{Graph: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	works := func(n uint32) bool { return len(r.Graph.Out(n)) > 0 }
	lasso, err := r.Graph.FindLasso(context.Background(), explore.LassoQuery{Within: works})
	if err != nil || lasso == nil {
		fmt.Println(err)
		return
	}
	steps, err := r.Graph.Steps(append(lasso.Prefix, lasso.Cycle...))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, step := range steps {
		if i == len(lasso.Prefix) {
			fmt.Println("and then for ever")
		}
		fmt.Println([]string{"off", "on", "broken"}[system.Decode(step.State)])
	}
	// Output:
	// off
	// and then for ever
	// on
	// off
}
