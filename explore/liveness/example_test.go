package liveness_test

import (
	"context"
	"fmt"

	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/explore/typed"
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

// Does every lamp break eventually? Not one that is switched on and off
// without end, where nothing is said about how fair that is to breaking.
func ExampleFindLasso() {
	system, err := typed.Encode(lamp{})
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
	lasso, err := liveness.FindLasso(context.Background(), r.Graph, liveness.LassoQuery{Within: works})
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
			fmt.Println("and then without end")
		}
		fmt.Println([]string{"off", "on", "broken"}[system.Decode(step.State)])
	}
	// Output:
	// off
	// and then without end
	// on
	// off
}

// The same question about the lamp in the words of the model: does it break
// eventually? Not if it may be left alone, nor if something is done with it as
// long as there is something to do; only if breaking also has its turn.
func ExampleStrength() {
	breaks := typed.Eventually("it breaks", func(s uint8) bool { return s == broken })
	turn := typed.Fair(liveness.Strong, "break", func(_ uint8, action string, _ uint8) bool { return action == "break" })
	for _, assumptions := range [][]typed.Formula[uint8]{nil, {typed.FairNext[uint8]()}, {typed.FairNext[uint8](), turn}} {
		checked, err := typed.Check(context.Background(), lamp{}, explore.Options{}, append(assumptions, breaks)...)
		if err != nil {
			fmt.Println(err)
			return
		}
		answer := checked.Answer("it breaks")
		fmt.Printf("%s\n%s", answer.Verdict, answer.Behavior)
	}
	// Output:
	// violated
	//   0. 0
	//   1. switch on   0 → 1
	//   2. switch off  1 → 0
	// and again from step 1 on, without end: state 2 is state 0
	// violated
	//   0. 0
	//   1. switch on   0 → 1
	//   2. switch off  1 → 0
	// and again from step 1 on, without end: state 2 is state 0
	// holds
}
