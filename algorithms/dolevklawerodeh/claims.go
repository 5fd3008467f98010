package dolevklawerodeh

import (
	"bullyproof/cost"
	"bullyproof/ledger"
	_ "embed"
	"fmt"
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
	paper    = "Dolev, Klawe and Rodeh 1982, as the literature tells it"
	abstract = "Dolev, Klawe and Rodeh 1982"
)

// claims are what the literature says of the algorithm.
var claims = []ledger.Claim{
	{
		Name: "greatest", Source: paper, Place: "extrema finding",
		Text:    "The greatest number is found, and no other: its owner is the one coordinator.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: append(keeps("uniqueness", "extreme", "e1", "irrevocable"),
			ledger.Keeps("extreme", eager(4)).Of("initiators"), ledger.Keeps("extreme", lazy(4)).Of("initiators"),
			ledger.Keeps("extreme", eager(4)).Of("sorts"), ledger.Keeps("extreme", lazy(4)).Of("sorts")),
		Note: "If a process that has not begun when a message reaches it is passive (initiators), the winner is the greatest of those " +
			"that began; a greater process may not have begun.",
	},
	{
		Name: "ends", Source: paper, Place: "extrema finding",
		Text:    "The algorithm ends, and once the number has been round all processes know the coordinator.",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Confirmed,
		Evidence: append(keeps("e2", "agreement", "stable-leadership", "termination"), ledger.Keeps("e2", lazy(4)).Of("initiators"),
			ledger.Keeps("e2", lazy(4)).Of("sorts")),
	},
	{
		Name: "bound", Source: paper, Place: "the title, and the analysis",
		Text:     "It takes O(n log n) messages: at most 2N floor(log2 N) + N. (In the abstract: \"bounded by 2 n log n + O(n)\".)",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: bounds(),
		Note: "This counts the announcement, which is N messages on top. The bound is exact: for each N from 2 to 8 some arrangement " +
			"takes that many, and the best takes 3N. (For N = 8 the search takes one order of arrival for each arrangement: up to N = " +
			"7 the order makes no difference, where all begin at once.)",
	},
	{
		Name: "conjecture", Source: abstract, Place: "abstract",
		Text: "\"These algorithms disprove Hirschberg and Sinclair's conjecture that O(n2) is a lower bound on the number of messages passed\" " +
			"by unidirectional algorithms.",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Undecided,
		Evidence: squares(),
		Note: "Small rings cannot show how the number grows. The bound is confirmed as far as it was checked, and would disprove the " +
			"conjecture if it holds for all N. With the announcement the worst arrangement takes less than N squared from N = 7 on.",
	},
	{
		Name: "improved", Source: abstract, Place: "abstract",
		Text: "Improved algorithms take at most \"1.5nlogn + O(n)\" and \"1.356nlogn + O(n) messages\".",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Note: "Only the simple algorithm was checked: no text with the rules of the others was available.",
	},
	{
		Name: "another", Source: paper, Place: "the algorithm",
		Text:     "The process that finds the greatest number need not be the one it belongs to.",
		Kind:     ledger.SafetyClaim,
		Outcome:  ledger.Confirmed,
		Evidence: keeps("found-elsewhere"),
		Note: "The number never comes back to its owner: in every arrangement another process finds it. A reading that elects the " +
			"finder elects the wrong process.",
	},
	{
		Name: "fifo", Source: paper, Place: "assumptions",
		Text:    "Messages arrive in the order in which they were sent: the algorithm needs that.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Breaks("extreme", unordered(2)), ledger.Breaks("extreme", unordered(3)), ledger.Breaks("extreme", unordered(4)),
			ledger.Breaks("e2", unordered(3)), ledger.Breaks("e2", unordered(4)),
			ledger.Keeps("uniqueness", unordered(4)).Beside("two never win at once, with four"),
			ledger.Breaks("e2", unordered(3)).Of("sorts"), ledger.Breaks("e2", unordered(4)).Of("sorts"),
			ledger.Breaks("extreme", unordered(4)).Of("sorts"),
			ledger.Keeps("extreme", unordered(2)).Of("sorts").Beside("a ring of two does without"),
			ledger.Keeps("extreme", unordered(3)).Of("sorts").Beside("the wrong one does not win, with three"),
		},
		Note: "Messages say which of the two of a phase they are, and not which phase it is. Where one overtakes another, a process " +
			"that acts on messages as they come compares numbers that do not belong together: the wrong one may win (" +
			overtaken + "), or all may become passive. To wait for the one kind and then the other (sorts) does not help from N = 3 on (" +
			mixed + ").",
	},
}

// bounds is evidence on the bound, all arrangements.
func bounds() (list []ledger.Evidence) {
	for n := 2; n <= 7; n++ {
		e := ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, bound(n)+n, eager(n))
		e.Deep = n > 6
		list = append(list, e)
	}
	for n := 2; n <= 5; n++ {
		e := ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, bound(n)+n, lazy(n))
		e.Deep = n > 4
		list = append(list, e, e.Of("initiators"))
	}
	return list
}

// squares is the comparison with N squared, which decides nothing.
func squares() (list []ledger.Evidence) {
	for n := 2; n <= 7; n++ {
		e := ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, n*n, eager(n)).Beside("N squared")
		e.Deep = n > 6
		list = append(list, e)
	}
	return list
}
