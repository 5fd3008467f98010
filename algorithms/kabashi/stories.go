package kabashi

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "kabashi-figure-3", Variant: "waits", Property: "agreement",
		Setting: "n=3 start=cold initiators=2:lazy channels=fifo",
		Title:   "the system starts as in Fig. 3, and a disagreement lasts for ever",
		Text: "Nothing fails and no process joins; the channels are FIFO. 2 begins and announces itself. 1 hears of it and, by rule 6, " +
			"announces itself. 3 hears of 1 first and of 2 last, and follows 2. 1 and 2 agree on 1, and no process tells 3.",
	},
	{
		Name: "kabashi-duplicate-coordinator", Variant: "waits", Property: "uniqueness",
		Setting: "n=3 start=cold initiators=all:lazy",
		Title:   "two coordinators, as soon as the system starts",
		Text: "The system starts as in Fig. 3: 2 begins and announces itself. 1 hears of it and, by rule 6, announces itself as well. " +
			"Until 2 hears of 1, both are coordinators. Nothing fails, and no process joins.",
	},
	{
		Name: "kabashi-two-minima", Variant: "waits", Property: "settled-uniqueness",
		Setting: "n=4 start=coordinator-down joins=1",
		Title:   "two coordinators for good",
		Text: "The coordinator 2 has failed. 4 asks, only 3 answers, and 4 announces 3 (rule 4). Before that message arrives, 1 joins " +
			"and announces itself. 3 hears of 1 first. Then the older message tells 3 that it is the coordinator itself. Rule 6 does " +
			"not apply, since the ID is its own. So 3 announces nothing, and no process corrects it.",
	},
	{
		Name: "kabashi-lasting-disagreement", Variant: "waits", Property: "agreement",
		Setting: "n=3 start=settled crashes=1 restarts=1",
		Title:   "a disagreement that nothing ends",
		Text: "1 fails and comes back just after 2 has announced itself. Both announcements are on their way to 3, and the older one " +
			"arrives last. By then 2 is about to follow 1. 3 follows 2, which is up, so 3 never begins another election. Rule 6 " +
			"corrects 1 and 2, whose ids are not above the one announced, but not 3.",
	},
	{
		Name: "kabashi-larger-wins", Variant: "waits", Property: "extreme",
		Setting: "n=3 start=cold initiators=all:lazy",
		Title:   "the system starts, and a process follows the larger id",
		Text: "Nothing fails, and no process joins. 1 and 2 announce themselves, and 2 follows 1 when it hears of it. 3 hears of 1 " +
			"first. Then the older message arrives, and 3 follows 2.",
	},
	{
		Name: "kabashi-chooses-anyway", Variant: "goes-on", Property: "settled-uniqueness",
		Setting: "n=4 start=settled crashes=1",
		Title:   "told of a coordinator, and chooses another all the same",
		Text: "One process fails, as in Fig. 1, and none joins. 4 asks, 2 announces itself (rule 3a), and 3 answers OK. As in the " +
			"pseudocode, 4 goes on collecting answers, and the only one is 3's. So 4 announces 3. The announcement arrives last at 3: " +
			"two coordinators for ever.",
	},
	{
		Name: "kabashi-second-of-the-living", Variant: "knows-all", Property: "agreement",
		Setting: "n=4 start=settled crashes=1",
		Title:   "the second minimum, twice",
		Text: "In this reading the second minimum ID is the one above the coordinator's. 1 fails, 2 announces itself, and 3 follows it. " +
			"Then the ELECTION that 4 sent before it was told arrives at 3. It does not say whose failure it is about. To 3 the " +
			"coordinator is 2, and 3 itself is next, so 3 announces itself (rule 3a).",
	},
	{
		Name: "kabashi-newcomer-waits", Variant: "waits", Property: "e2",
		Setting: "n=2 start=settled crashes=1 joins=1",
		Title:   "a question that no process is left to answer",
		Text: "A process joins, and the coordinator fails before it has answered. By rule 5b no other process answers QUERY, and the " +
			"paper does not limit the wait.",
	},
	{
		Name: "kabashi-two-initiators", Variant: "waits", Property: "one-election",
		Setting: "n=4 start=coordinator-down timing=sync:1",
		Title:   "two elections at once",
		Text: "3 and 4 notice the failure before either hears of the other. By rule 1b each begins an election of its own. No rule " +
			"prevents the second one.",
	},
	{
		Name: "kabashi-joins-in", Variant: "waits", Property: "keeps-part",
		Setting: "n=4 start=coordinator-down timing=sync:1",
		Title:   "a participant a moment later",
		Text: "One process is in an election and the other is not. Then the other process also notices the failure, before it has heard " +
			"of the first, and takes part after all.",
	},
}
