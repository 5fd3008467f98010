package bully

import (
	"slices"

	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
)

// oneCall is what the slides say of who begins elections.
var oneCall = checker.AlwaysStep("one-call", "Nobody that takes part in an election begins another.",
	func(e *model.Event) bool {
		if !e.From.Participants.Has(e.Process) {
			return true
		}
		for _, m := range model.Sends[M](e) {
			if m.Type == Election {
				return false
			}
		}
		return true
	})

// claims are what the slides (C), Wikipedia (W), the minimum-ID paper (K) and
// the paper on heap trees say of the algorithm.
var claims = slices.Concat(withoutT(ofSlides), ofOthers)

// withoutT judges claims of the slides in their literal reading, which lacks T'.
// What becomes of safety and liveness with T' stands beside it.
func withoutT(list []ledger.Claim) []ledger.Claim {
	out := ledger.ReadAs("coulouris-noretry", list)
	for i, c := range list {
		if c.Kind != ledger.SafetyClaim && c.Kind != ledger.LivenessClaim {
			continue
		}
		for _, e := range c.Evidence {
			if e.Variant == "" && e.Aside == "" {
				out[i].Evidence = append(out[i].Evidence, e)
			}
		}
	}
	return out
}

// ofSlides are the claims of the slides.
var ofSlides = []ledger.Claim{
	{
		Name: "e2", Source: slidesName, Place: "Bully Algorithm",
		Text: "The algorithm clearly meets the liveness condition E2, by the assumption of reliable message delivery.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Refuted,
		Evidence: keep("", []string{"n=3 start=settled crashes=2", crashes3, crashes4, replaced}, "e2", "re-election"),
		Note: "Reliable messages are not enough. A process waits for ever if the one that answered it crashes. This needs the timer " +
			"T', which the book has and the slides omit.",
		Repair: "coulouris: wait T' for the announcement and begin again without it, as the book does",
		Story:  "bully-waits-for-ever",
	},
	{
		Name: "e1", Source: slidesName, Place: "Bully Algorithm",
		Text: "The safety condition E1 is met where no crashed process is replaced by one with the same identifier: there are " +
			"never two coordinators, and in the end all name the highest process.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: slices.Concat(keep("", []string{crashes3, crashes4}, "uniqueness", "agreement", "extreme"),
			keep("", []string{anyBegin, crashes4}, "e1"),
			keep("coulouris-knows", []string{crashes3}, "uniqueness", "agreement", "extreme"),
			[]ledger.Evidence{ledger.Keeps("uniqueness", "n=3 start=settled crashes=1 timing=async:1").Beside("with one premature expiry of a timer"),
				ledger.Keeps("e1", "n=3 start=settled crashes=2 timing=sync:1").Beside("to the letter, where the one who is elected may crash")}),
		Note: "E1 to the letter says that no process names any other than the one elected in the end. That holds as well if the " +
			"elected process does not crash before the run is over. If it may crash, no algorithm can satisfy E1 literally. Two " +
			"newcomers with new identifiers break agreement as well.",
		Idle: []string{"rule replaces a crashed process", "rule knows it has the highest identifier"},
	},
	{
		Name: "e1-replaced", Source: slidesName, Place: "Bully Algorithm",
		Text: "The algorithm is not guaranteed to meet the safety condition E1 if processes that have crashed are replaced by processes with the same identifiers.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(breaks("", replaced, "e1", "agreement", "extreme"), breaks("coulouris-knows", replaced, "agreement"), breaks("repaired", replaced, "agreement")),
		Note: "The disagreement can be permanent, which the slides do not say. The claim is not true of the repair, so it is refuted " +
			"for the reading repaired.",
		Story: "bully-lasting-disagreement", Needs: []string{"crash", "restart", "suspect", "two participants at once"},
	},
	{
		Name: "two-announce", Source: slidesName, Place: "Bully Algorithm",
		Text: "A process that replaces a crashed one may decide that it has the highest identifier just as another process decides that it has: two processes will announce themselves as the coordinator concurrently.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: breaks("", replaced, "uniqueness"),
		Story:    "bully-duplicate-coordinator", Needs: []string{"crash", "restart", "suspect", "rule no answer within T"},
	},
	{
		Name: "unique-concurrently", Source: slidesName, Place: "Election Introduction",
		Text: "The elected process is unique, even if several call elections concurrently: two may decide independently that the coordinator has failed, " +
			"and in principle all N could call an election.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(keep("", []string{anyBegin, "n=4 start=coordinator-down"}, "uniqueness", "agreement", "extreme"),
			keep("wikipedia", []string{anyBegin, "n=4 start=coordinator-down"}, "uniqueness", "agreement", "extreme")),
		Note:  "Here no process fails meanwhile, or fails and comes back. (For that see safe-when-replaced.)",
		Needs: []string{"suspect", "two participants at once", "message election", "message answer", "message coordinator"},
	},
	{
		Name: "one-call", Source: slidesName, Place: "Election Introduction",
		Text: "\"An individual process does not call more than one election at a time.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(keep("", []string{crashes3, crashes4, anyBegin, replaced}, "one-call"), keep("wikipedia-again", []string{crashes4}, "one-call")),
		Note: "A process that takes part in an election begins none. With T' it gives one up and calls another. By Wikipedia's rule 4 " +
			"as printed (wikipedia-again) it begins another whenever it is asked, and this may keep it from ever winning " +
			"(somebody-becomes).",
		Needs: []string{"crash", "suspect", "two participants at once", "message election"},
	},
	{
		Name: "time-bound", Source: slidesName, Place: "Bully Algorithm, second slide",
		Text: "T = 2Ttrans + Tprocess is an upper bound between sending a message and receiving a response: \"if no response arrives " +
			"within time T, recipient of request has failed\". No process leads while a higher one is up.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(keep("", []string{crashes3, crashes4, anyBegin}, "uniqueness", "extreme"),
			[]ledger.Evidence{ledger.Keeps("uniqueness", "n=3 start=settled crashes=1 timing=async:1").Beside("where T is too short, once")}),
		Note:  "T is 2D here, since handlers take no time. One tick less is too short, as the mutant hasty shows.",
		Needs: []string{"crash", "suspect", "rule no answer within T", "rule answer", "timeout"},
	},
	{
		Name: "summary-crashes", Source: slidesName, Place: "summary, Allows processes to crash", Text: "The Bully algorithm allows processes to crash: yes.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Refuted, Finding: "e2",
		Evidence: keep("", []string{"n=3 start=settled crashes=2", crashes3, crashes4}, "e2", "re-election", "agreement", "live-coordinator"),
		Note:     "Safety holds whichever process crashes, even in the middle of sending. Liveness needs T': see e2.",
		Story:    "bully-waits-for-ever", Repair: "coulouris: wait T' for the announcement and begin again without it, as the book does",
		Needs: []string{"crash", "suspect", "two participants at once"},
	},
	{
		Name: "summary-safety", Source: slidesName, Place: "summary, Satisfies Safety", Text: "The Bully algorithm satisfies safety: yes and no.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(keep("", []string{crashes3, crashes4}, "uniqueness", "agreement"), breaks("", replaced, "uniqueness", "agreement")),
		Note:     "The answer is yes where no crashed process is replaced by one with the same identifier, and no where one is.",
		Needs:    []string{"crash", "restart", "suspect", "two participants at once"},
	},
	{
		Name: "summary-identifiers", Source: slidesName, Place: "summary, Dynamic process identifiers", Text: "The Bully algorithm allows dynamic process identifiers: no.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(keep("", []string{joining}, "agreement").Beside("two newcomers, with identifiers that all know"),
			keep("repaired", []string{joining}, "agreement").Beside("two newcomers, with identifiers that all know")),
		Note: "This is an assumption rather than a claim. A process that begins an election has to know beforehand which identifiers " +
			"are higher, and no process asks one that it does not know of. Here all processes know all identifiers, those of " +
			"newcomers too; even so two newcomers break agreement.",
	},
	{
		Name: "summary-configuration", Source: slidesName, Place: "summary, Dynamic configuration of processes", Text: "The Bully algorithm allows a dynamic configuration of processes: maybe.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(keep("", []string{"n=3 start=settled joins=1"}, "agreement", "extreme", "e2").Beside("one process joins"),
			keep("", []string{joining}, "agreement").Beside("two processes join")),
		Note: "\"Maybe\" claims nothing that a search could decide. A process that joins begins an election. One newcomer is elected or " +
			"follows. Two newcomers that join at once can leave a third process with the wrong coordinator.",
	},
	{
		Name: "needs-synchrony", Source: slidesName, Place: "summary",
		Text: "Asynchronous: no. The algorithm takes a synchronous system.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{ledger.Breaks("uniqueness", "n=3 start=settled crashes=1 timing=async:1")},
		Note:     "One timer is enough that expires while an answer is on its way.", Needs: []string{"crash", "timeout", "suspect"},
	},
	{
		Name: "best-messages", Source: slidesName, Place: "performance",
		Text: "In the best case the process with the second-highest identifier notices the failure. It can immediately elect itself and send N-2 coordinator messages.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted, Finding: "best-twice",
		Evidence: slices.Concat(costOf("", 5, cost.BestCase, cost.Measure{}, second, less2, "sync:1"),
			costOf("coulouris-knows", 6, cost.BestCase, cost.Measure{}, second, less2, "sync:1"),
			costOf("coulouris-knows", 4, cost.BestCase, cost.Measure{}, anybody, less2, "sync:2")),
		Note: "By the slides' own rules the process first asks the coordinator that it has just found dead: N-1 messages, as the " +
			"summary has it. N-2 is right in the reading coulouris-knows, in which the process knows that this coordinator is down.",
		Needs: []string{"suspect", "message coordinator"},
	},
	{
		Name: "best-turnaround", Source: slidesName, Place: "performance", Text: "In the best case the turnaround time is one message.",
		Kind: ledger.TimeClaim, Outcome: ledger.Refuted, Finding: "best-twice",
		Evidence: slices.Concat(costOf("", 5, cost.BestCase, cost.Measure{Unit: cost.Ticks}, second, func(int) int { return 1 }, "lockstep"),
			costOf("coulouris-knows", 5, cost.BestCase, cost.Measure{Unit: cost.Ticks}, second, func(int) int { return 1 }, "lockstep")),
		Note: "By the slides' own rules the process asks the coordinator that it has just found dead, waits for T, which is two " +
			"message times, and then announces itself: three message times in all. One is right in the reading coulouris-knows, in " +
			"which the process knows that this coordinator is down.",
		Needs: []string{"suspect", "message coordinator"},
	},
	{
		Name: "best-twice", Source: slidesName, Place: "performance, and the summary",
		Text: "In the best case there are N-2 messages (the slide on performance), and N-1 (the summary).",
		Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Evidence: ledger.EvidenceList{ledger.Adds("the two figures for five processes", less2(5), less1(5))},
		Note: "The slides contradict themselves: no one reading has both numbers. As the slides stand N-1 is right: see " +
			"best-in-summary.",
	},
	{
		Name: "best-in-summary", Source: slidesName, Place: "summary", Text: "The Bully algorithm takes N-1 messages in the best case.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(costOf("", 6, cost.BestCase, cost.Measure{}, second, less1, "sync:1"),
			costOf("", 4, cost.BestCase, cost.Measure{}, anybody, less1, "sync:2"),
			costOf("coulouris-knows", 5, cost.BestCase, cost.Measure{}, second, less1, "sync:1")),
		Note:  "There are one election message to the failed coordinator and N-2 announcements. The slide on performance has N-2.",
		Needs: []string{"suspect", "message coordinator"},
	},
	{
		Name: "worst-messages", Source: slidesName, Place: "performance, and the summary",
		Text: "O(N²) messages in the worst case, when the process with the lowest identifier first detects the failure: for then N-1 processes altogether begin elections.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(costOf("", 5, cost.WorstCase, cost.Measure{}, lowest, found1, "sync:1"),
			costOf("", 4, cost.WorstCase, cost.Measure{}, lowest, found1, "sync:2"),
			costOf("", 5, cost.WorstCase, cost.Measure{Kind: "election"}, lowest, pairs, "sync:1"),
			costOf("", 4, cost.WorstCase, cost.Measure{}, anybody, found1, "sync:1").Beside("any process may notice"),
			costOf("", 5, cost.WorstCase, cost.Measure{}, anybody, found1, "last-resort").Beside("any process may notice, under last resort")),
		Note: "Where only the lowest process notices, there are (N-1)²+N-2 messages; N(N-1)/2 of them are the election messages of " +
			"N-1 processes. Where others may notice as well, there are more from N = 3 on: 7, 20 and 38 for 3, 4 and 5 processes " +
			"under synchrony (7, 17 and 31 under last resort). The reason is that a process that notices late sends others through " +
			"their elections again.",
		Needs: []string{"suspect", "message election", "message answer", "message coordinator"},
	},
}

