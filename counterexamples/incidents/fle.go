package incidents

import "bullyproof/ledger"

// ofFLE are incidents of ZooKeeper's own election.
var ofFLE = []Incident{
	{
		Name: "zookeeper-1732", System: "ZooKeeper", Report: "issues.apache.org/jira/browse/ZOOKEEPER-1732",
		Products: []string{"ZooKeeper"}, Damage: ledger.LeftOut, Year: 2013,
		Broke: "a server that had been restarted could not join its ensemble, which had a leader",
		Text: "A follower joins a leader that is about to crash, and tries to connect until it is back. Meanwhile the leader has been elected again, in " +
			"another round and by the third server. The follower connects in the end, and still tells of its vote in the old round. So the leader and " +
			"the follower report votes that differ. The third server loses its connection, and never finds a majority with one vote.",
		Fix:       "votes of servers that are not looking are equal if their leader and their epoch are (c6ee013)",
		Origin:    ledger.MergedFix,
		Algorithm: "fle", Faulty: "exact", Property: "e2", Fixed: "zookeeper", Setting: joining,
	},
	{
		Name: "zookeeper-1818", System: "ZooKeeper", Report: "issues.apache.org/jira/browse/ZOOKEEPER-1818, and github.com/apache/zookeeper/pull/703",
		Products: []string{"ZooKeeper"}, Damage: ledger.LeftOut, Year: 2013,
		Broke: "a server could not join, since two servers told of one leader in two epochs",
		Text: "As in zookeeper-1732, a follower has been elected into an ensemble before the leader crashed and was elected again. Each server tells of the " +
			"epoch that it had when it voted, so the leader and the follower differ in it, and a server that looks for a leader finds no majority. " +
			"(The report is also about values of -1, which were no epochs and stood in votes. They are not modelled.)",
		Fix:       "a server takes the new epoch into its vote when it follows or leads (b7403b7, of #703)",
		Origin:    ledger.MergedFix,
		Algorithm: "fle", Faulty: "stale", Property: "e2", Fixed: "zookeeper", Setting: joining,
	},
	{
		Name: "zookeeper-3109", System: "ZooKeeper", Report: "issues.apache.org/jira/browse/ZOOKEEPER-3109",
		Products: []string{"ZooKeeper"}, Damage: ledger.NoLeader, Year: 2018,
		Broke: "nobody led for more than a minute, until a limit had passed",
		Text: "P1 votes for P2, and P2 believes that it has won. Then P1 switches to P3, whose vote is better, and P3 dies. P2 waits for a majority to " +
			"connect. P1 looks for a leader and finds none with a majority. (In the model this wait never times out, so only messages can end it.)",
		Fix:       "a leader that has waited for a time stops when a server that voted for it looks for a leader again (#588)",
		Origin:    ledger.MergedFix,
		Algorithm: "fle", Faulty: "waits", Property: "availability", Fixed: "hasty",
		Setting: "n=3 initiators=none reports=always channels=fifo mail-down=lost mail-old=lost timing=sync:1 start=cold:interleaved crashes=1 crashers=3",
	},
}

// joining has the leader crash and come back, and two connections break.
const joining = "n=3 start=settled reports=always channels=fifo mail-down=lost mail-old=lost timing=lockstep crashes=1 restarts=1 crashers=3 " +
	"suspicions=2 detectors=1,2"
