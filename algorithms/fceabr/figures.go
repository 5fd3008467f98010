package fceabr

import (
	"fmt"
	"slices"

	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
)

// selections counts what it takes to tell of a crash.
var selections = cost.Measure{Kind: labels[SElection]}

// oneDetects is a ring of so many processes that are up, one of which finds out
// that the coordinator has crashed.
func oneDetects(up int) string {
	return fmt.Sprintf("n=%d topology=biring:repaired start=coordinator-down detectors=1 channels=fifo timing=lockstep", up+1)
}

// sorted is a ring in the order of numbers, in which everybody begins.
func sorted(n int) string {
	order := "1"
	for id := 2; id <= n; id++ {
		order += fmt.Sprintf("-%d", id)
	}
	return fresh(n, "all") + equal + " arrangement=" + order
}

// exactly asks for one and the same figure on rings of several sizes.
func exactly(variant string, m cost.Measure, figure func(n int) int, setting func(n int) string, sizes ...int) (list ledger.EvidenceList) {
	for _, n := range sizes {
		list = append(list, ledger.Takes(cost.WorstCase, m, ledger.Exactly, figure(n), setting(n)).Of(variant))
	}
	return list
}

// most asks for one and the same upper bound on rings of several sizes.
func most(variant string, m cost.Measure, figure func(n int) int, setting func(n int) string, sizes ...int) (list ledger.EvidenceList) {
	for _, n := range sizes {
		list = append(list, ledger.Takes(cost.WorstCase, m, ledger.AtMost, figure(n), setting(n)).Of(variant))
	}
	return list
}

// least asks for one and the same lower bound on rings of several sizes.
func least(variant string, figure func(n int) int, setting func(n int) string, sizes ...int) (list ledger.EvidenceList) {
	for _, n := range sizes {
		list = append(list, ledger.Takes(cost.BestCase, cost.Measure{}, ledger.AtLeast, figure(n), setting(n)).Of(variant))
	}
	return list
}

// quickest asks for a lower bound on time, however many begin.
func quickest(figure func(n int) int, sizes ...int) (list ledger.EvidenceList) {
	for _, n := range sizes {
		list = append(list, ledger.Takes(cost.BestCase, cost.Measure{Unit: cost.Ticks}, ledger.AtLeast, figure(n), begun("any")(n)))
	}
	return list
}

// similar asks whether an election takes 2N messages, and so many more at most if
// N is odd.
func similar(variant string, more int) ledger.EvidenceList {
	bound := func(n int) int { return 2*n + more*(n%2) }
	return slices.Concat(least(variant, twice, begun("one"), 2, 3, 4, 5, 6), most(variant, cost.Measure{}, bound, begun("one"), 2, 3, 4, 5, 6),
		exactly(variant, cost.Measure{}, twice, oneDetects, 2, 4, 6), most(variant, cost.Measure{}, bound, oneDetects, 3, 5))
}

// replacing is what a crash that one of n processes finds out takes in all, as far
// as it was searched.
func replacing(n int) int { return map[int]int{2: 4, 3: 10, 4: 8, 5: 15}[n] }

// several asks whether rings of some sizes, in which some begin at once, need
// less than the Ring algorithm.
func several(variant string, least, most int) (list ledger.EvidenceList) {
	for n := least; n <= most; n++ {
		for m := 2; m <= min(n, 4); m++ {
			list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 2*m*n-1, begun(first(m))(n)).Of(variant))
		}
	}
	return list
}

// first are the initiators 1 to m.
func first(m int) string {
	who := "1"
	for id := 2; id <= m; id++ {
		who += fmt.Sprintf(",%d", id)
	}
	return who
}

// begun is a ring in which some begin, with equal delays.
func begun(initiators string) func(n int) string {
	return func(n int) string { return fresh(n, initiators) + equal }
}

func twice(n int) int  { return 2 * n }
func thrice(n int) int { return 3*n - 1 }
func half(n int) int   { return 2*n + n/2 } // for even n
func same(n int) int   { return n }

// evenly is n for an even number of processes and n+1 for an odd one.
func evenly(n int) int { return n + n%2 }

// fewer is less than the Ring algorithm needs.
func fewer(n int) int { return 2*n - 1 }

