package effatparvarring

import "bullyproof/checker"

// stories are the recorded counterexamples.
var stories = []checker.Story{
	{
		Name: "effatparvarring-lost-id", Variant: "suppresses", Property: "e2",
		Setting: failed(3, "timing=sync:1 "+crash),
		Title:   "an id that is lost on its way",
		Text: "3, the leader, has crashed. 1 notices it and sends its id to 2, which crashes before it can send its own instead. No id is in " +
			"the ring any more, and 1 waits for ever: it takes part in an election, and so it does not begin another.",
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
}
