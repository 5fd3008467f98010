package effatparvar

import (
	_ "embed"
	"fmt"
	"slices"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/cost"
	"bullyproof/ledger"
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
// and any may notice; nothing is lost.
var crashes = []string{
	"n=3 start=settled timing=sync:1 crashes=2 mid-send=yes",
	"n=3 start=settled timing=sync:2 crashes=2 mid-send=yes",
	"n=4 start=settled timing=sync:1 crashes=2 mid-send=yes",
	"n=4 start=settled timing=sync:2 crashes=1",
}

var (
	crashesDeep  = []string{"n=4 start=settled timing=sync:2 crashes=2 mid-send=yes"}
	crashAndLoss = []string{"n=4 start=coordinator-down timing=sync:1 crashes=1 losses=1"}
)

// losses are settings in which the leader crashes, any may notice, and messages
// may be lost.
func losses(k int) []string {
	return []string{
		fmt.Sprintf("n=3 start=settled timing=sync:1 crashes=1 losses=%d", k),
		fmt.Sprintf("n=3 start=settled timing=sync:2 crashes=1 losses=%d", k),
		fmt.Sprintf("n=4 start=coordinator-down timing=sync:1 losses=%d", k),
	}
}

// keep is the evidence that properties hold in settings, for a reading.
func keep(variant string, settings []string, properties ...string) []ledger.Evidence {
	return ledger.KeepsIn(settings, properties...).Of(variant)
}

// deeply is the same, left to the deep scopes.
func deeply(variant string, settings []string, properties ...string) []ledger.Evidence {
	return ledger.KeepsIn(settings, properties...).Of(variant).InDeep()
}

// lost is the evidence on the number of messages at worst where one node
// notices and one message may be lost.
func lost(variant string, most int, figure func(n, i int) int) (list []ledger.Evidence) {
	for n := 4; n <= most; n++ {
		for i := 1; i <= n-3; i++ {
			for d := 1; d <= 2 && n+d <= 7; d++ {
				e := ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, figure(n, i), down(n, i, d)+" losses=1")
				list = append(list, e.Of(variant))
			}
		}
	}
	return list
}

// takes is the evidence on the number of messages, at best and at worst, where
// one node notices and nothing else fails, for each n up to most.
func takes(variant string, most int, relation ledger.Relation, figure func(n, i int) (int, bool)) (list []ledger.Evidence) {
	for n := 2; n <= most; n++ {
		for i := 1; i < n; i++ {
			value, ok := figure(n, i)
			if !ok {
				continue
			}
			for d := 1; d <= 2; d++ {
				if d == 2 && n > 4 {
					continue
				}
				list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, relation, value, down(n, i, d)).Of(variant))
				if relation == ledger.Exactly {
					list = append(list, ledger.Takes(cost.BestCase, cost.Measure{}, relation, value, down(n, i, d)).Of(variant))
				}
			}
		}
	}
	return list
}

// rows is the evidence on a column of Table 2.
func rows(what string, printed, computed func(r row) int) (list []ledger.Evidence) {
	for _, r := range table2 {
		list = append(list, ledger.Adds(fmt.Sprintf("%s, node %d", what, r.node), printed(r), computed(r)))
	}
	return list
}

// claims are what the paper says of the algorithm.
var claims = slices.Concat(safetyClaims, lossClaims, countClaims, tableClaims)

// greater is idle where nothing is lost: the node selected first is the right
// one.
const idleGreater = "rule a response from a greater ID"

// lossNeeds is what runs wherever messages are lost.
var lossNeeds = []string{
	"suspect", "lose", "message OK", "message coordinator", "rule no node responds", "rule election", "two participants at once",
}

