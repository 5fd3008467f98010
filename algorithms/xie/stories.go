package xie

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "xie-lost-election", Variant: "fceabr-describes", Property: "e2",
		Setting: waiting,
		Title:   "an election lost with a process",
		Text: "4 has crashed, and 1, who alone finds that out, sends Election both ways. 3 crashes with both copies on their way to it, " +
			"where they were to meet: nobody makes an announcement. There is no limit of time, and 1 knows of no coordinator whose " +
			"crash it could find out: its election never ends.",
	},
}
