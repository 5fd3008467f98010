package assistant

import "bullyproof/ledger"

// returned is a setting in which the coordinator may fail and come back.
const returned = "n=3 start=settled crashes=1 restarts=1"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "assistant-crossed-announcements", Property: "agreement", Setting: returned + " timing=sync:1",
		Title: "the assistant and the one that is back announce themselves at once",
		Text: "3 crashes, and 2, its assistant, takes over. 3 is back before 2 has announced itself, holds an election and wins it. The two " +
			"announcements cross: 2 follows 3, and 3 follows 2, for good. The description, which is one sentence, has nothing on processes " +
			"that come back; here they hold an election, as in the Bully.",
	},
}