var safetyClaims = []ledger.Claim{
	{
		Name: "safety", Place: "section 1, of any election; section 2",
		Text: "\"The safety condition for leader election requires that only a single node can enter the elected state and " +
			"eventually, become the leader.\" Here where nodes crash and no message is lost.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keep("", crashes, "uniqueness", "extreme"), keep("to-one", crashes, "uniqueness", "extreme"),
			keep("unverified", crashes, "uniqueness", "extreme"),
			deeply("", crashesDeep, "uniqueness", "extreme"), deeply("to-one", crashesDeep, "uniqueness", "extreme"),
			deeply("unverified", crashesDeep, "uniqueness", "extreme"),
		),
		Note: "Any node may crash, even in the middle of sending, and several may notice at once.",
		Idle: []string{idleGreater},
	},
	{
		Name: "acknowledged", Place: "section 1, of any election; section 2",
		Text: "\"A node is elected as the leader and all the other nodes will acknowledge the role of that node as the " +
			"leader.\" Here where nodes crash and no message is lost.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keep("", crashes, "agreement", "live-coordinator"), keep("to-one", crashes, "agreement", "live-coordinator"),
			keep("unverified", crashes, "agreement", "live-coordinator"), deeply("", crashesDeep, "agreement"),
		),
		Note: "For a time they may follow a node that has crashed after it responded. Each of them detects that and starts again.",
		Idle: []string{idleGreater},
	},
	{
		Name: "liveness", Place: "section 1, of any election; section 2",
		Text: "\"Every node will eventually enter an elected state or a non-elected state\", and \"once the leader is elected, the nodes reach a " +
			"certain state known as terminated state\", where nodes crash and where a message is lost.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keep("", crashes, "e2", "re-election", "termination"), keep("", losses(1), "e2", "re-election", "termination"),
			keep("to-one", crashes, "e2", "re-election", "termination"), keep("to-one", losses(1), "e2", "re-election", "termination"),
			deeply("", crashesDeep, "e2", "re-election"), deeply("", crashAndLoss, "e2", "re-election"),
		),
		Note: "This needs a failure detector that goes on reporting the crash to every node that still names the crashed leader.",
	},
	{
		Name: "remains-elected", Place: "section 1, of any election; figure 1 (c) and (f)",
		Text: "\"In leader election algorithms, such states are partitioned into elected states and non-elected states. When a " +
			"node enters either state, it always remain in that state.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Refuted,
		Evidence: []ledger.Evidence{
			ledger.Keeps("once-elected", down(4, 1, 1)+" losses=1"), ledger.Keeps("once-elected", down(4, 1, 2)+" losses=1"),
			ledger.Keeps("once-elected", down(4, 1, 1)+" losses=1").Of("to-one"),
			ledger.Keeps("once-elected", losses(1)[0]).Of("repaired"), ledger.Keeps("once-elected", losses(1)[1]).Of("repaired"),
			ledger.Keeps("once-elected", losses(1)[2]).Of("repaired"), ledger.Keeps("once-elected", down(4, 1, 2)+" losses=1").Of("repaired"),
			ledger.Keeps("once-elected", crashAndLoss[0]).Of("repaired").InDeep(),
		},
		Note: "Figure 1 itself shows it: 4 is elected as leader in (c) and introduces 5 as the new leader in (f). The cause is the " +
			"fault tolerance, which elects first and asks afterwards.",
		Story:  "effatparvar-elected-and-replaced",
		Repair: "repaired: the selected node does not enter the elected state before it has verified.",
		Needs:  []string{"lose", "rule newly elected", "rule a response from a greater ID"},
	},
	{
		Name: "remains-elected-crashes", Place: "section 1, of any election; section 2",
		Text: "\"When a node enters either state, it always remain in that state.\" Here where nodes crash and no message is lost.",
		Kind: ledger.SafetyClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "the crash of a node that has responded, in the middle of an election",
		Evidence: slices.Concat(
			keep("", crashes, "once-elected"), keep("unverified", crashes, "once-elected"), keep("to-one", crashes, "once-elected"),
			keep("repaired", crashes, "once-elected"), deeply("to-one", crashesDeep, "once-elected"),
			[]ledger.Evidence{
				ledger.Keeps("once-elected", "n=4 start=settled timing=sync:1 crashes=1").Beside("where the leader alone crashes"),
			},
		),
		Note: "Where only the leader crashes, this is true. But of two nodes that notice, one may select a node that responded and " +
			"has crashed since, and the other may find no node above itself. Then the leader is replaced by a node that is down. If " +
			"the selected ID goes only to the selected node, as in Table 2, no other node is told.",
		Story:  "effatparvar-replaced-by-a-dead-node",
		Repair: "to-one, the reading of Table 2: a node that has crashed since it responded announces nothing. (So does repaired.)",
		Needs:  []string{"crash", "suspect", "rule newly elected", "rule no node responds", "rule election", "two participants at once"},
	},
}

