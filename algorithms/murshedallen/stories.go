package murshedallen

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "murshedallen-duplicate-coordinator", Variant: "rules", Property: "uniqueness",
		Setting: "n=3 start=settled joins=1",
		Title:   "two coordinators as soon as a process joins",
		Text: "The process with the highest id joins. It has no Candidates above it to ask, so it announces itself. The old coordinator " +
			"remains one, too, until it is told.",
	},
	{
		Name: "murshedallen-two-coordinators", Variant: "rules", Property: "settled-uniqueness",
		Setting: "n=3 start=settled crashes=1 restarts=1",
		Title:   "two coordinators for good",
		Text: "1 holds the election: 2 is the highest that answers, and 1 announces 2 (rule 3). Before that message arrives, 3 comes " +
			"back and announces itself. 2 hears of 3 first. Then 1's older message tells 2 that it is the coordinator itself.",
	},
	{
		Name: "murshedallen-lasting-disagreement", Variant: "rules", Property: "agreement",
		Setting: "n=3 start=settled crashes=1 restarts=1",
		Title:   "a disagreement that nothing ends",
		Text: "3 has not answered, so 2 announces itself; 3 comes back and announces itself. Each hears of the other last and follows " +
			"it, and 1 follows 2. No process is coordinator. All are up, so none ever detects a failure.",
	},
	{
		Name: "murshedallen-lower-wins", Variant: "rules", Property: "extreme",
		Setting: "n=3 start=settled joins=2 joiners=2,3",
		Title:   "two newcomers, and the lower one is followed",
		Text: "Nothing fails. 2 joins, and no process above it answers. 3 joins a moment before 2 announces itself, and announces " +
			"itself as well. 2 follows 3. Then 3 hears of 2 and follows it.",
	},
	{
		Name: "murshedallen-newcomer-waits", Variant: "waits", Property: "e2",
		Setting: "n=3 start=settled joins=1",
		Title:   "the highest process has none to ask",
		Text: "The process with the highest id joins. It would begin an election when a Candidate above it answers (rule 4), and there " +
			"is none. The source does not limit the wait.",
	},
}
