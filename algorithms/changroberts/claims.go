package changroberts

import (
	_ "embed"
	"fmt"

	"bullyproof/checker"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// everything is a ring of n in every arrangement, where every process may begin
// an election, and may be reached by one before.
func everything(n int) string {
	return fmt.Sprintf("n=%d topology=ring initiators=all:lazy timing=async:0", n)
}

// alone is a ring of n in every arrangement where one process begins.
func alone(n int) string {
	return fmt.Sprintf("n=%d topology=ring initiators=one timing=async:0", n)
}

// claims are what the slides say of the algorithm.
var claims = []checker.Claim{
	{
		Name: "e1", Source: slidesName, Place: "Ring-based Election Algorithm",
		Text:    "Condition E1 is met: a participant has elected = ⊥ or elected = P, the process of largest identifier.",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Confirmed,
		Evidence: []checker.Evidence{
			checker.Keeps("e1", everything(3)), checker.Keeps("extreme", everything(4)), checker.Keeps("uniqueness", everything(4)),
		},
	},
	{
		Name: "e2", Source: slidesName, Place: "Ring-based Election Algorithm",
		Text:    "Condition E2 follows from the guaranteed traversals of the ring.",
		Kind:    checker.LivenessClaim,
		Outcome: checker.Refuted,
		Evidence: []checker.Evidence{
			checker.Keeps("e2", everything(3)), checker.Keeps("e2", everything(4)),
			checker.Keeps("e2", everything(4)+" channels=fifo").Beside("channels that keep the order"),
			checker.Keeps("e2", everything(4)).Of("once"),
		},
		Note: "The slides say nothing of the order of messages. Where a channel does not keep it, the elected message may overtake " +
			"an election message, which then makes a participant of somebody whom nothing ever tells that the election is over. " +
			"With FIFO channels the claim is true.",
		Story:  "changroberts-left-behind",
		Repair: "not known yet",
	},
	{
		Name: "worst-count", Source: slidesName, Place: "Ring-based Election Algorithm, and the summary",
		Text:    "At worst 3N-1 messages, where a single process begins: N-1 to reach the highest, N for its circuit, N for elected.",
		Kind:    checker.CountClaim,
		Outcome: checker.Confirmed,
		Evidence: []checker.Evidence{
			checker.Takes(checker.WorstCase, checker.Measure{}, checker.Exactly, 5, alone(2)),
			checker.Takes(checker.WorstCase, checker.Measure{}, checker.Exactly, 8, alone(3)),
			checker.Takes(checker.WorstCase, checker.Measure{}, checker.Exactly, 11, alone(4)),
			checker.Takes(checker.WorstCase, checker.Measure{}, checker.Exactly, 14, alone(5)),
			checker.Takes(checker.WorstCase, checker.Measure{}, checker.Exactly, 17, alone(6)),
		},
		Needs: []string{"message election", "message elected"},
	},
}
