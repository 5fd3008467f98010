package changroberts

import (
	_ "embed"
	"fmt"
	"slices"

	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// everything is a ring of n in every arrangement, where every process may begin
// an election, and may be reached by one before.
func everything(n int) string {
	return fmt.Sprintf("n=%d topology=ring initiators=all:lazy timing=patient", n)
}

// alone is a ring of n in every arrangement where one process begins.
func alone(n int) string {
	return fmt.Sprintf("n=%d topology=ring initiators=one timing=patient", n)
}

// fifo is a setting where channels keep the order of messages.
func fifo(setting string) string { return setting + " channels=fifo" }

// turns is a setting where every message takes one unit of time.
func turns(n int, more string) string {
	return fmt.Sprintf("n=%d topology=ring timing=lockstep %s", n, more)
}

const (
	introduction = "Election Introduction"
	ringSlides   = "Ring-based Election Algorithm"
	summary      = "Summary, Ring-based vs Bully"
)

// homeComing is "a process must receive its own identifier back before sending
// an elected message", and "it is therefore impossible that both receive their
// own identifier back".
var homeComing = checker.Always("greatest-alone",
	"Nobody but the process with the greatest identifier ever believes itself coordinator.",
	func(v *model.View) bool { return v.Leaders.Without(v.Wanted).Empty() })

// claims are what the slides say of the algorithm.
var claims = slices.Concat(safety, liveness, costs, table)

var safety = []ledger.Claim{
	{
		Name: "unique", Source: slidesName, Place: introduction,
		Text:    "The elected process is unique, \"even if several processes call elections concurrently\".",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("uniqueness", everything(3)), ledger.Keeps("uniqueness", everything(4)),
			ledger.Keeps("uniqueness", everything(5)).InDeep(),
			ledger.Keeps("uniqueness", fifo(everything(5))),
		},
	},
	{
		Name: "n-elections", Source: slidesName, Place: introduction,
		Text:    "\"In principle the N processes could call N concurrent elections\", and all agree on the choice.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("agreement", "n=3 topology=ring initiators=all timing=patient"),
			ledger.Keeps("agreement", "n=4 topology=ring initiators=all timing=patient"),
			ledger.Keeps("agreement", "n=5 topology=ring initiators=all channels=fifo timing=patient"),
		},
	},
	{
		Name: "e1", Source: slidesName, Place: ringSlides,
		Text:    "\"Condition E1 is met\": a participant has elected = ⊥ or elected = P, the process of largest identifier.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("e1", everything(3)), ledger.Keeps("extreme", everything(4)), ledger.Keeps("e1", fifo(everything(5))),
			ledger.Keeps("e1", everything(3)).Of("once"), ledger.Keeps("e1", everything(4)).Of("repaired"),
		},
	},
	{
		Name: "own-identifier", Source: slidesName, Place: ringSlides,
		Text: "Of any two processes, the one with the larger identifier will not pass on the other's: \"it is therefore impossible " +
			"that both receive their own identifier back\".",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps(homeComing.Name, everything(3)), ledger.Keeps(homeComing.Name, everything(4)),
			ledger.Keeps(homeComing.Name, fifo(everything(5))),
		},
		Note: "If channels are not FIFO, the elected message may overtake an election message, which then elects the same process " +
			"once more. It never elects another one.",
	},
}

