package shirali

import (
	"fmt"
	"slices"

	"bullyproof/cost"
	"bullyproof/ledger"
)

// claims are what the paper on FCEABR says of the algorithm.
var claims = []ledger.Claim{
	{
		Name: "elects", Place: "section II",
		Text: "\"It compared group's coordinator with each other to elect the main coordinator afterward\": all processes learn the " +
			"greatest number that is up, however many notice the crash at once.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(elected(""), elected("informers")),
		Note: "This judges a reconstruction: the original was not read. Delays do not matter if each link keeps the order of its " +
			"messages. If a process crashes in the election, the messages on their way to it are lost, and there is no timeout. The " +
			"description says nothing about that.",
		Idle: []string{"drop"},
	},
	{
		Name: "performance", Place: "section II",
		Text: "It is \"to improve election performance in the bidirectional ring topology\": it takes fewer messages than the Ring " +
			"algorithm, which takes 2N for each process that notices.",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(
			fewer("", "all", 4, 5), fewer("informers", "all", 4, 5),
			fewer("", "one", 3, 4, 5).Beside("one process notices"), fewer("informers", "one", 3, 4, 5).Beside("one process notices"),
		),
		Note: "Where all notice at once, four processes take at most 30 messages and the Ring algorithm 32; five take 40 and 50. " +
			"Where one notices, this algorithm takes more: the election in a single group goes out and comes back, in 2N+2 messages, " +
			"and the comparison and the announcement take another 2N.",
		Needs: []string{"message Election", "message Result", "message Compare", "message Coordinator", "rule 7"},
	},
	{
		Name: "faster", Place: "section II",
		Text: "It is \"to improve election performance in the bidirectional ring topology\": it takes less time than the Ring " +
			"algorithm, which takes that of 2N messages.",
		Kind: ledger.TimeClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(
			quicker("", "one", 4, 5), quicker("informers", "one", 4, 5),
			quicker("", "all", 4, 5), quicker("informers", "all", 4, 5),
		),
		Note: "This is false of the reconstruction: the comparison and the announcement go round one after the other, as the Ring " +
			"algorithm's two messages do, and the groups' elections come before them. The two directions save time only within a " +
			"group, which needs half of it.",
		Needs: []string{"message Compare", "message Coordinator"},
	},
}

// begun is a ring in which some begin.
func begun(n int, initiators string) string {
	return fmt.Sprintf("n=%d topology=biring initiators=%s channels=fifo", n, initiators)
}

// elected is evidence that a reading elects, where some begin at a time of their
// own, or find out that the coordinator has crashed.
func elected(variant string) ledger.EvidenceList {
	return slices.Concat(
		ledger.KeepsIn([]string{begun(3, "any:lazy") + " timing=lockstep", begun(3, "any:lazy") + " timing=async"},
			"agreement", "uniqueness", "extreme", "e2", "termination"),
		ledger.KeepsIn([]string{crashed(4, "async")}, "agreement", "uniqueness", "extreme", "e2", "re-election", "termination"),
		ledger.KeepsIn([]string{crashed(5, "async")}, "agreement", "uniqueness", "extreme", "e2", "re-election", "termination").InDeep(),
	).Of(variant)
}

// crashed is a ring that closes round its coordinator, which has crashed.
func crashed(n int, timing string) string {
	return fmt.Sprintf("n=%d topology=biring:repaired start=coordinator-down channels=fifo timing=%s", n, timing)
}

// fewer asks for fewer messages than the Ring algorithm takes.
func fewer(variant, initiators string, sizes ...int) (list ledger.EvidenceList) {
	for _, n := range sizes {
		ring := 2 * n
		if initiators == "all" {
			ring *= n
		}
		list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, ring-1, begun(n, initiators)+" timing=lockstep"))
	}
	return list.Of(variant)
}

// quicker asks for less time than the Ring algorithm takes.
func quicker(variant, initiators string, sizes ...int) (list ledger.EvidenceList) {
	for _, n := range sizes {
		list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.AtMost, 2*n-1,
			begun(n, initiators)+" timing=lockstep"))
	}
	return list.Of(variant)
}