// costClaims are about messages and time.
var costClaims = []ledger.Claim{
	{
		Name: "informing-count", Place: "section V and Fig. 10",
		Text: "Where n processes are up, the messages that detect the crash and turn all to the new coordinator are n+1 if n is odd, " +
			"and n if it is even.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			exactly("at-once", selections, evenly, oneDetects, 2, 3, 4, 5, 6),
			exactly("paper", selections, evenly, oneDetects, 2, 3, 4, 5),
		),
		Note: "This holds with equal delays and one process that detects the crash. If both copies are not handled in one step " +
			"(paper), the process in the middle passes on the copy that comes first: n+1 messages with an even number, too.",
		Needs: []string{"message SElection", "rule V.3: the coordinator", "rule V.4: one SElection"},
	},
	{
		Name: "fewer-than-ring", Place: "section V", Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Text: "The messages to inform processes about the crash are fewer than the 2n of the basic Ring algorithm.",
		Evidence: slices.Concat(
			most("", selections, fewer, oneDetects, 2, 3, 4, 5, 6),
			most("at-once", selections, fewer, oneDetects, 2, 3, 4, 5, 6),
		),
		Note: "It compares half an election with a whole one. The Ring algorithm's 2n messages elect and announce; here the search " +
			"for a new surrogate follows with SCoordinator, and makes it 2n and more.",
		Needs: []string{"message SElection", "rule V.3: the coordinator", "rule V.4: one SElection"},
	},
	{
		Name: "half-of-ring", Place: "section VII, Table 2", Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Text:     "The messages that inform processes about the crash are \"nearly half fewer\" than with the basic Ring algorithm, 2N.",
		Evidence: slices.Concat(most(literal, selections, evenly, oneDetects, 2, 3, 4, 5, 6), most("paper", selections, func(n int) int { return n + 1 }, oneDetects, 2, 3, 4, 5)),
		Note: "N or N+1 against 2N. This sentence reads Table 2 with its heads put right: as printed they are swapped (table2-50). It compares " +
			"half an election with a whole one (fewer-than-ring).",
		Needs: []string{"message SElection", "rule V.3: the coordinator", "rule V.4: one SElection"},
	},
	{
		Name: "smaller-messages", Place: "section IV, 3)", Kind: ledger.FigureClaim, Outcome: ledger.Right,
		Text:     "A message of the three sections format is smaller than one of the N sections format.",
		Evidence: []ledger.Evidence{ledger.Adds("three sections are fewer than those of 4 processes, the fewest for which it can be so", true, 3 < 4)},
		Note:     "From four processes on. A section is a number of a process in both formats.",
	},
	{
		Name: "little-memory", Place: "section IX", Kind: ledger.FigureClaim, Outcome: ledger.Undecided,
		Text: "What processes save \"doesn't consume much memory especially when we have just one alternative\": the coordinator and its alternative.",
		Note: "\"Much\" is not said of what. To stop messages a process has to remember more than the two: of each of the four labels the last " +
			"message that it has seen (V.2, V.4).",
	},
	{
		Name: "only-comparison", Place: "section IX", Kind: ledger.FigureClaim, Outcome: ledger.Undecided,
		Text: "\"The only operation that was added to election procedure was comparison between numbers in processes and received messages.\"",
		Note: "It does not say to which procedure. Beside the Ring algorithm there is more: two copies of a message, the process that they meet " +
			"at, the rule that stops the message of a lower initiator, and what a process remembers for that.",
	},
	{
		Name: "linear-messages", Place: "section VI.1: \"from O(N)\"", Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Finding: "equation-1",
		Text:    "The number of messages is O(N) however many processes detect the crash: at most 3N-1.",
		Evidence: slices.Concat(
			most("", cost.Measure{}, thrice, sorted, 3, 4, 5, 6),
			most("one-announcement", cost.Measure{}, thrice, sorted, 3, 4, 5, 6),
			[]ledger.Evidence{
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, thrice(7), sorted(7)).Of("one-announcement").InDeep(),
			},
		),
		Note: "Suppose that all detect it and the ring is in the order of numbers. Then the message of k travels down, past only " +
			"lower initiators, until it meets the greatest one's half-way: k/2 messages for each k, some N²/4 in all. The average " +
			"over all orders is N(1+1/2+...+1/N) for this phase, some N ln N (see equation-1).",
		Needs: []string{"message Election", "message Coordinator", "rule V.4: a message of a lower initiator"},
	},
	{
		Name: "least-messages", Place: "section VI.1: \"and Ω(N)\"", Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Text: "The number of messages is Ω(N): 2N at least.",
		Evidence: slices.Concat(
			least("one-announcement", twice, begun("any"), 2, 3, 4),
			least("at-once", twice, begun("any"), 2, 3, 4),
			least("paper", twice, begun("any"), 2, 3, 4),
		),
		Needs: []string{"message Election", "message Coordinator"},
	},
	{
		Name: "like-ring", Place: "section VII, Fig. 13", Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Text: "Where one process detects the crash \"the number of exchanged message by FCEABR and simple Ring algorithm is similar to " +
			"each other\", 2N with the Ring.",
		Evidence: slices.Concat(
			similar(literal, 5), similar("one-announcement", 3),
		),
		Note: "It is the same for even N and at most five more for odd N, in elections after which there is a surrogate and in those " +
			"that look for a new one. If a process stops the second announcement, whichever process made it (one-announcement), it is " +
			"three more.",
		Needs: []string{"message Election", "message Coordinator"},
	},
	{
		Name: "more-than-effatparvar", Place: "section VII, Fig. 13", Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Text: "Where one process detects the crash the messages are \"more than Effatparvar algorithm\", the ring with \"just a section " +
			"for informer\", which takes 2N. (The figure has the total over four crashes of the coordinator.)",
		Evidence: slices.Concat(
			exactly(literal, cost.Measure{}, replacing, oneDetects, 2, 3, 4, 5),
			[]ledger.Evidence{ledger.Adds("in all, with 5, 4, 3 and 2 processes that are up, beside 28 for the ring",
				37, replacing(5)+replacing(4)+replacing(3)+replacing(2)).Of(literal)},
			least("paper", func(n int) int { return 2*n + 1 }, begun("one"), 2, 3, 4, 5, 6),
		),
		Note: "By its rules that ring takes exactly 2N where the message returns to the process that detected the crash (informer in " +
			"effatparvarring). FCEABR takes as many for even N and more for odd N: 4, 10, 8 and 15 messages for 2 to 5 processes. " +
			"Over four crashes that is 37, and 28 for the ring. If a process passes on the copy that comes first (paper), it takes " +
			"more for every N.",
		Needs: []string{"message SElection", "message SCoordinator"},
	},
	{
		Name: "fewer-where-several", Place: "section VII, Fig. 11, 12 and 14", Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Text: "The messages are fewer than with the Ring algorithm, 2N for each process that detects the crash, \"especially when the " +
			"number of processes which find coordinator crash out is going to be more and more\".",
		Evidence: slices.Concat(several(literal, 4, 5), several(literal, 3, 3).Beside("three processes; the figures have 35 and 70"),
			several("one-announcement", 3, 5), several("paper", 3, 4)),
		Note: "From four processes on this is right if two detect the crash. Three processes of which two detect it need as many as " +
			"the Ring. If both copies of a message are not handled in one step (paper), four need more.",
		Needs: []string{"message Election", "message Coordinator", "rule V.4: a message of a lower initiator"},
	},
	{
		Name: "twice-as-fast", Place: "abstract", Kind: ledger.TimeClaim, Outcome: ledger.Confirmed,
		Text: "The algorithm \"is twice as fast as Ring algorithm\", which takes the time of 2N messages, one after another.",
		Evidence: slices.Concat(
			most("at-once", cost.Measure{Unit: cost.Ticks}, twice, begun("one"), 2, 3, 4, 5, 6),
			exactly("paper", cost.Measure{Unit: cost.Ticks}, same, begun("one"), 2, 3, 4, 5),
		),
		Note: "The message travels through both halves of the ring at the same time. In this reading a message takes a tick, and its " +
			"handling another: 2N ticks stand for N messages. If a message is passed on at once (paper), the last one under way, " +
			"which carries nothing new, adds one or two to N.",
		Needs: []string{"message Election", "message Coordinator"},
	},
	{
		Name: "linear-time", Place: "section VI.2, equations 2 to 10", Kind: ledger.TimeClaim, Outcome: ledger.Confirmed,
		Text: "Time complexity is \"from O(N) and Ω(N)\", however many processes detect the crash.",
		Evidence: slices.Concat(
			quickest(same, 2, 3, 4, 5),
			most("", cost.Measure{Unit: cost.Ticks}, func(n int) int { return n + 2 }, begun("any"), 2, 3, 4, 5),
			most("at-once", cost.Measure{Unit: cost.Ticks}, twice, begun("any"), 2, 3, 4, 5),
		),
		Note: "It takes at most N+2, as far as it was checked, if all begin at once. Equations 2 to 10 are not legible in the text " +
			"that was read; this sentence is about them.",
		Needs: []string{"message Election", "message Coordinator", "rule V.4: a message of a lower initiator"},
	},
	{
		Name: "convergence", Place: "section VIII, equations 11 to 13", Kind: ledger.FigureClaim, Outcome: ledger.Undecided,
		Text: "The average number of messages converges: of 200 simulations its standard deviation is small.",
		Note: "The results of the single simulations are not given. Equation 13 divides by the root of their number: it is the " +
			"deviation of the average, which shrinks with any number of runs and does not measure how much elections differ. For the " +
			"row of Table 3 that can be computed see deviation.",
	},
}

// figures are what the paper says that an election costs.
var figures = []cost.Figure{
	{
		Name: "one process finds the crash out", Formula: "2N", Case: cost.WorstCase, Source: "Table 1, row 1",
		Value: func(n int, p model.ID) (int, bool) { return 2 * n, p != model.None }, Note: live,
	},
	{
		Name: "all find it out", Formula: "3N-1", Case: cost.WorstCase, Source: "Table 1, last row",
		Value: func(n int, p model.ID) (int, bool) { return 3*n - 1, p == model.None }, Note: live,
	},
	{
		Name: "turnaround", Formula: "N, half of what Ring takes", Case: cost.WorstCase, Source: "abstract",
		Measure: cost.Measure{Unit: cost.Ticks},
		Value:   func(n int, p model.ID) (int, bool) { return n, p != model.None }, Note: live,
	},
}

const live = "N counts the processes that are up, one less than before the crash. The figure is right if both copies of a message are " +
	"handled in one step where they meet, and the number is even: see the claims."