var lossClaims = []ledger.Claim{
	{
		Name: "drawback", Place: "section 2",
		Text: "\"One drawback of this approach is that the message carrying the highest node ID may get lost before reaching " +
			"N\": without fault tolerance a lesser node then becomes the leader.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Supposes: "the algorithm without fault tolerance, of the first paragraph of section 2",
		Evidence: []ledger.Evidence{
			ledger.Breaks("no-lesser", down(4, 1, 1)+" losses=1").Of("unverified"),
			ledger.Breaks("no-lesser", down(4, 1, 2)+" losses=1").Of("unverified"),
		},
		Needs: []string{"lose", "rule some nodes respond"},
	},
	{
		Name: "figure-1", Place: "section 2, figure 1",
		Text: "The response of the highest node is lost and others arrive: the highest of those is selected, verifies, and " +
			"introduces the highest node as the new leader.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("no-lesser", down(4, 1, 1)+" losses=1"), ledger.Keeps("no-lesser", down(4, 1, 2)+" losses=1"),
			ledger.Keeps("no-lesser", down(5, 1, 1)+" losses=1"), ledger.Keeps("no-lesser", down(5, 2, 1)+" losses=1"),
			ledger.Keeps("no-lesser", down(5, 1, 2)+" losses=1"), ledger.Keeps("no-lesser", down(6, 2, 1)+" losses=1"),
			ledger.Keeps("no-lesser", down(4, 1, 1)+" losses=1").Of("to-one"),
			ledger.Keeps("no-lesser", down(5, 1, 1)+" losses=1").Of("to-one"),
		},
		Note: "Here one node notices and two or more could win; the figure is the run of six nodes in which 2 notices. For what else " +
			"may happen see prevents-loss.",
		Needs: []string{"lose", "rule newly elected", "rule a response from a greater ID"},
	},
	{
		Name: "prevents-loss", Place: "section 2",
		Text: "\"The message carrying the highest node ID may get lost before reaching N. Therefore, a fault tolerant mechanism is " +
			"required to prevent such fault.\" With it, the highest node becomes the leader although that message is lost.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(
			keep("", losses(1), "extreme"), keep("to-one", losses(1), "extreme"), keep("repaired", losses(1), "extreme"),
			deeply("repaired", crashAndLoss, "extreme"),
			[]ledger.Evidence{
				ledger.Keeps("extreme", losses(2)[0]).Of("repaired-objects"),
				ledger.Keeps("extreme", losses(2)[2]).Of("repaired-objects").InDeep(),
			},
		),
		Note: "Only a node that was selected verifies. If the only response is lost, no node is selected: the node that noticed " +
			"announces itself, and the highest node follows it.",
		Story: "effatparvar-only-response-lost",
		Repair: "repaired: a node that gets no response also verifies before it announces itself. That is enough for one lost " +
			"message; repaired-objects bears two.",
		Needs: lossNeeds,
	},
	{
		Name: "safety-loss", Place: "section 1, of any election; section 2",
		Text: "\"Only a single node can enter the elected state\", where one message is lost.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Refuted,
		Finding: "prevents-loss",
		Evidence: slices.Concat(
			keep("", losses(1), "uniqueness"), keep("to-one", losses(1), "uniqueness"), keep("repaired", losses(1), "uniqueness"),
			deeply("repaired", crashAndLoss, "uniqueness"),
			[]ledger.Evidence{ledger.Keeps("uniqueness", losses(2)[0]).Of("repaired").Beside("two messages are lost")},
		),
		Note:  "Two nodes notice the crash, and the response of the higher to the lower is lost. Each finds no node above itself.",
		Story: "effatparvar-two-leaders",
		Repair: "repaired: a node becomes leader only after it has asked twice. That bears one lost message, and not two; to bear k " +
			"it would have to ask k+1 times.",
		Needs: lossNeeds,
	},
	{
		Name: "acknowledged-loss", Place: "section 1, of any election; section 2",
		Text: "\"All the other nodes will acknowledge the role of that node as the leader\", where one message is lost.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Refuted,
		Finding: "prevents-loss",
		Evidence: slices.Concat(
			keep("", losses(1), "agreement"), keep("to-one", losses(1), "agreement"), keep("repaired", losses(1), "agreement"),
			deeply("repaired", crashAndLoss, "agreement"),
			[]ledger.Evidence{
				ledger.Keeps("agreement", losses(2)[0]).Of("repaired-objects"),
				ledger.Keeps("agreement", losses(2)[2]).Of("repaired-objects").InDeep(),
			},
		),
		Note: "Each node follows the announcement that arrives last. So of the two nodes that announce themselves each follows the " +
			"other: no node is leader, both are up, and none has anything to notice. (If they ignored each other's announcements " +
			"instead, both would be leaders from then on.)",
		Story:  "effatparvar-follow-each-other",
		Repair: "repaired, for one lost message; repaired-objects, for two.",
		Needs:  lossNeeds,
	},
	{
		Name: "ensures", Place: "section 2",
		Text: "\"The newly elected leader then sends an election message to nodes with greater ID numbers to ensure that there is " +
			"exists no node with a greater ID number than itself.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(
			[]ledger.Evidence{
				ledger.Keeps("ensured", losses(1)[2]).Beside("one lost message"),
				ledger.Keeps("ensured", down(4, 1, 1)+" losses=2"), ledger.Keeps("ensured", down(4, 1, 2)+" losses=2"),
				ledger.Keeps("ensured", down(4, 1, 1)+" losses=2").Of("to-one"),
				ledger.Keeps("extreme", losses(2)[0]).Of("repaired-objects"),
				ledger.Keeps("extreme", losses(2)[2]).Of("repaired-objects").InDeep(),
			},
		),
		Note: "The verification can lose messages, as the first step can. Table 2 reports up to 57 lost messages in one election, and " +
			"none in a verification.",
		Story: "effatparvar-verified-in-vain",
		Repair: "repaired-objects: a node that is told of a leader with a smaller ID than its own begins an election. So the highest " +
			"node wins in the end, whichever of its responses were lost.",
		Needs: []string{"lose", "rule newly elected", "rule no response from a greater ID", "rule a response from a greater ID"},
	},
}

