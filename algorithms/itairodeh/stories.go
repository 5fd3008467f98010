package itairodeh

import "bullyproof/ledger"

// overtaken is the story of channels that are not FIFO.
const overtaken = "itairodeh-purged-too-early"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: overtaken, Variant: "fokkink-pang", Property: "leader-reachable", Setting: "n=2 topology=ring:anonymous initiators=all:lazy timing=patient",
		Title: "both wait for ever where a message overtakes another",
		Text: "Both chose the same identity, and each has its message on the way home through the other. The channel does not " +
			"keep the order of messages, which the algorithm assumes: the one that chooses again first has its new message " +
			"overtake the old one, and it is judged by an identity that is about to go. It is purged; then the other chooses a " +
			"smaller one, which is purged with good reason. Both are active, and nothing is left on the way.",
	},
}
