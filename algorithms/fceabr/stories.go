package fceabr

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "fceabr-left-behind", Variant: "paper", Property: "e2",
		Setting: "n=3 topology=biring initiators=1,2 channels=fifo timing=sync:1",
		Title:   "an election that begins as another one ends",
		Text: "2 stops the first copy of 1's message, as it should, since 1 is the lower initiator. 1 announces the outcome of 2's " +
			"election. The other copy of 1's message reaches 2 after the announcement, when 2 has forgotten that election, and makes " +
			"2 take part in a new one. The first copy is gone, so the two copies never meet, and no message ever tells 2 that the " +
			"election is over. Equal delays, which the paper supposes, prevent this.",
	},
	{
		Name: "fceabr-lost-election", Variant: "paper", Property: "e2",
		Setting: "n=3 topology=biring:repaired initiators=one crashes=1 channels=fifo timing=lockstep",
		Title:   "an election lost with a process",
		Text: "1 sends its message both ways. 3 crashes while both copies are on their way to it, so they never meet. No process makes " +
			"an announcement, and there are no timeouts. 1 and 2 know no coordinator whose crash they could detect, and wait for " +
			"ever.",
	},
	{
		Name: "fceabr-no-surrogate", Variant: "paper", Property: "surrogate",
		Setting: "n=3 topology=biring:repaired start=settled crashes=1 channels=fifo timing=lockstep",
		Title:   "a coordinator without a surrogate",
		Text: "3 has crashed, and 1 tells 2 that it is coordinator now. In the paper this message goes out with a zero for the " +
			"surrogate. 2 is the coordinator and leaves the zero there, and the message reaches no other process. 1 is up and could " +
			"be surrogate, but the sender of an SElection message never puts its own number into it. When 2 crashes, 1 will have no " +
			"surrogate to turn to.",
	},
	{
		Name: "fceabr-round-and-round", Variant: "paper", Property: "termination",
		Setting: "n=3 topology=biring:repaired start=settled crashes=2 channels=fifo timing=lockstep",
		Title:   "messages that no process stops",
		Text: "1 and 2 both detect the crash of 3. The announcement for 2's message reaches 2 first and ends the search there. Then 1 " +
			"crashes. Its own message is still on the way and begins another search at 2. It meets no second copy, and its initiator, " +
			"which would recognise it, is down. 2 is the only process left and passes the message on to itself for ever. With " +
			"equal delays it takes that: no message goes round between two processes that are left.",
	},
	{
		Name: "fceabr-three-left", Variant: "at-once", Property: "agreement",
		Setting: "n=5 topology=biring:repaired arrangement=1-5-4-2-3 start=coordinator-down channels=fifo timing=lockstep crashes=1",
		Title:   "two coordinators for good, three processes left",
		Text: "5 has failed, and 3 tells the others that 4 leads now. 4 fails as well. By then 1 and 2 have heard that 2 is the next " +
			"surrogate, and turn to it. 3 has not heard that and holds an election, which it wins; 1 and 2 follow it. But messages " +
			"that announce 2 as the replacement are still under way. The last of them reaches 2 when 2 follows 3, and makes it " +
			"coordinator again. All delays are equal, and 1, 2 and 3 are up.",
	},
	{
		Name: "fceabr-two-coordinators", Variant: "paper", Property: "agreement",
		Setting: "n=4 topology=biring:repaired arrangement=1-4-3-2 start=coordinator-down crashes=1 detectors=1,2 channels=fifo timing=lockstep",
		Title:   "two coordinators for good, after two crashes",
		Text: "4 has crashed, and 3 has replaced it. 3 crashes while the messages that name 1 its surrogate are on the way. 2 receives " +
			"one of them and turns to 1. 1 has received none and begins an election; its result is 2, with 1 for surrogate. After " +
			"that result 1 receives the second copy of 2's SElection message, which says that 1 is coordinator now. So the surrogate " +
			"replaces a coordinator that is up. Both remain coordinators, and since both are up neither detects a crash.",
	},
}
