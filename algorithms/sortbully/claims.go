package sortbully

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

// down is a system whose leader n has crashed, which i alone notices.
func down(n, i, d int) string {
	return fmt.Sprintf("n=%d start=coordinator-down detectors=%d timing=sync:%d", n, i, d)
}

// crashes are settings in which nodes crash, in the middle of their sends, too,
// and any may notice.
var crashes = []string{
	"n=3 start=settled timing=sync:1 crashes=2 mid-send=yes",
	"n=3 start=settled timing=sync:2 crashes=2 mid-send=yes",
	"n=4 start=settled timing=sync:1 crashes=2 mid-send=yes",
	"n=4 start=settled timing=sync:2 crashes=1",
}

// keep is the evidence that properties hold where nodes crash, in both
// readings.
func keep(properties ...string) (list []ledger.Evidence) {
	for _, v := range []string{"", "trusts"} {
		for _, p := range properties {
			for _, s := range crashes {
				list = append(list, ledger.Keeps(p, s).Of(v))
			}
			list = append(list, ledger.Keeps(p, "n=4 start=settled timing=sync:2 crashes=2").Of(v).InDeep())
		}
	}
	return list
}

// each is the evidence for each n from 3 on and each i.
func each(most int, evidence func(n, i, d int) ledger.Evidence) (list []ledger.Evidence) {
	for n := 3; n <= most; n++ {
		for i := 1; i < n; i++ {
			for d := 1; d <= 2; d++ {
				list = append(list, evidence(n, i, d))
			}
		}
	}
	return list
}

// claims are what the later paper says of the algorithm.
var claims = []ledger.Claim{
	{
		Name: "safety", Source: later, Place: "section 1, of any election",
		Text: "\"Only a single node can enter the elected state and eventually, become the leader\": where nodes crash.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: append(keep("uniqueness", "extreme"),
			ledger.Keeps("uniqueness", "n=3 start=settled timing=sync:1 crashes=1 losses=1").Beside("one message is lost, which the "+
				"other algorithm of section 2 is made for"),
		),
		Note: "Any node may crash, even in the middle of sending, and several may notice at once.",
	},
	{
		Name: "acknowledged", Source: later, Place: "section 1, of any election",
		Text: "\"All the other nodes will acknowledge the role of that node as the leader\", where nodes crash.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: append(keep("agreement", "live-coordinator"),
			ledger.Keeps("agreement", "n=3 start=settled timing=sync:1 crashes=1 losses=1").Beside("one message is lost, which the "+
				"other algorithm of section 2 is made for"),
		),
	},
	{
		Name: "remains-elected", Source: later, Place: "section 1, of any election",
		Text: "\"Such states are partitioned into elected states and non-elected states. When a node enters either state, it always remain " +
			"in that state\", where nodes crash.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: keep("once-elected"),
	},
	{
		Name: "liveness", Source: later, Place: "section 1, of any election",
		Text: "\"Every node will eventually enter an elected state or a non-elected state\", and \"once the leader is elected, the nodes reach a " +
			"certain state known as terminated state\", where nodes crash.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Undecided,
		Evidence: keep("e2", "re-election", "termination"),
		Note: "In the reading trusts this needs a failure detector that goes on reporting the crash to every node that still names " +
			"the crashed leader.",
	},
	{
		Name: "fewer-messages", Source: later, Place: "section 2",
		Text: "\"The number of messages exchanged between nodes in Bully algorithm is very high. We presented a new approach based on a " +
			"sort mechanism to reduce the number of messages.\"",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(each(6, func(n, i, d int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, bullyMessages(n, i), down(n, i, d))
		}), each(6, func(n, i, d int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, messages(n, i), down(n, i, d))
		})),
		Note: "Where only node i notices, this algorithm takes 2(n-i)+n-1 messages, and the Bully algorithm (n-i)²+n-1 if its " +
			"coordinator tells all others. So it takes fewer, or as many where one of the two nodes below the crashed leader notices. " +
			"(There it takes n, like the Bully, if no node is left to grant.)",
		Needs: []string{"rule the responses are in", "rule nobody responds"},
	},
	{
		Name: "more-time", Source: later, Place: "section 2",
		Text: "\"This modified Bully algorithm may, however, consume more time with regard to the actual Bully algorithm in finding and " +
			"electing the leader.\"",
		Kind: ledger.TimeClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(each(5, func(n, i, d int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.AtLeast, bullyTime(n, i, d)+1, down(n, i, d))
		}), []ledger.Evidence{
			withCrash(1, 13), withCrash(2, 27), withCrash(1, 13).Of("trusts"), withCrash(2, 27).Of("trusts"),
		}),
		Note: "This reconstruction takes as long as the Bully, four delays. The Bully has a question and a round trip in which the " +
			"highest node finds none above it; this algorithm has a round trip and the grant; then both announce. If one more node " +
			"crashes, it takes less time in the worst case, 8 delays (trusts: 10), and the Bully of four nodes up to 13: its wait for " +
			"an announcement is longer, and it begins again. The original may differ.",
		Needs: []string{"rule the responses are in", "tick"},
	},
}

// withCrash asks whether it takes more time at worst than the Bully algorithm
// (see package bully, variant coulouris) where one more of four nodes crashes.
func withCrash(d, bully int) ledger.Evidence {
	return ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.AtLeast, bully+1, down(4, 1, d)+" crashes=1").
		Beside("one more node crashes")
}

// messages is what an election takes where i alone notices.
func messages(n, i int) int {
	if i == n-1 {
		return n // one to the crashed leader, and the announcement
	}
	return 2*(n-i) + n - 1
}

// bullyMessages and bullyTime are what the Bully algorithm takes (see package
// bully) whose coordinator tells all others: messages, and ticks at worst.
func bullyMessages(n, i int) int { return (n-i)*(n-i) + n - 1 }

func bullyTime(n, i, d int) int {
	if i == n-1 {
		return 3 * d
	}
	return 4 * d
}
