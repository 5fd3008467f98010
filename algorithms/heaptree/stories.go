package heaptree

import "bullyproof/checker"

// stories are the recorded counterexamples.
var stories = []checker.Story{
	{
		Name: "heaptree-dead-father", Variant: "paper", Property: "e2",
		Setting: "n=4 start=settled timing=sync:1 crashes=2 detectors=1",
		Title:   "the father has crashed",
		Text: "3 is the father of 1, and 4 is the root. 4 crashes, and 1 notices and sends the election message to its father, which has " +
			"crashed by the time it arrives. (Had it crashed long before, nobody would have had to notice.) 1 waits for ever. It knows " +
			"of no other way: its father is all that connects it to the tree.",
	},
	{
		Name: "heaptree-dead-sibling", Variant: "paper", Property: "e2",
		Setting: "n=3 start=settled timing=sync:1 crashes=2",
		Title:   "nobody to compare with",
		Text: "1 and 2 are the children of the root 3. 1 notices the crash of the leader and sends its ID to its sibling, to compare. But 2 " +
			"has crashed by then, or long before. There is no answer, and nothing ends the wait.",
	},
}