var countClaims = []ledger.Claim{
	{
		Name: "equation-1", Place: "section 5.1, equation 1",
		Text: "\"If a single node detects the crashed coordinator\", an election takes 2(n-i)+(n-2) messages.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Supposes: "the algorithm without fault tolerance, of the first paragraph of section 2",
		Evidence: takes("unverified", 6, ledger.Exactly, func(n, i int) (int, bool) { return equation1(n, i), true }),
		Note:     notTheTerms,
	},
	{
		Name: "equation-1-order", Place: "section 5.1",
		Text: "Equation 1 is of the order O(n).",
		Kind: ledger.FigureClaim, Outcome: ledger.Right,
		Evidence: []ledger.Evidence{
			ledger.Adds("growth of the largest value of equation 1", "n", sources.Growth(func(n int) int {
				return most(n, func(i int) int { return equation1(n, i) })
			})),
		},
	},
	{
		Name: "equation-2-loss", Place: "section 5.1, equation 2",
		Text: "With fault tolerance an election takes 2(n-i)+(n-2)+2(n-i')+(n-2) messages. Here one response is lost, and i' = n-2 " +
			"is selected first.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			lost("", 6, func(n, i int) int { return equation2(n, i, n-2) }),
			lost("to-one", 6, func(n, i int) int { return equation2(n, i, n-2) }),
		),
		Note: "This is the largest number of messages where one of them may be lost. If only the selected node is told, it is n-2 " +
			"less: there is one announcement, not two.",
		Needs: []string{"lose", "rule newly elected", "rule a response from a greater ID"},
	},
	{
		Name: "equation-2-algebra", Place: "section 5.1, equation 2",
		Text: "2(n-i)+(n-2)+2(n-i')+(n-2) = 2[(n-i)+(n-2)+(n-i')]",
		Kind: ledger.FigureClaim, Outcome: ledger.Right,
		Evidence: []ledger.Evidence{
			ledger.Adds("for n = 150, i = 4, i' = 142", equation2(150, 4, 142), equation2Short(150, 4, 142)),
			ledger.Adds("for n = 10, i = 3, i' = 7", equation2(10, 3, 7), equation2Short(10, 3, 7)),
		},
	},
	{
		Name: "equation-2-order", Place: "section 5.1",
		Text: "\"With fault tolerance, the order of message passing increases to O(n²)\", as equation 2 has it.",
		Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Evidence: []ledger.Evidence{
			ledger.Adds("growth of the largest value of equation 2", "n²", sources.Growth(func(n int) int {
				return most(n, func(i int) int {
					return most(n, func(chosen int) int { return equation2(n, i, max(i+1, chosen)) })
				})
			})),
		},
		Note: "Neither i nor i' is less than 1, so equation 2 is less than 6n: O(n), like equation 1. It takes O(n²) messages where " +
			"all nodes notice, with fault tolerance and without.",
	},
	{
		Name: "fewer-than-bully", Place: "abstract; section 2; section 5.1, figure 4(a); and FCEABR, section II",
		Text: "\"The number of messages exchanged between nodes in Bully algorithm is very high\"; \"the higher efficiency and better " +
			"performance of our presented algorithms with respect to the existing algorithms\". Here: where one node notices, no " +
			"more messages than the Bully algorithm.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(takes("", 6, ledger.AtMost, bully), takes("unverified", 5, ledger.AtMost, bully),
			takes("to-one", 5, ledger.AtMost, bully)),
		Note: "The Bully algorithm whose coordinator tells all others takes (n-i)²+n-1 messages. The modified one takes as many where " +
			"one of the two highest nodes notices, and fewer otherwise. If only the selected node is told, it takes one more than the " +
			"Bully where the second highest notices.",
		Needs: []string{"rule newly elected", "rule no node responds"},
	},
}

