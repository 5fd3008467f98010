package garciamolina

import (
	_ "embed"
	"fmt"

	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// failures returns a setting in which nodes fail, after an election: what the
// paper assumes, with a bound on delays.
func failures(n, d int, faults string) string {
	return fmt.Sprintf("n=%d channels=fifo start=settled timing=sync:%d %s", n, d, faults)
}

// keeps is evidence that a property holds where nodes fail during elections,
// recover, and join, for both values of D.
func keeps(property string) []ledger.Evidence {
	return []ledger.Evidence{
		ledger.Keeps(property, failures(3, 1, "crashes=2 restarts=1")),
		ledger.Keeps(property, failures(3, 2, "crashes=1 restarts=1")),
		ledger.Keeps(property, failures(3, 1, "joins=2")),
		ledger.Keeps(property, failures(3, 2, "joins=1")),
		ledger.Keeps(property, failures(4, 1, "crashes=3")),
		ledger.Keeps(property, failures(4, 2, "crashes=2")),
		ledger.Keeps(property, failures(4, 1, "crashes=1 restarts=1")),
		ledger.Keeps(property, failures(3, 1, "crashes=2 restarts=2")).InDeep(),
		ledger.Keeps(property, failures(3, 2, "crashes=2 restarts=1")).InDeep(),
		ledger.Keeps(property, failures(3, 2, "crashes=2 restarts=2")).InDeep(),
		ledger.Keeps(property, failures(4, 1, "crashes=2 restarts=1")).InDeep(),
		ledger.Keeps(property, failures(4, 2, "crashes=1 restarts=1")).InDeep(),
		ledger.Keeps(property, givesUp).InDeep(),
	}
}

const (
	// givesUp has an election that has to begin again find a higher node up,
	// which then fails.
	givesUp = "n=4 channels=fifo start=coordinator-down timing=sync:1 crashes=3 restarts=1 mail-down=lost"

	// comesBack has nodes come back again and again.
	comesBack = "n=3 channels=fifo start=coordinator-down timing=sync:1 crashes=2 restarts=3 detector=off"
)

// claims are what the paper says of its algorithm, as the literature tells it,
// and what seeds of the catalogue say of it.
var claims = append([]ledger.Claim{
	{
		Name: "consistent", Place: "section IV, Assertion 1",
		Text: "At any instant, if two nodes are in states Reorganization or Normal they have the same coordinator, and if both " +
			"are Normal they have the same task.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: append(keeps("assertion-1"),
			ledger.Keeps("assertion-1", "n=3 start=settled timing=sync:1 crashes=1 restarts=1").Beside("channels that do not keep the order"),
			ledger.Keeps("assertion-1", comesBack).Of("any-answer"),
			ledger.Keeps("assertion-1", comesBack).InDeep(),
		),
		Note: "The textbooks' Bully has lost this: its candidates do not halt any node. The calls must return their own results. " +
			"Suppose that a node takes the answer to a call from before its crash for the answer to the present call: then it " +
			"believes that another node is halted which is not (any-answer). The paper's calls do return their own results.",
	},
	{
		Name: "concludes", Place: "section IV, Assertion 2",
		Text: "If no further failures occur, sooner or later some node is Normal and its own coordinator, and all others that " +
			"are up are Normal and have it for their coordinator.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Evidence: append(keeps("assertion-2"), ledger.Keeps("assertion-2", givesUp).Of("calls-itself").InDeep()),
		Note: "This needs one thing that the procedures do not say. If a node breaks off its election for a higher node, and that " +
			"node fails, the first is left in Reorganization as its own coordinator. If Timeout makes it ask itself whether it is up, " +
			"it never begins again (calls-itself).",
	},
	{
		Name: "highest", Place: "section IV",
		Text: "The node with the highest priority among those that are up becomes coordinator: it forces (bullies) the others.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed, Evidence: keeps("extreme"),
	},
	{
		Name: "crash-during-election", Source: slides, Place: "Bully Algorithm, first slide",
		Text:    "The bully algorithm [Garcia-Molina 1982] allows processes to crash during an election.",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("e2", failures(3, 1, "crashes=3")), ledger.Keeps("re-election", failures(3, 2, "crashes=3")),
			ledger.Keeps("e2", failures(4, 1, "crashes=3")), ledger.Keeps("agreement", failures(4, 1, "crashes=3")),
			ledger.Keeps("e2", failures(4, 2, "crashes=2")), ledger.Keeps("agreement", failures(4, 2, "crashes=2")),
		},
		Needs: []string{"crash", "suspect", "two participants at once", "rule Election 3 and 4"},
	},
	{
		Name: "replaced", Source: slides, Place: "Bully Algorithm, fifth slide, on the simplified algorithm",
		Text: "Where nodes that crashed are replaced by nodes with the same identifiers, no two are coordinators at one instant all the " +
			"same. (The slides say of the simplified algorithm that two will announce themselves concurrently.)",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("uniqueness", failures(3, 1, "crashes=2 restarts=1")), ledger.Keeps("agreement", failures(3, 1, "crashes=2 restarts=1")),
			ledger.Keeps("uniqueness", failures(3, 2, "crashes=1 restarts=1")), ledger.Keeps("agreement", failures(3, 2, "crashes=1 restarts=1")),
			ledger.Keeps("uniqueness", failures(4, 1, "crashes=1 restarts=1")),
		},
		Note: "The candidate that comes back halts every other candidate first, and only then becomes coordinator.",
	},
	{
		Name: "needs-assumption-9", Place: "section V, introduction",
		Text:    "If a node may pause or answer late (no assumption 9), the algorithm does not work: Assertion 1 can be violated.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Breaks("assertion-1", "n=3 channels=fifo start=coordinator-down timing=async:1"),
			ledger.Breaks("assertion-1", "n=4 channels=fifo start=coordinator-down timing=async:1"),
		},
		Note:  "One T that expires too early is enough.",
		Needs: []string{"timeout", "suspect", "rule Halt"},
	},
	{
		Name: "needs-assumption-8", Place: "section V, introduction",
		Text:    "If messages are lost, or the network divides (no assumption 8), Assertion 1 can be violated.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Breaks("assertion-1", "n=3 channels=fifo start=coordinator-down timing=sync:1 losses=1"),
			ledger.Breaks("assertion-1", "n=3 channels=fifo start=coordinator-down timing=sync:1 cuts=1"),
			ledger.Breaks("assertion-1", "n=3 channels=fifo start=coordinator-down timing=sync:2 losses=1"),
			ledger.Breaks("assertion-1", "n=3 channels=fifo start=coordinator-down timing=sync:2 cuts=1"),
		},
		Needs: []string{"lose", "cut", "suspect", "rule Halt"},
	},
}, counts()...)

