package kabashi

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "kabashi-figure-3", Variant: "waits", Property: "agreement",
		Setting: "n=3 start=cold initiators=2:lazy channels=fifo",
		Title:   "the start of the system, as in Fig. 3, and a disagreement that nothing ends",
		Text: "Nothing fails and nobody joins; each channel keeps the order of messages. 2 begins and announces itself. 1 hears of it and, by " +
			"rule 6, announces itself. 3 hears of 1 first and of 2 last, and follows 2. 1 and 2 agree on 1, and nobody tells 3.",
	},
	{
		Name: "kabashi-duplicate-coordinator", Variant: "waits", Property: "uniqueness",
		Setting: "n=3 start=cold initiators=all:lazy",
		Title:   "two coordinators, as soon as the system starts",
		Text: "Two processes begin, as in Fig. 3, and each announces itself before it has heard of the other. Nothing fails, and nobody " +
			"joins.",
	},
	{
		Name: "kabashi-two-minima", Variant: "waits", Property: "settled-uniqueness",
		Setting: "n=4 start=coordinator-down joins=1",
		Title:   "two coordinators for good",
		Text: "The coordinator 2 has failed; 4 asks, only 3 answers, and 4 announces it (rule 4). Before that arrives, 1 joins and announces " +
			"itself. 3 hears of 1, and then, by the older message, that it is the coordinator itself. Rule 6 has nothing " +
			"against that, and 3 tells nobody, so that nobody tells it either.",
	},
	{
		Name: "kabashi-lasting-disagreement", Variant: "waits", Property: "agreement",
		Setting: "n=3 start=settled crashes=1 restarts=1",
		Title:   "a disagreement that nothing ends",
		Text: "1 fails and comes back just after 2 has announced itself. Both announcements are on their way to 3, and the older one " +
			"arrives last. By then 2 is about to follow 1. 3 follows 2, which is up, so that it never has reason to think again; " +
			"and rule 6 protects 1 and 2, whose ids are not above the one announced, but not 3.",
	},
	{
		Name: "kabashi-larger-wins", Variant: "waits", Property: "extreme",
		Setting: "n=3 start=cold initiators=all:lazy",
		Title:   "the system starts, and the larger id is followed",
		Text: "Nothing fails, and nobody joins. 1 and 2 announce themselves, and 2 follows 1 when it hears of it. 3 hears of 1 first and " +
			"then, by the older message, of 2.",
	},
	{
		Name: "kabashi-chooses-anyway", Variant: "goes-on", Property: "settled-uniqueness",
		Setting: "n=4 start=settled crashes=1",
		Title:   "told, and chooses all the same",
		Text: "One process fails, as in Fig. 1, and nobody joins. 4 asks, 2 announces itself (rule 3a), and 3 answers OK. As in the " +
			"pseudocode, 4 goes on collecting answers, and of these 3's is the smallest. It announces 3, which arrives " +
			"last at 3: two coordinators for good.",
	},
	{
		Name: "kabashi-second-of-the-living", Variant: "knows-all", Property: "agreement",
		Setting: "n=4 start=settled crashes=1",
		Title:   "the second minimum, twice",
		Text: "Here the second minimum ID is the one above the coordinator's. 1 fails, 2 announces itself, 3 follows it. Then 4's " +
			"ELECTION, sent before 4 was told, arrives at 3. It does not say whose failure it is about; to 3 the coordinator is 2, " +
			"itself is next, and it announces itself (rule 3a).",
	},
	{
		Name: "kabashi-newcomer-waits", Variant: "waits", Property: "e2",
		Setting: "n=2 start=settled crashes=1 joins=1",
		Title:   "a question that nobody is left to answer",
		Text: "A process joins, and the coordinator fails before it has answered. By rule 5b nobody else answers QUERY, and the paper sets " +
			"no limit to the wait.",
	},
	{
		Name: "kabashi-two-initiators", Variant: "waits", Property: "one-election",
		Setting: "n=4 start=coordinator-down timing=sync:1",
		Title:   "two elections at once",
		Text: "3 and 4 notice the failure before either hears of the other. By rule 1b each begins an election of its own; no rule " +
			"holds one of them back.",
	},
	{
		Name: "kabashi-joins-in", Variant: "waits", Property: "keeps-part",
		Setting: "n=4 start=coordinator-down timing=sync:1",
		Title:   "a participant a moment later",
		Text: "One process is in an election and the other is not; then that one notices the failure, too, before it has heard of " +
			"the first, and takes part after all.",
	},
}
