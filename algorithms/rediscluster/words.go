package rediscluster

import "bullyproof/model"

// Names gives the words of cluster_legacy.c and of the specification.
func (c *Cluster) Names() model.Names {
	return model.Names{
		Kinds:  []string{"Request", "Ack", "Pong"},
		Timers: []model.TimerName{{Name: "failover"}, {Name: "too old"}, {Name: "voted"}, {Name: "pong", Periodic: true}},
		Rules: []string{
			"clusterHandleSlaveFailover: begin an election",
			"clusterSendFailoverAuthIfNeeded: vote",
			"rule 3: the request is of an old epoch",
			"rule 1: it has voted in this epoch",
			"rule 4: it has voted lately",
			"rule 7: the replica has an old configuration",
			"clusterHandleSlaveFailover: elected",
			"clusterHandleSlaveFailover: the election is too old",
			"clusterUpdateSlotsConfigWith: a newer claim: adopt it",
			"clusterHandleConfigEpochCollision: take a new version",
			"CLUSTER FAILOVER TAKEOVER",
		},
	}
}
