package incidents

import "bullyproof/ledger"

// ofRiver are incidents of River, a job queue whose clients elect a leader by a row of a table.
var ofRiver = []Incident{
	{
		Name: "river-197", System: "River", Report: "github.com/riverqueue/river/issues/197",
		Products: []string{"River", "PostgreSQL"}, Damage: ledger.TwoLeaders, Year: 2024,
		Broke: "a client that had lost its row led on, and kept the other one's alive",
		Text: "The query of a reelection compares the leader_id that is to be inserted with the client's, which is the same, and not with that of the row. " +
			"A request of the leader is lost, its row expires, and another client inserts the next one. Then the first one extends that row, and the database " +
			"says that it was reelected. So both lead without end. (Here the elector is that of before pull request 1213, with that query.)",
		Fix:       "the query compares the leader_id of the row (#199)",
		Origin:    ledger.MergedFix,
		Algorithm: "river", Faulty: "always-true", Property: "one-leader-again", Fixed: "before-terms",
		Setting: "n=3 losses=1 " + connections,
	},
	{
		Name: "river-217", System: "River", Report: "github.com/riverqueue/river/pull/217",
		Products: []string{"River", "PostgreSQL"}, Damage: ledger.LeaderChanges, Year: 2024,
		Broke: "a working leader failed to be reelected",
		Text: "A row lives for five seconds, and its leader extends it five seconds after its last answer. By then the row has expired, and the query of another " +
			"client may come first. Nothing is lost, and nobody fails.",
		Fix:       "a row lives for ten seconds longer than the interval (#217 for reelections, #219 for elections)",
		Origin:    ledger.MergedFix,
		Algorithm: "river", Faulty: "no-padding", Property: "steady", Fixed: "before-terms",
		Setting: "n=3 " + connections,
	},
	{
		Name: "river-1213", System: "River", Report: "github.com/riverqueue/river/pull/1213",
		Products: []string{"River", "PostgreSQL"}, Damage: ledger.TwoLeaders, Year: 2026,
		Broke: "a leader led on when its row was over, and another client had the next one",
		Text: "A request of the leader is lost. It waits for five seconds, sleeps for one, and then waits for a whole interval before it asks again. Its " +
			"row lives for fifteen seconds from the query on, and another client inserts the next one. (The pull request says that reelections could stretch " +
			"leadership past the lease. It has no report of a run; this one is the model's. Beside that, a leader that resigns tells its subscribers last, " +
			"then as now: the claim step-down.)",
		Fix:       "a leader asks again when it has slept, and trusts its row for fourteen seconds from when it asked (#1213)",
		Origin:    ledger.MergedFix,
		Algorithm: "river", Faulty: "before-terms", Property: "own-row", Fixed: "shipped",
		Setting: "n=3 losses=1 " + connections,
	},
}
