package invitation

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "invitation-each-other", Variant: "equal-waits", Property: "assertion-4", Setting: two(1, ""),
		Title: "two hosts, and no guest",
		Text: "Two coordinators find each other at the same time and invite each other at once. Who has invited somebody is busy " +
			"with that and follows no invitation, so that nobody comes, and after the same time both try again, for ever. (Four times " +
			"until the group numbers, which are counted from 0 to 3 here, come round.) The paper has the lower of the two wait.",
	},
	{
		Name: "invitation-number-reused", Variant: "volatile", Property: "assertion-3", Setting: three(1, "crashes=1 restarts=1"),
		Title: "a group number that comes again",
		Text: "3 has founded one group and crashes. It comes back, does not know that any more, and founds its first group once more: " +
			"1 and 2 are still in the other one with that number, and do its task. That is why the paper keeps the counter in safe storage.",
	},
}
