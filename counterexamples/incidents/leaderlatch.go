package incidents

import "bullyproof/ledger"

// ofLeaderLatch are incidents of elections by ephemeral nodes in ZooKeeper.
var ofLeaderLatch = []Incident{
	{
		Name: "curator-644", System: "Curator's LeaderLatch, in Flink", Report: "issues.apache.org/jira/browse/CURATOR-644, and CURATOR-645",
		Products: []string{"ZooKeeper", "Curator", "Flink"}, Damage: ledger.NoLeader, Year: 2022,
		Broke: "two clients deleted and created their nodes without end, and nobody led",
		Text: "A client that is connected again deletes its node and creates another. The other client wants to watch the first node, finds it " +
			"gone, and does the same. So the first one finds nothing to watch, and so on.",
		Fix:       "a client that is connected again, or finds nothing to watch, asks for the children (#430)",
		Origin:    ledger.MergedFix,
		Algorithm: "leaderlatch", Faulty: "resets", Property: "leader-again", Fixed: "any-delays",
		Setting: "n=3 suspicions=1 " + sessions,
	},
	{
		Name: "curator-653", System: "Curator's LeaderLatch", Report: "issues.apache.org/jira/browse/CURATOR-653, and github.com/apache/curator/pull/398",
		Products: []string{"ZooKeeper", "Curator"}, Damage: ledger.TwoLeaders, Year: 2022,
		Broke: "two clients led for good after ZooKeeper had elected a leader of its own",
		Text: "A client that is connected again is about to delete its node, in another thread. Before it does, it learns that its node is the first, and " +
			"leads. Then it deletes the node, creates one that is not the first, and leads on. So does the client whose node is first now.",
		Fix:       "a client whose node is not the first leads no longer (#436)",
		Origin:    ledger.MergedFix,
		Algorithm: "leaderlatch", Faulty: "keeps-leading", Property: "settles", Fixed: "any-delays",
		Setting: "n=3 suspicions=2 " + sessions,
	},
	{
		Name: "curator-696", System: "Curator's LeaderLatch from 5.4 on", Report: "issues.apache.org/jira/browse/CURATOR-696",
		Products: []string{"ZooKeeper", "Curator"}, Damage: ledger.TwoLeaders, Year: 2023,
		Broke: "two clients led for good after ZooKeeper had been away",
		Text: "A client gives up its session, begins another, and finds the node of the old one, which is the first. It leads by that node. Then the store " +
			"ends the old session, and deletes the node. Nobody watches a node of its own, so the client leads on, and the next one leads as well.",
		Fix:       "a client asks for the owner of the first node, and leads only if that is its present session (#500)",
		Origin:    ledger.MergedFix,
		Algorithm: "leaderlatch", Faulty: "any-owner", Property: "settles", Fixed: "any-delays",
		Setting: "n=3 suspicions=1 " + sessions,
	},
	{
		Name: "druid-16411", System: "Druid's Coordinator", Report: "github.com/apache/druid/issues/16411",
		Products: []string{"Druid", "ZooKeeper", "Curator"}, Damage: ledger.TwoLeaders, Year: 2024,
		Broke: "two Coordinators led after nodes of Kubernetes had been patched, and tasks failed",
		Text: "Druid had Curator's fault of curator-696. A " +
			"client leads by the node of a session that it has given up, and so does the next one once the store has deleted that node.",
		Fix:       "Druid makes a new latch whenever a connection is suspended or lost, which creates a node of its own (#16528)",
		Origin:    ledger.MergedFix,
		Algorithm: "leaderlatch", Faulty: "any-owner", Property: "settles", Fixed: "recreates",
		Setting: "n=3 suspicions=2 " + sessions,
	},
	{
		Name: "curator-460", System: "Curator's leader recipes, with the error policy of sessions", Report: "issues.apache.org/jira/browse/CURATOR-460",
		Products: []string{"ZooKeeper", "Curator"}, Damage: ledger.TwoLeaders, Year: 2018,
		Broke: "two clients led for a part of the session's timeout",
		Text: "A client leads on while it is suspended, until it takes its session for lost. It begins to count when it notices that the store " +
			"is silent, and the store began when it last heard of the client. So the store ends the session first.",
		Fix:       "a client that is suspended leads no longer, as it is by default (ours: the project counts the silence otherwise (72b7b87), which is not modelled)",
		Origin:    ledger.OurFix,
		Algorithm: "leaderlatch", Faulty: "rides-out", Property: "uniqueness", Fixed: "curator",
		Setting: "n=3 cuts=1 cut-by=link initiators=none channels=fifo detector=off timing=sync:1",
	},
	{
		Name: "pulsar-23125", System: "Pulsar", Report: "github.com/apache/pulsar/issues/23125",
		Products: []string{"Pulsar", "ZooKeeper"}, Damage: ledger.NoLeader, Year: 2024,
		Broke: "the broker that had been elected took itself for a follower, and nobody balanced the load",
		Text: "The leader loses its connection for so long that it takes its session for lost, and is connected again within that session. So it looks who " +
			"leads, and finds its own node. It leads by that, and then goes on in the code for the node of another one, and follows. The node stays, so that " +
			"nobody else leads.",
		Fix:       "a broker that finds its own node leads, and does no more (#23138); it also looks whenever it is connected again",
		Origin:    ledger.MergedFix,
		Algorithm: "leaderlatch", Faulty: "falls-through", Property: "leader-again", Fixed: "pulsar",
		Setting: "n=3 suspicions=1 " + sessions,
	},
	{
		Name: "curator-47", System: "Curator's LeaderSelector", Report: "issues.apache.org/jira/browse/CURATOR-47",
		Products: []string{"ZooKeeper", "Curator"}, Damage: ledger.TwoLeaders, Year: 2013,
		Broke:     "two clients took themselves for the leader while servers of ZooKeeper were restarted one by one",
		Text:      "A client that is suspended is interrupted, and what it does as the leader takes 10 ms more to end. Meanwhile the next client leads.",
		Fix:       "none: it was closed as no problem of the recipe",
		Algorithm: "leaderlatch", Faulty: "curator", Property: "uniqueness",
		Setting: "n=3 cuts=1 cut-by=link heals=1 initiators=none channels=fifo detector=off timing=sync:1",
		Absent: "In the model a client stops in the step in which it is suspended, a third of the session's timeout before the store ends the session. " +
			"What a leader still does after that is no part of the election. One connection is lost, and comes back; servers are not restarted.",
	},
}

// sessions have the failure detector end sessions and connections.
const sessions = "initiators=none channels=fifo timing=async"
