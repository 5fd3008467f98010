package itairodeh

import "bullyproof/ledger"

// overtaken is the story of channels that are not FIFO.
const overtaken = "itairodeh-purged-too-early"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: overtaken, Variant: "fokkink-pang", Property: "leader-reachable", Setting: "n=2 topology=ring:anonymous initiators=all:lazy timing=patient",
		Title: "both wait for ever because a message overtakes another",
		Text: "Both processes chose the same identity, and each has its message on the way home through the other. The algorithm " +
			"assumes FIFO channels, and this channel is not FIFO. 2 is the first to choose again, and its new message overtakes 1's " +
			"old message. So 1 judges the new message by an identity that it is about to give up, and purges it. Then 1 chooses a " +
			"smaller identity, and its message will be purged rightly. Both are active, and no message will be left.",
	},
}
