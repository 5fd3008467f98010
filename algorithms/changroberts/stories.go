package changroberts

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "changroberts-left-behind", Variant: "coulouris", Property: "e2",
		Setting: "n=4 topology=ring initiators=all:lazy timing=patient",
		Title:   "a participant left behind",
		Text: "4 is elected, and all are told. The elected message overtook an old election message on its way to 1. The old message " +
			"makes 1 a participant once more, and 3 then takes it out of the ring. No message ever tells 1 that this election is " +
			"over, and a participant begins no other. FIFO channels prevent this; the slides do not ask for them.",
	},
}
