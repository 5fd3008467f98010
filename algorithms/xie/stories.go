package xie

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "xie-lost-election", Variant: "fceabr-describes", Property: "e2",
		Setting: "n=4 topology=biring:repaired arrangement=1-2-3-4 start=coordinator-down detectors=1 crashes=1 channels=fifo timing=lockstep",
		Title:   "an election lost with a process",
		Text: "4 has crashed. Only 1 detects that, and sends Election both ways. 3, where the two copies were to meet, crashes while " +
			"both are on their way to it. So no process makes an announcement. There is no timeout, and 1 knows no coordinator whose " +
			"crash it could detect. Its election never ends.",
	},
}
