package incidents

import (
	"bullyproof/ledger"
	"bullyproof/trace"
)

// ofRaft are incidents of Raft's election.
var ofRaft = []Incident{
	{
		Name: "canonical-279", System: "canonical/raft, the consensus of dqlite", Report: "github.com/canonical/raft/issues/279",
		Products: []string{"dqlite"}, Damage: ledger.NoLeader, Year: 2022,
		Broke: "a quorum was up and elected nobody",
		Text: "A server is down while others elect a leader, and comes back just as that leader dies. It grants pre-votes with its own, " +
			"smaller term, which the others drop as old. Nobody learns a term from a pre-vote, so the terms never meet.",
		Fix:       "a server takes the higher term from a request for a pre-vote (#280; a day later #281 replaced it: the answer carries the term that was asked for)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "no-catch-up", Property: "availability", Fixed: "prevote",
		Setting: "n=3 crashes=2 restarts=1 " + lockstep,
	},
	{
		Name: "etcd-8243", System: "etcd", Report: "github.com/etcd-io/etcd/issues/8243",
		Products: []string{"etcd"}, Damage: ledger.NoLeader, Year: 2017,
		Broke: "a quorum was up and elected nobody",
		Text: "A server is two terms behind when the leader dies. The other one does not answer its requests for pre-votes, and drops the " +
			"pre-votes that it grants, since both carry a smaller term. One term behind is not enough: then the request is answered.",
		Fix:       "a pre-vote that is granted carries the term that was asked for (#8288)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "deaf", Property: "availability", Fixed: "prevote",
		Setting: "n=3 crashes=3 restarts=2 " + lockstep,
		Chapters: []trace.Chapter{
			{First: 0, Title: "The start", Text: "Three servers are up, and nobody leads."},
			{First: 6, Title: "Term 1", Text: "P2 crashes. P1 begins term 1 with the pre-vote of P3, crashes, and comes back."},
			{First: 23, Title: "Term 2", Text: "P3 grants P1 another pre-vote, and P1 begins term 2."},
			{First: 31, Title: "P3 crashes", Text: "P2 comes back, two terms behind P1. P3 crashes before it learns the new term."},
			{First: 44, Title: "Without end", Text: "P2 grants the pre-votes of P1 in its own smaller term, and P1 drops them. P1 does not answer those of P2. A majority is up and elects nobody."},
		},
	},
	{
		Name: "etcd-10355", System: "etcd", Report: "github.com/etcd-io/etcd/issues/10355",
		Products: []string{"etcd"}, Damage: ledger.NoLeader, Year: 2018,
		Broke: "two of three servers ignored each other's pre-votes after the leader had died",
		Text: "A server that asks for pre-votes still names the leader that it lost, and so refuses the pre-votes of others: its lease is " +
			"not over. Each request begins the timeout anew, so the lease is never over. (Here any two servers do so. In etcd it takes " +
			"timeouts that keep falling into each other's leases.)",
		Fix:       "a server that asks for pre-votes names no leader (#8334)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "keeps-leader", Property: "availability", Fixed: "prevote-checkquorum",
		Setting: "n=3 start=settled crashes=1 detector=off timing=lockstep",
	},
	{
		Name: "etcd-2020-disturbed", System: "etcd at a large provider", Report: "decentralizedthoughts.github.io/2020-12-12-raft-liveness-full-omission",
		Products: []string{"etcd"}, Damage: ledger.LeaderChanges, Year: 2020,
		Broke: "a faulty switch cut some links, and elections never ended for six hours",
		Text: "One link is down, between the leader and a follower. The follower hears no heartbeats, begins a new term, and gets the vote " +
			"of the server between, which had a good leader. Then the old leader is the one that hears nothing, and so on.",
		Fix:       "pre-votes, an option that the article advises: a server that hears of a leader refuses them",
		Origin:    ledger.AdvisedFix,
		Algorithm: "raft", Faulty: "figure-2", Property: "undisturbed", Fixed: "prevote",
		Setting: "n=3 start=settled cuts=1 cut-by=link detector=off timing=lockstep",
	},
	{
		Name: "etcd-2020-blocked", System: "Raft with pre-votes alone", Report: "decentralizedthoughts.github.io/2020-12-12-raft-liveness-full-omission",
		Products: []string{"etcd"}, Damage: ledger.NoLeader, Year: 2020,
		Broke: "a connected majority could not replace a leader that had lost its majority",
		Text: "The leader loses all links but one. One server still hears the leader, so it refuses the others' pre-votes. Without it " +
			"they have no majority, and neither has the leader.",
		Fix:       "a check of the quorum, as the article advises: a leader that hears of no majority steps down",
		Origin:    ledger.AdvisedFix,
		Algorithm: "raft", Faulty: "prevote", Property: "availability", Fixed: "prevote-checkquorum",
		Setting:  "n=4 start=settled cuts=2 cut-by=link detector=off timing=lockstep",
		Chapters: blocked,
	},
	{
		Name: "openraft-2080", System: "openraft", Report: "github.com/databendlabs/openraft/issues/2080",
		Products: []string{"openraft"}, Damage: ledger.NoLeader, Year: 2026,
		Broke: "heartbeats of an old leader kept a connected quorum from an election",
		Text: "The old leader reaches one server, a bridge to the rest. Its heartbeats renew the lease at the bridge, which therefore " +
			"ignores all requests for votes. The rest is no quorum without the bridge. Four servers are enough; the report has five.",
		Fix: "a leader whose quorum has not answered for a lease sends no more heartbeats (#2083, which was closed; there is an option now, quorum_loss_probe_interval, " +
			"which #2079 sets); here it steps down",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "sticky", Property: "availability", Fixed: "all",
		Setting:  "n=4 start=settled cuts=2 cut-by=link detector=off timing=lockstep",
		Chapters: blocked,
	},
	{
		Name: "etcd-8501", System: "etcd, as CockroachDB upgraded to it", Report: "github.com/etcd-io/etcd/issues/8501",
		Products: []string{"etcd", "CockroachDB"}, Damage: ledger.NoLeader, Year: 2017,
		Broke: "groups stood still while servers were upgraded to pre-votes one by one",
		Text: "A server without pre-votes begins terms alone. It is upgraded, and now has a higher term and a shorter log than the other " +
			"one. The other one refuses it for its log. Nothing answers the other one, whose term is smaller. Terms no longer grow, " +
			"since both ask first.",
		Fix:       "a request for a pre-vote of a smaller term is refused with the higher term, which the asker takes (#8525)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "deaf-rollout", Property: "availability", Fixed: "rollout",
		Setting: "n=3 crashes=3 restarts=2 mid-send=yes " + lockstep,
	},
	{
		Name: "openraft-1796", System: "openraft", Report: "github.com/databendlabs/openraft/issues/1796",
		Products: []string{"openraft"}, Damage: ledger.NoLeader, Year: 2026,
		Broke: "two groups of servers refused each other's pre-votes without end",
		Text: "A leader has an entry that it alone has, and is cut off. The others begin a new term, and one of them dies before the vote. The two " +
			"that are left refuse each other: one has the longer log, the other the higher term, and the refusal of a pre-vote teaches no " +
			"term. (The report has a change of members. It takes none.)",
		Fix:       "a server takes the higher term from the refusal of a pre-vote (#1800)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "refused-for-ever", Property: "availability", Fixed: "all",
		Setting: "n=3 crashes=1 cuts=1 heals=1 " + lockstep,
		Chapters: []trace.Chapter{
			{First: 0, Title: "P1 is elected", Text: "P1 leads in term 1 with the vote of P3."},
			{First: 21, Title: "P1 is cut off", Text: "P1 has an entry that it alone has, and steps down when no majority answers."},
			{First: 40, Title: "Term 2", Text: "P2 begins term 2 with the pre-vote of P3. P3 crashes before it votes."},
			{First: 53, Title: "The network is whole again", Text: "P1 and P2 are up and connected, a majority of three."},
			{First: 59, Title: "Without end", Text: "P1 has the longer log and P2 the higher term. Each refuses the pre-votes of the other, and a refusal teaches no term."},
		},
	},
	{
		Name: "openraft-1839", System: "openraft", Report: "github.com/databendlabs/openraft/pull/1839",
		Products: []string{"openraft"}, Damage: ledger.NoLeader, Year: 2026,
		Broke: "a leader that was asked to elect could neither win nor stop leading",
		Text: "An operator triggers an election on the leader. It becomes a candidate of the next term, and still sends heartbeats of the " +
			"old one. The followers therefore hear of a leader, and ignore its requests for votes.",
		Fix:       "an election that is triggered on a leader does nothing (#1840)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "leads-on", Property: "availability", Fixed: "sticky",
		Setting: "n=3 start=settled detector=off timing=lockstep",
	},
	{
		Name: "redpanda-31547", System: "Redpanda", Report: "github.com/redpanda-data/redpanda/pull/31547",
		Products: []string{"Redpanda"}, Damage: ledger.LeftOut, Year: 2026,
		Broke: "a follower one term above a live leader asked for pre-votes without end",
		Text: "A follower begins a new term, and its requests for votes are lost. The leader lives, so all refuse its pre-votes, and it takes no " +
			"heartbeat of the smaller term. Its answer to a heartbeat carries no term, so the leader never learns of the higher one.",
		Fix: "the answer to a heartbeat of an old term carries the higher term, and the leader steps down (as #31547 proposes, which was closed; we do not know " +
			"whether another change has it)",
		Origin:    ledger.ProposedFix,
		Algorithm: "raft", Faulty: "silent", Property: "e2", Fixed: "prevote",
		Setting: "n=3 start=settled cuts=1 heals=owed losses=1 detector=off timing=lockstep",
	},
	{
		Name: "canonical-142", System: "canonical/raft, the consensus of dqlite", Report: "github.com/canonical/raft/pull/142",
		Products: []string{"dqlite"}, Damage: ledger.NoLeader,
		Broke: "a quorum was up and elected nobody",
		Text: "A candidate gets the votes of both others, and dies before it leads. Each of the two has voted in its term, and refuses the " +
			"pre-vote of the other for that, although it is for the next term. A pre-vote begins no term, so the votes stay.",
		Fix: "a vote says nothing of pre-votes for later terms (98d8f51, in #247). Before that, #142 had a server forget its vote when it asks " +
			"for pre-votes: see canonical-196",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "vote-binds", Property: "availability", Fixed: "prevote",
		Setting: "n=3 crashes=1 " + lockstep,
	},
	{
		Name: "canonical-196", System: "canonical/raft, the consensus of dqlite", Report: "github.com/canonical/raft/issues/196",
		Products: []string{"dqlite"}, Damage: ledger.TwoLeaders, Year: 2021,
		Broke: "a server could vote twice in a term, after the fix of canonical-142",
		Text: "P2 votes for P1, which is cut off and leads. P2 hears nothing of it, asks for pre-votes and forgets its vote. P3 asks for the " +
			"same term as P1 did, since it has not heard of it. P2 votes for P3 as well, and both lead in one term. (The report asks why the vote " +
			"is forgotten. Nobody saw two leaders.)",
		Fix:       "a server that asks for pre-votes keeps its vote (98d8f51, in #247)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "drops-vote", Property: "one-leader-per-epoch", Fixed: "prevote",
		Setting: "n=3 losses=2 cuts=1 " + lockstep,
	},
	{
		Name: "canonical-248", System: "canonical/raft, the consensus of dqlite", Report: "github.com/canonical/raft/pull/248, for issue 196",
		Products: []string{"dqlite"}, Damage: ledger.TwoLeaders, Year: 2021,
		Broke: "a candidate could count a pre-vote as a vote",
		Text: "The answer to a pre-vote looks like the answer to a request for a vote, and carries the term of the server that answers. One that has " +
			"voted in a term grants a pre-vote for it. By the time that the answer arrives the asker is a candidate of that term, by the pre-vote of " +
			"another server, and counts it. It takes no fault.",
		Fix:       "the answer says whether it is about a pre-vote (0ed4553)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "unmarked", Property: "one-leader-per-epoch", Fixed: "prevote",
		Setting: "n=3 initiators=none detector=off timing=sync:1",
	},
	{
		Name: "ccf-8094", System: "CCF, the Confidential Consortium Framework", Report: "github.com/microsoft/CCF/pull/8094, for issue 5891",
		Products: []string{"CCF"}, Damage: ledger.TwoLeaders, Year: 2026,
		Broke: "a server voted twice in a term, and two led in it",
		Text: "A server votes for another one, hears nothing of it in time, and asks for pre-votes in the same term. Then it hears the leader, " +
			"steps down as for a later term, and forgets its vote. A late request for a vote of the same term gets it as well. Without " +
			"pre-votes only a candidate steps down so: its vote was its own, and the leader has a majority without it.",
		Fix:       "a vote is forgotten only where the term is a later one (#8094)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "votes-anew", Property: "one-leader-per-epoch", Fixed: "ccf",
		Setting: "n=3 initiators=none detector=off timing=async:2",
	},
	{
		Name: "ra-439", System: "ra, the Raft of RabbitMQ", Report: "github.com/rabbitmq/ra/issues/439",
		Products: []string{"RabbitMQ"}, Damage: ledger.NoLeader, Year: 2024,
		Broke: "a majority was up and elected nobody",
		Text: "A candidate has a shorter log than the other server, so that the other one refuses it. The other one asks for pre-votes, for the term " +
			"after that of the candidate, and the candidate does not answer. When its timeout is over the candidate begins the next term without " +
			"asking. So it goes on, in terms without end. The terms of a run grow, so that none comes back to a state that it was in. So the property counts elections.",
		Fix:       "a candidate answers a pre-vote as a follower does (#442)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "busy", Property: "few-elections", Fixed: "ra",
		Setting: "n=3 losses=2 crashes=1 mid-send=yes " + lockstep,
	},
	{
		Name: "redpanda-2071", System: "Redpanda", Report: "github.com/redpanda-data/redpanda/pull/2071, for issue 2048",
		Products: []string{"Redpanda"}, Damage: ledger.LeaderChanges, Year: 2021,
		Broke: "a follower that restarted deposed a good leader",
		Text: "The leader sends the follower nothing for a while, since it backs off after heartbeats that failed. (Here the link between them is down.) " +
			"The follower asks for pre-votes. The third server hears the leader, but looks at the log alone, and grants it. So the follower begins a " +
			"new term, and the third server leaves the leader. A draft of the fix said nothing of the log to a request of an older term. " +
			"A reviewer feared that nobody would be elected then; openraft-1796 is such a case.",
		Fix:       "a server that hears of a leader looks at no log, and grants no pre-vote (aaa8474)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "log-alone", Property: "undisturbed", Fixed: "prevote",
		Setting: "n=3 start=settled cuts=1 cut-by=link detector=off timing=lockstep",
	},
	{
		Name: "redpanda-30815", System: "Redpanda", Report: "github.com/redpanda-data/redpanda/issues/30815, and pull request 30817",
		Products: []string{"Redpanda"}, Damage: ledger.LeftOut, Year: 2026,
		Broke: "a follower that recovered asked for pre-votes without end, and hardly recovered",
		Text: "The log of a follower has a gap. It answers the leader so, follows it, and does not begin its election timeout anew. So it asks for " +
			"pre-votes again and again, while it hears the leader, and all refuse. (Here the gap stays, since the model has no recovery.)",
		Fix:       "whatever a follower makes of a message of its leader, it begins its timeout anew (#30817)",
		Origin:    ledger.MergedFix,
		Algorithm: "raft", Faulty: "unheard", Property: "stable-leadership", Fixed: "lagging",
		Setting: "n=3 " + lockstep,
	},
	{
		Name: "nuraft-134", System: "NuRaft, in ClickHouse", Report: "github.com/ClickHouse/NuRaft/pull/134",
		Products: []string{"ClickHouse"}, Damage: ledger.LeaderChanges, Year: 2026,
		Broke: "a member that could not win began term after term, and the leader changed ten times in half an hour",
		Text: "For a while nobody hears the leader, and timeouts expire. A member whose log is behind asks for pre-votes. Nobody looks at its log, so it gets them " +
			"and begins a new term, which ends that of the leader. All refuse their votes, nobody leads, and it may ask again. (Here a pause of the leader begins " +
			"it, and the run ends with the first of these terms.)",
		Fix:       "a pre-vote looks at the log, as a vote does (as #134 proposes, which is open)",
		Origin:    ledger.ProposedFix,
		Algorithm: "raft", Faulty: "any-log", Property: "could-win", Fixed: "lagging",
		Setting: "n=3 pauses=1 pausers=1 capacity=2 " + lockstep,
	},
	{
		Name: "nebula-2405", System: "NebulaGraph", Report: "github.com/vesoft-inc/nebula/issues/2405, and issue 685",
		Products: []string{"NebulaGraph"}, Damage: ledger.TwoLeaders, Year: 2020,
		Broke: "a server voted twice in a term",
		Text: "A server has two terms: that of its leader, and the one in which it voted last, which may be higher. Votes are compared with the second, and " +
			"what leaders send with the first. A heartbeat of the old leader comes in after the vote, and sets both terms to its own. Then the server " +
			"votes again in the new term, here for itself.",
		Fix:       "the term of a vote never becomes smaller, as the report asks and #2406 proposes, which was closed; here a server has one term",
		Origin:    ledger.ProposedFix,
		Algorithm: "raft", Faulty: "goes-back", Property: "one-leader-per-epoch", Fixed: "any-delays",
		Setting: "n=3 initiators=none detector=off timing=async:2",
	},
	{
		Name: "redpanda-11657", System: "Redpanda", Report: "github.com/redpanda-data/redpanda/pull/11726",
		Products: []string{"Redpanda"}, Damage: ledger.NoLeader, Year: 2023,
		Broke:     "an even number of servers elected nobody for a while",
		Text:      "A server that grants a pre-vote begins its election timeout anew, and so does not ask itself.",
		Fix:       "a pre-vote changes nothing at the server that grants it",
		Algorithm: "raft", Faulty: "rearms", Property: "availability", Setting: "n=4 crashes=1 " + lockstep,
		Absent: "The report calls it temporary. In the model each timeout has a length of its own, and the shortest is over first again. It " +
			"would take timeouts that are drawn anew.",
	},
}

// lockstep has each message take one round, and nobody but a timeout tell of a failure.
const lockstep = "initiators=none detector=off timing=lockstep"

// blocked are the parts of the run that two incidents share.
var blocked = []trace.Chapter{
	{First: 0, Title: "All is well", Text: "P4 leads, and the others hear its heartbeats."},
	{First: 12, Title: "Two links are cut", Text: "P4 loses its links to P1 and P2. The one to P3 stays, so P3 still hears it."},
	{First: 24, Title: "P1 and P2 ask", Text: "P1 and P2 hear no leader and ask for pre-votes. They grant each other's. P3 refuses, since it has a leader."},
	{First: 38, Title: "Without end", Text: "P1 and P2 are two of four, and it takes three. P3 goes on to refuse, since it hears P4. P4 reaches P3 alone, which makes two as well."},
}
