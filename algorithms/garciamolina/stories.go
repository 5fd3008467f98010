package garciamolina

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "garciamolina-content-alone", Variant: "calls-itself", Property: "assertion-2", Setting: givesUp,
		Title: "a node that never became coordinator asks itself whether it is up",
		Text: "2 is about to become coordinator when 1 stops answering. 2 begins its election again, finds that 3 has come back, and " +
			"leaves the election to 3. But 2 is still in Reorganization with itself as coordinator. Then 3 crashes. Whenever 2 has " +
			"heard nothing for long, it asks its coordinator, which is 2 itself, whether it is up.",
	},
	{
		Name: "garciamolina-hasty-timeout", Variant: "original", Property: "assertion-1",
		Setting: "n=3 channels=fifo start=coordinator-down timing=async:1",
		Title:   "a slow node is taken for dead",
		Text: "2 halts 1, and stops waiting before the answer has come. So 2 becomes coordinator of the nodes that answered, which are " +
			"none, while 1 is still Normal under 3. The paper excludes this by its assumptions 8 and 9, and has the Invitation " +
			"algorithm for networks in which they do not hold.",
	},
	{
		Name: "garciamolina-stale-answer", Variant: "any-answer", Property: "assertion-1", Setting: comesBack,
		Title: "an answer to a call from before the crash",
		Text: "3 halts 1 and crashes. 2 halts 1 as well, and tells it that 2 is the coordinator now. 3 comes back, halts 2 and goes on " +
			"to halt 1. Now the answer to its first call arrives. 3 concludes that 1 is halted and announces itself. But 2 was the " +
			"last to halt 1, and 1 follows 2. The fault disappears if a call accepts only the answer to that very call.",
	},
}