// bully is what the Bully algorithm takes where one node notices (see package
// bully), its coordinator telling all others.
func bully(n, i int) (int, bool) { return (n-i)*(n-i) + n - 1, true }

var tableClaims = []ledger.Claim{
	{
		Name: "table-2-faults", Place: "section 5.1, Table 2",
		Text: "\"If the 4th node found that the coordinator has crashed, it would send 145 messages. However, due to the occurrence of " +
			"12 faults in the network, the number of messages received reduces to 133\", and so in each row.",
		Kind: ledger.FigureClaim, Outcome: ledger.Right,
		Evidence: rows("received", func(r row) int { return r.received }, func(r row) int { return r.sent - r.faults }),
	},
	{
		Name: "table-2-verification", Place: "section 5.1, Table 2",
		Text: "The selected coordinator sends to those above itself and receives as many responses: \"since it receives 7 responses from " +
			"nodes with higher IDs, it declares the final coordinator to the rest\".",
		Kind: ledger.FigureClaim, Outcome: ledger.Right,
		Evidence: rows("received from higher ID", func(r row) int { return r.down }, func(r row) int { return r.up }),
		Note: "The figures agree with each other. They are remarkable all the same: of 89 messages to higher nodes 57 are lost, among " +
			"them all 35 to the highest; of the 35 that are sent to these nodes right afterwards none is lost.",
	},
}
