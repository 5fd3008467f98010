package hirschbergsinclair

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

// in is a ring of n in every arrangement, on channels that do not keep the order
// of messages unless more is said.
func in(n int, more string) string {
	return fmt.Sprintf("n=%d topology=biring timing=patient %s", n, more)
}

const (
	// fifo are channels that keep the order.
	fifo = "channels=fifo"
	// lazy has any processes begin when they please, unless a message reaches them
	// first; otherwise all begin before anything is delivered.
	lazy = "initiators=any:lazy"
)

// keeps is evidence that properties hold: on rings of 2 to 4 where all begin, and
// of 2 and 3 where any begin; in both readings.
func keeps(properties ...string) (list []ledger.Evidence) {
	for _, p := range properties {
		for n := 2; n <= 4; n++ {
			list = append(list, ledger.Keeps(p, in(n, "")))
		}
		list = append(list,
			ledger.Keeps(p, in(2, lazy)), ledger.Keeps(p, in(3, lazy)),
			ledger.Keeps(p, in(4, lazy+" "+fifo)), ledger.Keeps(p, in(5, fifo)).InDeep(),
			ledger.Keeps(p, in(2, lazy)).Of("echoes"), ledger.Keeps(p, in(3, lazy)).Of("echoes"),
			ledger.Keeps(p, in(4, lazy+" "+fifo)).Of("echoes"),
		)
	}
	return list
}

const (
	paper = "Hirschberg and Sinclair 1980, as the literature tells it"
	lynch = "N. A. Lynch, Distributed Algorithms, 1996"

	abstract = "Hirschberg and Sinclair 1980"
	franklin = "W. R. Franklin, On an improved algorithm for decentralized extrema finding in circular configurations of processors, CACM 25(5), 1982"
)

// claims are what the literature says of the algorithm.
var claims = []ledger.Claim{
	{
		Name: "greatest", Source: abstract, Place: "abstract",
		Text: "It finds \"the largest (or smallest) of a set of n uniquely numbered processors arranged in a circle, in which no central " +
			"controller exists and the number of processors is not known a priori\": that one is elected.",
		Kind:     ledger.SafetyClaim,
		Outcome:  ledger.Confirmed,
		Evidence: keeps("uniqueness", "extreme", "e1", "irrevocable"),
		Note: "Channels need not be FIFO: a message says to which phase it belongs. The program does not depend on N. To elect the " +
			"smallest, reverse the order of the numbers.",
	},
	{
		Name: "ends", Source: paper, Place: "extrema-finding",
		Text:    "The algorithm ends, and all processes know which one is elected.",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Confirmed,
		Evidence: append(keeps("e2", "agreement", "stable-leadership", "termination"),
			ledger.Keeps("e2", in(3, lazy)).Of("bystanders"), ledger.Keeps("e2", in(3, "")).Of("bystanders")),
		Note: "This needs one thing: a process that a probe wakes is a candidate, too. A process that judges probes and is no " +
			"candidate (bystanders) can swallow the last probe, and then no process is elected.",
	},
	{
		Name: "bound", Source: abstract + "; " + franklin, Place: "both abstracts",
		Text:     "\"An efficient algorithm, requiring O(n log n) message passes\": 8N + 8 ceil(N lg N) of them.",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: bounds(),
		Note: "This counts the announcement, which is N messages on top. The figure, which Franklin quotes, is generous: rings of 2 " +
			"to 6 take at most 10, 23, 32, 55 and 68 (where it is 32, 64, 96, 136 and 176), and at least 10, 23, 28, 49 and 54. The " +
			"paper's program also sends refusals (echoes), which come on top: with them it is at most 12, 26, 40 and 62 on rings of 2 " +
			"to 5. Textbooks have 8N(1 + ceil(log2 N)), which is no less.",
	},
	{
		Name: "time", Source: lynch, Place: "section 3.4",
		Text:     "It takes at most 3N units of time if N is a power of two, and at most 5N otherwise.",
		Kind:     ledger.TimeClaim,
		Outcome:  ledger.Confirmed,
		Evidence: durations(),
		Note:     "This includes the announcement, which takes N more. Every message takes one unit.",
	},
}

// bounds is evidence on the bound, all arrangements, in both readings.
func bounds() (list []ledger.Evidence) {
	most := func(n int, more string) ledger.Evidence {
		return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, bound(n)+n, in(n, more))
	}
	for n := 2; n <= 6; n++ {
		e := most(n, fifo)
		e.Deep = n > 5
		list = append(list, e)
		if n < 5 {
			unordered := most(n, "")
			unordered.Deep = n > 3
			list = append(list, e.Of("echoes"), unordered, most(n, lazy+" "+fifo))
		}
	}
	return append(list, most(5, fifo).Of("echoes").InDeep())
}

// durations is evidence on the time it takes.
func durations() (list []ledger.Evidence) {
	for n := 2; n <= 6; n++ {
		setting := fmt.Sprintf("n=%d topology=biring timing=lockstep", n)
		e := ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.AtMost, duration(n)+n, setting)
		e.Deep = n > 5
		list = append(list, e)
	}
	return list
}
