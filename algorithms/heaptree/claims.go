package heaptree

import (
	_ "embed"
	"fmt"
	"slices"

	"bullyproof/checker"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// down is a system whose leader n has crashed, which i alone notices; i = 0
// stands for any.
func down(n, i, d int) string {
	who := ""
	if i > 0 {
		who = fmt.Sprintf(" detectors=%d", i)
	}
	return fmt.Sprintf("n=%d start=coordinator-down timing=sync:%d%s", n, d, who)
}

// faults are settings of n from 3 to most, with some faults.
func faults(most int, what string) (list []string) {
	for n := 3; n <= most; n++ {
		for d := 1; d <= 2; d++ {
			list = append(list, fmt.Sprintf("n=%d start=settled timing=sync:%d %s", n, d, what))
		}
	}
	return list
}

// keep is the evidence that properties hold in settings, for a reading.
func keep(variant string, settings []string, properties ...string) (list []checker.Evidence) {
	for _, p := range properties {
		for _, s := range settings {
			list = append(list, checker.Keeps(p, s).Of(variant))
		}
	}
	return list
}

// each is the evidence for each n from 3 to most, each i that may be the one to
// notice, and D = 1 and 2.
func each(most int, evidence func(n, i, d int) checker.Evidence) (list []checker.Evidence) {
	for n := 3; n <= most; n++ {
		for i := 1; i < n; i++ {
			for d := 1; d <= 2; d++ {
				list = append(list, evidence(n, i, d))
			}
		}
	}
	return list
}

// anyone is the evidence for each n from 3 to most, where any may notice.
func anyone(most int, evidence func(n, d int) checker.Evidence) (list []checker.Evidence) {
	for n := 3; n <= most; n++ {
		for d := 1; d <= 2; d++ {
			if n+d < 8 {
				list = append(list, evidence(n, d))
			}
		}
	}
	return list
}

var (
	leaderCrashes = append(faults(5, "crashes=1"), "n=6 start=settled timing=sync:1 crashes=1")
	oneJoins      = faults(5, "joins=1")
	crashedBefore = faults(4, "crashes=2")
	fatherBefore  = []string{"n=4 start=settled timing=sync:1 crashes=2 detectors=1"}
)

// Rules that have nothing to do with a claim.
var (
	noJoin = []string{
		"rule join the group", "rule a node joins", "rule greater than the father", "rule not greater than the father",
		"rule greater than the root", "message join", "message seek", "message swap", "message yours", "message swapped", "timer told",
		"rule the only child of the deleted root", "timeout", "join",
	}
	noCrash = []string{
		"rule the leader has crashed", "rule election, no duplicate", "rule election, a duplicate", "rule child of the deleted root",
		"rule the other child is greater", "rule the greater child of the deleted root", "rule take the place above",
		"rule the only child of the deleted root", "message election", "message compare", "message rise", "two participants at once",
	}
)

const nothingSaid = ", about which the paper says nothing"

// claims are what the paper says of the algorithm.
var claims = slices.Concat(electionClaims, countClaims, figureClaims)

var electionClaims = []checker.Claim{
	{
		Name: "safety", Place: "section 1, of any election; section 4",
		Text: "\"Only a single node can enter the elected state and eventually, become the leader\", where the leader crashes. It is the " +
			"greatest.",
		Kind: checker.SafetyClaim, Outcome: checker.Confirmed,
		Evidence: slices.Concat(
			keep("", leaderCrashes, "uniqueness", "extreme"), keep("", crashedBefore, "uniqueness", "extreme"),
			keep("repaired", leaderCrashes[:4], "uniqueness", "extreme"), keep("repaired", crashedBefore, "uniqueness", "extreme"),
			[]checker.Evidence{
				checker.Keeps("uniqueness", "n=5 start=coordinator-down timing=sync:1 crashes=1").Of("repaired").InDeep(),
				checker.Keeps("extreme", "n=5 start=coordinator-down timing=sync:1 crashes=1").Of("repaired").InDeep(),
			},
		),
		Note: "Also where another node has crashed before, or crashes during the election. (Then there may be no leader at all: see " +
			"liveness-crashed-before.)",
		Idle: noJoin,
	},
	{
		Name: "acknowledged", Place: "section 1, of any election; section 4",
		Text: "\"All the other nodes will acknowledge the role of that node as the leader\", where the leader crashes.",
		Kind: checker.SafetyClaim, Outcome: checker.Confirmed,
		Evidence: keep("", leaderCrashes, "agreement"),
		Idle:     noJoin,
	},
	{
		Name: "liveness", Place: "section 1, of any election; section 4",
		Text: "\"Every node will eventually enter an elected state or a non-elected state\", where the leader crashes.",
		Kind: checker.LivenessClaim, Outcome: checker.Confirmed,
		Evidence: keep("", leaderCrashes, "e2", "re-election", "termination"),
		Idle:     noJoin,
	},
	{
		Name: "liveness-crashed-before", Place: "section 1, of any election; section 4",
		Text: "\"Every node will eventually enter an elected state or a non-elected state\", where another node has crashed before the " +
			"leader, or crashes during the election.",
		Kind: checker.LivenessClaim, Outcome: checker.Refuted,
		Evidence: slices.Concat(
			keep("", crashedBefore, "e2", "re-election"), keep("", fatherBefore, "e2"), keep("repaired", fatherBefore, "e2"),
			keep("repaired", crashedBefore, "e2", "re-election", "agreement"),
			[]checker.Evidence{
				checker.Keeps("e2", "n=5 start=coordinator-down timing=sync:1 crashes=1").Of("repaired").InDeep(),
				checker.Keeps("re-election", "n=5 start=coordinator-down timing=sync:1 crashes=1").Of("repaired").InDeep(),
			},
		),
		Note: "Nobody notices that a node other than the leader crashes. An election message to such a father ends there, and such a " +
			"sibling never compares. The paper speaks of the leader's crash alone, though it is for nodes that crash that there are " +
			"elections.",
		Story: "heaptree-dead-sibling",
		Repair: "repaired: who does not hear of the outcome in time asks all others who is up and hands out the tree of those. It gives up " +
			"the small memory. With father, children and sibling alone no repair is possible: below a father that has crashed nobody knows " +
			"anybody outside of its subtree.",
		Needs: []string{"crash", "suspect", "rule the leader has crashed", "rule child of the deleted root", "message election"},
	},
	{
		Name: "duplicates", Place: "section 4",
		Text: "\"If duplicate, it is dropped by that node, otherwise it is sent to the next father\": of all nodes that notice, each passes " +
			"on one election message at most, and of the two children of the deleted root none.",
		Kind: checker.CountClaim, Outcome: checker.Confirmed,
		Evidence: anyone(6, func(n, d int) checker.Evidence {
			return checker.Takes(checker.WorstCase, checker.Measure{Kind: "election"}, checker.AtMost, n-3, down(n, 0, d))
		}),
		Needs: []string{"rule election, a duplicate", "rule election, no duplicate"},
	},
	{
		Name: "two-compare", Place: "section 4",
		Text: "\"The left and right children of the deleted root compare their IDs with each other to determine the new leader. Thus, it is " +
			"not necessary for all nodes to start sending their own IDs.\"",
		Kind: checker.CountClaim, Outcome: checker.Confirmed,
		Evidence: anyone(6, func(n, d int) checker.Evidence {
			return checker.Takes(checker.WorstCase, checker.Measure{Kind: "compare"}, checker.AtMost, 2, down(n, 0, d))
		}),
		Needs: []string{"rule child of the deleted root", "rule the greater child of the deleted root"},
	},
	{
		Name: "max-heap", Place: "section 4",
		Text: "\"The largest element in a max-heap is stored at the root\": the tree remains a max-heap where the leader crashes, and where a " +
			"node joins.",
		Kind: checker.SafetyClaim, Outcome: checker.Confirmed,
		Evidence: slices.Concat(keep("", leaderCrashes, "heap-order", "linked"), keep("", oneJoins, "heap-order", "linked", "extreme")),
		Note:     "That the lowest level is filled from the left is not kept where the leader crashes, in our reading of how the tree is rebuilt.",
		Idle:     []string{"rule the only child of the deleted root"},
	},
	{
		Name: "joining", Place: "section 4",
		Text: "\"Nodes are added to the tree by joining each node and then comparing its ID with its father's ID. If its ID is greater than " +
			"that of its father's, the node swaps position with the father.\" The tree is right again then, and all name its root.",
		Kind: checker.SafetyClaim, Outcome: checker.Confirmed,
		Evidence: slices.Concat(
			keep("", oneJoins, "linked", "heap-order", "agreement", "uniqueness"),
			keep("", []string{"n=6 start=settled timing=sync:1 joins=1", "n=7 start=settled timing=sync:1 joins=1"}, "linked", "agreement"),
			[]checker.Evidence{
				checker.Keeps("agreement", "n=3 start=settled timing=sync:1 joins=2").Beside("two join at once" + nothingSaid),
				checker.Keeps("linked", "n=3 start=settled timing=sync:1 joins=2").Beside("two join at once" + nothingSaid),
				checker.Keeps("agreement", "n=3 start=settled timing=sync:1 joins=1 crashes=1").Within(50_000).
					Beside("the leader crashes while a node joins" + nothingSaid),
			},
		),
		Note: "One node joins, at any time, whatever its ID. Our reading of who gives it its first place is not the paper's, which is silent. " +
			"Two that swap at once can take the tree apart.",
		Idle: noCrash,
	},
}

var countClaims = []checker.Claim{
	{
		Name: "table-1-min", Place: "section 4, Table 1",
		Text: "Min. messages: log n.",
		Kind: checker.CountClaim, Outcome: checker.Refuted,
		Evidence: anyone(6, func(n, d int) checker.Evidence {
			return checker.Takes(checker.BestCase, checker.Measure{}, checker.Exactly, log(n), down(n, 0, d))
		}),
		Note: tellsOthers + " Without these it is a single message: a child of the root notices, and the other is greater. It is at most, " +
			"not at least, log n and one more.",
		Needs: []string{"rule child of the deleted root"},
	},
	{
		Name: "table-1-max", Place: "section 4, Table 1",
		Text: "Max. messages: log n + (n-1). Here where one node notices.",
		Kind: checker.CountClaim, Outcome: checker.Confirmed,
		Evidence: slices.Concat(
			each(7, func(n, i, d int) checker.Evidence {
				return checker.Takes(checker.WorstCase, checker.Measure{}, checker.AtMost, log(n)+n-1, down(n, i, d))
			}),
			[]checker.Evidence{
				checker.Takes(checker.WorstCase, checker.Measure{}, checker.Exactly, log(4)+3, down(4, 1, 1)),
				checker.Takes(checker.WorstCase, checker.Measure{}, checker.Exactly, log(5)+4, down(5, 1, 1)),
				checker.Takes(checker.WorstCase, checker.Measure{}, checker.Exactly, log(6)+5, down(6, 2, 1)),
				checker.Takes(checker.WorstCase, checker.Measure{}, checker.Exactly, log(7)+6, down(7, 2, 1)),
			},
		),
		Note: "It takes as many where a node of the lowest level notices that is below the greater child of the root: up to that child, " +
			"across and back, and n-2 messages that tell the others and rebuild the tree at once.",
		Needs: []string{"rule election, no duplicate", "rule the other child is greater", "rule take the place above"},
	},
	{
		Name: "table-1-max-several", Place: "section 4, Table 1",
		Text: "Max. messages: log n + (n-1). Here where any number of nodes notice.",
		Kind: checker.CountClaim, Outcome: checker.Refuted,
		Evidence: anyone(6, func(n, d int) checker.Evidence {
			return checker.Takes(checker.WorstCase, checker.Measure{}, checker.AtMost, log(n)+n-1, down(n, 0, d))
		}),
		Note: "It is 2n-3, from five nodes on more: each node but the children of the root may send one election message. The last column of " +
			"the table means to count these.",
		Needs: []string{"rule election, a duplicate", "rule the other child is greater"},
	},
	{
		Name: "fewer-than-bully", Place: "section 4; section 6",
		Text: "\"At the expense of a comparably reduced number of messages\"; \"the lesser complexity in message passing exhibited by this " +
			"method\". Here: where one node notices, no more messages than the Bully algorithm.",
		Kind: checker.CountClaim, Outcome: checker.Confirmed,
		Evidence: each(6, func(n, i, d int) checker.Evidence {
			return checker.Takes(checker.WorstCase, checker.Measure{}, checker.AtMost, (n-i)*(n-i)+n-1, down(n, i, d))
		}),
		Note:  "The Bully algorithm whose coordinator tells all others takes (n-i)²+n-1 messages (see there).",
		Needs: []string{"rule child of the deleted root", "rule election, no duplicate"},
	},
	{
		Name: "time", Place: "section 4",
		Text: "\"The leader can be selected in O(log n) time.\" Here: 2 log n + 1 delays until all nodes know, where one node notices.",
		Kind: checker.TimeClaim, Outcome: checker.Confirmed,
		Evidence: each(7, func(n, i, d int) checker.Evidence {
			return checker.Takes(checker.WorstCase, checker.Measure{Unit: checker.Ticks}, checker.AtMost, (2*log(n)+1)*d, down(n, i, d))
		}),
		Note:  "Up the tree, across and back, and down again.",
		Needs: []string{"rule election, no duplicate", "rule the other child is greater", "tick"},
	},
}

var figureClaims = []checker.Claim{
	{
		Name: "order", Place: "section 4, Table 1; section 5.1",
		Text: "The order of messages is log n.",
		Kind: checker.FigureClaim, Outcome: checker.Refuted,
		Evidence: []checker.Evidence{
			checker.Adds("growth of log n + (n-1)", "log n", growth(func(n int) int { return log(n) + n - 1 })),
		},
		Note: "It is the order of the path alone. The table's own maximum is of the order n, since all nodes are told.",
	},
	{
		Name: "height", Place: "section 4",
		Text: "\"The height of an n-element heap based on a binary tree is log n.\"",
		Kind: checker.FigureClaim, Outcome: checker.Confirmed,
		Evidence: []checker.Evidence{
			checker.Adds("n = 10", log(10), len(path(10))-1), checker.Adds("n = 127", log(127), len(path(127))-1),
			checker.Adds("n = 150", log(150), len(path(150))-1),
		},
		Note: "Rounded down.",
	},
	{
		Name: "memory", Place: "section 4, Table 1",
		Text: "\"Each node should save the information of its father, left and right children, and its sibling. Therefore our approach requires " +
			"a smaller memory space of only 4n.\"",
		Kind: checker.FigureClaim, Outcome: checker.Confirmed,
		Evidence: []checker.Evidence{
			checker.Adds("entries of 150 nodes are at most 4n", true, entries(150) <= 4*150),
			checker.Adds("entries of 10 nodes are at most 4n", true, entries(10) <= 4*10),
		},
		Note: "About 3n of the 4n are ever in use. To notice its crash each node has to know the leader as well, and to tell a duplicate the " +
			"last crash: 6n. And a node that knows no more than these cannot get round one that has crashed.",
	},
	{
		Name: "table-1-formula", Place: "section 4, Table 1, last column",
		Text: "Where nodes C_1 to C_k notice, there are Σ log(C_i) - Σ_{i≠j} log(max(A_i ∩ B_j)) messages, A_i and B_j being the paths to " +
			"the root.",
		Kind: checker.FigureClaim, Outcome: checker.Refuted,
		Evidence: []checker.Evidence{
			checker.Adds("node 4", formula([]int{4}, 2), edges([]int{4})),
			checker.Adds("nodes 4 and 5", formula([]int{4, 5}, 2), edges([]int{4, 5})),
			checker.Adds("nodes 4 and 5, each pair once", formula([]int{4, 5}, 1), edges([]int{4, 5})),
			checker.Adds("nodes 2, 4 and 5, each pair once", formula([]int{2, 4, 5}, 1), edges([]int{2, 4, 5})),
			checker.Adds("nodes 2 to 7, each pair once", formula([]int{2, 3, 4, 5, 6, 7}, 1), edges([]int{2, 3, 4, 5, 6, 7})),
			checker.Adds("nodes 2 to 7", formula([]int{2, 3, 4, 5, 6, 7}, 2), edges([]int{2, 3, 4, 5, 6, 7})),
		},
		Note: "Computed is the number of links on the paths, which is what it means to count: duplicates are dropped. The sum over i ≠ j has " +
			"each pair twice; with each pair once it is right for two nodes, and too little for more, as a link that three paths share is " +
			"taken off three times. It can be less than nothing.",
	},
	{
		Name: "table-2-heap", Place: "section 5.1, Table 2",
		Text: "With 150 nodes an election takes 23, 85, 102, 113 and 122 messages in the heap tree, where node 4, 30, 60, 90 and 120 notices, " +
			"beside 442 to 205 in the fault-tolerant Bully.",
		Kind: checker.FigureClaim, Outcome: checker.Refuted,
		Evidence: []checker.Evidence{
			checker.Adds("node 4", "23", told150(23)), checker.Adds("node 30", "85", told150(85)),
			checker.Adds("node 60", "102", told150(102)), checker.Adds("node 90", "113", told150(113)),
			checker.Adds("node 120", "122", told150(122)),
		},
		Note: "The Bully's figures have 149 messages each that tell the others of the leader. No figure of the heap tree is large enough to have " +
			"148; without them there are 8 at most, log n and one more. By neither count do they come out, and the paper has no formula " +
			"for them.",
	},
}

// told150 says how many messages an election among 150 nodes takes at least, the
// leader having crashed, where all are told of the outcome.
func told150(printed int) string {
	const others = 150 - 2
	if printed >= others {
		return fmt.Sprint(printed)
	}
	return fmt.Sprintf("at least %d", others)
}
