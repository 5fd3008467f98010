package dolevklawerodeh

import "bullyproof/ledger"

// The stories of channels that are not FIFO: where a process acts on messages as
// they come, and where it sorts them.
const (
	overtaken = "dolevklawerodeh-overtaken"
	mixed     = "dolevklawerodeh-phases-mixed"
)

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: overtaken, Variant: "wakes", Property: "extreme", Setting: unordered(2),
		Title: "the wrong number wins where a message overtakes another",
		Text: "The channel does not keep the order of messages, which the algorithm assumes. What 1 sends second overtakes what " +
			"it sent first: 2 is asked to compare before it has anything to compare with, and drops out, though its number is " +
			"the greater. It passes the number of 1 on, which comes home as if it were the greatest.",
	},
	{
		Name: mixed, Variant: "sorts", Property: "e2", Setting: unordered(3),
		Title: "all drop out where phases are mixed up",
		Text: "The channel does not keep the order of messages, which the algorithm assumes; a process takes one message of each kind in " +
			"turn. The number that 1 sent first is overtaken by the one that it sends in the next phase, 3, which 2 uses in its place. 2 and 3 " +
			"drop out and pass the late 1 on, and 1, who holds the 3 and waits for it to come home, takes that for a rival's number: " +
			"it drops out, too, and nobody is left.",
	},
}
