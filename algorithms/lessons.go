package algorithms

import "bullyproof/ledger"

// Lessons are ten findings of the catalogue that a teacher would use, the best
// known algorithm first.
var Lessons = []ledger.Lesson{
	{
		Claim: "bully/two-announce",
		Title: "Two coordinators at one instant",
		Text: "The coordinator of the Bully algorithm crashes. It comes back just as the process that noticed the crash stops waiting " +
			"for its answer. Both announce themselves, and for a moment there are two coordinators. The textbook says that this can " +
			"happen when a crashed process is replaced. Here is a shortest run in which it does.",
	},
	{
		Claim: "kabashi/acknowledged",
		Title: "A cold start that never agrees",
		Text: "This algorithm was published to save messages. Nothing fails, no process joins, one process begins, and every channel " +
			"keeps the order of its messages. Even so process 3 follows another coordinator than the rest, for ever. It takes the " +
			"older of two announcements for the newer one. The process that it follows is up, so it never begins another election.",
	},
	{
		Claim: "bully/somebody-becomes",
		Title: "One rule, read to the letter, and no process is elected",
		Text: "By rule 4 of an encyclopedia's Bully algorithm, a process that is asked answers and begins an election. The rule does " +
			"not except a process that holds an election already. If the others ask a process again and again, each time before its " +
			"wait for an answer is over, it starts over each time. It is the process that should win, and it never wins.",
	},
	{
		Claim: "effatparvar/prevents-loss",
		Title: "The only response is lost",
		Text: "This algorithm has a mechanism against lost messages: the selected node verifies that no node is greater. The " +
			"mechanism begins with a selected node. If the only response is lost, no node is selected, and the node that asked leads " +
			"although a greater one is up. One lost message is enough.",
	},
	{
		Claim: "changroberts/e2",
		Title: "What the slides do not say about channels",
		Text: "The ring algorithm of Chang and Roberts is right where channels keep the order of messages, and lecture slides do not " +
			"say that it needs this. Suppose that the announcement of the winner overtakes an old election message. Then the old " +
			"message makes one process a participant once more, and no message ever tells that process that the election is over.",
	},
	{
		Claim: "bully/highest-selected",
		Title: "Each follows the other, and none leads",
		Text: "There are two processes, one crash and one return. The lower process announces itself, and that message is slow. The " +
			"higher process comes back and announces itself, and its message arrives first. Then the old announcement arrives, and a " +
			"process follows the last announcement. Each now follows the other, and neither has a reason to begin an election.",
	},
	{
		Claim: "fceabr/fault-tolerant",
		Title: "Two crashes undo a fault-tolerant ring",
		Text: "Each coordinator of this ring has a surrogate that takes over when it crashes. Suppose that the surrogate crashes, " +
			"too, while the messages about the first crash are still under way. Then some processes know a new surrogate and others " +
			"do not. An old message undoes a newer result, and there are two coordinators for ever.",
	},
	{
		Claim: "bully/equation-1",
		Title: "The formula counts the answers of a dead process",
		Text: "Several papers print a formula for the messages of the Bully algorithm. In the formula every process that is asked " +
			"answers. The coordinator is asked, too, but it is dead: the election is about its crash. The explorer counts the " +
			"messages of the worst case. There are usually fewer than in the formula, and more where a slow message makes a process " +
			"begin another election after its own is over.",
	},
	{
		Claim: "fceabr/equation-1",
		Title: "A paper's own simulations contradict its equation",
		Text: "The equation says how many messages an election takes where several processes notice the crash at once. Further on, " +
			"the paper simulates the same. The simulated numbers agree with an exact count over all orders of the ring, and they grow " +
			"without bound. Those of the equation stop at three times the size of the ring.",
	},
	{
		Claim: "silberschatz/table-1-ten",
		Title: "A unit that changes from one row to the next",
		Text: "A table compares two algorithms. In its first two rows it charges the classical ring with 2N messages for each process " +
			"that notices the crash. In the row for ten processes it charges the ring with N for each. The unit has changed between " +
			"the rows.",
	},
}
