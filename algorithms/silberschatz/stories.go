package silberschatz

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "silberschatz-lost-packet", Variant: "packet", Property: "e2",
		Setting: failed(3, "timing=sync:1 crashes=1 channels=fifo"),
		Title:   "a packet that is lost on its way",
		Text: "3 has failed. 1 notices it and sends its Election packet to 2, which fails before it can pass it on. No process is left " +
			"to bring the packet back. The algorithm has no rule for a packet that does not come back, so 1 waits for ever.",
	},
	{
		Name: "silberschatz-orphan-packet", Variant: "packet", Property: "termination",
		Setting: failed(4, "timing=sync:1 crashes=1 channels=fifo"),
		Title:   "an announcement that goes round for ever",
		Text: "1 finds that 3 is elected, sends its Coordinator packet round, and fails before the packet is back. No other process " +
			"takes it out of the ring, so it comes by again and again. If 3 fails one day, each round of the packet will depose the " +
			"next coordinator in favour of a process that is down.",
	},
	{
		Name: "silberschatz-overtaken-number", Variant: "book", Property: "uniqueness",
		Setting: "n=2 topology=ring initiators=one timing=sync:1",
		Title:   "two coordinators because a number is overtaken",
		Text: "A process that receives an elect message sends its own number first and then passes the message on. The channel is not " +
			"FIFO, and the message comes home before the number. So its owner's list lacks that number, and the owner elects itself. " +
			"The other process has a complete list and elects itself too.",
	},
	{
		Name: "silberschatz-deposed", Variant: "packet", Property: "once-elected",
		Setting: failed(4, "timing=sync:1 crashes=1 channels=fifo"),
		Title:   "elected, and deposed in favour of a process that is down",
		Text: "1 and 2 notice the failure of 4. The packet of 1 has passed 3 when 3 fails, and the packet of 2 has not. So 2 elects " +
			"itself, and 1 elects 3. The announcement of 1 reaches 2, which has been elected and is up, and makes it follow 3, which " +
			"is down.",
	},
	{
		Name: "silberschatz-lost-number", Variant: "book", Property: "uniqueness",
		Setting: twoMore,
		Title:   "two coordinators because a number is lost",
		Text: "3 begins, and the numbers of all four go round. 2 crashes, and the number 4 is lost with it on its way to 3. So the list " +
			"of 3 lacks 4, and 3 elects itself. The list of 1 has 4, and 1 follows 4. 4 crashes as well. 1 notices it and begins " +
			"again; only 3 is left beside it, and 3 passes 1's number on without adding its own. 1 finds only its own number in its " +
			"list and elects itself beside 3.",
	},
}
