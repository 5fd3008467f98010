package kalternatives

import "bullyproof/ledger"

// returned is a setting in which the coordinator may fail and come back.
const returned = "n=3 start=settled crashes=1 restarts=1"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "kalternatives-two-coordinators", Property: "uniqueness", Setting: returned + " timing=sync:1",
		Title: "the alternative takes over, and so does the returned coordinator",
		Text: "3 crashes. 2 notices it and takes its place at once, without an election. 3 comes back, holds an election, as in the " +
			"Bully, and wins it. Until its announcement arrives, both 2 and 3 lead. The description is two sentences long and says " +
			"nothing about processes that come back.",
	},
}
