package xie

import (
	"bullyproof/cost"
	"bullyproof/ledger"
	"fmt"
	"slices"
)

// begun is a ring in which some begin.
func begun(n int, initiators string) string {
	return fmt.Sprintf("n=%d topology=biring initiators=%s channels=fifo", n, initiators)
}

// crashed is a ring that closes round who has crashed, in which one does, the
// coordinator or another.
func crashed(n int) string {
	return fmt.Sprintf("n=%d topology=biring:repaired start=settled crashes=1 channels=fifo", n)
}

// The properties of an election, and of one that replaces a coordinator.
var (
	elected  = []string{"agreement", "uniqueness", "extreme", "e2", "termination"}
	replaced = []string{"agreement", "uniqueness", "extreme", "e2", "re-election", "termination"}
)

// claims are what the paper on FCEABR says of the algorithm.
// As in FCEABR, both copies of a message are handled at once where they meet.
var claims = ledger.JudgedIn("at-once", []ledger.Claim{
	{
		Name: "elects", Place: "section II, and IV to V on Election and Coordinator messages",
		Text: "However many processes detect the coordinator's crash at once, all learn the greatest number that is up.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(
			keeps(begun(3, "any:lazy")+" timing=lockstep", elected...),
			keeps(begun(4, "1,2:lazy")+" timing=lockstep", elected...),
			keeps(begun(3, "1,2:lazy")+" timing=sync:1", elected...),
			keeps(begun(3, "1,2:lazy")+" arrangement=1-2-3 timing=sync:2", elected...),
			keeps(crashed(3)+" timing=sync:1", replaced...),
			keeps(crashed(3)+" timing=sync:2", replaced...),
			keeps(crashed(4)+" timing=lockstep", replaced...),
			keeps(begun(3, "any:lazy")+" timing=lockstep", elected...).Of("at-once"),
			keeps(begun(4, "1,2:lazy")+" timing=lockstep", elected...).Of("at-once"),
			keeps(crashed(3)+" timing=lockstep", replaced...).Of("at-once"),
			keeps(begun(3, "any:lazy")+" timing=lockstep", elected...).Of("repaired"),
			keeps(begun(4, "1,2:lazy")+" timing=lockstep", elected...).Of("repaired"),
			keeps(crashed(3)+" timing=sync:1", replaced...).Of("repaired"),
			keeps(crashed(3)+" timing=sync:2", replaced...).Of("repaired"),
		),
		Note: "This judges a reconstruction: the original was not read. At once means two of four, or any of three. Crashes besides " +
			"the coordinator's belong to another claim.",
		Idle: []string{"rule 6"},
	},
	{
		Name: "no-tolerance", Place: "section II, 2)",
		Text: "\"It doesn't care about coordinator failure tolerance in network to avoid any losses in the network's functions.\"",
		Kind: ledger.LivenessClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(
			[]ledger.Evidence{
				ledger.Breaks("e2", lost+" timing=lockstep"), ledger.Breaks("e2", waiting),
				ledger.Breaks("termination", lost+" timing=lockstep").Beside("as reconstructed"),
				ledger.Breaks("e2", lost+" timing=lockstep").Of("at-once"),
			},
			keeps(lost+" mid-send=yes timing=lockstep", tolerated...).Of("repaired").Beside("the repair"),
			keeps(waiting+" mid-send=yes", "e2", "termination").Of("repaired").Beside("the repair"),
			keeps(twice(3)+" timing=lockstep", tolerated...).Of("repaired").Beside("the repair"),
			keeps(twice(3)+" mid-send=yes timing=sync:1", tolerated...).Of("repaired").Beside("the repair"),
			keeps(twice(3)+" mid-send=yes timing=sync:2", tolerated...).Of("repaired").Beside("the repair"),
			keeps(twice(4)+" mid-send=yes timing=lockstep", tolerated...).Of("repaired").Beside("the repair").InDeep(),
		),
		Note: "There is no surrogate, so no process has a coordinator until the election is over. An election is lost with a process " +
			"that crashes while a message is with it (see xie-lost-election). Its other messages may then go round for ever; where " +
			"delays differ they multiply without end, so only equal delays were searched. Variant repaired numbers elections and " +
			"limits their time, and survives such a crash, also where delays differ.",
		Needs: []string{"crash", "message Election", "message Coordinator", "two participants at once"},
	},
	{
		Name: "same-as-ring", Place: "section II, 2)",
		Text: "\"The number of exchanged messages by this algorithm is same as simple Ring algorithm\": 2N.",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(
			exactly("at-once", 2, 3, 4, 5, 6),
			exactly("fceabr-describes", 2, 3, 4, 5, 6),
		),
		Note: "This is right for even N, if both copies of a message are handled in one step where they meet. For odd N the copies " +
			"pass each other between two neighbours, and each round takes one more: 2N+2. If a process passes on the copy that comes " +
			"first, it is 2N+3 for any N from 3 on.",
		Needs: []string{"message Election", "message Coordinator", "rule 3", "rule 5"},
	},
	{
		Name: "each-its-own", Place: "section II, 1)",
		Text: "It inherits the disadvantage of the Ring algorithm: where several detect the crash each has an election of its own, " +
			"and the messages multiply.",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: []ledger.Evidence{
			multiplied("at-once", 2, "1,2", 2*4), multiplied("at-once", 3, "1,2", 2*8), multiplied("at-once", 3, "all", 3*8),
			multiplied("at-once", 4, "1,2", 2*8), multiplied("at-once", 4, "all", 4*8),
			multiplied("fceabr-describes", 3, "1,2", 2*9), multiplied("fceabr-describes", 3, "all", 3*9),
			multiplied("fceabr-describes", 4, "1,2", 2*11), multiplied("fceabr-describes", 4, "all", 4*11).InDeep(),
		},
		Note:  "Each of them takes what one takes, which is 2N and more (see same-as-ring).",
		Needs: []string{"message Election", "message Coordinator"},
	},
	{
		Name: "two-for-each", Place: "section II, 1)",
		Text: "\"Hence if n processes find it out the number of exchanged messages will be 2n.\"",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: []ledger.Evidence{
			multiplied("at-once", 2, "1,2", 2*2), multiplied("at-once", 3, "1,2", 2*2), multiplied("at-once", 3, "all", 2*3),
			multiplied("at-once", 4, "1,2", 2*2), multiplied("at-once", 4, "all", 2*4),
			multiplied("fceabr-describes", 3, "1,2", 2*2), multiplied("fceabr-describes", 3, "all", 2*3),
			multiplied("fceabr-describes", 4, "1,2", 2*2),
		},
		Note: "It is too small by a factor N, and contradicts the next sentence, by which one process that detects the crash takes as " +
			"many as the Ring algorithm. The sentence probably means 2N for each of them, which is right for even N (see " +
			"each-its-own).",
		Needs: []string{"message Election", "message Coordinator", "rule 3", "rule 5"},
	},
	{
		Name: "faster", Place: "section II",
		Text: "\"The election speed is more than simple Ring algorithm\", which takes the time of 2N messages.",
		Kind: ledger.TimeClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(
			quicker("fceabr-describes", 1, "one", 2, 3, 4, 5, 6), quicker("fceabr-describes", 1, "all", 2, 3),
			slow(1, 2, 3, 4), slow(2, 2, 3),
			quicker("at-once", 2, "one", 2, 3, 4, 5, 6), quicker("at-once", 2, "all", 2, 3, 4),
		),
		Note: "It takes N+1 message times; where delays differ, at most as many times the longest. In the reading at-once a message " +
			"takes a tick and its handling another: there it is 2N-1 ticks, and 4N for the Ring algorithm.",
		Needs: []string{"message Election", "message Coordinator"},
	},
})

