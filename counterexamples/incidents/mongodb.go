package incidents

import (
	"bullyproof/ledger"
	"bullyproof/trace"
)

// ofMongoDB are incidents of MongoDB's replica sets, from its tracker of bugs. Of SERVER-27125 the
// test of its fix was at hand.
var ofMongoDB = []Incident{
	{
		Name: "mongodb-9765", System: "MongoDB", Report: "jira.mongodb.org/browse/SERVER-9765",
		Products: []string{"MongoDB"}, Damage: ledger.LeaderChanges, Year: 2013,
		Broke: "of two primaries the one that was elected later stepped down",
		Text: "The primary of version 0 is cut off, and the others elect the next one. The cut heals before the old primary has noticed. The new one " +
			"hears of it first and steps down, since a primary that sees another one does so. The report then looks for the data of its clients.",
		Fix:       "heartbeats carry the time of the election, and the primary that was elected earlier steps down (2.6)",
		Origin:    ledger.MergedFix,
		Algorithm: "mongodb", Faulty: "any-steps-down", Property: "later-elected-stays", Fixed: "pv0",
		Setting: "n=3 start=settled cuts=1 heals=1 detector=off timing=lockstep",
	},
	{
		Name: "mongodb-27125", System: "MongoDB", Report: "SERVER-27125, and jstests/replsets/no_flapping_during_network_partition.js of github.com/mongodb/mongo",
		Products: []string{"MongoDB"}, Damage: ledger.LeaderChanges, Year: 2016,
		Broke: "two members that could not talk to each other deposed each other through an arbiter",
		Text: "The link between the primary and the other member with data is down. Both reach the arbiter. The secondary hears of no primary and runs for " +
			"election, and the arbiter votes for it. The old primary learns the term from the arbiter and steps down, though it reached a majority.",
		Fix:       "an arbiter votes no while it sees a healthy primary of equal or greater priority (3.2.12)",
		Origin:    ledger.MergedFix,
		Algorithm: "mongodb", Faulty: "arbiter-votes", Property: "primary-stays", Fixed: "arbiter",
		Setting: "n=3 start=settled cuts=1 cut-by=link detector=off timing=lockstep",
	},
	{
		Name: "mongodb-27154", System: "MongoDB", Report: "jira.mongodb.org/browse/SERVER-27154",
		Products: []string{"MongoDB"}, Damage: ledger.TwoLeaders, Year: 2016,
		Broke: "a member could vote twice in a term",
		Text: "A member records its vote and does not wait until it is durable. It answers, is shut down hard, and comes back without its vote. So it " +
			"votes for another candidate in the same term, and both lead. (Here it comes back without any vote.)",
		Fix:       "replSetRequestVotes waits for durability (3.2.12, 3.4.2)",
		Origin:    ledger.MergedFix,
		Algorithm: "mongodb", Faulty: "volatile-vote", Property: "one-leader-per-epoch", Fixed: "handoff",
		Setting: "n=3 crashes=1 restarts=1 crashers=3 initiators=none detector=off timing=async:1",
	},
	{
		Name: "mongodb-27157", System: "MongoDB", Report: "jira.mongodb.org/browse/SERVER-27157",
		Products: []string{"MongoDB"}, Damage: ledger.TwoLeaders, Year: 2016,
		Broke: "the record of a vote was overwritten by that of an earlier term",
		Text: "A member decides to vote for a candidate, and then for another one in a later term. It records the second vote and answers, and then records " +
			"the first one over it. After a restart it does not know that it has voted in the later term. (With a restart two lead in one term.)",
		Fix:       "the decision on a vote and its record are synchronized (3.2.12, 3.4.2)",
		Origin:    ledger.MergedFix,
		Algorithm: "mongodb", Faulty: "overwrites-vote", Property: "vote-stored", Fixed: "handoff",
		Setting: "n=3 initiators=none detector=off timing=async:1",
	},
	{
		Name: "mongodb-57262", System: "MongoDB", Report: "jira.mongodb.org/browse/SERVER-57262, and jstests/replsets/catchup_takeover_with_higher_config.js of github.com/mongodb/mongo",
		Products: []string{"MongoDB"}, Damage: ledger.NoLeader, Year: 2021,
		Broke: "a primary that was stuck in its catch-up could not be taken over, and nobody accepted writes",
		Text: "P1 leads with an older configuration and lacks an entry. It fetches the entry from P3, and the fetch stalls. So P3, which has the entry, asks to take over. " +
			"P1 refuses, since P3 has another configuration, and adopts no other configuration before it has caught up.",
		Fix:       "a member votes for a candidate with a newer configuration as well (4.4.9)",
		Origin:    ledger.MergedFix,
		Algorithm: "mongodb", Faulty: "same-config", Property: "writes-again", Fixed: "catchup-takeover-reconfig",
		Setting: "n=3 start=settled cuts=1 heals=1 detector=off timing=lockstep",
		Chapters: []trace.Chapter{
			{First: 0, Title: "All is well", Text: "P3 is the primary, and P1 and P2 follow it."},
			{First: 6, Title: "P3 is cut off", Text: "The primary reaches nobody, and does not know it yet."},
			{First: 14, Title: "P1 asks for votes", Text: "P1 and P2 have the older configuration. Cut off, P3 writes an entry under a newer configuration, and steps down."},
			{First: 26, Title: "The network is whole again", Text: "P1 is elected with the vote of P2. It lacks P3's entry and fetches it, but the fetch stalls: P1 takes no writes yet."},
			{First: 54, Title: "The takeover", Text: "P3 has the entry and asks for votes. P1 and P2 refuse: P3 has another configuration, and P1 adopts none before it has caught up."},
			{First: 59, Title: "Without end", Text: "P1 never catches up, P3 never wins, and nobody takes writes."},
		},
	},
}
