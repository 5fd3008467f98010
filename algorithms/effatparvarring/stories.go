package effatparvarring

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "effatparvarring-lost-id", Variant: "suppresses", Property: "e2",
		Setting: failed(4, "timing=sync:1 "+crash),
		Title:   "an id that is lost on its way",
		Text: "4, the leader, has crashed. 1 notices it and sends its id to 2, which sends its own, the greater one, to 3. 3 crashes " +
			"before it receives the id, and the id is lost with it. 1 and 2 take part in an election, so they do not begin another. " +
			"They wait for ever.",
	},
	{
		Name: "effatparvarring-ghost", Variant: "suppresses", Property: "termination",
		Setting: failed(4, "timing=sync:1 "+crash),
		Title:   "the id of a crashed node goes round for ever",
		Text: "3, the greatest node that is left, puts its id into the ring and crashes. The others pass the id on, since it is greater " +
			"than theirs. Only 3 could tell that its id has been round the ring. The election never ends, and no node becomes leader.",
	},
	{
		Name: "effatparvarring-nobody-declares", Variant: "sender-only", Property: "re-election",
		Setting: failed(3, "timing=sync:1 detectors=1"),
		Title:   "the greatest id comes back, and no node declares itself",
		Text: "1 has noticed the crash of 3 and sent its id. 2 has replaced it by its own, which is greater, and that id has come back " +
			"to 1. It does not equal the id of the initial sender, 1. So by the letter of section 3 no node declares itself as " +
			"leader.",
	},
	{
		Name: "effatparvarring-deposed-by-a-ghost", Variant: "suppresses", Property: "once-elected",
		Setting: failed(4, "timing=sync:1 "+crash),
		Title:   "the coordinate message of a crashed node deposes its successor",
		Text: "3 declares itself as leader and crashes. Its coordinate message goes round for ever, since only 3 would take it out of " +
			"the ring. 2 notices the crash; its id comes round, and 2 is the leader. Then the message of 3 comes by once more, and 2 " +
			"follows a node that has crashed. Every later leader will be deposed in the same way.",
	},
}