var liveness = []ledger.Claim{
	{
		Name: "e2", Source: slidesName, Place: ringSlides,
		Text: "\"Condition E2 follows immediately from the guaranteed traversals of the ring\": every process that takes part is told " +
			"of a coordinator, and is a non-participant again.",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.RefutedBeyond,
		Exceeds: "channels that do not keep the order of messages; the slides do not mention the order",
		Evidence: []ledger.Evidence{
			ledger.Keeps("e2", everything(3)), ledger.Keeps("e2", everything(4)),
			ledger.Keeps("e2", fifo(everything(4))).Beside("channels that keep the order"),
			ledger.Keeps("e2", fifo(everything(5))).Beside("channels that keep the order"),
			ledger.Keeps("e2", everything(3)).Of("once"), ledger.Keeps("e2", everything(4)).Of("once"),
			ledger.Keeps("e2", everything(3)).Of("repaired"), ledger.Keeps("e2", everything(4)).Of("repaired"),
			ledger.Keeps("e2", everything(5)).Of("repaired"),
		},
		Note: "The slides do not mention the order of messages. Where a channel is not FIFO, the elected message may overtake an " +
			"election message. That message then makes a process a participant, and no message ever tells it that the election is " +
			"over. With FIFO channels the claim is true. All have been told of the coordinator before, even here; the second " +
			"participation is what never ends.",
		Story: "changroberts-left-behind",
		Repair: "repaired: elections have numbers, and an election message of one that is over is taken out of the ring. (FIFO " +
			"channels repair it too. To stop smaller identifiers for ever, as in variant once, does not: greater ones still make " +
			"participants.)",
	},
	{
		Name: "no-failures", Source: slidesName, Place: ringSlides + ", Drawback",
		Text:    "\"It does not tolerate failures.\"",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Breaks("e2", fifo("n=3 topology=ring initiators=any:lazy timing=patient crashes=1")),
			ledger.Breaks("e2", fifo("n=3 topology=ring:repaired initiators=any:lazy timing=patient crashes=1")),
			ledger.Breaks("termination", fifo("n=3 topology=ring:repaired initiators=any:lazy timing=patient crashes=1")),
			ledger.Breaks("e2", fifo("n=3 topology=ring:repaired initiators=any:lazy timing=sync:2 crashes=1")),
		},
		Note: "An identifier that is lost with the process that holds it leaves participants behind, and they stop all smaller ones. " +
			"And when the ring is closed around a process that has failed, its identifier goes round for ever.",
		Needs: []string{"crash", "message election"},
	},
}

// ways counts where the messages of the worst case go, for N = 2 to 6.
func ways() (list []ledger.Evidence) {
	arrangements := []string{"1-2", "1-2-3", "1-2-3-4", "1-2-3-4-5", "1-2-3-4-5-6"}
	for i, arrangement := range arrangements {
		n := i + 2
		ring := fmt.Sprintf("n=%d topology=ring arrangement=%s initiators=1 timing=patient", n, arrangement)
		list = append(list,
			ledger.Takes(cost.WorstCase, cost.Measure{Kind: "election"}, ledger.Exactly, n-1+n, ring),
			ledger.Takes(cost.WorstCase, cost.Measure{Kind: "elected"}, ledger.Exactly, n, ring),
			ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 3*n-1, ring),
		)
	}
	return list
}

// each asks for a cost for N = 2 to most.
func each(most int, q func(n int) ledger.Evidence) (list []ledger.Evidence) {
	for n := 2; n <= most; n++ {
		list = append(list, q(n))
	}
	return list
}

var both = []string{"message election", "message elected"}

var costs = []ledger.Claim{
	{
		Name: "worst-place", Source: slidesName, Place: ringSlides,
		Text: "The worst-performing case is when the anti-clockwise neighbour of the process that begins has the highest identifier: " +
			"N-1 messages to reach it, N for another circuit, and the elected message is sent N times.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed, Evidence: ways(), Needs: both,
	},
	{
		Name: "worst-count", Source: slidesName, Place: ringSlides,
		Text: "\"Making 3N-1 messages in all\", where a single process begins.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: each(6, func(n int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 3*n-1, alone(n))
		}),
		Needs: both,
	},
	{
		Name: "turnaround", Source: slidesName, Place: ringSlides,
		Text: "\"The turnaround time is also 3N-1, since these messages are sent sequentially.\"",
		Kind: ledger.TimeClaim, Outcome: ledger.Confirmed,
		Evidence: append(each(6, func(n int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.Exactly, 3*n-1, turns(n, "initiators=one"))
		}),
			ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.Exactly, 2*4, turns(4, "initiators=all")).
				Beside("where all begin at once, the highest is on its way from the first"),
		),
		Needs: both,
	},
}