// ofOthers are the claims of Wikipedia and of the papers.
var ofOthers = []ledger.Claim{
	{
		Name: "highest-selected", Source: article, Place: "introduction",
		Text: "The process with the highest process ID number is selected as the coordinator.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(keep("wikipedia-again", []string{pair, replaced}, "extreme"), keep("wikipedia", []string{pair, replaced}, "extreme"),
			keep("wikipedia-refuses", []string{pair}, "extreme"), keep("repaired", []string{pair, replaced}, "extreme"),
			keep("wikipedia-again", []string{crashes3}, "extreme").Beside("without restarts")),
		Note: "Where a process recovers, a lower process may have announced itself before, and that announcement may arrive last. By " +
			"rule 5 a process follows the last announcement. With two processes each can end as the other's follower, and neither " +
			"leads.",
		Story:  "bully-each-follows-the-other",
		Repair: "repaired: announce, wait 2D, lead and announce again",
		Needs:  []string{"crash", "restart", "suspect", "rule 5"},
	},
	{
		Name: "somebody-becomes", Source: article, Place: "rules 1 to 5",
		Text: "When the current coordinator is down, the actions of rules 1 to 5 make a process the new coordinator.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(keep("wikipedia-again", []string{crashes3, crashes4}, "re-election", "e2"),
			keep("wikipedia", []string{crashes3, crashes4}, "re-election", "e2")),
		Note: "By rule 4 a process that is asked starts the election process at the beginning. The others may ask again and again, " +
			"each time before its wait for an answer is over, so no process is ever elected. Strong fairness would end this run, and " +
			"so do equal delays.",
		Story: "bully-asked-again", Repair: "wikipedia: a process that is asked during its election answers, and does not begin another",
		Idle: []string{"rule recovers from failure", "rule 1a"},
	},
	{
		Name: "crash-during", Source: article, Place: "assumptions",
		Text: "\"Processes may crash during execution of the algorithm.\"",
		Kind: ledger.LivenessClaim, Outcome: ledger.Refuted, Finding: "somebody-becomes",
		Evidence: slices.Concat(keep("wikipedia-again", []string{crashes3, crashes4}, "re-election", "e2", "uniqueness", "agreement", "extreme"),
			keep("wikipedia", []string{crashes3, crashes4}, "re-election", "e2", "uniqueness", "agreement", "extreme")),
		Note: "Safety holds if they do not recover (see highest-selected). But by rule 4 one crash is enough for an election that " +
			"never ends, unless delays are equal.",
		Story: "bully-asked-again", Repair: "wikipedia: a process that is asked during its election answers, and does not begin another",
		Needs: []string{"crash", "suspect", "two participants at once", "rule 2", "rule 3a", "rule 3b"},
	},
	{
		Name: "biggest-wins", Source: minID, Place: "section II",
		Text: "Whenever the selection of the coordinator is made, it is ensured that the process with the highest identifier will be " +
			"selected. A process that comes back up as the highest will take over: the biggest guy in town always wins.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(keep("tanenbaum", []string{pair, replaced}, "extreme"), keep("repaired", []string{pair, replaced}, "extreme")),
		Note: "The paper says that messages arrive without delay and a process never pauses. With delays that are merely bounded, " +
			"an older announcement may arrive last.",
		Story: "bully-lower-one-wins", Repair: "repaired: announce, wait 2D, lead and announce again",
		Needs: []string{"crash", "restart", "suspect"},
	},
	{
		Name: "job-done", Source: minID, Place: "section II, rule 3",
		Text: "If one process Q with a higher number answers with OK, P's job is done and Q will continue the election procedure.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(keep("tanenbaum", []string{"n=3 start=settled crashes=2"}, "e2"), keep("", []string{"n=3 start=settled crashes=2"}, "e2"),
			keep("tanenbaum", []string{"n=3 start=settled crashes=1"}, "e2").Beside("with one crash")),
		Note:  "This fails if Q crashes before it can announce itself: then P knows no coordinator and watches none.",
		Story: "bully-never-told", Repair: "coulouris: wait T' for the announcement and begin again without it, as the book does",
		Needs: []string{"crash", "suspect", "rule 3: OK"},
	},
	{
		Name: "only-one", Source: minID, Place: "section II.A", Text: "There is no mechanism that ensures that the system has only one coordinator.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed, Evidence: breaks("tanenbaum", replaced, "uniqueness"),
		Note: "There is, if no process comes back: without restarts two processes never both believe themselves coordinator.", Needs: []string{"crash", "restart"},
	},
	{
		Name: "equation-1", Source: minID, Place: "equation 1 (also " + heap + ", Table 1)",
		Text: "P detects the failure of the coordinator: T_m = (N-P+1)(N-P) + N-1 messages are exchanged.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(equation1(), living().Beside("N processes that are up, P among them, and mail to others left out")),
		Note:     deadAnswers, Needs: []string{"suspect", "message ELECTION", "message COORDINATOR"},
	},
	{
		Name: "best-case", Source: minID, Place: "section II.A", Text: "The Bully algorithm takes n-1 messages in the best case.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(costOf("tanenbaum", 5, cost.BestCase, cost.Measure{}, second, less1, "sync:1"), costOf("", 5, cost.BestCase, cost.Measure{}, second, less1, "sync:1")),
		Note: "By the paper's own rules the coordinator announces itself to all others. That makes n messages: n-1 announcements, " +
			"one of them to the failed coordinator, and one message that asks it. Where only lower ids are told it is n-1.",
		Needs: []string{"suspect"},
	},
	{
		Name: "worst-case", Source: minID, Place: "section II.A", Text: "The Bully algorithm takes n²-1 messages in the worst case.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Finding: "equation-1",
		Evidence: slices.Concat(costOf("tanenbaum", 5, cost.WorstCase, cost.Measure{}, lowest, square1, "sync:1"),
			costOf("tanenbaum", 4, cost.WorstCase, cost.Measure{}, anybody, square1, "sync:1").Beside("any process may notice"),
			costOf("tanenbaum", 4, cost.WorstCase, cost.Measure{}, anybody, square1, "last-resort").Beside("any process may notice, under last resort")),
		Note: "Where only the lowest process notices, three and four processes take (n-1)²+n-1 messages, since the coordinator that " +
			"has failed does not answer. Five take more, 28: a process that has been answered leaves the election; if a slow ELECTION " +
			"reaches it then, it starts another. Where any process may notice, it is more than n²-1 from four processes on.",
		Needs: []string{"suspect", "message OK"},
	},
	{
		Name: "table-1-bully", Source: minID, Place: "Table I, column Bully", Text: "24, 99 and 399 messages for 5, 10 and 20 processes.",
		Kind: ledger.FigureClaim, Outcome: ledger.Right, Evidence: printed(lowest, 24, 99, 399),
		Note: "The figures follow from equation 1 for P = 1. As counts for n processes, the n-th of which has crashed, 20, 90 and 380 " +
			"are right, if each process is asked only once in its election.",
	},
	{
		Name: "table-2-bully", Source: minID, Place: "Table II, column Bully", Text: "4, 9 and 19 messages for 5, 10 and 20 processes, in the best case.",
		Kind: ledger.FigureClaim, Outcome: ledger.Right,
		Evidence: ledger.EvidenceList{
			ledger.Adds("n-1 for 5 processes", 4, less1(5)).Of("tanenbaum"), ledger.Adds("n-1 for 10 processes", 9, less1(10)).Of("tanenbaum"), ledger.Adds("n-1 for 20 processes", 19, less1(20)).Of("tanenbaum"),
		},
		Note: "These are the values of \"Best case: n-1\". By the paper's own rules it is n: see best-case.",
	},
	{
		Name: "join-cost", Source: minID, Place: "section II.A", Text: "When a new process joins the system: n²-1 messages.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted, Evidence: newcomer(),
		Note: "This is right where the newcomer has the lowest id and all messages take equally long: then all n processes are up, as " +
			"in equation 1. Otherwise a process may be asked once more after its own election is over, and hold another: up to 10 " +
			"messages for n = 3 and 26 for n = 4.",
		Needs: []string{"join", "message OK"},
	},
	{
		Name: "join-begins", Source: minID, Place: "section II.A", Text: "When a new process joins, an election procedure must start.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed, Evidence: joinBegins(),
		Note:  "A process that joins asks all higher ones, even if the coordinator is up.",
		Needs: []string{"join", "message ELECTION", "message OK"},
	},
	{
		Name: "order", Source: heap, Place: "Table 1, row Bully", Text: "The Bully algorithm takes messages of the order n².",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(costOf("tanenbaum", 4, cost.WorstCase, cost.Measure{}, lowest, nearSquare, "sync:1"),
			costOf("tanenbaum", 4, cost.WorstCase, cost.Measure{}, lowest, nearSquare, "sync:2"),
			costOf("tanenbaum", 5, cost.WorstCase, cost.Measure{}, lowest, nearSquare, "lockstep"),
			costOf("", 5, cost.WorstCase, cost.Measure{}, lowest, found1, "sync:1")),
		Note: "It takes n²-n messages, which is of that order, where only the lowest process notices the failure and each process is " +
			"asked by one whose election is not over yet. (With five processes and unequal delays it takes 28: see worst-case.)",
		Needs: []string{"suspect", "message OK", "message COORDINATOR"},
	},
	{
		Name: "memory", Source: heap, Place: "Table 1, row Bully, and section 4", Text: "The Bully algorithm \"requires a memory space of n²\".",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Note: "Each of n processes knows the n identifiers, n² in all. The algorithm presupposes that; it is not part of a state, " +
			"which is elected_i and what the process waits for. No search could decide the claim.",
	},
	{
		Name: "minimum", Source: heap, Place: "Table 1, row Bully", Text: "The Bully algorithm takes at least 2n-2 messages.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(costOf("tanenbaum", 4, cost.BestCase, cost.Measure{}, anybody, double2, "sync:1"), costOf("", 4, cost.BestCase, cost.Measure{}, anybody, double2, "sync:1")),
		Note: "It takes n messages, or n-1 where only lower ids are told. The formula in the next column is never 2n-2 for all n, " +
			"whatever P.", Needs: []string{"suspect"},
	},
	{
		Name: "maximum", Source: heap, Place: "Table 1, row Bully", Text: "The Bully algorithm takes at most n² messages.",
		Kind: ledger.CountClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "several processes that notice at once: the formula in the next column has one",
		Evidence: slices.Concat(costOf("tanenbaum", 4, cost.WorstCase, cost.Measure{}, anybody, square, "sync:1"), costOf("", 4, cost.WorstCase, cost.Measure{}, anybody, square, "sync:1"),
			costOf("tanenbaum", 5, cost.WorstCase, cost.Measure{}, lowest, square, "sync:1").Beside("the lowest alone notices")),
		Note: "Where any process may notice, it takes more from four processes on: 23 for n = 4. The formula in the next column has " +
			"n²-1 at most.",
		Needs: []string{"suspect", "message OK"},
	},
}
