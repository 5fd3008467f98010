package invitation

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "invitation-each-other", Variant: "equal-waits", Property: "assertion-4", Setting: "n=2 channels=fifo detector=off timing=sync:1",
		Title: "two hosts, and no guest",
		Text: "Two coordinators find each other at the same time and invite each other at once. A coordinator that has sent an " +
			"invitation is busy with it and accepts none, so neither accepts. After the same time both try again, for ever. (The run " +
			"shows four rounds, until the group numbers, which are counted from 0 to 3 here, repeat.) In the paper the lower " +
			"coordinator waits.",
	},
	{
		Name: "invitation-number-reused", Variant: "volatile", Property: "assertion-3", Setting: "n=3 channels=fifo detector=off timing=sync:1 start=settled crashes=1 restarts=1",
		Title: "a group number that comes again",
		Text: "3 has founded one group and crashes. It comes back without a memory of that, and founds its first group once more. 1 and " +
			"2 are still in the old group, which has the same number, and do its task. For this reason the paper keeps the counter in " +
			"safe storage.",
	},
}
