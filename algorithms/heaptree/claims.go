package heaptree

import (
	_ "embed"
	"fmt"
	"slices"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
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
func keep(variant string, settings []string, properties ...string) []ledger.Evidence {
	return ledger.KeepsIn(settings, properties...).Of(variant)
}

// deeply is the same, left to the deep scopes.
func deeply(variant string, settings []string, properties ...string) []ledger.Evidence {
	return ledger.KeepsIn(settings, properties...).Of(variant).InDeep()
}

// beside is the same, where it decides nothing.
func beside(why string, settings []string, properties ...string) []ledger.Evidence {
	return ledger.KeepsIn(settings, properties...).Beside(why)
}

// each is the evidence for each n from 3 to most, each i that may be the one to
// notice, and D = 1 and 2.
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

// anyone is the evidence for each n from 3 to most, where any may notice.
func anyone(most int, evidence func(n, d int) ledger.Evidence) (list []ledger.Evidence) {
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
	crashedBefore = faults(4, "crashes=2 mid-send=yes")
	fatherBefore  = []string{"n=4 start=settled timing=sync:1 crashes=2 detectors=1"}
	largeCrash    = []string{"n=7 start=settled timing=sync:1 crashes=1", "n=6 start=settled timing=sync:2 crashes=1"}
	twoOfFive     = []string{"n=5 start=settled timing=sync:1 crashes=2"}
	fiveRepaired  = []string{"n=5 start=coordinator-down timing=sync:1 crashes=1"}
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

var electionClaims = []ledger.Claim{
	{
		Name: "safety", Place: "section 1, of any election; section 4",
		Text: "\"Only a single node can enter the elected state and eventually, become the leader\", where the leader crashes. It is the " +
			"greatest.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keep("", leaderCrashes, "uniqueness", "extreme"), keep("", crashedBefore, "uniqueness", "extreme"),
			keep("", twoOfFive, "uniqueness", "extreme"), deeply("", largeCrash, "uniqueness", "extreme"),
			keep("recorded", leaderCrashes, "uniqueness", "extreme"), keep("recorded", crashedBefore, "uniqueness", "extreme"),
			keep("repaired", leaderCrashes[:4], "uniqueness", "extreme"), keep("repaired", crashedBefore, "uniqueness", "extreme"),
			deeply("repaired", fiveRepaired, "uniqueness", "extreme"),
		),
		Note: "This holds also where another node has crashed before, or crashes during the election, even in the middle of sending. " +
			"(Then there may be no leader at all: see liveness-crashed-before.)",
		Idle: noJoin,
	},
	{
		Name: "acknowledged", Place: "section 1, of any election; section 4",
		Text: "\"All the other nodes will acknowledge the role of that node as the leader\", where the leader crashes.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keep("", leaderCrashes, "agreement", "live-coordinator"), deeply("", largeCrash, "agreement"),
			keep("recorded", leaderCrashes, "agreement", "live-coordinator"),
		),
		Idle: noJoin,
	},
	{
		Name: "remains-elected", Place: "section 1, of any election; section 4",
		Text: "\"Such states are partitioned into elected states and non-elected states. When a node enters either state, it always remain " +
			"in that state\", where nodes crash.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keep("", leaderCrashes, "once-elected"), keep("", crashedBefore, "once-elected"), keep("", twoOfFive, "once-elected"),
			keep("recorded", leaderCrashes, "once-elected"), keep("recorded", crashedBefore, "once-elected"),
			keep("repaired", crashedBefore, "once-elected"),
		),
		Idle: noJoin,
	},
	{
		Name: "remains-elected-joining", Place: "section 1, of any election; section 4",
		Text: "\"When a node enters either state, it always remain in that state\", where a node joins.",
		Kind: ledger.SafetyClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "the paper says the sentence of any election, and its own rules for joining put a greater node above the leader",
		Evidence: slices.Concat(
			keep("", oneJoins, "once-elected"),
			keep("repaired-tenure", oneJoins, "once-elected", "agreement", "uniqueness", "linked", "complete", "e2", "termination"),
		),
		Note: "The paper wants this: a node that is greater than its father swaps position with it, up to the root. But then it takes " +
			"the lead from a node that is up, at any moment and without an election. Section 1 excludes that.",
		Story: "heaptree-deposed",
		Repair: "repaired-tenure: a node that joins rises no higher than the children of the root. Then the greatest of all is not " +
			"the leader until the leader crashes; after that it is one of the two that compare.",
		Needs: []string{"join", "rule join the group", "rule a node joins", "rule greater than the father", "rule greater than the root"},
	},
	{
		Name: "liveness", Place: "section 1, of any election; section 4",
		Text: "\"Every node will eventually enter an elected state or a non-elected state\", and \"once the leader is elected, the nodes reach a " +
			"certain state known as terminated state\", where the leader crashes.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keep("", leaderCrashes, "e2", "re-election", "termination"), deeply("", largeCrash, "e2", "re-election"),
			keep("recorded", leaderCrashes, "e2", "re-election", "termination"),
		),
		Idle: noJoin,
	},
	{
		Name: "liveness-crashed-before", Place: "section 1, of any election; section 4",
		Text: "\"Every node will eventually enter an elected state or a non-elected state\", where another node has crashed before the " +
			"leader, or crashes during the election.",
		Kind: ledger.LivenessClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "the crash of a node other than the leader: the paper mentions only the leader's",
		Evidence: slices.Concat(
			keep("", crashedBefore, "e2", "re-election"), keep("", fatherBefore, "e2"), keep("repaired", fatherBefore, "e2"),
			keep("recorded", crashedBefore, "e2", "re-election"),
			keep("repaired", crashedBefore, "e2", "re-election", "agreement", "termination"),
			keep("repaired", []string{"n=4 start=settled timing=sync:1 crashes=3"}, "e2", "re-election"),
			deeply("repaired", fiveRepaired, "e2", "re-election"),
		),
		Note: "No node notices the crash of a node other than the leader. An election message to such a father ends there, and such a " +
			"sibling never compares. The paper mentions only the crash of the leader, and if no other node crashes the claim is true " +
			"(see liveness). But any node may crash, and if it is not the leader no node notices.",
		Story: "heaptree-dead-sibling",
		Repair: "repaired: a node that does not hear of the outcome in time asks all others which of them are up, and hands out their " +
			"tree. This costs more memory. With father, children and sibling alone no repair is possible: below a father that has " +
			"crashed no node knows any node outside its subtree.",
		Needs: []string{"crash", "suspect", "rule the leader has crashed", "rule child of the deleted root", "message election"},
	},
	{
		Name: "duplicates", Place: "section 4",
		Text: "\"If duplicate, it is dropped by that node, otherwise it is sent to the next father\": of all nodes that notice, each " +
			"passes on at most one election message, and the two children of the deleted root pass on none.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: anyone(6, func(n, d int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{Kind: "election"}, ledger.AtMost, n-3, down(n, 0, d))
		}),
		Needs: []string{"rule election, a duplicate", "rule election, no duplicate"},
	},
	{
		Name: "two-compare", Place: "section 4",
		Text: "\"The left and right children of the deleted root compare their IDs with each other to determine the new leader. Thus, it is " +
			"not necessary for all nodes to start sending their own IDs.\"",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: anyone(6, func(n, d int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{Kind: "compare"}, ledger.AtMost, 2, down(n, 0, d))
		}),
		Needs: []string{"rule child of the deleted root", "rule the greater child of the deleted root"},
	},
	{
		Name: "incomplete-knowledge", Place: "section 4",
		Text: "\"Unlike the Ring algorithm, our approach does not require any connectivity in the group. Also, the nodes need not possess " +
			"complete information regarding the other nodes.\" Here: father, children, sibling and the leader are enough for an election.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: keep("", leaderCrashes, "extreme", "agreement", "re-election"),
		Note: "The nodes of this package know and address no others in an election. That is not enough where another node has " +
			"crashed: see liveness-crashed-before. In our reading a node that joins tells all, since the paper does not say which " +
			"nodes it knows.",
		Idle: noJoin,
	},
	{
		Name: "figure-3", Place: "section 4, figure 3",
		Text: "The leader at the root crashes, and a node realizes it. Its election message comes up to a child of the deleted root; the two children " +
			"compare their IDs; the greater is the new leader, and all know it.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: ledger.KeepsIn([]string{down(6, 1, 1), down(6, 1, 2), down(6, 2, 1), down(7, 1, 1)}, "agreement", "extreme", "heap-order"),
		Needs:    []string{"rule election, no duplicate", "rule child of the deleted root", "message compare"},
	},
	{
		Name: "max-heap", Place: "section 4",
		Text: "\"The largest element in a max-heap is stored at the root\", and \"the data item stored in each node is greater than or equal to " +
			"the data items stored in its children\": also after the leader has crashed, and after a node has joined.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keep("", leaderCrashes, "heap-order", "linked"), keep("", oneJoins, "heap-order", "linked", "extreme"),
			keep("recorded", leaderCrashes, "heap-order", "linked"),
		),
		Idle: []string{"rule the only child of the deleted root"},
	},
	{
		Name: "complete-tree", Place: "section 4",
		Text: "\"The tree is completely filled on all levels except possibly the lowest, which is filled from the left up to a point.\" Here: " +
			"after nodes have joined.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: keep("", oneJoins, "complete"),
		Note: "Where the leader crashes, our reading moves the larger child up at each level, and then a leaf may be missing " +
			"elsewhere than at the end. The paper names HEAP-EXTRACT-MAX, which takes the last leaf, but no node knows which leaf is " +
			"the last.",
		Idle: noCrash,
	},
	{
		Name: "joining", Place: "section 4",
		Text: "\"Nodes are added to the tree by joining each node and then comparing its ID with its father's ID. If its ID is greater than " +
			"that of its father's, the node swaps position with the father.\" The tree is right again then, and all name its root.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keep("", oneJoins, "linked", "heap-order", "agreement", "uniqueness", "termination"),
			keep("", []string{"n=6 start=settled timing=sync:1 joins=1", "n=7 start=settled timing=sync:1 joins=1"}, "linked", "agreement"),
			keep("repaired", oneJoins, "linked", "agreement"),
			beside("two join at once"+nothingSaid, []string{"n=3 start=settled timing=sync:1 joins=2"}, "agreement", "linked"),
			[]ledger.Evidence{
				ledger.Keeps("agreement", "n=3 start=settled timing=sync:1 joins=1 crashes=1").Within(50_000).
					Beside("the leader crashes while a node joins" + nothingSaid),
			},
		),
		Note: "One node joins, at any time, whatever its ID. If others crash or join meanwhile, our reading of how a node gets its " +
			"first place may leave it without one, and two nodes that swap at once can take the tree apart. The paper has no rule for " +
			"either.",
		Idle: noCrash,
	},
}

