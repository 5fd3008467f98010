package incidents

import "bullyproof/ledger"

// ofSentinel are incidents of Redis Sentinel.
var ofSentinel = []Incident{
	{
		Name: "redis-2230", System: "Redis Sentinel", Report: "github.com/redis/redis/pull/2230, and issue 11571",
		Products: []string{"Redis"}, Damage: ledger.TwoLeaders, Year: 2014,
		Broke: "two sentinels failed one master over with the same version of their configurations",
		Text: "A sentinel that waits for votes in one epoch hears of the next one, which began for another master, and asks again. It counts the " +
			"votes that it gets in the new epoch beside its own in the old one, and so it is elected in the old one, in which another sentinel " +
			"was. Neither configuration is newer, and both stay. Nothing fails, and it takes three seconds. Three sentinels are enough; here they are five. (The report does not " +
			"say for what its epochs began. Another master is how we read it.)",
		Fix:       "a sentinel counts votes in the epoch of its failover only (as #2230 proposes)",
		Origin:    ledger.ProposedFix,
		Algorithm: "sentinel", Faulty: "busy", Property: "one-leader-per-epoch", Fixed: "same-epoch",
		Setting: "n=5 initiators=none detector=off timing=sync:1",
	},
	{
		Name: "redis-6459", System: "Redis Sentinel", Report: "github.com/redis/redis/issues/6459",
		Products: []string{"Redis"}, Damage: ledger.TwoLeaders, Year: 2019,
		Broke: "two sentinels may be elected while others are added",
		Text: "Two sentinels are added to three. One of the three knows all five, and has the votes of three. The other two do not know the new ones yet, " +
			"and are a majority of three. The report asks whether this can happen.",
		Fix:       "all sentinels know each other before the next one is added, as the documentation asks (redis-6459-one adds one)",
		Origin:    ledger.AdvisedFix,
		Algorithm: "sentinel", Faulty: "added", Property: "one-leader-per-epoch", Fixed: "shipped",
		Setting: "n=5 initiators=none detector=off timing=lockstep cuts=1",
	},
	{
		Name: "redis-6459-one", System: "Redis Sentinel", Report: "github.com/redis/redis/issues/6459",
		Products: []string{"Redis"}, Damage: ledger.TwoLeaders, Year: 2019,
		Broke:     "two sentinels may be elected while one other is added",
		Text:      "As redis-6459, but a single sentinel is added to three: one of the three knows all four, and the other two do not know the new one yet.",
		Fix:       "none is needed",
		Algorithm: "sentinel", Faulty: "added", Property: "one-leader-per-epoch",
		Setting: "n=4 initiators=none detector=off timing=lockstep cuts=1",
		Absent: "A majority of three sentinels and one of all four share a voter, who votes once in an epoch. " +
			"So sentinels are added one by one, as the documentation asks. One epoch and one cut were searched.",
	},
	{
		Name: "redis-4334", System: "Redis Sentinel", Report: "github.com/redis/redis/issues/4334",
		Products: []string{"Redis"}, Damage: ledger.NoLeader, Year: 2017,
		Broke: "the first attempt at a failover failed each time, among 17 sentinels",
		Text: "All sentinels find the master down within some tens of milliseconds. Each begins an attempt, votes for itself, and nobody has a majority. " +
			"The next attempts begin after waits that differ, and one of them succeeds. Three sentinels are enough to show it. (The report is open.)",
		Fix:       "the first attempts begin at times that differ by more than a round trip (ours)",
		Origin:    ledger.OurFix,
		Algorithm: "sentinel", Faulty: "together", Property: "first-attempt", Fixed: "shipped",
		Setting: "n=3 initiators=none detector=off timing=lockstep",
	},
	{
		Name: "redis-1972", System: "Redis Sentinel", Report: "github.com/redis/redis/issues/1972",
		Products: []string{"Redis"}, Damage: ledger.TwoLeaders, Year: 2014,
		Broke: "a sentinel elected itself in a minority, with a low quorum",
		Text: "The majority was computed of the sentinels whose answers were there, not of all that are known. A sentinel that is cut off is a majority of " +
			"itself. With a quorum of one, that is enough.",
		Fix:       "the majority is one of all sentinels that are known (f4be6f1)",
		Origin:    ledger.MergedFix,
		Algorithm: "sentinel", Faulty: "of-those-who-answer", Property: "one-leader-per-epoch", Fixed: "quorum-1",
		Setting: "n=3 initiators=none detector=off timing=sync:1 cuts=1 heals=owed",
	},
	{
		Name: "redis-12271", System: "Redis Sentinel, in Bitnami's chart", Report: "github.com/redis/redis/issues/12271",
		Products: []string{"Redis", "Kubernetes"}, Damage: ledger.Disagreement, Year: 2023,
		Broke: "three sentinels named three masters, and never agreed",
		Text: "The sentinels start at the same time, each with a master of its own in its file. All these configurations have version 0, so that none " +
			"is newer, and hellos change nothing. No election mends it: a quorum has to find one and the same master down. (The report is open.)",
		Fix:       "all sentinels start with the same master, as the documentation shows",
		Origin:    ledger.AdvisedFix,
		Algorithm: "sentinel", Faulty: "apart", Property: "one-configuration", Fixed: "shipped",
		Setting: "n=3 initiators=none detector=off timing=lockstep",
	},
}
