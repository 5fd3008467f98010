package effatparvar

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "effatparvar-elected-and-replaced", Variant: "to-all", Property: "once-elected",
		Setting: "n=4 start=coordinator-down detectors=1 timing=sync:1 losses=1",
		Title:   "elected, and replaced",
		Text: "This is the run of figure 1 with four nodes. 1's election message to 3 is lost (in the figure it is 3's response). 2 is " +
			"elected as leader, verifies, hears from 3, and introduces 3 as the new leader. By section 1 a node that enters the " +
			"elected state remains in it. The fault tolerance of section 2 elects first and asks afterwards.",
	},
	{
		Name: "effatparvar-follow-each-other", Variant: "to-all", Property: "agreement",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 losses=1",
		Title:   "two nodes that follow each other",
		Text: "1 and 2 both notice the crash of 3, and the election message from 1 to 2 is lost. Each finds that no node responds and " +
			"announces itself, and each follows the announcement of the other. No node is leader any more. Both are up, so neither " +
			"has a crash to notice.",
	},
	{
		Name: "effatparvar-only-response-lost", Variant: "to-all", Property: "extreme",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 losses=1",
		Title:   "the only response is lost",
		Text: "1's election message to 2 is lost; the run would be the same if 2's response were lost. No node has responded, so 1 " +
			"announces itself, and 2 follows a leader with a smaller ID. The fault tolerance begins when a selected node verifies, " +
			"and here no node is selected.",
	},
	{
		Name: "effatparvar-two-leaders", Variant: "to-all", Property: "uniqueness",
		Setting: "n=3 start=settled timing=sync:1 crashes=1 losses=1",
		Title:   "two leaders after one lost message",
		Text: "1 and 2 both notice the crash of 3. The election message from 1 to 2 is lost (or 2's response), so 1 finds no node above " +
			"itself. 2 has none above itself anyway. Both enter the elected state.",
	},
	{
		Name: "effatparvar-verified-in-vain", Variant: "to-all", Property: "ensured",
		Setting: "n=4 start=coordinator-down detectors=1 timing=sync:1 losses=2",
		Title:   "verified in vain",
		Text: "3 is up, but 1's election message to it is lost (or its response). 2 is selected and asks 3 once more, to ensure that no " +
			"node is above it. Again a message is lost, and 2 remains the leader.",
	},
	{
		Name: "effatparvar-replaced-by-a-dead-node", Variant: "to-all", Property: "once-elected",
		Setting: "n=4 start=settled timing=sync:1 crashes=2",
		Title:   "a leader replaced by a node that is down",
		Text: "1 and 2 both notice the crash of 4. 3 responds to 1 and crashes before 2's message arrives. So 2 finds no node above " +
			"itself and becomes the leader, while 1 selects 3 and tells all. 2 follows 3, which is down, until a node notices that.",
	},
}
