package algorithms

import "bullyproof/ledger"

// Lessons are ten findings of the catalogue that a teacher would use, the best
// known algorithm first.
var Lessons = []ledger.Lesson{
	{
		Claim: "bully/two-announce",
		Title: "Two coordinators at one instant",
		Text: "The coordinator of the Bully algorithm crashes. It is back just as the process that noticed gives up waiting for its answer. " +
			"Both announce themselves, and for a moment there are two coordinators. The textbook says that this can happen when a crashed " +
			"process is replaced; here is the shortest run in which it does.",
	},
	{
		Claim: "kabashi/acknowledged",
		Title: "A cold start that never agrees",
		Text: "An algorithm that was published to save messages. Nothing fails, nobody joins, one process begins, and every channel keeps the " +
			"order of its messages. Even so process 3 follows another coordinator than the rest, for ever: it takes the older of two " +
			"announcements for the newer one, and whom it follows is up, so that it never looks again.",
	},
	{
		Claim: "bully/somebody-becomes",
		Title: "One rule, read to the letter, and nobody is elected",
		Text: "By rule 4 of an encyclopedia's Bully algorithm, a process that is asked answers and begins an election. It does not say: unless " +
			"it holds one already. If the others ask it again and again, each time before its wait for an answer is over, it starts over each " +
			"time. It is the one that should win, and it never gets to.",
	},
	{
		Claim: "effatparvar/prevents-loss",
		Title: "The only response is lost",
		Text: "This algorithm has a mechanism against lost messages: the node that was selected verifies that nobody is greater. The mechanism " +
			"begins with a selected node. Where the one response that there was is lost, nobody is selected, and the node that asked leads " +
			"though a greater one is up. One lost message is enough.",
	},
	{
		Claim: "changroberts/e2",
		Title: "What the slides forgot to say about channels",
		Text: "The ring algorithm of Chang and Roberts is right where messages keep their order, and lecture slides do not say that it needs " +
			"that. Where an old election message is overtaken by the announcement of the winner, it makes one process a participant once " +
			"more, and nothing ever tells that process that the election is over.",
	},
	{
		Claim: "bully/highest-selected",
		Title: "Each follows the other, and nobody leads",
		Text: "Two processes, one crash, one return. The lower one announces itself, and that message is slow. The higher one comes back and " +
			"announces itself, which arrives first. Then the old announcement arrives: whoever comes last is followed. Each now follows the " +
			"other, and neither has reason to look again.",
	},
	{
		Claim: "fceabr/fault-tolerant",
		Title: "Two crashes undo a fault-tolerant ring",
		Text: "Each coordinator of this ring has a surrogate that takes over when it crashes. If the surrogate crashes, too, while the messages " +
			"about the first crash are still under way, some processes know of a new surrogate and others do not. An old message then undoes " +
			"a newer result, and two coordinators stay for good.",
	},
	{
		Claim: "bully/equation-1",
		Title: "The formula counts the answers of a dead process",
		Text: "A formula for the messages of the Bully algorithm is printed in several papers. It has every process that is asked answer. The " +
			"coordinator is asked, too, and it is dead: the election is about its crash. The explorer counts what is sent at worst: fewer as a " +
			"rule, and more where a slow message has a process that was through with its election begin another one.",
	},
	{
		Claim: "fceabr/equation-1",
		Title: "A paper's own simulations contradict its equation",
		Text: "The equation says how many messages an election takes where several processes notice the crash at once. Further on, the paper " +
			"simulates the same. The simulated numbers, which agree with an exact count over all orders of the ring, grow and grow; those of " +
			"the equation stop at three times the size of the ring.",
	},
	{
		Claim: "silberschatz/table-1-ten",
		Title: "A unit that changes from one row to the next",
		Text: "A table compares two algorithms. In its first two rows the classical ring is charged with 2N messages for each process that " +
			"notices the crash. In the row for ten processes it is charged with N for each. The unit has changed between the rows, and " +
			"nobody noticed.",
	},
}
