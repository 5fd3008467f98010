package counterexamples_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

func ExampleNames() {
	for _, name := range counterexamples.Names() {
		if strings.HasPrefix(name, "changroberts-") {
			fmt.Println(name)
		}
	}
	// Output:
	// changroberts-left-behind
}

// A recorded run, executed again and told in brief.
func ExampleOpen() {
	t, err := counterexamples.Open("bully-duplicate-coordinator")
	if err != nil {
		log.Fatal(err)
	}
	run, err := trace.Replay(t, algorithms.Lookup)
	if err != nil {
		log.Fatal(err)
	}
	layout, err := trace.Lay(t, run)
	if err != nil {
		log.Fatal(err)
	}
	if err := render.Steps(os.Stdout, layout); err != nil {
		log.Fatal(err)
	}
	fmt.Println(layout.Verdict)
	// Output:
	// 1  P3 crashes
	// 2  P2 suspects P3 | P2->P3 election | P2 is now in an election
	// 3  P2->P3 election is dropped (due in 1)
	// 4  tick
	// 5  tick
	// 6  P3 restarts | P3->P1 coordinator | P3->P2 coordinator | P3 believes itself coordinator
	// 7  P2 times out (T) | P2->P1 coordinator | P2 believes itself coordinator
	// uniqueness breaks in step 7: P2 and P3 both believe themselves coordinator; P1 follows P3
}
