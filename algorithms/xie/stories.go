package xie

import "bullyproof/checker"

// stories are the recorded counterexamples.
var stories = []checker.Story{
	{
		Name: "xie-lost-election", Variant: "fceabr-describes", Property: "e2",
		Setting: lost + " timing=lockstep",
		Title:   "an election lost with a process",
		Text: "1 has found out that 3 crashed, and sends Election to 2, which crashes, too, before it can pass it on. There is no " +
			"limit of time, and 1 knows of no coordinator whose crash it could find out: it waits for ever, alone, for the " +
			"copies of its own message.",
	},
}
