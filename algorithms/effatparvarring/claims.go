package effatparvarring

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

// failed is a ring of n whose leader has crashed, in every arrangement; any of
// the others may notice.
func failed(n int, more string) string {
	return fmt.Sprintf("n=%d topology=ring:repaired start=coordinator-down %s", n, more)
}

// atOnce is a ring of n that are all up, in every arrangement, where m of them
// notice at the same time that there is no leader.
func atOnce(n, m int) string {
	who := ""
	for i := range m {
		who += fmt.Sprintf(",%d", i+1)
	}
	return fmt.Sprintf("n=%d topology=ring initiators=%s channels=fifo timing=patient", n, who[1:])
}

const (
	inOneOrder = "Channels keep the order of messages here: otherwise those that nobody takes out of the ring have states without end."
	onlyIDs    = "without the coordinate messages"
	crash      = "crashes=1 channels=fifo"
)

// claims are what the paper says of the algorithm, and the paper on FCEABR.
var claims = bySource(slices.Concat(elections, failures, counts, equations))

// bySource judges what the paper on FCEABR says by its own description of the
// algorithm, "just a section for informer".
func bySource(list []ledger.Claim) []ledger.Claim {
	for i, c := range ledger.JudgedIn("informer", list) {
		if c.Source == fceabr {
			list[i] = c
		}
	}
	return list
}

var elections = []ledger.Claim{
	{
		Name: "one-elected", Source: paper, Place: "section 1",
		Text: "The safety condition: \"only a single node can enter the elected state and eventually become the leader\".",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("uniqueness", failed(4, "timing=patient")), ledger.Keeps("uniqueness", failed(4, "timing=sync:1")),
			ledger.Keeps("uniqueness", failed(4, "timing=sync:2")),
			ledger.Keeps("uniqueness", failed(4, "timing=patient "+crash)), ledger.Keeps("uniqueness", failed(4, "timing=sync:1 "+crash)),
			ledger.Keeps("uniqueness", failed(4, "timing=sync:2 "+crash)),
			ledger.Keeps("uniqueness", failed(4, "timing=patient")).Of("literal"),
			ledger.Keeps("uniqueness", failed(4, "timing=patient")).Of("informer"),
			ledger.Keeps("uniqueness", failed(3, "timing=sync:1 "+crash)).Of("literal"),
			ledger.Keeps("uniqueness", failed(3, "timing=sync:1 "+crash)).Of("informer"),
			ledger.Keeps("uniqueness", failed(4, "timing=sync:1 "+crash)).Of("informer").InDeep(),
			ledger.Keeps("uniqueness", failed(4, "timing=sync:1 "+crash)).Of("repaired"),
		},
		Note: "Another node may crash as well, the one that is about to be elected, too. " + inOneOrder,
	},
	{
		Name: "greatest-elected", Source: paper, Place: "section 3",
		Text: "\"Only the greatest ID remains in the ring\", and its node is the leader, for all.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("extreme", failed(4, "timing=patient")), ledger.Keeps("agreement", failed(4, "timing=patient")),
			ledger.Keeps("extreme", failed(4, "timing=sync:1")), ledger.Keeps("agreement", failed(4, "timing=sync:1")),
			ledger.Keeps("extreme", failed(4, "timing=sync:2")), ledger.Keeps("agreement", failed(4, "timing=sync:2")),
			ledger.Keeps("extreme", failed(4, "timing=sync:1 "+crash)), ledger.Keeps("agreement", failed(4, "timing=sync:1 "+crash)),
			ledger.Keeps("extreme", failed(5, "timing=patient channels=fifo")), ledger.Keeps("agreement", failed(5, "timing=patient channels=fifo")),
			ledger.Keeps("extreme", failed(4, "timing=patient")).Of("literal"), ledger.Keeps("agreement", failed(4, "timing=patient")).Of("literal"),
			ledger.Keeps("extreme", failed(4, "timing=patient")).Of("informer"), ledger.Keeps("agreement", failed(4, "timing=patient")).Of("informer"),
		},
		Note: "If another node crashes as well, there may be no leader at all: see liveness.",
	},
	{
		Name: "figure-2", Source: paper, Place: "section 3, figure 2",
		Text: "Nodes 2 and 4 notice the crash of the leader at the same time, and node 5 is declared as the leader.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("extreme", failed(6, "timing=patient channels=fifo detectors=2,4")),
			ledger.Keeps("agreement", failed(6, "timing=patient channels=fifo detectors=2,4")),
			ledger.Keeps("agreement", failed(6, "timing=patient channels=fifo detectors=2,4")).Of("informer"),
		},
		Note: "This holds in every arrangement of the six nodes. The node that declares itself is not one that noticed, which the " +
			"letter of section 3 (variant sender-only) does not allow.",
	},
	{
		Name: "declares", Source: paper, Place: "section 3",
		Text: "\"Finally, the greatest ID returns back to the initial node. If the received ID equals that of the initial sender, it declares " +
			"itself as the leader.\"",
		Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("re-election", failed(4, "timing=patient")), ledger.Keeps("re-election", failed(4, "timing=sync:1")),
			ledger.Keeps("re-election", failed(4, "timing=sync:2")), ledger.Keeps("re-election", failed(3, "timing=sync:1 detectors=1")),
			ledger.Keeps("re-election", failed(5, "timing=patient channels=fifo detectors=1")),
			ledger.Keeps("re-election", failed(3, "timing=sync:1 detectors=1")).Of("literal"),
			ledger.Keeps("re-election", failed(4, "timing=patient")).Of("literal"),
			ledger.Keeps("re-election", failed(3, "timing=sync:1 detectors=1")).Of("informer"),
			ledger.Keeps("re-election", failed(4, "timing=patient")).Of("informer"),
			ledger.Keeps("re-election", failed(3, "timing=sync:1 detectors=1")).Of("sender-only"),
			ledger.Keeps("re-election", failed(3, "timing=sync:2 detectors=1")).Of("sender-only"),
		},
		Note: "In this reading the initial sender is the node whose id it is; in the reading informer the node that noticed declares " +
			"the greatest as leader. To the letter (sender-only), a node that noticed declares itself if its own id comes back; then " +
			"no node ever becomes leader unless the greatest node notices: see effatparvarring-nobody-declares.",
	},
}

