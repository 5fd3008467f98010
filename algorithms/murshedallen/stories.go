package murshedallen

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "murshedallen-duplicate-coordinator", Variant: "rules", Property: "uniqueness",
		Setting: "n=3 start=settled joins=1",
		Title:   "two coordinators, as soon as one joins",
		Text: "The process with the highest id joins. There are no Candidates above it to ask, so that it announces itself; the " +
			"coordinator so far is one, too, until it has been told.",
	},
	{
		Name: "murshedallen-two-coordinators", Variant: "rules", Property: "settled-uniqueness",
		Setting: "n=3 start=settled crashes=1 restarts=1",
		Title:   "two coordinators for good",
		Text: "1 holds the election: 2 is the highest that answers, and 1 announces it (rule 3). Before that arrives, 3 comes back and " +
			"announces itself. 2 follows 3, and is then told by 1's older message that it is the coordinator itself.",
	},
	{
		Name: "murshedallen-lasting-disagreement", Variant: "rules", Property: "agreement",
		Setting: "n=3 start=settled crashes=1 restarts=1",
		Title:   "a disagreement that nothing ends",
		Text: "2 announces itself, since 3 has not answered, and 3 is back and announces itself. Each hears of the other last and follows " +
			"it, and 1 follows 2: nobody is coordinator. All are up, so that nobody ever detects a failure.",
	},
	{
		Name: "murshedallen-lower-wins", Variant: "rules", Property: "extreme",
		Setting: "n=3 start=settled joins=2 joiners=2,3",
		Title:   "two newcomers, and the lower id is followed",
		Text: "Nothing fails. 2 joins and asks those above it in vain; 3 joins a moment before 2 announces itself, and announces itself. 2 " +
			"follows 3, and then 3 hears of 2 and follows it.",
	},
	{
		Name: "murshedallen-newcomer-waits", Variant: "waits", Property: "e2",
		Setting: "n=3 start=settled joins=1",
		Title:   "the highest, which has nobody to ask",
		Text: "The process with the highest id joins. It would begin an election at an answer from a Candidate above it (rule 4), and " +
			"there is none. The source sets no limit to the wait.",
	},
}