var countClaims = []ledger.Claim{
	{
		Name: "table-1-min", Place: "section 4, Table 1",
		Text: "Min. messages: log n.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(anyone(6, func(n, d int) ledger.Evidence {
			return ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, log(n), down(n, 0, d))
		}), anyone(6, func(n, d int) ledger.Evidence {
			return ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, log(n), down(n, 0, d)).Of("recorded")
		})),
		Note: tellsOthers + " Without these it is a single message: a child of the root notices, and the other is greater. It is at most, " +
			"not at least, log n and one more.",
		Needs: []string{"rule child of the deleted root"},
	},
	{
		Name: "table-1-max", Place: "section 4, Table 1",
		Text: "Max. messages: log n + (n-1). Here where one node notices.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			each(7, func(n, i, d int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, log(n)+n-1, down(n, i, d))
			}),
			[]ledger.Evidence{
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, log(4)+3, down(4, 1, 1)),
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, log(5)+4, down(5, 1, 1)),
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, log(6)+5, down(6, 2, 1)),
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, log(7)+6, down(7, 2, 1)),
			},
			each(6, func(n, i, d int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, log(n)+n-1, down(n, i, d)).Of("recorded")
			}),
		),
		Note: "It takes just as many if the node that notices is on the lowest level, below the greater child of the root: up to that " +
			"child, across and back, and n-2 messages that tell the others and rebuild the tree at once. If the children compare what " +
			"they have recorded, it is one less.",
		Needs: []string{"rule election, no duplicate", "rule the other child is greater", "rule take the place above"},
	},
	{
		Name: "table-1-max-several", Place: "section 4, Table 1",
		Text: "Max. messages: log n + (n-1). Here where any number of nodes notice.",
		Kind: ledger.CountClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "any number of nodes that notice: the row before the last column has one",
		Evidence: anyone(6, func(n, d int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, log(n)+n-1, down(n, 0, d))
		}),
		Note: "It is 2n-3, which is more from five nodes on: each node except the children of the root may send one election message. " +
			"The last column of the table is meant to count these.",
		Needs: []string{"rule election, a duplicate", "rule the other child is greater"},
	},
	{
		Name: "fewer-than-bully", Place: "section 4; section 6",
		Text: "\"At the expense of a comparably reduced number of messages\"; \"the lesser complexity in message passing exhibited by this " +
			"method\". Here: where one node notices, no more messages than the Bully algorithm.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: each(6, func(n, i, d int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, (n-i)*(n-i)+n-1, down(n, i, d))
		}),
		Note:  "The Bully algorithm whose coordinator tells all others takes (n-i)²+n-1 messages (see there).",
		Needs: []string{"rule child of the deleted root", "rule election, no duplicate"},
	},
	{
		Name: "fewer-than-fault-tolerant", Place: "section 5.1, figure 4(b) and Table 2; section 6",
		Text: "The heap tree takes no more messages than the fault-tolerant Bully algorithm and the one that sorts, where one node notices " +
			"and where several do.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(each(6, func(n, i, d int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, faultTolerant(n, i), down(n, i, d))
		}), worst(faultTolerantWorst)),
		Note: "Where one notices and nothing is lost, the fault-tolerant Bully takes 2(n-i)+n-1 messages, and n where i = n-1; the " +
			"one that sorts takes as many. Where any number may notice among three, four and five nodes, it takes up to 9, 19 and 33, " +
			"the one that sorts up to 9, 20 and 35, and the heap tree up to 3, 5 and 7. Figure 4 itself is a plot without figures in " +
			"the text.",
		Needs: []string{"rule child of the deleted root", "rule election, a duplicate"},
	},
	{
		Name: "fewer-than-rings", Place: "section 5.2, figure 5; section 6",
		Text: "Where several nodes notice at once, the heap tree takes no more messages than the modified Ring and the Ring algorithm.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(worst(modifiedRingWorst), each(6, func(n, i, d int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 2*(n-1), down(n, i, d))
		})),
		Note: "Any number of the n-1 nodes that are up may notice. Then the modified Ring takes up to n(n-1)/2+n-1 messages, and the " +
			"heap tree up to 2n-3. Where one notices, neither ring takes fewer than 2(n-1). Figure 5 has n = 10, and no figures in " +
			"the text.",
		Needs: []string{"rule child of the deleted root", "rule election, a duplicate"},
	},
	{
		Name: "time", Place: "section 4",
		Text: "\"The leader can be selected in O(log n) time.\" Here: 2 log n + 1 delays until all nodes know, where one node notices.",
		Kind: ledger.TimeClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(each(7, func(n, i, d int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.AtMost, (2*log(n)+1)*d, down(n, i, d))
		}), each(6, func(n, i, d int) ledger.Evidence {
			return ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.AtMost, (2*log(n)+1)*d, down(n, i, d)).Of("recorded")
		})),
		Note:  "The messages go up the tree, across and back, and down again.",
		Needs: []string{"rule election, no duplicate", "rule the other child is greater", "tick"},
	},
	{
		Name: "time-joining", Place: "section 4",
		Text: "\"The basic operations on heaps run in time at most proportional to the height of the tree and thus, take O(log n) time.\" Here: " +
			"6 log n delays at most until a node that joins has its place and all know.",
		Kind: ledger.TimeClaim, Outcome: ledger.Confirmed,
		Evidence: joinTimes(),
		Note: "For each level it takes one message on the way down, three delays for each swap, and one to tell of a new leader. (In " +
			"our reading each swap waits for one delay, so that neighbours have been told of the one before.)",
		Needs: []string{"join", "rule a node joins", "rule greater than the father", "rule greater than the root", "tick"},
	},
}

