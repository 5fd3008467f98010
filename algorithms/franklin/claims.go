package franklin

import (
	_ "embed"
	"fmt"

	"bullyproof/checker"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// eager is a ring of n in every arrangement, where all begin before anything is
// delivered.
func eager(n int) string {
	return fmt.Sprintf("n=%d topology=biring initiators=all channels=fifo timing=async:0", n)
}

// lazy is a ring of n in every arrangement, where any processes begin when they
// please, unless a message reaches them first.
func lazy(n int) string {
	return fmt.Sprintf("n=%d topology=biring initiators=any:lazy channels=fifo timing=async:0", n)
}

// unordered is eager, with channels that do not keep the order of messages.
func unordered(n int) string {
	return fmt.Sprintf("n=%d topology=biring initiators=all timing=async:0", n)
}

// keeps is evidence that properties hold on rings of 2 to 5, all beginning, and
// of 2 to 4, any of them beginning.
func keeps(properties ...string) (list []checker.Evidence) {
	for _, p := range properties {
		for n := 2; n <= 5; n++ {
			list = append(list, checker.Keeps(p, eager(n)))
		}
		for n := 2; n <= 4; n++ {
			list = append(list, checker.Keeps(p, lazy(n)))
		}
	}
	return list
}

// reordered is evidence, beside what is claimed, that a property holds where
// channels do not keep the order of messages.
func reordered(property string) (list []checker.Evidence) {
	for n := 2; n <= 6; n++ {
		e := checker.Keeps(property, unordered(n)).Beside("channels that do not keep the order")
		e.Deep = n > 5
		list = append(list, e)
	}
	return list
}

const (
	paper = "Franklin 1982, as the literature tells it"

	effatparvar = "M. Effatparvar et al., Improved algorithms for leader election in distributed systems, ICCET 2010"
)

// claims are what the literature says of the algorithm, and what a paper that
// compares elections says of it among others.
var claims = []checker.Claim{
	{
		Name: "greatest", Source: paper, Place: "extrema finding",
		Text:    "One process is elected, and it is the one with the greatest id.",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Confirmed,
		Evidence: append(append(keeps("uniqueness", "extreme", "e1"), reordered("extreme")...),
			checker.Keeps("extreme", eager(4)).Of("initiators"), checker.Keeps("extreme", lazy(4)).Of("initiators")),
		Note: "If processes that have not begun when a message reaches them are passive (initiators), the winner is the greatest " +
			"of those that began, and a greater one may have slept. FIFO channels are assumed and not needed, as far as N = 6: an " +
			"id that overtakes another belongs to a process that outlived the other's owner.",
	},
	{
		Name: "ends", Source: paper, Place: "extrema finding",
		Text:    "The algorithm ends, and everybody knows who is elected.",
		Kind:    checker.LivenessClaim,
		Outcome: checker.Confirmed,
		Evidence: append(append(keeps("e2", "agreement", "stable-leadership", "termination"), reordered("e2")...),
			checker.Keeps("e2", lazy(4)).Of("initiators")),
	},
	{
		Name: "bound", Source: paper, Place: "the analysis",
		Text:     "At least half of the active processes drop out in a round of 2N messages: at most 2N(floor(log2 N) + 1).",
		Kind:     checker.CountClaim,
		Outcome:  checker.Confirmed,
		Evidence: bounds(),
		Note: "With the announcement, which is N messages on top. The bound is exact: for each N from 2 to 6 some arrangement takes " +
			"that many, and the best takes 4N. The order in which messages arrive makes no difference.",
	},
	{
		Name: "single", Source: effatparvar, Place: "section 1",
		Text: "\"The safety condition for leader election requires that only a single node can enter the elected state\", and " +
			"\"when a node enters either state, it always remain in that state\".",
		Kind:     checker.SafetyClaim,
		Outcome:  checker.Confirmed,
		Evidence: keeps("uniqueness", "irrevocable"),
	},
	{
		Name: "acknowledged", Source: effatparvar, Place: "section 1",
		Text: "\"Once a decision is made, a node is elected as the leader and all the other nodes will acknowledge the role of " +
			"that node as the leader.\"",
		Kind:     checker.LivenessClaim,
		Outcome:  checker.Confirmed,
		Evidence: keeps("e2", "agreement", "stable-leadership"),
		Note:     "It takes the announcement, which the algorithm itself leaves open.",
	},
}

// bounds is evidence on the bound, all arrangements.
func bounds() (list []checker.Evidence) {
	for n := 2; n <= 6; n++ {
		e := checker.Takes(checker.WorstCase, checker.Measure{}, checker.Exactly, bound(n)+n, eager(n))
		e.Deep = n > 5
		list = append(list, e)
	}
	return list
}