var table = []ledger.Claim{
	{
		Name: "summary-best", Source: slidesName, Place: summary + ", Best case performance",
		Text: "2 × N.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: append(
			each(6, func(n int) ledger.Evidence {
				return ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 2*n, alone(n))
			}),
			ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 6, everything(3)),
			ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 8, everything(4)),
			ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 3*4-1, "n=4 topology=ring initiators=all timing=patient").
				Beside("where all begin before a message arrives"),
		),
		Note:  "This is right where only the process with the highest identifier begins. Where all begin at once it is 3N-1.",
		Needs: both,
	},
	{
		Name: "summary-worst", Source: slidesName, Place: summary + ", Worst case performance",
		Text: "3 × N - 1.",
		Kind: ledger.CountClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "several initiators: the formula is for one",
		Evidence: append(
			each(5, func(n int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 3*n-1, fifo(everything(n)))
			}),
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 3*4-1, alone(4)).Beside("one process begins"),
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 3*4-1, everything(4)).
				Beside("channels that do not keep the order"),
		),
		Note: "This is right where one process begins (claim worst-count). The slides allow N at once. Then it is N(N+1)/2+N, if " +
			"identifiers fall in the direction of messages: quadratic, like the N²/2 of the original paper. Without FIFO channels it " +
			"is more.",
		Needs: both,
	},
	{
		Name: "summary-asynchronous", Source: slidesName, Place: summary + ", Asynchronous",
		Text: "Yes: the algorithm needs no bound on delays.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("e1", fifo(everything(4))), ledger.Keeps("e2", fifo(everything(4))),
			ledger.Keeps("termination", fifo(everything(4))),
			ledger.Keeps("e2", "n=4 topology=ring initiators=all:lazy timing=sync:1").
				Beside("a bound does not replace the order of messages"),
		},
	},
	{
		Name: "summary-crashes", Source: slidesName, Place: summary + ", Allows processes to crash",
		Text: "No.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Breaks("e1", fifo("n=3 topology=ring initiators=any:lazy timing=patient crashes=1")),
			ledger.Breaks("e2", fifo("n=3 topology=ring initiators=any:lazy timing=patient crashes=1")),
		},
		Needs: []string{"crash", "message election", "message elected"},
	},
	{
		Name: "summary-safety", Source: slidesName, Place: summary + ", Satisfies Safety",
		Text: "Yes.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("e1", everything(3)), ledger.Keeps("uniqueness", everything(4)), ledger.Keeps("agreement", everything(4)),
			ledger.Breaks("e1", fifo("n=3 topology=ring initiators=any:lazy timing=patient crashes=1")).Beside("where a process crashes"),
		},
	},
	{
		Name: "summary-identifiers", Source: slidesName, Place: summary + ", Dynamic process identifiers",
		Text: "Yes: no process needs to know the identifiers of others beforehand.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("e1", everything(3)), ledger.Keeps("extreme", everything(4)), ledger.Keeps("extreme", fifo(everything(5))),
		},
		Note: "Every arrangement of the identifiers on the ring was searched, and a process uses no identifier but its own and those " +
			"that arrive. Identifiers that change while an election runs are not covered.",
	},
	{
		Name: "summary-configuration", Source: slidesName, Place: summary + ", Dynamic configuration of processes",
		Text: "Maybe.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: []ledger.Evidence{
			ledger.Keeps("e1", fifo("n=3 topology=ring:repaired initiators=all:lazy timing=patient joins=1")).
				Beside("a process joins, and nobody asks it to begin an election"),
		},
		Note: "\"Maybe\" claims nothing that a search could decide. A process that joins during an election with the highest identifier " +
			"may come too late for it, and no rule makes it begin another.",
	},
}
