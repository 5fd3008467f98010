package peterson

import (
	"bullyproof/cost"
	"bullyproof/ledger"
	_ "embed"
	"fmt"
	"slices"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// eager is a ring of n in every arrangement, where all begin before anything is
// delivered.
func eager(n int) string {
	return fmt.Sprintf("n=%d topology=ring initiators=all channels=fifo timing=patient", n)
}

// lazy is a ring of n in every arrangement, where any processes begin when they
// please, unless a message reaches them first.
func lazy(n int) string {
	return fmt.Sprintf("n=%d topology=ring initiators=any:lazy channels=fifo timing=patient", n)
}

// unordered is eager, with channels that do not keep the order of messages.
func unordered(n int) string {
	return fmt.Sprintf("n=%d topology=ring initiators=all timing=patient", n)
}

// keeps is evidence that properties hold on rings of 2 to 5, all beginning, and
// of 2 to 4, any of them beginning.
func keeps(properties ...string) (list []ledger.Evidence) {
	for _, p := range properties {
		for n := 2; n <= 5; n++ {
			list = append(list, ledger.Keeps(p, eager(n)))
		}
		for n := 2; n <= 4; n++ {
			list = append(list, ledger.Keeps(p, lazy(n)))
		}
		list = append(list, ledger.Keeps(p, eager(6)).InDeep())
	}
	return list
}

const (
	paper = "Peterson 1982, as the literature tells it"

	effatparvar = "M. Effatparvar et al., Improved algorithms for leader election in distributed systems, ICCET 2010"
)

// claims are what the literature says of the algorithm, and what a paper that
// compares elections says of it among others.
var claims = []ledger.Claim{
	{
		Name: "greatest", Source: paper, Place: "the circular extrema problem",
		Text:    "One process is elected, and it is the one with the greatest id.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: append(keeps("uniqueness", "extreme", "e1"),
			ledger.Keeps("extreme", eager(4)).Of("relays"), ledger.Keeps("extreme", lazy(4)).Of("relays")),
		Note: "If a process that has not begun when a message reaches it only relays (relays), the winner is the greatest of those " +
			"that began; a greater process may not have begun.",
	},
	{
		Name: "ends", Source: paper, Place: "the circular extrema problem",
		Text:     "The algorithm ends, and all processes know which one is elected.",
		Kind:     ledger.LivenessClaim,
		Outcome:  ledger.Confirmed,
		Evidence: append(keeps("e2", "agreement", "stable-leadership", "termination"), ledger.Keeps("e2", lazy(4)).Of("relays")),
	},
	{
		Name: "bound", Source: paper, Place: "the title, and the analysis",
		Text:     "It takes O(n log n) messages: at most 2N floor(log2 N) + N.",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: bounds(),
		Note: "The bound is not reached: for N = 2 to 8 the worst arrangement takes 5, 8, 16, 21, 27, 32 and 46 messages, and the " +
			"best 3N-1. (For N = 8 the search takes one order of arrival for each arrangement: up to N = 7 the order makes no " +
			"difference, where all begin at once.) N more announce the outcome. The paper has a second algorithm, which takes fewer " +
			"and was not checked.",
	},
	{
		Name: "fifo", Source: paper, Place: "assumptions",
		Text:    "Messages arrive in the order in which they were sent: the algorithm needs that.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Breaks("uniqueness", unordered(4)), ledger.Breaks("extreme", unordered(4)),
			ledger.Keeps("uniqueness", unordered(3)).Beside("a ring of three does without"),
			ledger.Breaks("e2", unordered(5)).InDeep().Beside("five processes may all drop out"),
		},
		Note: "The two messages of a phase do not say which is which. Where one overtakes the other, ntid and nntid change places: " +
			"from N = 4 on two processes may be elected (" + overtaken + ").",
	},
	{
		Name: "single", Source: effatparvar, Place: "section 1",
		Text: "\"The safety condition for leader election requires that only a single node can enter the elected state\", and " +
			"\"when a node enters either state, it always remain in that state\".",
		Kind:     ledger.SafetyClaim,
		Outcome:  ledger.Confirmed,
		Evidence: keeps("uniqueness", "irrevocable"),
	},
	{
		Name: "decided", Source: effatparvar, Place: "section 1",
		Text:     "\"The liveness condition states that every node will eventually enter an elected state or a non-elected state.\"",
		Kind:     ledger.LivenessClaim,
		Outcome:  ledger.Confirmed,
		Evidence: keeps("e2", "termination"),
	},
	{
		Name: "acknowledged", Source: effatparvar, Place: "section 1",
		Text: "\"Once a decision is made, a node is elected as the leader and all the other nodes will acknowledge the role of " +
			"that node as the leader.\"",
		Kind:     ledger.LivenessClaim,
		Outcome:  ledger.Confirmed,
		Evidence: keeps("e2", "agreement", "stable-leadership"),
		Note: "This needs the announcement, which the algorithm itself leaves open. The sentence, with a process and a coordinator, " +
			"stands also in section I of Kabashi, Zeqiri and Zabeli (the minimum-ID algorithm), which names this algorithm, too.",
	},
}

// bounds is evidence on the bound, all arrangements.
func bounds() (list []ledger.Evidence) {
	values := cost.Measure{Kind: "value"}
	for n := 2; n <= 7; n++ {
		e := ledger.Takes(cost.WorstCase, values, ledger.AtMost, bound(n), eager(n))
		e.Deep = n > 6
		list = append(list, e)
	}
	for n := 2; n <= 5; n++ {
		e := ledger.Takes(cost.WorstCase, values, ledger.AtMost, bound(n), lazy(n))
		e.Deep = n > 4
		list = append(list, e, e.Of("relays"))
	}
	return slices.Clip(list)
}
