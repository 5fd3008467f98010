package franklin

import (
	"bullyproof/cost"
	"bullyproof/ledger"
	_ "embed"
	"fmt"
	"math"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// eager is a ring of n in every arrangement, where all begin before anything is
// delivered.
func eager(n int) string {
	return fmt.Sprintf("n=%d topology=biring initiators=all channels=fifo timing=patient", n)
}

// lazy is a ring of n in every arrangement, where any processes begin when they
// please, unless a message reaches them first.
func lazy(n int) string {
	return fmt.Sprintf("n=%d topology=biring initiators=any:lazy channels=fifo timing=patient", n)
}

// unordered is eager, with channels that do not keep the order of messages.
func unordered(n int) string {
	return fmt.Sprintf("n=%d topology=biring initiators=all timing=patient", n)
}

// keeps is evidence that properties hold on rings of 2 to 5, all beginning, and
// of 2 to 4, any of them beginning.
func keeps(properties ...string) (list ledger.EvidenceList) {
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

// reordered is evidence, beside what is claimed, that a property holds where
// channels do not keep the order of messages.
func reordered(property string) (list ledger.EvidenceList) {
	for n := 2; n <= 6; n++ {
		e := ledger.Keeps(property, unordered(n)).Beside("channels that do not keep the order")
		e.Deep = n > 5
		list = append(list, e)
	}
	return list
}

const (
	paper    = "Franklin 1982, as the literature tells it"
	abstract = "Franklin 1982"

	effatparvar = "M. Effatparvar et al., Improved algorithms for leader election in distributed systems, ICCET 2010"
)

// claims are what the literature says of the algorithm, and what a paper that
// compares elections says of it among others.
var claims = []ledger.Claim{
	{
		Name: "greatest", Source: paper, Place: "extrema finding",
		Text:    "One process is elected, and it is the one with the greatest id.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: append(append(keeps("uniqueness", "extreme", "e1"), reordered("extreme")...),
			ledger.Keeps("extreme", eager(4)).Of("initiators"), ledger.Keeps("extreme", lazy(4)).Of("initiators")),
		Note: "If a process that has not begun when a message reaches it is passive (initiators), the winner is the greatest of those " +
			"that began; a greater process may not have begun. The paper assumes FIFO channels, and up to N = 6 the algorithm does " +
			"not need them: an id that overtakes another belongs to a process that outlived the other's owner.",
	},
	{
		Name: "ends", Source: paper, Place: "extrema finding",
		Text:    "The algorithm ends, and all processes know which one is elected.",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Confirmed,
		Evidence: append(append(keeps("e2", "agreement", "stable-leadership", "termination"), reordered("e2")...),
			ledger.Keeps("e2", lazy(4)).Of("initiators")),
	},
	{
		Name: "bound", Source: abstract, Place: "abstract",
		Text:     "\"It passes 2N*floor(lg N) + 3N messages in the worst case.\"",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: bounds(),
		Note: "This is exact, with the announcement: 2N for each of at most floor(log2 N) + 1 rounds, in each of which at least half " +
			"of the active processes drop out, and N to announce. For each N from 2 to 8 some arrangement takes that many, and the " +
			"best takes 5N. (For N = 7 and 8 the search takes one order of arrival for each arrangement: up to N = 6 the order makes " +
			"no difference, where all begin at once.)",
	},
	{
		Name: "less-than-hirschberg-sinclair", Source: abstract, Place: "abstract",
		Text: "That is more efficient \"compared to [...] Hirschberg and Sinclair's 8N + 8*ceiling(N lg N) messages\".",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: compared(hirschbergSinclair),
		Note: "It is fewer than half of the printed figure. It is also fewer than that algorithm really takes: 10, 15, 28, 35 and 42 " +
			"against 12, 26, 36, 60 and 74 messages at most on rings of 2 to 6, with an announcement.",
	},
	{
		Name: "less-than-chang-roberts", Source: abstract, Place: "abstract",
		Text: "That is more efficient \"compared to Chang and Roberts' N(N + 1)/2\" messages.",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: compared(changRoberts).Beside("the algorithm of Chang and Roberts"),
		Note: "On small rings this is false: 10, 15, 28, 35 and 42 messages against 3, 6, 10, 15 and 21 on rings of 2 to 6, or 5, 9, " +
			"14, 20 and 27 if that algorithm announces its outcome, too. By the two formulas it takes fewer from N = 22 on, which no " +
			"search reaches.",
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
func bounds() (list ledger.EvidenceList) {
	for n := 2; n <= 6; n++ {
		e := ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, bound(n), eager(n))
		e.Deep = n > 5
		list = append(list, e)
	}
	for n := 2; n <= 5; n++ {
		e := ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, bound(n), lazy(n))
		e.Deep = n > 4
		list = append(list, e, e.Of("initiators"))
	}
	return list
}

// hirschbergSinclair is 8N + 8 ceil(N lg N), and changRoberts N(N + 1)/2.
func hirschbergSinclair(n int) int {
	return 8*n + 8*int(math.Ceil(float64(n)*math.Log2(float64(n))))
}

func changRoberts(n int) int { return n * (n + 1) / 2 }

// compared asks for no more than another algorithm is said to take.
func compared(other func(n int) int) (list ledger.EvidenceList) {
	for n := 2; n <= 6; n++ {
		e := ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, other(n), eager(n))
		e.Deep = n > 5
		list = append(list, e)
	}
	return list
}
