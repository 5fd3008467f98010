package rediscluster

import "bullyproof/model"

// Names gives the words of cluster_legacy.c and of the specification.
func (c *Cluster) Names() model.Names {
	return model.Names{
		Kinds:  []string{"Request", "Ack", "Pong", "Update"},
		Timers: []model.TimerName{{Name: "failover"}, {Name: "too old"}, {Name: "voted"}, {Name: "pong", Periodic: true}},
		Rules:  rules,
	}
}
