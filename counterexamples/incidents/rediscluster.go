package incidents

import "bullyproof/ledger"

// ofRedisCluster are incidents of Redis Cluster.
var ofRedisCluster = []Incident{
	{
		Name: "redis-1547", System: "Redis Cluster", Report: "github.com/redis/redis/issues/1547",
		Products: []string{"Redis"}, Damage: ledger.TwoLeaders, Year: 2014,
		Broke: "two nodes claimed the same slots with one version, and went on",
		Text: "A node that takes slots over without votes counts its epoch up by itself. A replica that is elected at the same time gets the same " +
			"epoch. Neither claim is newer, so each node stays with the one that it heard of first. (The report has a node to which slots are moved. " +
			"Here the administrator promotes a replica, which the specification names as the other case.)",
		Fix:       "of two masters with one version the one with the smaller id takes a new one (clusterHandleConfigEpochCollision, from 6c527a8 on)",
		Origin:    ledger.MergedFix,
		Algorithm: "rediscluster", Faulty: "collide", Property: "one-owner", Fixed: "takeover",
		Setting: "n=4 initiators=2:lazy detector=off timing=lockstep",
	},
	{
		Name: "redis-9548", System: "Redis Cluster", Report: "github.com/redis/redis/pull/9548",
		Products: []string{"Redis"}, Damage: ledger.NoLeader, Year: 2021,
		Broke: "no replica of a dead master was elected",
		Text: "The master takes a new version and dies before its replicas hear of it. Other masters have heard of it. So they refuse to vote for the " +
			"replicas, whose configuration is old, however often these ask. (Here each asks twice.)",
		Fix:       "a master that takes a new version says so at once, so that its replicas have it (as #9548 proposes)",
		Origin:    ledger.ProposedFix,
		Algorithm: "rediscluster", Faulty: "bumped", Property: "one-owner", Fixed: "shipped",
		Setting: "n=4 initiators=none detector=off timing=lockstep",
	},
	{
		Name: "valkey-2169", System: "Valkey Cluster", Report: "github.com/valkey-io/valkey/issues/2169",
		Products: []string{"Valkey"}, Damage: ledger.NoLeader, Year: 2025,
		Broke: "a replica of a dead master could not be elected: its version was old",
		Text: "As in redis-9548, and the master says at once that it has a new version. It dies, and one of those messages comes too late. So a replica still has the old version, and " +
			"the other masters refuse it. (Here neither replica has it, and each asks twice.)",
		Fix:       "a master that refuses for that sends the version to the replica, whose next attempt has it (#2178)",
		Origin:    ledger.MergedFix,
		Algorithm: "rediscluster", Faulty: "bumped", Property: "one-owner", Fixed: "updates",
		Setting: "n=4 initiators=none detector=off timing=lockstep",
	},
}
