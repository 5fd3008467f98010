package itairodeh

import (
	"bullyproof/ledger"
	_ "embed"
	"fmt"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// eager is an anonymous ring of n where all begin before anything is delivered.
func eager(n int) string {
	return fmt.Sprintf("n=%d topology=ring:anonymous channels=fifo timing=patient", n)
}

// lazy is one where any processes begin when they please, unless a message
// reaches them first.
func lazy(n int) string {
	return fmt.Sprintf("n=%d topology=ring:anonymous initiators=any:lazy channels=fifo timing=patient", n)
}

// unordered is eager, with channels that do not keep the order of messages.
func unordered(n int) string {
	return fmt.Sprintf("n=%d topology=ring:anonymous timing=patient", n)
}

// bidirectional is an anonymous ring with channels both ways that do not keep the
// order of messages.
func bidirectional(n int) string {
	return fmt.Sprintf("n=%d topology=biring:anonymous timing=patient", n)
}

// keeps is evidence that properties hold for a variant on rings of 2 to 4, all
// beginning, and of 2 and 3, any of them beginning.
func keeps(variant string, properties ...string) (list ledger.EvidenceList) {
	for _, p := range properties {
		list = append(list,
			ledger.Keeps(p, eager(2)).Of(variant), ledger.Keeps(p, eager(3)).Of(variant), ledger.Keeps(p, eager(4)).Of(variant),
			ledger.Keeps(p, lazy(2)).Of(variant), ledger.Keeps(p, lazy(3)).Of(variant), ledger.Keeps(p, eager(5)).Of(variant).InDeep(),
		)
	}
	return list
}

// counted is evidence about plain round numbers on channels of any order, as far
// as it goes.
func counted(property string) []ledger.Evidence {
	return []ledger.Evidence{
		ledger.Keeps(property, unordered(2)).Of("counted").Within(20_000),
		ledger.Keeps(property, unordered(3)).Of("counted").Within(50_000),
	}
}

const (
	paper = "Itai and Rodeh 1981, as the literature tells it"
	later = "Itai and Rodeh 1990"

	bakhshiEtAl = "R. Bakhshi, W. Fokkink, J. Pang, J. van de Pol, Leader election in anonymous rings: Franklin goes probabilistic, IFIP TCS 2008"

	fceabr = "Fault Tolerant Message Efficient Coordinator Election Algorithm in High Traffic Bidirectional Ring Network, " +
		"IJITCS 2013"
)

// claims are what the literature says of these algorithms, and what a paper that
// compares elections says of one of them.
var claims = []ledger.Claim{
	{
		Name: "one-leader", Source: paper, Place: "symmetry breaking on a ring of known size",
		Text:     "At no time are there two leaders, and in the end there is one.",
		Kind:     ledger.SafetyClaim,
		Outcome:  ledger.Confirmed,
		Evidence: append(keeps("", "uniqueness", "one-leader"), counted("uniqueness")...),
		Note: "Where channels are not FIFO, round numbers have to be counted (counted), and there are infinitely many states: no " +
			"counterexample was found in those that were searched.",
	},
	{
		Name: "probability-one", Source: paper, Place: "symmetry breaking on a ring of known size",
		Text:     "With probability 1 a leader is elected.",
		Kind:     ledger.LivenessClaim,
		Outcome:  ledger.Confirmed,
		Evidence: append(keeps("", "leader-reachable"), counted("leader-reachable")...),
		Note: "This is judged as follows: from every state of every run it is still possible to end with one leader. With finitely " +
			"many states that is equivalent, if the order of deliveries does not depend on future coins.",
	},
	{
		Name: "may-go-on", Source: later, Place: "abstract",
		Text:    "\"The algorithms may run forever but they terminate within finite time on the average.\"",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Confirmed,
		Evidence: append([]ledger.Evidence{
			ledger.Breaks("termination", eager(2)), ledger.Breaks("termination", eager(3)), ledger.Breaks("termination", eager(4)),
			ledger.Breaks("termination", eager(3)).Of("fokkink-pang"), ledger.Breaks("termination", eager(3)).Of("fokkink-pang-b"),
			ledger.Breaks("termination", bidirectional(3)).Of("bakhshi"),
		}, keeps("", "leader-reachable")...),
		Note: "This is judged of this algorithm and of those made from it: where all choose the same each time, the run never ends. " +
			"With finitely many states, from each of which the end can be reached, the average is finite (for figures see average).",
	},
	{
		Name: "symmetry", Source: later, Place: "abstract; D. Angluin, STOC 1980",
		Text: "\"If the processors are indistinguishable then there exists no deterministic algorithm.\"",
		Kind: ledger.LivenessClaim, Outcome: ledger.Undecided,
		Supposes: "that there is no chance",
		Evidence: ledger.EvidenceList{
			ledger.Breaks("leader-reachable", eager(2)), ledger.Breaks("leader-reachable", eager(3)),
			ledger.Breaks("leader-reachable", eager(4)), ledger.Breaks("leader-reachable", eager(5)),
			ledger.Keeps("uniqueness", eager(4)),
		}.Of("one-identity").Beside("this algorithm without coins"),
		Note: "The claim is about every algorithm and needs a proof. This algorithm agrees with it: with a single identity to choose " +
			"from it runs in a cycle, and no run ends with a leader, on rings of 2 to 5.",
	},
	{
		Name: "size", Source: later, Place: "abstract",
		Text: "The size of the ring is assumed to be known. \"If the size is not known [...] any algorithm may yield incorrect results (with " +
			"nonzero probability) for some values of n.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Supposes: "that the size is not known",
		Evidence: ledger.EvidenceList{
			ledger.Breaks("uniqueness", eager(4)), ledger.Breaks("one-leader", eager(4)), ledger.Keeps("uniqueness", eager(2)),
		}.Of("wrong-size").Beside("this algorithm on a ring that is taken for one of two"),
		Note: "The claim is about every algorithm and needs a proof. This algorithm agrees with it: on a ring of four that is taken " +
			"for a ring of two there may be two leaders.",
	},
	{
		Name: "average", Source: later, Place: "abstract",
		Text:    "\"If the processors work asynchronously then on the average O(n log n) bits are transmitted.\"",
		Kind:    ledger.CountClaim,
		Outcome: ledger.Undecided,
		Note: "Averages of three ring sizes say nothing about growth, and this counts messages, not bits. With identities 1 to 3 the " +
			"averages are exactly 5 for N = 2, 163/16 for N = 3 and 1315/78 for N = 4 (fokkink-pang-b: 4, 101/12 and about 13.87).",
	},
	{
		Name: "finite", Source: fokkinkPang, Place: "abstract",
		Text: "\"In contrast to the Itai-Rodeh algorithm, our algorithms are finite-state\"; \"for rings up to size four, [...] " +
			"eventually a unique leader is elected with probability one\": algorithm A.",
		Kind:     ledger.LivenessClaim,
		Outcome:  ledger.Confirmed,
		Evidence: keeps("fokkink-pang", "uniqueness", "one-leader", "leader-reachable"),
		Note: "On average it takes as many messages as the algorithm of Itai and Rodeh: 5 and 163/16 on rings of 2 and 3 with identities " +
			"1 to 3.",
	},
	{
		Name: "finite-b", Source: fokkinkPang, Place: "abstract",
		Text:     "The same of algorithm B.",
		Kind:     ledger.LivenessClaim,
		Outcome:  ledger.Confirmed,
		Supposes: "algorithm B",
		Evidence: keeps("fokkink-pang-b", "uniqueness", "one-leader", "leader-reachable"),
		Note: "On average it takes fewer messages, 4 and 101/12 on rings of 2 and 3: a process that receives a clash notices it " +
			"at once.",
	},
	{
		Name: "fifo", Source: fokkinkPang, Place: "abstract",
		Text:    "The algorithms are \"for anonymous unidirectional rings with FIFO channels\": they need the order.",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Breaks("leader-reachable", unordered(2)).Of("fokkink-pang"),
			ledger.Keeps("uniqueness", unordered(2)).Of("fokkink-pang").Beside("two leaders do not come of it, with two"),
			ledger.Breaks("leader-reachable", unordered(2)).Of("fokkink-pang-b"),
		},
		Note: "Of both algorithms. A new message that overtakes an old one can be judged by an identity that is about to go: both processes of " +
			"a ring of two may wait for ever (" + overtaken + ").",
	},
	{
		Name: "franklin-goes-probabilistic", Source: bakhshiEtAl, Place: "abstract",
		Text: "\"The algorithm is finite-state, so that various model checking techniques can be employed to verify its correctness, that is, " +
			"eventually a unique leader is elected with probability one.\"",
		Kind:     ledger.LivenessClaim,
		Outcome:  ledger.Confirmed,
		Evidence: bakhshi(),
	},
	{
		Name: "no-numbers", Source: fceabr, Place: "section II",
		Text: "\"R. Bakhshi proposed an algorithm for electing coordinator in a network which based on assumptions that numbers " +
			"aren't assigned to any processes and process's fault probability is zero.\"",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Confirmed,
		Evidence: append(bakhshi(),
			ledger.Keeps("leader-reachable", bidirectional(3)+" crashes=1").Of("bakhshi").Beside("one process crashes")),
		Note: "On these assumptions the algorithm elects one leader with probability 1. It needs the second assumption, too: if a " +
			"process crashes, the others may wait for ever.",
	},
}

// bakhshi is evidence about the bidirectional algorithm.
func bakhshi() (list ledger.EvidenceList) {
	for _, p := range []string{"uniqueness", "one-leader", "leader-reachable"} {
		list = append(list, ledger.Keeps(p, bidirectional(2)).Of("bakhshi"), ledger.Keeps(p, bidirectional(3)).Of("bakhshi"),
			ledger.Keeps(p, bidirectional(4)).Of("bakhshi").InDeep())
	}
	return list
}
