package bully

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "bully-answer-overtaken", Variant: "coulouris-keeps-waiting", Property: "e2-strong",
		Setting: "n=2 initiators=1 timing=sync:1",
		Title:   "an election that is won at once, again and again",
		Text: "Nobody fails, and every message arrives in time. But the announcement overtakes the answer, and a process " +
			"that goes on waiting when it is told of a coordinator takes the late answer for the beginning of another wait. " +
			"It ends with T' and a new election, which goes the same way. Even strong fairness does not help: everything " +
			"happens that may. Channels that keep the order of messages do.",
	},
	{
		Name: "bully-asked-again", Variant: "wikipedia-again", Property: "re-election",
		Setting: "n=4 start=settled timing=sync:1 crashes=1",
		Title:   "asked too often to win",
		Text: "4 has failed, and 3 would win as soon as nobody had answered it for T. But it begins a new election whenever it is " +
			"asked, as rule 4 says, and asks nobody to stop. 1 asks it each time that T' is over, and 2, which 1 asks as well, " +
			"half-way between: T never expires. One failure, all delays within the bound, and no coordinator ever. (Since once in " +
			"each round T and a question are due at the same instant, strong fairness ends it.)",
	},
	{
		Name: "bully-duplicate-coordinator", Variant: "coulouris", Property: "uniqueness",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 restarts=1",
		Title:   "two coordinators at one instant",
		Text: "The coordinator crashes, and is back just as the process that noticed gives up waiting for its answer. " +
			"Both announce themselves.",
	},
	{
		Name: "bully-lasting-disagreement", Variant: "coulouris", Property: "agreement",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 restarts=1",
		Title:   "a disagreement that nothing ends",
		Text: "Two announcements are on their way to 1 at the same time, and 1 follows whichever comes last. It comes from 2, " +
			"which by then follows 3. Since 2 is up, no failure detector ever gives 1 a reason to think again.",
	},
	{
		Name: "bully-never-told", Variant: "tanenbaum", Property: "e2",
		Setting: "n=3 start=settled timing=sync:1 crashes=2",
		Title:   "an election that nobody is left to finish",
		Text: "1 is answered, and its job is done. The one who answered crashes before it can announce itself. From then on " +
			"1 knows of no coordinator, so that no failure detector watches one for it.",
	},
	{
		Name: "bully-retries-for-ever", Variant: "coulouris", Property: "e2",
		Setting: "n=3 start=coordinator-down timing=patient",
		Title:   "two timers, and always the wrong one",
		Text: "3 is down, and 2 waits for an answer that does not come: it would win as soon as its timer T expired. But where " +
			"timers have no length, 1's timer T' may expire first, every time. Each time 1 asks 2 again, 2 answers, and while these " +
			"messages are on their way T does not expire. T is not passed over without interruption, so weak fairness allows " +
			"it; strong fairness does not, and synchrony does not.",
	},
	{
		Name: "bully-waits-for-ever", Variant: "coulouris-noretry", Property: "e2",
		Setting: "n=3 start=settled timing=sync:1 crashes=2",
		Title:   "a wait without end",
		Text: "1 is answered and waits for an announcement. The one who answered crashes before it can make one. On the slides " +
			"nothing ends that wait; the book has the timer T' for it.",
	},
	{
		Name: "bully-each-follows-the-other", Variant: "wikipedia", Property: "extreme",
		Setting: "n=2 start=settled timing=sync:1 crashes=1 restarts=1",
		Title:   "each follows the other, and nobody leads",
		Text: "The coordinator crashes and comes back while its successor is deciding. Each announces itself to all others, the two " +
			"announcements cross, and each follows the sender of the one that it receives. Both are up, so that no failure " +
			"detector ever says anything: for good, nobody believes itself coordinator.",
	},
	{
		Name: "bully-lower-one-wins", Variant: "tanenbaum", Property: "extreme",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 restarts=1",
		Title:   "the biggest guy in town does not win",
		Text: "3 is back and says that it takes over. 2, which has waited long enough for its answer, says the same at that " +
			"moment. The two announcements cross: 3 believes what it hears from 2, the others what they hear from 3. The election is " +
			"over, and the highest process follows a lower one.",
	},
}
