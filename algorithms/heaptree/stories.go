package heaptree

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "heaptree-dead-father", Variant: "paper", Property: "e2",
		Setting: "n=4 start=settled timing=sync:1 crashes=2 detectors=1",
		Title:   "the father has crashed",
		Text: "The tree is 4; 3, 2; 1, with 1 below 3. The root 4 crashes. 1 notices it and sends the election message to its father 3, " +
			"which is down when the message arrives. (3 may have crashed long before: only the leader's crash is noticed.) 1 waits " +
			"for ever, since its father was its only connection to the tree.",
	},
	{
		Name: "heaptree-dead-sibling", Variant: "paper", Property: "e2",
		Setting: "n=3 start=settled timing=sync:1 crashes=2",
		Title:   "no sibling to compare with",
		Text: "1 and 2 are the children of the root 3. 1 notices the crash of 3 and sends its ID to its sibling 2, to compare. But 2 is " +
			"down when the ID arrives. (It may have crashed long before.) No node compares, and nothing ends the wait. 1 is the only " +
			"node that is left, and it is never elected.",
	},
	{
		Name: "heaptree-deposed", Variant: "paper", Property: "once-elected",
		Setting: "n=3 start=settled timing=sync:1 joins=1",
		Title:   "a newcomer deposes a leader that is up",
		Text: "2 is the leader, and 1 is its child. 3 joins as the other child, compares its ID with its father's, and swaps positions " +
			"with it. Now 3 is the root, and 2 is no longer the leader, although it has not crashed. By section 1 a node that enters " +
			"the elected state remains in it.",
	},
}
