package garciamolina

import (
	_ "embed"
	"fmt"

	"bullyproof/checker"
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
func keeps(property string) []checker.Evidence {
	return []checker.Evidence{
		checker.Keeps(property, failures(3, 1, "crashes=2 restarts=1")),
		checker.Keeps(property, failures(3, 2, "crashes=1 restarts=1")),
		checker.Keeps(property, failures(3, 1, "joins=2")),
		checker.Keeps(property, failures(3, 2, "joins=1")),
		checker.Keeps(property, failures(4, 1, "crashes=3")),
		checker.Keeps(property, failures(4, 2, "crashes=2")),
		checker.Keeps(property, failures(4, 1, "crashes=1 restarts=1")),
		checker.Keeps(property, failures(3, 1, "crashes=2 restarts=2")).InDeep(),
		checker.Keeps(property, failures(3, 2, "crashes=2 restarts=1")).InDeep(),
		checker.Keeps(property, failures(3, 2, "crashes=2 restarts=2")).InDeep(),
		checker.Keeps(property, failures(4, 1, "crashes=2 restarts=1")).InDeep(),
		checker.Keeps(property, failures(4, 2, "crashes=1 restarts=1")).InDeep(),
		checker.Keeps(property, givesUp).InDeep(),
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
var claims = append([]checker.Claim{
	{
		Name: "consistent", Place: "section IV, Assertion 1",
		Text: "At any instant, if two nodes are in states Reorganization or Normal they have the same coordinator, and if both " +
			"are Normal they have the same task.",
		Kind: checker.SafetyClaim, Outcome: checker.Confirmed,
		Evidence: append(keeps("assertion-1"),
			checker.Keeps("assertion-1", "n=3 start=settled timing=sync:1 crashes=1 restarts=1").Beside("channels that do not keep the order"),
			checker.Keeps("assertion-1", comesBack).Of("any-answer"),
			checker.Keeps("assertion-1", comesBack).InDeep(),
		),
		Note: "What the textbooks' Bully has lost: its candidates do not halt anybody. The calls must return their own results: a node that " +
			"takes the answer to a call of before its crash for the answer to the present one believes another halted that is not " +
			"(any-answer). The paper's calls do return their own.",
	},
	{
		Name: "concludes", Place: "section IV, Assertion 2",
		Text: "If no further failures occur, sooner or later some node is Normal and its own coordinator, and all others that " +
			"are up are Normal and have it for their coordinator.",
		Kind: checker.LivenessClaim, Outcome: checker.Confirmed,
		Evidence: append(keeps("assertion-2"), checker.Keeps("assertion-2", givesUp).Of("calls-itself").InDeep()),
		Note: "It takes one thing that the procedures do not say: a node that broke its election off for a higher one, which then fails, " +
			"is left in Reorganization as its own coordinator. If Timeout has it ask itself whether it is up, it is content for " +
			"ever (calls-itself).",
	},
	{
		Name: "highest", Place: "section IV",
		Text: "The node with the highest priority among those that are up becomes coordinator: it forces (bullies) the others.",
		Kind: checker.SafetyClaim, Outcome: checker.Confirmed, Evidence: keeps("extreme"),
	},
	{
		Name: "crash-during-election", Source: slides, Place: "Bully Algorithm, first slide",
		Text:    "The bully algorithm [Garcia-Molina 1982] allows processes to crash during an election.",
		Kind:    checker.LivenessClaim,
		Outcome: checker.Confirmed,
		Evidence: []checker.Evidence{
			checker.Keeps("e2", failures(3, 1, "crashes=3")), checker.Keeps("re-election", failures(3, 2, "crashes=3")),
			checker.Keeps("e2", failures(4, 1, "crashes=3")), checker.Keeps("agreement", failures(4, 1, "crashes=3")),
			checker.Keeps("e2", failures(4, 2, "crashes=2")), checker.Keeps("agreement", failures(4, 2, "crashes=2")),
		},
		Needs: []string{"crash", "suspect", "two participants at once", "rule Election 3 and 4"},
	},
	{
		Name: "replaced", Source: slides, Place: "Bully Algorithm, fifth slide, on the simplified algorithm",
		Text: "Where nodes that crashed are replaced by nodes with the same identifiers, no two are coordinators at one instant all the " +
			"same. (The slides say of the simplified algorithm that two will announce themselves concurrently.)",
		Kind: checker.SafetyClaim, Outcome: checker.Confirmed,
		Evidence: []checker.Evidence{
			checker.Keeps("uniqueness", failures(3, 1, "crashes=2 restarts=1")), checker.Keeps("agreement", failures(3, 1, "crashes=2 restarts=1")),
			checker.Keeps("uniqueness", failures(3, 2, "crashes=1 restarts=1")), checker.Keeps("agreement", failures(3, 2, "crashes=1 restarts=1")),
			checker.Keeps("uniqueness", failures(4, 1, "crashes=1 restarts=1")),
		},
		Note: "The candidate that comes back halts whoever else is on its way to be coordinator, and is not coordinator before that.",
	},
	{
		Name: "needs-assumption-9", Place: "section V, introduction",
		Text:    "If a node may pause or answer late (no assumption 9), the algorithm does not work: Assertion 1 can be violated.",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Confirmed,
		Evidence: []checker.Evidence{
			checker.Breaks("assertion-1", "n=3 channels=fifo start=coordinator-down timing=async:1"),
			checker.Breaks("assertion-1", "n=4 channels=fifo start=coordinator-down timing=async:1"),
		},
		Note:  "One T that is over too early is enough.",
		Needs: []string{"timeout", "suspect", "rule Halt"},
	},
	{
		Name: "needs-assumption-8", Place: "section V, introduction",
		Text:    "If messages are lost, or the network divides (no assumption 8), Assertion 1 can be violated.",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Confirmed,
		Evidence: []checker.Evidence{
			checker.Breaks("assertion-1", "n=3 channels=fifo start=coordinator-down timing=sync:1 losses=1"),
			checker.Breaks("assertion-1", "n=3 channels=fifo start=coordinator-down timing=sync:1 cuts=1"),
			checker.Breaks("assertion-1", "n=3 channels=fifo start=coordinator-down timing=sync:2 losses=1"),
			checker.Breaks("assertion-1", "n=3 channels=fifo start=coordinator-down timing=sync:2 cuts=1"),
		},
		Needs: []string{"lose", "cut", "suspect", "rule Halt"},
	},
}, counts()...)

// counts are claims about messages.
func counts() []checker.Claim {
	alone := checker.Claim{
		Name: "count", Place: "appendix, procedure Election, added up",
		Text: "If nobody fails meanwhile, the election of node i takes a call to each higher node, which is down, and three calls with " +
			"their answers to each lower one: N-i + 6(i-1), and one call to the coordinator by which i found out.",
		Kind: checker.CountClaim, Outcome: checker.Confirmed,
		Needs: []string{"suspect", "rule Election 4", "rule Ready, from the coordinator", "rule Recovery"},
	}
	for n := 2; n <= 5; n++ {
		for i := 1; i < n; i++ {
			setting := fmt.Sprintf("n=%d channels=fifo start=coordinator-down timing=sync:1 crashes=%d detectors=%d", n, n-1-i, i)
			for _, c := range []checker.Case{checker.BestCase, checker.WorstCase} {
				e := checker.Takes(c, checker.Measure{}, checker.Exactly, 1+n-i+6*(i-1), setting).
					After(fmt.Sprintf("from when the nodes above %d are down", i), func(v *model.View) bool {
						return v.Up == model.Upto(model.ID(i)) && v.Participants.Empty() && v.Leaders.Empty()
					})
				alone.Evidence = append(alone.Evidence, e)
			}
		}
		setting := fmt.Sprintf("n=%d channels=fifo start=coordinator-down timing=sync:1 restarts=1 detector=off", n)
		for _, c := range []checker.Case{checker.BestCase, checker.WorstCase} {
			alone.Evidence = append(alone.Evidence, checker.Takes(c, checker.Measure{}, checker.Exactly, 6*(n-1), setting).
				After(fmt.Sprintf("from when %d is back", n), func(v *model.View) bool { return v.Up.Has(model.ID(n)) }))
		}
	}
	square := checker.Claim{
		Name: "square", Source: slides, Place: "Bully Algorithm, last slide but one, and the summary",
		Text: "O(N²) messages in the worst case (here: at most N²), which is when the process with the lowest identifier " +
			"first detects the failure.",
		Kind: checker.CountClaim, Outcome: checker.Refuted,
		Note: "Said of the simplified algorithm, where whoever is asked begins an election. In this one it does not: a node that finds a higher one " +
			"up has asked in vain, and asks again as long as the highest has not noticed the failure itself. No number bounds that. " +
			"Where the highest notices first the election is linear.",
	}
	for n := 3; n <= 4; n++ {
		square.Evidence = append(square.Evidence,
			checker.Takes(checker.WorstCase, checker.Measure{}, checker.AtMost, n*n,
				fmt.Sprintf("n=%d channels=fifo start=coordinator-down timing=sync:1", n)),
			checker.Takes(checker.WorstCase, checker.Measure{}, checker.AtMost, n*n,
				fmt.Sprintf("n=%d channels=fifo start=coordinator-down timing=sync:2", n)),
			checker.Takes(checker.WorstCase, checker.Measure{}, checker.AtMost, 6*n,
				fmt.Sprintf("n=%d channels=fifo start=coordinator-down timing=sync:1 detectors=%d", n, n-1)).Beside("the highest notices"),
		)
	}
	square.Needs = []string{"suspect", "rule Election 4", "rule Ready, from the coordinator"}
	return []checker.Claim{alone, square}
}