var failures = []ledger.Claim{
	{
		Name: "liveness", Source: paper, Place: "section 1",
		Text: "The liveness condition: \"every node will eventually enter an elected state or a non-elected state\".",
		Kind: ledger.LivenessClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "a crash in the election that follows the coordinator's",
		Evidence: []ledger.Evidence{
			ledger.Keeps("e2", failed(3, "timing=sync:1 "+crash)), ledger.Keeps("e2", failed(3, "timing=sync:2 "+crash)),
			ledger.Keeps("e2", failed(4, "timing=patient "+crash)),
			ledger.Keeps("e2", failed(4, "timing=patient")).Beside("where only the leader crashes"),
			ledger.Keeps("e2", failed(5, "timing=patient channels=fifo")).Beside("where only the leader crashes"),
			ledger.Keeps("e2", failed(5, "timing=patient")).Beside("where channels do not keep the order of messages, either"),
			ledger.Keeps("e2", failed(3, "timing=sync:1 "+crash)).Of("literal"), ledger.Keeps("e2", failed(3, "timing=sync:1 "+crash)).Of("informer"),
			ledger.Keeps("e2", failed(3, "timing=sync:1 crashes=1")).Of("repaired"), ledger.Keeps("e2", failed(3, "timing=sync:2 crashes=1")).Of("repaired"),
			ledger.Keeps("e2", failed(4, "timing=sync:1 "+crash)).Of("repaired"),
			ledger.Keeps("re-election", failed(4, "timing=sync:1 "+crash)).Of("repaired"),
			ledger.Keeps("e2", failed(4, "timing=sync:1 crashes=2 channels=fifo mid-send=yes")).Of("repaired").InDeep(),
		},
		Note: "One more crash is enough. An id is lost with the node that it is about to reach, and those that have passed it on wait for a " +
			"leader for ever; being in an election they begin no other, and stop smaller ids. It is true where nobody but the leader " +
			"crashes, if channels keep the order of messages. With five nodes and without that order one may be left behind, as in the " +
			"algorithm of Chang and Roberts. " + inOneOrder,
		Story: "effatparvarring-lost-id",
		Repair: "repaired: a node that hears of no leader within 3N message times sends its id again. This needs a known bound on " +
			"delays, which the paper does not mention.",
		Needs: []string{"crash", "suspect", "message ID", "message coordinate", "two participants at once"},
	},
	{
		Name: "no-tolerance", Source: fceabr, Place: "section II",
		Text: "It \"makes the packet's size passed throw the network smaller by considering just a section for informer, but it also causes " +
			"denying coordinator fault tolerance\".",
		Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Breaks("e2", failed(3, "timing=sync:1 "+crash)), ledger.Breaks("e2", failed(3, "timing=sync:2 "+crash)),
			ledger.Breaks("e2", failed(3, "timing=sync:1 "+crash)).Of("informer"),
			ledger.Breaks("e2", failed(3, "timing=sync:2 "+crash)).Of("informer"),
			ledger.Breaks("e2", failed(3, "timing=sync:1 "+crash)).Of("literal"),
			ledger.Breaks("e2", failed(3, "timing=sync:1 crashes=1")).Of("repaired"),
		},
		Note: "A message has one id in place of a list. No process knows of a substitute, and an election is lost with a node that " +
			"crashes. A list as in this source is not needed: the claim is false of the repair, whose messages have one id as well.",
		Story: "effatparvarring-lost-id",
		Needs: []string{"crash", "suspect", "message ID", "message coordinate"},
	},
	{
		Name: "terminated", Source: paper, Place: "section 1",
		Text: "\"Once the leader is elected, the nodes reach a certain state known as terminated state.\"",
		Kind: ledger.LivenessClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "a crash in the election that follows the coordinator's",
		Evidence: []ledger.Evidence{
			ledger.Keeps("termination", failed(4, "timing=sync:1 "+crash)), ledger.Keeps("termination", failed(3, "timing=sync:2 "+crash)),
			ledger.Keeps("termination", failed(4, "timing=patient "+crash)),
			ledger.Keeps("termination", failed(4, "timing=patient")).Beside("where only the leader crashes"),
			ledger.Keeps("termination", failed(3, "timing=sync:1 "+crash)).Of("literal"),
			ledger.Keeps("termination", failed(3, "timing=sync:1 "+crash)).Of("informer"),
			ledger.Keeps("termination", failed(3, "timing=sync:1 crashes=1")).Of("repaired"),
			ledger.Keeps("termination", failed(3, "timing=sync:2 crashes=1")).Of("repaired"),
			ledger.Keeps("termination", failed(4, "timing=sync:1 "+crash)).Of("repaired"),
			ledger.Keeps("stable-leadership", failed(4, "timing=sync:1 "+crash)).Of("repaired"),
		},
		Note: "Where the node with the greatest id crashes while its id goes round, nobody is left to recognize it: all pass it on for ever, as " +
			"the greatest, and nobody is elected. " + inOneOrder,
		Story:  "effatparvarring-ghost",
		Repair: "repaired: messages count their steps, and a message that has gone N steps is taken out of the ring.",
		Needs:  []string{"crash", "suspect", "message ID", "message coordinate", "two participants at once"},
	},
	{
		Name: "remains-elected", Source: paper, Place: "section 1",
		Text: "\"Such states are partitioned into elected states and non-elected states. When a node enters either state, it always remain " +
			"in that state.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "a crash in the election that follows the coordinator's",
		Evidence: []ledger.Evidence{
			ledger.Keeps("once-elected", failed(4, "timing=sync:1 "+crash)), ledger.Keeps("once-elected", failed(4, "timing=sync:2 "+crash)),
			ledger.Keeps("once-elected", failed(4, "timing=patient "+crash)),
			ledger.Keeps("once-elected", failed(4, "timing=patient")).Beside("where only the leader crashes"),
			ledger.Keeps("once-elected", failed(5, "timing=patient channels=fifo")).Beside("where only the leader crashes"),
			ledger.Keeps("once-elected", failed(3, "timing=sync:1 "+crash)).Of("literal"),
			ledger.Keeps("once-elected", failed(3, "timing=sync:1 "+crash)).Of("informer"),
			ledger.Keeps("once-elected", failed(4, "timing=sync:1 "+crash)).Of("repaired"),
			ledger.Keeps("once-elected", failed(4, "timing=sync:2 "+crash)).Of("repaired"),
			ledger.Keeps("once-elected", failed(4, "timing=sync:1 crashes=2 channels=fifo")).Of("repaired").InDeep(),
		},
		Note: "It is true where nobody but the leader crashes. A node that crashes after it has declared itself leaves a coordinate message " +
			"that nobody takes out of the ring; it goes round for ever, and each time it comes by, whoever has been elected since follows the " +
			"crashed node again. " + inOneOrder,
		Story:  "effatparvarring-deposed-by-a-ghost",
		Repair: "repaired: a coordinate message that has gone N steps is taken out of the ring. It has been everywhere by then.",
		Needs:  []string{"crash", "suspect", "message ID", "message coordinate", "two participants at once"},
	},
}

