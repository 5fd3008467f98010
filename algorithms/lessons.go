package algorithms

import "bullyproof/ledger"

// Lessons are ten findings of the catalogue that a teacher would use, the best
// known algorithm first.
var Lessons = []ledger.Lesson{
	{
		Claim: "bully/two-announce",
		Asks:  "Can a Bully have two coordinators?",
		Title: "Two coordinators at one instant",
		Text: "The coordinator of the Bully algorithm crashes. It comes back just as the process that noticed the crash stops waiting " +
			"for its answer. Both announce themselves, and for a moment there are two coordinators. The textbook says that this can " +
			"happen when a crashed process is replaced. Here is a shortest run in which it does.",
	},
	{
		Claim: "kabashi/acknowledged",
		Asks:  "Do all processes agree on a coordinator once one has come back?",
		Title: "A disagreement that nothing ends",
		Text: "This algorithm was published to save messages. The coordinator P1 crashes, and P2 announces itself. P1 comes back and " +
			"announces itself too. Of these two announcements the older one reaches P3 last, so P3 follows P2, while P2 follows P1. " +
			"P3 takes the older announcement for the newer one. The process that it follows is up, so it never begins another " +
			"election. The paper says what happens in each of these seven steps. It does not say how long messages take: if all take " +
			"equally long, the older announcement never arrives last.",
	},
	{
		Claim: "bully/somebody-becomes",
		Asks:  "Is a process always elected in the end?",
		Title: "A certain amount of time",
		Text: "By rule 3 of Wikipedia's Bully algorithm (2017), a process that has been answered waits \"a certain amount of time\" for " +
			"an announcement, and then asks again. By rule 4, a process that is asked starts a new election. Suppose that it waits as " +
			"long as four messages take, and that a new election begins its wait for answers anew. Then the others ask again and again, " +
			"each time before that wait is over, and the process that should win never wins. If it waits as long as six messages " +
			"take, they ask too late to disturb it, and a process is always elected.",
	},
	{
		Claim: "effatparvar/prevents-loss",
		Asks:  "Does a check by the selected node protect against lost messages?",
		Title: "The only response is lost",
		Text: "This algorithm has a mechanism against lost messages: the selected node verifies that no node is greater. The " +
			"mechanism begins with a selected node. If the only response is lost, no node is selected, and the node that asked leads " +
			"although a greater one is up. One lost message is enough, unless that node verifies as well, and goes on when it " +
			"learns of another leader meanwhile. The paper does not say that it does.",
	},
	{
		Claim: "changroberts/e2",
		Asks:  "Does every participant of a ring election learn the outcome?",
		Title: "What the slides do not say about channels",
		Text: "The ring algorithm of Chang and Roberts is right where channels keep the order of messages, and lecture slides do not " +
			"say that it needs this. Suppose that the announcement of the winner overtakes an old election message. Then the old " +
			"message makes one process a participant once more, and no message ever tells that process that the election is over.",
	},
	{
		Claim: "bully/highest-selected",
		Asks:  "Does the highest process that is up lead in the end?",
		Title: "Each follows the other, and none leads",
		Text: "There are two processes, one crash and one return. The lower process announces itself, and that message is slow. The " +
			"higher process comes back and announces itself, and its message arrives first. Then the old announcement arrives, and a " +
			"process follows the last announcement. Each now follows the other, and neither has a reason to begin an election.",
	},
	{
		Claim: "fceabr/fault-tolerant",
		Asks:  "How many crashes does a ring with a surrogate coordinator survive?",
		Title: "Two crashes undo a fault-tolerant ring",
		Text: "Each coordinator of this ring has a surrogate that takes over when it crashes: the paper promises that it survives one " +
			"failure. Suppose that the surrogate also " +
			"crashes while the messages about the first crash are still under way. Then some processes know a new surrogate and others " +
			"do not. If these begin an election, an old message undoes a newer result, and there are two coordinators from then on. " +
			"The paper does not say that they do. If they wait instead, the messages that they wait for may have been lost in the crash.",
	},
	{
		Claim: "bully/equation-1",
		Asks:  "How many messages does the Bully algorithm take at worst?",
		Title: "A formula that does not say whom it counts",
		Text: "Several papers print a formula for the messages of the Bully algorithm. In the formula every process that is asked " +
			"answers. The coordinator is also asked, but it is dead: the election is about its crash. If it is one of the N " +
			"processes, the explorer counts fewer messages than the formula has. If N counts those that are up, and delays are equal, " +
			"the formula is exact. A slow message can make a process begin another election after its own is over, and then there " +
			"are more.",
	},
	{
		Claim: "fceabr/equation-1",
		Asks:  "How many messages does an election take if several processes notice the crash?",
		Title: "A paper's own simulations contradict its equation",
		Text: "The equation says how many messages an election takes where several processes notice the crash at once. Further on, " +
			"the paper simulates the same. The simulated numbers agree with an exact count over all orders of the ring, and they grow " +
			"without bound. Those of the equation stop at three times the size of the ring.",
	},
	{
		Claim: "silberschatz/table-1-ten",
		Asks:  "How do two algorithms compare if their messages are counted in one unit?",
		Title: "A unit that changes from one row to the next",
		Text: "A table compares two algorithms. In its first two rows it charges the classical ring with 2N messages for each process " +
			"that notices the crash. In the row for ten processes it charges the ring with N for each. The unit has changed between " +
			"the rows.",
	},
}
