package peterson

import "bullyproof/ledger"

// overtaken is the story of channels that are not FIFO.
const overtaken = "peterson-overtaken"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: overtaken, Variant: "wakes", Property: "uniqueness", Setting: unordered(4),
		Title: "two winners where a message overtakes another",
		Text: "The channel does not keep the order of messages, which the algorithm assumes. What 1 sends second overtakes what " +
			"it sent first: 4 takes the one for the other and drops out, though its id is the greatest. The id 3 comes home to " +
			"its owner, and the id 4, which others still carry, to its own.",
	},
}
