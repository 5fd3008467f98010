package typed_test

import (
	"context"
	"fmt"

	"bullyproof/explore"
	"bullyproof/explore/typed"
)

// Jugs are the jugs of the film Die Hard 3: one holds 3 gallons, the other 5,
// and neither has marks. The state is how much is in each.
type Jugs struct{ Small, Big uint8 }

type puzzle struct{}

func (puzzle) Initial(yield func(Jugs) bool) { yield(Jugs{}) }

func (puzzle) Next(j Jugs, yield func(string, Jugs) bool) {
	yield("fill the small jug", Jugs{3, j.Big})
	yield("fill the big jug", Jugs{j.Small, 5})
	yield("empty the small jug", Jugs{0, j.Big})
	yield("empty the big jug", Jugs{j.Small, 0})
	n := min(j.Small, 5-j.Big)
	yield("pour small into big", Jugs{j.Small - n, j.Big + n})
	n = min(j.Big, 3-j.Small)
	yield("pour big into small", Jugs{j.Small + n, j.Big - n})
}

func ExampleCheck() {
	report, err := typed.Check(context.Background(), puzzle{}, explore.Options{},
		typed.Sometimes("4 gallons", func(j Jugs) bool { return j.Big == 4 }),
		typed.Always("no jug is too full", func(j Jugs) bool { return j.Small <= 3 && j.Big <= 5 }),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d states, %d generated, depth %d\n", report.Reason, report.Distinct, report.Generated, report.Depth)
	for _, answer := range report.Answers {
		fmt.Println(answer.Formula.Name, "-", answer.Verdict)
		for i, step := range answer.Behavior.Steps {
			if i > 0 {
				fmt.Printf("  %-19s  %d %d\n", step.Action, step.State.Small, step.State.Big)
			}
		}
	}
	// Output:
	// complete: 16 states, 97 generated, depth 7
	// 4 gallons - found
	//   fill the big jug     0 5
	//   pour big into small  3 2
	//   empty the small jug  0 2
	//   pour big into small  2 0
	//   fill the big jug     2 5
	//   pour big into small  3 4
	// no jug is too full - holds
}
