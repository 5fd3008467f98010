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
		Name: overtaken, Variant: "wakes", Property: "extreme", Setting: "n=2 topology=ring initiators=all timing=patient",
		Title: "the wrong number wins because a message overtakes another",
		Text: "The algorithm assumes FIFO channels, and this channel is not FIFO. The second message of 1 overtakes its first. So 2 has " +
			"to compare before it knows the number that it should compare with, and drops out, although its number is the greater. 2 " +
			"passes the number of 1 on. It comes home as if it were the greatest.",
	},
	{
		Name: mixed, Variant: "sorts", Property: "e2", Setting: "n=3 topology=ring initiators=all timing=patient",
		Title: "all drop out because two phases are mixed up",
		Text: "The algorithm assumes FIFO channels, and this channel is not FIFO; a process takes one message of each kind in turn. The " +
			"first number that 1 sends is 1. The number 3, which 1 sends in the next phase, overtakes it, and 2 uses the 3 in its " +
			"place. 2 and 3 drop out and pass the late 1 on. Process 1 now holds the number 3 and waits for it to come home; it takes " +
			"the 1 for a rival's number and drops out too. No process is left.",
	},
}