// The rings in which somebody crashes besides the coordinator, while there is an
// election: anybody may find the coordinator's crash out, or one of four does.
const (
	lost    = "n=3 topology=biring:repaired start=coordinator-down crashes=1 channels=fifo"
	waiting = "n=4 topology=biring:repaired arrangement=1-2-3-4 start=coordinator-down detectors=1 crashes=1 channels=fifo timing=lockstep"
)

// twice is a ring in which two crash, at any time.
func twice(n int) string {
	return fmt.Sprintf("n=%d topology=biring:repaired start=settled crashes=2 channels=fifo", n)
}

// tolerated are the properties of an algorithm that cares.
var tolerated = []string{"e2", "agreement", "extreme", "re-election", "termination"}

// keeps is evidence that properties hold in a setting.
func keeps(setting string, properties ...string) ledger.EvidenceList {
	return ledger.KeepsIn([]string{setting}, properties...)
}

// exactly asks for 2N messages where one begins, on rings of several sizes.
func exactly(variant string, sizes ...int) (list ledger.EvidenceList) {
	for _, n := range sizes {
		list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 2*n, begun(n, "one")+" timing=lockstep").Of(variant))
	}
	return list
}

// multiplied asks for a number of messages where some begin.
func multiplied(variant string, n int, initiators string, figure int) ledger.Evidence {
	return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, figure, begun(n, initiators)+" timing=lockstep").Of(variant)
}

// quicker asks for less time than the Ring algorithm takes, on rings of several
// sizes; a step from one process to the next takes so many ticks.
func quicker(variant string, ticks int, initiators string, sizes ...int) (list ledger.EvidenceList) {
	for _, n := range sizes {
		list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.AtMost, 2*n*ticks-1,
			begun(n, initiators)+" timing=lockstep").Of(variant))
	}
	return list
}

// slow asks for less time than the Ring algorithm takes where delays differ and
// are a number of ticks at most.
func slow(ticks int, sizes ...int) (list ledger.EvidenceList) {
	for _, n := range sizes {
		list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.AtMost, 2*n*ticks-1,
			fmt.Sprintf("%s timing=sync:%d", begun(n, "one"), ticks)).Of("fceabr-describes"))
	}
	return list
}
