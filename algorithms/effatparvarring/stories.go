package effatparvarring

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "effatparvarring-lost-id", Variant: "suppresses", Property: "e2",
		Setting: failed(4, "timing=sync:1 "+crash),
		Title:   "an id that is lost on its way",
		Text: "4, the leader, has crashed. 1 notices it and sends its id to 2, which sends its own, the greater one, to 3. 3 crashes before it " +
			"can put its own in the place, and the id is lost with it. 1 and 2 wait for ever: they take part in an election, and so they do not " +
			"begin another.",
	},
	{
		Name: "effatparvarring-ghost", Variant: "suppresses", Property: "termination",
		Setting: failed(4, "timing=sync:1 "+crash),
		Title:   "the id of a crashed node goes round for ever",
		Text: "The greatest node that is left puts its id into the ring, and crashes. The others pass it on, since it is greater than theirs, " +
			"and only its own node would know that it has been round. It never ends, and nobody becomes leader.",
	},
	{
		Name: "effatparvarring-nobody-declares", Variant: "sender-only", Property: "re-election",
		Setting: failed(3, "timing=sync:1 detectors=1"),
		Title:   "the greatest id is back, and nobody declares itself",
		Text: "1 has noticed that 3 has crashed, and sent its id. 2 has put its own in the place, which is greater, and that has come back to 1. " +
			"It does not equal that of the initial sender, 1, so that by the letter of section 3 nobody declares itself as leader.",
	},
	{
		Name: "effatparvarring-deposed-by-a-ghost", Variant: "suppresses", Property: "once-elected",
		Setting: failed(4, "timing=sync:1 "+crash),
		Title:   "the coordinate message of a crashed node deposes its successor",
		Text: "3 declares itself as the leader and crashes. Its coordinate message goes round for ever: only 3 would take it out. 2 notices the " +
			"crash, its id comes round, and it is the leader, until the message of 3 comes by once more and 2 follows a node that has crashed. " +
			"It will be the same with every leader after it.",
	},
}
