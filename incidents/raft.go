package incidents

// ofRaft are incidents of Raft's election.
var ofRaft = []Incident{
	{
		Name: "canonical-279", System: "canonical/raft, the consensus of dqlite", Report: "github.com/canonical/raft/issues/279",
		Broke: "a quorum was up and elected nobody",
		Text: "A server is down while others elect a leader, and comes back just as that leader dies. It grants pre-votes with its own, " +
			"smaller term, which the others drop as old. Nobody learns a term from a pre-vote, so the terms never meet.",
		Fix:       "a server takes the higher term from a request for a pre-vote (#280)",
		Algorithm: "raft", Faulty: "no-catch-up", Property: "availability", Fixed: "prevote",
		Setting: "n=3 crashes=2 restarts=1 " + lockstep,
	},
	{
		Name: "canonical-142", System: "canonical/raft, the consensus of dqlite", Report: "github.com/canonical/raft/pull/142",
		Broke: "a quorum was up and elected nobody after the leader had died",
		Text: "All have voted for the leader. A server that is asked for a pre-vote refuses, since it has given its vote of the current term to another one, although " +
			"the pre-vote is about the next term. The leader dies, and those that are left refuse each other.",
		Fix:       "a vote of the current term has no say in a pre-vote (the pull request resets the vote instead: see canonical-196)",
		Algorithm: "raft", Faulty: "holds-vote", Property: "availability", Fixed: "prevote",
		Setting: "n=3 start=settled crashes=1 detector=off timing=lockstep",
	},
	{
		Name: "canonical-196", System: "canonical/raft, the consensus of dqlite", Report: "github.com/canonical/raft/issues/196",
		Broke: "a server could vote twice in a term",
		Text: "This is what the fix of canonical-142 did. A server votes, hears nothing, and asks for pre-votes. With that it forgets its vote. Then another candidate of " +
			"the same term asks for it. (The report asks why the vote is reset. No run of it is known.)",
		Fix:       "a server that asks for pre-votes keeps its vote (#247)",
		Algorithm: "raft", Faulty: "resets-vote", Property: "one-leader-per-epoch", Fixed: "prevote-any-delays",
		Setting: "n=3 initiators=none detector=off timing=async:2",
	},
	{
		Name: "ra-439", System: "RabbitMQ's Ra", Report: "github.com/rabbitmq/ra/issues/439",
		Broke: "elections went on without end, and a majority was up",
		Text: "A leader dies while it tells of its entry, so one server has the entry, and another one is a candidate without it. The candidate cannot win, and " +
			"begins term after term without asking. The other one asks for pre-votes, in the term that it has just taken over, and a candidate does not answer those. " +
			"(Terms grow without end, so there is no state twice. The run shows five terms in which nobody led.)",
		Fix:       "a candidate answers a pre-vote of a server with a longer log (#442); here it also asks before each term",
		Algorithm: "raft", Faulty: "busy", Property: "elects-soon", Fixed: "all",
		Setting: "n=3 crashes=1 losses=1 mid-send=yes " + lockstep,
	},
	{
		Name: "redpanda-2071", System: "Redpanda", Report: "github.com/redpanda-data/redpanda/pull/2071",
		Broke: "a follower could depose a leader that was well",
		Text: "Whoever is asked for a pre-vote looks at the log alone. A follower that does not hear the leader asks, and is granted the pre-vote by one that does. " +
			"(The report has a follower that restarts. Here that one hears a heartbeat before it asks, in all 455 states of a crash and a restart. A link that is cut shows it.)",
		Fix:       "a server that has heard a heartbeat within its timeout refuses",
		Algorithm: "raft", Faulty: "obliging", Property: "undisturbed", Fixed: "prevote",
		Setting: "n=3 start=settled cuts=1 cut-by=link detector=off timing=lockstep",
	},
	{
		Name: "etcd-8243", System: "etcd", Report: "github.com/etcd-io/etcd/issues/8243",
		Broke: "a quorum was up and elected nobody",
		Text: "A server is two terms behind when the leader dies. The other one does not answer its requests for pre-votes, and drops the " +
			"pre-votes that it grants, since both carry a smaller term. One term behind is not enough: then the request is answered.",
		Fix:       "a pre-vote that is granted carries the term that was asked for (#8288)",
		Algorithm: "raft", Faulty: "deaf", Property: "availability", Fixed: "prevote",
		Setting: "n=3 crashes=3 restarts=2 " + lockstep,
	},
	{
		Name: "etcd-10355", System: "etcd", Report: "github.com/etcd-io/etcd/issues/10355",
		Broke: "two of three servers ignored each other's pre-votes after the leader had died",
		Text: "A server that asks for pre-votes still names the leader that it lost, and so refuses the pre-votes of others: its lease is " +
			"not over. Each request begins the timeout anew, so the lease is never over. (Here any two servers do so. In etcd it takes " +
			"timeouts that keep falling into each other's leases.)",
		Fix:       "a server that asks for pre-votes names no leader (#8334)",
		Algorithm: "raft", Faulty: "keeps-leader", Property: "availability", Fixed: "prevote-checkquorum",
		Setting: "n=3 start=settled crashes=1 detector=off timing=lockstep",
	},
	{
		Name: "etcd-2020-disturbed", System: "etcd at a large provider", Report: "decentralizedthoughts.github.io/2020-12-12-raft-liveness-full-omission",
		Broke: "a faulty switch cut some links, and elections never ended for six hours",
		Text: "One link is down, between the leader and a follower. The follower hears no heartbeats, begins a new term, and gets the vote " +
			"of the server between, which had a good leader. Then the old leader is the one that hears nothing, and so on.",
		Fix:       "pre-votes: a server that hears of a leader refuses them",
		Algorithm: "raft", Faulty: "figure-2", Property: "undisturbed", Fixed: "prevote",
		Setting: "n=3 start=settled cuts=1 cut-by=link detector=off timing=lockstep",
	},
	{
		Name: "etcd-2020-blocked", System: "Raft with pre-votes alone", Report: "decentralizedthoughts.github.io/2020-12-12-raft-liveness-full-omission",
		Broke: "a connected quorum could not replace a leader without one",
		Text: "The leader loses all links but one. The server at its end hears its heartbeats, and refuses the pre-votes of the others, " +
			"which need it for a majority. The leader itself reaches no majority.",
		Fix:       "a check of the quorum: a leader that hears of no majority steps down",
		Algorithm: "raft", Faulty: "prevote", Property: "availability", Fixed: "prevote-checkquorum",
		Setting: "n=4 start=settled cuts=2 cut-by=link detector=off timing=lockstep",
	},
	{
		Name: "openraft-2080", System: "openraft", Report: "github.com/databendlabs/openraft/issues/2080",
		Broke: "heartbeats of an old leader kept a connected quorum from an election",
		Text: "The old leader reaches one server, a bridge to the rest. Its heartbeats renew the lease at the bridge, which therefore " +
			"ignores all requests for votes. The rest is no quorum without the bridge. Four servers are enough; the report has five.",
		Fix:       "a leader whose quorum has not answered for a lease sends no more heartbeats (#2083); here it steps down",
		Algorithm: "raft", Faulty: "sticky", Property: "availability", Fixed: "all",
		Setting: "n=4 start=settled cuts=2 cut-by=link detector=off timing=lockstep",
	},
	{
		Name: "etcd-8501", System: "etcd, as CockroachDB upgraded to it", Report: "github.com/etcd-io/etcd/issues/8501",
		Broke: "groups stood still while servers were upgraded to pre-votes one by one",
		Text: "A server without pre-votes begins terms alone. It is upgraded, and now has a higher term and a shorter log than the other " +
			"one. The other one refuses it for its log. Nothing answers the other one, whose term is smaller. Terms no longer grow, " +
			"since both ask first.",
		Fix:       "a request for a pre-vote of a smaller term is refused with the higher term, which the asker takes (#8525)",
		Algorithm: "raft", Faulty: "deaf-rollout", Property: "availability", Fixed: "rollout",
		Setting: "n=3 crashes=3 restarts=2 mid-send=yes " + lockstep,
	},
	{
		Name: "openraft-1796", System: "openraft", Report: "github.com/databendlabs/openraft/issues/1796",
		Broke: "two groups of servers refused each other's pre-votes without end",
		Text: "A leader has an entry that it alone has, and is cut off. The others begin a new term, and one of them dies before the vote. The two " +
			"that are left refuse each other: one has the longer log, the other the higher term, and the refusal of a pre-vote teaches no " +
			"term. (The report has a change of members. It takes none.)",
		Fix:       "a server takes the higher term from the refusal of a pre-vote (#1800)",
		Algorithm: "raft", Faulty: "refused-for-ever", Property: "availability", Fixed: "all",
		Setting: "n=3 crashes=1 cuts=1 heals=1 " + lockstep,
	},
	{
		Name: "openraft-1839", System: "openraft", Report: "github.com/databendlabs/openraft/pull/1839",
		Broke: "a leader that was asked to elect could neither win nor stop leading",
		Text: "An operator triggers an election on the leader. It becomes a candidate of the next term, and still sends heartbeats of the " +
			"old one. The followers therefore hear of a leader, and ignore its requests for votes.",
		Fix:       "an election that is triggered on a leader does nothing (#1840)",
		Algorithm: "raft", Faulty: "leads-on", Property: "availability", Fixed: "sticky",
		Setting: "n=3 start=settled detector=off timing=lockstep",
	},
	{
		Name: "redpanda-31547", System: "Redpanda", Report: "github.com/redpanda-data/redpanda/pull/31547",
		Broke: "a follower one term above a live leader asked for pre-votes without end",
		Text: "A follower begins a new term, and its requests for votes are lost. The leader lives, so all refuse its pre-votes, and it takes no " +
			"heartbeat of the smaller term. Its answer to a heartbeat carries no term, so the leader never learns of the higher one.",
		Fix:       "the answer to a heartbeat of an old term carries the higher term, and the leader steps down",
		Algorithm: "raft", Faulty: "silent", Property: "e2", Fixed: "prevote",
		Setting: "n=3 start=settled cuts=1 heals=owed losses=1 detector=off timing=lockstep",
	},
	{
		Name: "redpanda-11657", System: "Redpanda", Report: "github.com/redpanda-data/redpanda/pull/11726",
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
