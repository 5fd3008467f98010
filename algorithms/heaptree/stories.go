package heaptree

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "heaptree-dead-father", Variant: "paper", Property: "e2",
		Setting: "n=4 start=settled timing=sync:1 crashes=2 detectors=1",
		Title:   "the father has crashed",
		Text: "The tree is 4; 3, 2; 1, with 1 below 3. The root 4 crashes; 1 notices and sends the election message to its father 3, which " +
			"is down when the message arrives (it may as well have crashed long before: only the leader's crash is noticed). 1 waits for ever, " +
			"and its father was all that connects it to the tree.",
	},
	{
		Name: "heaptree-dead-sibling", Variant: "paper", Property: "e2",
		Setting: "n=3 start=settled timing=sync:1 crashes=2",
		Title:   "nobody to compare with",
		Text: "1 and 2 are the children of the root 3. 1 notices the crash of the leader and sends its ID to its sibling 2, to compare. But 2 " +
			"is down when it arrives (it may as well have crashed long before). Nobody compares, nothing ends the wait, and 1, the only node " +
			"that is left, is never elected.",
	},
	{
		Name: "heaptree-deposed", Variant: "paper", Property: "once-elected",
		Setting: "n=3 start=settled timing=sync:1 joins=1",
		Title:   "a leader that is up is deposed by one that joins",
		Text: "2 is the leader and 1 its child. 3 joins as the other child, compares its ID with its father's, and swaps position with it: it is " +
			"the root now, and 2, which works as leader and has not crashed, is no longer. Section 1 has a node that enters the elected state " +
			"remain in it.",
	},
}