var (
	ids   = cost.Measure{Kind: kinds[Election]}
	both  = []string{"message ID", "message coordinate"}
	total = cost.Measure{}
)

// sweep asks for a cost for each number of nodes that are up, and each of those
// that notice at once, from least on.
func sweep(least int, q func(n, m int) ledger.Evidence) (list []ledger.Evidence) {
	for n := 2; n <= 4; n++ {
		for m := least; m <= n; m++ {
			list = append(list, q(n, m))
		}
	}
	return list
}

var counts = []ledger.Claim{
	{
		Name: "one-circulates", Source: paper, Place: "section 3",
		Text: "\"If many nodes notice the absence of the leader at the same time, only the message of the node with the greatest ID circulates in " +
			"the ring\": one leader is declared, once.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			sweep(1, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, cost.Measure{Kind: kinds[Coordinate]}, ledger.Exactly, n, atOnce(n, m))
			}),
			sweep(1, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, cost.Measure{Kind: kinds[Coordinate]}, ledger.Exactly, n, atOnce(n, m)).Of("informer")
			}),
			sweep(1, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, cost.Measure{Kind: kinds[Coordinate]}, ledger.Exactly, n, atOnce(n, m)).Of("literal")
			}),
		),
		Note: "The literal reading is that a node always forwards the greater of both ids. Then no message is ever stopped: m of them " +
			"come to carry the greatest id, and it is declared m times.",
		Needs: both,
	},
	{
		Name: "not-all-send", Source: paper, Place: "section 3",
		Text: "\"When a node notices that the leader has crashed, it sends its ID number to its neighboring node in the ring. Thus, it " +
			"is not necessary for all nodes to send their IDs into the ring.\" Here: where one of n nodes that are up notices, ids " +
			"travel at most 2n-1 links, not the n(n+1)/2 of all ids.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: func() (list []ledger.Evidence) {
			for n := 2; n <= 5; n++ {
				list = append(list,
					ledger.Takes(cost.WorstCase, ids, ledger.Exactly, 2*n-1, atOnce(n, 1)),
					ledger.Takes(cost.BestCase, ids, ledger.Exactly, n, atOnce(n, 1)).Of("informer"),
					ledger.Takes(cost.WorstCase, ids, ledger.Exactly, n, atOnce(n, 1)).Of("informer"))
			}
			return list
		}(),
		Note: "It takes n-1 links to reach the node with the greatest id, and n round the ring. If the message has to return only to " +
			"the node that noticed, it is n.",
		Needs: []string{"message ID", "rule one's own ID is greater", "rule the received ID is the greatest"},
	},
	{
		Name: "reduces", Source: paper, Place: "section 3; section 5.2",
		Text: "The method \"dramatically reduces the overhead involved in message passing\"; its complexity \"is much lower than the Ring " +
			"algorithm\".",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(
			sweep(1, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, total, ledger.AtMost, 2*m*n, atOnce(n, m))
			}),
			sweep(1, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, total, ledger.AtMost, 2*m*n, atOnce(n, m)).Of("informer")
			}),
			sweep(1, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, total, ledger.AtMost, 2*m*n, atOnce(n, m)).Of("literal")
			}),
		),
		Note: "The ring that collects ids takes 2mn messages where m of n nodes notice. This one takes fewer for m of two or more. " +
			"For m = 1 it takes up to 3n-1, and the other takes 2n: the id of the node that notices has to reach the greatest node " +
			"first. (The paper's own equations agree: 4 gives 45 messages for n = 10, and 3 gives 10 for m = 1.) Where the message " +
			"returns to the node that noticed, the claim is true.",
		Needs: both,
	},
	{
		Name: "fewer-at-once", Source: fceabr, Place: "section II",
		Text: "\"They reduce the number of exchanged message when more than one processes simultaneously find crash out.\"",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			sweep(2, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, total, ledger.AtMost, 2*m*n-1, atOnce(n, m))
			}),
			sweep(2, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, total, ledger.AtMost, 2*m*n-1, atOnce(n, m)).Of("informer")
			}),
			sweep(2, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, total, ledger.AtMost, 2*m*n-1, atOnce(n, m)).Of("literal")
			}),
		),
		Note: "This is fewer than the 2mn messages of the ring that collects ids.", Needs: both,
	},
	{
		Name: "late-ones", Source: fceabr, Place: "section II",
		Text: "\"If other processes find it out during coordinator crash time and the time which processes know about new elected coordinator " +
			"they'll launch new election\": it costs more than if all notice at once.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: func() (list []ledger.Evidence) {
			for n := 4; n <= 5; n++ { // at once n-1 nodes take (n-1)n/2+(n-1) messages at most
				for _, variant := range []string{"informer", "suppresses"} {
					list = append(list, ledger.Takes(cost.WorstCase, total, ledger.AtLeast, n*(n-1)/2+n-1+1,
						failed(n, "timing=patient channels=fifo")).Of(variant))
				}
			}
			return list
		}(),
		Note: "This is judged by the description that this source gives, \"just a section for informer\". If a node that has put an id " +
			"into the ring takes part from then on (suppresses), it begins no other election, and the claim is not true.",
		Needs: both,
	},
	{
		Name: "equation-4-count", Source: paper, Place: "section 5.2, equation 4",
		Text: "\"For the modified Ring algorithm\" the number of messages is n(n-1)/2, where all notice.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Evidence: func() (list []ledger.Evidence) {
			for n := 3; n <= 5; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, total, ledger.Exactly, n*(n-1)/2, failed(n, "timing=patient channels=fifo")))
			}
			for n := 3; n <= 5; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, ids, ledger.Exactly, n*(n-1)/2, failed(n, "timing=patient channels=fifo")).
					Beside(onlyIDs))
			}
			for n := 3; n <= 5; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, ids, ledger.Exactly, n*(n-1)/2, atOnce(n, n)).
					Beside(onlyIDs+", n counting those that are up"))
			}
			return append(list,
				ledger.Takes(cost.WorstCase, total, ledger.Exactly, 6, failed(4, "timing=patient channels=fifo")).Of("informer"),
				ledger.Takes(cost.WorstCase, total, ledger.Exactly, 6, failed(4, "timing=patient channels=fifo")).Of("literal"))
		}(),
		Note: "This is exactly the maximum of the messages that carry ids, if n counts the leader that has crashed. It leaves out n-1 " +
			"coordinate messages. With n nodes that are up it is n(n+1)/2, the value of the sum with which equation 4 begins.",
		Needs: both,
	},
	{
		Name: "order", Source: paper, Place: "section 5.2",
		Text: "\"An order of O(n²).\"",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: func() (list []ledger.Evidence) {
			for n := 3; n <= 5; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, total, ledger.AtMost, n*n, failed(n, "timing=patient channels=fifo")))
			}
			return append(list, ledger.Takes(cost.WorstCase, total, ledger.AtMost, 16, failed(4, "timing=patient")).
				Beside("channels that do not keep the order of messages"))
		}(),
		Needs: both,
	},
}

var equations = []ledger.Claim{
	{
		Name: "equation-4", Source: paper, Place: "section 5.2, equation 4",
		Text: "Σ i for i = 0 to n is n(n-1)/2 = ½(n²-n).",
		Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Evidence: []ledger.Evidence{
			ledger.Adds("n = 2", 2*(2-1)/2, sum(2)), ledger.Adds("n = 10", 10*(10-1)/2, sum(10)), ledger.Adds("n = 100", 100*(100-1)/2, sum(100)),
		},
		Note: "The sum is n(n+1)/2. n(n-1)/2 is the sum for i = 0 to n-1.",
	},
}

// sum is 0 + 1 + ... + n.
func sum(n int) (s int) {
	for i := 0; i <= n; i++ {
		s += i
	}
	return s
}
