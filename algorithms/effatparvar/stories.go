package effatparvar

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "effatparvar-elected-and-replaced", Variant: "to-all", Property: "once-elected",
		Setting: "n=4 start=coordinator-down detectors=1 timing=sync:1 losses=1",
		Title:   "elected, and replaced",
		Text: "The run of figure 1 with four nodes. What 1 asks 3 is lost (or 3's response, as in the figure), 2 is elected as " +
			"leader, verifies, hears from 3 and introduces 3 as the new leader. Section 1 has a node that enters the elected state " +
			"remain in it: the fault tolerance of section 2 elects first and asks afterwards.",
	},
	{
		Name: "effatparvar-follow-each-other", Variant: "to-all", Property: "agreement",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 losses=1",
		Title:   "two nodes that follow each other",
		Text: "1 and 2 both notice the crash of 3, and the one message between them that matters is lost. Each finds that nobody " +
			"responds and announces itself, and each follows the announcement of the other. Nobody is leader any more; both are " +
			"up, so that neither has anything to notice.",
	},
	{
		Name: "effatparvar-only-response-lost", Variant: "to-all", Property: "extreme",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 losses=1",
		Title:   "the only response is lost",
		Text: "1 asks 2, and the question is lost; had 2's response been lost, it would be the same. Nobody has responded, so 1 " +
			"announces itself, and 2 follows a leader with a smaller ID. The fault tolerance begins with a selected node that " +
			"verifies, and here nobody is selected.",
	},
	{
		Name: "effatparvar-two-leaders", Variant: "to-all", Property: "uniqueness",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 losses=1",
		Title:   "two leaders, for one lost message",
		Text: "1 and 2 both notice the crash of 3. What 1 asks 2, or what 2 responds, is lost, so that 1 finds nobody above itself, and " +
			"2 there never is anybody. Both enter the elected state.",
	},
	{
		Name: "effatparvar-verified-in-vain", Variant: "to-all", Property: "ensured",
		Setting: "n=4 start=coordinator-down detectors=1 timing=sync:1 losses=2",
		Title:   "verified in vain",
		Text: "3 is up, and 1's question to it is lost, or its response. 2 is selected and asks 3 once more, to ensure that nobody is above " +
			"it; a message is lost again. 2 remains the leader.",
	},
	{
		Name: "effatparvar-replaced-by-a-dead-node", Variant: "to-all", Property: "once-elected",
		Setting: "n=4 start=settled timing=sync:1 crashes=2",
		Title:   "a leader replaced by a node that is down",
		Text: "1 and 2 both notice the crash of 4. 3 responds to 1 and crashes before it hears from 2, so that 2 finds nobody above itself and " +
			"becomes the leader, while 1 selects 3 and tells all. 2 follows 3, which is down, until somebody notices that.",
	},
}
