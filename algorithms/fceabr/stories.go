package fceabr

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "fceabr-left-behind", Variant: "paper", Property: "e2",
		Setting: "n=3 topology=biring initiators=1,2 channels=fifo timing=sync:1",
		Title:   "an election that begins as another one ends",
		Text: "2 stops the message of 1, the lower initiator, as it should, and 1 announces the outcome of 2's election. But the other " +
			"copy of 1's message comes to 2 after the announcement, when that election is over and forgotten, and makes it take part in " +
			"another, whose other copy was stopped long ago: nothing meets, and nothing ever tells 2 that it is over. Delays that are " +
			"all the same, as the paper supposes, prevent it.",
	},
	{
		Name: "fceabr-lost-election", Variant: "paper", Property: "e2",
		Setting: "n=3 topology=biring:repaired initiators=one crashes=1 channels=fifo timing=lockstep",
		Title:   "an election lost with a process",
		Text: "1 sends its message both ways. 3 crashes with both copies on the way to it. Neither will ever meet the other: nobody makes " +
			"an announcement, and there are no timeouts. 1 and 2 know no coordinator whose crash they could find out, and wait for ever.",
	},
	{
		Name: "fceabr-no-surrogate", Variant: "paper", Property: "surrogate",
		Setting: "n=3 topology=biring:repaired start=settled crashes=1 channels=fifo timing=lockstep",
		Title:   "a coordinator without a surrogate",
		Text: "3 has crashed, and 1 tells 2 that it is coordinator now. The message goes out with a zero for the surrogate, as the paper " +
			"has it; 2 is the coordinator and leaves the zero there, and nobody else is asked. 1 is up and fit to be surrogate, but the " +
			"sender of an SElection message never puts its own number into it. When 2 crashes, 1 will have nobody to turn to.",
	},
	{
		Name: "fceabr-round-and-round", Variant: "paper", Property: "termination",
		Setting: "n=3 topology=biring:repaired start=settled crashes=2 channels=fifo timing=lockstep",
		Title:   "messages that nobody stops",
		Text: "1 and 2 both find out that 3 has crashed. The announcement for 2's message comes to 2 first and ends the search there; then 1 " +
			"crashes, and its own message, still on the way, begins another one at 2. It meets no second copy, and the initiator that would know it is down. " +
			"2, the only one left, passes it on to itself for ever. With more processes left it goes round among them.",
	},
	{
		Name: "fceabr-two-coordinators", Variant: "paper", Property: "agreement",
		Setting: "n=4 topology=biring:repaired arrangement=1-4-3-2 start=coordinator-down crashes=1 detectors=1,2 channels=fifo timing=lockstep",
		Title:   "two coordinators for good, after two crashes",
		Text: "4 has crashed, 3 has replaced it, and crashes as the messages that name 1 its surrogate are on the way. 2 gets one and " +
			"turns to 1; 1 has none yet and begins an election, whose result is 2, with 1 for surrogate. Of 2's own SElection message, " +
			"which says that 1 is coordinator now, the second copy reaches 1 after that result: it tells the surrogate to replace a " +
			"coordinator that is up. Both go on as coordinators, and since both are up nobody finds anything out.",
	},
}
