package kalternatives

import "bullyproof/ledger"

// returned is a setting in which the coordinator may fail and come back.
const returned = "n=3 start=settled crashes=1 restarts=1"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "kalternatives-two-coordinators", Property: "uniqueness", Setting: returned + " timing=sync:1",
		Title: "the alternative takes over, and so does the one that is back",
		Text: "3 crashes, 2 notices and takes its place at once, without an election. 3 is back and holds one, as in the Bully, and wins it: until its " +
			"announcement arrives, 2 and 3 both lead. The description, two sentences long, has nothing on processes that come back.",
	},
}
