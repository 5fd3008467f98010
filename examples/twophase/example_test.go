package twophase_test

import (
	"context"
	"fmt"

	"bullyproof/examples/twophase"
	"bullyproof/explore"
	"bullyproof/explore/typed"
)

func Example() {
	report, err := typed.Check(context.Background(), twophase.Protocol(3), explore.Options{},
		typed.Always("consistent", twophase.State.Consistent),
		typed.Sometimes("r1 commits", func(s twophase.State) bool { return s.RM[0] == twophase.Committed }),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d distinct states, %d generated, depth %d\n", report.Reason, report.Distinct, report.Generated, report.Depth)
	for _, answer := range report.Answers {
		fmt.Printf("%s: %s\n", answer.Formula.Name, answer.Verdict)
		for i, step := range answer.Behavior.Steps {
			if i > 0 {
				fmt.Println(" ", step.Action)
			}
		}
	}
	// Output:
	// complete: 288 distinct states, 1146 generated, depth 10
	// consistent: holds
	// r1 commits: found
	//   RMPrepare(r3)
	//   RMPrepare(r2)
	//   TMRcvPrepared(r2)
	//   RMPrepare(r1)
	//   TMRcvPrepared(r3)
	//   TMRcvPrepared(r1)
	//   TMCommit
	//   RMRcvCommitMsg(r1)
}
