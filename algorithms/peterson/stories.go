package peterson

import "bullyproof/ledger"

// overtaken is the story of channels that are not FIFO.
const overtaken = "peterson-overtaken"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: overtaken, Variant: "wakes", Property: "uniqueness", Setting: "n=4 topology=ring initiators=all timing=patient",
		Title: "two winners because a message overtakes another",
		Text: "The algorithm assumes FIFO channels, and this channel is not FIFO. The second message of 1 overtakes its first. 4 takes " +
			"the one for the other and drops out, although its id is the greatest. The id 3 comes home to its owner. Other processes " +
			"still carry the id 4, which comes home to its owner as well.",
	},
}
