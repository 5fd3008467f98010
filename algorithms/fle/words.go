package fle

import "bullyproof/model"

var (
	kinds  = []string{"Notification", "FollowerInfo", "Refused", "LeaderInfo", "AckEpoch", "NewLeader", "Ack", "UpToDate", "Closed"}
	timers = []model.TimerName{{Name: "notification timeout", Periodic: true}, {Name: "finalize wait"}, {Name: "init limit"}, {Name: "connect"},
		{Name: "wait for epoch"}}
)

// Names gives the words of ZooKeeper.
func (f *FLE) Names() model.Names { return model.Names{Kinds: kinds, Timers: timers, Rules: rules} }