// faultTolerant is what the fault-tolerant Bully takes (see package effatparvar)
// where i alone notices and nothing is lost.
func faultTolerant(n, i int) int {
	if i == n-1 {
		return n
	}
	return 2*(n-i) + n - 1
}

// faultTolerantWorst and modifiedRingWorst are what the fault-tolerant Bully and
// the modified Ring take at worst among n where any number notice. The package's
// test counts them.
var (
	faultTolerantWorst = map[int]int{3: 9, 4: 19, 5: 33}
	modifiedRingWorst  = map[int]int{3: 5, 4: 9, 5: 14}
)

// worst is the evidence that it takes no more at worst than another algorithm.
func worst(other map[int]int) (list []ledger.Evidence) {
	for n := 3; n <= 5; n++ {
		for d := 1; d <= 2; d++ {
			list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, other[n], down(n, 0, d)))
		}
	}
	return list
}

// joinTimes is the evidence on how long it takes a node to join.
func joinTimes() (list []ledger.Evidence) {
	for n := 3; n <= 6; n++ {
		for d := 1; d <= 2; d++ {
			s := fmt.Sprintf("n=%d start=settled timing=sync:%d joins=1", n, d)
			list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.AtMost, 6*log(n)*d, s).
				After("from when it joins", func(v *model.View) bool { return v.Present.Len() == int(v.N) }))
		}
	}
	return list
}

