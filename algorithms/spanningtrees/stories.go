package spanningtrees

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "spanningtrees-link-down", Property: "e2", Setting: "n=3 initiators=any channels=fifo cuts=1 cut-by=link timing=async",
		Title: "a tree that has lost a branch",
		Text: "2 and 3 have joined the tree of 1, and each offers it to the other. Their link is cut before the offers arrive. Each " +
			"waits for the other's answer for ever, and 1 waits for both. No rule takes a link away, and no rule offers a tree again.",
	},
}
