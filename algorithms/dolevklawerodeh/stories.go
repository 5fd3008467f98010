package dolevklawerodeh

import "bullyproof/checker"

// overtaken is the story of channels that are not FIFO.
const overtaken = "dolevklawerodeh-overtaken"

// stories are the recorded counterexamples.
var stories = []checker.Story{
	{
		Name: overtaken, Variant: "wakes", Property: "extreme", Setting: unordered(2),
		Title: "the wrong number wins where a message overtakes another",
		Text: "The channel does not keep the order of messages, which the algorithm assumes. What 1 sends second overtakes what " +
			"it sent first: 2 is asked to compare before it has anything to compare with, and drops out, though its number is " +
			"the greater. It passes the number of 1 on, which comes home as if it were the greatest.",
	},
}
