package silberschatz

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "silberschatz-lost-packet", Variant: "packet", Property: "e2",
		Setting: failed(3, "timing=sync:1 crashes=1 channels=fifo"),
		Title:   "a packet that is lost on its way",
		Text: "3 has failed. 1 notices it and sends its Election packet to 2, which fails before it can pass it on. Nobody is left to " +
			"bring the packet back, and 1 waits for it for ever: that it does not come back is nothing the algorithm has a rule for.",
	},
	{
		Name: "silberschatz-orphan-packet", Variant: "packet", Property: "termination",
		Setting: failed(4, "timing=sync:1 crashes=1 channels=fifo"),
		Title:   "an announcement that goes round for ever",
		Text: "1 has 3 elected, sends its Coordinator packet round, and fails before the packet is back. Nobody else takes it out of the " +
			"ring: it comes by again and again. Should 3 fail one day, it will depose whoever is elected then, each time round, in favour " +
			"of a process that is dead.",
	},
	{
		Name: "silberschatz-overtaken-number", Variant: "book", Property: "uniqueness",
		Setting: "n=2 topology=ring initiators=one timing=sync:1",
		Title:   "two coordinators, since a number is overtaken",
		Text: "A process that an elect message reaches sends its own number first, and then passes the message on. The channel does not " +
			"keep that order: the message is home before the number, which its list therefore lacks, and its owner elects itself. So does " +
			"the other, with a list that is complete.",
	},
	{
		Name: "silberschatz-deposed", Variant: "packet", Property: "once-elected",
		Setting: failed(4, "timing=sync:1 crashes=1 channels=fifo"),
		Title:   "elected, and deposed in favour of a process that is down",
		Text: "1 and 2 notice the failure of 4. The packet of 1 has passed 3 when 3 fails, and that of 2 has not: 2 elects itself, and 1 " +
			"elects 3. The announcement of 1 comes to 2, which has been elected and is up, and makes it follow 3, which is down.",
	},
	{
		Name: "silberschatz-lost-number", Variant: "book", Property: "uniqueness",
		Setting: twoMore,
		Title:   "two coordinators, since a number is lost",
		Text:    "Text to be read off the run.",
	},
}
