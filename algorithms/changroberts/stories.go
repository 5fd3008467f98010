package changroberts

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "changroberts-left-behind", Variant: "coulouris", Property: "e2",
		Setting: "n=4 topology=ring initiators=all:lazy timing=patient",
		Title:   "a participant left behind",
		Text: "The coordinator is elected and everybody is told. An old election message, which the elected message overtook on " +
			"its way to 1, makes 1 a participant once more, and is then taken out of the ring by 3. Nothing ever tells 1 that " +
			"this election is over, and as a participant it begins no other. Channels that keep the order of messages prevent " +
			"it; the slides do not ask for them.",
	},
}
