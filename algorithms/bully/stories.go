package bully

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "bully-answer-overtaken", Variant: "coulouris-keeps-waiting", Property: "e2-strong",
		Setting: "n=2 initiators=1 timing=sync:1",
		Title:   "an election that is won at once, again and again",
		Text: "Nothing fails, and every message arrives in time. But the announcement overtakes the answer. The process keeps waiting " +
			"when it is told of a coordinator, so it takes the late answer for the beginning of another wait. T' expires, a new " +
			"election begins, and the same happens again. Strong fairness does not prevent it, since every step that may happen does " +
			"happen. FIFO channels prevent it.",
	},
	{
		Name: "bully-asked-again", Variant: "wikipedia-again", Property: "re-election",
		Setting: "n=4 start=settled timing=sync:1 crashes=1",
		Title:   "asked too often to win",
		Text: "4 has crashed, and 3 wins if no process answers it within T. But 3 begins a new election, and a new wait, whenever it is " +
			"asked (rule 4). 1 asks it each time T' expires, and 2, which 1 asks as well, asks it halfway between. So T never " +
			"expires. After one crash, with all delays within the bound, there is never a coordinator. (Strong fairness ends the run: " +
			"once in each round T and a question are due at the same instant.)",
	},
	{
		Name: "bully-duplicate-coordinator", Variant: "coulouris", Property: "uniqueness",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 restarts=1",
		Title:   "two coordinators at one instant",
		Text: "The coordinator crashes. It comes back just as the process that noticed the crash stops waiting for its answer. Both " +
			"announce themselves.",
	},
	{
		Name: "bully-lasting-disagreement", Variant: "coulouris", Property: "agreement",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 restarts=1",
		Title:   "a disagreement that nothing ends",
		Text: "Two announcements are on their way to 1, and 1 follows the one that arrives last. It comes from 2, which by then follows " +
			"3. Since 2 is up, no failure detector ever makes 1 begin another election.",
	},
	{
		Name: "bully-never-told", Variant: "tanenbaum", Property: "e2",
		Setting: "n=3 start=settled timing=sync:1 crashes=2",
		Title:   "an election that nobody is left to finish",
		Text: "2 answers 1, so 1's job is done. 2 crashes before it can announce itself. From then on 1 knows no coordinator, so it has " +
			"none whose crash a failure detector could report.",
	},
	{
		Name: "bully-retries-for-ever", Variant: "coulouris", Property: "e2",
		Setting: "n=3 start=coordinator-down timing=patient",
		Title:   "two timers, and the wrong one always expires",
		Text: "3 is down, and 2 waits for an answer that does not come: it wins when its timer T expires. But in this setting timers " +
			"have no length, and 1's timer T' may expire first, every time. Each time 1 asks 2 again, 2 answers, and T does not " +
			"expire while these messages are on their way. So T is not enabled without interruption, and weak fairness permits the " +
			"run. Strong fairness does not, and neither does synchrony.",
	},
	{
		Name: "bully-waits-for-ever", Variant: "coulouris-noretry", Property: "e2",
		Setting: "n=3 start=settled timing=sync:1 crashes=2",
		Title:   "a wait without end",
		Text: "2 answers 1, and 1 waits for an announcement. 2 crashes before it can make one. On the slides nothing ends that wait. " +
			"The book has the timer T' for it.",
	},
	{
		Name: "bully-each-follows-the-other", Variant: "wikipedia", Property: "extreme",
		Setting: "n=2 start=settled timing=sync:1 crashes=1 restarts=1",
		Title:   "each follows the other, and none leads",
		Text: "The coordinator crashes and comes back while its successor is deciding. Each announces itself to all others. The two " +
			"announcements cross, and each process follows the sender of the one that it receives. Both are up, so no failure " +
			"detector ever reports a crash: no process ever believes itself coordinator again.",
	},
	{
		Name: "bully-lower-one-wins", Variant: "tanenbaum", Property: "extreme",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 restarts=1",
		Title:   "the biggest guy in town does not win",
		Text: "3 comes back and announces itself. At the same moment 2 has waited long enough for 3's answer and announces itself too. " +
			"The two announcements cross: 3 follows 2, and the others follow 3. The election is over, and the highest process follows " +
			"a lower one.",
	},
}
