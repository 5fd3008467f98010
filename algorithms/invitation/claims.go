package invitation

import (
	"bullyproof/ledger"
	_ "embed"
	"fmt"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// alone is a setting in which n nodes begin alone, two one in which two do, and
// three one in which three begin as one group. A call is answered in time,
// unless something fails.
func alone(n, d int, faults string) string {
	return fmt.Sprintf("n=%d channels=fifo detector=off timing=sync:%d %s", n, d, faults)
}

func two(d int, faults string) string { return alone(2, d, faults) }

func three(d int, faults string) string { return alone(3, d, "start=settled "+faults) }

// late is a setting in which so many answers come too late.
func late(n, answers int, faults string) string {
	return fmt.Sprintf("n=%d channels=fifo detector=off timing=async:%d %s", n, answers, faults)
}

// keeps is evidence that a property holds where nodes begin alone, join, crash
// and recover, and where messages are lost and the network divides.
func keeps(property string) []ledger.Evidence {
	return []ledger.Evidence{
		ledger.Keeps(property, two(1, "losses=2")), ledger.Keeps(property, two(2, "losses=1")),
		ledger.Keeps(property, two(1, "crashes=1 restarts=1")), ledger.Keeps(property, two(2, "crashes=1 restarts=1")),
		ledger.Keeps(property, two(1, "cuts=1 heals=1")), ledger.Keeps(property, two(2, "cuts=1 heals=1")),
		ledger.Keeps(property, alone(3, 1, "")), ledger.Keeps(property, alone(3, 2, "")),
		ledger.Keeps(property, three(1, "losses=1")), ledger.Keeps(property, three(2, "losses=1")),
		ledger.Keeps(property, three(1, "joins=1")), ledger.Keeps(property, three(2, "crashes=1")),
		ledger.Keeps(property, three(1, "crashes=1 restarts=1")),
		ledger.Keeps(property, three(1, "cuts=1 heals=1")),
		ledger.Keeps(property, three(2, "crashes=1 restarts=1")).InDeep(),
		ledger.Keeps(property, three(2, "cuts=1 heals=1")).InDeep(),
		ledger.Keeps(property, three(1, "crashes=1 cuts=1 heals=1")).InDeep(),
		ledger.Keeps(property, three(1, "losses=2")).InDeep(),
		ledger.Keeps(property, alone(4, 1, "")).InDeep(),
		ledger.Keeps(property, alone(4, 1, "start=settled crashes=1")).InDeep(),
	}
}

// claims are what the paper says of its algorithm, as the literature tells it.
var claims = []ledger.Claim{
	{
		Name: "consistent", Place: "section V, Assertion 3",
		Text: "At any instant, if two nodes of the same group are in states Reorganization or Normal they have the same coordinator, " +
			"and if both are Normal they have the same task.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: append(keeps("assertion-3"), ledger.Keeps("assertion-3", three(1, "crashes=1 restarts=1")).Of("volatile")),
		Note:     "This needs group numbers that never repeat, and so it needs safe storage (volatile).",
	},
	{
		Name: "no-assumptions", Place: "section V, introduction",
		Text: "Assertion 3 needs neither assumption 8 nor 9: it holds where messages are lost, the network divides, and answers come so late " +
			"that a node which is up is taken for one that is down.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("assertion-3", late(2, 4, "")),
			ledger.Keeps("assertion-3", late(3, 2, "")),
			ledger.Keeps("assertion-3", late(3, 1, "start=settled losses=1")),
			ledger.Keeps("assertion-3", late(3, 1, "start=settled cuts=1")),
			ledger.Keeps("assertion-3", late(3, 1, "start=settled crashes=1 restarts=1 mail-down=lost")),
			ledger.Keeps("assertion-3", late(3, 3, "")).InDeep(),
			ledger.Keeps("assertion-3", late(3, 2, "start=settled cuts=1")).InDeep(),
			ledger.Keeps("assertion-3", late(3, 2, "start=settled losses=1")).InDeep(),
		},
		Note: "The Bully algorithm of the same paper fails after one answer that comes too late.",
	},
	{
		Name: "concludes", Place: "section V, Assertion 4",
		Text: "Nodes that can communicate with each other, and do so long enough without failures, come to be one group: one of them " +
			"Normal and its own coordinator, and all others Normal and in its group.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Evidence: append(keeps("assertion-4"),
			ledger.Keeps("assertion-4", three(1, "joins=1")).Of("short-pauses"),
			ledger.Keeps("assertion-4", two(1, "")).Of("equal-waits"),
			ledger.Keeps("assertion-4", "n=3 start=settled detector=off timing=sync:1 crashes=1 restarts=1").
				Beside("channels that do not keep the order"),
			ledger.Keeps("assertion-4", late(3, 0, "")).Beside("timers without lengths, of which one may be passed over for ever"),
		),
		Note: "This needs pauses that are long enough. Suppose that a node of lower priority waits as long as a Check takes, but not " +
			"as long as from one Merge to the end of the next Check. Then it can invite the other node each time that node invites " +
			"it, for ever (short-pauses).",
	},
	{
		Name: "divided", Place: "section V, introduction",
		Text: "Where the network divides each part comes to have a coordinator and goes on working; when it is whole again, they become " +
			"one group.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("assertion-4", three(1, "cuts=1")), ledger.Keeps("assertion-4", three(2, "cuts=1")),
			ledger.Keeps("assertion-4", three(1, "cuts=1 heals=1")),
			ledger.Breaks("uniqueness", three(1, "cuts=1")),
			ledger.Keeps("assertion-4", alone(4, 1, "start=settled cuts=1")).InDeep(),
		},
		Needs: []string{"cut", "heal", "rule Timeout, Accept or Ready", "rule Merge", "rule Ready"},
	},
	{
		Name: "several-coordinators", Place: "section V, on Assertion 3",
		Text:    "There may be several coordinators at one instant, in different groups, though all nodes can communicate.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Breaks("uniqueness", alone(3, 1, "")), ledger.Breaks("uniqueness", three(1, "joins=1")),
			ledger.Breaks("uniqueness", three(2, "crashes=1")),
		},
		Note:  "Every node begins as a coordinator.",
		Needs: []string{"crash", "join", "rule Recovery", "rule Merge"},
	},
	{
		Name: "waits", Place: "section V and appendix, procedure Check",
		Text: "Coordinators wait for a time that depends on their priority before they merge: without that, they could invite each " +
			"other for ever.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Supposes: "that coordinators do not wait, since the claim is about the consequence",
		Evidence: []ledger.Evidence{
			ledger.Breaks("assertion-4", two(1, "")).Of("equal-waits"), ledger.Breaks("assertion-4", two(2, "")).Of("equal-waits"),
			ledger.Breaks("assertion-4", alone(3, 1, "")).Of("equal-waits").InDeep(),
		},
		Needs: []string{"rule Invitation", "rule Merge", "two participants at once"},
	},
	{
		Name: "safe-storage", Place: "section V and appendix, on the counter",
		Text:     "The counter of a node has to be in safe storage: if it were lost in a crash Assertion 3 could be violated.",
		Kind:     ledger.SafetyClaim,
		Outcome:  ledger.Confirmed,
		Supposes: "that the counter is lost in a crash, since the claim is about the consequence",
		Evidence: []ledger.Evidence{
			ledger.Breaks("assertion-3", three(1, "crashes=1 restarts=1")).Of("volatile"),
			ledger.Breaks("assertion-3", three(2, "crashes=1 restarts=1")).Of("volatile").InDeep(),
		},
		Needs: []string{"crash", "restart", "rule Recovery"},
	},
}
