package assistant

import "bullyproof/ledger"

// returned is a setting in which the coordinator may fail and come back.
const returned = "n=3 start=settled crashes=1 restarts=1"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "assistant-crossed-announcements", Property: "agreement", Setting: returned + " timing=sync:1",
		Title: "the assistant and the returned coordinator announce themselves at once",
		Text: "3 crashes, and its assistant 2 takes over. Before 2 has announced itself, 3 comes back, holds an election and wins it. " +
			"The two announcements cross: 2 follows 3, and 3 follows 2, for ever. The description is one sentence and says nothing " +
			"about processes that come back. Here they hold an election, as in the Bully.",
	},
}
