package garciamolina

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "garciamolina-content-alone", Variant: "calls-itself", Property: "assertion-2", Setting: givesUp,
		Title: "a coordinator that nobody made, and that asks itself",
		Text: "2 is about to become coordinator when 1 does not answer any more. It begins its election again, finds that 3 has come " +
			"back, and leaves everything to 3, itself still in Reorganization as its own coordinator. 3 crashes. Whenever 2 has " +
			"heard nothing for long it asks its coordinator, itself, whether that is up.",
	},
	{
		Name: "garciamolina-hasty-timeout", Variant: "original", Property: "assertion-1",
		Setting: "n=3 channels=fifo start=coordinator-down timing=async:1",
		Title:   "a node that is slow, and taken for dead",
		Text: "2 halts 1, and gives up waiting for the answer before it has come. So it becomes coordinator of those that answered, " +
			"which is nobody, while 1 is still Normal under 3. The paper excludes that by its assumptions 8 and 9, and has the " +
			"Invitation algorithm for where they do not hold.",
	},
	{
		Name: "garciamolina-stale-answer", Variant: "any-answer", Property: "assertion-1", Setting: comesBack,
		Title: "an answer from a former life",
		Text: "3 halts 1 and crashes. 2 halts 1 as well, and tells it that it is the coordinator now. 3 is back, halts 2 and goes on to halt " +
			"1, when the answer to its first call arrives: it takes 1 for halted, and announces itself. 1 was halted by 2 last, and " +
			"follows 2. Calls that return no results but their own prevent it.",
	},
}