// counts are claims about messages.
func counts() []ledger.Claim {
	alone := ledger.Claim{
		Name: "count", Place: "appendix, procedure Election, added up",
		Text: "If no other node fails meanwhile, the election of node i takes a call to each higher node, which is down, three calls " +
			"with their answers to each lower one, and one call to the coordinator by which i detected the failure: N-i + 6(i-1) + 1 " +
			"in all.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Needs: []string{"suspect", "rule Election 4", "rule Ready, from the coordinator", "rule Recovery"},
	}
	for n := 2; n <= 5; n++ {
		for i := 1; i < n; i++ {
			setting := fmt.Sprintf("n=%d channels=fifo start=coordinator-down timing=sync:1 crashes=%d detectors=%d", n, n-1-i, i)
			for _, c := range []cost.Case{cost.BestCase, cost.WorstCase} {
				e := ledger.Takes(c, cost.Measure{}, ledger.Exactly, 1+n-i+6*(i-1), setting).
					After(fmt.Sprintf("from when the nodes above %d are down", i), func(v *model.View) bool {
						return v.Up == model.Upto(model.ID(i)) && v.Participants.Empty() && v.Leaders.Empty()
					})
				alone.Evidence = append(alone.Evidence, e)
			}
		}
		setting := fmt.Sprintf("n=%d channels=fifo start=coordinator-down timing=sync:1 restarts=1 detector=off", n)
		for _, c := range []cost.Case{cost.BestCase, cost.WorstCase} {
			alone.Evidence = append(alone.Evidence, ledger.Takes(c, cost.Measure{}, ledger.Exactly, 6*(n-1), setting).
				After(fmt.Sprintf("from when %d is back", n), func(v *model.View) bool { return v.Up.Has(model.ID(n)) }))
		}
	}
	square := ledger.Claim{
		Name: "square", Source: slides, Place: "Bully Algorithm, last slide but one, and the summary",
		Text: "O(N²) messages in the worst case (here: at most N²), which is when the process with the lowest identifier " +
			"first detects the failure.",
		Kind: ledger.CountClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "the slides say it of the simplified algorithm, in which a process that is asked begins an election",
		Note: "The slides say this of the simplified algorithm, in which a process that is asked begins an election. In this " +
			"algorithm it does not: a node that finds a higher one up has asked in vain, and asks again until the highest has noticed " +
			"the failure itself. No number bounds that. Where the highest notices first the election is linear.",
	}
	for n := 3; n <= 4; n++ {
		square.Evidence = append(square.Evidence,
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, n*n,
				fmt.Sprintf("n=%d channels=fifo start=coordinator-down timing=sync:1", n)),
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, n*n,
				fmt.Sprintf("n=%d channels=fifo start=coordinator-down timing=sync:2", n)),
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 6*n,
				fmt.Sprintf("n=%d channels=fifo start=coordinator-down timing=sync:1 detectors=%d", n, n-1)).Beside("the highest notices"),
		)
	}
	square.Needs = []string{"suspect", "rule Election 4", "rule Ready, from the coordinator"}
	return []ledger.Claim{alone, square}
}
