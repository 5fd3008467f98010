package electioncommission

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "electioncommission-overtaken", Property: "commission-agreement",
		Setting: "n=3 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1",
		Title:   "the commission overtakes itself",
		Text: "The commission announces 2, and then, since 3 has come back, 3. The second announcement overtakes the first, so that a " +
			"process hears of 2 last and follows it. The commission has said the right thing in the right order; a channel that does " +
			"not keep the order undoes it.",
	},
	{
		Name: "electioncommission-told-too-early", Property: "uniqueness",
		Setting: "n=4 start=settled channels=fifo timing=sync:1 crashes=1 restarts=1",
		Title:   "the new coordinator hears of it first",
		Text: "4 has failed, and 3 has taken its place. 4 is back, and the commission announces it to all. Its word reaches 4 before it " +
			"reaches 3: for that time there are two coordinators. No message was late, and the commission decided one thing after the other.",
	},
}
