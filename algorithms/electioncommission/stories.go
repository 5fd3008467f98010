package electioncommission

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "electioncommission-overtaken", Property: "commission-agreement",
		Setting: "n=3 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1",
		Title:   "the commission overtakes itself",
		Text: "The commission announces 2. Then 3 comes back, and the commission announces 3. The second announcement overtakes the " +
			"first, so 2 hears last that it is coordinator itself. Both announcements were right, and they were sent in the right " +
			"order. The channel reversed it.",
	},
	{
		Name: "electioncommission-told-too-early", Property: "uniqueness",
		Setting: "n=4 start=settled channels=fifo timing=sync:1 crashes=1 restarts=1",
		Title:   "the new coordinator hears of it first",
		Text: "4 has failed, and 3 has taken its place. 4 comes back, and the commission announces it to all. The announcement reaches " +
			"4 before it reaches 3, and until then there are two coordinators. No message was late, and the commission made one " +
			"decision after the other.",
	},
}