var figureClaims = []ledger.Claim{
	{
		Name: "order", Place: "section 4, Table 1; section 5.1",
		Text: "The order of messages is log n.",
		Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Evidence: []ledger.Evidence{
			ledger.Adds("growth of log n + (n-1)", "log n", sources.Growth(func(n int) int { return log(n) + n - 1 })),
		},
		Note: "This is the order of the path alone. The table's own maximum is of the order n, since all nodes are told.",
	},
	{
		Name: "height", Place: "section 4",
		Text: "\"The height of an n-element heap based on a binary tree is log n.\"",
		Kind: ledger.FigureClaim, Outcome: ledger.Right,
		Evidence: []ledger.Evidence{
			ledger.Adds("n = 10", log(10), len(path(10))-1), ledger.Adds("n = 127", log(127), len(path(127))-1),
			ledger.Adds("n = 150", log(150), len(path(150))-1),
		},
		Note: "The values are rounded down.",
	},
	{
		Name: "memory", Place: "section 4, Table 1",
		Text: "\"Each node should save the information of its father, left and right children, and its sibling. Therefore our approach requires " +
			"a smaller memory space of only 4n.\"",
		Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Evidence: []ledger.Evidence{
			ledger.Adds("entries that a node of the paper's rules keeps", 4, 6),
			ledger.Adds("entries of 150 nodes for the places alone are at most 4n", true, entries(150) <= 4*150).Beside("father, children and sibling"),
		},
		Note: "Father, two children and sibling are four. But each node also has to know the leader, to notice its crash, and the " +
			"last crash, to recognise a duplicate: 6n. And a node that knows only these cannot route around a crashed one.",
	},
	{
		Name: "memory-bully", Place: "section 4, Table 1",
		Text: "\"Unlike the Bully algorithm which requires a memory space of n²\". The table has n² for the Ring, too.",
		Kind: ledger.FigureClaim, Outcome: ledger.Undecided,
		Note: "As in bully/memory, the algorithm presupposes that each of n processes knows n identifiers. That is no part of a " +
			"state, and no search could decide the claim.",
	},
	{
		Name: "procedures", Place: "section 4",
		Text: "MAX-HEAPIFY, MAX-HEAP-INSERT, HEAP-EXTRACT-MAX, HEAP-INCREASE-KEY and HEAP-MAXIMUM run in O(log n) time, BUILD-MAX-HEAP in linear " +
			"time.",
		Kind: ledger.FigureClaim, Outcome: ledger.Right,
		Evidence: []ledger.Evidence{
			ledger.Adds("growth of the largest number of levels that one procedure goes through", "log n", sources.Growth(func(n int) int { return len(path(n)) })),
			ledger.Adds("growth of the sum of the heights of all nodes, for BUILD-MAX-HEAP", "n", sources.Growth(heights)),
		},
		Note: "These are facts from the textbook. HEAP-MAXIMUM takes one step.",
	},
	{
		Name: "table-1-formula", Place: "section 4, Table 1, last column",
		Text: "Where nodes C_1 to C_k notice, there are Σ log(C_i) - Σ_{i≠j} log(max(A_i ∩ B_j)) messages, where A_i and B_j are the " +
			"paths to the root.",
		Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Evidence: []ledger.Evidence{
			ledger.Adds("node 4", formula([]int{4}, 2), edges([]int{4})),
			ledger.Adds("nodes 4 and 5", formula([]int{4, 5}, 2), edges([]int{4, 5})),
			ledger.Adds("nodes 4 and 5, each pair once", formula([]int{4, 5}, 1), edges([]int{4, 5})),
			ledger.Adds("nodes 2, 4 and 5, each pair once", formula([]int{2, 4, 5}, 1), edges([]int{2, 4, 5})),
			ledger.Adds("nodes 2 to 7, each pair once", formula([]int{2, 3, 4, 5, 6, 7}, 1), edges([]int{2, 3, 4, 5, 6, 7})),
			ledger.Adds("nodes 2 to 7", formula([]int{2, 3, 4, 5, 6, 7}, 2), edges([]int{2, 3, 4, 5, 6, 7})),
		},
		Note: "The computed figure is the number of links on the paths, which the formula is meant to count: duplicates are dropped. " +
			"The sum over i ≠ j counts each pair twice. If it counted each pair once, it would be right for two nodes and too small " +
			"for more, since a link that three paths share is subtracted three times. It can be negative.",
	},
	{
		Name: "table-2-heap", Place: "section 5.1, Table 2",
		Text: "With 150 nodes an election takes 23, 85, 102, 113 and 122 messages in the heap tree, where node 4, 30, 60, 90 and 120 " +
			"notices; beside these stand 442 to 205 in the fault-tolerant Bully.",
		Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Evidence: table2(),
		Note: "The Bully's figures include 149 messages each that tell the others of the leader. No figure of the heap tree is large " +
			"enough to include 148; without them it takes at most 8, log n and one more. The figures agree with neither count, and " +
			"the paper has no formula for them. They may be election messages alone where 4, 30, 60, 90 and 120 nodes notice, which " +
			"figure 4(b) shows: as such all five are possible. But the Bully's figures beside them are those of a single node that " +
			"notices.",
	},
}

// table2 is the evidence on the heap tree's column of Table 2.
func table2() (list []ledger.Evidence) {
	printed := []struct{ node, messages int }{{4, 23}, {30, 85}, {60, 102}, {90, 113}, {120, 122}}
	for _, r := range printed {
		list = append(list, ledger.Adds(fmt.Sprintf("node %d", r.node), r.messages, told150(r.messages)))
	}
	for _, r := range printed {
		least, most := r.node, mostLinks(150, r.node)
		list = append(list, ledger.Adds(
			fmt.Sprintf("%d lies between %d and %d, the links from %d nodes up", r.messages, least, most, r.node),
			true, least <= r.messages && r.messages <= most).Beside("read as the number of nodes that notice"))
	}
	return list
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
