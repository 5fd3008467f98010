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
	// 1  3 crashes
	// 2  2 suspects 3 | 2->3 election | 2 is now in an election
	// 3  2->3 election is dropped (due in 1)
	// 4  tick
	// 5  tick
	// 6  3 restarts | 3->1 coordinator | 3->2 coordinator | 3 believes itself coordinator
	// 7  2 times out (T) | 2->1 coordinator | 2 believes itself coordinator
	// uniqueness breaks in step 7: 2 and 3 both believe themselves coordinator; 1 follows 3
}
